//! Any text as a move in SAN; the first byte chooses the board.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| tabia_fuzz::check_san(data));
