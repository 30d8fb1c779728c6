//! The hand-written model: a policy and a value from chess knowledge alone, so that a tree
//! search can play before there is any net.
//!
//! The policy prefers profitable captures, promotions, checks, castling, steps towards the
//! centre, safe squares, and active kings in endgames. The value is a bounded sum of
//! material, the best exchange, mobility and being in check; a mate in one is recognised.

use super::{Chances, PolicyValue, Wanted};
use crate::Evaluator;
use chess::{Bitboard, Board, Color, EXCHANGE_VALUES, Line, Move, MoveFilter, PieceKind, Square};

/// The value at which the probability of a win is 50 %, in centipawns.
const EVEN_WIN: f32 = 160.0;
/// How many centipawns change the odds of a win by the factor e.
const SPREAD: f32 = 120.0;
/// The bound of all values except a mate in one.
const MOST: i32 = 1_500;
/// The value of a mate in one.
const MATE_IN_ONE: i32 = 10_000;
/// For each square that a side attacks and does not occupy itself.
const MOBILITY: i32 = 3;
/// The cost of being in check, which restricts the next move.
const CHECK: i32 = 25;
/// The bonus for being to move.
const TEMPO: i32 = 12;

/// The four squares in the middle of the board, then these with the squares around them.
const CENTRE: Bitboard = Bitboard(0x0000_0018_1800_0000);
const WIDE_CENTRE: Bitboard = Bitboard(0x0000_3c3c_3c3c_0000);

/// The most material besides kings and pawns, in centipawns for both sides together, in a
/// position that counts as an endgame, in which kings should be active.
const ENDGAME: i32 = 2_600;

/// What a feature of a move adds to its logit.
mod weight {
    /// For each 100 centipawns that the exchange wins, and the largest such bonus.
    pub(super) const GAIN: f32 = 0.5;
    pub(super) const MOST_GAIN: f32 = 3.5;
    /// A capture or promotion that loses nothing, `GAIN` apart.
    pub(super) const EXCHANGE: f32 = 0.8;
    /// The man would be lost on its new square.
    pub(super) const LOSES_MAN: f32 = -2.0;
    /// The man was attacked by a pawn, or attacked and not defended.
    pub(super) const ESCAPES: f32 = 1.0;
    pub(super) const QUEENS: f32 = 3.5;
    pub(super) const UNDER_PROMOTES: f32 = -1.5;
    pub(super) const CHECKS: f32 = 0.9;
    pub(super) const CASTLES: f32 = 1.6;
    pub(super) const CENTRE: f32 = 0.7;
    pub(super) const WIDE_CENTRE: f32 = 0.3;
    /// A knight or bishop leaves its first rank.
    pub(super) const DEVELOPS: f32 = 0.7;
    /// A king's move before the endgame.
    pub(super) const EXPOSES_KING: f32 = -0.9;
    /// For each step by which a king comes nearer to the enemy king, in an endgame.
    pub(super) const DRIVES_KING: f32 = 0.5;
    /// For each rank of the pawn's target beyond the second, in an endgame.
    pub(super) const ADVANCES: f32 = 0.25;
}

/// See the module.
#[derive(Clone, Default, Debug)]
pub struct Heuristic {
    chances: Option<Chances>,
    logits: Vec<f32>,
}

impl PolicyValue for Heuristic {
    fn capacity(&self) -> usize {
        1
    }

    fn is_joint(&self) -> bool {
        false
    }

    fn put(&mut self, line: &Line, wanted: Wanted<'_>) {
        let board = line.board();
        self.chances = None;
        self.logits.clear();
        if let Wanted::Value | Wanted::Both(_) = wanted {
            self.chances = Some(chances(value(board)));
        }
        if let Wanted::Policy(moves) | Wanted::Both(moves) = wanted {
            let scene = Scene::of(board);
            self.logits.extend(moves.iter().map(|&mv| scene.logit(mv)));
        }
    }

    fn run(&mut self) {}

    fn chances(&self, _number: usize) -> Chances {
        self.chances.unwrap_or(Chances::DRAW)
    }

    fn logits(&self, _number: usize) -> &[f32] {
        &self.logits
    }
}

impl Evaluator for Heuristic {
    fn evaluate(&mut self, board: &Board) -> i32 {
        value(board)
    }
}

/// The probabilities of the results for a value in centipawns.
pub(super) fn chances(value: i32) -> Chances {
    let odds = |value: f32| 1.0 / (1.0 + libm::expf((EVEN_WIN - value) / SPREAD));
    let (win, loss) = (odds(value as f32), odds(-value as f32));
    Chances {
        win,
        draw: (1.0 - win - loss).max(0.0),
        loss,
    }
}

/// The value of a position for the side to move, in centipawns.
fn value(board: &Board) -> i32 {
    let us = board.side_to_move();
    if mates_in_one(board) {
        return MATE_IN_ONE;
    }
    let occupied = board.occupied();
    let reach = |color: Color| {
        let squares = board
            .attacked_by(color, occupied)
            .without(board.color(color));
        squares.count() as i32
    };
    let balance = material(board, us) - material(board, !us)
        + best_exchange(board)
        + MOBILITY * (reach(us) - reach(!us))
        + TEMPO
        - CHECK * i32::from(board.in_check());
    balance.clamp(-MOST, MOST)
}

/// The material of a side, without its king.
fn material(board: &Board, color: Color) -> i32 {
    let worth =
        |kind: PieceKind| board.pieces(color, kind).count() as i32 * EXCHANGE_VALUES[kind.index()];
    PieceKind::ALL.into_iter().map(worth).sum()
}

/// What the side to move can win by one exchange or promotion.
fn best_exchange(board: &Board) -> i32 {
    let mut best = 0;
    board.for_each_move(MoveFilter::Captures, |mv| {
        best = best.max(exchange_gain(board, mv));
    });
    best
}

/// Roughly what a capture or promotion wins: the whole gain if nothing is lost in return, else
/// the difference of the men exchanged, or 0 if it loses.
fn exchange_gain(board: &Board, mv: Move) -> i32 {
    let worth = |kind: Option<PieceKind>| kind.map_or(0, |kind| EXCHANGE_VALUES[kind.index()]);
    let promoted = match mv.promotes_to() {
        Some(kind) => worth(Some(kind)) - worth(Some(PieceKind::Pawn)),
        None => 0,
    };
    let taken = worth(board.captured_kind(mv)) + promoted;
    let risked = worth(mv.promotes_to().or(board.kind_at(mv.from())));
    let wins = |gain: i32| board.exchange_at_least(mv, gain);
    if taken == 0 || !wins(1) {
        0
    } else if wins(taken) {
        taken
    } else {
        (taken - risked).max(1)
    }
}

/// How many steps a king needs between two squares.
fn steps(from: Square, to: Square) -> f32 {
    let apart = |a: usize, b: usize| a.abs_diff(b) as f32;
    let files = apart(from.file().index(), to.file().index());
    files.max(apart(from.rank().index(), to.rank().index()))
}

fn mates_in_one(board: &Board) -> bool {
    let mut mates = false;
    board.for_each_move(MoveFilter::All, |mv| {
        mates = mates || board.gives_check(mv) && !board.after(mv).has_legal_move();
    });
    mates
}

/// What the logits of all moves of a position have in common.
struct Scene<'a> {
    board: &'a Board,
    attacked: Bitboard,
    attacked_by_pawns: Bitboard,
    defended: Bitboard,
    is_endgame: bool,
}

impl Scene<'_> {
    fn of(board: &Board) -> Scene<'_> {
        let us = board.side_to_move();
        let occupied = board.occupied();
        let pawns = board.pieces(!us, PieceKind::Pawn);
        let officers: i32 = Color::ALL
            .into_iter()
            .map(|color| {
                let pawns = board.pieces(color, PieceKind::Pawn).count() as i32;
                material(board, color) - pawns * EXCHANGE_VALUES[PieceKind::Pawn.index()]
            })
            .sum();
        Scene {
            board,
            attacked: board.attacked_by(!us, occupied),
            attacked_by_pawns: chess::attacks::pawn_attacks_of_all(pawns, !us),
            defended: board.attacked_by(us, occupied),
            is_endgame: officers <= ENDGAME,
        }
    }

    fn logit(&self, mv: Move) -> f32 {
        let board = self.board;
        if mv.is_castling() {
            return weight::CASTLES;
        }
        let Some(kind) = board.kind_at(mv.from()) else {
            return 0.0;
        };
        let mut logit = self.exchange(mv, kind) + self.place(mv, kind);
        if board.gives_check(mv) {
            logit += weight::CHECKS;
        }
        logit
            + match mv.promotes_to() {
                Some(PieceKind::Queen) => weight::QUEENS,
                Some(_) => weight::UNDER_PROMOTES,
                None => 0.0,
            }
    }

    /// What is won or lost on the squares that the man leaves and enters.
    fn exchange(&self, mv: Move, kind: PieceKind) -> f32 {
        let board = self.board;
        let (from, to) = (mv.from(), mv.to());
        let pawn = EXCHANGE_VALUES[PieceKind::Pawn.index()] as f32;
        let is_quiet = !board.is_capture(mv) && mv.promotes_to().is_none();
        let mut logit = 0.0;
        if kind != PieceKind::King && self.attacked.contains(to) && !board.exchange_at_least(mv, 0)
        {
            return weight::LOSES_MAN;
        }
        if !is_quiet {
            let gain = exchange_gain(board, mv) as f32 / pawn;
            logit += weight::EXCHANGE + (gain * weight::GAIN).min(weight::MOST_GAIN);
        }
        let is_hanging = self.attacked.contains(from)
            && (!self.defended.contains(from)
                || kind != PieceKind::Pawn && self.attacked_by_pawns.contains(from));
        if is_hanging && kind != PieceKind::King {
            logit += weight::ESCAPES;
        }
        logit
    }

    /// What the new square is worth.
    fn place(&self, mv: Move, kind: PieceKind) -> f32 {
        let us = self.board.side_to_move();
        let (from, to) = (mv.from(), mv.to());
        let centre = |square: Square| {
            if CENTRE.contains(square) {
                weight::CENTRE
            } else if WIDE_CENTRE.contains(square) {
                weight::WIDE_CENTRE
            } else {
                0.0
            }
        };
        let nearer = |target: Square| steps(from, target) - steps(to, target);
        let first_rank = |square: Square| square.rank().relative_to(us).index() == 0;
        match kind {
            PieceKind::King if self.is_endgame => {
                weight::DRIVES_KING * nearer(self.board.king(!us)) + centre(to) - centre(from)
            }
            PieceKind::King => weight::EXPOSES_KING,
            PieceKind::Pawn if self.is_endgame => {
                let steps = to.rank().relative_to(us).index() as f32 - 1.0;
                weight::ADVANCES * steps
            }
            PieceKind::Knight | PieceKind::Bishop if first_rank(from) && !first_rank(to) => {
                weight::DEVELOPS + centre(to)
            }
            PieceKind::Queen => 0.5 * (centre(to) - centre(from)),
            _ => centre(to) - centre(from),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(fen: &str) -> Line {
        Line::new(Board::from_fen(fen).expect(fen))
    }

    fn judged(fen: &str) -> (Chances, Vec<(String, f32)>) {
        let line = line(fen);
        let board = line.board();
        let moves = board.legal_moves();
        let mut model = Heuristic::default();
        model.put(&line, Wanted::Both(&moves));
        model.run();
        let names = moves
            .iter()
            .map(|&mv| board.uci(mv, chess::CastlingStyle::Standard).to_string());
        let logits = names.zip(model.logits(0).iter().copied()).collect();
        (model.chances(0), logits)
    }

    fn favourite(fen: &str) -> String {
        let (_, mut logits) = judged(fen);
        logits.sort_by(|a, b| b.1.total_cmp(&a.1));
        logits.swap_remove(0).0
    }

    #[test]
    fn chances_sum_to_one_and_follow_the_value() {
        for value in (-10_000..=10_000).step_by(250) {
            let found = chances(value);
            assert!((found.win + found.draw + found.loss - 1.0).abs() < 1e-6);
            assert!(found.draw >= 0.0 && found.win >= 0.0 && found.loss >= 0.0);
            let turned = chances(-value);
            assert!((found.value() + turned.value()).abs() < 1e-6);
        }
        assert!(chances(MATE_IN_ONE).value() > 0.99);
        assert!(chances(0).value() == 0.0);
    }

    #[test]
    fn the_value_is_the_same_for_both_colours() {
        for (white, black) in [
            (
                "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
                "r3k2r/pppbbppp/2n2q1P/1P2p3/3pn3/BN2PNP1/P1PPQPB1/R3K2R b KQkq - 0 1",
            ),
            (
                "4k3/8/8/3q4/8/8/8/R3K2R w KQ - 0 1",
                "r3k2r/8/8/8/3Q4/8/8/4K3 b kq - 0 1",
            ),
        ] {
            assert_eq!(value(line(white).board()), value(line(black).board()));
        }
    }

    #[test]
    fn a_mate_in_one_is_seen() {
        let (chances, logits) = judged("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1");
        assert!(chances.win > 0.99, "{chances:?}");
        assert_eq!(logits.len(), 16);
    }

    #[test]
    fn the_best_capture_and_the_queen_come_first() {
        // A free rook, and a pawn that the rook defends.
        assert_eq!(favourite("4k3/8/8/1r1p4/8/3B4/4B3/4K3 w - - 0 1"), "d3b5");
        assert_eq!(favourite("8/P6k/8/8/8/8/8/K7 w - - 0 1"), "a7a8q");
        assert_eq!(
            favourite("r1bqk1nr/pppp1ppp/2n5/2b1p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4"),
            "e1g1"
        );
    }

    #[test]
    fn men_are_not_given_away() {
        let (_, logits) = judged("4k3/2p5/8/8/8/8/8/1N2K3 w - - 0 1");
        let of = |name: &str| logits.iter().find(|(mv, _)| mv == name).expect(name).1;
        assert!(of("b1d2") < of("b1c3"));
        let (_, logits) = judged("4k3/8/1p1p4/8/8/1N6/8/4K3 w - - 0 1");
        let of = |name: &str| logits.iter().find(|(mv, _)| mv == name).expect(name).1;
        assert!(of("b3c5") < of("b3d4") && of("b3a5") < of("b3d4"));
    }
}
