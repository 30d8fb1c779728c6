//! Players who fail: each loses for a named reason.

use crate::scripted::{Scripted, answer, game, quiet, quiet_move};
use arena::game::{Played, Reason, Rules, Side, play};
use chess::{Board, Color, Game, Move, squares};
use engines::recipe::{Pace, Seconds};
use engines::{Answer, Failure, Limits, Player, Report, StopSignal};
use std::time::Duration;

const QUIET: &str = "4k2r/p7/p7/8/8/P7/P7/4K2R w - - 0 20";

/// A game that Black spoils with its second move.
fn spoilt(failure: impl Fn(&Game) -> Result<Answer, Failure> + Send) -> Played {
    let mut black = Scripted(move |position: &Game| match position.moves().len() {
        3 => failure(position),
        _ => Ok(answer(quiet_move(position), None)),
    });
    game(QUIET, &mut quiet(|_| None), &mut black, &Rules::default())
}

#[test]
fn every_failure_loses_for_its_reason() {
    let broken = |failure: Failure| spoilt(move |_| Err(failure.clone()));
    let nothing = |game: &Game| {
        let best = None;
        Ok(Answer {
            best,
            ..answer(quiet_move(game), None)
        })
    };
    let illegal = |_: &Game| Ok(answer(Move::normal(squares::A1, squares::A8), None));
    for (played, reason, detail) in [
        (
            broken(Failure::Crashed("signal 9".to_owned())),
            Reason::Crash,
            "crashed: signal 9",
        ),
        (
            broken(Failure::Stalled(Duration::from_secs(60))),
            Reason::Stall,
            "did not answer within 60.0s",
        ),
        (
            broken(Failure::IllegalMove("a1a8".to_owned())),
            Reason::IllegalMove,
            "played the illegal move a1a8",
        ),
        (
            broken(Failure::NoMove("bestmove".to_owned())),
            Reason::NoMove,
            "answered without a move: bestmove",
        ),
        (spoilt(nothing), Reason::NoMove, "answered without a move"),
        (
            spoilt(illegal),
            Reason::IllegalMove,
            "played the illegal move a1a8",
        ),
    ] {
        assert_eq!((played.outcome.as_str(), played.reason), ("1-0", reason));
        assert_eq!(played.detail.as_deref(), Some(detail));
        assert_eq!(played.broken, Some(Color::Black), "{reason:?}");
        assert_eq!(played.game.moves().len(), 3);
        assert!(reason.is_failure());
    }
}

struct NeverReady;

impl Player for NeverReady {
    fn new_game(&mut self, _seed: u64) -> Result<(), Failure> {
        Err(Failure::Stalled(Duration::from_secs(10)))
    }

    fn choose(
        &mut self,
        _: &Game,
        _: &Limits,
        _: &StopSignal,
        _: &mut dyn FnMut(&Report),
    ) -> Result<Answer, Failure> {
        unreachable!("the game never begins")
    }
}

#[test]
fn who_is_not_ready_for_a_game_loses_it() {
    let (mut white, mut black) = (quiet(|_| None), NeverReady);
    let played = game(QUIET, &mut white, &mut black, &Rules::default());
    assert_eq!(
        (played.outcome.as_str(), played.reason),
        ("1-0", Reason::Stall)
    );
    assert_eq!(played.game.moves().len(), 0);
}

/// A game in which White's first move takes at least 30 ms of its 1 ms.
fn late(answers: bool, clock: bool) -> Played {
    let mut white = Scripted(move |position: &Game| {
        std::thread::sleep(Duration::from_millis(30));
        if answers {
            Ok(answer(quiet_move(position), None))
        } else {
            Err(Failure::Stalled(Duration::from_millis(30)))
        }
    });
    let timed = Pace {
        clock: clock.then(|| "0.001".parse().expect("a time control")),
        move_time: (!clock).then_some(Seconds(Duration::from_millis(1))),
        margin: Seconds(Duration::from_millis(5)),
        ..Pace::nodes(1)
    };
    let untimed = Pace::nodes(1);
    play(
        Side {
            player: &mut white,
            pace: &timed,
            seed: 0,
        },
        Side {
            player: &mut quiet(|_| None),
            pace: &untimed,
            seed: 1,
        },
        Game::new(Board::from_fen(QUIET).expect("a position")),
        &Rules::default(),
        &StopSignal::new(),
    )
    .expect("nobody stopped it")
}

#[test]
fn late_moves_lose_on_time() {
    for clock in [true, false] {
        let played = late(true, clock);
        assert_eq!(
            (played.outcome.as_str(), played.reason),
            ("0-1", Reason::Time)
        );
        assert_eq!(played.broken, None, "it can play on");
        assert!(played.thoughts.is_empty(), "the move does not count");
        let hung = late(false, clock);
        assert_eq!((hung.outcome.as_str(), hung.reason), ("0-1", Reason::Time));
        assert_eq!(hung.broken, Some(Color::White), "it was killed");
    }
}

#[test]
fn a_stopped_game_is_none() {
    let stop = StopSignal::new();
    let signal = stop.clone();
    let mut white = Scripted(move |position: &Game| {
        if position.moves().len() == 4 {
            signal.stop();
        }
        Ok(answer(quiet_move(position), None))
    });
    let pace = Pace::nodes(1);
    let played = play(
        Side {
            player: &mut white,
            pace: &pace,
            seed: 0,
        },
        Side {
            player: &mut quiet(|_| None),
            pace: &pace,
            seed: 0,
        },
        Game::new(Board::start()),
        &Rules::default(),
        &stop,
    );
    assert!(played.is_none());
}
