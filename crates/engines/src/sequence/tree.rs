//! The positions of one search, with the model's outputs and the exact values of ends.
//!
//! Values are for the side to move and change their sign with each step. This module must not know
//! which positions are worth evaluating.

use chess::{Board, Line, Move};
use nets::Chances;
use nets::policy::{PolicyValue, Wanted};

/// The value of a mate: higher than any output of a model. Each ply costs a little, so that shorter
/// mates are preferred.
const MATE: f32 = 2.0;
const MATE_STEP: f32 = 0.001;

/// The positions of a search; the first is its root.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    positions: Vec<Position>,
    /// The game, up to the root.
    line: Line,
    /// The moves to choose from.
    root_moves: Vec<Move>,
}

/// A position of the tree.
#[derive(Clone, Debug)]
pub(super) struct Position {
    pub(super) parent: Option<usize>,
    /// The move that led here; `None` at the root.
    pub(super) mv: Option<Move>,
    pub(super) board: Board,
    pub(super) depth: u32,
    /// The log probability of that move.
    pub(super) log_prior: f32,
    /// The sum of the log probabilities from the root to here.
    pub(super) path: f32,
    /// The exact value if the game ends here.
    pub(super) end: Option<f32>,
    /// The model's output, once it was evaluated.
    pub(super) found: Option<Found>,
    pub(super) children: Vec<usize>,
}

/// A model's output for a position.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub(super) chances: Chances,
    /// Its moves, the likeliest first.
    pub(super) moves: Vec<Prior>,
}

/// A move with its log probability.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Prior {
    pub(super) mv: Move,
    pub(super) log: f32,
}

pub(super) const ROOT: usize = 0;

impl Tree {
    /// A tree whose root is the end of this line, with the moves to choose from.
    pub(super) fn new(line: &Line, root_moves: Vec<Move>) -> Tree {
        Tree {
            positions: vec![Position {
                parent: None,
                mv: None,
                board: *line.board(),
                depth: 0,
                log_prior: 0.0,
                path: 0.0,
                end: None,
                found: None,
                children: Vec::new(),
            }],
            line: line.clone(),
            root_moves,
        }
    }

    pub(super) fn position(&self, number: usize) -> &Position {
        &self.positions[number]
    }

    pub(super) fn root(&self) -> &Position {
        &self.positions[ROOT]
    }

    /// The likeliest moves of a position that was evaluated.
    pub(super) fn moves(&self, number: usize) -> &[Prior] {
        let found = self.positions[number].found.as_ref();
        found.map_or(&[], |found| &found.moves)
    }

    /// Adds the position after a move.
    pub(super) fn add(&mut self, parent: usize, prior: Prior) -> usize {
        let number = self.positions.len();
        let Position { path, depth, .. } = self.positions[parent];
        let mut position = Position {
            parent: Some(parent),
            mv: Some(prior.mv),
            board: self.positions[parent].board.after(prior.mv),
            depth: depth + 1,
            log_prior: prior.log,
            path: path + prior.log,
            end: None,
            found: None,
            children: Vec::new(),
        };
        position.end = self.end(&position);
        self.positions.push(position);
        self.positions[parent].children.push(number);
        number
    }

    /// The exact value of a position in which the game ends by the rules or by a repetition.
    fn end(&mut self, position: &Position) -> Option<f32> {
        let board = &position.board;
        if !board.has_legal_move() {
            let mated = MATE_STEP * position.depth as f32 - MATE;
            return Some(if board.in_check() { mated } else { 0.0 });
        }
        if board.halfmove_clock() >= 100 || board.has_insufficient_material() {
            return Some(0.0);
        }
        // Four plies are needed for a repetition.
        if board.halfmove_clock() < 4 {
            return None;
        }
        let root = self.line.length();
        let mut moves = self.moves_to(position.parent);
        moves.extend(position.mv);
        let line = self.follow(&moves);
        let repeats = line.is_repetition(root);
        self.return_to_root(moves.len());
        repeats.then_some(0.0)
    }

    /// The moves from the root to a position.
    pub(super) fn moves_to(&self, number: Option<usize>) -> Vec<Move> {
        let mut moves = Vec::new();
        let mut next = number;
        while let Some(number) = next {
            let position = &self.positions[number];
            moves.extend(position.mv);
            next = position.parent;
        }
        moves.reverse();
        moves
    }

    fn follow(&mut self, moves: &[Move]) -> &Line {
        for &mv in moves {
            self.line.push(mv);
        }
        &self.line
    }

    fn return_to_root(&mut self, plies: usize) {
        for _ in 0..plies {
            self.line.pop();
        }
    }

    /// Puts a position into the model's batch.
    pub(super) fn put(&mut self, number: usize, model: &mut dyn PolicyValue) {
        let asked = self.asked_moves(number);
        let moves = self.moves_to(Some(number));
        let line = self.follow(&moves);
        model.put(line, Wanted::Both(&asked));
        self.return_to_root(moves.len());
    }

    fn asked_moves(&self, number: usize) -> Vec<Move> {
        match number {
            ROOT => self.root_moves.clone(),
            _ => self.positions[number].board.legal_moves().to_vec(),
        }
    }

    /// Takes the model's output for a position, which is at index `at` of the batch.
    pub(super) fn receive(&mut self, number: usize, model: &dyn PolicyValue, at: usize) {
        let asked = self.asked_moves(number);
        let logits = model.logits(at);
        let most = logits.iter().copied().fold(f32::MIN, f32::max);
        let sum: f32 = logits.iter().map(|logit| libm::expf(logit - most)).sum();
        let whole = most + libm::logf(sum);
        let priors = asked.iter().zip(logits);
        let mut moves: Vec<Prior> = priors
            .map(|(&mv, logit)| Prior {
                mv,
                log: logit - whole,
            })
            .collect();
        // A stable sort: equal moves keep the order of generation.
        moves.sort_by(|a, b| b.log.total_cmp(&a.log));
        self.positions[number].found = Some(Found {
            chances: model.chances(at),
            moves,
        });
    }

    /// The value of a position: exact at an end, otherwise from the evaluated children, otherwise
    /// the model's. `None` if nothing is known.
    pub(super) fn value(&self, number: usize) -> Option<f32> {
        let position = &self.positions[number];
        if position.end.is_some() {
            return position.end;
        }
        let children = position.children.iter();
        let best = children
            .filter_map(|&child| self.value(child))
            .map(|value| -value)
            .reduce(f32::max);
        best.or_else(|| position.found.as_ref().map(|found| found.chances.value()))
    }

    /// The best line from a position on, as far as it was evaluated.
    pub(super) fn best_line(&self, number: usize) -> Vec<Move> {
        let mut line = Vec::new();
        let mut at = number;
        loop {
            line.extend(self.positions[at].mv);
            let children = self.positions[at].children.iter();
            let known = children.filter_map(|&child| Some((child, self.value(child)?)));
            let best = known.min_by(|(_, a), (_, b)| a.total_cmp(b));
            match best {
                Some((child, _)) => at = child,
                None => return line,
            }
        }
    }

    /// How many positions were evaluated in the subtree of this one.
    pub(super) fn evaluated(&self, number: usize) -> u32 {
        let position = &self.positions[number];
        let own = u32::from(position.found.is_some());
        let children = position.children.iter();
        own + children.map(|&child| self.evaluated(child)).sum::<u32>()
    }

    /// The depth of the deepest evaluated position.
    pub(super) fn deepest(&self) -> u32 {
        let evaluated = self.positions.iter().filter(|it| it.found.is_some());
        evaluated.map(|it| it.depth).max().unwrap_or(0)
    }
}

impl Position {
    /// Whether a move is forcing: a capture, a check or a promotion.
    pub(super) fn is_forcing(&self, mv: Move) -> bool {
        let promotes = mv.promotes_to().is_some();
        promotes || self.board.is_capture(mv) || self.board.gives_check(mv)
    }
}

/// The number of plies to the mate that a value means; `None` if it is no mate.
pub(super) fn mate_plies(value: f32) -> Option<u32> {
    let is_mate = value.abs() > 1.5;
    is_mate.then(|| ((MATE - value.abs()) / MATE_STEP).round() as u32)
}
