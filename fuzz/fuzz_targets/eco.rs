//! Any text as a table of openings.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| tabia_fuzz::check_eco(text));
