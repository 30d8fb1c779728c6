//! Signed LEB128, the compression of nets since Stockfish 16: seven bits per byte,
//! the lowest first, sign-extended from the last byte.

/// Why a number cannot be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Problem {
    /// The bytes end within the number.
    Ends,
    /// It does not fit the type.
    TooLarge,
}

/// Appends a number.
pub(super) fn write(mut value: i32, bytes: &mut Vec<u8>) {
    loop {
        let group = value as u8 & 0x7F;
        value >>= 7;
        if value == 0 && group & 0x40 == 0 || value == -1 && group & 0x40 != 0 {
            bytes.push(group);
            return;
        }
        bytes.push(group | 0x80);
    }
}

/// Reads a number of at most `bits` bits, up to 32, and moves `offset` behind it.
#[inline]
pub(super) fn read(bytes: &[u8], offset: &mut usize, bits: u32) -> Result<i32, Problem> {
    let mut value = 0i64;
    let mut shift = 0;
    loop {
        let &byte = bytes.get(*offset).ok_or(Problem::Ends)?;
        *offset += 1;
        value |= i64::from(byte & 0x7F) << shift;
        shift += 7;
        if byte & 0x80 == 0 {
            // Sign-extend from the last group.
            let value = value << (64 - shift) >> (64 - shift);
            let bound = 1i64 << (bits - 1);
            return if (-bound..bound).contains(&value) {
                Ok(value as i32)
            } else {
                Err(Problem::TooLarge)
            };
        }
        if shift > 28 {
            return Err(Problem::TooLarge);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(value: i32) -> Vec<u8> {
        let mut bytes = Vec::new();
        write(value, &mut bytes);
        bytes
    }

    #[test]
    fn known_numbers_have_known_bytes() {
        for (value, bytes) in [
            (0, &[0x00][..]),
            (-1, &[0x7F]),
            (63, &[0x3F]),
            (64, &[0xC0, 0x00]),
            (-64, &[0x40]),
            (-65, &[0xBF, 0x7F]),
            (-123_456, &[0xC0, 0xBB, 0x78]),
            (i32::MIN, &[0x80, 0x80, 0x80, 0x80, 0x78]),
            (i32::MAX, &[0xFF, 0xFF, 0xFF, 0xFF, 0x07]),
        ] {
            assert_eq!(written(value), bytes, "{value}");
        }
    }

    #[test]
    fn every_16_bit_number_reads_back() {
        for value in i16::MIN..=i16::MAX {
            let bytes = written(i32::from(value));
            let mut offset = 0;
            assert_eq!(read(&bytes, &mut offset, 16), Ok(i32::from(value)));
            assert_eq!(offset, bytes.len());
        }
    }

    #[test]
    fn what_is_no_number_of_the_type_is_refused() {
        let result = |bytes: &[u8], bits| read(bytes, &mut 0, bits);
        assert_eq!(result(&[], 16), Err(Problem::Ends));
        assert_eq!(result(&[0x80], 16), Err(Problem::Ends));
        assert_eq!(result(&written(32_768), 16), Err(Problem::TooLarge));
        assert_eq!(result(&written(-32_769), 16), Err(Problem::TooLarge));
        assert_eq!(result(&written(-32_768), 16), Ok(-32_768));
        assert_eq!(result(&[0x80; 6], 32), Err(Problem::TooLarge));
        assert_eq!(
            result(&[0xFF, 0xFF, 0xFF, 0xFF, 0x0F], 32),
            Err(Problem::TooLarge)
        );
        assert_eq!(result(&written(i32::MIN), 32), Ok(i32::MIN));
    }
}
