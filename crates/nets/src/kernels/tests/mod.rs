//! Compares all kernels with plain f64 references and with each other.

mod convolutions;
mod products;
mod rows;

use super::*;

/// A small generator: the tests need some numbers, always the same.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    /// Between -1 and 1.
    fn values(&mut self, count: usize) -> Vec<f32> {
        (0..count)
            .map(|_| (self.next() % 2_000_001) as f32 / 1_000_000.0 - 1.0)
            .collect()
    }

    fn below(&mut self, bound: usize, count: usize) -> Vec<u32> {
        (0..count)
            .map(|_| (self.next() % bound as u64) as u32)
            .collect()
    }
}

/// Every value is within `tolerance` of the largest of those expected.
#[track_caller]
fn assert_close(found: &[f32], expected: &[f64], tolerance: f64, what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    let largest = expected
        .iter()
        .fold(0.0_f64, |most, value| most.max(value.abs()));
    for (at, (&found, &expected)) in found.iter().zip(expected).enumerate() {
        let off = (f64::from(found) - expected).abs();
        assert!(
            off <= tolerance * largest.max(f64::MIN_POSITIVE),
            "{what}: value {at} is {found}, not {expected}"
        );
    }
}

/// Every value is within `tolerance` of the value expected.
#[track_caller]
fn assert_each_close(found: &[f32], expected: &[f64], tolerance: f64, what: &str) {
    assert_eq!(found.len(), expected.len(), "{what}");
    for (found, expected) in found.iter().zip(expected) {
        assert_close(&[*found], &[*expected], tolerance, what);
    }
}

fn wide(values: &[f32]) -> Vec<f64> {
    values.iter().map(|&value| value.into()).collect()
}

fn bits(values: &[f32]) -> Vec<u32> {
    values.iter().map(|value| value.to_bits()).collect()
}

/// The kernels of every instruction set here agree with the fastest within 1e-4.
#[track_caller]
fn assert_kinds_agree(compute: impl Fn(&Kernels) -> Vec<f32>, what: &str) {
    let expected = wide(&compute(Kernels::best()));
    for kernels in Kernels::available() {
        assert_close(
            &compute(kernels),
            &expected,
            1e-4,
            &format!("{} {what}", kernels.name()),
        );
    }
}
