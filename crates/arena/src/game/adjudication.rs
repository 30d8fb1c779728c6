//! Adjudication: ends games by the players' scores, by tablebases or at the horizon.
//!
//! It gets every move with its score; it must not know players or clocks.

use super::endings::{AtHorizon, DrawRule, Endings, ResignRule};
use super::outcome::{Outcome, Reason};
use chess::{Board, Color, Game, PieceKind};
use engines::score::Score;
use engines::tablebase::{TablebaseError, Tablebases, Verdict};
use std::fmt;
use std::sync::Arc;

/// Piece values for the horizon, in centipawns.
const MATERIAL: [(PieceKind, u32); 5] = [
    (PieceKind::Pawn, 100),
    (PieceKind::Knight, 300),
    (PieceKind::Bishop, 300),
    (PieceKind::Rook, 500),
    (PieceKind::Queen, 900),
];

/// The score, in centipawns, from which a game that ends at the horizon is a win.
const CLEAR_SCORE: i32 = 100;

/// Gives the result of some positions, for the side to move.
pub type Oracle = Arc<dyn Fn(&Board) -> Option<Verdict> + Send + Sync>;

/// The rules of adjudication, ready to be applied.
#[derive(Clone, Default)]
pub struct Rules {
    /// The settings.
    pub endings: Endings,
    /// The source of known results.
    pub oracle: Option<Oracle>,
}

impl fmt::Debug for Rules {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Rules")
            .field("endings", &self.endings)
            .finish_non_exhaustive()
    }
}

impl Rules {
    /// Opens the tablebases, if the settings name any.
    pub fn open(endings: Endings) -> Result<Rules, TablebaseError> {
        let Some(folders) = &endings.syzygy else {
            return Ok(Rules {
                endings,
                oracle: None,
            });
        };
        let tables = Tablebases::open(folders, endings.syzygy_men.unwrap_or(usize::MAX))?;
        Ok(Rules {
            endings,
            oracle: Some(Arc::new(move |board| tables.verdict_after_zeroing(board))),
        })
    }
}

/// The state of adjudication in one game.
pub(crate) struct Adjudicator<'a> {
    rules: &'a Rules,
    plies: u32,
    /// Plies in a row with a small score and without a capture or pawn move.
    level: u32,
    /// For each side, moves in a row in which it saw itself lost.
    lost: [u32; 2],
    /// Plies in a row in which both sides saw the same side winning.
    agreed: u32,
    favourite: Option<Color>,
}

impl<'a> Adjudicator<'a> {
    pub(crate) fn new(rules: &'a Rules) -> Adjudicator<'a> {
        Adjudicator {
            rules,
            plies: 0,
            level: 0,
            lost: [0; 2],
            agreed: 0,
            favourite: None,
        }
    }

    /// Judges the position after a move that did not end the game by the rules of chess.
    pub(crate) fn judge(
        &mut self,
        game: &Game,
        mover: Color,
        score: Option<Score>,
    ) -> Option<(Outcome, Reason)> {
        self.plies += 1;
        let value = score.map(value);
        let endings = &self.rules.endings;
        self.by_tablebase(game.board())
            .or_else(|| self.by_resignation(endings.resign.as_ref()?, mover, value))
            .or_else(|| self.by_level_scores(endings.draw.as_ref()?, game.board(), value))
            .or_else(|| self.by_horizon(game.board(), mover, value))
    }

    fn by_tablebase(&self, board: &Board) -> Option<(Outcome, Reason)> {
        let oracle = self.rules.oracle.as_ref()?;
        let to_move = board.side_to_move();
        let winner = match oracle(board)? {
            Verdict::Win => Some(to_move),
            Verdict::Draw => None,
            Verdict::Loss => Some(!to_move),
        };
        Some((Outcome::of(winner), Reason::Tablebase))
    }

    fn by_resignation(
        &mut self,
        rule: &ResignRule,
        mover: Color,
        value: Option<i32>,
    ) -> Option<(Outcome, Reason)> {
        let sees_winner = match value {
            Some(value) if value >= rule.score => Some(mover),
            Some(value) if value <= -rule.score => Some(!mover),
            _ => None,
        };
        let lost = &mut self.lost[mover.index()];
        *lost = if sees_winner == Some(!mover) {
            *lost + 1
        } else {
            0
        };
        self.agreed = match sees_winner {
            None => 0,
            seen if seen == self.favourite => self.agreed + 1,
            Some(_) => 1,
        };
        self.favourite = sees_winner;
        let is_over = if rule.twosided {
            self.agreed >= 2 * rule.movecount
        } else {
            *lost >= rule.movecount
        };
        is_over.then(|| (Outcome::of(sees_winner), Reason::Resignation))
    }

    fn by_level_scores(
        &mut self,
        rule: &DrawRule,
        board: &Board,
        value: Option<i32>,
    ) -> Option<(Outcome, Reason)> {
        let is_level = value.is_some_and(|value| value.abs() <= rule.score);
        // A capture or pawn move is an attempt to win.
        let is_quiet = board.halfmove_clock() > 0;
        self.level = if is_level && is_quiet {
            self.level + 1
        } else {
            0
        };
        let is_over = self.level >= 2 * rule.movecount
            && u32::from(board.fullmove_number()) >= rule.movenumber;
        is_over.then_some((Outcome::Draw, Reason::DrawByScore))
    }

    fn by_horizon(
        &self,
        board: &Board,
        mover: Color,
        value: Option<i32>,
    ) -> Option<(Outcome, Reason)> {
        let endings = &self.rules.endings;
        if self.plies < endings.horizon? {
            return None;
        }
        Some(match endings.at_horizon {
            AtHorizon::Draw => (Outcome::Draw, Reason::Horizon),
            AtHorizon::Material => (Outcome::of(heavier(board)), Reason::Material),
            AtHorizon::Score => (Outcome::of(favoured(mover, value)), Reason::Score),
        })
    }
}

/// A score as a number; a mate is beyond any other score.
fn value(score: Score) -> i32 {
    match score {
        Score::Centipawns(value) => value,
        Score::Mate(moves) if moves > 0 => i32::MAX,
        Score::Mate(_) => -i32::MAX,
    }
}

/// The side that is clearly better by the score of the side that moved.
fn favoured(mover: Color, value: Option<i32>) -> Option<Color> {
    match value? {
        value if value >= CLEAR_SCORE => Some(mover),
        value if value <= -CLEAR_SCORE => Some(!mover),
        _ => None,
    }
}

/// The side with more material.
fn heavier(board: &Board) -> Option<Color> {
    let worth = |color| -> u32 {
        MATERIAL
            .iter()
            .map(|&(kind, value)| board.pieces(color, kind).count() * value)
            .sum()
    };
    match worth(Color::White).cmp(&worth(Color::Black)) {
        std::cmp::Ordering::Greater => Some(Color::White),
        std::cmp::Ordering::Less => Some(Color::Black),
        std::cmp::Ordering::Equal => None,
    }
}
