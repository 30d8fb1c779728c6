//! Shuffles more games than fit in memory.
//!
//! Every game is put into a random one of several buckets, each of which fits in
//! memory; then each bucket is shuffled. All orders are equally likely.

use std::{
    fs::File,
    io::{self, BufReader, BufWriter, Read, Seek, Write},
    path::Path,
};

use crate::random::{self, Generator};

/// Shuffles games. Each is given as the bytes of its chains.
///
/// The order depends on the seed, the number of buckets and the order in which
/// games are added, nothing else.
#[derive(Debug)]
pub struct Shuffler {
    generator: Generator,
    seed: u64,
    buckets: Vec<BufWriter<File>>,
}

impl Shuffler {
    /// A shuffler for about `bytes` bytes of games that needs about `memory` bytes of
    /// memory. Buckets are unnamed files in this folder.
    pub fn new(folder: &Path, seed: u64, bytes: u64, memory: u64) -> io::Result<Self> {
        // Some systems do not allow more open files.
        let buckets = bytes.div_ceil(memory.max(1)).clamp(1, 512);
        let buckets = (0..buckets)
            .map(|_| tempfile::tempfile_in(folder).map(BufWriter::new))
            .collect::<io::Result<_>>()?;
        Ok(Self {
            generator: random::generator(seed, 0),
            seed,
            buckets,
        })
    }

    /// Adds a game.
    pub fn add(&mut self, game: &[u8]) -> io::Result<()> {
        let chosen = random::below(&mut self.generator, self.buckets.len() as u64);
        let bucket = &mut self.buckets[chosen as usize];
        let length = u32::try_from(game.len()).map_err(io::Error::other)?;
        bucket.write_all(&length.to_le_bytes())?;
        bucket.write_all(game)
    }

    /// Passes all games on in their new order.
    pub fn finish<E: From<io::Error>>(
        self,
        mut give: impl FnMut(&[u8]) -> Result<(), E>,
    ) -> Result<(), E> {
        for (number, bucket) in (1..).zip(self.buckets) {
            let mut file = bucket
                .into_inner()
                .map_err(io::IntoInnerError::into_error)?;
            file.rewind()?;
            let mut games = read_games(file)?;
            random::shuffle_with(&mut games, &mut random::generator(self.seed, number));
            games.iter().try_for_each(|game| give(game))?;
        }
        Ok(())
    }
}

fn read_games(file: File) -> io::Result<Vec<Box<[u8]>>> {
    let mut left = file.metadata()?.len();
    let mut reader = BufReader::new(file);
    let mut games = Vec::new();
    while left > 0 {
        let mut length = [0; 4];
        reader.read_exact(&mut length)?;
        let mut game = vec![0; u32::from_le_bytes(length) as usize];
        reader.read_exact(&mut game)?;
        left -= 4 + game.len() as u64;
        games.push(game.into_boxed_slice());
    }
    Ok(games)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shuffled(count: u32, seed: u64, memory: u64) -> Vec<u32> {
        let folder = tempfile::tempdir().expect("a folder for the test");
        let bytes = u64::from(count) * 4;
        let mut shuffler = Shuffler::new(folder.path(), seed, bytes, memory).expect("a folder");
        for number in 0..count {
            shuffler.add(&number.to_le_bytes()).expect("written");
        }
        let mut order = Vec::new();
        let outcome = shuffler.finish(|game| -> io::Result<()> {
            order.push(u32::from_le_bytes(game.try_into().expect("four bytes")));
            Ok(())
        });
        outcome.expect("read");
        order
    }

    #[test]
    fn every_game_is_there_once() {
        for memory in [1, 100, 1 << 20] {
            let order = shuffled(500, 3, memory);
            assert_eq!(order, shuffled(500, 3, memory));
            assert_ne!(order, shuffled(500, 4, memory));
            let mut sorted = order.clone();
            sorted.sort_unstable();
            assert!(sorted.into_iter().eq(0..500));
        }
    }

    #[test]
    fn every_place_is_equally_likely() {
        // The place of the first game, with three buckets: the count of each of ten
        // places is within four standard deviations of 100.
        let mut places = [0_u32; 10];
        for seed in 0..1000 {
            let order = shuffled(10, seed, 16);
            let place = order.iter().position(|&game| game == 0).expect("there");
            places[place] += 1;
        }
        assert!(
            places.iter().all(|count| count.abs_diff(100) < 38),
            "{places:?}"
        );
    }
}
