//! Game files as streams of bytes: plain, gzip, zstd or xz, recognised by their first
//! bytes, not by their names; `-` is standard input.
//!
//! Apart from refusing other kinds of files, this module must not know PGN.

use std::{
    fs::File,
    io::{self, BufReader, Read},
    path::{Path, PathBuf},
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
};

use flate2::bufread::MultiGzDecoder;
use lzma_rust2::XzReader;

use super::text::BYTE_ORDER_MARK;

/// How many compressed bytes are read at once.
const READ_SIZE: usize = 1 << 16;

const GZIP_MAGIC: &[u8] = &[0x1F, 0x8B];
const ZSTD_MAGIC: &[u8] = &[0x28, 0xB5, 0x2F, 0xFD];
const XZ_MAGIC: &[u8] = &[0xFD, b'7', b'z', b'X', b'Z', 0x00];

/// The most memory that an xz file may allocate, in KiB: eight times what its strongest
/// preset needs.
const XZ_MEMORY: u32 = 1 << 19;

/// Why a game file could not be read.
#[derive(Debug, thiserror::Error)]
pub enum SourceError {
    /// The file could not be opened.
    #[error("cannot open {}: {error}", path.display())]
    Open {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        #[source]
        error: io::Error,
    },
    /// It is another kind of file.
    #[error("{} is {kind}, not a PGN file of games", path.display())]
    OtherKind {
        /// The file.
        path: PathBuf,
        /// What it is.
        kind: &'static str,
    },
    /// The file is truncated or damaged, or the rest of it could not be read.
    #[error("{} cannot be read beyond byte {offset} of its text: {error}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// How many bytes precede the error, counted after decompression.
        offset: u64,
        /// The error of the system or of the decompressor.
        #[source]
        error: io::Error,
    },
}

/// How many bytes are examined to recognise another kind of file.
const FIRST_BYTES: usize = 1 << 12;

/// What a file that begins like this is, if it is clearly not PGN.
fn other_kind(start: &[u8]) -> Option<&'static str> {
    let known: [(&[u8], &str); 6] = [
        (b"BINP", "a binpack file of training positions"),
        (b"TABIANET", "a net"),
        (b"TABIAPOL", "a policy net"),
        (b"TABIAHST", "a sequence model"),
        (b"TABIAPVS", "a policy shard"),
        (b"tabiaseq", "a sequence file"),
    ];
    let found = known.iter().find(|(magic, _)| start.starts_with(magic));
    if let Some((_, kind)) = found {
        return Some(kind);
    }
    if start.contains(&0) {
        return Some("a binary file, perhaps a Polyglot book");
    }
    let text = String::from_utf8_lossy(start);
    let lines = text.lines().map(str::trim);
    let first = lines
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
        .find_map(|line| line.split_whitespace().next())?;
    (first.matches('/').count() == 7).then_some("an EPD file of positions")
}

/// An open game file.
pub struct Source {
    path: PathBuf,
    stream: Box<dyn Read + Send>,
    offset: u64,
    meter: Meter,
}

/// Shows how many bytes of a file on disk have been read.
#[derive(Clone, Debug, Default)]
pub struct Meter(Arc<AtomicU64>);

impl Meter {
    /// The number of bytes read so far.
    pub fn bytes(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }
}

/// A stream that counts the bytes it reads in a meter.
struct Metered<R> {
    stream: R,
    meter: Meter,
}

impl<R: Read> Read for Metered<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.stream.read(buffer)?;
        self.meter.0.fetch_add(count as u64, Ordering::Relaxed);
        Ok(count)
    }
}

impl Source {
    /// Opens a file of games, or standard input if the path is `-`; a file that is clearly
    /// something else is refused. Pipes are not examined, because they may block for long.
    pub fn open_games(path: &Path) -> Result<Self, SourceError> {
        let source = Self::open(path)?;
        if !path.is_file() {
            return Ok(source);
        }
        // Damage is reported when the games are read, after those before it.
        let start = Self::open(path)?.look_ahead(FIRST_BYTES);
        match start.ok().as_deref().and_then(other_kind) {
            Some(kind) => Err(SourceError::OtherKind {
                path: source.path,
                kind,
            }),
            None => Ok(source),
        }
    }

    /// Opens a file, or standard input if the path is `-`.
    pub fn open(path: &Path) -> Result<Self, SourceError> {
        if path == Path::new("-") {
            return Self::from_reader("standard input", io::stdin());
        }
        let failed = |error| SourceError::Open {
            path: path.to_owned(),
            error,
        };
        let file = File::open(path).map_err(failed)?;
        if file.metadata().map_err(failed)?.is_dir() {
            return Err(failed(io::ErrorKind::IsADirectory.into()));
        }
        Self::from_reader(path, file)
    }

    /// Reads from any stream; the name is for errors.
    pub fn from_reader(
        name: impl Into<PathBuf>,
        reader: impl Read + Send + 'static,
    ) -> Result<Self, SourceError> {
        let path = name.into();
        let meter = Meter::default();
        let metered = Metered {
            stream: reader,
            meter: meter.clone(),
        };
        match decompressed(metered) {
            Ok(stream) => Ok(Self {
                path,
                stream,
                offset: 0,
                meter,
            }),
            Err(error) => Err(SourceError::Read {
                path,
                offset: 0,
                error,
            }),
        }
    }

    /// The file's path, or the name given to the stream.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// A meter that shows how far the file has been read.
    pub fn meter(&self) -> Meter {
        self.meter.clone()
    }

    /// Looks at up to `count` next bytes without consuming them.
    pub fn look_ahead(&mut self, count: usize) -> Result<Vec<u8>, SourceError> {
        let before = self.offset;
        let mut bytes = Vec::new();
        self.read_into(&mut bytes, count)?;
        self.offset = before;
        let rest = std::mem::replace(&mut self.stream, Box::new(io::empty()));
        self.stream = Box::new(io::Cursor::new(bytes.clone()).chain(rest));
        Ok(bytes)
    }

    /// Reads the rest of the text into memory.
    pub fn read_to_end(mut self) -> Result<Vec<u8>, SourceError> {
        let mut bytes = Vec::new();
        while self.read_into(&mut bytes, READ_SIZE)? == READ_SIZE {}
        Ok(bytes)
    }

    /// The error for one that occurred while the next bytes were read.
    pub(crate) fn failed(&self, error: io::Error) -> SourceError {
        SourceError::Read {
            path: self.path.clone(),
            offset: self.offset,
            error,
        }
    }

    /// Appends up to `count` bytes to `buffer`; fewer mean the end of the file. Before an
    /// error is returned, the bytes that could be read are appended.
    pub(crate) fn read_into(
        &mut self,
        buffer: &mut Vec<u8>,
        count: usize,
    ) -> Result<usize, SourceError> {
        let before = buffer.len();
        buffer.reserve(count);
        let outcome = self.stream.by_ref().take(count as u64).read_to_end(buffer);
        self.offset += (buffer.len() - before) as u64;
        outcome.map_err(|error| self.failed(error))
    }
}

fn decompressed(mut reader: impl Read + Send + 'static) -> io::Result<Box<dyn Read + Send>> {
    let start = first_bytes(&mut reader, XZ_MAGIC.len())?;
    let is = |magic: &[u8]| start.starts_with(magic);
    let (is_gzip, is_zstd, is_xz) = (is(GZIP_MAGIC), is(ZSTD_MAGIC), is(XZ_MAGIC));
    let whole = BufReader::with_capacity(READ_SIZE, io::Cursor::new(start).chain(reader));
    if is_gzip {
        without_byte_order_mark(MultiGzDecoder::new(whole))
    } else if is_zstd {
        without_byte_order_mark(zstd::Decoder::with_buffer(whole)?)
    } else if is_xz {
        without_byte_order_mark(XzReader::new_mem_limit(whole, true, XZ_MEMORY))
    } else {
        without_byte_order_mark(whole)
    }
}

fn without_byte_order_mark(
    mut reader: impl Read + Send + 'static,
) -> io::Result<Box<dyn Read + Send>> {
    let mut start = first_bytes(&mut reader, BYTE_ORDER_MARK.len())?;
    if start == BYTE_ORDER_MARK {
        start.clear();
    }
    Ok(Box::new(io::Cursor::new(start).chain(reader)))
}

/// Reads `count` bytes, or all if there are fewer.
fn first_bytes(reader: &mut impl Read, count: usize) -> io::Result<Vec<u8>> {
    let mut start = Vec::with_capacity(count);
    reader.take(count as u64).read_to_end(&mut start)?;
    Ok(start)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn files_of_other_kinds_are_called_by_their_names() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games.pgn");
        let opened = |bytes: &[u8]| {
            std::fs::write(&path, bytes).unwrap();
            Source::open_games(&path)
                .map(drop)
                .map_err(|error| error.to_string())
        };
        for (bytes, kind) in [
            (&b"BINP\x00\x01"[..], "a binpack file of training positions"),
            (b"TABIANET\x01", "a net"),
            (b"tabiaseq", "a sequence file"),
            (
                b"\x46\x3b\x00\x00",
                "a binary file, perhaps a Polyglot book",
            ),
            (
                b"# mates\n\n8/8/8/3k4/8/3K4/4P3/8 w - - bm e4;",
                "an EPD file of positions",
            ),
        ] {
            let error = opened(bytes).expect_err(kind);
            let expected = format!("is {kind}, not a PGN file of games");
            assert!(error.ends_with(&expected), "{error}");
        }
        for games in [
            &b""[..],
            b"[Event \"a\"]\n\n1. e4 *",
            b"1. e4 1/2-1/2",
            &gzip(b"1. e4 *"),
        ] {
            assert_eq!(opened(games), Ok(()));
        }
    }

    fn gzip(text: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    }

    fn zstd(text: &[u8]) -> Vec<u8> {
        zstd::encode_all(text, 1).unwrap()
    }

    fn xz(text: &[u8]) -> Vec<u8> {
        let options = lzma_rust2::XzOptions::with_preset(1);
        let mut writer = lzma_rust2::XzWriter::new(Vec::new(), options).unwrap();
        writer.write_all(text).unwrap();
        writer.finish().unwrap()
    }

    fn source(bytes: Vec<u8>) -> Source {
        Source::from_reader("test", io::Cursor::new(bytes)).expect("a readable start")
    }

    fn read_all(bytes: Vec<u8>) -> Vec<u8> {
        let mut text = Vec::new();
        source(bytes)
            .read_into(&mut text, 1 << 20)
            .expect("readable");
        text
    }

    /// Text that does not compress to a few bytes.
    fn long_text() -> Vec<u8> {
        let mut state = 1_u64;
        let mut next = || {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 56) as u8
        };
        (0..400_000).map(|_| next()).collect()
    }

    #[test]
    fn formats_are_known_by_their_first_bytes() {
        for text in [&b""[..], b"1", b"1. e4", &long_text()] {
            assert_eq!(read_all(text.to_vec()), text);
            assert_eq!(read_all(gzip(text)), text);
            assert_eq!(read_all(zstd(text)), text);
            assert_eq!(read_all(xz(text)), text);
        }
    }

    #[test]
    fn joined_files_are_read_to_the_end() {
        assert_eq!(
            read_all([gzip(b"1. e4 "), gzip(b"e5")].concat()),
            b"1. e4 e5"
        );
        assert_eq!(
            read_all([zstd(b"1. e4 "), zstd(b"e5")].concat()),
            b"1. e4 e5"
        );
        assert_eq!(read_all([xz(b"1. e4 "), xz(b"e5")].concat()), b"1. e4 e5");
    }

    /// The files were made by another program with its usual options.
    #[test]
    fn files_of_the_usual_program_are_read() {
        let bytes = [
            0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00, 0x00, 0x0A, 0xE1, 0xFB, 0x0C, 0xA1, 0x02, 0x00,
            0x21, 0x01, 0x1C, 0x00, 0x00, 0x00, 0x10, 0xCF, 0x58, 0xCC, 0x01, 0x00, 0x0F, 0x31,
            0x2E, 0x20, 0x65, 0x34, 0x20, 0x65, 0x35, 0x20, 0x32, 0x2E, 0x20, 0x4E, 0x66, 0x33,
            0x0A, 0x00, 0xF6, 0xA9, 0xB5, 0x55, 0x9B, 0x24, 0xD0, 0xC9, 0x50, 0xB8, 0xAF, 0xC6,
            0x80, 0x3B, 0x91, 0xB5, 0x0F, 0x8F, 0xB8, 0xF1, 0x38, 0xA5, 0xA4, 0x9D, 0xC2, 0xC2,
            0x14, 0xC8, 0x3C, 0x0D, 0xAB, 0x4D, 0x00, 0x01, 0x40, 0x10, 0x4A, 0xEA, 0x48, 0xCD,
            0x18, 0x9B, 0x4B, 0x9A, 0x01, 0x00, 0x00, 0x00, 0x00, 0x0A, 0x59, 0x5A,
        ];
        assert_eq!(read_all(bytes.to_vec()), b"1. e4 e5 2. Nf3\n");
    }

    #[test]
    fn the_byte_order_mark_is_dropped() {
        assert_eq!(read_all(b"\xEF\xBB\xBF1. e4".to_vec()), b"1. e4");
        assert_eq!(read_all(gzip(b"\xEF\xBB\xBF1. e4")), b"1. e4");
    }

    #[test]
    fn a_broken_file_gives_what_came_before() {
        for whole in [gzip(&long_text()), zstd(&long_text()), xz(&long_text())] {
            let half = whole[..whole.len() / 2].to_vec();
            let mut text = Vec::new();
            let mut source = source(half);
            let error = source
                .read_into(&mut text, 1 << 20)
                .expect_err("a torn file");
            assert!(long_text().starts_with(&text));
            let message = error.to_string();
            let place = format!("test cannot be read beyond byte {}", text.len());
            assert!(message.starts_with(&place), "{message}");
        }
    }

    #[test]
    fn the_meter_counts_what_lies_on_the_disk() {
        let compressed = gzip(&long_text());
        let size = compressed.len() as u64;
        let mut source = source(compressed);
        let meter = source.meter();
        source
            .read_into(&mut Vec::new(), 1 << 20)
            .expect("readable");
        assert_eq!(meter.bytes(), size);
    }

    #[test]
    fn looking_ahead_takes_nothing() {
        let mut source = source(gzip(b"1. e4 e5"));
        assert_eq!(source.look_ahead(5).expect("readable"), b"1. e4");
        assert_eq!(source.look_ahead(100).expect("readable"), b"1. e4 e5");
        let mut text = Vec::new();
        source.read_into(&mut text, 100).expect("readable");
        assert_eq!(text, b"1. e4 e5");
        assert_eq!(source.look_ahead(1).expect("readable"), b"");
    }

    #[test]
    fn errors_name_the_file() {
        let missing = Source::open(Path::new("no/such/file.pgn"))
            .err()
            .expect("no file");
        assert!(
            missing
                .to_string()
                .starts_with("cannot open no/such/file.pgn: ")
        );
        let folder = Source::open(&std::env::temp_dir()).err().expect("a folder");
        assert!(folder.to_string().contains("directory"), "{folder}");
    }
}
