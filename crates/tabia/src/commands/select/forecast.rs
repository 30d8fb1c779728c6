//! The estimated cost of a selection.

use crate::exit::Exit;
use crate::laboratory::{TRIAL_SECONDS, time, tried};
use crate::output::Output;
use engines::StopSignal;
use indicatif::{HumanBytes, HumanCount};
use lab::selection::{Forecast, Settings, forecast};
use serde::Serialize;
use std::fmt;
use work::Dispatcher;

/// Measures the selection on a small scale and shows its estimated cost.
pub(super) fn show(
    settings: &Settings,
    dispatcher: &dyn Dispatcher,
    stop: &StopSignal,
    output: &Output,
) -> anyhow::Result<Exit> {
    let forecast = tried(output, || {
        forecast(settings, TRIAL_SECONDS, dispatcher, stop)
    })?;
    let concurrency = dispatcher.at_once();
    output.report(&Report {
        concurrency,
        forecast,
    })?;
    Ok(Exit::Good)
}

#[derive(Serialize)]
struct Report {
    concurrency: usize,
    #[serde(flatten)]
    forecast: Forecast,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Forecast { candidates, stages } = &self.forecast;
        writeln!(
            f,
            "{candidates} candidates found; estimates are upper bounds:"
        )?;
        let [stage, who, games, room] = ["", "candidates", "games", "disk space"];
        writeln!(
            f,
            "{stage:12} {who:>10} {games:>10} {:>12} {room:>12}",
            "time"
        )?;
        let mut row = |name: &str, who: &str, games: u64, seconds: f64, bytes: f64| {
            let (games, room) = (HumanCount(games), HumanBytes(bytes as u64));
            let (games, room) = (games.to_string(), room.to_string());
            let time = time(seconds);
            writeln!(f, "{name:12} {who:>10} {games:>10} {time:>12} {room:>12}")
        };
        for stage in stages {
            let name = stage.stage.to_string();
            let who = stage.candidates.to_string();
            row(&name, &who, stage.games, stage.seconds, stage.bytes)?;
        }
        row(
            "all",
            "",
            stages.iter().map(|stage| stage.games).sum(),
            stages.iter().map(|stage| stage.seconds).sum(),
            stages.iter().map(|stage| stage.bytes).sum(),
        )?;
        writeln!(
            f,
            "measured with {} parallel games, times are rough estimates; stages may end early",
            self.concurrency
        )
    }
}
