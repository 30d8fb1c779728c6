//! `tabia data validate`: checks that files are complete and their labels plausible.

use super::counts::Count;
use super::inputs::{InputOptions, Inputs};
use crate::exit::Exit;
use crate::output::{self, Output};
use clap::Args;
use data::position::{Outcome, Position};
use data::score;
use data::shard::ShardError;
use serde::Serialize;
use std::fmt::{self, Display};
use std::ops::ControlFlow;
use std::path::Path;

const EXAMPLES: &str = "\
Examples:
  tabia data validate train.binpack
  tabia data validate --json *.binpack | jq .broken

Every position is set up and every move is checked for legality. Damage is
reported with its place, reading continues with the next chunk, and the exit
code is 1. Suspicious labels are only counted: a mate score that contradicts
the result, a fifty-move counter above 100, a side to move that does not fit
the ply.";

/// Check that every position and move is legal and nothing is truncated
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Options {
    #[command(flatten)]
    input: InputOptions,
}

/// Only the first problems are listed in the report.
const MOST_KEPT: usize = 100;

#[derive(Default, Serialize)]
struct Report {
    positions: u64,
    chains: u64,
    /// The number of damaged chunks or records.
    broken: u64,
    odd: Odd,
    /// The first of the problems.
    problems: Vec<String>,
}

/// Labels that are possible, but suspicious.
#[derive(Clone, Copy, Default, Serialize)]
struct Odd {
    mates_against_the_result: u64,
    late_clocks: u64,
    sides_against_the_ply: u64,
    without_a_move: u64,
}

pub(super) fn run(options: &Options, output: &Output) -> anyhow::Result<Exit> {
    let inputs = Inputs::open(&options.input, output)?;
    let mut report = Report::default();
    let outcome = inputs.examine(
        |reading, _| {
            let mut counted = Report::default();
            reading.for_each(|position, begins_chain| counted.add(position, begins_chain));
            counted
        },
        |piece| {
            report.join(&piece.made);
            if let Some(problem) = &piece.problem {
                report.complain(piece.path, problem);
            }
            Ok(ControlFlow::Continue(()))
        },
    );
    drop(inputs);
    match outcome {
        Ok(()) => {}
        // A truncated file: what was counted before is still reported.
        Err(error) if error.is::<ShardError>() || is_damage(&error) => {
            report.broken += 1;
            output::print_error(format_args!("{error:#}"));
            report.problems.push(format!("{error:#}"));
        }
        Err(error) => return Err(error),
    }
    output.report(&report)?;
    Ok(match report.broken {
        0 => Exit::Good,
        _ => Exit::Failure,
    })
}

/// Whether an error means that a file is damaged, rather than missing.
fn is_damage(error: &anyhow::Error) -> bool {
    !error.is::<crate::exit::WrongInput>() && !error.is::<crate::exit::Interrupted>()
}

impl Report {
    fn add(&mut self, position: &Position, begins_chain: bool) {
        self.positions += 1;
        self.chains += u64::from(begins_chain);
        let Position { board, score, .. } = position;
        let is_against = match position.result {
            Outcome::Loss => *score > 0,
            Outcome::Draw => true,
            Outcome::Win => *score < 0,
        };
        let is_mate = score::is_decisive(*score);
        self.odd.mates_against_the_result += u64::from(is_mate && is_against);
        self.odd.late_clocks += u64::from(board.halfmove_clock() > 100);
        let is_black = position.ply % 2 == 1;
        self.odd.sides_against_the_ply +=
            u64::from(is_black != (board.side_to_move() == chess::Color::Black));
        self.odd.without_a_move += u64::from(position.mv.is_none());
    }

    fn join(&mut self, other: &Report) {
        self.positions += other.positions;
        self.chains += other.chains;
        self.odd.mates_against_the_result += other.odd.mates_against_the_result;
        self.odd.late_clocks += other.odd.late_clocks;
        self.odd.sides_against_the_ply += other.odd.sides_against_the_ply;
        self.odd.without_a_move += other.odd.without_a_move;
    }

    fn complain(&mut self, _: &Path, problem: &ShardError) {
        self.broken += 1;
        output::print_error(problem);
        if self.problems.len() < MOST_KEPT {
            self.problems.push(problem.to_string());
        }
    }
}

impl Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, count) in [
            ("positions", self.positions),
            ("chains", self.chains),
            ("broken chunks", self.broken),
            (
                "odd: mate score contradicts result",
                self.odd.mates_against_the_result,
            ),
            ("odd: counter above 100", self.odd.late_clocks),
            (
                "odd: side does not fit the ply",
                self.odd.sides_against_the_ply,
            ),
            ("odd: no move", self.odd.without_a_move),
        ] {
            writeln!(f, "{name:<36} {:>14}", Count(count))?;
        }
        Ok(())
    }
}
