//! The choice of one move: a tree, a plan, and the exchange with the model's batch.

use super::decode;
use super::halving::score;
use super::options::{Mode, Options};
use super::plan::Plan;
use super::tree::{ROOT, Tree, mate_plies};
use crate::random::Random;
use crate::score::{Score, centipawns};
use crate::{Answer, MoveStatistics};
use chess::{Game, Move};
use nets::Chances;
use nets::policy::PolicyValue;
use std::collections::VecDeque;

/// The weight of values in the improved policy, as the paper of the Gumbel search has it for few
/// evaluations: the most evaluations of any move plus this, times the scale.
const COMPLETED_VISITS: f32 = 50.0;
const COMPLETED_SCALE: f32 = 0.1;

/// The search for one move of one game, run by a driver.
#[derive(Clone, Debug)]
pub struct Search {
    options: Options,
    tree: Tree,
    plan: Plan,
    /// Positions to evaluate next.
    queue: VecDeque<usize>,
    /// Positions that are in the model's batch.
    asked: Vec<usize>,
    evaluations: u64,
    random: Random,
    is_done: bool,
}

/// One of the best lines.
pub(super) struct Told {
    pub(super) line: Vec<Move>,
    pub(super) score: Score,
    pub(super) chances: Chances,
}

impl Search {
    /// A search in this game for the best of these legal moves. The seed determines all randomness.
    pub fn new(
        game: &Game,
        moves: Vec<Move>,
        options: Options,
        evaluations: u64,
        seed: u64,
    ) -> Search {
        Search {
            tree: Tree::new(game.line(), moves),
            plan: Plan::new(&options, evaluations),
            queue: VecDeque::new(),
            asked: Vec::new(),
            evaluations: 0,
            random: Random::new(seed, game.moves().len()),
            is_done: false,
            options,
        }
    }

    /// Whether nothing remains to be done.
    pub fn is_done(&self) -> bool {
        self.is_done
    }

    /// Whether enough is known to choose a move.
    pub fn can_answer(&self) -> bool {
        self.tree.root().found.is_some()
    }

    /// Positions that were evaluated.
    pub fn evaluations(&self) -> u64 {
        self.evaluations
    }

    /// Puts positions into the model's batch, at most `room`, and returns how many. The batch must
    /// be run and [received](Search::receive) before the next call.
    pub fn gather(&mut self, model: &mut dyn PolicyValue, room: usize) -> usize {
        if self.queue.is_empty() && !self.is_done {
            let wave = self.plan.next(&mut self.tree, &self.options);
            self.is_done = wave.is_empty();
            self.queue.extend(wave);
        }
        let count = room.min(self.queue.len());
        self.asked = self.queue.drain(..count).collect();
        for &number in &self.asked {
            self.tree.put(number, model);
        }
        count
    }

    /// Takes the results of the positions that were last put into the batch; `first` is the index
    /// of the first one.
    pub fn receive(&mut self, model: &dyn PolicyValue, first: usize) {
        for (at, number) in std::mem::take(&mut self.asked).into_iter().enumerate() {
            self.tree.receive(number, model, first + at);
            self.evaluations += 1;
        }
    }

    /// The move to play, and the results of all moves that were evaluated.
    pub fn answer(&mut self) -> Answer {
        let children = self.ranking();
        let Some(&best) = children.first() else {
            return self.decoded();
        };
        let value = self.value_of(best);
        let line = self.tree.best_line(best);
        Answer {
            ponder: line.get(1).copied(),
            depth: self.tree.deepest(),
            nodes: self.evaluations,
            chances: Some(self.chances_of(best)),
            moves: self.statistics(&children),
            ..Answer::new(line.first().copied(), score_of(value))
        }
    }

    /// The best lines, at most as many as are asked for.
    pub(super) fn lines(&self) -> Vec<Told> {
        let ranking = self.ranking();
        let wanted = self.options.lines.max(1);
        if ranking.is_empty() {
            let chances = self.own_chances();
            let moves = self.tree.moves(ROOT).iter().take(wanted);
            let told = moves.map(|prior| Told {
                line: vec![prior.mv],
                score: score_of(chances.value()),
                chances,
            });
            return told.collect();
        }
        let told = ranking.into_iter().take(wanted).map(|child| Told {
            line: self.tree.best_line(child),
            score: score_of(self.value_of(child)),
            chances: self.chances_of(child),
        });
        told.collect()
    }

    /// The model's probabilities for the root.
    fn own_chances(&self) -> Chances {
        let found = self.tree.root().found.as_ref();
        found.map_or(Chances::DRAW, |found| found.chances)
    }

    pub(super) fn deepest(&self) -> u32 {
        self.tree.deepest()
    }

    /// The children of the root that may be played, the best first; empty if the policy alone
    /// decides.
    fn ranking(&self) -> Vec<usize> {
        let children: Vec<usize> = match &self.plan {
            Plan::Decode => Vec::new(),
            Plan::Fixed { .. } => self.tree.root().children.clone(),
            Plan::Halving(halving) => halving.survivors().collect(),
        };
        let known = children.into_iter();
        let known = known.filter(|&child| self.tree.value(child).is_some());
        let mut ranking: Vec<usize> = known.collect();
        let score = |child: usize| score(&self.tree, child, &self.options);
        ranking.sort_by(|&a, &b| score(b).total_cmp(&score(a)));
        ranking
    }

    /// The answer by the policy alone.
    fn decoded(&mut self) -> Answer {
        let moves = self.tree.moves(ROOT);
        let chosen = match self.options.mode {
            Mode::Sampled => decode::sample(moves, &self.options, &mut self.random),
            _ => 0,
        };
        let chances = self.own_chances();
        let statistics = moves.iter().map(|prior| MoveStatistics {
            mv: prior.mv,
            visits: 0,
            prior: libm::expf(prior.log),
            policy: libm::expf(prior.log),
            value: chances.value(),
        });
        Answer {
            nodes: self.evaluations,
            chances: Some(chances),
            moves: statistics.collect(),
            ..Answer::new(
                moves.get(chosen).map(|prior| prior.mv),
                score_of(chances.value()),
            )
        }
    }

    /// The value of a root move for the side that makes it.
    fn value_of(&self, child: usize) -> f32 {
        -self.tree.value(child).unwrap_or_default()
    }

    fn chances_of(&self, child: usize) -> Chances {
        let value = self.value_of(child).clamp(-1.0, 1.0);
        let found = self.tree.position(child).found.as_ref();
        let draw = found.map_or(1.0, |found| found.chances.draw);
        let draw = draw.min(1.0 - value.abs());
        Chances {
            win: (1.0 - draw + value) / 2.0,
            draw,
            loss: (1.0 - draw - value) / 2.0,
        }
    }

    /// The statistics of all root moves, the best one to play first. The policy is the improved
    /// one: priors and values, where moves without evaluations get the value of the root.
    fn statistics(&self, ranking: &[usize]) -> Vec<MoveStatistics> {
        let tree = &self.tree;
        let root = tree.root();
        let own_value = self.own_chances().value();
        let mut statistics: Vec<MoveStatistics> = Vec::new();
        for prior in tree.moves(ROOT) {
            let children = root.children.iter();
            let child = children
                .copied()
                .find(|&it| tree.position(it).mv == Some(prior.mv));
            let known = child.filter(|&child| tree.value(child).is_some());
            statistics.push(MoveStatistics {
                mv: prior.mv,
                visits: known.map_or(0, |child| tree.evaluated(child)),
                prior: libm::expf(prior.log),
                policy: prior.log,
                value: known
                    .map_or(own_value, |child| self.value_of(child))
                    .clamp(-1.0, 1.0),
            });
        }
        complete(&mut statistics);
        let rank = |of: &MoveStatistics| {
            let is_it = |&child: &usize| tree.position(child).mv == Some(of.mv);
            ranking.iter().position(is_it).unwrap_or(usize::MAX)
        };
        statistics.sort_by_key(rank);
        statistics
    }
}

/// Replaces the log priors in the field `policy` by the improved policy.
fn complete(statistics: &mut [MoveStatistics]) {
    let visits = statistics.iter().map(|of| of.visits).max().unwrap_or(0);
    let factor = (COMPLETED_VISITS + visits as f32) * COMPLETED_SCALE;
    for of in &mut *statistics {
        // Values range from 0 to 1, as in the paper.
        of.policy += factor * 0.5 * (of.value + 1.0);
    }
    let most = statistics
        .iter()
        .map(|of| of.policy)
        .fold(f32::MIN, f32::max);
    let mut sum = 0.0;
    for of in &mut *statistics {
        of.policy = libm::expf(of.policy - most);
        sum += of.policy;
    }
    statistics.iter_mut().for_each(|of| of.policy /= sum);
}

fn score_of(value: f32) -> Score {
    match mate_plies(value) {
        Some(plies) if value > 0.0 => Score::Mate(plies.div_ceil(2) as i32),
        Some(plies) => Score::Mate(-(plies as i32 / 2)),
        None => Score::Centipawns(centipawns(value)),
    }
}

/// Runs the searches of many games to their end, filling the model's batches with positions of all.
/// Each gives the same result as if it ran alone.
pub fn run_together(searches: &mut [Search], model: &mut dyn PolicyValue) {
    loop {
        let mut room = model.capacity();
        // Where the positions of each search are in the batch.
        let mut firsts = Vec::new();
        let mut count = 0;
        for search in searches.iter_mut() {
            let gathered = match room {
                0 => 0,
                room => search.gather(model, room),
            };
            firsts.push((count, gathered));
            count += gathered;
            room -= gathered;
        }
        if count == 0 {
            return;
        }
        model.run();
        for (search, (first, gathered)) in searches.iter_mut().zip(firsts) {
            if gathered > 0 {
                search.receive(model, first);
            }
        }
    }
}
