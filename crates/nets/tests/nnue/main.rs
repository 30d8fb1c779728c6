//! Nets: files, sums that follow moves, and Stockfish as the judge of every bit.

mod c_reader;
mod containers;
mod incremental;
mod judge;
mod positions;
mod sfnn_files;
mod stockfish;
