//! Any bytes as plain text of positions.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| tabia_fuzz::check_plain(data));
