//! Writes protobuf messages.

/// A message that is built field by field.
#[derive(Clone, Default, Debug)]
pub(crate) struct Message(Vec<u8>);

impl Message {
    /// The encoded message.
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

    /// Adds an integer.
    pub(crate) fn number(mut self, field: u64, value: u64) -> Message {
        self.varint(field << 3);
        self.varint(value);
        self
    }

    /// Adds a number of 32 bits.
    #[cfg(test)]
    pub(crate) fn fixed(mut self, field: u64, value: u32) -> Message {
        self.varint(field << 3 | 5);
        self.0.extend(value.to_le_bytes());
        self
    }

    /// Adds bytes or a text.
    pub(crate) fn bytes(mut self, field: u64, bytes: &[u8]) -> Message {
        self.varint(field << 3 | 2);
        self.varint(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
        self
    }

    /// Adds a text.
    pub(crate) fn text(self, field: u64, text: &str) -> Message {
        self.bytes(field, text.as_bytes())
    }

    /// Adds a nested message.
    pub(crate) fn message(self, field: u64, message: &Message) -> Message {
        self.bytes(field, &message.0)
    }
}
