//! The positions of one search, with what the model says of them and exact ends.
//!
//! Values are for the side to move and change their sign with each step. It must not know
//! which positions are worth a look.

use chess::{Board, Line, Move};
use nets::Chances;
use nets::policy::{PolicyValue, Wanted};

/// What a mate is worth: more than any model says. Each ply on the way costs a little, so
/// that the shorter one is preferred.
const MATE: f32 = 2.0;
const MATE_STEP: f32 = 0.001;

/// The positions of a search; the first is its root.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    positions: Vec<Position>,
    /// The game, up to the root.
    line: Line,
    /// The moves from which one is chosen.
    root_moves: Vec<Move>,
}

/// A position of the tree.
#[derive(Clone, Debug)]
pub(super) struct Position {
    pub(super) parent: Option<usize>,
    /// The move that led here; none at the root.
    pub(super) mv: Option<Move>,
    pub(super) board: Board,
    pub(super) depth: u32,
    /// The logarithm of that move's share.
    pub(super) log_prior: f32,
    /// The sum of those from the root on.
    pub(super) path: f32,
    /// The value if the game ends here.
    pub(super) end: Option<f32>,
    /// What the model says, once it was asked.
    pub(super) found: Option<Found>,
    pub(super) children: Vec<usize>,
}

/// What a model says of a position.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub(super) chances: Chances,
    /// Its moves, the likeliest first.
    pub(super) moves: Vec<Prior>,
}

/// A move with the logarithm of its share.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Prior {
    pub(super) mv: Move,
    pub(super) log: f32,
}

pub(super) const ROOT: usize = 0;

impl Tree {
    /// A tree whose root is the end of this line, where one of these moves is to be chosen.
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

    /// Adds the position behind a move.
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

    /// The value of a position in which the game ends, by the rules or because nothing new
    /// can come of a repetition.
    fn end(&mut self, position: &Position) -> Option<f32> {
        let board = &position.board;
        if !board.has_legal_move() {
            let mated = MATE_STEP * position.depth as f32 - MATE;
            return Some(if board.in_check() { mated } else { 0.0 });
        }
        if board.halfmove_clock() >= 100 || board.has_insufficient_material() {
            return Some(0.0);
        }
        // A position cannot come again sooner.
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

    /// Takes what the model says of a position, which has this number in its batch.
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
        // A stable sort: equals stay in the order of the rules.
        moves.sort_by(|a, b| b.log.total_cmp(&a.log));
        self.positions[number].found = Some(Found {
            chances: model.chances(at),
            moves,
        });
    }

    /// The value of a position: exact at an end, else by its children that have one, else
    /// the model's. None if nothing is known.
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

    /// The best line from a position on, as far as it was looked at.
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

    /// How many positions at or behind this one were evaluated.
    pub(super) fn evaluated(&self, number: usize) -> u32 {
        let position = &self.positions[number];
        let own = u32::from(position.found.is_some());
        let children = position.children.iter();
        own + children.map(|&child| self.evaluated(child)).sum::<u32>()
    }

    /// The deepest position that was evaluated.
    pub(super) fn deepest(&self) -> u32 {
        let evaluated = self.positions.iter().filter(|it| it.found.is_some());
        evaluated.map(|it| it.depth).max().unwrap_or(0)
    }
}

impl Position {
    /// Whether a move leaves the opponent little choice: a capture, a check, a promotion.
    pub(super) fn is_forcing(&self, mv: Move) -> bool {
        let promotes = mv.promotes_to().is_some();
        promotes || self.board.is_capture(mv) || self.board.gives_check(mv)
    }
}

/// Plies to the mate that a value proves; none if it proves none.
pub(super) fn mate_plies(value: f32) -> Option<u32> {
    let is_mate = value.abs() > 1.5;
    is_mate.then(|| ((MATE - value.abs()) / MATE_STEP).round() as u32)
}
