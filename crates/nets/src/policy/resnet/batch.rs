//! A ResNet as a policy-value model for tree searches.

use super::network::{Batch, Coding, Network};
use super::weights::ResNetWeights;
use crate::kernels::{Kernels, SQUARES};
use crate::policy::{Chances, PolicyValue, Scene, Wanted};
use chess::{Color, Line, Move};
use std::sync::Arc;

/// The largest batch; larger ones are not faster.
const CAPACITY: usize = 128;

/// A ResNet with its batch of positions: the state of one thread.
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

    /// A batch for weights that are not from a file.
    pub fn of(weights: &ResNetWeights) -> ResNetBatch {
        ResNetBatch::new(Arc::new(Network::of(weights)))
    }

    /// An empty batch with the same net, for another thread.
    pub fn sibling(&self) -> ResNetBatch {
        ResNetBatch::with_kernels(self.network.clone(), self.kernels)
    }

    /// Adds a position without its line to the batch, with the moves whose logits are
    /// wanted. A net of lc0 then sees no history.
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

    /// An empty batch with these kernels, whose instructions the CPU must have.
    pub(crate) fn with_kernels(network: Arc<Network>, kernels: &'static Kernels) -> ResNetBatch {
        ResNetBatch {
            network,
            kernels,
            batch: Batch::default(),
            is_done: false,
        }
    }
}

/// Clones share the net and have an empty batch.
impl Clone for ResNetBatch {
    fn clone(&self) -> ResNetBatch {
        self.sibling()
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
