//! Training examples: the inputs and the targets of a position.

use super::batch::Batch;
use super::settings::Settings;
use crate::functions::sigmoid;
use crate::records::{DrawSettings, RecordAim};
use crate::source::Given;
use chess::{Board, BoardBuilder, Color, File, Move, Square};
use data::loader::Sample;
use data::packed::PackedPosition;
use data::policy::PolicyRecord;
use data::position::{Outcome, Position};
use nets::policy::resnet::ResNetShape;
use nets::policy::{Scene, double_step};
use rayon::prelude::*;

/// Stands for no file and for no square.
const NONE: u8 = 255;

/// A position with its move, in 44 bytes: millions of them are in memory at once.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PolicySample {
    packed: PackedPosition,
    /// The move that was played, or 0.
    mv: u16,
    move_number: u16,
    /// For each side, the files whose rooks may castle.
    castling: [u8; 2],
    en_passant: u8,
    /// The file of the double pawn step that led to the position, if any.
    double_step: u8,
    /// How often the position occurred before.
    occurrences: u8,
}

impl Sample for PolicySample {
    /// The number of earlier positions that can matter for repetitions by the fifty-move rule.
    const BEFORE: usize = 100;

    fn new(position: &Position, before: &[Position]) -> PolicySample {
        let board = &position.board;
        let rooks = |color| board.castling().rooks(color).0;
        let step = match before.last() {
            Some(last) => double_step(&last.board, board),
            None => board.en_passant().map(Square::file),
        };
        PolicySample {
            packed: position.into(),
            mv: position.mv.map_or(0, Move::to_bits),
            move_number: board.fullmove_number(),
            castling: [rooks(Color::White) as u8, (rooks(Color::Black) >> 56) as u8],
            en_passant: board.en_passant().map_or(NONE, |it| it.index() as u8),
            double_step: step.map_or(NONE, |file| file.index() as u8),
            occurrences: occurrences(board, before),
        }
    }
}

/// How often a position occurred before.
fn occurrences(board: &Board, before: &[Position]) -> u8 {
    let reversible = usize::from(board.halfmove_clock()).min(before.len());
    let same = (4..=reversible)
        .step_by(2)
        .filter(|back| before[before.len() - back].board.same_position(board));
    same.count().min(usize::from(NONE)) as u8
}

impl PolicySample {
    /// The board; `None` if the file was invalid.
    fn board(&self) -> Option<Board> {
        let mut parts = BoardBuilder::new();
        for (square, piece) in self.packed.pieces() {
            parts.pieces[square.index()] = Some(piece);
        }
        parts.side_to_move = self.packed.side_to_move();
        for (color, files) in Color::ALL.into_iter().zip(self.castling) {
            let rooks = File::ALL
                .into_iter()
                .filter(|file| files >> file.index() & 1 == 1);
            parts.castling.extend(rooks.map(|file| (color, file)));
        }
        parts.en_passant = (self.en_passant != NONE).then(|| Square::from_index(self.en_passant));
        parts.halfmove_clock = self.packed.halfmove_clock();
        parts.fullmove_number = self.move_number.max(1);
        parts.build().ok().map(|(board, _)| board)
    }

    /// The move that was played, if it is known.
    fn mv(&self) -> Option<Move> {
        (self.mv != 0).then(|| Move::from_bits(self.mv))
    }
}

/// A training position with all that is known about it.
#[derive(Clone, Debug)]
pub(crate) struct Example {
    pub(crate) board: Board,
    pub(crate) occurrences: usize,
    pub(crate) double_step: Option<File>,
    /// The legal moves with their target probabilities, which may all be 0.
    pub(crate) moves: Vec<(Move, f32)>,
    pub(crate) chances: [f32; 3],
    /// The result of the game.
    pub(crate) result: Outcome,
    /// The weights of policy and value.
    pub(crate) weights: [f32; 2],
}

impl Example {
    /// An example from a sample: the played move is the policy target, the value target is a blend
    /// of score and result.
    pub(crate) fn new(sample: &PolicySample, aim: &Aim) -> Option<Example> {
        let board = sample.board()?;
        let legal = board.legal_moves();
        let played = sample.mv().filter(|mv| legal.contains(mv));
        if legal.is_empty() {
            return None;
        }
        let rest = aim.smoothing / legal.len() as f32;
        let share = |mv: Move| match played == Some(mv) {
            true => 1.0 - aim.smoothing + rest,
            false => rest,
        };
        let file = |file: u8| (file != NONE).then(|| File::from_index(file));
        Some(Example {
            occurrences: sample.occurrences.into(),
            double_step: file(sample.double_step),
            moves: legal.iter().map(|&mv| (mv, share(mv))).collect(),
            chances: aim.chances(&sample.packed),
            result: sample.packed.result(),
            weights: [f32::from(played.is_some()), 1.0],
            board,
        })
    }

    /// An example from a record: the policy target are the visit shares with the exponent applied,
    /// the value target is a blend of the search's value and the result.
    pub(crate) fn of_record(record: &PolicyRecord, aim: &Aim) -> Option<Example> {
        let legal = record.board.legal_moves();
        if legal.is_empty() {
            return None;
        }
        let aim = RecordAim {
            lambda: aim.lambda,
            smoothing: aim.smoothing,
            target_power: aim.target_power,
            draws: aim.draws,
        };
        let (shares, is_known) = aim.shares(record, &legal);
        let policy_weight = if is_known { record.policy_weight } else { 0.0 };
        Some(Example {
            board: record.board,
            occurrences: record.occurrences.into(),
            double_step: record.double_step,
            moves: legal.iter().copied().zip(shares).collect(),
            chances: aim.chances(record),
            result: record.result,
            weights: [policy_weight, record.weight],
        })
    }

    pub(crate) fn scene(&self) -> Scene<'_> {
        Scene {
            board: &self.board,
            earlier: &[],
            occurrences: self.occurrences,
            double_step: self.double_step,
        }
    }
}

/// The settings of targets.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Aim {
    /// The share of the score in the value target; the rest is the result.
    pub(crate) lambda: f32,
    /// The share of the policy target that is spread evenly over all legal moves.
    pub(crate) smoothing: f32,
    /// The exponent applied to visit shares.
    pub(crate) target_power: f32,
    pub(crate) draws: DrawSettings,
    pub(crate) score_offset: f32,
    pub(crate) score_scaling: f32,
}

impl Aim {
    pub(crate) fn new(settings: &Settings, lambda: f32) -> Aim {
        Aim {
            lambda,
            smoothing: settings.smoothing,
            target_power: settings.target_power,
            draws: settings.draws,
            score_offset: settings.score_offset,
            score_scaling: settings.score_scaling,
        }
    }

    /// The target win, draw and loss probabilities by score and result.
    fn chances(&self, position: &PackedPosition) -> [f32; 3] {
        let score = f32::from(position.score());
        let chance = |score: f32| sigmoid((score - self.score_offset) / self.score_scaling);
        let (win, loss) = (chance(score), chance(-score));
        self.mixed([win, 1.0 - win - loss, loss], position.result())
    }

    /// A blend of expected probabilities and the result.
    fn mixed(&self, thought: [f32; 3], result: Outcome) -> [f32; 3] {
        let result = f32::from(result.number());
        let by_result = [result.max(0.0), 1.0 - result.abs(), (-result).max(0.0)];
        std::array::from_fn(|at| self.lambda * thought[at] + (1.0 - self.lambda) * by_result[at])
    }
}

/// Makes examples of positions, on all threads, in order.
pub(crate) fn examples(given: &Given<'_, PolicySample>, aim: &Aim) -> Vec<Example> {
    match given {
        Given::Positions(samples) => (samples.par_iter())
            .filter_map(|sample| Example::new(sample, aim))
            .collect(),
        Given::Records(records) => (records.par_iter())
            .filter_map(|record| Example::of_record(record, aim))
            .collect(),
    }
}

impl Batch {
    /// Fills the batch with these examples, encoded for a net of this shape.
    pub(crate) fn set(&mut self, shape: &ResNetShape, examples: &[Example]) {
        self.clear();
        let size = 64 * shape.planes.count();
        self.planes.resize(size * examples.len(), 0.0);
        self.planes
            .par_chunks_exact_mut(size)
            .zip(examples)
            .for_each(|(planes, example)| {
                shape.planes.write_squares(&example.scene(), planes);
            });
        for example in examples {
            let turned = shape.planes.turns(example.board.side_to_move());
            for &(mv, share) in &example.moves {
                let (row, offset) = shape.moves.of(mv, turned);
                self.rows.push(row as u32);
                self.offsets.push(offset);
                self.shares.push(share);
            }
            self.ends.push(self.rows.len());
            self.chances.push(example.chances);
            self.weights.push(example.weights);
        }
    }
}
