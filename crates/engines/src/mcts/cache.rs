//! A cache of evaluations, for models that cost more than a look-up: positions recur by
//! transposition.
//!
//! A model may see repetitions and the fifty-move count. So a position that occurred before, or
//! whose count is high, is neither stored nor looked up, unless this published flaw is asked for.

use chess::Line;
use nets::Chances;

/// Positions with more moves are not cached.
const MOST_MOVES: usize = 64;
/// From this fifty-move count on a position is not cached.
const HIGH_CLOCK: u16 = 80;

/// The evaluations, each at the one index that its key determines.
pub(super) struct Cache {
    entries: Vec<Entry>,
    logits: Vec<f32>,
    /// Whether repetitions and the fifty-move count are ignored.
    pub(super) is_blind: bool,
}

#[derive(Clone, Copy)]
struct Entry {
    key: u64,
    chances: Chances,
    count: usize,
}

const EMPTY: Entry = Entry {
    key: 0,
    chances: Chances::DRAW,
    count: 0,
};

impl Cache {
    pub(super) fn new(size: usize) -> Cache {
        Cache {
            entries: vec![EMPTY; size],
            logits: vec![0.0; size * MOST_MOVES],
            is_blind: false,
        }
    }

    pub(super) fn size(&self) -> usize {
        self.entries.len()
    }

    pub(super) fn clear(&mut self) {
        self.entries.fill(EMPTY);
    }

    /// The index of the last position of a line, if it may be cached.
    fn place(&self, line: &Line) -> Option<(usize, u64)> {
        let board = line.board();
        let is_usual = || board.halfmove_clock() < HIGH_CLOCK && line.earlier_occurrences() == 0;
        let may_be = self.is_blind || is_usual();
        let size = self.entries.len() as u64;
        let place = (u128::from(board.key()) * u128::from(size)) >> 64;
        (may_be && size > 0).then_some((place as usize, board.key()))
    }

    /// The cached evaluation of the last position of a line, which has `count` moves.
    pub(super) fn find(&self, line: &Line, count: usize) -> Option<(Chances, &[f32])> {
        let (place, key) = self.place(line)?;
        let entry = &self.entries[place];
        let begin = place * MOST_MOVES;
        (entry.key == key && entry.count == count && count > 0)
            .then(|| (entry.chances, &self.logits[begin..begin + count]))
    }

    pub(super) fn put(&mut self, line: &Line, chances: Chances, logits: &[f32]) {
        let count = logits.len();
        if count > MOST_MOVES {
            return;
        }
        if let Some((place, key)) = self.place(line) {
            self.entries[place] = Entry {
                key,
                chances,
                count,
            };
            self.logits[place * MOST_MOVES..][..count].copy_from_slice(logits);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::Board;

    fn line(fen: &str, moves: &[&str]) -> Line {
        let mut line = Line::new(Board::from_fen(fen).expect(fen));
        for text in moves {
            let mv = line.board().parse_uci(text).expect(text);
            line.push(mv);
        }
        line
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    const SURE: Chances = Chances {
        win: 1.0,
        draw: 0.0,
        loss: 0.0,
    };

    #[test]
    fn other_orders_of_moves_are_the_same_position() {
        let mut cache = Cache::new(100);
        let first = line(START, &["e2e4", "e7e6", "d2d4"]);
        let second = line(START, &["d2d4", "e7e6", "e2e4"]);
        assert!(cache.find(&first, 3).is_none());
        cache.put(&first, SURE, &[1.0, 2.0, 3.0]);
        assert_eq!(cache.find(&second, 3), Some((SURE, &[1.0, 2.0, 3.0][..])));
        assert!(cache.find(&second, 4).is_none());
        cache.clear();
        assert!(cache.find(&second, 3).is_none());
    }

    #[test]
    fn positions_that_came_before_or_are_nearly_drawn_are_not_remembered() {
        let mut cache = Cache::new(100);
        let there_and_back = ["g1f3", "g8f6", "f3g1", "f6g8"];
        cache.put(&line(START, &[]), SURE, &[0.0]);
        assert!(cache.find(&line(START, &[]), 1).is_some());
        assert!(cache.find(&line(START, &there_and_back), 1).is_none());
        let late = "4k3/8/8/8/8/8/3R4/4K3 w - - 80 90";
        cache.put(&line(late, &[]), SURE, &[0.0]);
        assert!(cache.find(&line(late, &[]), 1).is_none());
        let early = "4k3/8/8/8/8/8/3R4/4K3 w - - 79 90";
        cache.put(&line(early, &[]), SURE, &[0.0]);
        assert!(cache.find(&line(early, &[]), 1).is_some());
        assert!(cache.find(&line(late, &[]), 1).is_none());
        // Unless the flaw is asked for.
        cache.is_blind = true;
        assert!(cache.find(&line(late, &[]), 1).is_some());
        assert!(cache.find(&line(START, &there_and_back), 1).is_some());
    }
}
