//! NumPy arrays in the format `.npy`, as far as the published shards use it.

/// The numbers of an array.
#[derive(Clone, PartialEq, Debug)]
pub(super) enum Numbers {
    Bytes(Vec<u8>),
    Floats(Vec<f32>),
}

/// An array with its shape.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Array {
    pub(super) lengths: Vec<usize>,
    pub(super) numbers: Numbers,
}

const MAGIC: &[u8] = b"\x93NUMPY";

impl Array {
    /// The values as floats.
    pub(super) fn floats(self) -> Vec<f32> {
        match self.numbers {
            Numbers::Bytes(bytes) => bytes.into_iter().map(f32::from).collect(),
            Numbers::Floats(floats) => floats,
        }
    }

    /// The bytes of a file.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let kind = match self.numbers {
            Numbers::Bytes(_) => "|u1",
            Numbers::Floats(_) => "<f4",
        };
        let lengths: String = self.lengths.iter().map(|it| format!("{it}, ")).collect();
        let mut header =
            format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': ({lengths}), }}");
        // With ten bytes before the header and a newline after it, the numbers begin at a
        // multiple of 64.
        let length = (header.len() + 11).next_multiple_of(64) - 10;
        header.push_str(&" ".repeat(length - 1 - header.len()));
        header.push('\n');
        let mut bytes = MAGIC.to_vec();
        bytes.extend([1, 0]);
        bytes.extend((header.len() as u16).to_le_bytes());
        bytes.extend(header.as_bytes());
        match &self.numbers {
            Numbers::Bytes(numbers) => bytes.extend(numbers),
            Numbers::Floats(numbers) => {
                bytes.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
            }
        }
        bytes
    }

    /// Reads the bytes of a file.
    ///
    /// # Errors
    /// What is wrong, in words.
    pub(super) fn read(bytes: &[u8]) -> Result<Array, String> {
        let rest = bytes.strip_prefix(MAGIC).ok_or("it is not a .npy array")?;
        let short = "the header is truncated";
        let (version, rest) = rest.split_first_chunk::<2>().ok_or(short)?;
        let (length, rest) = match version[0] {
            1 => {
                let (length, rest) = rest.split_first_chunk::<2>().ok_or(short)?;
                (usize::from(u16::from_le_bytes(*length)), rest)
            }
            _ => {
                let (length, rest) = rest.split_first_chunk::<4>().ok_or(short)?;
                (u32::from_le_bytes(*length) as usize, rest)
            }
        };
        let (header, numbers) = rest.split_at_checked(length).ok_or(short)?;
        let header = std::str::from_utf8(header).map_err(|_| "its header is not text")?;
        let lengths = lengths_of(header)?;
        if value_of(header, "fortran_order")?.starts_with("True") {
            return Err("its order is column-major (fortran_order); save it in C order".to_owned());
        }
        let count = lengths
            .iter()
            .try_fold(1_usize, |product, &length| product.checked_mul(length))
            .ok_or("it is too large")?;
        let kind = value_of(header, "descr")?;
        let (kind, size) = match kind.get(1..4) {
            Some("|u1" | "|b1") => ("u1", 1),
            Some("<f4") => ("f4", 4),
            Some("<f8") => ("f8", 8),
            _ => return Err("its dtype is not u1, f4 or f8".to_owned()),
        };
        if Some(numbers.len()) != count.checked_mul(size) {
            return Err(format!(
                "it has {} bytes of data, but its shape needs {count} times {size}",
                numbers.len()
            ));
        }
        let numbers = match kind {
            "u1" => Numbers::Bytes(numbers.to_vec()),
            "f4" => Numbers::Floats(floats(numbers)),
            _ => Numbers::Floats(doubles(numbers)),
        };
        Ok(Array { lengths, numbers })
    }
}

fn floats(bytes: &[u8]) -> Vec<f32> {
    let (numbers, _) = bytes.as_chunks::<4>();
    numbers.iter().map(|&it| f32::from_le_bytes(it)).collect()
}

fn doubles(bytes: &[u8]) -> Vec<f32> {
    let (numbers, _) = bytes.as_chunks::<8>();
    numbers
        .iter()
        .map(|&it| f64::from_le_bytes(it) as f32)
        .collect()
}

/// The text after a key of the header.
fn value_of<'a>(header: &'a str, key: &str) -> Result<&'a str, String> {
    let (_, rest) = header
        .split_once(&format!("'{key}':"))
        .ok_or_else(|| format!("its header lacks {key}"))?;
    Ok(rest.trim_start())
}

fn lengths_of(header: &str) -> Result<Vec<usize>, String> {
    let wrong = || "its header has no shape".to_owned();
    let value = value_of(header, "shape")?;
    let (list, _) = value
        .strip_prefix('(')
        .and_then(|it| it.split_once(')'))
        .ok_or_else(wrong)?;
    let parts = list
        .split(',')
        .map(str::trim)
        .filter(|part| !part.is_empty());
    parts
        .map(|part| part.parse().map_err(|_| wrong()))
        .collect()
}
