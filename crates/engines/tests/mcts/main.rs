//! The tree-search player, from outside: what it finds, that its signs are right, that it
//! proves nothing wrong, and that it repeats itself.

mod determinism;
mod flaws;
mod lockstep;
mod mates;
mod memory;
mod options;
mod proofs;
mod support;
mod symmetry;
mod toys;
