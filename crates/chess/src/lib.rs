//! Exact and fast rules of chess.
//!
//! Boards, legal moves, Zobrist keys, static exchange evaluation, notation, the
//! history of a game and how it ends, in ordinary chess and Chess960. The crate
//! has no dependencies and does no input or output; it must not know search,
//! nets or files.
//!
//! ```
//! use chess::{Board, Game, perft};
//!
//! let mut game = Game::new(Board::start());
//! for san in ["f3", "e5", "g4", "Qh4#"] {
//!     let mv = game.board().parse_san(san).unwrap();
//!     game.play(mv).unwrap();
//! }
//! assert_eq!(game.termination().unwrap().to_string(), "Black mates");
//! assert_eq!(perft::perft(&Board::start(), 3), 8_902);
//! ```

pub mod attacks;
mod bitboard;
mod board;
mod color;
mod game;
mod moves;
mod notation;
pub mod perft;
mod piece;
pub mod render;
mod square;
mod zobrist;

pub use bitboard::{Bitboard, Squares};
pub use board::{
    Board, BoardBuilder, BoardError, BoardWarning, CastlingRights, CheckMap, EXCHANGE_VALUES, Keys,
    MoveFilter, Wing,
};
pub use color::Color;
pub use game::{
    Action, ActionError, Game, Line, PLANE_VALUES, PLANES, Promotion, Step, Termination,
};
pub use moves::{MAX_MOVES, Move, MoveList};
pub use notation::{
    CastlingStyle, Epd, EpdError, EpdOperation, Fen, FenError, San, SanError, SanText,
    UciMoveError, UciText,
};
pub use piece::{Piece, PieceKind};
pub use square::{File, ParseSquareError, Rank, Square, squares};
