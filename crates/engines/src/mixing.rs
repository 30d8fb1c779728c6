//! The one way in which this crate derives pseudo-random numbers from other numbers. It is fixed,
//! so that a seed means the same in every version.

/// A number in which every bit depends on every bit of the argument: the finaliser of SplitMix64.
pub(crate) fn mixed(number: u64) -> u64 {
    let number = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ number >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ number >> 31
}
