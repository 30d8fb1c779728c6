//! An alpha-beta player whose evaluation is chosen while the program runs.
//!
//! The search is compiled once for each kind of evaluation, so that none costs a
//! call through a table at each node; who plays with whatever evaluation was
//! chosen talks to the player as a whole.

use super::{AlphaBeta, Options};
use crate::tablebase::Tablebases;
use crate::{Answer, Limits, Player, Report, StopSignal};
use chess::{Board, Game};
use nets::nnue::{Net, NetEvaluator, NetFile};
use nets::{Classical, EvaluationFile, EvaluationFileError, Evaluator, WeightsFile};
use std::fmt;
use std::path::Path;
use std::sync::Arc;

/// With what positions are valued.
#[derive(Clone, Debug)]
pub enum Evaluation {
    /// The hand-written evaluation.
    Classical,
    /// The same with weights of its own.
    Weights(WeightsFile),
    /// A net.
    Net(NetFile),
}

/// The net that this program was built with, if there is one; else the
/// hand-written evaluation.
impl Default for Evaluation {
    fn default() -> Evaluation {
        nets::nnue::embedded().map_or(Evaluation::Classical, |net| Evaluation::Net(net.clone()))
    }
}

impl Evaluation {
    /// The word that names the hand-written evaluation where others are named by their file.
    pub const CLASSICAL: &str = "classical";

    /// The evaluation that somebody names: `classical`, or a file.
    ///
    /// # Errors
    /// As [`Evaluation::open`].
    pub fn named(name: &Path) -> Result<Evaluation, EvaluationFileError> {
        if name == Path::new(Self::CLASSICAL) {
            return Ok(Evaluation::Classical);
        }
        Self::open(name)
    }

    /// The evaluation of a file: a net, or weights of the hand-written one.
    ///
    /// # Errors
    /// If the file is neither; the message does not repeat the path.
    pub fn open(path: &Path) -> Result<Evaluation, EvaluationFileError> {
        Ok(match EvaluationFile::open(path)? {
            EvaluationFile::Net(file) => Evaluation::Net(file),
            EvaluationFile::Weights(file) => Evaluation::Weights(file),
        })
    }

    /// A player with this evaluation.
    pub fn player(&self, options: Options) -> Box<dyn Searcher> {
        match self {
            Evaluation::Classical => Box::new(AlphaBeta::new(Classical::default(), options)),
            Evaluation::Weights(file) => {
                let evaluator = Classical::with_weights(file.weights.clone());
                Box::new(AlphaBeta::new(evaluator, options))
            }
            Evaluation::Net(file) => match &file.net {
                Net::Sfnn(net) => Box::new(AlphaBeta::new(NetEvaluator::new(net.clone()), options)),
                Net::Simple(net) => {
                    Box::new(AlphaBeta::new(NetEvaluator::new(net.clone()), options))
                }
            },
        }
    }

    /// How the value of a board comes about, in lines for people.
    pub fn explain(&self, board: &Board) -> String {
        match self {
            Evaluation::Classical => Classical::default().explain(board),
            Evaluation::Weights(file) => {
                Classical::with_weights(file.weights.clone()).explain(board)
            }
            Evaluation::Net(file) => file.net.explain(board).to_string(),
        }
    }
}

/// Its name: `classical`, or that of the net or the weights by their hash.
impl fmt::Display for Evaluation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Evaluation::Classical => f.write_str(Self::CLASSICAL),
            Evaluation::Weights(file) => f.write_str(&file.usual_name()),
            Evaluation::Net(file) => f.write_str(&file.usual_name()),
        }
    }
}

/// An [`AlphaBeta`] player with any evaluation; its methods say more.
pub trait Searcher: Player {
    /// What is set.
    fn options(&self) -> &Options;

    /// Changes settings.
    fn set_options(&mut self, options: Options);

    /// The size of the transposition table in mebibytes.
    fn table_size(&self) -> usize;

    /// Uses tables from now on, or none.
    fn set_tablebases(&mut self, tablebases: Option<Arc<Tablebases>>);

    /// Forgets all positions but not what was learned of moves.
    fn clear_table(&mut self);

    /// Forgets everything, as before the first game.
    fn forget(&mut self);

    /// Searches for the best move.
    fn think(
        &mut self,
        game: &Game,
        limits: &Limits,
        stop: &StopSignal,
        report: &mut dyn FnMut(&Report),
    ) -> Answer;
}

impl<E: Evaluator> Searcher for AlphaBeta<E> {
    fn options(&self) -> &Options {
        self.options()
    }

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

    fn forget(&mut self) {
        self.forget();
    }

    fn think(
        &mut self,
        game: &Game,
        limits: &Limits,
        stop: &StopSignal,
        report: &mut dyn FnMut(&Report),
    ) -> Answer {
        self.think(game, limits, stop, report)
    }
}
