//! Any bytes as the file of a ResNet: our own, safetensors or lc0, and as changes of good ones.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| tabia_fuzz::check_resnet(data));
