//! The positions of one step in the form that the net needs: lists of inputs, and the targets.
//!
//! Regardless of the order in which positions are given, a net processes them by their number of
//! men: loops over inputs then have the same length many times in a row, and positions of the same
//! output bucket are adjacent. The first layer processes *views*, one for each side's perspective
//! of a position, by king bucket: the rows of one bucket are few enough to stay in the cache.

use super::perspectives::{Perspective, man, perspective, perspectives};
use crate::BLOCK;
use chess::{PieceKind, Square};
use data::packed::PackedPosition;
use nets::nnue::{Inputs, MOST_ACTIVE};
use rayon::prelude::*;
use std::ops::Range;

/// How many views ahead memory is prefetched.
const AHEAD: usize = 16;

/// Positions of one step.
#[derive(Clone, Debug)]
pub struct Batch {
    inputs: Inputs,
    perspectives: Vec<Perspective>,
    scores: Vec<f32>,
    results: Vec<f32>,
    /// The index of each position in the order given, sorted by men.
    order: Vec<u32>,
    /// The number of men of each position in the sorted order, which all lists below follow.
    men: Vec<u8>,
    /// Where the men of each position begin in the list of all men; one entry more for the end.
    starts: Vec<u32>,
    /// The men of all positions, encoded as numbers.
    all_men: Vec<u16>,
    /// The indices of the perspectives of the side to move and of the other side.
    sides: Vec<[u16; 2]>,
    /// The views of each king bucket.
    buckets: Vec<Range<usize>>,
    /// The views sorted by king bucket; one more marks the end of the list of inputs.
    views: Vec<Seen>,
    /// The inputs of all views, numbered from the first one of their king bucket.
    lists: Vec<u16>,
}

/// A view.
#[derive(Clone, Copy, Debug)]
struct Seen {
    /// Twice the index of the position, plus one for the side that is not to move.
    place: u32,
    /// Where its list of inputs begins.
    start: u32,
}

impl Batch {
    /// An empty batch for these inputs.
    pub fn new(inputs: Inputs) -> Batch {
        Batch {
            perspectives: perspectives(&inputs),
            buckets: vec![0..0; inputs.bucket_count()],
            inputs,
            scores: Vec::new(),
            results: Vec::new(),
            order: Vec::new(),
            men: Vec::new(),
            starts: Vec::new(),
            all_men: Vec::new(),
            sides: Vec::new(),
            views: Vec::new(),
            lists: Vec::new(),
        }
    }

    /// Replaces the positions.
    pub fn set(&mut self, positions: &[PackedPosition]) {
        self.label(positions);
        self.put_in_order(positions);
        self.find_men(positions);
        self.find_views();
        self.list_inputs();
    }

    fn label(&mut self, positions: &[PackedPosition]) {
        let scores = positions.iter().map(|at| f32::from(at.score()));
        let results = positions
            .iter()
            .map(|at| 0.5 * (1.0 + f32::from(at.result().number())));
        self.scores.clear();
        self.scores.extend(scores);
        self.results.clear();
        self.results.extend(results);
    }

    fn put_in_order(&mut self, positions: &[PackedPosition]) {
        let mut places = [0; MOST_ACTIVE + 2];
        for position in positions {
            places[position.piece_count() as usize + 1] += 1;
        }
        self.men.clear();
        for men in 0..=MOST_ACTIVE {
            let count = places[men + 1];
            self.men.extend(std::iter::repeat_n(men as u8, count));
            places[men + 1] += places[men];
        }
        self.order.resize(positions.len(), 0);
        for (number, position) in positions.iter().enumerate() {
            let place = &mut places[position.piece_count() as usize];
            self.order[*place] = number as u32;
            *place += 1;
        }
        self.starts.clear();
        self.starts.push(0);
        let mut start = 0;
        self.starts.extend(self.men.iter().map(|&men| {
            start += u32::from(men);
            start
        }));
    }

    fn find_men(&mut self, positions: &[PackedPosition]) {
        let all = self.men.iter().map(|&men| usize::from(men)).sum();
        self.all_men.resize(all, 0);
        self.sides.resize(positions.len(), [0; 2]);
        let inputs = &self.inputs;
        cut(&mut self.all_men, &self.starts, |start| *start)
            .zip(self.order.par_chunks(BLOCK))
            .zip(self.sides.par_chunks_mut(BLOCK))
            .for_each(|((mut list, order), sides)| {
                for (&number, sides) in order.iter().zip(sides) {
                    let position = &positions[number as usize];
                    let mut kings = [Square::from_index(0); 2];
                    let count = position.piece_count() as usize;
                    let men = list.split_off_mut(..count).unwrap_or_default();
                    for ((square, piece), number) in position.pieces().zip(men) {
                        *number = man(piece, square);
                        if piece.kind == PieceKind::King {
                            kings[piece.color.index()] = square;
                        }
                    }
                    let side = position.side_to_move();
                    *sides = [side, !side].map(|side| {
                        perspective(&inputs.view(side, kings[side.index()]), side) as u16
                    });
                }
            });
    }

    fn find_views(&mut self) {
        let sides = self.sides.as_flattened();
        let mut next = vec![0; self.buckets.len()];
        for &perspective in sides {
            next[self.perspectives[usize::from(perspective)].bucket] += 1;
        }
        let mut first = 0;
        for (range, next) in self.buckets.iter_mut().zip(&mut next) {
            *range = first..first + *next;
            *next = first;
            first = range.end;
        }
        self.views
            .resize(sides.len() + 1, Seen { place: 0, start: 0 });
        for (place, &perspective) in sides.iter().enumerate() {
            let next = &mut next[self.perspectives[usize::from(perspective)].bucket];
            self.views[*next].place = place as u32;
            *next += 1;
        }
        let mut start = 0;
        for view in &mut self.views[..sides.len()] {
            view.start = start;
            start += u32::from(self.men[view.place as usize / 2]);
        }
        self.views[sides.len()] = Seen { place: 0, start };
    }

    fn list_inputs(&mut self) {
        self.lists.resize(2 * self.all_men.len(), 0);
        let (sides, starts) = (self.sides.as_flattened(), &self.starts);
        let last = self.views.len() - 1;
        cut(&mut self.lists, &self.views, |view| view.start)
            .zip(self.views[..last].par_chunks(BLOCK))
            .for_each(|(mut list, views)| {
                for view in views {
                    let place = view.place as usize;
                    let perspective = &self.perspectives[usize::from(sides[place])];
                    let men = starts[place / 2] as usize..starts[place / 2 + 1] as usize;
                    let men = &self.all_men[men];
                    let inputs = list.split_off_mut(..men.len()).unwrap_or_default();
                    for (input, &man) in inputs.iter_mut().zip(men) {
                        *input = perspective.inputs[usize::from(man)];
                    }
                }
            });
    }

    /// How many positions there are.
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// The inputs through which positions are encoded.
    pub fn inputs(&self) -> &Inputs {
        &self.inputs
    }

    /// The scores in centipawns, in the order given.
    pub fn scores(&self) -> &[f32] {
        &self.scores
    }

    /// The results from 0 to 1, in the order given.
    pub fn results(&self) -> &[f32] {
        &self.results
    }

    /// The number of men of each position, ascending.
    pub(crate) fn men(&self) -> &[u8] {
        &self.men
    }

    /// Reorders numbers from the order given to the order by men.
    pub(crate) fn by_men(&self, numbers: &[f32]) -> Vec<f32> {
        let order = self.order.iter();
        order.map(|&number| numbers[number as usize]).collect()
    }

    /// Reorders numbers from the order by men to the order given.
    pub(crate) fn as_given(&self, numbers: &[f32], given: &mut Vec<f32>) {
        given.clear();
        given.resize(numbers.len(), 0.0);
        for (&place, &number) in self.order.iter().zip(numbers) {
            given[place as usize] = number;
        }
    }

    /// The views of a king bucket.
    #[inline(always)]
    pub(crate) fn views(&self, bucket: usize) -> impl Iterator<Item = Look<'_>> {
        let last = self.views.len() - 1;
        self.buckets[bucket].clone().map(move |number| {
            let view = self.views[number];
            let list = view.start as usize..self.views[number + 1].start as usize;
            Look {
                place: view.place as usize,
                soon: self.views[last.min(number + AHEAD)].place as usize,
                inputs: &self.lists[list],
            }
        })
    }
}

/// What the first layer needs to know about a view.
pub(crate) struct Look<'a> {
    /// Twice the index of the position in the order by men, plus one for the side that is not to
    /// move.
    pub(crate) place: usize,
    /// The `place` of a view a little ahead, for prefetching.
    pub(crate) soon: usize,
    /// The active inputs, numbered from the first one of the king bucket, so that all are below the
    /// size of a bucket.
    pub(crate) inputs: &'a [u16],
}

/// Splits a list into one part for each block of things; `start` gives where the part of each thing
/// begins, and the last thing marks the end.
fn cut<'a, T>(
    list: &'a mut [u16],
    things: &[T],
    start: impl Fn(&T) -> u32,
) -> rayon::vec::IntoIter<&'a mut [u16]> {
    let mut rest = list;
    let last = things.len() - 1;
    let parts: Vec<_> = (0..last)
        .step_by(BLOCK)
        .map(|first| {
            let end = &things[last.min(first + BLOCK)];
            let length = (start(end) - start(&things[first])) as usize;
            rest.split_off_mut(..length).unwrap_or_default()
        })
        .collect();
    parts.into_par_iter()
}

#[cfg(test)]
mod tests {
    use super::super::tests::random_positions;
    use super::*;

    /// More than fits into two blocks.
    const COUNT: usize = 2_500;

    fn all_inputs() -> [Inputs; 3] {
        let by_square = std::array::from_fn(|index| index as u8);
        [
            Inputs::half_ka(),
            Inputs::piece_square([0; 64], false).expect("one bucket"),
            Inputs::piece_square(by_square, false).expect("64 buckets"),
        ]
    }

    #[test]
    fn every_view_lists_what_its_side_sees() {
        let positions = random_positions(COUNT, 31);
        let packed: Vec<_> = positions.iter().map(PackedPosition::from).collect();
        for inputs in all_inputs() {
            let mut batch = Batch::new(inputs.clone());
            batch.set(&packed);
            assert!(batch.men.is_sorted());
            let mut seen = vec![0; 2 * COUNT];
            for bucket in 0..inputs.bucket_count() {
                for view in batch.views(bucket) {
                    seen[view.place] += 1;
                    let position = batch.order[view.place / 2] as usize;
                    let board = &positions[position].board;
                    let side = board.side_to_move();
                    let side = [side, !side][view.place % 2];
                    let first = bucket * inputs.bucket_size();
                    let listed = view.inputs.iter().map(|&input| first + usize::from(input));
                    assert!(listed.eq(inputs.active(board, side)));
                }
            }
            assert!(seen.iter().all(|&times| times == 1));
        }
    }

    #[test]
    fn numbers_come_back_in_the_order_in_which_positions_were_given() {
        let positions = random_positions(COUNT, 32);
        let packed: Vec<_> = positions.iter().map(PackedPosition::from).collect();
        let mut batch = Batch::new(Inputs::half_ka());
        // No data of the previous positions may remain.
        batch.set(&packed);
        batch.set(&packed[..1_500]);
        let men: Vec<f32> = packed[..1_500]
            .iter()
            .map(|at| at.piece_count() as f32)
            .collect();
        let by_men = batch.by_men(&men);
        assert!(by_men.is_sorted());
        let mut given = Vec::new();
        batch.as_given(&by_men, &mut given);
        assert_eq!(given, men);
        let scores = packed[..1_500].iter().map(|at| f32::from(at.score()));
        assert!(scores.eq(batch.scores().iter().copied()));
    }
}
