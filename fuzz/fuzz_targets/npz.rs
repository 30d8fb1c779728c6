//! Any bytes as arrays of positions with policies, and as changes of good ones.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| tabia_fuzz::check_npz(data));
