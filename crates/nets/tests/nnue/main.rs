//! Tests of NNUE: files, incremental accumulators, and exact agreement with Stockfish.

mod c_reader;
mod containers;
mod incremental;
mod judge;
mod positions;
mod sfnn_files;
mod stockfish;
