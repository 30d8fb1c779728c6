//! The alpha-beta player for a model that is chosen at run time.
//!
//! The search is compiled once for each kind of evaluation, so that evaluating a node needs no
//! dynamic dispatch; only the player as a whole is called through a trait object.

use super::{AlphaBeta, Options};
use crate::Player;
use crate::tablebase::Tablebases;
use nets::nnue::{Net, NetEvaluator, WdlEvaluator};
use nets::ntuple::NTupleEvaluator;
use nets::policy::{Expected, Heuristic};
use nets::sequence::SequencePolicy;
use nets::{Classical, Evaluator, Model};
use std::sync::Arc;

/// A player that evaluates positions with this model.
pub(super) fn searcher(model: &Model, options: Options) -> Box<dyn Searcher> {
    match model {
        Model::Classical(file) => {
            let evaluator = Classical::with_weights(file.weights.clone());
            Box::new(AlphaBeta::new(evaluator, options))
        }
        Model::Nnue(file) => match &file.net {
            Net::Sfnn(net) => Box::new(AlphaBeta::new(NetEvaluator::new(net.clone()), options)),
            Net::Simple(net) => Box::new(AlphaBeta::new(NetEvaluator::new(net.clone()), options)),
        },
        Model::NTuple(file) => {
            let evaluator = NTupleEvaluator::new(file.network.clone());
            Box::new(AlphaBeta::new(evaluator, options))
        }
        // The search ignores the policy.
        Model::Policy(file) => {
            let evaluator = WdlEvaluator::new(file.net.value().clone());
            Box::new(AlphaBeta::new(evaluator, options))
        }
        Model::ResNet(file) => Box::new(AlphaBeta::new(Expected::new(file.batch()), options)),
        Model::Sequence(file) => {
            let evaluator = Expected::new(SequencePolicy::new(file.net.clone()));
            Box::new(AlphaBeta::new(evaluator, options))
        }
        Model::Heuristic => Box::new(AlphaBeta::new(Heuristic::default(), options)),
    }
}

/// An [`AlphaBeta`] player with any evaluation; see its methods.
pub(super) trait Searcher: Player {
    fn set_options(&mut self, options: Options);

    fn table_size(&self) -> usize;

    fn set_tablebases(&mut self, tablebases: Option<Arc<Tablebases>>);

    fn clear_table(&mut self);
}

impl<E: Evaluator> Searcher for AlphaBeta<E> {
    fn set_options(&mut self, options: Options) {
        self.set_options(options);
    }

    fn table_size(&self) -> usize {
        self.table_size()
    }

    fn set_tablebases(&mut self, tablebases: Option<Arc<Tablebases>>) {
        self.set_tablebases(tablebases);
    }

    fn clear_table(&mut self) {
        self.clear_table();
    }
}
