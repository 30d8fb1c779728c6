//! Many games at once: the same whatever the concurrency, counted in order.

use crate::scripted::{Scripted, answer, quiet_move};
use arena::game::{Endings, Outcome, Reason, Rules};
use arena::journal::GameLine;
use arena::ledger::{GameResult, Ledger};
use arena::schedule::{Fixture, Format, Schedule};
use arena::statistics::{Model, Sprt, Trinomial};
use arena::verdict::{Criteria, Verdict};
use arena::workers::{Contestant, Received, Work};
use chess::{Board, Game};
use engines::recipe::{Pace, PlayerSettings, PlayerSpec, resolve};
use engines::{Failure, Player, StopSignal};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use work::{Dispatcher, Stopping, Threads};

/// Every two plies from the start.
fn opening(number: usize) -> Game {
    let mut game = Game::new(Board::start());
    for pick in [number % 20, number / 20 % 20] {
        let mv = game.board().legal_moves()[pick];
        game.play(mv).expect("a legal move");
    }
    game
}

fn work<'a, C: Contestant>(
    contestants: &'a [C],
    fixture: &'a (dyn Fn(usize) -> Fixture + Sync),
    rules: &'a Rules,
    dispatcher: &'a dyn Dispatcher,
) -> Work<'a, C> {
    Work {
        contestants,
        fixture,
        opening: &opening,
        rules,
        dispatcher,
        prepare: &|_| {},
        stopping: Stopping::GiveUp,
    }
}

fn specs() -> Vec<PlayerSpec> {
    let players = [
        "name=a nodes=300",
        "name=b nodes=150",
        "name=c depth=2 hash=1",
    ]
    .map(|line| PlayerSettings::from_words(line).expect("settings"));
    resolve(players.to_vec(), &PlayerSettings::default()).expect("players")
}

/// Everything of a game but its times.
fn essence(game: &GameLine) -> String {
    let mut value = serde_json::to_value(game).expect("JSON");
    let fields = value.as_object_mut().expect("an object");
    for time in ["started", "milliseconds", "times"] {
        assert!(fields.remove(time).is_some(), "{time}");
    }
    value.to_string()
}

#[test]
fn concurrency_changes_no_game() {
    let specs = specs();
    let schedule = Schedule::new(3, Format::RoundRobin, 4).expect("a schedule");
    let rules = Rules {
        endings: Endings {
            horizon: Some(60),
            ..Endings::default()
        },
        oracle: None,
    };
    let play = |concurrency| {
        let mut games = vec![String::new(); schedule.games()];
        let fixture = |index| schedule.fixture(index);
        work(&specs, &fixture, &rules, &Threads::new(concurrency))
            .play(0..schedule.games(), &StopSignal::new(), &mut |received| {
                let Some(Received { game, line }) = received else {
                    return ControlFlow::Continue(());
                };
                assert_eq!(serde_json::to_vec(&game).expect("JSON"), line);
                games[game.index] = essence(&game);
                ControlFlow::Continue(())
            })
            .expect("workers start");
        games
    };
    let one = play(1);
    assert!(one.iter().all(|game| !game.is_empty()), "every game ended");
    assert_eq!(one, play(2));
    assert_eq!(one, play(4));
}

#[test]
fn nothing_is_received_after_a_break() {
    let specs = specs();
    let schedule = Schedule::new(2, Format::RoundRobin, 1000).expect("a schedule");
    let rules = Rules::default();
    let fixture = |index| schedule.fixture(index);
    let mut received = 0;
    work(&specs, &fixture, &rules, &Threads::new(2))
        .play(0..schedule.games(), &StopSignal::new(), &mut |finished| {
            received += usize::from(finished.is_some());
            match received {
                3 => ControlFlow::Break(()),
                _ => ControlFlow::Continue(()),
            }
        })
        .expect("workers start");
    assert_eq!(received, 3);
}

#[test]
fn a_signal_stops_all_games() {
    let specs = specs();
    let schedule = Schedule::new(2, Format::RoundRobin, 1_000_000).expect("a schedule");
    let rules = Rules::default();
    let fixture = |index| schedule.fixture(index);
    let stop = StopSignal::new();
    let mut received = 0;
    work(&specs, &fixture, &rules, &Threads::new(2))
        .play(0..schedule.games(), &stop, &mut |finished| {
            received += usize::from(finished.is_some());
            stop.stop();
            ControlFlow::Continue(())
        })
        .expect("workers start");
    assert!(received < 100, "{received} games");
}

/// A contestant that is different each time it is started, or always well.
struct Fragile {
    pace: Pace,
    is_well: bool,
    starts: AtomicUsize,
}

impl Contestant for Fragile {
    fn name(&self) -> &str {
        "fragile"
    }

    fn pace(&self) -> &Pace {
        &self.pace
    }

    fn start(&self) -> Result<Box<dyn Player>, String> {
        let start = self.starts.fetch_add(1, Ordering::Relaxed);
        if start == 2 && !self.is_well {
            return Err("the file is gone".to_owned());
        }
        let is_well = self.is_well || start > 2;
        Ok(Box::new(Scripted(move |game: &Game| {
            match game.moves().len() {
                4 | 5 if is_well => {}
                4 | 5 if start == 0 => return Err(Failure::Crashed("signal 9".to_owned())),
                4 | 5 => panic!("a mistake that the test wants"),
                _ => {}
            }
            Ok(answer(quiet_move(game), None))
        })))
    }
}

#[test]
fn games_in_play_can_be_finished_before_a_stop() {
    let specs = specs();
    let schedule = Schedule::new(2, Format::RoundRobin, 1000).expect("a schedule");
    let rules = Rules::default();
    let fixture = |index| schedule.fixture(index);
    let stop = StopSignal::new();
    let mut received = Vec::new();
    let threads = Threads::new(2);
    let work = Work {
        stopping: Stopping::Finish,
        ..work(&specs, &fixture, &rules, &threads)
    };
    work.play(0..schedule.games(), &stop, &mut |finished| {
        if let Some(finished) = finished {
            received.push(finished.game.index);
            stop.stop();
        }
        ControlFlow::Continue(())
    })
    .expect("workers start");
    // Each worker had a game, and may have begun another before it heard.
    received.sort_unstable();
    let count = received.len();
    assert!((2..=4).contains(&count), "{received:?}");
    assert_eq!(
        received,
        (0..count).collect::<Vec<_>>(),
        "none was given up"
    );
}

#[test]
fn a_broken_player_is_started_again() {
    let contestants = [false, true].map(|is_well| Fragile {
        pace: Pace::nodes(1),
        is_well,
        starts: AtomicUsize::new(0),
    });
    let schedule = Schedule::new(2, Format::RoundRobin, 8).expect("a schedule");
    let rules = Rules {
        endings: Endings {
            horizon: Some(10),
            ..Endings::default()
        },
        oracle: None,
    };
    let fixture = |index| schedule.fixture(index);
    let mut ends = Vec::new();
    let rooks = Board::from_fen("4k2r/p7/p7/8/8/P7/P7/4K2R w - - 0 20").expect("a position");
    let threads = Threads::new(1);
    let work = Work {
        opening: &|_| Game::new(rooks),
        ..work(&contestants, &fixture, &rules, &threads)
    };
    work.play(0..8, &StopSignal::new(), &mut |received| {
        let Some(Received { game, .. }) = received else {
            return ControlFlow::Continue(());
        };
        let detail = game.detail.unwrap_or_default();
        ends.push(format!("{} {:?} {detail}", game.result, game.reason));
        ControlFlow::Continue(())
    })
    .expect("workers start");
    assert_eq!(
        ends[..3],
        [
            "0-1 Crash crashed: signal 9",
            "1-0 Crash crashed: an internal error",
            "0-1 Crash the file is gone",
        ]
    );
    assert_eq!(ends[3..], ["1/2-1/2 Horizon "; 5]);
    let starts = contestants.map(|contestant| contestant.starts.into_inner());
    assert_eq!(starts, [4, 1]);
}

fn result(outcome: Outcome) -> GameResult {
    GameResult {
        outcome,
        reason: Reason::Checkmate,
    }
}

#[test]
fn pairs_count_in_order_only() {
    let schedule = Schedule::new(2, Format::RoundRobin, 8).expect("a schedule");
    let mut ledger = Ledger::new(schedule, 2);
    let white = result(Outcome::WhiteWins);
    for index in [3, 2, 7, 0] {
        ledger.enter(index, white);
        assert!(!ledger.count_next(), "game 1 is missing");
    }
    assert_eq!((ledger.pairs(), ledger.games()), (0, 4));
    ledger.enter(1, result(Outcome::BlackWins));
    assert!(ledger.count_next());
    assert_eq!(ledger.meetings()[0].five(), [0, 0, 0, 0, 1]);
    assert!(ledger.count_next());
    assert!(!ledger.count_next(), "the third pair has not begun");
    assert_eq!(ledger.meetings()[0].win_loss, 1);
    assert_eq!((ledger.pairs(), ledger.games()), (2, 5));
    // What is told twice counts once.
    ledger.enter(0, white);
    assert_eq!(ledger.games(), 5);
    let games = |losses, draws, wins| Trinomial {
        losses,
        draws,
        wins,
    };
    assert_eq!(
        ledger.pairings().collect::<Vec<_>>(),
        [(0, 1, games(0, 0, 2)), (1, 0, games(1, 0, 1))]
    );
}

#[test]
fn failures_are_counted_against_the_loser() {
    let schedule = Schedule::new(2, Format::RoundRobin, 100).expect("a schedule");
    let mut ledger = Ledger::new(schedule, 2);
    let criteria = Criteria {
        sprt: None,
        most_failures: 3,
    };
    let mut verdicts = Vec::new();
    for pair in 0..2 {
        // Player 1 fails as Black and as White.
        for (index, outcome, reason) in [
            (2 * pair, Outcome::WhiteWins, Reason::Time),
            (2 * pair + 1, Outcome::BlackWins, Reason::Crash),
        ] {
            ledger.enter(index, GameResult { outcome, reason });
        }
        assert!(ledger.count_next());
        verdicts.push(criteria.verdict(&ledger));
    }
    let failures = Verdict::Failures {
        player: 1,
        failures: 4,
    };
    assert_eq!(verdicts, [None, Some(failures)]);
    assert_eq!(ledger.failures(1)[&Reason::Time], 2);
    assert!(ledger.failures(0).is_empty());
}

/// The verdict, and the pair at which it came, when games end in this order.
fn test_of(order: impl Iterator<Item = usize>) -> (Verdict, usize, usize) {
    let schedule = Schedule::new(2, Format::RoundRobin, 2000).expect("a schedule");
    let mut ledger = Ledger::new(schedule, 2);
    let sprt = Sprt::new(0.0, 40.0, 0.05, 0.05, Model::Normalized).expect("a test");
    let criteria = Criteria {
        sprt: Some(sprt),
        most_failures: 10,
    };
    for (told, index) in order.enumerate() {
        // Pairs are won by the first player more often than lost.
        let outcome = match (index / 2 % 5, index % 2) {
            (0 | 1, 0) => Outcome::WhiteWins,
            (2, 1) => Outcome::WhiteWins,
            _ => Outcome::Draw,
        };
        ledger.enter(index, result(outcome));
        while ledger.count_next() {
            if let Some(verdict) = criteria.verdict(&ledger) {
                return (verdict, ledger.pairs(), told);
            }
        }
    }
    panic!("no verdict");
}

#[test]
fn the_order_in_which_games_end_does_not_change_the_verdict() {
    let (verdict, pairs, _) = test_of(0..2000);
    assert_eq!(verdict, Verdict::Accepted);
    // Blocks of 16 games end backwards: never in order, as with 16 workers.
    let backwards = (0..2000).map(|index| index / 16 * 16 + 15 - index % 16);
    let (late_verdict, late_pairs, told) = test_of(backwards);
    assert_eq!((late_verdict, late_pairs), (verdict, pairs));
    // The winning games all come first: looked at as they come, they would
    // have decided long before.
    let mut winners_first: Vec<usize> = (0..2000).collect();
    winners_first.sort_by_key(|&index| (index / 2 % 5 > 1, index));
    let (late_verdict, late_pairs, late_told) = test_of(winners_first.into_iter());
    assert_eq!((late_verdict, late_pairs), (verdict, pairs));
    assert!(late_told > told, "it had to wait for the others");
}
