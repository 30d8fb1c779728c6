//! Messages of protobuf, written.

/// A message that is being put together, field by field.
#[derive(Clone, Default, Debug)]
pub(crate) struct Message(Vec<u8>);

impl Message {
    /// What was put together.
    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.0
    }

    fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }

    /// A whole number.
    pub(crate) fn number(mut self, field: u64, value: u64) -> Message {
        self.varint(field << 3);
        self.varint(value);
        self
    }

    /// A number of 32 bits.
    #[cfg(test)]
    pub(crate) fn fixed(mut self, field: u64, value: u32) -> Message {
        self.varint(field << 3 | 5);
        self.0.extend(value.to_le_bytes());
        self
    }

    /// Bytes or a text.
    pub(crate) fn bytes(mut self, field: u64, bytes: &[u8]) -> Message {
        self.varint(field << 3 | 2);
        self.varint(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
        self
    }

    /// A text.
    pub(crate) fn text(self, field: u64, text: &str) -> Message {
        self.bytes(field, text.as_bytes())
    }

    /// A message within this one.
    pub(crate) fn message(self, field: u64, message: &Message) -> Message {
        self.bytes(field, &message.0)
    }
}
