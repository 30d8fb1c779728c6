//! One thread's walks through the tree: from the root to a leaf, the value of the leaf, and back.
//!
//! A walk follows edges alone. Moves are made only at its end, and only those that differ from the
//! previous walk. Positions for models that are faster in batches are collected while their walks
//! count as losses, and all results are received together. This module must not know when a search
//! ends.

mod batch;

use super::arena::{Arena, End, Proof, ROOT, Stats};
use super::backup::{Company, add_proofs, add_values, prove_leaf};
use super::cache::Cache;
use super::expansion::Priors;
use super::options::Flaws;
use super::root::RootRule;
use super::selection::Selection;
use crate::score::MAX_PLY;
use crate::tablebase::{Tablebases, Verdict};
use batch::Batch;
use chess::{Color, Line, MAX_MOVES, Move, MoveFilter, MoveList, Termination};
use nets::Chances;
use nets::policy::{PolicyValue, Wanted};

/// What all walks of a search share.
#[derive(Clone, Copy)]
pub(super) struct Ground<'a> {
    pub(super) arena: &'a Arena,
    pub(super) selection: &'a Selection,
    pub(super) policy_temperature: f32,
    pub(super) flaws: Flaws,
    pub(super) tablebases: Option<&'a Tablebases>,
    pub(super) company: Company,
}

impl Ground<'_> {
    /// Whether this many walks surely find room for their nodes, or a quarter of the arena is free:
    /// in a small arena some leaves get no node for a while.
    #[inline(always)]
    pub(super) fn has_room_for(&self, walks: usize) -> bool {
        let wanted = walks.saturating_mul(MAX_MOVES + 2);
        let most = self.arena.capacity() / 4;
        self.arena.has_room_for(most.min(wanted as u32))
    }
}

/// Where a walk ended.
enum Arrival {
    /// At an edge whose result is proved.
    Proved(Proof),
    /// At an edge that was never visited.
    Fresh,
    /// At an edge that was visited, but has no node.
    Again,
    /// At the depth limit.
    Deep,
}

/// One thread's walks; see the module.
pub(super) struct Walker {
    line: Line,
    /// The length of the line at the root.
    root: usize,
    /// Whether Black is to move there.
    is_black_at_root: bool,
    /// The moves made after the root.
    made: Vec<Move>,
    path: Vec<u32>,
    moves: MoveList,
    /// The moves that may be played at the root, in the order in which equal ones are tried.
    root_moves: Vec<Move>,
    /// Dirichlet noise for their priors, with its share.
    noise: Option<(f32, Vec<f32>)>,
    priors: Box<Priors>,
    cache: Cache,
    batch: Batch,
    pub(super) tally: Tally,
}

/// The counts of a thread.
#[derive(Clone, Debug, Default)]
pub(super) struct Tally {
    pub(super) simulations: u64,
    pub(super) plies: u64,
    pub(super) deepest: u32,
    pub(super) tablebase_hits: u64,
    /// For each root move: visits, and the sum of the draw probabilities.
    pub(super) draws: Vec<(u32, f64)>,
    /// The draw probability of the root itself, by the model.
    pub(super) root_draw: Option<f32>,
}

/// The value of a leaf for its side to move.
#[derive(Clone, Copy)]
struct Worth {
    value: f32,
    draw: f32,
}

impl Worth {
    fn of(chances: Chances) -> Worth {
        // A broken model must not corrupt the tree.
        let value = chances.value();
        Worth {
            value: if value.is_nan() {
                0.0
            } else {
                value.clamp(-1.0, 1.0)
            },
            draw: chances.draw,
        }
    }

    /// The value of a leaf to which an edge with this proof leads.
    fn proved(proof: Proof) -> Worth {
        Worth {
            value: -proof.value(),
            draw: f32::from(u8::from(proof == Proof::Draw)),
        }
    }
}

impl Walker {
    pub(super) fn new(cache: usize) -> Walker {
        Walker {
            line: Line::new(chess::Board::start()),
            root: 0,
            is_black_at_root: false,
            made: Vec::with_capacity(MAX_PLY),
            path: Vec::with_capacity(MAX_PLY + 2),
            moves: MoveList::new(),
            root_moves: Vec::new(),
            noise: None,
            priors: Box::default(),
            cache: Cache::new(cache),
            batch: Batch::default(),
            tally: Tally::default(),
        }
    }

    /// Begins a search at the end of a line.
    pub(super) fn begin(&mut self, line: &Line, moves: &[Move], noise: Option<(f32, Vec<f32>)>) {
        self.line = line.clone();
        self.root = line.length();
        self.is_black_at_root = line.board().side_to_move() == Color::Black;
        self.made.clear();
        self.root_moves = moves.to_vec();
        self.noise = noise;
        self.batch.clear();
        self.tally = Tally {
            draws: vec![(0, 0.0); moves.len()],
            ..Tally::default()
        };
    }

    /// Begins the search that another walker has begun.
    pub(super) fn follow(&mut self, other: &Walker) {
        let mut line = other.line.clone();
        while line.length() > other.root {
            line.pop();
        }
        self.begin(&line, &other.root_moves, None);
    }

    /// Clears the cache.
    pub(super) fn forget(&mut self) {
        self.cache.clear();
    }

    /// Sets the size of the cache.
    pub(super) fn set_cache(&mut self, size: usize, is_blind: bool) {
        if self.cache.size() != size {
            self.cache = Cache::new(size);
        }
        self.cache.is_blind = is_blind;
    }

    /// The line up to the root.
    pub(super) fn root_line(&mut self) -> &Line {
        self.take_back(0);
        &self.line
    }

    /// Runs one simulation with a model whose value and policy are computed separately.
    pub(super) fn simulate(
        &mut self,
        ground: &Ground<'_>,
        rule: &mut RootRule,
        model: &mut dyn PolicyValue,
    ) {
        let arrival = self.descend(ground, rule);
        if let Arrival::Proved(proof) = arrival {
            return self.finish(ground, Worth::proved(proof));
        }
        self.make_moves(ground.arena);
        if self.path.len() == 1 {
            let worth = self.grow_root(ground, model);
            return self.finish(ground, worth);
        }
        if let Some((proof, end)) = self.ending(ground) {
            return self.finish_proved(ground, proof, end);
        }
        if let Arrival::Again = arrival
            && self.grow_by_policy(ground, model)
        {
            self.make_moves(ground.arena);
            if let Some((proof, end)) = self.ending(ground) {
                return self.finish_proved(ground, proof, end);
            }
        }
        let worth = self.ask_value(ground, model);
        self.finish(ground, worth);
    }

    /// Walks from the root to the edge of the tree.
    #[inline(always)]
    fn descend(&mut self, ground: &Ground<'_>, rule: &mut RootRule) -> Arrival {
        let arena = ground.arena;
        self.path.clear();
        self.path.push(ROOT);
        loop {
            let edge = self.path[self.path.len() - 1];
            let slot = arena.slot(edge);
            let stats = slot.stats();
            if ground.company.has_virtual_loss() {
                slot.add_virtual_loss(ground.company.is_shared());
            }
            let link = slot.link();
            if !link.is_open() {
                return Arrival::Proved(link.proof());
            }
            let header = link.place();
            if header == 0 {
                return match stats.visits {
                    0 => Arrival::Fresh,
                    _ => Arrival::Again,
                };
            }
            if self.path.len() > MAX_PLY {
                return Arrival::Deep;
            }
            let node = Stats {
                visits: stats.visits,
                value: -stats.value,
            };
            let edges = arena.edges(header);
            let choice = match self.path.len() {
                1 => rule.choose(edges, node, ground.selection),
                _ => ground.selection.choose(edges, node),
            };
            // All edges are lost, and another thread is about to record it.
            let Some(number) = choice else {
                return Arrival::Deep;
            };
            self.path.push(header + 1 + number as u32);
        }
    }

    /// Makes the moves that lead to the leaf of the path.
    fn make_moves(&mut self, arena: &Arena) {
        let edges = &self.path[1..];
        let is_same = |pair: &(&u32, &Move)| arena.slot(*pair.0).mv() == *pair.1;
        let same = edges.iter().zip(&self.made).take_while(is_same).count();
        self.take_back(same);
        for &edge in &self.path[1 + same..] {
            let mv = arena.slot(edge).mv();
            self.line.push(mv);
            self.made.push(mv);
        }
    }

    /// Takes back moves until `count` remain.
    fn take_back(&mut self, count: usize) {
        while self.made.len() > count {
            self.line.pop();
            self.made.pop();
        }
    }

    /// How the game ends at the leaf, if it does, for the side that moved there.
    #[inline(always)]
    fn ending(&mut self, ground: &Ground<'_>) -> Option<(Proof, End)> {
        let lasting = End {
            is_lasting: true,
            ..End::default()
        };
        if self.line.is_repetition(self.root) {
            return Some((Proof::Draw, End::default()));
        }
        match self.line.board().termination() {
            Some(Termination::Checkmate { .. }) => return Some((Proof::Win, lasting)),
            Some(_) => return Some((Proof::Draw, lasting)),
            None => {}
        }
        let verdict = ground
            .tablebases?
            .verdict_after_zeroing(self.line.board())?;
        self.tally.tablebase_hits += 1;
        let proof = match verdict {
            Verdict::Loss => Proof::Win,
            Verdict::Draw => Proof::Draw,
            Verdict::Win => Proof::Loss,
        };
        let end = End {
            by_tablebase: true,
            ..lasting
        };
        Some((proof, end))
    }

    fn ask_value(&mut self, ground: &Ground<'_>, model: &mut dyn PolicyValue) -> Worth {
        model.put(&self.line, Wanted::Value);
        model.run();
        self.worth(ground, model.chances(0))
    }

    /// The value of the leaf of the path by these probabilities, which are for its side to move.
    fn worth(&self, ground: &Ground<'_>, chances: Chances) -> Worth {
        let flaws = ground.flaws;
        let worth = Worth::of(chances);
        if flaws == Flaws::default() {
            return worth;
        }
        let is_opponents = self.path.len().is_multiple_of(2);
        let is_blacks = is_opponents != self.is_black_at_root;
        let for_root = flaws.leaf_for_root && is_opponents;
        let for_black = flaws.turned_for_black && is_blacks;
        match for_root != for_black {
            true => Worth {
                value: -worth.value,
                ..worth
            },
            false => worth,
        }
    }

    /// Expands the leaf and follows its first edge; false if there is no room.
    fn grow_by_policy(&mut self, ground: &Ground<'_>, model: &mut dyn PolicyValue) -> bool {
        self.moves.clear();
        self.line.board().generate(MoveFilter::All, &mut self.moves);
        model.put(&self.line, Wanted::Policy(&self.moves));
        model.run();
        self.priors.set(model.logits(0), ground.policy_temperature);
        let Some(header) = self.priors.node(ground.arena, &self.moves) else {
            return false;
        };
        let slot = ground.arena.slot(self.path[self.path.len() - 1]);
        slot.adopt(header);
        // Another thread may have been faster, or have proved the position in the meantime.
        let header = slot.link().place();
        if ground.arena.edges(header).is_empty() {
            return false;
        }
        self.path.push(header + 1);
        if ground.company.has_virtual_loss() {
            let slot = ground.arena.slot(header + 1);
            slot.add_virtual_loss(ground.company.is_shared());
        }
        true
    }

    /// Expands the root.
    fn grow_root(&mut self, ground: &Ground<'_>, model: &mut dyn PolicyValue) -> Worth {
        model.put(&self.line, Wanted::Both(&self.root_moves));
        model.run();
        self.adopt_root(ground, model.logits(0));
        self.worth(ground, model.chances(0))
    }

    fn adopt_root(&mut self, ground: &Ground<'_>, logits: &[f32]) {
        self.priors.set(logits, ground.policy_temperature);
        if let Some((epsilon, noise)) = &self.noise {
            for (share, noise) in self.priors.shares_mut().iter_mut().zip(noise) {
                *share = (1.0 - epsilon) * *share + epsilon * noise;
            }
        }
        if let Some(header) = self.priors.node(ground.arena, &self.root_moves) {
            ground.arena.slot(ROOT).adopt(header);
        }
    }

    fn finish_proved(&mut self, ground: &Ground<'_>, proof: Proof, end: End) {
        self.finish(ground, Worth::proved(proof));
        if let Some(&edge) = self.path.last() {
            prove_leaf(ground.arena, edge, proof, end);
            add_proofs(ground.arena, &self.path);
        }
    }

    #[inline(always)]
    fn finish(&mut self, ground: &Ground<'_>, worth: Worth) {
        add_values(ground.arena, &self.path, worth.value, ground.company);
        self.tally.count(ground.arena, &self.path, worth.draw);
    }
}

impl Tally {
    /// Adds all counts to another tally and resets them.
    pub(super) fn move_to(&mut self, other: &mut Tally) {
        other.simulations += std::mem::take(&mut self.simulations);
        other.plies += std::mem::take(&mut self.plies);
        other.deepest = other.deepest.max(std::mem::take(&mut self.deepest));
        other.tablebase_hits += std::mem::take(&mut self.tablebase_hits);
        other.root_draw = other.root_draw.or(self.root_draw.take());
        let count = self.draws.len().max(other.draws.len());
        other.draws.resize(count, (0, 0.0));
        for (from, to) in self.draws.iter_mut().zip(&mut other.draws) {
            let (visits, sum) = std::mem::take(from);
            *to = (to.0 + visits, to.1 + sum);
        }
    }

    #[inline(always)]
    fn count(&mut self, arena: &Arena, path: &[u32], draw: f32) {
        let plies = path.len() as u32 - 1;
        self.simulations += 1;
        self.plies += u64::from(plies);
        self.deepest = self.deepest.max(plies);
        if plies == 0 {
            self.root_draw = Some(draw);
        }
        if let Some(&edge) = path.get(1) {
            let first = arena.slot(ROOT).link().place() + 1;
            if let Some((visits, sum)) = self.draws.get_mut((edge - first) as usize) {
                *visits += 1;
                *sum += f64::from(draw);
            }
        }
    }
}
