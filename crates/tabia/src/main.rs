//! The Tabia program.

fn main() {}
