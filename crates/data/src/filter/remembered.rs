//! Remembers which positions there were, in bounded memory.

/// How much is remembered by default: four million positions.
pub const REMEMBERED_MEBIBYTES: u32 = 32;

/// A table of positions that were met.
///
/// Each position has one place, given by its key. A new position takes the place
/// of the one that was there, which is thereby forgotten. So no position is ever
/// taken for one that was not there, but for keys of 64 bits that are the same
/// by chance; and a position is always known again if no other took its place
/// since. If there are many more positions than places, many are forgotten.
#[derive(Clone, Debug)]
pub struct Remembered {
    keys: Vec<u64>,
    mask: u64,
}

impl Remembered {
    /// A table of so many mebibytes, or less, to be a power of two.
    pub fn new(mebibytes: u32) -> Self {
        let places = u64::from(mebibytes.max(1)) << 17;
        let places = 1 << places.ilog2();
        Self {
            keys: vec![0; places as usize],
            mask: places - 1,
        }
    }

    /// Whether the position was met before; from now on it was.
    #[inline]
    pub fn meets_again(&mut self, key: u64) -> bool {
        // An empty place looks like the key 0.
        let key = key.max(1);
        let place = &mut self.keys[(key & self.mask) as usize];
        std::mem::replace(place, key) == key
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        self.keys.fill(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_met_is_known_until_its_place_is_taken() {
        let mut remembered = Remembered::new(1);
        let places = 1 << 17;
        assert!(!remembered.meets_again(7));
        assert!(remembered.meets_again(7));
        assert!(!remembered.meets_again(0));
        assert!(remembered.meets_again(0));
        assert!(!remembered.meets_again(7 + places));
        assert!(!remembered.meets_again(7));
        remembered.clear();
        assert!(!remembered.meets_again(7));
    }
}
