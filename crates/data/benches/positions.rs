//! Speed of reading and writing binpack files compared with the crate sfbinpack, in one
//! interleaved run on one thread, and of the loader on one and two threads.
//!
//! `cargo bench -p tabia-data --bench positions -- [FILE] [ROUNDS]` reads a
//! binpack file. Without one it takes the file of the folder that the variable
//! TABIA_DATA names, or else random games that it makes. The bytes are in memory, so
//! that no disk is measured; the shortest time over the rounds counts. The loader
//! reads the file itself, filters and shuffles.

use std::{
    env, fs,
    hint::black_box,
    io::Cursor,
    path::{Path, PathBuf},
    time::Instant,
};

use chess::Board;
use data::{
    binpack::{Chunk, ChunkReader, ChunkWriter, Encoder, Positions},
    filter::Filter,
    loader::{Batch, Loader, Settings},
    packed::PackedPosition,
    pgn::Source,
    position::{Outcome, Position},
};
use sfbinpack::{
    CompressedTrainingDataEntryReader as RivalReader,
    CompressedTrainingDataEntryWriter as RivalWriter,
};

/// The file below the folder that TABIA_DATA names.
const REAL: &str = "nnue/small.binpack";

fn main() {
    // Cargo passes `--bench`.
    let words = || env::args().skip(1).filter(|word| !word.starts_with("--"));
    let rounds: usize = words().find_map(|word| word.parse().ok()).unwrap_or(7);
    let file = words().find(|word| word.parse::<usize>().is_err());
    let (path, _folder) = input(file.map(PathBuf::from));
    let bytes = fs::read(&path).expect("a file");
    println!("{}, {rounds} rounds\n", path.display());
    reading(&bytes, rounds);
    writing(&bytes, rounds);
    loading(&path, rounds);
}

fn reading(bytes: &[u8], rounds: usize) {
    type Read = fn(&[u8]) -> u64;
    let readers: [(&str, Read); 3] = [
        ("sfbinpack", read_rival),
        ("tabia", |bytes| {
            read_ours(bytes, |position| position.score as u64)
        }),
        ("tabia, packed to 32 bytes", |bytes| {
            read_ours(bytes, |position| {
                black_box(PackedPosition::from(position)).ply() as u64
            })
        }),
    ];
    let mut least = [f64::MAX; 3];
    let mut counts = [0; 3];
    for _ in 0..rounds {
        for (index, (_, read)) in readers.iter().enumerate() {
            let begin = Instant::now();
            counts[index] = read(bytes);
            least[index] = least[index].min(begin.elapsed().as_secs_f64());
        }
    }
    assert!(counts.iter().all(|&count| count == counts[0]));
    let names = readers.map(|(name, _)| name);
    table("reading, one thread", counts[0], &names, &least);
}

fn writing(bytes: &[u8], rounds: usize) {
    let mut ours = Vec::new();
    read_ours(bytes, |position| {
        ours.push(*position);
        0
    });
    let mut theirs = Vec::new();
    let mut reader = RivalReader::new(Cursor::new(bytes)).expect("a binpack");
    while reader.has_next() {
        theirs.push(reader.next());
    }
    let mut least = [f64::MAX; 2];
    for _ in 0..rounds {
        let begin = Instant::now();
        let mut writer = RivalWriter::new_in_memory().expect("a writer");
        for entry in &theirs {
            writer.write_entry(entry).expect("written");
        }
        let written = writer.into_bytes().expect("written");
        least[0] = least[0].min(begin.elapsed().as_secs_f64());
        let begin = Instant::now();
        let again = write_ours(&ours);
        least[1] = least[1].min(begin.elapsed().as_secs_f64());
        assert!(written == again);
    }
    let names = ["sfbinpack", "tabia"];
    table("writing, one thread", ours.len() as u64, &names, &least);
}

/// How often the loader reads the file: fewer times would mostly measure its start.
const COPIES: usize = 32;

fn loading(path: &Path, rounds: usize) {
    let size = read_ours(&fs::read(path).expect("a file"), |_| 0);
    for (name, filters) in [
        ("the loader, all positions", &[][..]),
        (
            "the loader, quiet positions, random=3",
            &["captures", "in-check", "random=3"],
        ),
    ] {
        let mut least = [f64::MAX; 2];
        for _ in 0..rounds {
            for (index, threads) in [1, 2].into_iter().enumerate() {
                let mut settings = Settings::new(vec![path.to_owned(); COPIES]);
                settings.threads = threads;
                let parsed = filters
                    .iter()
                    .map(|word| word.parse::<Filter>().expect("a filter"));
                settings.filters = parsed.collect();
                let begin = Instant::now();
                let mut loader: Loader = Loader::open(settings).expect("a binpack");
                let mut batch = Batch::default();
                loop {
                    loader.next(&mut batch).expect("a batch");
                    if batch.epoch > 0 {
                        break;
                    }
                    black_box(&batch);
                }
                least[index] = least[index].min(begin.elapsed().as_secs_f64());
            }
        }
        table(
            name,
            size * COPIES as u64,
            &["tabia, 1 thread", "tabia, 2 threads"],
            &least,
        );
    }
}

fn table(title: &str, positions: u64, names: &[&str], seconds: &[f64]) {
    println!("{title}, {positions} positions");
    println!("{:<28}{:>14}{:>10}", "", "positions/s", "ratio");
    for (name, time) in names.iter().zip(seconds) {
        let speed = positions as f64 / time;
        println!("{name:<28}{speed:>14.0}{:>10.2}", seconds[0] / time);
    }
    println!();
}

fn read_rival(bytes: &[u8]) -> u64 {
    let mut reader = RivalReader::new(Cursor::new(bytes)).expect("a binpack");
    let mut count = 0;
    while reader.has_next() {
        black_box(reader.next().score);
        count += 1;
    }
    count
}

fn read_ours(bytes: &[u8], mut visit: impl FnMut(&Position) -> u64) -> u64 {
    let source = Source::from_reader("bench", Cursor::new(bytes.to_vec())).expect("readable");
    let mut chunks = ChunkReader::new(source);
    let mut chunk = Chunk::default();
    let mut count = 0;
    while chunks.next(&mut chunk).expect("whole chunks") {
        let mut positions = Positions::new(&chunk.payload);
        while let Some(position) = positions.next().expect("whole chains") {
            black_box(visit(position));
            count += 1;
        }
    }
    count
}

fn write_ours(positions: &[Position]) -> Vec<u8> {
    let mut encoder = Encoder::new();
    let mut writer = ChunkWriter::new(Vec::new());
    for position in positions {
        encoder.push(position).expect("an ordinary position");
    }
    writer.add(encoder.finish()).expect("written");
    writer.finish().expect("written")
}

/// The file to read, and its temporary folder if it had to be made.
fn input(file: Option<PathBuf>) -> (PathBuf, Option<tempfile::TempDir>) {
    let real = || env::var_os("TABIA_DATA").map(|folder| Path::new(&folder).join(REAL));
    if let Some(path) = file.or_else(real) {
        return (path, None);
    }
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("random games.binpack");
    fs::write(&path, write_ours(&random_games(3000))).expect("written");
    (path, Some(folder))
}

fn random_games(count: u64) -> Vec<Position> {
    // A multiplicative generator; the games need not be very random.
    let mut state = 1_u64;
    let mut below = |bound: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 33) as usize % bound
    };
    let mut positions = Vec::new();
    for _ in 0..count {
        let mut board = Board::start();
        for ply in 0..100 {
            let legal = board.legal_moves();
            if legal.is_empty() {
                break;
            }
            let mv = legal[below(legal.len())];
            positions.push(Position {
                board,
                mv: Some(mv),
                score: below(200) as i16 - 100,
                result: Outcome::Draw,
                ply,
            });
            board.make(mv);
        }
    }
    positions
}
