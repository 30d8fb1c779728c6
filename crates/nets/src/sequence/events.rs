//! The input of a model: a position in its game is an event, the sum of some rows of an
//! embedding table, and this module decides which rows.
//!
//! It must not know the values of the rows.

use super::shape::{
    ATTACK_STATES, BoardInput, CLOCKS, CONTENTS, FULLMOVES, HALFMOVES, RATINGS, Rows, SQUARES,
    SequenceShape, TIME_CONTROLS, View,
};
use super::vocabulary::{self, START};
use chess::{Board, Color, Move, Piece, Square, Wing};

/// What is known about a game besides its moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct GameFacts {
    /// The ratings of White and Black.
    pub ratings: [Option<u16>; 2],
    /// How many seconds a player has for forty moves.
    pub seconds: Option<u32>,
    /// Numbers for the names of White and Black; 0 for no name.
    pub players: [u32; 2],
}

/// An event, as the indices of the rows of which it is the sum.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Event {
    /// Rows of the board, whose sum is multiplied by [`Encoder::board_share`].
    pub board: Vec<u32>,
    /// All other rows.
    pub others: Vec<u32>,
}

impl Event {
    fn clear(&mut self) {
        self.board.clear();
        self.others.clear();
    }
}

/// Lists the rows of events.
#[derive(Clone, Debug)]
pub struct Encoder {
    shape: SequenceShape,
    rows: Rows,
}

impl Encoder {
    /// An encoder for models of this shape.
    pub fn new(shape: &SequenceShape) -> Encoder {
        Encoder {
            rows: shape.rows(),
            shape: shape.clone(),
        }
    }

    /// Whether the rows of the board are from the table of the squares that attend to each
    /// other, and not from the table of events.
    pub fn has_squares(&self) -> bool {
        self.shape.board == BoardInput::SquareAttention
    }

    /// The factor of the sum of the board's rows.
    pub fn board_share(&self) -> f32 {
        match self.shape.board {
            BoardInput::Additive => 1.0 / 64.0,
            _ => 1.0,
        }
    }

    /// The event before the first move, which every game has.
    pub fn start(&self, event: &mut Event) {
        event.clear();
        event.others.push(self.rows.start.start as u32);
    }

    /// The event of a position, with the move that led to it and the time that the mover
    /// has left, as far as they are known.
    pub fn position(
        &self,
        board: &Board,
        previous: Option<Move>,
        facts: &GameFacts,
        clock: Option<u16>,
        event: &mut Event,
    ) {
        event.clear();
        self.list_board(board, &mut event.board);
        let side = board.side_to_move();
        let rows = &self.rows;
        let mut add = |part: &std::ops::Range<usize>, number: usize| {
            if number < part.len() {
                event.others.push((part.start + number) as u32);
            }
        };
        add(&rows.turn, side.index());
        add(&rows.castling, self.castling(board));
        let en_passant = board
            .en_passant()
            .map_or(0, |square| square.file().index() + 1);
        add(&rows.en_passant, en_passant);
        add(&rows.halfmoves, halfmove_row(board.halfmove_clock()));
        add(&rows.fullmoves, fullmove_row(board.fullmove_number()));
        let previous = previous
            .and_then(vocabulary::number)
            .map_or(START, |number| {
                // The opponent's move, flipped like the view of the side that is to move now.
                self.seen(number, side)
            });
        add(&rows.previous, usize::from(previous));
        let (own, other) = (side.index(), (!side).index());
        add(&rows.own_rating, rating_row(facts.ratings[own]));
        add(&rows.other_rating, rating_row(facts.ratings[other]));
        add(&rows.time_control, time_row(facts.seconds));
        add(&rows.clock, clock_row(clock));
        if self.shape.players > 0 {
            let row = |player: u32| player as usize % self.shape.players;
            add(&rows.own_player, row(facts.players[own]));
            add(&rows.other_player, row(facts.players[other]));
        }
    }

    /// The number of a move as the model sees it when `side` is to move.
    pub fn seen(&self, number: u16, side: Color) -> u16 {
        match (self.shape.view, side) {
            (View::Mover, Color::Black) => vocabulary::flipped(number),
            _ => number,
        }
    }

    /// A square as the model sees it.
    fn seen_square(&self, square: Square, side: Color) -> usize {
        match self.shape.view {
            View::White => square.index(),
            View::Mover => square.relative_to(side).index(),
        }
    }

    /// The number of a man from 0 to 11 as the model sees it: first the six kinds of
    /// White or of the mover.
    fn seen_man(&self, man: Piece, side: Color) -> usize {
        let is_first = match self.shape.view {
            View::White => man.color == Color::White,
            View::Mover => man.color == side,
        };
        man.kind.index() + if is_first { 0 } else { 6 }
    }

    fn list_board(&self, board: &Board, rows: &mut Vec<u32>) {
        let side = board.side_to_move();
        let first = self.rows.board.start;
        if self.has_squares() {
            // Rows are in the order of the squares as seen, because pairs of squares have a bias.
            let nothing = (CONTENTS - 1) * SQUARES;
            rows.extend((0..SQUARES).map(|square| (nothing + square) as u32));
            for square in board.occupied() {
                if let Some(man) = board.piece_at(square) {
                    let seen = self.seen_square(square, side);
                    rows[seen] = (self.seen_man(man, side) * SQUARES + seen) as u32;
                }
            }
            return;
        }
        if self.shape.board == BoardInput::Additive {
            for square in Square::all() {
                let man = board.piece_at(square);
                let content = man.map_or(CONTENTS - 1, |man| self.seen_man(man, side));
                rows.push((first + content) as u32);
                rows.push((first + CONTENTS + self.seen_square(square, side)) as u32);
            }
            return;
        }
        let attacked = Color::ALL.map(|color| match self.shape.board {
            BoardInput::JointAttacks => board.attacked_by(color, board.occupied()),
            _ => chess::Bitboard::EMPTY,
        });
        for square in board.occupied() {
            let Some(man) = board.piece_at(square) else {
                continue;
            };
            let joint = self.seen_man(man, side) * 64 + self.seen_square(square, side);
            let row = match self.shape.board {
                BoardInput::JointAttacks => {
                    let by = |color: Color| usize::from(attacked[color.index()].contains(square));
                    joint * ATTACK_STATES + 2 * by(!man.color) + by(man.color)
                }
                _ => joint,
            };
            rows.push((first + row) as u32);
        }
    }

    /// The castling rights as four bits: first those of White or of the mover, and for
    /// each side the king's side first.
    fn castling(&self, board: &Board) -> usize {
        let first = match self.shape.view {
            View::White => Color::White,
            View::Mover => board.side_to_move(),
        };
        let mut bits = 0;
        for color in [first, !first] {
            for wing in [Wing::King, Wing::Queen] {
                let rook = board.castling().rook(color, wing, board.king(color));
                bits = bits << 1 | usize::from(rook.is_some());
            }
        }
        bits
    }
}

/// The row of the fifty-move counter: finer where the rule is near.
fn halfmove_row(clock: u16) -> usize {
    const STEPS: [u16; HALFMOVES - 1] = [1, 4, 10, 20, 40, 60, 80];
    STEPS.iter().filter(|&&step| clock >= step).count()
}

/// The row of the number of the move: finer in the opening.
fn fullmove_row(number: u16) -> usize {
    const STEPS: [u16; FULLMOVES - 1] = [2, 3, 4, 6, 8, 11, 15, 20, 25, 30, 40, 50, 60, 80, 100];
    STEPS.iter().filter(|&&step| number >= step).count()
}

/// The row of a rating: 0 if it is unknown, then one for each hundred points from 800 on.
pub(super) fn rating_row(rating: Option<u16>) -> usize {
    rating.map_or(0, |rating| {
        (usize::from(rating.saturating_sub(700)) / 100).clamp(1, RATINGS - 1)
    })
}

/// The row of a time control: 0 if it is unknown, then from bullet to slow games.
fn time_row(seconds: Option<u32>) -> usize {
    const STEPS: [u32; TIME_CONTROLS - 2] = [60, 180, 480, 1_500, 6_000];
    seconds.map_or(0, |seconds| {
        1 + STEPS.iter().filter(|&&step| seconds >= step).count()
    })
}

/// The row of a clock: 0 if it is unknown, then by the logarithm of the seconds.
fn clock_row(seconds: Option<u16>) -> usize {
    seconds.map_or(0, |seconds| {
        (1 + (u16::BITS - seconds.leading_zeros()) as usize).min(CLOCKS - 1)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(fen: &str) -> Board {
        fen.parse::<chess::Fen>().expect(fen).board
    }

    fn shape(board: BoardInput, view: View) -> SequenceShape {
        SequenceShape {
            board,
            view,
            players: 10,
            clock: true,
            time_control: true,
            ..SequenceShape::named("tiny").expect("a name")
        }
    }

    #[test]
    fn every_row_lies_in_the_table_and_every_part_has_its_own() {
        let position =
            board("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1");
        for (input, rows) in [
            (BoardInput::Additive, 128),
            (BoardInput::Joint, 32),
            (BoardInput::JointAttacks, 32),
            (BoardInput::SquareAttention, 64),
        ] {
            for view in [View::White, View::Mover] {
                let shape = shape(input, view);
                let facts = GameFacts {
                    ratings: [Some(1500), None],
                    seconds: Some(300),
                    players: [77, 3],
                };
                let mut event = Event::default();
                Encoder::new(&shape).position(&position, None, &facts, Some(59), &mut event);
                assert_eq!(event.board.len(), rows);
                assert_eq!(event.others.len(), 12);
                let tensors = shape.tensors();
                let [events, second] = [0, 1].map(|tensor| tensors[tensor].rows as u32);
                let squares = match input {
                    BoardInput::SquareAttention => second,
                    _ => events,
                };
                assert!(event.board.iter().all(|&row| row < squares));
                assert!(event.others.iter().all(|&row| row < events));
            }
        }
    }

    #[test]
    fn the_movers_view_of_exchanged_colours_is_the_same() {
        let white = board("4k3/1p6/8/8/3N4/8/5P2/R3K3 w Q - 3 9");
        let black = board("r3k3/5p2/8/3n4/8/8/1P6/4K3 b q - 3 9");
        for input in [
            BoardInput::Additive,
            BoardInput::Joint,
            BoardInput::JointAttacks,
            BoardInput::SquareAttention,
        ] {
            let rows = |board: &Board, view: View| {
                let mut event = Event::default();
                let encoder = Encoder::new(&shape(input, view));
                encoder.position(board, None, &GameFacts::default(), None, &mut event);
                if input != BoardInput::SquareAttention {
                    event.board.sort_unstable();
                }
                // But for the side to move itself.
                event.others.remove(0);
                event
            };
            assert_eq!(rows(&white, View::Mover), rows(&black, View::Mover));
            assert_ne!(rows(&white, View::White), rows(&black, View::White));
        }
    }

    #[test]
    fn numbers_are_put_in_the_rows_that_are_said() {
        assert_eq!(
            [None, Some(0), Some(799), Some(900), Some(9000)].map(rating_row),
            [0, 1, 1, 2, 24]
        );
        assert_eq!(
            [None, Some(0), Some(60), Some(7_200)].map(time_row),
            [0, 1, 2, 6]
        );
        assert_eq!(
            [None, Some(0), Some(1), Some(60), Some(u16::MAX)].map(clock_row),
            [0, 1, 2, 7, 13]
        );
        assert_eq!([0, 1, 79, 80, 100].map(halfmove_row), [0, 1, 6, 7, 7]);
        assert_eq!([1, 2, 100, 500].map(fullmove_row), [0, 1, 15, 15]);
    }

    #[test]
    fn attacks_tell_men_apart() {
        let encoder = Encoder::new(&shape(BoardInput::JointAttacks, View::Mover));
        let rows = |fen: &str| {
            let mut event = Event::default();
            let board = board(fen);
            encoder.position(&board, None, &GameFacts::default(), None, &mut event);
            event.board
        };
        let quiet = rows("4k3/8/8/8/8/8/8/R3K2R w - - 0 1");
        let attacked = rows("4k3/8/8/8/8/6n1/8/R3K2R w - - 0 1");
        let changed = quiet.iter().filter(|row| !attacked.contains(row)).count();
        assert_eq!(changed, 1, "the rook on h1 only");
    }
}
