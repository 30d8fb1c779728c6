//! `tabia stats`: the statistics of match results, and the number of games that a question needs.

mod plan;

use crate::evidence::{Given, Report, TestOptions, counts};
use crate::exit::{Exit, WrongInput};
use crate::output::Output;
use clap::{Args, Subcommand};

const EXAMPLES: &str = "\
Examples:
  tabia stats --pentanomial 39,2226,31451,2412,40 --elo0 0 --elo1 2
  tabia stats --trinomial 1908,4385,2049
  tabia stats plan --elo 10 --draw-rate 0.4

Intervals are 95 % confidence intervals. Normalized Elo is the score above one
half in standard deviations of a game. LOS is the likelihood of superiority.
The Elo after an SPRT is corrected for the bias of stopping early. In JSON, an
infinite number is null.";

/// Statistics of match results: Elo, confidence intervals, LOS, SPRT
#[derive(Args)]
#[command(after_help = EXAMPLES)]
#[command(subcommand_negates_reqs = true, arg_required_else_help = true)]
pub(crate) struct Options {
    #[command(flatten)]
    counts: CountOptions,
    #[command(flatten)]
    test: TestOptions,
    #[command(subcommand)]
    task: Option<Task>,
}

/// The counts, from the point of view of the player in question.
#[derive(Args)]
#[group(required = true, multiple = false)]
struct CountOptions {
    /// Game pairs by points, from 0 to 2: LL,LD,WL+DD,WD,WW; or six counts: LL,LD,DD,WL,WD,WW
    #[arg(short, long, value_name = "COUNTS", value_parser = counts::pairs)]
    pentanomial: Option<Given>,
    /// Games by result: losses,draws,wins
    #[arg(short, long, value_name = "COUNTS", value_parser = counts::games)]
    trinomial: Option<Given>,
}

#[derive(Subcommand)]
enum Task {
    Plan(plan::Options),
}

pub(crate) fn run(options: &Options, output: &Output) -> anyhow::Result<Exit> {
    let given = options.counts.pentanomial.or(options.counts.trinomial);
    match (&options.task, given) {
        (None, Some(given)) => {
            output.report(&Report::new(given, options.test.sprt()?))?;
            Ok(Exit::Good)
        }
        (Some(Task::Plan(plan)), None) if !options.test.are_given() => plan::run(plan, output),
        // The parser cannot tell these options apart from those that all commands share.
        _ => Err(WrongInput::new(
            "give --pentanomial or --trinomial, or the subcommand \
            `plan`",
        )
        .into()),
    }
}
