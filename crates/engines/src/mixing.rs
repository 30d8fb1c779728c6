//! The one way in which this crate makes numbers that look random of others. It is pinned,
//! so that a seed means the same in every version.

/// A number in which every bit depends on every bit of the given one: the finaliser of
/// SplitMix64.
pub(crate) fn mixed(number: u64) -> u64 {
    let number = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ number >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ number >> 31
}
