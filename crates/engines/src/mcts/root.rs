//! What is different at the root: which moves it has, noise, its own rules for the choice of edges,
//! and the move that is finally played.

use super::arena::{Arena, End, PRIOR_UNIT, Proof, ROOT, Slot, Stats};
use super::gumbel::Gumbel;
use super::options::Options;
use super::selection::Selection;
use crate::random::Random;
use crate::tablebase::Tablebases;
use chess::{Game, Line, Move};
use std::cmp::Ordering;

/// How an edge of the root is chosen.
#[derive(Clone)]
pub(super) enum RootRule {
    /// As in every node.
    Plain,
    /// As in every node, but some moves have a penalty.
    Fined(Fines),
    /// By sequential halving.
    Gumbel(Box<Gumbel>),
}

impl RootRule {
    /// The index of the edge to follow; `None` if all are lost.
    #[inline(always)]
    pub(super) fn choose(
        &mut self,
        edges: &[Slot],
        node: Stats,
        selection: &Selection,
    ) -> Option<usize> {
        match self {
            RootRule::Plain => selection.choose(edges, node),
            RootRule::Fined(fines) => choose_fined(fines, edges, node, selection),
            RootRule::Gumbel(gumbel) => gumbel
                .choose(edges, node)
                .or_else(|| selection.choose(edges, node)),
        }
    }
}

/// The root moves with a penalty, and how large it is.
#[derive(Clone)]
pub(super) struct Fines {
    moves: Vec<Move>,
    penalty: f32,
}

impl Fines {
    /// A penalty for the moves that repeat a position of the game; `None` if there are no such
    /// moves.
    pub(super) fn for_repetitions(line: &Line, moves: &[Move], penalty: f32) -> Option<Fines> {
        let mut line = line.clone();
        let mut repeats = |mv: &Move| {
            line.push(*mv);
            let repeats = line.earlier_occurrences() > 0;
            line.pop();
            repeats
        };
        let moves: Vec<Move> = moves.iter().copied().filter(|mv| repeats(mv)).collect();
        (penalty > 0.0 && !moves.is_empty()).then_some(Fines { moves, penalty })
    }

    fn of(&self, mv: Move) -> f32 {
        match self.moves.contains(&mv) {
            true => self.penalty,
            false => 0.0,
        }
    }
}

/// PUCT over all edges, with penalties.
fn choose_fined(
    fines: &Fines,
    edges: &[Slot],
    node: Stats,
    selection: &Selection,
) -> Option<usize> {
    let exploration = selection.exploration(node.visits);
    let is_seen = |edge: &&Slot| edge.stats().visits > 0;
    let seen = edges.iter().filter(is_seen).map(Slot::prior).sum();
    let first_play = selection.first_play(node.value, seen);
    let score = |number: usize| {
        let edge = &edges[number];
        let Stats { visits, value } = edge.stats();
        let value = if visits == 0 { first_play } else { value };
        value - fines.of(edge.mv()) + exploration * edge.prior() as f32 / (visits + 1) as f32
    };
    (0..edges.len())
        .filter(|&number| !edges[number].link().is_lost())
        .max_by(|&a, &b| score(a).total_cmp(&score(b)).then(b.cmp(&a)))
}

/// The root moves to choose from, and whether tablebases have ranked them.
pub(super) fn moves(
    game: &Game,
    wanted: &[Move],
    tablebases: Option<&Tablebases>,
) -> (Vec<Move>, bool) {
    let legal = game.board().legal_moves();
    let is_wanted = |mv: &&Move| wanted.is_empty() || wanted.contains(mv);
    let mut moves: Vec<Move> = legal.iter().filter(is_wanted).copied().collect();
    if moves.is_empty() {
        // None of the moves asked for is legal: search all.
        moves = legal.to_vec();
    }
    let ranked = tablebases.and_then(|tables| tables.ranked(game.board(), &moves));
    match ranked {
        Some(ranked) if !ranked.is_empty() => {
            let best = ranked[0].1;
            let kept = ranked.iter().filter(|(_, rank)| *rank >= best);
            (kept.map(|&(mv, _)| mv).collect(), true)
        }
        _ => (moves, false),
    }
}

/// A move that mates in one.
pub(super) fn mate_in_one(game: &Game, moves: &[Move]) -> Option<Move> {
    let board = game.board();
    let mates = |mv: &&Move| board.gives_check(**mv) && !board.after(**mv).has_legal_move();
    moves.iter().find(mates).copied()
}

/// Dirichlet noise for this many moves, with its share in the priors.
pub(super) fn noise(
    options: &Options,
    count: usize,
    random: &mut Random,
) -> Option<(f32, Vec<f32>)> {
    if options.noise_epsilon <= 0.0 {
        return None;
    }
    let alpha = match options.noise_alpha > 0.0 {
        true => f64::from(options.noise_alpha),
        false => 10.0 / count as f64,
    };
    Some((options.noise_epsilon, random.dirichlet(alpha, count)))
}

/// Mixes noise into the priors of a root that is already expanded. Its edges keep the order of
/// their old priors, in which unvisited edges are opened.
pub(super) fn add_noise(arena: &Arena, (epsilon, noise): &(f32, Vec<f32>)) {
    let header = arena.slot(ROOT).link().place();
    if header == 0 {
        return;
    }
    for (edge, noise) in arena.edges(header).iter().zip(noise) {
        let prior = edge.prior() as f32 / PRIOR_UNIT;
        let mixed = (1.0 - epsilon) * prior + epsilon * noise;
        let prior = (mixed * PRIOR_UNIT).clamp(1.0, PRIOR_UNIT) as u16;
        edge.set_label(edge.mv(), prior);
    }
}

/// Which of two edges of a node is better to play: wins first, the shorter the better; losses last,
/// the longer the better; in between by visits, value and prior.
pub(super) fn compare(arena: &Arena, a: &Slot, b: &Slot) -> Ordering {
    let rank = |edge: &Slot| match edge.link().proof() {
        Proof::Win => 2,
        Proof::Open | Proof::Draw => 1,
        Proof::Loss => 0,
    };
    let plies = |edge: &Slot| {
        let End {
            plies,
            by_tablebase,
            ..
        } = end_behind(arena, edge);
        (by_tablebase, plies)
    };
    let by_kind = rank(a).cmp(&rank(b));
    by_kind.then_with(|| match rank(a) {
        2 => plies(b).cmp(&plies(a)),
        0 => plies(a).cmp(&plies(b)),
        _ => {
            let (first, second) = (a.stats(), b.stats());
            first
                .visits
                .cmp(&second.visits)
                .then(first.value.total_cmp(&second.value))
                .then(a.prior().cmp(&b.prior()))
        }
    })
}

/// How the position behind a proved edge ends.
pub(super) fn end_behind(arena: &Arena, edge: &Slot) -> End {
    match edge.link().place() {
        0 => End::default(),
        place => arena.slot(place).end(),
    }
}

/// The indices of the edges of a node, the best one to play first.
pub(super) fn ranking(arena: &Arena, header: u32) -> Vec<usize> {
    let edges = arena.edges(header);
    let mut numbers: Vec<usize> = (0..edges.len()).collect();
    numbers.sort_by(|&a, &b| compare(arena, &edges[b], &edges[a]).then(a.cmp(&b)));
    numbers
}

/// The index of an edge of the root, sampled from the visits with a temperature; lost edges are
/// never drawn. Without visits the priors are used. `None` if the best edge is to be played.
pub(super) fn sample(arena: &Arena, temperature: f32, random: &mut Random) -> Option<usize> {
    let header = arena.slot(ROOT).link().place();
    let edges = arena.edges(header);
    let has_visits = edges.iter().any(|edge| edge.stats().visits > 0);
    let is_proved = edges.iter().any(|edge| edge.link().proof() == Proof::Win);
    if temperature <= 0.0 || is_proved || edges.is_empty() {
        return None;
    }
    let weight = |edge: &Slot| match edge.link().is_lost() {
        true => 0.0,
        false if has_visits => f64::from(edge.stats().visits),
        false => f64::from(edge.prior()),
    };
    let most = edges.iter().map(weight).fold(0.0, f64::max);
    let exponent = 1.0 / f64::from(temperature);
    let weights: Vec<f64> = edges
        .iter()
        .map(|edge| libm::pow(weight(edge) / most.max(1.0), exponent))
        .collect();
    (most > 0.0).then(|| random.pick(&weights))
}
