//! TensorBoard event files: values over the steps of a training.
//!
//! A file is a sequence of records: a length, its checksum, an event, its checksum. An event is a
//! protocol buffer with a time, a step and named values. Only what scalars need is implemented
//! here. It must not know what is trained.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

/// The first event of a file contains this format version.
const VERSION: &str = "brain.Event:2";
/// Added to checksums, so that the checksum of data that contains checksums remains useful.
const MASK: u32 = 0xa282_ead8;

/// A file that is extended during a training.
#[derive(Debug)]
pub struct EventFile {
    file: BufWriter<File>,
}

impl EventFile {
    /// Creates a new file in a folder, which is created if necessary. Files of earlier sessions
    /// remain: TensorBoard shows them as one.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn create(folder: &Path) -> io::Result<EventFile> {
        std::fs::create_dir_all(folder)?;
        let now = wall_time();
        let process = std::process::id();
        let name = format!("events.out.tfevents.{:010}.tabia.{process}", now as u64);
        let mut events = EventFile {
            file: BufWriter::new(File::create(folder.join(name))?),
        };
        let mut event = Message::default();
        event.double(1, now);
        event.bytes(3, VERSION.as_bytes());
        events.record(&event.0)?;
        Ok(events)
    }

    /// Adds named values measured after a step. Values that are not finite are skipped.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn add(&mut self, step: u64, numbers: &[(&str, f64)]) -> io::Result<()> {
        let mut summary = Message::default();
        for (name, number) in numbers.iter().filter(|(_, number)| number.is_finite()) {
            let mut value = Message::default();
            value.bytes(1, name.as_bytes());
            value.float(2, *number as f32);
            summary.bytes(1, &value.0);
        }
        let mut event = Message::default();
        event.double(1, wall_time());
        event.number(2, step);
        event.bytes(5, &summary.0);
        self.record(&event.0)
    }

    /// Writes all buffered events, so that a viewer sees them.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }

    fn record(&mut self, event: &[u8]) -> io::Result<()> {
        let length = (event.len() as u64).to_le_bytes();
        self.file.write_all(&length)?;
        self.file.write_all(&masked(&length).to_le_bytes())?;
        self.file.write_all(event)?;
        self.file.write_all(&masked(event).to_le_bytes())
    }
}

/// Seconds since 1970.
fn wall_time() -> f64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0.0, |time| time.as_secs_f64())
}

/// A protocol buffer message.
#[derive(Default)]
struct Message(Vec<u8>);

impl Message {
    fn variable(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.0.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.0.push(number as u8);
    }

    fn key(&mut self, field: u64, kind: u64) {
        self.variable(field << 3 | kind);
    }

    fn number(&mut self, field: u64, number: u64) {
        self.key(field, 0);
        self.variable(number);
    }

    fn double(&mut self, field: u64, number: f64) {
        self.key(field, 1);
        self.0.extend_from_slice(&number.to_le_bytes());
    }

    fn bytes(&mut self, field: u64, bytes: &[u8]) {
        self.key(field, 2);
        self.variable(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
    }

    fn float(&mut self, field: u64, number: f32) {
        self.key(field, 5);
        self.0.extend_from_slice(&number.to_le_bytes());
    }
}

fn masked(bytes: &[u8]) -> u32 {
    crc32c(bytes).rotate_right(15).wrapping_add(MASK)
}

/// The CRC-32C (Castagnoli) checksum, computed bit by bit: there are only some hundred bytes per
/// step.
fn crc32c(bytes: &[u8]) -> u32 {
    const POLYNOMIAL: u32 = 0x82f6_3b78;
    let mut rest = !0;
    for &byte in bytes {
        rest ^= u32::from(byte);
        for _ in 0..8 {
            let is_odd = rest & 1 == 1;
            rest >>= 1;
            if is_odd {
                rest ^= POLYNOMIAL;
            }
        }
    }
    !rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksums_are_those_of_the_standard() {
        // The test vectors of RFC 3720.
        assert_eq!(crc32c(b"123456789"), 0xe306_9283);
        assert_eq!(crc32c(&[0; 32]), 0x8a91_36aa);
        assert_eq!(crc32c(&[0xff; 32]), 0x62a8_ab43);
    }

    /// The events of a file, after checking their checksums.
    fn events(bytes: &[u8]) -> Vec<&[u8]> {
        let mut rest = bytes;
        let mut events = Vec::new();
        while !rest.is_empty() {
            let (head, behind) = rest.split_at(12);
            let length = u64::from_le_bytes(head[..8].try_into().expect("8 bytes")) as usize;
            assert_eq!(masked(&head[..8]).to_le_bytes(), head[8..]);
            let (event, behind) = behind.split_at(length);
            let (sum, behind) = behind.split_at(4);
            assert_eq!(masked(event).to_le_bytes(), sum);
            events.push(event);
            rest = behind;
        }
        events
    }

    #[test]
    fn a_file_has_its_version_and_its_numbers() {
        let folder = tempfile::tempdir().expect("a folder");
        let place = folder.path().join("events");
        let mut file = EventFile::create(&place).expect("a file");
        let numbers = [("loss", 0.5), ("nothing", f64::NAN), ("lr", 1.0)];
        file.add(300, &numbers).expect("room");
        file.flush().expect("room");
        let mut entries = std::fs::read_dir(&place).expect("a folder");
        let path = entries.next().expect("a file").expect("a file").path();
        let name = path.file_name().expect("a name").to_string_lossy();
        assert!(name.starts_with("events.out.tfevents."), "{name}");
        let bytes = std::fs::read(&path).expect("a file");
        let events = events(&bytes);
        assert_eq!(events.len(), 2);
        assert!(events[0].ends_with(VERSION.as_bytes()));
        // After the time: step 300, then a summary of two values.
        let mut wanted = vec![0x10, 0xac, 0x02, 0x2a, 24];
        for (name, number) in [("loss", 0.5_f32), ("lr", 1.0)] {
            wanted.extend([0x0a, name.len() as u8 + 7, 0x0a, name.len() as u8]);
            wanted.extend(name.as_bytes());
            wanted.push(0x15);
            wanted.extend(number.to_le_bytes());
        }
        wanted[4] = (wanted.len() - 5) as u8;
        assert_eq!(events[1][9..], wanted);
    }
}
