//! Whether an answer solves a puzzle.

use super::puzzle::Puzzle;
use engines::Answer;
use engines::score::Score;
use serde::Serialize;

/// The verdict on an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Verdict {
    Solved,
    Unsolved,
    /// A mate was found, but not the shortest one.
    LongerMate,
    /// The answer claims a mate that is shorter than the shortest one, or for the wrong side.
    FalseMate,
}

/// Judges an answer: all conditions of the puzzle must hold.
pub(super) fn judge(puzzle: &Puzzle, answer: &Answer) -> Verdict {
    let names = |moves: &Vec<_>| answer.best.is_some_and(|best| moves.contains(&best));
    let is_best = puzzle.best.as_ref().is_none_or(names);
    let is_avoided = puzzle.avoid.as_ref().is_some_and(names);
    match (puzzle.mate, answer.score) {
        (Some(shortest), Score::Mate(found)) if found != shortest => {
            if found.signum() == shortest.signum() && found.abs() > shortest.abs() {
                Verdict::LongerMate
            } else {
                Verdict::FalseMate
            }
        }
        (Some(_), Score::Centipawns(_)) => Verdict::Unsolved,
        _ if answer.best.is_some() && is_best && !is_avoided => Verdict::Solved,
        _ => Verdict::Unsolved,
    }
}

#[cfg(test)]
mod tests {
    use super::super::puzzle;
    use super::*;

    fn verdict(operations: &str, played: &str, score: Score) -> Verdict {
        let line = format!("6k1/5ppp/8/8/8/8/8/R3K3 w Q - {operations}");
        let puzzle = &puzzle::read(line.as_bytes()).expect("a suite")[0];
        let answer = Answer::new(puzzle.board.parse_uci(played).ok(), score);
        judge(puzzle, &answer)
    }

    #[test]
    fn best_moves_must_be_played_and_others_avoided() {
        let even = Score::Centipawns(0);
        assert_eq!(verdict("bm Ra8 Rd1;", "a1d1", even), Verdict::Solved);
        assert_eq!(verdict("bm Ra8 Rd1;", "a1c1", even), Verdict::Unsolved);
        assert_eq!(verdict("am Ra8 Rd1;", "a1d1", even), Verdict::Unsolved);
        assert_eq!(verdict("am Ra8 Rd1;", "a1c1", even), Verdict::Solved);
        assert_eq!(verdict("am Ra8;", "no move", even), Verdict::Unsolved);
    }

    #[test]
    fn mates_must_have_their_length() {
        let mate = Score::Mate;
        assert_eq!(verdict("dm 3;", "a1a8", mate(3)), Verdict::Solved);
        assert_eq!(verdict("dm 3;", "a1a8", mate(4)), Verdict::LongerMate);
        assert_eq!(verdict("dm 3;", "a1a8", mate(2)), Verdict::FalseMate);
        assert_eq!(verdict("dm 3;", "a1a8", mate(-3)), Verdict::FalseMate);
        assert_eq!(verdict("bm #-3;", "a1a8", mate(-3)), Verdict::Solved);
        assert_eq!(verdict("bm #-3;", "a1a8", mate(-2)), Verdict::FalseMate);
        let centipawns = Score::Centipawns(900);
        assert_eq!(verdict("dm 3;", "a1a8", centipawns), Verdict::Unsolved);
    }

    #[test]
    fn everything_must_hold() {
        let mate = Score::Mate(1);
        assert_eq!(verdict("dm 1; bm Ra8;", "a1a8", mate), Verdict::Solved);
        assert_eq!(verdict("dm 1; bm Rb1;", "a1a8", mate), Verdict::Unsolved);
    }
}
