//! Speed of replaying game files beside pgn-reader with shakmaty, in one
//! interleaved run.
//!
//! `cargo bench -p tabia-data --bench pgn_replay -- [FILE] [ROUNDS]` reads a
//! PGN file, plain, gzip or zstd. Without one it takes the masters' games of
//! the folder that the variable TABIA_DATA names, or else random games that
//! it makes. Every reader decompresses the file and resolves every move; all
//! take turns, and medians over the rounds are shown, with the ratios within
//! a round. The ratio to the rival counts the time that the CPU worked, so it
//! means something on a machine that has other work too; the gain by a second
//! thread does not.

use std::{
    env, fs,
    io::{Cursor, Read},
    ops::ControlFlow,
    path::{Path, PathBuf},
    time::Instant,
};

use chess::Board;
use data::pgn::{Game, GameResult, PlayedMove, Source, Tags, check};
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

const READERS: [(&str, Replay); 3] = [
    ("pgn-reader + shakmaty", replay_rival),
    ("tabia, one thread", |bytes| replay_ours(bytes, 1)),
    ("tabia, two threads", |bytes| replay_ours(bytes, 2)),
];

/// What a reader took.
#[derive(Clone, Copy, Default)]
struct Cost {
    seconds: f64,
    /// On the CPU, in the thread of the caller.
    cpu_seconds: f64,
}

type Round = [Cost; READERS.len()];

fn main() {
    // Cargo passes `--bench`.
    let words = || env::args().skip(1).filter(|word| !word.starts_with("--"));
    let rounds = words().find_map(|word| word.parse().ok()).unwrap_or(5);
    let file = words().find(|word| word.parse::<usize>().is_err());
    let (name, bytes) = input(file.map(PathBuf::from));
    println!("{name}, median of {rounds} rounds");
    let mut costs = vec![Round::default(); rounds];
    let mut counts = [Counts::default(); READERS.len()];
    for round in &mut costs {
        for (reader, (_, replay)) in READERS.iter().enumerate() {
            let (start, cpu_start) = (Instant::now(), cpu_seconds());
            counts[reader] = replay(&bytes);
            round[reader] = Cost {
                seconds: start.elapsed().as_secs_f64(),
                cpu_seconds: cpu_seconds() - cpu_start,
            };
        }
    }
    assert!(counts.iter().all(|other| *other == counts[0]), "{counts:?}");
    print_table(counts[0], &costs);
}

/// How long the CPU has worked for this thread.
fn cpu_seconds() -> f64 {
    let statistics = fs::read_to_string("/proc/thread-self/schedstat").expect("Linux");
    let nanoseconds = statistics
        .split(' ')
        .next()
        .and_then(|number| number.parse::<f64>().ok());
    nanoseconds.expect("a number") / 1e9
}

fn print_table(counts: Counts, costs: &[Round]) {
    println!("{} games, {} plies", counts.games, counts.plies);
    println!(
        "{:<24}{:>10}{:>10}{:>10}{:>14}",
        "", "games/s", "ns/ply", "x rival", "x one thread"
    );
    for (reader, (name, _)) in READERS.iter().enumerate() {
        let time = median(costs.iter().map(|round| round[reader].seconds));
        let cpu_ratio = |round: &Round| round[0].cpu_seconds / round[reader].cpu_seconds;
        let ratio = |round: &Round| round[1].seconds / round[reader].seconds;
        print!(
            "{name:<24}{:>10.0}{:>10.1}",
            counts.games as f64 / time,
            time * 1e9 / counts.plies as f64
        );
        match reader {
            2 => println!("{:>10}{:>14.2}", "", median(costs.iter().map(ratio))),
            _ => println!("{:>10.2}", median(costs.iter().map(cpu_ratio))),
        }
    }
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<f64> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// What to read: the bytes of a file, held in memory so that no disk is
/// measured.
fn input(file: Option<PathBuf>) -> (String, Vec<u8>) {
    let masters = || env::var_os("TABIA_DATA").map(|folder| Path::new(&folder).join(MASTERS));
    match file.or_else(masters) {
        Some(path) => {
            let bytes =
                fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            (path.display().to_string(), bytes)
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

fn replay_ours(bytes: &[u8], threads: usize) -> Counts {
    let source = Source::from_reader("bench", Cursor::new(bytes.to_vec())).expect("a game file");
    let (checked, outcome) = check(source, threads, |_| ControlFlow::Continue(()));
    outcome.expect("a whole file");
    assert_eq!(checked.broken, 0);
    Counts {
        games: checked.games,
        plies: checked.plies,
    }
}

fn replay_rival(bytes: &[u8]) -> Counts {
    let mut stream: Box<dyn Read> = match bytes {
        [0x28, 0xB5, 0x2F, 0xFD, ..] => Box::new(zstd::Decoder::new(bytes).expect("a zstd file")),
        [0x1F, 0x8B, ..] => Box::new(flate2::read::MultiGzDecoder::new(bytes)),
        _ => Box::new(bytes),
    };
    let mut rival = Rival(Counts::default());
    let mut reader = Reader::new(&mut stream);
    while reader
        .read_game(&mut rival)
        .expect("a whole file")
        .is_some()
    {}
    rival.0
}

/// Replays as the documentation of pgn-reader shows it.
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
