//! Which positions a mode evaluates, wave by wave.

use super::halving::Halving;
use super::options::{Mode, Options};
use super::tree::{ROOT, Tree};

/// The order in which a search evaluates positions: one wave after the other.
#[derive(Clone, Debug)]
pub(super) enum Plan {
    /// The root alone.
    Decode,
    /// The likeliest moves, and for depth 2 also their likeliest replies.
    Fixed {
        /// The number of moves and of replies; no replies for re-ranking.
        widths: Vec<usize>,
    },
    /// Sequential halving, also for beam search.
    Halving(Halving),
}

impl Plan {
    /// The plan for a search with this many evaluations.
    pub(super) fn new(options: &Options, evaluations: u64) -> Plan {
        let halving = |rounds| Plan::Halving(Halving::new(options, evaluations, rounds));
        match options.mode {
            Mode::Greedy | Mode::Sampled => Plan::Decode,
            Mode::Rerank => Plan::Fixed {
                widths: vec![options.candidates],
            },
            Mode::DepthTwo => Plan::Fixed {
                widths: vec![options.candidates, options.replies],
            },
            Mode::Beam => halving(1),
            Mode::Halving => halving(options.rounds),
        }
    }

    /// The positions to evaluate next, once all earlier ones are; empty at the end.
    pub(super) fn next(&mut self, tree: &mut Tree, options: &Options) -> Vec<usize> {
        if tree.root().found.is_none() {
            return vec![ROOT];
        }
        match self {
            Plan::Decode => Vec::new(),
            Plan::Fixed { widths } => expand_all(tree, widths),
            Plan::Halving(halving) => halving.next(tree, options),
        }
    }
}

/// Adds the likeliest moves to the deepest positions, as many as the next unused width says.
fn expand_all(tree: &mut Tree, widths: &[usize]) -> Vec<usize> {
    let mut last = vec![ROOT];
    for &width in widths {
        let children = last
            .iter()
            .flat_map(|&at| tree.position(at).children.iter().copied());
        let children: Vec<usize> = children.collect();
        if children.is_empty() {
            let mut added = Vec::new();
            for parent in last {
                for prior in tree
                    .moves(parent)
                    .iter()
                    .take(width)
                    .copied()
                    .collect::<Vec<_>>()
                {
                    added.push(tree.add(parent, prior));
                }
            }
            added.retain(|&child| tree.position(child).end.is_none());
            return added;
        }
        last = children;
    }
    Vec::new()
}
