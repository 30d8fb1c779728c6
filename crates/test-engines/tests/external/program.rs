//! Starts bad engines, and asks them for moves.

use chess::{Board, Game};
use engines::external::{External, ProgramOptions};
use engines::{Answer, Failure, Limits, Player, StopSignal};
use std::time::Duration;

/// A bad engine of this mode, treated as usual.
pub(crate) fn options(mode: &str) -> ProgramOptions {
    let mut options = ProgramOptions::new(env!("CARGO_BIN_EXE_badengine"));
    options.arguments = mode.split(' ').map(str::to_owned).collect();
    options
}

/// One whose searches need not be waited for: they will not be answered.
pub(crate) fn impatient(mode: &str) -> ProgramOptions {
    ProgramOptions {
        search_patience: Duration::from_millis(200),
        margin: Duration::from_millis(100),
        ..options(mode)
    }
}

pub(crate) fn start(options: ProgramOptions) -> External {
    External::start(options).expect("it starts")
}

/// Asks for a move of a game.
pub(crate) fn choose(
    player: &mut External,
    game: &Game,
    limits: &Limits,
) -> Result<Answer, Failure> {
    player.choose(game, limits, &StopSignal::new(), &mut |_| {})
}

/// Asks for the first move.
pub(crate) fn first_move(player: &mut External, limits: &Limits) -> Result<Answer, Failure> {
    choose(player, &Game::new(Board::start()), limits)
}
