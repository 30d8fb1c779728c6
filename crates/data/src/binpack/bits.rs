//! The bit stream of a chain's moves and scores: the most significant bit of
//! each byte first.
//!
//! This module must not know chess.

/// How many bits of a number a block has; one more bit says whether another block follows.
const BLOCK: u32 = 4;
/// The most blocks of a number, enough for 16 bits.
const MOST_BLOCKS: u32 = 4;

/// Reads bits. Past the end it reads zeros, which [`BitReader::is_overrun`] reports.
#[derive(Clone, Copy, Debug)]
pub(super) struct BitReader<'a> {
    bytes: &'a [u8],
    /// The index of the next bit.
    place: usize,
}

impl<'a> BitReader<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, place: 0 }
    }

    /// Reads the next bits, at most 32, as a number.
    #[inline(always)]
    pub(super) fn read(&mut self, count: u32) -> u32 {
        let word = self.word() << (self.place & 7);
        self.place += count as usize;
        // In two shifts, because a shift by 64 bits would overflow.
        (word >> 1 >> (63 - count)) as u32
    }

    /// Eight bytes, starting with the one that has the next bit.
    #[inline(always)]
    fn word(&self) -> u64 {
        let start = self.place >> 3;
        match self.bytes.get(start..start + 8) {
            Some(&[a, b, c, d, e, f, g, h]) => u64::from_be_bytes([a, b, c, d, e, f, g, h]),
            _ => self.last_word(start),
        }
    }

    #[cold]
    fn last_word(&self, start: usize) -> u64 {
        let mut word = [0; 8];
        let rest = self.bytes.get(start..).unwrap_or_default();
        let count = rest.len().min(8);
        word[..count].copy_from_slice(&rest[..count]);
        u64::from_be_bytes(word)
    }

    /// Reads a number in blocks, the lowest bits first; `None` if it has too many blocks.
    #[inline]
    pub(super) fn read_blocks(&mut self) -> Option<u16> {
        let mut number = 0;
        for index in 0..MOST_BLOCKS {
            let block = self.read(BLOCK + 1);
            number |= (block & 0xF) << (index * BLOCK);
            if block >> BLOCK == 0 {
                return Some(number as u16);
            }
        }
        None
    }

    /// Whether more bits were read than there are.
    #[inline(always)]
    pub(super) fn is_overrun(&self) -> bool {
        self.place > self.bytes.len() * 8
    }

    /// How many bytes were read, including a last one that was read in part.
    pub(super) fn bytes_read(&self) -> usize {
        self.place.div_ceil(8)
    }
}

/// Writes bits.
#[derive(Clone, Debug, Default)]
pub(super) struct BitWriter {
    bytes: Vec<u8>,
    /// The bits that do not fill a byte yet, the last one lowest.
    waiting: u64,
    waiting_count: u32,
}

impl BitWriter {
    /// Writes the lowest bits of a number, at most 32.
    #[inline]
    pub(super) fn write(&mut self, number: u32, count: u32) {
        self.waiting = self.waiting << count | u64::from(number);
        self.waiting_count += count;
        while self.waiting_count >= 8 {
            self.waiting_count -= 8;
            self.bytes.push((self.waiting >> self.waiting_count) as u8);
        }
    }

    /// Writes a number in blocks, the lowest bits first.
    pub(super) fn write_blocks(&mut self, number: u16) {
        let mut rest = u32::from(number);
        loop {
            let block = rest & 0xF;
            rest >>= BLOCK;
            let more = u32::from(rest != 0) << BLOCK;
            self.write(more | block, BLOCK + 1);
            if rest == 0 {
                return;
            }
        }
    }

    /// Appends everything, padded to whole bytes, to `output`, and starts again.
    pub(super) fn finish_into(&mut self, output: &mut Vec<u8>) {
        if self.waiting_count > 0 {
            self.write(0, 8 - self.waiting_count);
        }
        output.append(&mut self.bytes);
        self.waiting = 0;
    }
}

/// Zigzag encoding of a signed number as an unsigned one, in the order 0, -1, 1, -2, 2.
#[inline(always)]
pub(super) const fn fold(number: i16) -> u16 {
    ((number << 1) ^ (number >> 15)) as u16
}

/// The signed number of an encoded one.
#[inline(always)]
pub(super) const fn unfold(folded: u16) -> i16 {
    ((folded >> 1) as i16) ^ -((folded & 1) as i16)
}

/// How many bits are needed to number this many things.
#[inline(always)]
pub(super) const fn width(things: u32) -> u32 {
    if things <= 1 {
        0
    } else {
        u32::BITS - (things - 1).leading_zeros()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_folded_and_unfolded() {
        for (number, folded) in [
            (0, 0),
            (-1, 1),
            (1, 2),
            (-2, 3),
            (-201, 401),
            (i16::MIN, 0xFFFF),
        ] {
            assert_eq!(fold(number), folded);
        }
        for number in i16::MIN..=i16::MAX {
            assert_eq!(unfold(fold(number)), number);
        }
    }

    #[test]
    fn widths_tell_things_apart() {
        let widths = [0, 1, 2, 3, 4, 5, 8, 9, 16, 17].map(width);
        assert_eq!(widths, [0, 0, 1, 2, 2, 3, 3, 4, 4, 5]);
    }

    #[test]
    fn what_is_written_is_read() {
        let mut writer = BitWriter::default();
        let numbers = [(5, 3), (0, 0), (1, 1), (300, 9), (0xFFFF, 16), (0, 7)];
        for _ in 0..20 {
            for (number, count) in numbers {
                writer.write(number, count);
            }
            for number in [0, 15, 16, 255, 256, 4095, 4096, u16::MAX] {
                writer.write_blocks(number);
            }
        }
        let mut bytes = Vec::new();
        writer.finish_into(&mut bytes);
        let mut reader = BitReader::new(&bytes);
        for _ in 0..20 {
            for (number, count) in numbers {
                assert_eq!(reader.read(count), number);
            }
            for number in [0, 15, 16, 255, 256, 4095, 4096, u16::MAX] {
                assert_eq!(reader.read_blocks(), Some(number));
            }
        }
        assert_eq!(reader.bytes_read(), bytes.len());
        assert!(!reader.is_overrun());
    }

    #[test]
    fn the_first_bit_is_the_highest() {
        let mut writer = BitWriter::default();
        writer.write(0b101, 3);
        writer.write_blocks(0x12);
        let mut bytes = Vec::new();
        writer.finish_into(&mut bytes);
        // 101, then 2 with more to follow, then 1.
        assert_eq!(bytes, [0b1011_0010, 0b0000_1000]);
    }

    #[test]
    fn the_end_is_noticed() {
        let mut reader = BitReader::new(&[0xFF]);
        assert_eq!(reader.read(8), 0xFF);
        assert!(!reader.is_overrun());
        assert_eq!(reader.read(3), 0);
        assert!(reader.is_overrun());
        // Five blocks, each of which announces another.
        assert_eq!(BitReader::new(&[0xFF; 8]).read_blocks(), None);
    }
}
