//! Compares the repetitions of a line with brute force: every earlier position is
//! compared as text, every move is tried.

mod common;

use chess::{Board, Line};
use common::{Random, Style, choose, random_start, scaled};

/// Small positions in which repetitions are frequent, some with castling rights to lose.
const STARTS: [&str; 8] = [
    "8/8/4k3/8/8/3K4/8/R6r w - - 0 1",
    "8/8/1n2k3/8/8/3K4/5B2/8 b - - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
    "1rk4r/7p/8/8/8/8/7P/1RK4R w HBhb - 0 1",
    "4k3/8/8/2PpP3/8/8/8/R3K3 w Q d6 0 1",
    "8/8/8/K2pP2r/8/8/8/7k w - d6 0 1",
    "7k/5n2/8/8/8/8/2N5/K7 w - - 30 60",
    "3qk3/8/8/8/8/8/8/3QK3 w - - 0 1",
];

/// What counts for the repetition rule, as text.
fn content(board: &Board) -> String {
    let fen = board.shredder_fen();
    fen.split(' ').take(4).collect::<Vec<_>>().join(" ")
}

/// A line, with the plain record for brute force.
struct Record {
    line: Line,
    contents: Vec<String>,
    /// Where each board's stretch without a null move begins.
    since: Vec<usize>,
}

impl Record {
    fn new(board: Board) -> Record {
        Record {
            line: Line::new(board),
            contents: vec![content(&board)],
            since: vec![0],
        }
    }

    fn last(&self) -> usize {
        self.contents.len() - 1
    }

    fn note(&mut self, since: usize) {
        self.contents.push(content(self.line.board()));
        self.since.push(since);
    }

    /// The positions like this one before `end` and since the last null move.
    fn occurrences<'a>(&'a self, text: &'a str, end: usize) -> impl Iterator<Item = usize> + 'a {
        let since = self.since[self.last()];
        (since..end).filter(move |&index| self.contents[index] == text)
    }

    fn is_repetition(&self, root: usize) -> bool {
        let last = self.last();
        let text = &self.contents[last];
        self.occurrences(text, last).any(|index| index > root)
            || self.occurrences(text, last).count() >= 2
    }

    fn has_upcoming(&self, root: usize) -> bool {
        let board = self.line.board();
        board.legal_moves().iter().any(|&mv| {
            let text = content(&board.after(mv));
            let reached: Vec<usize> = self.occurrences(&text, self.last()).collect();
            reached.iter().any(|&index| index > root) || reached.len() >= 2
        })
    }
}

#[derive(Default, Debug)]
struct Seen {
    repeated: usize,
    upcoming: usize,
    only_old: usize,
    nulls: usize,
}

fn compare(record: &Record, random: &mut Random, seen: &mut Seen) {
    let last = record.last();
    let line = &record.line;
    let text = &record.contents[last];
    let earlier = record.occurrences(text, last).count();
    assert_eq!(line.earlier_occurrences(), earlier, "{:?}", line.board());
    seen.repeated += usize::from(earlier > 0);
    for root in [0, last, random.below(last + 1)] {
        let board = line.board();
        assert_eq!(
            line.is_repetition(root),
            record.is_repetition(root),
            "{board:?}"
        );
        let upcoming = record.has_upcoming(root);
        assert_eq!(
            line.has_upcoming_repetition(root),
            upcoming,
            "root {root}: {:?}",
            record.contents
        );
        seen.upcoming += usize::from(upcoming);
        seen.only_old += usize::from(upcoming && root == last);
    }
}

fn walk_and_compare(start: Board, plies: usize, random: &mut Random, seen: &mut Seen) {
    let mut record = Record::new(start);
    let mut before = [None; 2];
    for _ in 0..plies {
        compare(&record, random, seen);
        let board = *record.line.board();
        let side = board.side_to_move().index();
        if random.chance(3) && !board.in_check() {
            record.line.push_null();
            record.note(record.contents.len());
            seen.nulls += 1;
        } else if random.chance(15) && record.last() > 0 {
            record.line.pop();
            record.contents.pop();
            record.since.pop();
        } else if let Some(mv) = choose(&board, Style::Shuffling, before[side], random) {
            before[side] = Some(mv);
            record.line.push(mv);
            let since = record.since[record.last()];
            record.note(since);
        } else {
            return;
        }
    }
}

#[test]
fn repetitions_agree_with_brute_force() {
    let mut random = Random::new(51);
    let mut seen = Seen::default();
    for number in 0..scaled(240, 4_000) {
        let start = match STARTS.get(number % (STARTS.len() + 2)) {
            Some(fen) => Board::from_fen(fen).expect("a position"),
            None => random_start(&mut random),
        };
        walk_and_compare(start, 120, &mut random, &mut seen);
    }
    println!("{seen:?}");
    assert!(seen.repeated > 500, "{seen:?}");
    assert!(seen.upcoming > 500, "{seen:?}");
    assert!(seen.only_old > 50, "{seen:?}");
    assert!(seen.nulls > 100, "{seen:?}");
}

/// Plays moves in coordinates.
fn line_of(fen: &str, moves: &str) -> Line {
    let mut line = Line::new(Board::from_fen(fen).expect("a position"));
    for text in moves.split_whitespace() {
        let mv = line.board().parse_uci(text).expect("a legal move");
        line.push(mv);
    }
    line
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

#[test]
fn knights_that_return_repeat() {
    let line = line_of(START, "g1f3 g8f6 f3g1 f6g8");
    assert_eq!(line.earlier_occurrences(), 1);
    // The position is the root itself, so it must occur once more.
    assert!(!line.is_repetition(0));
    let line = line_of(START, "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8");
    assert_eq!(line.earlier_occurrences(), 2);
    assert!(line.is_repetition(0));
    let line = line_of(START, "e2e3 g8f6 g1f3 f6g8 f3g1");
    assert_eq!(line.earlier_occurrences(), 1);
    assert!(line.is_repetition(0));
    assert!(!line.is_repetition(1));
}

#[test]
fn the_way_back_is_seen_before_it_is_gone() {
    let line = line_of(START, "e2e3 g8f6 g1f3 f6g8");
    assert!(line.has_upcoming_repetition(0));
    assert!(!line.has_upcoming_repetition(1));
    // The rook could go back to a1 in one move if its own king were not in the way.
    let round_trip = "g8f8 a1a2 f8e8 a2h2 e8f8 h2h1 f8g8";
    let open = line_of(
        "6k1/5ppp/8/8/8/2K5/8/R7 w - - 0 1",
        &format!("c3d3 {round_trip}"),
    );
    assert!(open.has_upcoming_repetition(0));
    let blocked = line_of(
        "6k1/5ppp/8/8/8/8/8/R1K5 w - - 0 1",
        &format!("c1d1 {round_trip}"),
    );
    assert!(!blocked.has_upcoming_repetition(0));
}

#[test]
fn a_long_line_without_progress_does_not_overflow() {
    let mut line =
        Line::new(Board::from_fen("8/8/4k3/8/8/3K4/8/R7 w - - 0 1").expect("a position"));
    for _ in 0..17_000 {
        for text in ["a1a2", "e6e7", "a2a1", "e7e6"] {
            let mv = line.board().parse_uci(text).expect("a legal move");
            line.push(mv);
        }
    }
    assert_eq!(line.length(), 68_000);
    assert!(line.is_repetition(0));
    assert!(line.has_upcoming_repetition(0));
}
