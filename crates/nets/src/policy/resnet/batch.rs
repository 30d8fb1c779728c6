//! A ResNet behind the seam of the tree searches, and as an evaluation for
//! alpha-beta.

use super::network::{Batch, Coding, Network};
use super::weights::ResNetWeights;
use crate::evaluator::Evaluator;
use crate::kernels::{Kernels, SQUARES};
use crate::policy::{Chances, PolicyValue, Scene, Wanted};
use chess::{Board, Color, Line, Move};
use std::sync::Arc;

/// Beyond this, more company gains nothing.
const CAPACITY: usize = 128;

/// A ResNet with the positions that it is asked about: the state of one thread.
pub struct ResNetBatch {
    network: Arc<Network>,
    kernels: &'static Kernels,
    batch: Batch,
    is_done: bool,
}

impl ResNetBatch {
    pub(crate) fn new(network: Arc<Network>) -> ResNetBatch {
        ResNetBatch::with_kernels(network, Kernels::best())
    }

    /// For weights that are in no file.
    pub fn of(weights: &ResNetWeights) -> ResNetBatch {
        ResNetBatch::new(Arc::new(Network::of(weights)))
    }

    /// Another one with the same net, for another thread.
    pub fn sibling(&self) -> ResNetBatch {
        ResNetBatch::with_kernels(self.network.clone(), self.kernels)
    }

    /// Adds a position without its line to the batch, with the moves whose logits are
    /// wanted. A net of lc0 sees no history then.
    pub fn put_scene(&mut self, scene: &Scene<'_>, moves: &[Move]) {
        self.add(scene.board.side_to_move(), moves, |coding, target| {
            coding.write_scene(scene, target);
        });
    }

    fn add(&mut self, side: Color, moves: &[Move], write: impl FnOnce(&Coding, &mut [f32])) {
        if std::mem::take(&mut self.is_done) {
            self.batch.clear();
        }
        let coding = self.network.coding();
        let batch = &mut self.batch;
        let start = batch.planes.len();
        batch.planes.resize(start + SQUARES * coding.planes(), 0.0);
        write(coding, &mut batch.planes[start..]);
        for &mv in moves {
            let (index, offset) = coding.index(side, mv);
            batch.moves.push(index as u32);
            batch.offsets.push(offset);
        }
        batch.ends.push(batch.moves.len());
    }

    /// With the instructions of choice, which the CPU must have.
    pub(crate) fn with_kernels(network: Arc<Network>, kernels: &'static Kernels) -> ResNetBatch {
        ResNetBatch {
            network,
            kernels,
            batch: Batch::default(),
            is_done: false,
        }
    }
}

impl PolicyValue for ResNetBatch {
    fn capacity(&self) -> usize {
        CAPACITY
    }

    fn is_joint(&self) -> bool {
        true
    }

    fn put(&mut self, line: &Line, wanted: Wanted<'_>) {
        let moves = match wanted {
            Wanted::Value => &[],
            Wanted::Policy(moves) | Wanted::Both(moves) => moves,
        };
        self.add(line.board().side_to_move(), moves, |coding, target| {
            coding.write(line, target);
        });
    }

    fn run(&mut self) {
        self.network.run(self.kernels, &mut self.batch);
        self.is_done = true;
    }

    fn chances(&self, number: usize) -> Chances {
        self.batch.chances[number]
    }

    fn logits(&self, number: usize) -> &[f32] {
        &self.batch.logits[self.batch.span(number)]
    }
}

/// Centipawns of a natural unit of the logistic curve, as in the usual loss of trainings.
const CENTIPAWNS: f32 = 400.0;
/// Larger values would be taken for mates.
const MOST_CENTIPAWNS: f32 = 4_000.0;

/// A ResNet's value for an alpha-beta search: slow, for comparisons.
pub struct ResNetEvaluator {
    batch: ResNetBatch,
    line: Line,
}

impl ResNetEvaluator {
    pub(crate) fn new(network: Arc<Network>) -> ResNetEvaluator {
        ResNetEvaluator {
            batch: ResNetBatch::new(network),
            line: Line::new(Board::default()),
        }
    }
}

impl Clone for ResNetEvaluator {
    fn clone(&self) -> ResNetEvaluator {
        ResNetEvaluator {
            batch: ResNetBatch::with_kernels(self.batch.network.clone(), self.batch.kernels),
            line: self.line.clone(),
        }
    }
}

impl Evaluator for ResNetEvaluator {
    fn reset(&mut self, board: &Board) {
        self.line = Line::new(*board);
    }

    fn push(&mut self, _parent: &Board, mv: Move, _child: &Board) {
        self.line.push(mv);
    }

    fn push_null(&mut self) {
        self.line.push_null();
    }

    fn pop(&mut self) {
        self.line.pop();
    }

    fn evaluate(&mut self, _board: &Board) -> i32 {
        self.batch.put(&self.line, Wanted::Value);
        self.batch.run();
        centipawns(self.batch.chances(0))
    }
}

/// What a search by centipawns makes of chances.
fn centipawns(chances: Chances) -> i32 {
    let expected = (0.5 * (1.0 + chances.value())).clamp(1e-6, 1.0 - 1e-6);
    let value = CENTIPAWNS * (expected / (1.0 - expected)).ln();
    value.clamp(-MOST_CENTIPAWNS, MOST_CENTIPAWNS).round() as i32
}
