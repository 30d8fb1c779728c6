//! Any bytes as an n-tuple network, and as changes of a good one.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| tabia_fuzz::check_ntuple(data));
