//! Any bytes as a file of games for sequence models, and as changes of a good one.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| tabia_fuzz::check_sequences(data));
