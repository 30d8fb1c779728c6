//! Programs that do not answer, or only when they are told to.

use crate::program::{first_move, impatient, options, start};
use engines::{Clock, Failure, Limits, Player, StopSignal};
use std::thread;
use std::time::Duration;

const fn milliseconds(count: u64) -> Duration {
    Duration::from_millis(count)
}

fn clock(remaining: Duration) -> Limits {
    Limits {
        clock: Some(Clock {
            remaining,
            increment: Duration::ZERO,
            moves_to_go: None,
        }),
        ..Limits::default()
    }
}

#[test]
fn a_search_that_hangs_is_given_up_with_its_clock() {
    for (limits, patience) in [
        (clock(milliseconds(50)), 150),
        (Limits::move_time(milliseconds(20)), 120),
        (Limits::nodes(1), 200),
        (Limits::depth(1), 200),
    ] {
        let mut player = start(impatient("hang-go"));
        let stalled = Failure::Stalled(milliseconds(patience));
        assert_eq!(first_move(&mut player, &limits), Err(stalled));
        let Err(Failure::Crashed(_)) = first_move(&mut player, &limits) else {
            panic!("a player that failed plays on");
        };
    }
}

#[test]
fn a_player_plays_again_after_a_restart() {
    let mut player = start(options("illegal 1"));
    for _ in 0..2 {
        assert!(first_move(&mut player, &Limits::nodes(1)).is_err());
        player.restart().expect("it starts again");
        player.new_game(0).expect("it is ready");
    }
    let mut player = start(options("crash 2"));
    for _ in 0..3 {
        first_move(&mut player, &Limits::nodes(1)).expect("the first move is good");
        assert!(first_move(&mut player, &Limits::nodes(1)).is_err());
        player.restart().expect("it starts again");
    }
}

#[test]
fn a_late_answer_is_still_an_answer() {
    let mut late = options("late 150");
    late.margin = Duration::from_secs(30);
    let mut player = start(late);
    assert!(first_move(&mut player, &Limits::move_time(milliseconds(1))).is_ok());
}

#[test]
fn a_very_late_answer_is_none() {
    let mut player = start(impatient("late 100000"));
    let stalled = Failure::Stalled(milliseconds(101));
    let limits = Limits::move_time(milliseconds(1));
    assert_eq!(first_move(&mut player, &limits), Err(stalled));
}

#[test]
fn a_new_game_that_hangs_is_given_up() {
    let mut options = options("hang-isready 2");
    options.patience = Duration::from_secs(2);
    let mut player = start(options);
    let stalled = Failure::Stalled(Duration::from_secs(2));
    assert_eq!(player.new_game(0), Err(stalled));
}

#[test]
fn a_program_that_never_listens_does_not_make_us_wait() {
    let mut player = start(impatient("hang-go"));
    let game = {
        // Far more than a pipe holds.
        let mut game = chess::Game::new(chess::Board::start());
        for _ in 0..8000 {
            for text in ["g1f3", "g8f6", "f3g1", "f6g8"] {
                let mv = game.board().parse_uci(text).expect(text);
                game.push(mv);
            }
        }
        game
    };
    let limits = Limits::nodes(1);
    let stop = StopSignal::new();
    let stalled = Failure::Stalled(milliseconds(200));
    let failure = player.choose(&game, &limits, &stop, &mut |_| {});
    assert_eq!(failure, Err(stalled));
}

/// Stops a search a little after it began.
fn stop_soon(player: &mut engines::external::External) -> Result<engines::Answer, Failure> {
    let stop = StopSignal::new();
    let signal = stop.clone();
    thread::scope(|scope| {
        scope.spawn(move || {
            thread::sleep(milliseconds(50));
            signal.stop();
        });
        let game = chess::Game::new(chess::Board::start());
        player.choose(&game, &Limits::default(), &stop, &mut |_| {})
    })
}

#[test]
fn a_search_without_limits_ends_when_it_is_stopped() {
    let mut player = start(impatient("correct"));
    for _ in 0..2 {
        assert!(stop_soon(&mut player).is_ok_and(|answer| answer.best.is_some()));
    }
}

#[test]
fn whoever_ignores_the_stop_is_ended() {
    let mut player = start(options("ignores-stop"));
    let stalled = Failure::Stalled(Duration::from_secs(1));
    assert_eq!(stop_soon(&mut player), Err(stalled));
}
