//! The estimated cost of a run.

use crate::exit::Exit;
use crate::laboratory::{TRIAL_SECONDS, time, tried};
use crate::output::Output;
use engines::StopSignal;
use indicatif::{HumanBytes, HumanCount};
use lab::Means;
use lab::forecast::{Cost, Forecast, forecast};
use lab::settings::Experiment;
use serde::Serialize;
use std::fmt;

/// Measures the experiment on a small scale and shows its estimated cost.
pub(super) fn show(
    experiment: &Experiment,
    means: &Means<'_>,
    stop: &StopSignal,
    output: &Output,
) -> anyhow::Result<Exit> {
    let forecast = tried(output, || forecast(experiment, TRIAL_SECONDS, means, stop))?;
    let threads = means.threads;
    output.report(&Report { threads, forecast })?;
    Ok(Exit::Good)
}

#[derive(Serialize)]
struct Report {
    threads: usize,
    #[serde(flatten)]
    forecast: Forecast,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let forecast = &self.forecast;
        writeln!(
            f,
            "{} generations, {} positions, {} games of matches",
            HumanCount(forecast.generations),
            HumanCount(forecast.positions as u64),
            HumanCount(forecast.games)
        )?;
        writeln!(f, "{:18} {:>12} {:>12}", "", "time", "disk space")?;
        for (name, cost) in [
            ("self-play", forecast.selfplay),
            ("training", forecast.training),
            ("gate matches", forecast.gates),
            ("final matches", forecast.finals),
            ("all", forecast.total),
        ] {
            let Cost { seconds, bytes } = cost;
            let room = HumanBytes(bytes as u64).to_string();
            writeln!(f, "{name:18} {:>12} {room:>12}", time(seconds))?;
        }
        if forecast.training_by_arm.len() > 1 {
            for (arm, &seconds) in &forecast.training_by_arm {
                writeln!(f, "training of {arm}: {}", time(seconds))?;
            }
        }
        writeln!(
            f,
            "and {} temporarily; measured with {} threads, times are rough estimates",
            HumanBytes(forecast.passing_bytes as u64),
            self.threads
        )
    }
}
