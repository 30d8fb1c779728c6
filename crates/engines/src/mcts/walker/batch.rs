//! Walks that wait for a model's batch.
//!
//! Positions for models that are faster in batches are collected while their walks count as losses.
//! Walks to the same leaf are joined, and all results are received together.

use super::{Arrival, Ground, Walker, Worth};
use crate::mcts::root::RootRule;
use chess::{Move, MoveFilter};
use nets::Chances;
use nets::policy::{PolicyValue, Wanted};

/// The walks that wait for the batch.
#[derive(Default)]
pub(super) struct Batch {
    walks: Vec<Pending>,
    /// All paths, concatenated.
    paths: Vec<u32>,
    /// The moves of all leaves, concatenated.
    moves: Vec<Move>,
}

impl Batch {
    pub(super) fn clear(&mut self) {
        self.walks.clear();
        self.paths.clear();
        self.moves.clear();
    }
}

/// A walk whose leaf is in the model's batch.
struct Pending {
    /// Its path, as a range in the list of all paths.
    begin: usize,
    end: usize,
    /// The index of its position among those collected.
    number: usize,
    /// Its moves, as a range in the list of all moves; `None` if another walk creates the node.
    moves: Option<(usize, usize)>,
}

impl Walker {
    /// Begins walks until `room` positions are in the model's batch, `most_walks` walks were begun
    /// or the tree has no more free leaves for now; returns the number of walks begun. The model
    /// must compute both values and priors, and its results must be received before the next walk.
    pub(in crate::mcts) fn gather(
        &mut self,
        ground: &Ground<'_>,
        rule: &mut RootRule,
        model: &mut dyn PolicyValue,
        room: usize,
        most_walks: usize,
    ) -> usize {
        let mut walks = 0;
        let mut joined = 0;
        while self.gathered() < room && walks < most_walks && joined < room {
            walks += 1;
            if let Arrival::Proved(proof) = self.descend(ground, rule) {
                self.finish(ground, Worth::proved(proof));
                continue;
            }
            let edge = self.path[self.path.len() - 1];
            if let Some(number) = self.pending_at(edge) {
                joined += 1;
                self.keep_pending(number, None);
                if self.path.len() == 1 {
                    break;
                }
                continue;
            }
            self.make_moves(ground.arena);
            if self.path.len() > 1
                && let Some((proof, end)) = self.ending(ground)
            {
                self.finish_proved(ground, proof, end);
                continue;
            }
            self.put_leaf(ground, model);
            if self.path.len() == 1 {
                break;
            }
        }
        walks
    }

    /// Looks the leaf of the path up in the cache, or puts it into the model's batch.
    fn put_leaf(&mut self, ground: &Ground<'_>, model: &mut dyn PolicyValue) {
        let is_root = self.path.len() == 1;
        self.moves.clear();
        match is_root {
            true => self.root_moves.iter().for_each(|&mv| self.moves.push(mv)),
            false => self.line.board().generate(MoveFilter::All, &mut self.moves),
        }
        if !is_root && let Some((chances, logits)) = self.cache.find(&self.line, self.moves.len()) {
            self.priors.set(logits, ground.policy_temperature);
            let edge = self.path[self.path.len() - 1];
            if let Some(header) = self.priors.node(ground.arena, &self.moves) {
                ground.arena.slot(edge).adopt(header);
            }
            return self.finish(ground, self.worth(ground, chances));
        }
        model.put(&self.line, Wanted::Both(&self.moves));
        let begin = self.batch.moves.len();
        self.batch.moves.extend_from_slice(&self.moves);
        let number = self.gathered();
        self.keep_pending(number, Some((begin, self.batch.moves.len())));
    }

    fn keep_pending(&mut self, number: usize, moves: Option<(usize, usize)>) {
        let begin = self.batch.paths.len();
        self.batch.paths.extend_from_slice(&self.path);
        self.batch.walks.push(Pending {
            begin,
            end: self.batch.paths.len(),
            number,
            moves,
        });
    }

    /// How many positions of this walker are in the batch.
    pub(in crate::mcts) fn gathered(&self) -> usize {
        let own = self
            .batch
            .walks
            .iter()
            .rev()
            .find(|walk| walk.moves.is_some());
        own.map_or(0, |walk| walk.number + 1)
    }

    /// The index of the position of a pending walk that ended at this edge.
    fn pending_at(&self, edge: u32) -> Option<usize> {
        let ends_here = |walk: &&Pending| self.batch.paths[walk.end - 1] == edge;
        self.batch
            .walks
            .iter()
            .find(ends_here)
            .map(|walk| walk.number)
    }

    /// Completes all pending walks with the model's results; `first` is the index of the first
    /// position in its batch.
    pub(in crate::mcts) fn receive(
        &mut self,
        ground: &Ground<'_>,
        model: &dyn PolicyValue,
        first: usize,
    ) {
        let walks = std::mem::take(&mut self.batch.walks);
        for walk in &walks {
            self.path.clear();
            self.path
                .extend_from_slice(&self.batch.paths[walk.begin..walk.end]);
            let number = first + walk.number;
            let chances = model.chances(number);
            if let Some((begin, end)) = walk.moves {
                let logits = model.logits(number);
                self.grow_received(ground, chances, logits, begin..end);
            }
            self.finish(ground, self.worth(ground, chances));
        }
        self.batch.walks = walks;
        self.batch.clear();
    }

    fn grow_received(
        &mut self,
        ground: &Ground<'_>,
        chances: Chances,
        logits: &[f32],
        moves: std::ops::Range<usize>,
    ) {
        if self.path.len() == 1 {
            return self.adopt_root(ground, logits);
        }
        self.make_moves(ground.arena);
        self.cache.put(&self.line, chances, logits);
        self.priors.set(logits, ground.policy_temperature);
        let edge = self.path[self.path.len() - 1];
        if let Some(header) = self.priors.node(ground.arena, &self.batch.moves[moves]) {
            ground.arena.slot(edge).adopt(header);
        }
    }
}
