//! Any text as weights of the hand-written evaluation.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| tabia_fuzz::check_weights(text));
