//! Exact and fast rules of chess.
