//! Reads the fields of protobuf messages, as far as lc0's nets need them.

use super::error::Lc0Error;

/// The value of a field.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Value<'a> {
    Number(u64),
    Bytes(&'a [u8]),
}

/// Iterates over the fields of a message with their numbers.
pub(super) struct Fields<'a>(pub(super) &'a [u8]);

impl<'a> Fields<'a> {
    /// All fields with this number that contain bytes.
    pub(super) fn all(message: &'a [u8], number: u64) -> Result<Vec<&'a [u8]>, Lc0Error> {
        let mut found = Vec::new();
        for field in Fields(message) {
            if let (at, Value::Bytes(bytes)) = field?
                && at == number
            {
                found.push(bytes);
            }
        }
        Ok(found)
    }

    /// The last field with this number that contains bytes.
    pub(super) fn bytes(message: &'a [u8], number: u64) -> Result<Option<&'a [u8]>, Lc0Error> {
        Ok(Fields::all(message, number)?.pop())
    }

    /// The last field with this number that contains a number.
    pub(super) fn number(message: &'a [u8], number: u64) -> Result<Option<u64>, Lc0Error> {
        let mut found = None;
        for field in Fields(message) {
            if let (at, Value::Number(value)) = field?
                && at == number
            {
                found = Some(value);
            }
        }
        Ok(found)
    }

    fn take(&mut self, count: usize) -> Result<&'a [u8], Lc0Error> {
        let (taken, rest) = self
            .0
            .split_at_checked(count)
            .ok_or(Lc0Error::Damaged("a field exceeds the end of the data"))?;
        self.0 = rest;
        Ok(taken)
    }

    fn varint(&mut self) -> Result<u64, Lc0Error> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.take(1)?[0];
            value |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err(Lc0Error::Damaged("a number has too many bytes"))
    }

    fn field(&mut self) -> Result<(u64, Value<'a>), Lc0Error> {
        let key = self.varint()?;
        let value = match key & 7 {
            0 => Value::Number(self.varint()?),
            1 => Value::Number(little_endian(self.take(8)?)),
            2 => {
                let length = usize::try_from(self.varint()?)
                    .map_err(|_| Lc0Error::Damaged("a field exceeds the end of the data"))?;
                Value::Bytes(self.take(length)?)
            }
            5 => Value::Number(little_endian(self.take(4)?)),
            _ => return Err(Lc0Error::Damaged("a field is of an unknown kind")),
        };
        Ok((key >> 3, value))
    }
}

fn little_endian(bytes: &[u8]) -> u64 {
    let shifted = |sum, &byte: &u8| sum << 8 | u64::from(byte);
    bytes.iter().rev().fold(0, shifted)
}

impl<'a> Iterator for Fields<'a> {
    type Item = Result<(u64, Value<'a>), Lc0Error>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.0.is_empty() {
            return None;
        }
        let field = self.field();
        if field.is_err() {
            self.0 = &[];
        }
        Some(field)
    }
}
