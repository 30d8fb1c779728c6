//! Remembers which positions have occurred, in bounded memory.

/// The default size of the table, for four million positions.
pub const REMEMBERED_MEBIBYTES: u32 = 32;

/// A hash table of positions that have occurred.
///
/// Each position has one slot, given by its key, and replaces the position that was
/// there, which is thereby forgotten. So a new position is never taken for a repeated
/// one, unless two keys of 64 bits collide; and a repeated position is recognised unless
/// another has taken its slot. With many more positions than slots, many are forgotten.
#[derive(Clone, Debug)]
pub struct Remembered {
    keys: Vec<u64>,
    mask: u64,
}

impl Remembered {
    /// A table of at most this many MiB, rounded down to a power of two.
    pub fn new(mebibytes: u32) -> Self {
        let places = u64::from(mebibytes.max(1)) << 17;
        let places = 1 << places.ilog2();
        Self {
            keys: vec![0; places as usize],
            mask: places - 1,
        }
    }

    /// Whether the position is known to have occurred before; remembers it.
    #[inline]
    pub fn meets_again(&mut self, key: u64) -> bool {
        // The key 0 stands for an empty slot.
        let key = key.max(1);
        let place = &mut self.keys[(key & self.mask) as usize];
        std::mem::replace(place, key) == key
    }

    /// Forgets all positions.
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
