//! Any bytes as the file of a sequence model, and as changes of a good one.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| tabia_fuzz::check_sequence_model(data));
