//! `tabia stats plan`: computes how many games a question needs.

use crate::evidence::{Described, TestOptions};
use crate::exit::{Exit, WrongInput};
use crate::output::Output;
use arena::statistics::{Prospect, SprtProspect};
use clap::Args;
use serde::Serialize;
use std::fmt::{self, Display};

const EXAMPLES: &str = "\
Examples:
  tabia stats plan --elo 10 --draw-rate 0.4 --margin 5
  tabia stats plan --elo 3 --draw-rate 0.6 --games 20000
  tabia stats plan --elo 2 --draw-rate 0.5 --elo0 0 --elo1 5

The power of a match is the probability that its 95 % interval is above 0.
Games are assumed to be independent; game pairs need somewhat fewer.";

/// Compute how many games an interval or a test needs
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Options {
    /// True Elo difference of the players
    #[arg(long, value_name = "ELO", allow_negative_numbers = true)]
    elo: f64,
    /// Share of drawn games
    #[arg(long, value_name = "SHARE")]
    draw_rate: f64,
    /// Compute the games for an interval of this many Elo to each side
    #[arg(long, value_name = "ELO")]
    margin: Option<f64>,
    /// Compute the games for this power
    #[arg(long, value_name = "SHARE", default_value_t = 0.9)]
    power: f64,
    /// Compute the power of this many games
    #[arg(long, value_name = "N")]
    games: Option<u64>,
    #[command(flatten)]
    test: TestOptions,
}

pub(super) fn run(options: &Options, output: &Output) -> anyhow::Result<Exit> {
    options.check()?;
    let prospect = Prospect::new(options.elo, options.draw_rate)
        .map_err(|error| WrongInput::new(error.to_string()))?;
    let interval = |margin| IntervalPlan {
        margin,
        games: prospect.games_for_margin(margin),
    };
    let fixed = |games| FixedPlan {
        games,
        power: prospect.power(games as f64),
    };
    output.report(&Report {
        elo: options.elo,
        draw_rate: options.draw_rate,
        normalized_elo: prospect.normalized_elo(),
        interval: options.margin.map(interval),
        power: PowerPlan {
            power: options.power,
            games: prospect.games_for_power(options.power),
        },
        fixed: options.games.map(fixed),
        sprt: options.test.sprt()?.map(|sprt| SprtPlan {
            test: Described(sprt),
            prospect: prospect.sprt(&sprt),
        }),
    })?;
    Ok(Exit::Good)
}

impl Options {
    fn check(&self) -> Result<(), WrongInput> {
        if !(self.power > 0.0 && self.power < 1.0) {
            let words = format!("--power is {}, but must be between 0 and 1", self.power);
            return Err(WrongInput::new(words));
        }
        match self.margin {
            Some(margin) if !(margin > 0.0 && margin.is_finite()) => {
                let words = format!("--margin is {margin}, but must be greater than 0");
                Err(WrongInput::new(words))
            }
            _ => Ok(()),
        }
    }
}

/// The plan.
#[derive(Serialize)]
struct Report {
    elo: f64,
    draw_rate: f64,
    normalized_elo: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    interval: Option<IntervalPlan>,
    power: PowerPlan,
    #[serde(skip_serializing_if = "Option::is_none")]
    fixed: Option<FixedPlan>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sprt: Option<SprtPlan>,
}

#[derive(Serialize)]
struct IntervalPlan {
    margin: f64,
    games: f64,
}

#[derive(Serialize)]
struct PowerPlan {
    power: f64,
    games: f64,
}

#[derive(Serialize)]
struct FixedPlan {
    games: u64,
    power: f64,
}

#[derive(Serialize)]
struct SprtPlan {
    #[serde(flatten)]
    test: Described,
    #[serde(flatten)]
    prospect: SprtProspect,
}

impl Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { elo, draw_rate, .. } = self;
        let normalized = self.normalized_elo;
        writeln!(
            f,
            "{elo:+.2} Elo with {:.0} % draws, normalized {normalized:+.2}",
            100.0 * draw_rate
        )?;
        if let Some(IntervalPlan { margin, games }) = self.interval {
            row(f, &format!("interval ±{margin} Elo"), in_pairs(games))?;
        }
        let PowerPlan { power, games } = self.power;
        row(f, &format!("power {:.0} %", 100.0 * power), in_pairs(games))?;
        if let Some(FixedPlan { games, power }) = self.fixed {
            row(
                f,
                &format!("{games} games"),
                format!("power {:.1} %", 100.0 * power),
            )?;
        }
        match &self.sprt {
            Some(SprtPlan { test, prospect }) => {
                writeln!(f)?;
                row(f, "SPRT", test)?;
                row(f, "on average", in_pairs(prospect.mean_games))?;
                let passes = format!("{:.1} %", 100.0 * prospect.pass_probability);
                row(f, "passes with", passes)
            }
            None => Ok(()),
        }
    }
}

fn row(f: &mut fmt::Formatter<'_>, name: &str, value: impl Display) -> fmt::Result {
    writeln!(f, "{name:<17} {value}")
}

/// A number of games, rounded up to whole pairs.
fn in_pairs(games: f64) -> String {
    if games.is_infinite() {
        return "never".to_owned();
    }
    let pairs = (0.5 * games).ceil();
    format!("{:.0} games, {pairs:.0} pairs", 2.0 * pairs)
}
