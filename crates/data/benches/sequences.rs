//! Speed of replaying games of a sequence file with lists of legal moves, as in training a
//! sequence model: microseconds of CPU time for each ply, on one thread, compared with the aim.
//!
//! `cargo bench -p tabia-data --bench sequences -- [FILE] [ROUNDS]` reads a file made by `tabia pgn
//! sequences`; without one it makes random games. Reading a game from the file is included, and
//! measured alone, too. The shortest time over the rounds counts.

use chess::Board;
use data::random;
use data::sequences::{Part, SequenceFile, SequenceGame, SequenceWriter};
use std::env;
use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};

/// The aim in microseconds for each ply.
const AIM: f64 = 0.3;
/// The minimum of CPU seconds for a turn, because the system counts them in steps.
const TURN: f64 = 0.2;
/// How many games are replayed repeatedly.
const GAMES: u64 = 2_000;

fn main() {
    // Cargo passes `--bench`.
    let words = || env::args().skip(1).filter(|word| !word.starts_with("--"));
    let rounds: usize = words().find_map(|word| word.parse().ok()).unwrap_or(7);
    let folder = tempfile::tempdir().expect("a folder");
    let path = words().find(|word| word.parse::<usize>().is_err());
    let path = path.map_or_else(|| random_games(folder.path()), PathBuf::from);
    let file = SequenceFile::open(&path).expect("a sequence file");
    let games = file.games().min(GAMES);
    println!("{games} games, {rounds} rounds, microseconds of CPU time for a ply\n");
    println!("{:32}{:>8}{:>8}", "", "us", "aim");
    let read = best(rounds, || play(&file, games, |_| {}));
    let replayed = best(rounds, || {
        play(&file, games, |game| {
            assert!(game.replay(|board, _| {
                black_box(board);
            }));
        })
    });
    let listed = best(rounds, || {
        play(&file, games, |game| {
            assert!(game.replay(|board, _| {
                black_box(board.legal_moves());
            }));
        })
    });
    println!("{:32}{read:>8.3}", "read");
    println!("{:32}{replayed:>8.3}", "read, boards");
    println!("{:32}{listed:>8.3}{AIM:>8.3}", "read, boards, legal moves");
}

/// Calls `visit` for some games, and counts their plies.
fn play(file: &SequenceFile, games: u64, mut visit: impl FnMut(&SequenceGame)) -> usize {
    let mut game = SequenceGame::default();
    let mut plies = 0;
    for number in 0..games {
        file.read(number, &mut game).expect("a game");
        visit(black_box(&game));
        plies += game.moves.len();
    }
    plies
}

/// The fewest microseconds for a ply over the rounds.
fn best(rounds: usize, mut work: impl FnMut() -> usize) -> f64 {
    let round = |_| {
        let (start, mut plies) = (cpu_seconds(), 0);
        loop {
            plies += work();
            let spent = cpu_seconds() - start;
            if spent >= TURN {
                return 1e6 * spent / plies.max(1) as f64;
            }
        }
    };
    (0..rounds).map(round).fold(f64::INFINITY, f64::min)
}

/// CPU seconds of this thread so far.
fn cpu_seconds() -> f64 {
    let text = fs::read_to_string("/proc/thread-self/schedstat").expect("Linux");
    let nanoseconds = text.split(' ').next().expect("a number");
    nanoseconds.parse::<f64>().expect("a number") / 1e9
}

/// A file of random games.
fn random_games(folder: &Path) -> PathBuf {
    let path = folder.join("games.sequences");
    let mut writer = SequenceWriter::create(&path, Part::All).expect("a place");
    for number in 0..GAMES {
        let mut generator = random::generator(1, number);
        let mut board = Board::start();
        let mut game = SequenceGame::default();
        for _ in 0..84 {
            let moves = board.legal_moves();
            if moves.is_empty() {
                break;
            }
            let mv = moves[random::below(&mut generator, moves.len() as u64) as usize];
            board.make(mv);
            game.moves.push(mv);
        }
        assert!(writer.add(&game).expect("room"));
    }
    writer.finish().expect("room")
}
