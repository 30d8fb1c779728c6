//! From games to positions: the moves of the main line, with the scores in their
//! comments.
//!
//! Two kinds of comments are understood. `[%eval 0.25]` is the value for White of
//! the position after the move. `+0.25/12`, as this program and others write it
//! into the games of matches, is the mover's score of the position before the move.
//! A position without a score is marked as not for training; its move keeps the
//! chain together.

use chess::{Board, Color, Move};

use crate::{
    pgn::{Annotations, Ending, Score, Visitor, comment_text},
    position::{Outcome, Position},
    score,
};

/// Collects the positions of a game while it is replayed.
#[derive(Debug, Default)]
pub(crate) struct PositionGatherer {
    positions: Vec<Position>,
    /// How many variations are open.
    depth: usize,
    /// The score for White of the position after the latest move, by a comment.
    next: Option<i16>,
    first_ply: u16,
    plies: u16,
    is_finished: bool,
}

impl PositionGatherer {
    /// The positions of the game that was replayed last; empty if it has no result.
    pub(crate) fn positions(&self) -> &[Position] {
        match self.is_finished {
            true => &self.positions,
            false => &[],
        }
    }

    fn note(&mut self, comment: &str) {
        let annotations = Annotations::from(comment);
        if let Some(evaluation) = annotations.evaluation {
            self.next = Some(stored(evaluation.score));
        }
        let thought = thought(&annotations.text);
        if let (Some(thought), Some(latest)) = (thought, self.positions.last_mut()) {
            latest.score = thought;
        }
    }
}

/// A score from a comment as a stored score.
fn stored(value: Score) -> i16 {
    match value {
        Score::Centipawns(value) => score::from_centipawns(value),
        Score::Mate(moves) => score::from_mate(moves),
    }
}

/// The score at the start of a comment such as `+0.31/12 1234 0.050s`.
fn thought(text: &str) -> Option<i16> {
    let (value, rest) = text.split_once('/')?;
    if !rest.starts_with(|digit: char| digit.is_ascii_digit()) {
        return None;
    }
    let (sign, amount) = match value.split_at_checked(1)? {
        ("+", amount) => (1, amount),
        ("-", amount) => (-1, amount),
        _ => (1, value),
    };
    if let Some(moves) = amount.strip_prefix('M') {
        let moves: i32 = moves.parse().ok()?;
        return Some(score::from_mate(sign * moves));
    }
    let (pawns, hundredths) = amount.split_once('.')?;
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    if !is_number(pawns) || !is_number(hundredths) || hundredths.len() != 2 {
        return None;
    }
    let value: i32 = format!("{pawns}{hundredths}").parse().ok()?;
    Some(score::from_centipawns(sign * value))
}

impl Visitor for PositionGatherer {
    fn start(&mut self, board: &Board) -> std::ops::ControlFlow<()> {
        self.positions.clear();
        self.depth = 0;
        self.next = None;
        self.plies = 0;
        self.is_finished = false;
        let moves = board.fullmove_number().saturating_sub(1);
        self.first_ply = moves * 2 + board.side_to_move() as u16;
        std::ops::ControlFlow::Continue(())
    }

    fn play(&mut self, before: &Board, mv: Option<Move>) {
        if self.depth > 0 {
            return;
        }
        let value = self.next.take().unwrap_or(score::MARK);
        let is_turned = before.side_to_move() == Color::Black && value != score::MARK;
        if mv.is_some() {
            self.positions.push(Position {
                board: *before,
                mv,
                score: if is_turned { -value } else { value },
                // Known at the end.
                result: Outcome::Draw,
                ply: self.first_ply.saturating_add(self.plies),
            });
        }
        self.plies = self.plies.saturating_add(1);
    }

    fn comment(&mut self, text: &[u8]) {
        if self.depth == 0 {
            self.note(&comment_text(text));
        }
    }

    fn open(&mut self) {
        self.depth += 1;
    }

    fn close(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }

    fn end(&mut self, ending: &Ending) {
        let result = ending.result();
        self.is_finished = Outcome::of_game(result, Color::White).is_some();
        for position in &mut self.positions {
            let side = position.board.side_to_move();
            position.result = Outcome::of_game(result, side).unwrap_or(Outcome::Draw);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::{Games, Replayer};

    fn positions(game: &str) -> Vec<Position> {
        let mut gatherer = PositionGatherer::default();
        let mut games = Games::new(game.as_bytes());
        let outcome = Replayer::default().next_game(&mut games, &mut gatherer);
        outcome.expect("a game").expect("a whole game");
        gatherer.positions().to_vec()
    }

    fn scores(game: &str) -> Vec<i16> {
        positions(game).iter().map(|each| each.score).collect()
    }

    const NO: i16 = score::MARK;

    #[test]
    fn values_stand_behind_the_move_that_leads_to_them() {
        let game = "1. e4 { [%eval 0.3] } e5 { [%eval -0.2,20] } 2. Nf3 { [%eval #3] } \
                    Nc6 { [%eval #-2] } 3. Bb5 1-0";
        assert_eq!(scores(game), [NO, -30, -20, -31_995, -31_996]);
    }

    #[test]
    fn thoughts_belong_to_the_position_before_the_move() {
        let game = "1. e4 {+0.31/12 1234 0.050s} e5 {-1.05/9 0.1s} 2. Nf3 {book} Nc6 {+M3/20 5s} \
                    3. Bb5 {-M2/8 0.0s} a6 {0.00/1} 0-1";
        assert_eq!(scores(game), [31, -105, NO, 31_995, -31_996, 0]);
        for nothing in ["x/3", "0.3/", "+0.31", "1/2-1/2", "/9", "", "é/2", "+M/3"] {
            assert_eq!(thought(nothing), None, "{nothing}");
        }
        assert_eq!(thought("+999999.00/3"), Some(31_754));
    }

    #[test]
    fn results_and_plies_are_those_of_the_side_to_move() {
        let game = "[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 9\"]\n\n9... Kd8 10. e4 (10. e3 Kc8 \
                    {+9.00/9}) Kd7 1-0";
        let all = positions(game);
        let plies: Vec<u16> = all.iter().map(|each| each.ply).collect();
        assert_eq!(plies, [17, 18, 19]);
        let results: Vec<Outcome> = all.iter().map(|each| each.result).collect();
        assert_eq!(results, [Outcome::Loss, Outcome::Win, Outcome::Loss]);
        assert!(all.iter().all(Position::is_marked));
        assert!(all[0].is_followed_by(&all[1]) && all[1].is_followed_by(&all[2]));
    }

    #[test]
    fn games_without_a_result_have_no_positions() {
        assert_eq!(positions("1. e4 e5 *"), []);
        // A null move is not a training position.
        assert_eq!(positions("1. e4 -- 2. d4 d5 1/2-1/2").len(), 3);
    }
}
