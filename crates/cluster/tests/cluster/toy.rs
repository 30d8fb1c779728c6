//! A job for tests: numbers are hashed many times, with a blob as the key. A result is
//! the hash and, as something that differs every time, the time.

use sha2::{Digest, Sha256};
use std::sync::Mutex;
use std::time::{Duration, Instant, SystemTime};
use work::{
    Blobs, Care, Description, Job, Kind, Outcome, Piece, Portable, Repeatable, StopSignal, Worker,
};

pub(crate) const KIND: Kind = Kind {
    name: "toy",
    make: |settings, blobs| {
        let toy = Toy::read(settings, blobs)?;
        Ok(Box::new(toy))
    },
};

/// A kind whose workers cheat in every third piece: the result looks right and is not.
pub(crate) const LIAR: Kind = Kind {
    name: "toy",
    make: |settings, blobs| {
        let mut toy = Toy::read(settings, blobs)?;
        toy.lie = |number| number % 3 == 0;
        Ok(Box::new(toy))
    },
};

/// A kind whose workers fail at everything.
pub(crate) const FAILURE: Kind = Kind {
    name: "toy",
    make: |settings, blobs| {
        let mut toy = Toy::read(settings, blobs)?;
        toy.fail = |_| true;
        Ok(Box::new(toy))
    },
};

const HASH: usize = 32;

pub(crate) struct Toy {
    /// How long a piece takes.
    pub(crate) time: Duration,
    /// The content of its blob.
    pub(crate) key: Vec<u8>,
    pub(crate) lie: fn(u64) -> bool,
    pub(crate) fail: fn(u64) -> bool,
    pub(crate) is_timed: bool,
    /// Bytes of a result beyond the hash.
    pub(crate) ballast: usize,
    /// How often each piece was begun in this process.
    pub(crate) begun: Mutex<Vec<u64>>,
}

impl Toy {
    pub(crate) fn new(milliseconds: u64) -> Toy {
        Toy {
            time: Duration::from_millis(milliseconds),
            key: b"a key".to_vec(),
            lie: |_| false,
            fail: |_| false,
            is_timed: false,
            ballast: 0,
            begun: Mutex::default(),
        }
    }

    fn read(settings: &str, blobs: &Blobs) -> Result<Toy, String> {
        let mut numbers = settings.split(' ').map(str::parse);
        let mut number = || match numbers.next() {
            Some(Ok(number)) => Ok(number),
            _ => Err("no number".to_owned()),
        };
        let mut toy = Toy::new(number()?);
        toy.ballast = number()? as usize;
        toy.key = blobs.values().next().ok_or("no key")?.clone();
        Ok(toy)
    }

    /// A name belongs to one content only.
    fn blob_name(&self) -> String {
        let digest = Sha256::digest(&self.key);
        digest.iter().map(|byte| format!("{byte:02x}")).collect()
    }

    pub(crate) fn essence_of(&self, number: u64) -> Vec<u8> {
        let mut hash = Sha256::new();
        hash.update(&self.key);
        hash.update(payload(number));
        let mut result = hash.finalize().to_vec();
        result.extend(ballast(number, self.ballast));
        result
    }
}

/// What a piece carries.
pub(crate) fn payload(number: u64) -> Vec<u8> {
    format!("piece {number}").into_bytes()
}

/// Bytes that cannot be compressed much.
fn ballast(number: u64, count: usize) -> impl Iterator<Item = u8> {
    let mut state = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    (0..count).map(move |_| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state as u8
    })
}

/// A result without its time.
pub(crate) fn essence(result: &[u8]) -> Vec<u8> {
    result[..result.len().saturating_sub(8)].to_vec()
}

impl Job for Toy {
    fn piece_name(&self) -> &'static str {
        "number"
    }

    fn stack_bytes(&self) -> usize {
        256 << 10
    }

    fn worker(&self, _: usize) -> Box<dyn Worker + '_> {
        Box::new(Hasher(self))
    }

    fn portable(&self) -> Option<&dyn Portable> {
        Some(self)
    }
}

struct Hasher<'a>(&'a Toy);

impl Worker for Hasher<'_> {
    fn work(&mut self, piece: &Piece, halt: &StopSignal) -> Outcome {
        let toy = self.0;
        toy.begun.lock().expect("no panic").push(piece.number);
        let end = Instant::now() + toy.time;
        while Instant::now() < end {
            if halt.is_stopped() {
                return Outcome::GivenUp;
            }
            std::thread::sleep(Duration::from_millis(1).min(toy.time));
        }
        if (toy.fail)(piece.number) {
            return Outcome::Failed(b"it does not want to".to_vec());
        }
        assert_eq!(piece.payload, payload(piece.number));
        let mut result = toy.essence_of(piece.number);
        if (toy.lie)(piece.number) {
            result[3] ^= 1;
        }
        let time = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        let nanoseconds = time.expect("after 1970").as_nanos() as u64;
        result.extend(nanoseconds.to_le_bytes());
        Outcome::Done(result)
    }
}

impl Portable for Toy {
    fn description(&self) -> Result<Description, String> {
        Ok(Description {
            kind: KIND.name,
            settings: format!("{} {}", self.time.as_millis(), self.ballast),
            blobs: vec![self.blob_name()],
            repeatable: match self.is_timed {
                true => Repeatable::Nowhere,
                false => Repeatable::Everywhere,
            },
            is_timed: self.is_timed,
        })
    }

    fn blob(&self, name: &str) -> Result<Vec<u8>, String> {
        match name == self.blob_name() {
            true => Ok(self.key.clone()),
            false => Err(format!("no blob {name}")),
        }
    }

    /// All that can be seen without the key is the length.
    fn check(&self, _: &Piece, result: &[u8], _: Care) -> Result<(), String> {
        match result.len() == HASH + self.ballast + 8 {
            true => Ok(()),
            false => Err(format!("it has {} bytes", result.len())),
        }
    }

    fn essence(&self, result: &[u8]) -> Vec<u8> {
        essence(result)
    }
}
