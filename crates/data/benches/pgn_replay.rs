//! Speed of replaying game files compared with pgn-reader and shakmaty, in one
//! interleaved run.
//!
//! `cargo bench -p tabia-data --bench pgn_replay -- [FILE] [ROUNDS]` reads a
//! PGN file, plain, gzip or zstd. Without one it takes the masters' games of
//! the folder that the variable TABIA_DATA names, or else random games that
//! it makes.
//!
//! Two tables are printed. The first is of replaying alone, on one thread:
//! the text is in memory, split into pieces of a few hundred games; all readers
//! take turns on each piece, and the shortest time over the rounds counts, which
//! other work on the machine hardly disturbs. The second is of the whole file
//! with its decompression, as in `tabia pgn check`: medians of the rounds, and
//! ratios within a round; it means little on a busy machine.

use std::{
    env, fs,
    io::{Cursor, Read},
    ops::ControlFlow,
    path::{Path, PathBuf},
    time::Instant,
};

use chess::Board;
use data::pgn::{
    Batch, Batches, Game, GameResult, Games, PlayedMove, Replayer, Source, Tags, check,
};
use pgn_reader::{Reader, SanPlus, Visitor};
use shakmaty::{Chess, Position};

/// The file below the folder that TABIA_DATA names.
const MASTERS: &str = "games/masters2500_train_to_2019.pgn.zst";

/// Games and moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
struct Counts {
    games: u64,
    plies: u64,
}

type Replay = fn(&[u8]) -> Counts;

/// The readers of text in memory.
const TEXT_READERS: [(&str, Replay); 2] = [
    ("pgn-reader + shakmaty", |text| replay_rival(text)),
    ("tabia", replay_ours),
];

/// The readers of a file.
const FILE_READERS: [(&str, Replay); 3] = [
    ("pgn-reader + shakmaty", |file| {
        replay_rival(decompressed(file))
    }),
    ("tabia, one thread", |file| check_ours(file, 1)),
    ("tabia, two threads", |file| check_ours(file, 2)),
];

fn main() {
    // Cargo passes `--bench`.
    let words = || env::args().skip(1).filter(|word| !word.starts_with("--"));
    let rounds = words().find_map(|word| word.parse().ok()).unwrap_or(5);
    let file = words().find(|word| word.parse::<usize>().is_err());
    let (name, bytes) = input(file.map(PathBuf::from));
    println!("{name}, {rounds} rounds\n");
    text_table(&bytes, rounds);
    file_table(&bytes, rounds);
}

fn text_table(bytes: &[u8], rounds: usize) {
    let mut seconds = [0.0; TEXT_READERS.len()];
    let mut total = [Counts::default(); TEXT_READERS.len()];
    let mut batches = Batches::new(source(bytes));
    let mut batch = Batch::default();
    while batches.next(&mut batch).expect("a whole file") {
        let mut least = [f64::MAX; TEXT_READERS.len()];
        for round in 0..rounds {
            for (reader, (_, replay)) in TEXT_READERS.iter().enumerate() {
                let (counts, time) = timed(*replay, batch.bytes());
                least[reader] = least[reader].min(time);
                if round == 0 {
                    total[reader].games += counts.games;
                    total[reader].plies += counts.plies;
                }
            }
        }
        for (sum, least) in seconds.iter_mut().zip(least) {
            *sum += least;
        }
    }
    assert_eq!(total[0], total[1]);
    println!(
        "replaying alone, {} games, {} plies",
        total[0].games, total[0].plies
    );
    println!(
        "{:<24}{:>10}{:>10}{:>10}",
        "", "games/s", "ns/ply", "x rival"
    );
    for ((name, _), time) in TEXT_READERS.iter().zip(seconds) {
        print_speed(name, total[0], time);
        println!("{:>10.2}", seconds[0] / time);
    }
}

fn file_table(bytes: &[u8], rounds: usize) {
    let mut seconds = vec![[0.0; FILE_READERS.len()]; rounds];
    let mut total = [Counts::default(); FILE_READERS.len()];
    for round in &mut seconds {
        for (reader, (_, replay)) in FILE_READERS.iter().enumerate() {
            (total[reader], round[reader]) = timed(*replay, bytes);
        }
    }
    assert!(total.iter().all(|other| *other == total[0]), "{total:?}");
    println!("\nthe whole file, with decompression");
    println!(
        "{:<24}{:>10}{:>10}{:>10}{:>14}",
        "", "games/s", "ns/ply", "x rival", "x one thread"
    );
    for (reader, (name, _)) in FILE_READERS.iter().enumerate() {
        let ratio = |other: usize| median(seconds.iter().map(|round| round[other] / round[reader]));
        print_speed(
            name,
            total[0],
            median(seconds.iter().map(|round| round[reader])),
        );
        println!("{:>10.2}{:>14.2}", ratio(0), ratio(1));
    }
}

fn print_speed(name: &str, counts: Counts, seconds: f64) {
    let games = counts.games as f64 / seconds;
    let nanoseconds = seconds * 1e9 / counts.plies as f64;
    print!("{name:<24}{games:>10.0}{nanoseconds:>10.1}");
}

fn timed(replay: Replay, bytes: &[u8]) -> (Counts, f64) {
    let start = Instant::now();
    let counts = replay(bytes);
    (counts, start.elapsed().as_secs_f64())
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// The input: the bytes of a file, in memory so that no disk is measured.
fn input(file: Option<PathBuf>) -> (String, Vec<u8>) {
    let masters = || env::var_os("TABIA_DATA").map(|folder| Path::new(&folder).join(MASTERS));
    match file.or_else(masters) {
        Some(path) => {
            let name = path.display().to_string();
            let bytes = fs::read(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
            (name, bytes)
        }
        None => ("random games".to_owned(), random_games(4000).into_bytes()),
    }
}

fn random_games(count: u64) -> String {
    // A multiplicative generator; the games need not be very random.
    let mut state = 1_u64;
    let mut below = |bound: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 33) as usize % bound
    };
    let mut game = || {
        let mut board = Board::start();
        let mut game = Game::new(board, Tags::new());
        while game.moves.moves.len() < 80 && board.has_legal_move() {
            let legal = board.legal_moves();
            let mv = legal[below(legal.len())];
            game.moves.moves.push(PlayedMove::new(Some(mv)));
            board.make(mv);
        }
        game.result = GameResult::Draw;
        game.to_string()
    };
    (0..count).map(|_| game()).collect()
}

fn source(bytes: &[u8]) -> Source {
    Source::from_reader("bench", Cursor::new(bytes.to_vec())).expect("a game file")
}

fn replay_ours(text: &[u8]) -> Counts {
    let mut counts = Counts::default();
    let mut games = Games::new(text);
    let mut replayer = Replayer::default();
    while let Some(game) = replayer.next_game(&mut games, &mut ()) {
        counts.games += 1;
        counts.plies += game.expect("a whole game").plies;
    }
    counts
}

fn check_ours(bytes: &[u8], threads: usize) -> Counts {
    let (checked, outcome) = check(source(bytes), threads, |_| ControlFlow::Continue(()));
    outcome.expect("a whole file");
    assert_eq!(checked.broken, 0);
    Counts {
        games: checked.games,
        plies: checked.plies,
    }
}

fn decompressed<'a>(bytes: &'a [u8]) -> Box<dyn Read + 'a> {
    match bytes {
        [0x28, 0xB5, 0x2F, 0xFD, ..] => Box::new(zstd::Decoder::new(bytes).expect("a zstd file")),
        [0x1F, 0x8B, ..] => Box::new(flate2::read::MultiGzDecoder::new(bytes)),
        _ => Box::new(bytes),
    }
}

fn replay_rival(text: impl Read) -> Counts {
    let mut rival = Rival(Counts::default());
    let mut reader = Reader::new(text);
    while reader
        .read_game(&mut rival)
        .expect("a whole file")
        .is_some()
    {}
    rival.0
}

/// Replays as in the documentation of pgn-reader.
struct Rival(Counts);

impl Visitor for Rival {
    type Tags = ();
    type Movetext = Chess;
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<(), ()> {
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<(), Chess> {
        ControlFlow::Continue(Chess::default())
    }

    fn san(&mut self, position: &mut Chess, san: SanPlus) -> ControlFlow<()> {
        let mv = san.san.to_move(position).expect("a legal move");
        position.play_unchecked(mv);
        self.0.plies += 1;
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, _: Chess) {
        self.0.games += 1;
    }
}
