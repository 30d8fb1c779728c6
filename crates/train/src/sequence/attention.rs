//! Attention within one game, forward and back.
//!
//! Each event attends to itself and those before it, head by head, with a bias for the
//! distance. Loops run along memory, so that they fill registers.

use crate::functions::exp;
use crate::lanes::{self, Job, Lanes};
use nets::sequence::FARTHEST;

/// The sizes that matter here.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sizes {
    pub(super) width: usize,
    pub(super) heads: usize,
}

impl Sizes {
    fn head_width(self) -> usize {
        self.width / self.heads
    }

    fn scale(self) -> f32 {
        1.0 / (self.head_width() as f32).sqrt()
    }

    /// How many shares a game of so many events has: a triangle for each head.
    pub(super) fn shares(self, events: usize) -> usize {
        self.heads * events * (events + 1) / 2
    }

    /// How many numbers the biases of all distances are.
    pub(super) fn distances(self) -> usize {
        self.heads * (FARTHEST + 1)
    }
}

/// Where the parts of a mixed event lie: gate, value, query, key.
const VALUE: usize = 1;
const QUERY: usize = 2;
const KEY: usize = 3;

/// What the events of a game take from each other.
pub(super) struct Forward<'a> {
    pub(super) sizes: Sizes,
    /// `[event][gate, value, query, key]`.
    pub(super) mixed: &'a [f32],
    pub(super) distances: &'a [f32],
    /// Kept for the way back.
    pub(super) shares: &'a mut [f32],
    /// `[event][width]`.
    pub(super) target: &'a mut [f32],
}

impl Forward<'_> {
    pub(super) fn run(self) {
        lanes::run(self);
    }
}

impl Job for Forward<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Lanes>(self) {
        let Sizes { width, heads } = self.sizes;
        let events = self.target.len() / width;
        let size = self.sizes.head_width();
        let triangle = events * (events + 1) / 2;
        let mut keys = vec![0.0; size * events];
        for head in 0..heads {
            let part = |event: usize, part: usize| {
                let start = event * 4 * width + part * width + head * size;
                &self.mixed[start..start + size]
            };
            turn(events, |event| part(event, KEY), &mut keys);
            let distances = &self.distances[head * (FARTHEST + 1)..][..FARTHEST + 1];
            let shares = &mut self.shares[head * triangle..][..triangle];
            for event in 0..events {
                let row = &mut shares[event * (event + 1) / 2..][..event + 1];
                row.fill(0.0);
                for (column, query) in part(event, QUERY).iter().enumerate() {
                    let factor = query * self.sizes.scale();
                    add_scaled(row, factor, &keys[column * events..][..event + 1]);
                }
                for (place, share) in row.iter_mut().enumerate() {
                    *share += distances[(event - place).min(FARTHEST)];
                }
                softmax(row);
                let target = &mut self.target[event * width + head * size..][..size];
                target.fill(0.0);
                for (place, &share) in row.iter().enumerate() {
                    add_scaled(target, share, part(place, VALUE));
                }
            }
        }
    }
}

/// The slopes of what [`Forward`] was given.
pub(super) struct Backward<'a> {
    pub(super) sizes: Sizes,
    pub(super) mixed: &'a [f32],
    pub(super) shares: &'a [f32],
    /// `[event][width]`: those of its target.
    pub(super) slopes: &'a [f32],
    /// Those of values, queries and keys; gates are left alone.
    pub(super) target: &'a mut [f32],
    /// Those of the distances, which are set.
    pub(super) of_distances: &'a mut [f32],
}

impl Backward<'_> {
    pub(super) fn run(self) {
        lanes::run(self);
    }
}

impl Job for Backward<'_> {
    type Output = ();

    #[inline(always)]
    fn run<V: Lanes>(self) {
        let Sizes { width, heads } = self.sizes;
        let events = self.slopes.len() / width;
        let (size, scale) = (self.sizes.head_width(), self.sizes.scale());
        let triangle = events * (events + 1) / 2;
        let mut values = vec![0.0; size * events];
        let mut of_row = vec![0.0; events];
        self.of_distances.fill(0.0);
        for event in self.target.chunks_exact_mut(4 * width) {
            event[width..].fill(0.0);
        }
        for head in 0..heads {
            let start = |event: usize, part: usize| event * 4 * width + part * width + head * size;
            let mixed = |event: usize, part: usize| &self.mixed[start(event, part)..][..size];
            turn(events, |event| mixed(event, VALUE), &mut values);
            let of_distances = &mut self.of_distances[head * (FARTHEST + 1)..][..FARTHEST + 1];
            let shares = &self.shares[head * triangle..][..triangle];
            for event in 0..events {
                let row = &shares[event * (event + 1) / 2..][..event + 1];
                let slopes = &self.slopes[event * width + head * size..][..size];
                let of_row = &mut of_row[..=event];
                of_row.fill(0.0);
                for (column, &slope) in slopes.iter().enumerate() {
                    add_scaled(of_row, slope, &values[column * events..][..event + 1]);
                }
                let mean: f32 = row.iter().zip(&*of_row).map(|(share, of)| share * of).sum();
                for (of, share) in of_row.iter_mut().zip(row) {
                    *of = share * (*of - mean);
                }
                for place in 0..=event {
                    of_distances[(event - place).min(FARTHEST)] += of_row[place];
                    let factor = of_row[place] * scale;
                    let query = start(event, QUERY);
                    add_scaled(
                        &mut self.target[query..query + size],
                        factor,
                        mixed(place, KEY),
                    );
                    let key = start(place, KEY);
                    add_scaled(
                        &mut self.target[key..key + size],
                        factor,
                        mixed(event, QUERY),
                    );
                    let value = start(place, VALUE);
                    add_scaled(&mut self.target[value..value + size], row[place], slopes);
                }
            }
        }
    }
}

/// Rows become columns.
#[inline(always)]
fn turn<'a>(rows: usize, row: impl Fn(usize) -> &'a [f32], target: &mut [f32]) {
    for number in 0..rows {
        for (column, value) in row(number).iter().enumerate() {
            target[column * rows + number] = *value;
        }
    }
}

#[inline(always)]
fn add_scaled(target: &mut [f32], factor: f32, source: &[f32]) {
    for (target, value) in target.iter_mut().zip(source) {
        *target += factor * value;
    }
}

#[inline(always)]
fn softmax(row: &mut [f32]) {
    let most = row.iter().copied().fold(f32::MIN, f32::max);
    let mut sum = 0.0;
    for value in &mut *row {
        *value = exp(*value - most);
        sum += *value;
    }
    for value in row {
        *value /= sum;
    }
}
