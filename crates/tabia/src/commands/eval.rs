//! `tabia eval`: shows the evaluation of a position term by term.

mod with_net;
mod with_policy;

use crate::exit::Exit;
use crate::output::Output;
use crate::player::ModelOption;
use crate::position;
use clap::Args;
use nets::Model;
use nets::classical::{self, Explanation, Groups, Row, Score};
use nets::ntuple::{Combination, NTupleExplanation};
use nets::policy::{self, Heuristic};
use nets::sequence::SequencePolicy;
use serde::Serialize;
use std::fmt::{self, Display};
use with_net::NetReport;
use with_policy::PolicyReport;

const EXAMPLES: &str = "\
Examples:
  tabia eval \\
      'r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4'
  tabia eval --json 8/8/8/3k4/8/3K4/4P3/8 w - - 0 1
  tabia eval --model classical 8/8/8/3k4/8/3K4/4P3/8 w - - 0 1
  tabia eval --model nn-ad9b42354671.nnue 8/8/8/3k4/8/3K4/4P3/8 w - - 0 1

For a net, shows its buckets, the parts of its value, and what each man adds;
with --json also the integers of every bucket. For a policy net or a ResNet,
Tabia's or lc0's, shows the probabilities of win, draw and loss for the side
to move, and the priors of its moves. For an n-tuple network, shows the pairs
of men with the largest weights. The hand-written evaluation is shown term by
term; a file of its weights has lines of the form name = [opening, endgame],
as written by `tabia train`.";

/// Evaluate a position without search, by a net or term by term
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Options {
    /// The position as FEN; quotes are optional
    #[arg(required = true)]
    fen: Vec<String>,
    #[command(flatten)]
    model: ModelOption,
}

pub(crate) fn run(options: &Options, output: &Output) -> anyhow::Result<Exit> {
    let board = position::read(&options.fen.join(" "), output)?;
    if board.in_check() {
        output.warn("the side to move is in check; a search never evaluates such a position");
    }
    let weights = match options.model.open()? {
        Model::Nnue(file) => {
            let explanation = file.net.explain(&board);
            let name = file.usual_name();
            output.report(&NetReport::new(board.fen(), name, &explanation))?;
            return Ok(Exit::Good);
        }
        Model::NTuple(file) => {
            let explanation = file.network.explain(&board);
            output.report(&Report::of_network(board.fen(), &explanation))?;
            return Ok(Exit::Good);
        }
        Model::Policy(file) => {
            output.report(&PolicyReport::new(board.fen(), &file.net.explain(&board)))?;
            return Ok(Exit::Good);
        }
        Model::ResNet(file) => {
            output.report(&PolicyReport::new(board.fen(), &file.explain(&board)))?;
            return Ok(Exit::Good);
        }
        Model::Sequence(file) => {
            let mut policy = SequencePolicy::new(file.net.clone());
            let explanation = policy::explain(&mut policy, &board);
            output.report(&PolicyReport::new(board.fen(), &explanation))?;
            return Ok(Exit::Good);
        }
        Model::Classical(file) => file.weights,
        Model::Heuristic => {
            let explanation = policy::explain(&mut Heuristic::default(), &board);
            output.report(&PolicyReport::new(board.fen(), &explanation))?;
            return Ok(Exit::Good);
        }
    };
    let explanation = classical::explain(&board, &weights, Groups::ALL);
    output.report(&Report::new(board.fen(), &explanation))?;
    Ok(Exit::Good)
}

/// The evaluation of a position from White's point of view, in centipawns.
#[derive(Serialize)]
struct Report {
    fen: String,
    value: i32,
    /// How close the position is to the opening, 0 to 1.
    stage: f32,
    /// The scale factor of the endgame value, 0 to 1.
    scale: f32,
    /// Whether an endgame function determines the value instead of the groups.
    endgame_function: bool,
    tempo: i32,
    total: Stages,
    /// The contribution of an n-tuple network's tables.
    #[serde(skip_serializing_if = "Option::is_none")]
    tuples: Option<Stages>,
    /// The combinations of men in a network's tables, those with the largest contribution first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    combinations: Vec<CombinationReport>,
    groups: Vec<GroupReport>,
    #[serde(skip)]
    text: String,
}

/// A value in the opening and in the endgame.
#[derive(Serialize)]
struct Stages {
    opening: i32,
    endgame: i32,
}

/// Men on their squares, as `Nf3` for a white and `nf6` for a black knight.
#[derive(Serialize)]
struct CombinationReport {
    men: Vec<String>,
    opening: i32,
    endgame: i32,
    tapered: i32,
}

#[derive(Serialize)]
struct GroupReport {
    group: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    white: Option<Stages>,
    #[serde(skip_serializing_if = "Option::is_none")]
    black: Option<Stages>,
    total: Stages,
}

impl Report {
    fn new(fen: String, explanation: &Explanation) -> Self {
        Self {
            fen,
            value: explanation.value,
            stage: explanation.stage,
            scale: explanation.scale,
            endgame_function: explanation.endgame_function,
            tempo: explanation.tempo,
            total: explanation.total.into(),
            tuples: explanation.tuples.map(Stages::from),
            combinations: Vec::new(),
            groups: explanation.rows.iter().map(GroupReport::new).collect(),
            text: explanation.to_string(),
        }
    }

    fn of_network(fen: String, explanation: &NTupleExplanation) -> Self {
        let combinations = explanation.combinations.iter();
        Self {
            combinations: combinations.map(CombinationReport::new).collect(),
            text: explanation.to_string(),
            ..Report::new(fen, &explanation.groups)
        }
    }
}

impl CombinationReport {
    fn new(combination: &Combination) -> Self {
        Self {
            men: combination
                .men
                .iter()
                .map(|(piece, square)| format!("{}{square}", piece.letter()))
                .collect(),
            opening: combination.score.opening(),
            endgame: combination.score.endgame(),
            tapered: combination.tapered,
        }
    }
}

impl GroupReport {
    fn new(row: &Row) -> Self {
        Self {
            group: row.group.name(),
            white: row.sides.map(|[white, _]| white.into()),
            black: row.sides.map(|[_, black]| black.into()),
            total: row.total.into(),
        }
    }
}

impl From<Score> for Stages {
    fn from(score: Score) -> Self {
        Self {
            opening: score.opening(),
            endgame: score.endgame(),
        }
    }
}

impl Display for Report {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.text)
    }
}
