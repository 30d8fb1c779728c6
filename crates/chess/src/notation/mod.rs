//! How positions and moves are written: FEN, EPD, SAN and the moves of UCI.
//!
//! Nothing here knows the rules: text is turned into boards and moves, whose
//! validity and legality the board checks, and back.

mod epd;
mod fen;
mod san;
mod san_text;
mod uci;

pub use epd::{Epd, EpdError, EpdOperation};
pub(crate) use fen::excerpt;
pub use fen::{Fen, FenError};
pub use san::{San, SanError};
pub use san_text::SanText;
pub use uci::{CastlingStyle, UciMoveError, UciText};
