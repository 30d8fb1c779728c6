//! Messages as bytes: a header of JSON and any number of binary parts, compressed.
//!
//! Whatever comes from another machine may be garbage or a trap: no length in it is
//! believed before it is checked, and no more than a fixed amount is unpacked.

use serde::Serialize;
use serde::de::DeserializeOwned;
use std::io::Read;

/// No message is larger when unpacked.
pub(crate) const MOST_BYTES: usize = 1 << 26;

/// Results are many and similar: even the quickest level halves them.
const LEVEL: i32 = 1;

/// A header and parts as one message.
pub(crate) fn encode<'a>(
    header: &impl Serialize,
    parts: impl Iterator<Item = &'a [u8]> + Clone,
) -> Vec<u8> {
    // Headers are plain structs of numbers and texts, which can always be written.
    let header = serde_json::to_vec(header).unwrap_or_default();
    let mut plain = Vec::new();
    plain.extend_from_slice(&(header.len() as u32).to_le_bytes());
    plain.extend_from_slice(&header);
    plain.extend_from_slice(&(parts.clone().count() as u32).to_le_bytes());
    for part in parts.clone() {
        plain.extend_from_slice(&(part.len() as u32).to_le_bytes());
    }
    for part in parts {
        plain.extend_from_slice(part);
    }
    // Compressing into memory cannot fail.
    zstd::bulk::compress(&plain, LEVEL).unwrap_or_default()
}

/// The header and the parts of a message; in words what is wrong with it.
pub(crate) fn decode<H: DeserializeOwned>(message: &[u8]) -> Result<(H, Vec<Vec<u8>>), String> {
    let mut plain = Vec::new();
    let decoder = zstd::Decoder::new(message).map_err(|error| error.to_string())?;
    decoder
        .take(MOST_BYTES as u64 + 1)
        .read_to_end(&mut plain)
        .map_err(|error| format!("it cannot be decompressed: {error}"))?;
    if plain.len() > MOST_BYTES {
        return Err(format!("it has more than {MOST_BYTES} bytes"));
    }
    let mut rest = plain.as_slice();
    let length = number(&mut rest)?;
    let header = serde_json::from_slice(take(&mut rest, length)?)
        .map_err(|error| format!("its header: {error}"))?;
    let count = number(&mut rest)?;
    // Each part has a length, which takes four bytes itself.
    if count > rest.len() / 4 {
        return Err("it is too short for its parts".to_owned());
    }
    let lengths = (0..count).map(|_| number(&mut rest));
    let lengths: Vec<usize> = lengths.collect::<Result<_, _>>()?;
    let parts = lengths
        .into_iter()
        .map(|length| take(&mut rest, length).map(<[u8]>::to_vec))
        .collect::<Result<_, _>>()?;
    match rest.is_empty() {
        true => Ok((header, parts)),
        false => Err("it has extra bytes after its parts".to_owned()),
    }
}

fn number(rest: &mut &[u8]) -> Result<usize, String> {
    let bytes = take(rest, 4)?;
    let bytes = bytes.try_into().unwrap_or_default();
    Ok(u32::from_le_bytes(bytes) as usize)
}

fn take<'a>(rest: &mut &'a [u8], length: usize) -> Result<&'a [u8], String> {
    let (taken, left) = rest
        .split_at_checked(length)
        .ok_or("it is too short for its parts")?;
    *rest = left;
    Ok(taken)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sealed(plain: &[u8]) -> Vec<u8> {
        zstd::bulk::compress(plain, LEVEL).expect("compressed")
    }

    #[test]
    fn messages_survive() {
        for parts in [&[][..], &[&b""[..]], &[b"abc", b"", b"\0\xff"]] {
            let bytes = encode(&("name", 7), parts.iter().copied());
            let (header, read): ((String, u32), _) = decode(&bytes).expect("a message");
            assert_eq!(header, ("name".to_owned(), 7));
            assert_eq!(read, parts);
        }
    }

    #[test]
    fn garbage_is_refused() {
        let whole = encode(&7, [&b"abc"[..], b"defg"].into_iter());
        let plain = zstd::bulk::decompress(&whole, 1000).expect("plain");
        for end in 0..plain.len() {
            assert!(decode::<u32>(&sealed(&plain[..end])).is_err(), "{end}");
        }
        assert!(decode::<u32>(&sealed(&[&plain[..], b"x"].concat())).is_err());
        assert!(decode::<String>(&whole).is_err());
        for garbage in [&b""[..], b"garbage", &whole[..whole.len() - 1]] {
            assert!(decode::<u32>(garbage).is_err());
        }
        // A count of parts that would take all memory.
        let huge = [&1_u32.to_le_bytes()[..], b"7", &u32::MAX.to_le_bytes()].concat();
        assert!(decode::<u32>(&sealed(&huge)).is_err());
    }

    #[test]
    fn a_bomb_is_not_unpacked() {
        let bomb = sealed(&vec![0; MOST_BYTES + 1]);
        assert!(bomb.len() < 1 << 16);
        let problem = decode::<u32>(&bomb).expect_err("too large");
        assert!(problem.contains("more than"), "{problem}");
    }
}
