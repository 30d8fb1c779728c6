//! Memory for large tables: how much is available, and page sizes.

use std::mem::MaybeUninit;

/// Whether this many bytes can be used without displacing other programs.
///
/// A system may promise more than it has and kill the program when it uses it, so a successful
/// allocation is not enough.
pub(crate) fn has_room_for(bytes: usize) -> bool {
    available().is_none_or(|available| bytes <= available)
}

/// The memory that Linux reports as available; `None` if that is unknown.
fn available() -> Option<usize> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kibibytes: usize = line.split_whitespace().next()?.parse().ok()?;
    kibibytes.checked_mul(1 << 10)
}

/// Asks for huge pages, which save address translations (TLB misses) in nearly every table access.
/// The system may refuse; then the table is only slower.
#[cfg(target_os = "linux")]
pub(crate) fn prefer_large_pages<T>(memory: &mut [MaybeUninit<T>]) {
    const PAGE: usize = 4_096;
    let begin = memory.as_mut_ptr().addr().next_multiple_of(PAGE);
    let end = memory.as_mut_ptr_range().end.addr() / PAGE * PAGE;
    if begin >= end {
        return;
    }
    let address = memory.as_mut_ptr().cast::<libc::c_void>().with_addr(begin);
    // SAFETY: the range lies within memory that is borrowed for writing and not
    // yet initialised, and the advice changes no byte of it.
    unsafe {
        libc::madvise(address, end - begin, libc::MADV_HUGEPAGE);
    }
}

/// Other systems choose the page size themselves.
#[cfg(not(target_os = "linux"))]
pub(crate) fn prefer_large_pages<T>(_memory: &mut [MaybeUninit<T>]) {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mebibyte_fits_and_everything_does_not() {
        assert!(has_room_for(1 << 20));
        assert!(available().is_none() || !has_room_for(usize::MAX));
    }
}
