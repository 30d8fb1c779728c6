//! Any text as a FEN and moves in coordinates.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| tabia_fuzz::check_uci_moves(text));
