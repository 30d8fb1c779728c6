//! Any text as a line of EPD.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| tabia_fuzz::check_epd(text));
