//! Any bytes as a policy shard, and as changes of a good one.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| tabia_fuzz::check_policy_shard(data));
