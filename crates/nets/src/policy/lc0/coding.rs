//! lc0's encoding of positions and moves: 112 input planes, most of them for the last
//! eight positions, and 73 planes of moves; both flipped so that the mover plays up the
//! board.

use crate::policy::moves::{plane, promotion_plane};
use crate::policy::planes::men_names;
use chess::{Board, Color, Line, Move, PieceKind, Square, Wing};

/// The number of positions that are encoded, and of planes for each.
const POSITIONS: usize = 8;
const OF_POSITION: usize = 13;
const REPEATED: usize = 12;
/// The planes behind them: castling of both sides, side to move, clock, zeros, ones.
const CASTLING: usize = POSITIONS * OF_POSITION;
const BLACK: usize = CASTLING + 4;
const CLOCK: usize = CASTLING + 5;
const ONES: usize = CASTLING + 7;

/// The classical input format of lc0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Lc0Coding;

impl Lc0Coding {
    /// How many input planes there are.
    pub const PLANES: usize = CASTLING + 8;

    /// What each plane shows, for people.
    pub fn names(self) -> Vec<String> {
        let mut names = Vec::new();
        for back in 0..POSITIONS {
            let before = match back {
                0 => String::new(),
                _ => format!("{back} back: "),
            };
            let men = men_names(["own", "enemy"]);
            names.extend(men.map(|name| format!("{before}{name}")));
            names.push(format!("{before}repeated"));
        }
        for side in ["own", "enemy"] {
            names.push(format!("{side} castling, queen's side"));
            names.push(format!("{side} castling, king's side"));
        }
        let others = ["Black to move", "fifty-move clock", "nothing", "ones"];
        names.extend(others.map(str::to_owned));
        names
    }

    /// The number of a legal move.
    pub fn index(self, mv: Move, side: Color) -> usize {
        let turn = turn(side);
        let (from, to) = (mv.from().index() ^ turn, mv.to().index() ^ turn);
        let plane = match mv.promotes_to() {
            // lc0 encodes promotion to a knight as the plain move.
            None | Some(PieceKind::Knight) => plane(from, to),
            Some(PieceKind::Rook) => promotion_plane(from, to, 0),
            Some(PieceKind::Bishop) => promotion_plane(from, to, 1),
            Some(_) => promotion_plane(from, to, 2),
        };
        plane * 64 + from
    }

    /// Writes the last position of a line, square by square with all planes of each.
    ///
    /// # Panics
    /// If the target's length is not 64 times [`PLANES`](Lc0Coding::PLANES).
    pub fn write_squares(self, line: &Line, target: &mut [f32]) {
        assert_eq!(target.len(), 64 * Self::PLANES, "places for all planes");
        target.fill(0.0);
        let (boards, board) = (line.boards(), line.board());
        let side = board.side_to_move();
        let mut set = |plane: usize, square: usize, value: f32| {
            target[square * Self::PLANES + plane] = value;
        };
        for place in 0..POSITIONS {
            let first = place * OF_POSITION;
            match boards.len().checked_sub(place + 1) {
                Some(at) => {
                    put_men(&boards[at], side, first, &mut set);
                    if is_repeated(boards, at) {
                        (0..64).for_each(|square| set(first + REPEATED, square, 1.0));
                    }
                }
                // The history before the first board is unknown: that board is repeated,
                // unless it is the start of a game, before which there was nothing.
                None if boards[0] != Board::start() => {
                    put_men(&boards[0], side, first, &mut set);
                    undo_double_step(&boards[0], side, first, &mut set);
                }
                None => break,
            }
        }
        let mut fill = |plane: usize, value: f32| {
            (0..64).for_each(|square| set(plane, square, value));
        };
        for (place, color) in [side, !side].into_iter().enumerate() {
            for (wing_place, wing) in [Wing::Queen, Wing::King].into_iter().enumerate() {
                let rook = board.castling().rook(color, wing, board.king(color));
                fill(CASTLING + 2 * place + wing_place, f32::from(rook.is_some()));
            }
        }
        fill(BLACK, f32::from(side == Color::Black));
        fill(CLOCK, f32::from(board.halfmove_clock()));
        fill(ONES, 1.0);
    }
}

fn turn(side: Color) -> usize {
    match side {
        Color::White => 0,
        Color::Black => 56,
    }
}

fn put_men(board: &Board, side: Color, first: usize, set: &mut impl FnMut(usize, usize, f32)) {
    for (place, color) in [side, !side].into_iter().enumerate() {
        for kind in PieceKind::ALL {
            for square in board.pieces(color, kind) {
                let square = square.index() ^ turn(side);
                set(first + 6 * place + kind.index(), square, 1.0);
            }
        }
    }
}

/// If a pawn can be captured en passant, moves it back to where it stood one ply earlier.
fn undo_double_step(
    board: &Board,
    side: Color,
    first: usize,
    set: &mut impl FnMut(usize, usize, f32),
) {
    let Some(passed) = board.en_passant() else {
        return;
    };
    let owner = !board.side_to_move();
    let plane = first + if owner == side { 0 } else { 6 };
    let [before, after]: [usize; 2] = match owner {
        Color::White => [passed.index() - 8, passed.index() + 8],
        Color::Black => [passed.index() + 8, passed.index() - 8],
    };
    let turned = |square: usize| Square::from_index(square as u8).index() ^ turn(side);
    set(plane, turned(after), 0.0);
    set(plane, turned(before), 1.0);
}

/// Whether a board of a line occurred earlier in it.
fn is_repeated(boards: &[Board], at: usize) -> bool {
    let furthest = usize::from(boards[at].halfmove_clock()).min(at);
    (4..=furthest)
        .step_by(2)
        .any(|back| boards[at].same_position(&boards[at - back]))
}
