//! A bitbase of king and pawn against king.
//!
//! The side with the pawn is White here; the pawn stands on the files a to d, and
//! other positions are mirrored. The table is computed by retrograde analysis from
//! promotions when it is first used.

use chess::{Bitboard, Color, File, Rank, Square, attacks};
use std::sync::OnceLock;

/// How many squares the pawn has: four files and six ranks.
const PAWN_SQUARES: usize = 24;
/// How many positions there are: side to move, kings and pawn.
const POSITIONS: usize = 2 * 64 * 64 * PAWN_SQUARES;

/// One bit for each position: whether White wins.
static WON: OnceLock<Vec<u64>> = OnceLock::new();

/// Whether the side with the pawn wins; squares are as seen from its side of the board.
pub(super) fn is_won(king: Square, pawn: Square, weak_king: Square, strong_to_move: bool) -> bool {
    let mirrored = pawn.file() > File::D;
    let see = |square: Square| {
        let flip = if mirrored { 7 } else { 0 };
        Square::from_index(square.index() as u8 ^ flip)
    };
    let position = Position {
        king: see(king),
        pawn: see(pawn),
        weak_king: see(weak_king),
        white_to_move: strong_to_move,
    };
    let won = WON.get_or_init(solve);
    let index = position.index();
    won.get(index / 64)
        .is_some_and(|word| word >> (index % 64) & 1 == 1)
}

#[derive(Clone, Copy)]
struct Position {
    king: Square,
    pawn: Square,
    weak_king: Square,
    white_to_move: bool,
}

/// What is known about a position while the table is computed.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Status {
    Unknown,
    Illegal,
    Drawn,
    Won,
}

impl Position {
    fn index(self) -> usize {
        // No pawn stands on the first or last rank; the clamp keeps any input inside
        // the table.
        let rank = self.pawn.rank().index().clamp(1, 6) - 1;
        let pawn = rank * 4 + self.pawn.file().index() % 4;
        ((pawn * 64 + self.weak_king.index()) * 64 + self.king.index()) * 2
            + usize::from(self.white_to_move)
    }

    fn from_index(index: usize) -> Position {
        let square = |index: usize| Square::from_index((index % 64) as u8);
        let pawn = index / (2 * 64 * 64);
        Position {
            king: square(index / 2),
            weak_king: square(index / (2 * 64)),
            pawn: Square::new(
                File::from_index((pawn % 4) as u8),
                Rank::from_index((pawn / 4 + 1) as u8),
            ),
            white_to_move: index % 2 == 1,
        }
    }

    /// The status without looking at moves that stay in the table.
    fn first_status(self) -> Status {
        let attacked = attacks::pawn_attacks(Color::White, self.pawn);
        let clash = self.king == self.pawn
            || self.weak_king == self.pawn
            || self.king == self.weak_king
            || attacks::king_attacks(self.king).contains(self.weak_king)
            || (self.white_to_move && attacked.contains(self.weak_king));
        if clash {
            Status::Illegal
        } else if self.white_to_move {
            if self.promotes_safely() {
                Status::Won
            } else {
                Status::Unknown
            }
        } else if self.black_is_stalemated() || self.black_takes() {
            Status::Drawn
        } else {
            Status::Unknown
        }
    }

    fn promotes_safely(self) -> bool {
        if self.pawn.rank() != Rank::Seventh {
            return false;
        }
        let Some(goal) = self.pawn.offset(0, 1) else {
            return false;
        };
        let free = goal != self.king && goal != self.weak_king;
        let taken = attacks::king_attacks(self.weak_king).contains(goal)
            && !attacks::king_attacks(self.king).contains(goal);
        free && !taken
    }

    fn black_steps(self) -> Bitboard {
        attacks::king_attacks(self.weak_king).without(
            attacks::king_attacks(self.king) | attacks::pawn_attacks(Color::White, self.pawn),
        )
    }

    fn black_is_stalemated(self) -> bool {
        self.black_steps().is_empty()
            && !attacks::pawn_attacks(Color::White, self.pawn).contains(self.weak_king)
    }

    fn black_takes(self) -> bool {
        self.black_steps().contains(self.pawn)
    }

    /// The positions after all moves that stay in the table, including illegal ones.
    fn successors(self) -> Vec<Position> {
        if !self.white_to_move {
            let steps = self.black_steps().into_iter();
            return steps
                .map(|weak_king| Position {
                    weak_king,
                    white_to_move: true,
                    ..self
                })
                .collect();
        }
        let kings = attacks::king_attacks(self.king).into_iter();
        let mut after: Vec<_> = kings
            .map(|king| Position {
                king,
                white_to_move: false,
                ..self
            })
            .collect();
        after.extend(self.pawn_moves());
        after
    }

    fn pawn_moves(self) -> impl Iterator<Item = Position> {
        let reach = if self.pawn.rank() == Rank::Second {
            2
        } else {
            1
        };
        (1..=reach)
            .map_while(move |steps| self.pawn.offset(0, steps))
            .take_while(move |&to| to != self.king && to != self.weak_king)
            .filter(|to| to.rank() != Rank::Eighth)
            .map(move |pawn| Position {
                pawn,
                white_to_move: false,
                ..self
            })
    }
}

/// Settles positions until nothing changes; positions that are still open then are drawn.
fn solve() -> Vec<u64> {
    let mut table: Vec<_> = (0..POSITIONS)
        .map(|index| Position::from_index(index).first_status())
        .collect();
    let mut changed = true;
    while changed {
        changed = false;
        for index in 0..POSITIONS {
            if table[index] == Status::Unknown {
                table[index] = settle(&table, Position::from_index(index));
                changed |= table[index] != Status::Unknown;
            }
        }
    }
    let mut won = vec![0; POSITIONS / 64];
    for (index, status) in table.iter().enumerate() {
        won[index / 64] |= u64::from(*status == Status::Won) << (index % 64);
    }
    won
}

/// Settles a position if its successors allow: White needs one winning move, Black needs one
/// that does not lose.
fn settle(table: &[Status], position: Position) -> Status {
    let good = if position.white_to_move {
        Status::Won
    } else {
        Status::Drawn
    };
    let mut open = false;
    for after in position.successors() {
        match table[after.index()] {
            status if status == good => return good,
            Status::Unknown => open = true,
            _ => {}
        }
    }
    if open {
        Status::Unknown
    } else if position.white_to_move {
        Status::Drawn
    } else {
        Status::Won
    }
}
