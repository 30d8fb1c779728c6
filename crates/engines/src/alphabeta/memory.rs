//! How much memory there is for a table.

/// Whether so many bytes can be had without driving other programs out.
///
/// A system may promise more than it has and end the program when it is used,
/// so the promise alone is not enough.
pub(super) fn has_room_for(bytes: usize) -> bool {
    available().is_none_or(|available| bytes <= available)
}

/// What Linux thinks can be used; none where that cannot be found out.
fn available() -> Option<usize> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kibibytes: usize = line.split_whitespace().next()?.parse().ok()?;
    kibibytes.checked_mul(1 << 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mebibyte_fits_and_everything_does_not() {
        assert!(has_room_for(1 << 20));
        assert!(available().is_none() || !has_room_for(usize::MAX));
    }
}
