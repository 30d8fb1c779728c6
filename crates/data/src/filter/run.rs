//! Applies filters to positions.

use std::ops::AddAssign;

use super::{
    thinning::{PieceCounts, Thinning},
    words::{Filter, FilterKind},
};
use crate::{
    position::{Outcome, Position},
    random::{self, Generator},
};

/// The score at which the probability of a win is 50 %, in centipawns.
const EVEN: f64 = 270.0;
/// How many centipawns change the odds of a win by the factor e.
const SPREAD: f64 = 340.0;

/// After a score larger than this, 0 probably stands for no score.
const PLACEHOLDER: u16 = 100;

/// A list of filters, at most one of each kind. Marked positions are always removed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Filters {
    /// The filters in the order in which they are applied.
    list: Vec<Filter>,
}

impl FromIterator<Filter> for Filters {
    /// Of two filters of the same kind, the last one counts.
    fn from_iter<I: IntoIterator<Item = Filter>>(filters: I) -> Self {
        let mut list: Vec<Filter> = Vec::new();
        for filter in filters {
            list.retain(|other| other.kind() != filter.kind());
            list.push(filter);
        }
        list.sort_by_key(Filter::kind);
        Self { list }
    }
}

impl Filters {
    /// The filters, in the order in which they are applied.
    pub fn list(&self) -> &[Filter] {
        &self.list
    }

    /// The weights of [`Filter::Pieces`], if it is in the list.
    pub fn piece_weights(&self) -> Option<[f64; 3]> {
        self.list.iter().find_map(|filter| match filter {
            Filter::Pieces(weights) => Some(*weights),
            _ => None,
        })
    }

    /// The memory of [`Filter::Duplicates`], if it is in the list.
    pub fn remembered_mebibytes(&self) -> Option<u32> {
        self.list.iter().find_map(|filter| match filter {
            Filter::Duplicates(mebibytes) => Some(*mebibytes),
            _ => None,
        })
    }

    /// Begins to filter one piece of a file. The generator makes random decisions.
    pub fn run(&self, generator: Generator) -> FilterRun<'_> {
        FilterRun {
            list: &self.list,
            generator,
            thinning: None,
            latest: None,
            counts: FilterCounts::default(),
        }
    }
}

/// Filters at work on one piece of a file.
///
/// Duplicates are not removed here, because they may occur in different pieces.
#[derive(Clone, Debug)]
pub struct FilterRun<'a> {
    list: &'a [Filter],
    generator: Generator,
    thinning: Option<Thinning>,
    /// The ply of the position before, and the latest score that is not a placeholder.
    latest: Option<(u16, i16)>,
    counts: FilterCounts,
}

impl FilterRun<'_> {
    /// Whether to keep a position; also counts it.
    #[inline]
    pub fn keeps(&mut self, position: &Position) -> bool {
        let removed_by = self.removed_by(position);
        self.counts.add(removed_by);
        removed_by.is_none()
    }

    #[inline]
    fn removed_by(&mut self, position: &Position) -> Option<FilterKind> {
        if position.is_marked() {
            return Some(FilterKind::Marked);
        }
        let list = self.list;
        list.iter()
            .find(|filter| self.removes(filter, position))
            .map(Filter::kind)
    }

    #[inline]
    fn removes(&mut self, filter: &Filter, position: &Position) -> bool {
        match *filter {
            Filter::Placeholders => self.is_placeholder(position),
            Filter::Early(ply) => position.ply <= ply,
            Filter::Ply(range) => !range.contains(position.ply),
            Filter::Score(range) => !range.contains(position.score.unsigned_abs()),
            Filter::Captures => position.is_capture(),
            Filter::Promotions => position.mv.is_some_and(|mv| mv.promotes_to().is_some()),
            Filter::InCheck => position.board.in_check(),
            Filter::Result => {
                let likely = likelihood(position.result, position.score);
                !random::chance(&mut self.generator, likely)
            }
            Filter::Random(skipped) => !random::chance(&mut self.generator, 1.0 / (skipped + 1.0)),
            Filter::Pieces(_) => {
                let men = position.board.occupied().count();
                let generator = &mut self.generator;
                let thinning = self.thinning.as_ref();
                thinning.is_some_and(|thinning| !thinning.keeps(men, generator))
            }
            Filter::Duplicates(_) => false,
        }
    }

    /// Whether the score seems to stand for no score. Must be called once for each position.
    fn is_placeholder(&mut self, position: &Position) -> bool {
        let before = self
            .latest
            .filter(|(ply, _)| ply.checked_add(1) == Some(position.ply));
        let is_placeholder = position.score == 0
            && position.result != Outcome::Draw
            && before.is_some_and(|(_, score)| score.unsigned_abs() > PLACEHOLDER);
        let score = match before {
            Some((_, score)) if is_placeholder => score,
            _ => position.score,
        };
        self.latest = Some((position.ply, score));
        is_placeholder
    }

    /// From now on, thins out positions by their numbers of men.
    pub fn thin(&mut self, weights: [f64; 3], counts: &PieceCounts) {
        self.thinning = Some(Thinning::new(weights, counts));
    }

    /// The counts so far.
    pub fn counts(&self) -> &FilterCounts {
        &self.counts
    }
}

/// The probability of a result for a score, both for the side to move: that of a win is
/// 50 % at 270 centipawns, that of a loss at -270, and the rest are draws.
fn likelihood(result: Outcome, score: i16) -> f64 {
    let of_win = |score: f64| 1.0 / (1.0 + libm::exp((EVEN - score) / SPREAD));
    let score = f64::from(score);
    match result {
        Outcome::Win => of_win(score),
        Outcome::Loss => of_win(-score),
        Outcome::Draw => 1.0 - of_win(score) - of_win(-score),
    }
}

/// How many positions were kept, and how many each filter removed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FilterCounts {
    /// How many were kept.
    pub kept: u64,
    removed: [u64; FilterKind::ALL.len()],
}

impl FilterCounts {
    /// Counts a position that was kept or removed.
    #[inline]
    pub fn add(&mut self, removed_by: Option<FilterKind>) {
        match removed_by {
            None => self.kept += 1,
            Some(kind) => self.removed[kind as usize] += 1,
        }
    }

    /// Counts a position as removed that was already counted as kept.
    #[inline]
    pub fn remove(&mut self, kind: FilterKind) {
        self.kept -= 1;
        self.removed[kind as usize] += 1;
    }

    /// The number of all positions.
    pub fn seen(&self) -> u64 {
        self.kept + self.removed.iter().sum::<u64>()
    }

    /// How many positions a kind of filter removed.
    pub fn removed(&self, kind: FilterKind) -> u64 {
        self.removed[kind as usize]
    }
}

impl AddAssign<&FilterCounts> for FilterCounts {
    fn add_assign(&mut self, other: &FilterCounts) {
        self.kept += other.kept;
        for (sum, count) in self.removed.iter_mut().zip(other.removed) {
            *sum += count;
        }
    }
}

#[cfg(test)]
#[path = "run_tests.rs"]
mod tests;
