//! Zip archives, as far as NumPy's `.npz` files need them: written without
//! compression, read with or without.

use flate2::Crc;
use flate2::read::DeflateDecoder;
use std::io::Read;

const LOCAL: u32 = 0x0403_4b50;
const CENTRAL: u32 = 0x0201_4b50;
const END: u32 = 0x0605_4b50;
/// How many bytes these headers have without names.
const LOCAL_SIZE: usize = 30;
const CENTRAL_SIZE: usize = 46;
const END_SIZE: usize = 22;
/// The longest comment that may follow the end record.
const LONGEST_COMMENT: usize = 65_535;
/// The most bytes of an unpacked array.
const MOST_BYTES: u64 = 1 << 32;
/// The first of January 1980, the earliest date of the format; fixed, so that the same contents
/// give the same bytes.
const DATE: u16 = 1 << 5 | 1;

/// An archive of files, stored uncompressed.
///
/// # Errors
/// If it is too large for the format without extensions.
pub(super) fn write(files: &[(&str, Vec<u8>)]) -> Result<Vec<u8>, String> {
    let mut archive = Vec::new();
    let mut list = Vec::new();
    for (name, bytes) in files {
        let offset = archive.len();
        if u32::try_from(offset + bytes.len() + LONGEST_COMMENT).is_err() {
            return Err("it would have more than 4 GB: write fewer positions per file".to_owned());
        }
        let mut crc = Crc::new();
        crc.update(bytes);
        let mut common = Vec::new();
        for word in [20, 0, 0, 0, DATE] {
            common.extend(u16::to_le_bytes(word));
        }
        common.extend(crc.sum().to_le_bytes());
        common.extend((bytes.len() as u32).to_le_bytes());
        common.extend((bytes.len() as u32).to_le_bytes());
        common.extend((name.len() as u16).to_le_bytes());
        common.extend([0, 0]);
        archive.extend(LOCAL.to_le_bytes());
        archive.extend(&common);
        archive.extend(name.as_bytes());
        archive.extend(bytes);
        list.extend(CENTRAL.to_le_bytes());
        list.extend([20, 0]);
        list.extend(&common);
        list.extend([0; 10]);
        list.extend((offset as u32).to_le_bytes());
        list.extend(name.as_bytes());
    }
    let offset = archive.len() as u32;
    archive.extend(&list);
    archive.extend(END.to_le_bytes());
    archive.extend([0; 4]);
    for _ in 0..2 {
        archive.extend((files.len() as u16).to_le_bytes());
    }
    archive.extend((list.len() as u32).to_le_bytes());
    archive.extend(offset.to_le_bytes());
    archive.extend([0; 2]);
    Ok(archive)
}

/// The files of an archive, with their names.
///
/// # Errors
/// What is wrong, in words.
pub(super) fn read(archive: &[u8]) -> Result<Vec<(String, Vec<u8>)>, String> {
    let furthest = archive.len().saturating_sub(END_SIZE + LONGEST_COMMENT);
    let end = (furthest..=archive.len().saturating_sub(END_SIZE))
        .rev()
        .find(|&at| word(archive, at) == Some(END))
        .ok_or("it is not a zip archive, or is truncated")?;
    let damaged = || "its list of files is damaged".to_owned();
    let count = short(archive, end + 10).ok_or_else(damaged)?;
    let mut at = word(archive, end + 16).ok_or_else(damaged)? as usize;
    let mut files = Vec::new();
    for _ in 0..count {
        if word(archive, at) != Some(CENTRAL) {
            return Err(damaged());
        }
        let entry = &archive[at..];
        let [name, extra, comment] = [28, 30, 32].map(|at| short(entry, at).map(usize::from));
        let (name_length, extra, comment) = (
            name.ok_or_else(damaged)?,
            extra.ok_or_else(damaged)?,
            comment.ok_or_else(damaged)?,
        );
        let name = entry
            .get(CENTRAL_SIZE..CENTRAL_SIZE + name_length)
            .ok_or_else(damaged)?;
        let name = String::from_utf8_lossy(name).into_owned();
        let bytes = unpack(archive, entry).map_err(|problem| {
            let name: String = name.escape_debug().take(40).collect();
            format!("{name}: {problem}")
        })?;
        files.push((name, bytes));
        at += CENTRAL_SIZE + name_length + extra + comment;
    }
    Ok(files)
}

/// The contents of the file that an entry of the central directory describes.
fn unpack(archive: &[u8], entry: &[u8]) -> Result<Vec<u8>, &'static str> {
    let damaged = "its entry is damaged";
    let number = |at: usize| word(entry, at).map(|it| it as usize).ok_or(damaged);
    let (method, sum) = (short(entry, 10).ok_or(damaged)?, word(entry, 16));
    let (packed, size, offset) = (number(20)?, number(24)?, number(42)?);
    let local = archive.get(offset..).ok_or(damaged)?;
    if word(local, 0) != Some(LOCAL) {
        return Err(damaged);
    }
    let lengths = [26, 28].map(|at| short(local, at).map(usize::from));
    let start = LOCAL_SIZE + lengths[0].ok_or(damaged)? + lengths[1].ok_or(damaged)?;
    let stored = local.get(start..start + packed).ok_or("it is truncated")?;
    let bytes = match method {
        0 => stored.to_vec(),
        8 => {
            let mut bytes = Vec::new();
            let most = (size as u64).min(MOST_BYTES);
            let unpacked = DeflateDecoder::new(stored)
                .take(most + 1)
                .read_to_end(&mut bytes);
            unpacked.map_err(|_| "its compressed data are damaged")?;
            bytes
        }
        _ => return Err("it has an unknown compression method"),
    };
    let mut crc = Crc::new();
    crc.update(&bytes);
    match bytes.len() == size && Some(crc.sum()) == sum {
        true => Ok(bytes),
        false => Err("its checksum is wrong"),
    }
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    let word = bytes.get(at..)?.first_chunk::<4>()?;
    Some(u32::from_le_bytes(*word))
}

fn short(bytes: &[u8], at: usize) -> Option<u16> {
    let short = bytes.get(at..)?.first_chunk::<2>()?;
    Some(u16::from_le_bytes(*short))
}
