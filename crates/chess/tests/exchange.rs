//! Compares static exchange evaluation with a slow minimax that plays every capture out.

mod common;

use chess::{Bitboard, Board, Color, EXCHANGE_VALUES, Move, PieceKind, Square, attacks};
use common::{sample_boards, scaled};

fn value(kind: PieceKind) -> i32 {
    EXCHANGE_VALUES[kind.index()]
}

/// The men that are left while captures go on, and whose turn it is.
#[derive(Clone)]
struct Exchange<'a> {
    board: &'a Board,
    target: Square,
    left: Bitboard,
    side: Color,
    /// The man on the target, which is captured next.
    victim: PieceKind,
}

impl Exchange<'_> {
    fn attackers(&self, side: Color) -> Vec<(i32, Square, PieceKind)> {
        let men = self.left & self.board.color(side);
        let mut attackers: Vec<_> = men
            .into_iter()
            .filter(|&from| from != self.target)
            .filter_map(|from| Some((from, self.board.kind_at(from)?)))
            .filter(|&(from, kind)| {
                attacks::attacks(kind, side, from, self.left).contains(self.target)
            })
            .map(|(from, kind)| {
                // The king comes last though its value is 0.
                let rank = if kind == PieceKind::King {
                    i32::MAX
                } else {
                    value(kind)
                };
                (rank, from, kind)
            })
            .collect();
        attackers.sort_by_key(|&(rank, from, _)| (rank, from));
        attackers
    }

    /// What the side to move can win at best from here; stopping wins nothing.
    fn best(&self) -> i32 {
        let Some(&(_, from, kind)) = self.attackers(self.side).first() else {
            return 0;
        };
        let mut next = self.clone();
        next.left ^= from.into();
        next.side = !self.side;
        next.victim = kind;
        if kind == PieceKind::King && !next.attackers(next.side).is_empty() {
            return 0;
        }
        (value(self.victim) - next.best()).max(0)
    }
}

/// What a move wins with best play of both sides afterwards.
fn exchange_value(board: &Board, mv: Move) -> i32 {
    if mv.is_castling() {
        return 0;
    }
    let mover = board.kind_at(mv.from()).expect("a man moves");
    let arrived = mv.promotes_to().unwrap_or(mover);
    let taken = board.captured_kind(mv).map_or(0, value);
    let promoted = value(arrived) - value(mover);
    let mut left = (board.occupied() ^ mv.from().into()) | mv.to().into();
    if mv.is_en_passant() {
        left ^= Square::new(mv.to().file(), mv.from().rank()).into();
    }
    let exchange = Exchange {
        board,
        target: mv.to(),
        left,
        side: !board.side_to_move(),
        victim: arrived,
    };
    taken + promoted - exchange.best()
}

const THRESHOLDS: [i32; 13] = [
    -1_000, -900, -500, -330, -100, -1, 0, 1, 10, 100, 320, 500, 900,
];

#[test]
fn thresholds_agree_with_minimax() {
    let mut contested = 0;
    for board in sample_boards(41, scaled(3_000, 60_000)) {
        for &mv in &board.legal_moves() {
            let exact = exchange_value(&board, mv);
            contested += usize::from(exact != 0);
            // The exact value is where the answer changes.
            let around = [exact - 1, exact, exact + 1];
            for threshold in THRESHOLDS.into_iter().chain(around) {
                assert_eq!(
                    board.exchange_at_least(mv, threshold),
                    exact >= threshold,
                    "{mv:?} in {board:?} is worth {exact}, asked for {threshold}"
                );
            }
        }
    }
    assert!(contested > 10_000, "only {contested} moves win or lose");
}

/// A position, a move, and its worth counted by hand.
const BY_HAND: [(&str, &str, i32); 12] = [
    // A free pawn; a guarded pawn.
    ("1k6/8/8/4p3/8/8/8/1K2R3 w - - 0 1", "e1e5", 100),
    ("1k6/8/3p4/4p3/8/8/8/1K2R3 w - - 0 1", "e1e5", -400),
    // The rook behind, then the rooks of both sides.
    ("1k6/4r3/8/4p3/8/8/4R3/1K2R3 w - - 0 1", "e2e5", 100),
    ("1k2r3/4r3/8/4p3/8/8/4R3/1K2R3 w - - 0 1", "e2e5", -400),
    // A queen hides behind a bishop on the diagonal.
    ("2k5/6p1/5n2/8/8/2B5/1Q6/1K6 w - - 0 1", "c3f6", 90),
    // A quiet step into a pawn's reach.
    ("1k6/8/3p4/8/8/5N2/8/1K6 w - - 0 1", "f3e5", -320),
    // The king guards, but not against two.
    ("8/8/3k4/4p3/8/8/4R3/1K6 w - - 0 1", "e2e5", -400),
    ("8/8/3k4/4p3/8/8/4R3/1K2R3 w - - 0 1", "e2e5", 100),
    // Promotions, safe and not.
    ("8/1P6/8/8/8/8/8/k1K5 w - - 0 1", "b7b8q", 800),
    ("r7/1P6/8/8/8/8/8/k1K5 w - - 0 1", "b7b8q", -100),
    ("r7/1P6/8/8/8/8/8/k1K5 w - - 0 1", "b7a8q", 1_300),
    // En passant: the captured pawn is not on the target.
    ("1k6/2p5/8/3pP3/8/8/8/1K6 w - d6 0 1", "e5d6", 0),
];

#[test]
fn exchanges_by_hand() {
    for (fen, uci, worth) in BY_HAND {
        let board = Board::from_fen(fen).expect("a position");
        let mv = board.parse_uci(uci).expect("a legal move");
        assert!(board.exchange_at_least(mv, worth), "{uci} in {fen}");
        assert!(!board.exchange_at_least(mv, worth + 1), "{uci} in {fen}");
        assert_eq!(exchange_value(&board, mv), worth, "{uci} in {fen}");
    }
}

#[test]
fn castling_wins_nothing() {
    let board = Board::from_fen("4k3/8/8/8/8/8/8/4K2R w K - 0 1").expect("a position");
    let castling = board.parse_uci("e1g1").expect("a legal move");
    assert!(board.exchange_at_least(castling, 0));
    assert!(!board.exchange_at_least(castling, 1));
}
