//! The arena as its callers meet it.

mod adjudication;
mod elsewhere;
mod explore;
mod failures;
mod garbage;
mod journal;
mod many_games;
mod programs;
mod scripted;
mod selfplay;
