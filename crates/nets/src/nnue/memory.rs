//! Memory for weights: aligned to cache lines, and in huge pages where the
//! system has them. An update reads a few rows scattered over tens or hundreds of
//! megabytes; with small pages each would cost a TLB miss.

use bytemuck::Pod;
use memmap2::MmapMut;
use std::fmt;
use std::io;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};

/// A fixed-size array of values.
pub struct Values<T> {
    pages: MmapMut,
    length: usize,
    kind: PhantomData<T>,
}

impl<T: Pod> Values<T> {
    /// An array of `length` zeros.
    ///
    /// # Errors
    /// If there is no memory for them.
    pub fn zeros(length: usize) -> io::Result<Values<T>> {
        let bytes = length
            .checked_mul(size_of::<T>())
            .ok_or(io::ErrorKind::OutOfMemory)?;
        let pages = MmapMut::map_anon(bytes.max(1))?;
        // Without huge pages it is only slower.
        #[cfg(target_os = "linux")]
        let _ = pages.advise(memmap2::Advice::HugePage);
        Ok(Values {
            pages,
            length,
            kind: PhantomData,
        })
    }
}

impl<T: Pod> Deref for Values<T> {
    type Target = [T];

    #[inline(always)]
    fn deref(&self) -> &[T] {
        bytemuck::cast_slice(&self.pages[..self.length * size_of::<T>()])
    }
}

impl<T: Pod> DerefMut for Values<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        bytemuck::cast_slice_mut(&mut self.pages[..self.length * size_of::<T>()])
    }
}

impl<T> fmt::Debug for Values<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} values", self.length)
    }
}

/// One cache line of accumulated values.
#[derive(Clone, Copy, bytemuck::Pod, bytemuck::Zeroable)]
#[repr(C, align(64))]
struct Line([i16; 32]);

/// Rows of accumulated values of one thread, aligned to cache lines.
#[derive(Clone)]
pub(crate) struct Rows {
    lines: Vec<Line>,
    width: usize,
}

impl Rows {
    /// `count` rows of zeros; `width` must be a multiple of 32.
    pub(crate) fn zeros(count: usize, width: usize) -> Rows {
        Rows {
            lines: vec![Line([0; 32]); count * width / 32],
            width,
        }
    }

    pub(super) fn count(&self) -> usize {
        self.lines.len() * 32 / self.width
    }

    /// Adds rows of zeros until there are `count`.
    pub(super) fn grow(&mut self, count: usize) {
        let lines = count * self.width / 32;
        self.lines
            .resize(lines.max(self.lines.len()), Line([0; 32]));
    }

    #[inline(always)]
    pub(crate) fn row(&self, index: usize) -> &[i16] {
        let values: &[i16] = bytemuck::cast_slice(&self.lines);
        &values[index * self.width..][..self.width]
    }

    #[inline(always)]
    pub(crate) fn row_mut(&mut self, index: usize) -> &mut [i16] {
        let values: &mut [i16] = bytemuck::cast_slice_mut(&mut self.lines);
        &mut values[index * self.width..][..self.width]
    }

    /// Two rows: `source` to read, and `target`, which must be a later one, to
    /// write.
    #[inline(always)]
    pub(super) fn pair(&mut self, source: usize, target: usize) -> (&[i16], &mut [i16]) {
        let values: &mut [i16] = bytemuck::cast_slice_mut(&mut self.lines);
        let (before, after) = values.split_at_mut(target * self.width);
        (
            &before[source * self.width..][..self.width],
            &mut after[..self.width],
        )
    }
}
