use super::*;
use crate::pgn::{Filter, Source};
use chess::Board;
use std::collections::BTreeSet;
use std::io::Cursor;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

const GAMES: &str = "\
[Event \"Rated blitz game\"]
[White \"Anna\"]
[Black \"Bert\"]
[Result \"1-0\"]
[Date \"2018.05.06\"]
[WhiteElo \"2100\"]
[BlackElo \"1950\"]
[TimeControl \"180+2\"]
[Termination \"Time forfeit\"]

1. e4 { [%clk 0:03:00] } e5 { [%clk 0:02:59] } (1... c5 { [%clk 0:00:01] } 2. Nf3) 2. Bc4 { [%clk 0:02:58] }
Nc6 { [%clk 0:02:50] } 3. Qh5 { [%clk 0:02:55] } Nf6 { [%clk 0:02:40] } 4. Qxf7# { [%clk 0:02:54] } 1-0

[Event \"Club\"]
[White \"bert \"]
[Black \"?\"]
[Result \"1/2-1/2\"]
[Date \"2019.??.??\"]

1. d4 d5 2. Nf3 { [%clk 0:10:00] } 1/2-1/2

[Event \"Odds\"]
[SetUp \"1\"]
[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]
[Result \"*\"]

1. O-O *

[Event \"Broken\"]
[Date \"2020.01.01\"]

1. e4 e9 *

[Event \"Late\"]
[Date \"2020.02.01\"]
[Result \"0-1\"]

1. f3 e5 2. g4 Qh4# 0-1

[Event \"Nothing\"]
[Date \"2018.01.01\"]
[Result \"1-0\"]

1-0

[Event \"No date\"]
[Result \"*\"]

1. e4 *
";

fn gather(
    out: &Path,
    filter: Filter,
    dates: Option<Dates>,
    threads: usize,
) -> (Gathered, Vec<WrittenSequences>) {
    let options = GatherOptions {
        out: out.to_owned(),
        filter,
        dates,
        threads,
    };
    let mut gatherer = Gatherer::new(options).expect("a place");
    let source = Source::from_reader("games", Cursor::new(GAMES.as_bytes().to_vec()));
    gatherer
        .add(source.expect("a text"), |_, _| ControlFlow::Continue(()))
        .expect("games");
    (gatherer.gathered(), gatherer.finish().expect("room"))
}

fn read(path: &Path) -> (SequenceFile, Vec<SequenceGame>) {
    let file = SequenceFile::open(path).expect("a file");
    let mut games = Vec::new();
    for number in 0..file.games() {
        let mut game = SequenceGame::default();
        file.read(number, &mut game).expect("a game");
        games.push(game);
    }
    (file, games)
}

fn dates(valid: &str, test: Option<&str>) -> Option<Dates> {
    Some(Dates {
        valid: valid.parse().expect("a date"),
        test: test.map(|test| test.parse().expect("a date")),
    })
}

#[test]
fn games_come_back_with_all_that_was_known_of_them() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("all.sequences");
    let (gathered, written) = gather(&path, Filter::default(), None, 1);
    let expected = Gathered {
        games: 7,
        taken: 4,
        left_out: 1,
        unusual: 1,
        undated: 0,
        broken: 1,
    };
    assert_eq!(gathered, expected);
    assert_eq!((written[0].games, written[0].plies), (4, 7 + 3 + 4 + 1));
    let (file, games) = read(&path);
    assert_eq!((file.part(), file.plies()), (Part::All, 15));
    let first = &games[0];
    assert_eq!(first.ratings, [Some(2100), Some(1950)]);
    assert_eq!(first.mean_rating(), Some(2025));
    assert_eq!(first.clocks, [180, 179, 178, 170, 175, 160, 174]);
    assert_eq!(first.outcome, Some(Outcome::WhiteWins));
    assert_eq!(first.date, "2018.05.06".parse().ok());
    assert_eq!(first.time_control, "180+2".parse().ok());
    let mut last = Board::start();
    let is_legal = first.replay(|board, mv| last = board.after(mv));
    assert!(is_legal && last.in_check() && last.legal_moves().is_empty());
    // The increment counts; the clock before the first move of each side is unknown.
    assert_eq!(
        [1, 2, 3].map(|ply| first.seconds(ply)),
        [None, Some(4), Some(11)]
    );
    assert!(first.lost_on_time && !games[1].lost_on_time);
    // Clocks after only some of the moves are ignored.
    assert_eq!(
        (games[1].clocks.len(), games[1].date),
        (0, "2019".parse().ok())
    );
    // A player has the same number on either side; no name has the number 0.
    assert_eq!(games[0].players[1], games[1].players[0]);
    assert_eq!(games[1].players[1], 0);
    assert_eq!((games[3].date, games[3].outcome), (None, None));
}

#[test]
fn dates_divide_games_and_those_that_cannot_tell_are_left_out() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.sequences");
    let (gathered, written) = gather(&path, Filter::default(), dates("2019", Some("2020")), 2);
    let counts: Vec<_> = written
        .iter()
        .map(|file| {
            (
                file.part,
                file.games,
                file.path.file_name().expect("a name").to_owned(),
            )
        })
        .collect();
    assert_eq!(
        counts,
        [
            (Part::Train, 1, "games-train.sequences".into()),
            (Part::Valid, 1, "games-valid.sequences".into()),
            (Part::Test, 1, "games-test.sequences".into()),
        ]
    );
    assert_eq!((gathered.taken, gathered.undated), (3, 1));
    assert_eq!(read(&written[2].path).0.part(), Part::Test);
    // A year that contains the border does not decide the part.
    let (gathered, written) = gather(&path, Filter::default(), dates("2019.06.01", None), 1);
    assert_eq!((gathered.undated, written.len()), (2, 2));
}

#[test]
fn filters_ask_for_ratings_time_and_clocks() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("some.sequences");
    let taken = |filter: Filter| gather(&path, filter, None, 1).0.taken;
    let some = Filter::default();
    assert_eq!(
        taken(Filter {
            min_mean_rating: Some(2025),
            ..some.clone()
        }),
        1
    );
    assert_eq!(
        taken(Filter {
            min_mean_rating: Some(2026),
            ..some.clone()
        }),
        0
    );
    assert_eq!(
        taken(Filter {
            min_seconds: Some(260),
            ..some.clone()
        }),
        1
    );
    assert_eq!(
        taken(Filter {
            min_seconds: Some(261),
            ..some.clone()
        }),
        0
    );
    assert_eq!(
        taken(Filter {
            with_clocks: true,
            ..some.clone()
        }),
        1
    );
    assert_eq!(
        taken(Filter {
            min_plies: Some(4),
            ..some
        }),
        2
    );
}

#[test]
fn damage_is_noticed_wherever_it_is() {
    let folder = tempfile::tempdir().expect("a folder");
    let path: PathBuf = folder.path().join("all.sequences");
    gather(&path, Filter::default(), None, 1);
    let bytes = std::fs::read(&path).expect("a file");
    for at in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1;
        std::fs::write(&path, &damaged).expect("written");
        SequenceFile::open(&path).expect_err("damage");
        std::fs::write(&path, &bytes[..at]).expect("written");
        SequenceFile::open(&path).expect_err("a torn file");
    }
    // A correct checksum does not help either.
    for at in 0..bytes.len() - blake3::OUT_LEN {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x55;
        let end = bytes.len() - blake3::OUT_LEN;
        let checksum = blake3::hash(&damaged[..end]);
        damaged[end..].copy_from_slice(checksum.as_bytes());
        std::fs::write(&path, &damaged).expect("written");
        let Ok(file) = SequenceFile::open(&path) else {
            continue;
        };
        let mut game = SequenceGame::default();
        for number in 0..file.games() {
            if file.read(number, &mut game).is_ok() {
                let _ = game.replay(|_, _| {});
            }
        }
    }
}

#[test]
fn a_header_that_promises_more_moves_than_there_is_room_for_is_damaged() {
    let folder = tempfile::tempdir().expect("a folder");
    let path: PathBuf = folder.path().join("all.sequences");
    gather(&path, Filter::default(), None, 1);
    let mut bytes = std::fs::read(&path).expect("a file");
    let end = bytes.len() - blake3::OUT_LEN;
    for plies in [u64::MAX, bytes.len() as u64 / 2] {
        bytes[24..32].copy_from_slice(&plies.to_le_bytes());
        let checksum = blake3::hash(&bytes[..end]);
        bytes[end..].copy_from_slice(checksum.as_bytes());
        std::fs::write(&path, &bytes).expect("written");
        let error = SequenceFile::open(&path).expect_err("damage").to_string();
        assert!(error.ends_with("it is damaged: create it again"), "{error}");
    }
}

#[test]
fn every_game_comes_once_in_an_epoch_and_in_another_order_in_each() {
    for games in [1, 2, 3, 10, 100, 1000] {
        let order = GameOrder::new(games, 7, 5, Held::Nothing);
        let epoch = |epoch: u64| -> Vec<u64> {
            let batches = order.batches() * epoch..order.batches() * (epoch + 1);
            batches.flat_map(|number| order.batch(number)).collect()
        };
        for number in 0..3 {
            let games_of_epoch: BTreeSet<u64> = epoch(number).into_iter().collect();
            assert!(games_of_epoch.into_iter().eq(0..games));
        }
        if games >= 10 {
            assert_ne!(epoch(0), epoch(1));
            let other = GameOrder::new(games, 7, 6, Held::Nothing);
            assert_ne!(epoch(0)[..7], other.batch(0).collect::<Vec<_>>());
        }
    }
}

#[test]
fn held_games_are_the_same_for_any_seed_and_never_learned_from() {
    let all = |seed: u64, held: Held| -> BTreeSet<u64> {
        let order = GameOrder::new(10_000, 32, seed, held);
        (0..order.batches())
            .flat_map(|number| order.batch(number))
            .collect()
    };
    let held = all(1, Held::Only(0.01));
    assert_eq!(held, all(2, Held::Only(0.01)));
    assert!((70..130).contains(&held.len()), "{}", held.len());
    let others = all(3, Held::Without(0.01));
    assert!(held.is_disjoint(&others));
    assert_eq!(held.len() + others.len(), 10_000);
}

#[test]
fn who_resigned_is_neither_mated_nor_out_of_time() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("all.sequences");
    gather(&path, Filter::default(), None, 1);
    let (_, games) = read(&path);
    let mated = &games[2];
    assert_eq!(
        (mated.outcome, mated.resigned_at()),
        (Some(Outcome::BlackWins), None)
    );
    let mut game = games[0].clone();
    game.moves.pop();
    assert_eq!(game.resigned_at(), None);
    game.lost_on_time = false;
    assert_eq!(game.resigned_at(), Some(5));
    game.outcome = Some(Outcome::Draw);
    assert_eq!(game.resigned_at(), None);
}
