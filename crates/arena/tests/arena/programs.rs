//! Programs that break their promises: each loses for the stated reason, is
//! started again, and the match goes on.

use arena::game::{Endings, Reason, Rules};
use arena::schedule::{Format, Schedule};
use arena::workers::{Received, Work};
use chess::{Board, Game};
use engines::StopSignal;
use engines::recipe::{PlayerSettings, PlayerSpec, resolve};
use std::ops::ControlFlow;
use work::{Stopping, Threads};

/// A player inside, and a bad engine with these settings.
fn players(mode: &str, settings: &str) -> Vec<PlayerSpec> {
    let words = mode.split(' ').map(|word| format!(" arg={word}"));
    let arguments: String = words.collect();
    let program = test_engines::badengine();
    let bad = format!("name=bad cmd='{}'{arguments} {settings}", program.display());
    let players = ["name=good depth=1 hash=1", &bad]
        .map(|line| PlayerSettings::from_words(line).expect("settings"));
    resolve(players.to_vec(), &PlayerSettings::default()).expect("players")
}

/// Who won, why, and the words to it, of one pair after another.
fn play(mode: &str, settings: &str, games: u64) -> Vec<(&'static str, Reason, String)> {
    let specs = players(mode, settings);
    let schedule = Schedule::new(2, Format::RoundRobin, games).expect("a schedule");
    let rules = Rules {
        endings: Endings {
            horizon: Some(12),
            ..Endings::default()
        },
        oracle: None,
    };
    let work = Work {
        contestants: &specs,
        fixture: &|index| schedule.fixture(index),
        opening: &|_| Game::new(Board::start()),
        rules: &rules,
        dispatcher: &Threads::new(1),
        prepare: &|_| {},
        stopping: Stopping::GiveUp,
    };
    let mut ends = Vec::new();
    work.play(0..schedule.games(), &StopSignal::new(), &mut |received| {
        if let Some(Received { game, .. }) = received {
            let winner = match (game.result.winner(), game.white.as_str()) {
                (None, _) => "nobody",
                (Some(chess::Color::White), "good") | (Some(chess::Color::Black), "bad") => "good",
                _ => "bad",
            };
            ends.push((winner, game.reason, game.detail.unwrap_or_default()));
        }
        ControlFlow::Continue(())
    })
    .expect("workers start");
    ends
}

#[test]
fn every_broken_promise_loses_for_its_reason() {
    let quick = "st=0.05 margin=0.05";
    let impatient = "nodes=10 patience=0.1";
    for (mode, settings, reason, words) in [
        ("crash 3", "nodes=10", Reason::Crash, "crashed: "),
        ("exit 2", "nodes=10", Reason::Crash, "3"),
        ("close 2", impatient, Reason::Crash, "crashed: "),
        (
            "hang-go",
            impatient,
            Reason::Stall,
            "did not answer within 100.0ms",
        ),
        ("hang-go", quick, Reason::Time, " ms too late"),
        (
            "illegal 2",
            "nodes=10",
            Reason::IllegalMove,
            "illegal move ",
        ),
        ("no-move", "nodes=10", Reason::NoMove, "without a move"),
        ("garbage", "nodes=10", Reason::IllegalMove, ""),
        ("flood-lines", impatient, Reason::Stall, "did not answer"),
        ("flood-line", impatient, Reason::Stall, "did not answer"),
        ("flood-lines", quick, Reason::Time, " ms too late"),
        ("late 200", quick, Reason::Time, " ms too late"),
        ("ignores-nodes", impatient, Reason::Stall, "did not answer"),
    ] {
        let ends = play(mode, settings, 2);
        assert_eq!(ends.len(), 2, "the match goes on: {mode}");
        for (winner, found, detail) in ends {
            assert_eq!((winner, found), ("good", reason), "{mode}: {detail}");
            assert!(detail.contains(words), "{mode}: {detail}");
        }
    }
}

#[test]
fn odd_programs_that_play_are_let_play() {
    for mode in [
        "correct",
        "complain 3",
        "slow-start 50",
        "flood-lines 1000",
        "late 20",
        "sloppy",
        "stays",
        "exceeds-nodes 3",
    ] {
        let ends = play(mode, "nodes=10", 2);
        let horizon = ("nobody", Reason::Horizon, String::new());
        assert_eq!(ends, [horizon.clone(), horizon], "{mode}");
    }
}

#[test]
fn programs_are_tried_out_before_the_first_game() {
    let try_out = |mode: &str, settings: &str| {
        let tried = players(mode, settings)[1].try_out();
        tried.map_err(|error| error.to_string())
    };
    assert_eq!(try_out("correct", "nodes=100"), Ok(Vec::new()));
    let ignores = try_out("ignores-nodes", "nodes=100").expect("it starts");
    assert_eq!(ignores.len(), 1, "{ignores:?}");
    assert!(
        ignores[0].starts_with("player 'bad': it ignores the node limit"),
        "{ignores:?}"
    );
    let exceeds = try_out("exceeds-nodes 5", "nodes=100").expect("it starts");
    assert!(
        exceeds[0].starts_with("player 'bad': it used 500 nodes although the limit is 100"),
        "{exceeds:?}"
    );
    // Where nodes do not matter, nobody asks.
    assert_eq!(try_out("ignores-nodes", "nodes=100 st=1"), Ok(Vec::new()));
    let unknown = try_out("correct", "nodes=100 option.Nonsense=1").expect("it starts");
    assert!(unknown[0].contains("Nonsense"), "{unknown:?}");
    let ended = try_out("joho", "nodes=100").expect_err("an unknown mode");
    assert!(ended.contains("ended before it answered 'uci'"), "{ended}");
    assert_eq!(players("correct", "st=1")[0].try_out(), Ok(Vec::new()));
}
