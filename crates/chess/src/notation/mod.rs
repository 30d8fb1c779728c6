//! How positions and moves are written: FEN, EPD, SAN and the moves of UCI.
//!
//! Nothing here decides a rule: it turns text into boards and moves that the
//! board has proved legal, and back.

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
