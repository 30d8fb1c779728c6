//! Any text as a FEN.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| tabia_fuzz::check_fen(text));
