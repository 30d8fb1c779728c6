//! The program as its users meet it: run as a process, judged by its exit code,
//! its standard output and its standard error.

mod analyze;
mod analyze_streams;
mod classical;
mod cluster;
mod color;
mod contest;
mod data;
mod doctor;
mod engine;
mod fen;
mod generated;
mod mcts;
mod nets;
mod ntuple;
mod openings;
mod perft;
mod pgn;
mod pipes;
mod play;
mod policy;
mod portable;
mod program;
mod python_chess;
mod ratings;
mod resnet;
mod run;
mod select;
mod selfplay;
mod stats;
mod stockfish;
mod suite;
mod train;
mod tune;
mod uci_check;
mod usage;
