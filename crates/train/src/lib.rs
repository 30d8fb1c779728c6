//! From shards to nets: the trainers.
//!
//! A trainer turns positions into weights. It knows nets, whose shapes and files
//! it must not define itself, and nothing of playing.

pub mod nnue;
