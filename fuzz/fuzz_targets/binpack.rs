//! Any bytes as a binpack file.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| tabia_fuzz::check_binpack(data));
