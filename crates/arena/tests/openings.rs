//! Openings: files of all kinds, orders that seeds decide, and new ones.

use arena::openings::{MakeError, MakeOptions, Opening, Openings, Order, Window, make};
use chess::{Board, Epd};
use engines::StopSignal;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use std::collections::HashSet;
use std::io::Write;
use std::path::{Path, PathBuf};

const POSITIONS: &str = "\
# Three openings.
rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2

rnbqkbnr/pp1ppppp/8/2pP4/8/8/PPP1PPPP/RNBQKBNR w KQkq c6 hmvc 0; fmvn 2;\r
bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9 ; id \"x\";
";

const GAMES: &str = "\
[Event \"first\"]\n\n1. e4 e5 (1... c5) 2. Nf3 {good} Nc6 *\n\n\
[Event \"second\"]\n[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 1\"]\n\n1... Kd7 *\n\n\
[Event \"third\"]\n\n*\n";

/// A file in a folder of its own, which lives as long as the first part.
fn file(name: &str, bytes: impl AsRef<[u8]>) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let path = folder.path().join(name);
    std::fs::write(&path, bytes).expect("written");
    (folder, path)
}

fn read(name: &str, bytes: impl AsRef<[u8]>, plies: Option<usize>) -> Openings {
    let (_folder, path) = file(name, bytes);
    Openings::read(&path, plies).expect("openings")
}

fn complaint(name: &str, bytes: impl AsRef<[u8]>) -> String {
    let (folder, path) = file(name, bytes);
    let error = Openings::read(&path, None).expect_err("no openings");
    let folder = format!("{}/", folder.path().display());
    error.to_string().replace(&folder, "")
}

fn fens(openings: &Openings) -> Vec<String> {
    let fen = |opening: &Opening| opening.game().board().fen();
    openings.iter().map(fen).collect()
}

#[test]
fn positions_are_read_with_en_passant_castling_and_clocks() {
    let openings = read("book.epd", POSITIONS, None);
    assert_eq!(
        fens(&openings),
        [
            "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
            "rnbqkbnr/pp1ppppp/8/2pP4/8/8/PPP1PPPP/RNBQKBNR w KQkq c6 0 2",
            "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w KQkq - 2 9",
        ]
    );
    let passing = openings.get(1).game();
    let capture = passing.board().parse_san("dxc6").expect("a legal move");
    assert!(capture.is_en_passant());
}

#[test]
fn games_are_read_up_to_a_number_of_plies() {
    let openings = read("book.pgn", GAMES, None);
    let counts: Vec<usize> = openings.iter().map(|one| one.moves().len()).collect();
    assert_eq!(counts, [4, 1, 0]);
    assert_eq!(*openings.get(0).start(), Board::start());
    assert_eq!(
        openings.get(1).game().board().fen(),
        "8/3k4/8/8/8/8/4P3/4K3 w - - 1 2"
    );
    let short = read("book.pgn", GAMES, Some(3));
    let counts: Vec<usize> = short.iter().map(|one| one.moves().len()).collect();
    assert_eq!(counts, [3, 1, 0]);
    let game = short.get(0).game();
    assert_eq!(game.moves().len(), 3);
    assert!(
        game.board()
            .fen()
            .starts_with("rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/")
    );
}

#[test]
fn names_and_compression_do_not_matter() {
    let expected = fens(&read("book.epd", POSITIONS, None));
    assert_eq!(fens(&read("book", POSITIONS, None)), expected);
    assert_eq!(read("book", GAMES, None).len(), 3);
    let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gzip.write_all(POSITIONS.as_bytes()).expect("compressed");
    let gzip = gzip.finish().expect("compressed");
    assert_eq!(fens(&read("book.epd.gz", gzip, None)), expected);
}

#[test]
fn errors_name_file_and_line() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
    assert_eq!(
        complaint("book.epd", format!("{start}\n\n{start}\nnonsense\n")),
        "book.epd:4: the placement must have 8 ranks between slashes, found 1"
    );
    assert_eq!(
        complaint("book.epd", format!("{start}\n7k/5KQ1/8/8/8/8/8/8 b - -\n")),
        "book.epd:2: the game is over: White mates"
    );
    let broken = complaint(
        "book.pgn",
        format!("{GAMES}\n[Event \"x\"]\n\n1. e4\nKe7 *\n"),
    );
    assert!(
        broken.starts_with("book.pgn:18: game 4: 1... Ke7: "),
        "{broken}"
    );
    assert_eq!(
        complaint("book.pgn", "1. f3 e5 2. g4 Qh4# 0-1\n"),
        "book.pgn: game 1: the game is over after 4 plies: Black mates; use fewer plies"
    );
    assert_eq!(
        complaint("book.pgn", "1. e4 -- 2. d4 *\n"),
        "book.pgn: game 1: an opening cannot contain a null move"
    );
    assert_eq!(
        complaint("book.epd", "# none\n"),
        "book.epd contains no openings"
    );
    let missing = Openings::read(Path::new("no/book.epd"), None).expect_err("no file");
    assert!(missing.to_string().starts_with("cannot open no/book.epd: "));
}

#[test]
fn numbers_wrap_around_exactly() {
    let openings = read("book.epd", POSITIONS, None);
    let plain = fens(&openings);
    let number = |openings: &Openings, number| openings.get(number).game().board().fen();
    for index in 0..10 {
        assert_eq!(number(&openings, index), plain[index % 3]);
    }
    assert_eq!(number(&openings, usize::MAX), plain[usize::MAX % 3]);
    for skipped in 0..7 {
        let moved = openings.clone().arranged(Order::Sequential, skipped);
        assert_eq!(moved.len(), 3);
        for index in 0..7 {
            assert_eq!(number(&moved, index), plain[(skipped + index) % 3]);
        }
    }
}

#[test]
fn a_seed_decides_the_order() {
    let book = Openings::built_in();
    let plain = fens(&book);
    let shuffled = |seed| fens(&book.clone().arranged(Order::Shuffled { seed }, 0));
    assert_eq!(shuffled(5), shuffled(5));
    assert_ne!(shuffled(5), shuffled(6));
    assert_ne!(shuffled(5), plain);
    let mut sorted = [shuffled(5), plain];
    sorted.iter_mut().for_each(|fens| fens.sort());
    assert_eq!(sorted[0], sorted[1]);
    let skipped = book.clone().arranged(Order::Shuffled { seed: 5 }, 3);
    assert_eq!(fens(&skipped)[0], shuffled(5)[3]);
}

fn options() -> MakeOptions {
    MakeOptions {
        count: 60,
        seed: 3,
        plies: 6,
        chess960: false,
        window: Window { least: 0, most: 60 },
        nodes: 500,
        threads: 2,
    }
}

fn made(options: &MakeOptions) -> Vec<String> {
    let made = make(options, &StopSignal::new(), &mut |_| {}).expect("openings");
    let lines = made.boards.iter().map(|&board| Epd::new(board).to_string());
    lines.collect()
}

#[test]
fn threads_and_counts_do_not_decide_which_openings() {
    let two = made(&options());
    assert_eq!(two.len(), 60);
    assert_eq!(two.iter().collect::<HashSet<_>>().len(), 60);
    let one = MakeOptions {
        threads: 1,
        ..options()
    };
    assert_eq!(made(&one), two);
    let fewer = MakeOptions {
        count: 7,
        ..options()
    };
    assert_eq!(made(&fewer), two[..7]);
    let other = MakeOptions {
        seed: 4,
        ..options()
    };
    assert_ne!(made(&other), two);
}

#[test]
fn chess960_openings_have_many_starts() {
    let wanted = MakeOptions {
        chess960: true,
        plies: 2,
        count: 20,
        ..options()
    };
    let lines = made(&wanted);
    let ranks: HashSet<&str> = lines
        .iter()
        .filter_map(|line| line.split('/').next())
        .collect();
    assert!(ranks.len() > 15, "{ranks:?}");
    for line in &lines {
        let epd: Epd = line.parse().expect(line);
        assert_eq!(Epd::new(epd.board).to_string(), *line);
    }
}

#[test]
fn what_does_not_exist_is_not_sought_for_ever() {
    // There are only twenty first moves.
    let wanted = MakeOptions {
        plies: 1,
        count: 21,
        window: Window {
            least: 0,
            most: 1000,
        },
        ..options()
    };
    let error = make(&wanted, &StopSignal::new(), &mut |_| {}).expect_err("too few");
    assert!(matches!(error, MakeError::TooFew { found: 20 }), "{error}");
    let stop = StopSignal::new();
    stop.stop();
    let error = make(&options(), &stop, &mut |_| {}).expect_err("stopped");
    assert!(matches!(error, MakeError::Stopped), "{error}");
}

#[test]
fn the_built_in_openings_are_sound() {
    let text = include_str!("../src/openings/default.epd");
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let openings = Openings::built_in();
    assert_eq!(openings.len(), lines.count());
    assert_eq!(openings.len(), 800);
    let keys: HashSet<u64> = openings.iter().map(|one| one.start().key()).collect();
    assert_eq!(keys.len(), openings.len());
    for opening in openings.iter() {
        assert_eq!(opening.start().fullmove_number(), 5);
        assert_eq!(opening.game().termination(), None);
    }
}

#[test]
fn garbage_is_refused_or_read_but_never_a_panic() {
    let mut generator = Xoshiro256PlusPlus::seed_from_u64(1);
    let (_folder, path) = file("book", "");
    for text in [POSITIONS, GAMES] {
        for _ in 0..300 {
            let mut bytes = text.as_bytes().to_vec();
            for _ in 0..generator.next_u64() % 8 + 1 {
                let place = generator.next_u64() as usize % bytes.len();
                match generator.next_u64() % 3 {
                    0 => bytes[place] = generator.next_u64() as u8,
                    1 => bytes.truncate(place + 1),
                    _ => bytes.insert(place, b" /\n1Kw-"[generator.next_u64() as usize % 7]),
                }
            }
            std::fs::write(&path, &bytes).expect("written");
            if let Ok(openings) = Openings::read(&path, None) {
                for opening in openings.iter() {
                    assert_eq!(opening.game().moves(), opening.moves());
                }
            }
        }
    }
}

#[test]
fn random_plies_follow_a_seed_and_end_no_game() {
    let opening = Opening::new(Board::start());
    let game = |seed, plies| {
        let mut generator = data::random::generator(seed, 1);
        opening.wander(plies, &mut generator)
    };
    assert_eq!(game(1, 6).moves(), game(1, 6).moves());
    assert_eq!(game(1, 0).moves(), []);
    let different: HashSet<String> = (0..50)
        .map(|seed| game(seed, 6).board().fen().to_string())
        .collect();
    assert!(different.len() > 45, "{} of 50", different.len());
    // White can only mate or let Black move once more; never does the game end.
    let narrow = Board::from_fen("7k/8/5K2/6Q1/8/8/8/8 w - - 0 1").expect("a position");
    for seed in 0..50 {
        let mut generator = data::random::generator(seed, 2);
        let game = Opening::new(narrow).wander(1, &mut generator);
        assert!(game.termination().is_none());
        assert_eq!(game.moves().len(), 1);
    }
    // The only move takes the last piece: then the game begins without it.
    let forced = Board::from_fen("7k/8/8/8/8/8/1q6/K7 w - - 0 1").expect("a position");
    let mut generator = data::random::generator(0, 3);
    let game = Opening::new(forced).wander(1, &mut generator);
    assert!(game.termination().is_none() && game.moves().is_empty());
}
