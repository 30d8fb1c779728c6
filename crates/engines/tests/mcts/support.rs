//! Players, games and models for the tests.

use chess::{Board, Game, Line};
use engines::mcts::{Mcts, Options};
use engines::{Answer, Chances, Limits, StopSignal};
use nets::policy::{Heuristic, PolicyValue, Uniform, Wanted};

pub(crate) fn game(fen: &str) -> Game {
    Game::new(Board::from_fen(fen).expect(fen))
}

pub(crate) fn small() -> Options {
    Options {
        hash: 4,
        ..Options::default()
    }
}

pub(crate) fn heuristic(options: Options) -> Mcts {
    Mcts::new(Box::new(|| Box::new(Heuristic::default())), options)
}

pub(crate) fn uniform(options: Options) -> Mcts {
    Mcts::new(Box::new(|| Box::new(Uniform::default())), options)
}

/// The answer after so many simulations.
pub(crate) fn search(player: &mut Mcts, game: &Game, simulations: u64) -> Answer {
    let limits = Limits::nodes(simulations);
    player.think(game, &limits, &StopSignal::new(), &mut |_| {})
}

pub(crate) fn best(answer: &Answer) -> String {
    format!("{:?}", answer.best.expect("a move"))
}

/// A model whose answers a function gives: the chances, and a logit for each move.
pub(crate) struct Scripted<F> {
    script: F,
    capacity: usize,
    is_joint: bool,
    answers: Vec<(Chances, Vec<f32>)>,
    is_done: bool,
    pub(crate) runs: usize,
}

impl<F: FnMut(&Line, &[chess::Move]) -> (Chances, Vec<f32>) + Send> Scripted<F> {
    pub(crate) fn new(capacity: usize, is_joint: bool, script: F) -> Scripted<F> {
        Scripted {
            script,
            capacity,
            is_joint,
            answers: Vec::new(),
            is_done: false,
            runs: 0,
        }
    }
}

impl<F: FnMut(&Line, &[chess::Move]) -> (Chances, Vec<f32>) + Send> PolicyValue for Scripted<F> {
    fn capacity(&self) -> usize {
        self.capacity
    }

    fn is_joint(&self) -> bool {
        self.is_joint
    }

    fn put(&mut self, line: &Line, wanted: Wanted<'_>) {
        if std::mem::take(&mut self.is_done) {
            self.answers.clear();
        }
        assert!(self.answers.len() < self.capacity, "the batch is full");
        assert!(line.board().has_legal_move(), "the game is over");
        let moves = match wanted {
            Wanted::Value => &[],
            Wanted::Policy(moves) | Wanted::Both(moves) => moves,
        };
        assert!(
            !self.is_joint || !moves.is_empty(),
            "a joint model is asked for both"
        );
        self.answers.push((self.script)(line, moves));
    }

    fn run(&mut self) {
        self.is_done = true;
        self.runs += 1;
    }

    fn chances(&self, number: usize) -> Chances {
        self.answers[number].0
    }

    fn logits(&self, number: usize) -> &[f32] {
        &self.answers[number].1
    }
}

/// Chances of a value, without draws.
pub(crate) fn sure(value: f32) -> Chances {
    Chances {
        win: (1.0 + value) / 2.0,
        draw: 0.0,
        loss: (1.0 - value) / 2.0,
    }
}

/// SplitMix64, its upper half.
pub(crate) fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (z ^ (z >> 31)) >> 32
}
