//! Pictures of a board: text for terminals, SVG for reports.

mod pieces;
mod svg;
mod text;

pub use svg::{Arrow, Picture, piece_symbols};
pub use text::{Letters, board_text};
