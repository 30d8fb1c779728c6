//! Players that do as a test tells them.

use arena::game::{Played, Rules, Side, play};
use chess::{Board, Game, Move};
use engines::recipe::Pace;
use engines::score::Score;
use engines::{Answer, Failure, Limits, Player, Report, ScoreBound, StopSignal};
use std::time::Duration;

/// A player whose moves come from a function of the game.
pub(crate) struct Scripted<F>(pub(crate) F);

impl<F: FnMut(&Game) -> Result<Answer, Failure> + Send> Player for Scripted<F> {
    fn new_game(&mut self, _seed: u64) -> Result<(), Failure> {
        Ok(())
    }

    fn choose(
        &mut self,
        game: &Game,
        _: &Limits,
        _: &StopSignal,
        report: &mut dyn FnMut(&Report),
    ) -> Result<Answer, Failure> {
        let answer = (self.0)(game)?;
        if answer.depth > 0 {
            report(&told(&answer));
        }
        Ok(answer)
    }
}

/// What a player with this answer reports before.
fn told(answer: &Answer) -> Report {
    Report {
        depth: answer.depth,
        selective_depth: answer.depth,
        rank: 1,
        score: answer.score,
        bound: ScoreBound::Exact,
        wdl: [0, 1000, 0],
        nodes: answer.nodes,
        time: Duration::ZERO,
        table_fill: 0,
        tablebase_hits: 0,
        line: answer.best.into_iter().collect(),
    }
}

/// An answer with a move and a score for the side that moves; without a score
/// there is no report.
pub(crate) fn answer(best: Move, score: Option<Score>) -> Answer {
    Answer {
        depth: u32::from(score.is_some()),
        nodes: 1,
        ..Answer::new(Some(best), score.unwrap_or(Score::Centipawns(0)))
    }
}

/// A move that neither captures, nor moves a pawn, nor repeats a position.
pub(crate) fn quiet_move(game: &Game) -> Move {
    let board = game.board();
    let is_new = |mv: Move| {
        let child = board.after(mv);
        let earlier = game.line().boards();
        child.halfmove_clock() > 0 && earlier.iter().all(|board| !board.same_position(&child))
    };
    let moves = board.legal_moves();
    let found = moves.iter().copied().find(|&mv| is_new(mv));
    found.expect("a quiet move")
}

/// A player who makes quiet moves and tells `score`, given the number of plies
/// played.
pub(crate) fn quiet(
    score: impl Fn(usize) -> Option<Score> + Send,
) -> Scripted<impl FnMut(&Game) -> Result<Answer, Failure> + Send> {
    Scripted(move |game: &Game| Ok(answer(quiet_move(game), score(game.moves().len()))))
}

/// A player who makes these moves, in coordinates.
pub(crate) fn reader(
    moves: &'static [&'static str],
) -> Scripted<impl FnMut(&Game) -> Result<Answer, Failure> + Send> {
    Scripted(move |game: &Game| {
        let text = moves[game.moves().len() / 2];
        let best = game.board().parse_uci(text).expect("a legal move");
        Ok(answer(best, None))
    })
}

/// Plays a game from a position.
pub(crate) fn game(
    fen: &str,
    white: &mut dyn Player,
    black: &mut dyn Player,
    rules: &Rules,
) -> Played {
    let board = Board::from_fen(fen).expect("a position");
    let pace = Pace::nodes(1);
    play(
        Side {
            player: white,
            pace: &pace,
            seed: 0,
        },
        Side {
            player: black,
            pace: &pace,
            seed: 1,
        },
        Game::new(board),
        rules,
        &StopSignal::new(),
    )
    .expect("nobody stopped it")
}
