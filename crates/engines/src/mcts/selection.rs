//! Selects the edge of a node that a simulation follows: PUCT.
//!
//! Edges are sorted by prior, and an edge is opened only after all before it. So besides the
//! visited edges only the first unvisited one is considered. Its value is that of the node, less a
//! reduction that grows with the sum of the priors already visited (first-play urgency). This
//! module must not know where values come from.

use super::arena::{PRIOR_UNIT, Slot, Stats};
use super::options::Options;

/// Below this share of the base, ln(1 + x) is replaced by two terms of its series.
const SMALL: f32 = 0.01;

/// The constants of PUCT, prepared for the inner loop.
#[derive(Clone, Debug)]
pub(super) struct Selection {
    cpuct: f32,
    cpuct_base: f32,
    cpuct_factor: f32,
    fpu: f32,
    filters: Option<Filters>,
}

/// Which edges may not be opened while there are others. The last edge that is not lost is always
/// allowed.
#[derive(Clone, Copy, Debug)]
struct Filters {
    top_k: u32,
    /// The share of the prior mass within which edges are searched.
    head: f32,
    widening: Option<(f32, f32)>,
}

impl Filters {
    fn of(options: &Options) -> Option<Filters> {
        let widening =
            (options.widening > 0.0).then_some((options.widening, options.widening_exponent));
        let filters = Filters {
            top_k: match options.top_k {
                0 => u32::MAX,
                count => count as u32,
            },
            head: 1.0 - options.tail,
            widening,
        };
        let is_used = options.top_k > 0 || options.tail > 0.0 || widening.is_some();
        is_used.then_some(filters)
    }

    /// Whether one more edge may be opened besides `open` others whose priors sum to `seen`.
    fn admits(&self, open: u32, seen: f32, visits: u32) -> bool {
        let widest = self.widening.map_or(u32::MAX, |(factor, exponent)| {
            (factor * libm::powf(visits as f32, exponent)) as u32
        });
        open == 0 || open < self.top_k.min(widest) && seen < self.head
    }
}

impl Selection {
    pub(super) fn new(options: &Options) -> Selection {
        Selection {
            cpuct: options.cpuct,
            cpuct_base: options.cpuct_base,
            cpuct_factor: options.cpuct_factor,
            fpu: options.fpu,
            filters: Filters::of(options),
        }
    }

    /// The factor of the priors in a node with this many visits.
    #[inline(always)]
    pub(super) fn exploration(&self, visits: u32) -> f32 {
        let visits = visits as f32;
        let share = visits / self.cpuct_base;
        let growth = match share < SMALL {
            true => share - 0.5 * share * share,
            false => libm::logf(1.0 + share),
        };
        (self.cpuct + self.cpuct_factor * growth) * visits.sqrt() / PRIOR_UNIT
    }

    /// The value assumed for an unvisited edge of a node with this value, where the priors of
    /// visited edges sum to `seen`.
    #[inline(always)]
    pub(super) fn first_play(&self, value: f32, seen: u32) -> f32 {
        value - self.fpu * (seen as f32 / PRIOR_UNIT).sqrt()
    }

    /// The index of the edge to follow, given the node's visits and its value for the side to move;
    /// `None` if all are lost.
    #[inline(always)]
    pub(super) fn choose(&self, edges: &[Slot], node: Stats) -> Option<usize> {
        let exploration = self.exploration(node.visits);
        let (mut best, mut best_score) = (usize::MAX, f32::NEG_INFINITY);
        let (mut seen, mut open) = (0, 0);
        for (number, edge) in edges.iter().enumerate() {
            let Stats { visits, value } = edge.stats();
            let prior = edge.prior();
            let bonus = exploration * prior as f32;
            if visits == 0 {
                let admits =
                    |filters: &Filters| filters.admits(open, seen as f32 / PRIOR_UNIT, node.visits);
                if self.first_play(node.value, seen) + bonus > best_score
                    && self.filters.as_ref().is_none_or(admits)
                {
                    best = number;
                }
                break;
            }
            seen += prior;
            if edge.link().is_lost() {
                continue;
            }
            open += 1;
            let score = value + bonus / (visits + 1) as f32;
            if score > best_score {
                (best, best_score) = (number, score);
            }
        }
        (best != usize::MAX).then_some(best)
    }
}

#[cfg(test)]
mod tests {
    use super::super::arena::{Link, Proof};
    use super::*;
    use chess::{Move, squares};

    /// Edges with these priors in percent, visits and values.
    fn edges(of: &[(u32, u32, f32)]) -> Vec<Slot> {
        of.iter()
            .map(|&(percent, visits, value)| {
                let slot = Slot::default();
                let prior = (percent as f32 / 100.0 * PRIOR_UNIT) as u16;
                slot.set_label(Move::normal(squares::E2, squares::E4), prior);
                slot.set_stats(Stats { visits, value });
                slot
            })
            .collect()
    }

    fn node(visits: u32, value: f32) -> Stats {
        Stats { visits, value }
    }

    fn selection(change: impl FnOnce(&mut Options)) -> Selection {
        let mut options = Options {
            cpuct: 1.5,
            cpuct_factor: 0.0,
            fpu: 0.25,
            ..Options::default()
        };
        change(&mut options);
        Selection::new(&options)
    }

    #[test]
    fn the_formula_is_that_of_the_books() {
        let plain = selection(|_| {});
        // 0.2 + 1.5 * 0.5 * 3 / 5 = 0.65 against 0.4 + 1.5 * 0.3 * 3 / 4 = 0.7375.
        let two = edges(&[(50, 4, 0.2), (30, 3, 0.4)]);
        assert_eq!(plain.choose(&two, node(9, 0.0)), Some(1));
        // 0.4 + 1.5 * 0.1 * 3 / 2 = 0.625 is less than 0.65.
        let two = edges(&[(50, 4, 0.2), (10, 1, 0.4)]);
        assert_eq!(plain.choose(&two, node(9, 0.0)), Some(0));
        let grows = selection(|options| {
            options.cpuct_factor = 2.0;
            options.cpuct_base = 100.0;
        });
        let factor = |visits: u32| grows.exploration(visits) * PRIOR_UNIT / (visits as f32).sqrt();
        assert!((factor(1) - 1.5 - 2.0 * libm::logf(1.01)).abs() < 1e-5);
        assert!((factor(100) - 1.5 - 2.0 * libm::logf(2.0)).abs() < 1e-5);
    }

    #[test]
    fn the_first_play_costs_what_was_tried() {
        let plain = selection(|_| {});
        assert!((plain.first_play(0.3, 16_384) - (0.3 - 0.25 * 0.5)).abs() < 1e-4);
        // Value 0.1 - 0.25 * 0.8 + 1.5 * 0.36 * 1 against 0.2 + 1.5 * 0.64 / 2 = 0.68.
        let of = |value| edges(&[(64, 1, value), (36, 0, 0.0), (0, 0, 0.0)]);
        assert_eq!(plain.choose(&of(0.2), node(1, 0.1)), Some(0));
        assert_eq!(plain.choose(&of(-0.2), node(1, 0.1)), Some(1));
        assert_eq!(
            plain.choose(&edges(&[(64, 0, 0.0), (36, 0, 0.0)]), node(0, 0.0)),
            Some(0)
        );
    }

    #[test]
    fn lost_edges_are_left_alone() {
        let plain = selection(|_| {});
        let two = edges(&[(90, 1, -1.0), (10, 1, -0.9)]);
        two[0].set_link(Link::new(Proof::Loss, 0));
        assert_eq!(plain.choose(&two, node(2, 0.0)), Some(1));
        two[1].set_link(Link::new(Proof::Loss, 0));
        assert_eq!(plain.choose(&two, node(2, 0.0)), None);
    }

    #[test]
    fn filters_leave_the_last_hope_open() {
        let bad = [(60, 1, -0.9), (25, 1, -0.9), (15, 0, 0.0)];
        let with = |change: fn(&mut Options)| selection(change).choose(&edges(&bad), node(2, 0.5));
        assert_eq!(with(|_| {}), Some(2));
        assert_ne!(with(|options| options.top_k = 2), Some(2));
        assert_eq!(with(|options| options.top_k = 3), Some(2));
        assert_ne!(with(|options| options.tail = 0.2), Some(2));
        assert_eq!(with(|options| options.tail = 0.1), Some(2));
        assert_ne!(with(|options| options.widening = 1.0), Some(2));
        assert_eq!(with(|options| options.widening = 3.0), Some(2));
        let lost = edges(&bad);
        lost[..2]
            .iter()
            .for_each(|edge| edge.set_link(Link::new(Proof::Loss, 0)));
        let narrow = selection(|options| options.top_k = 1);
        assert_eq!(narrow.choose(&lost, node(2, 0.5)), Some(2));
    }
}
