//! `tabia tune`: tunes the constants of the search by playing.

mod paths;
mod settings;

#[cfg(test)]
pub(super) use settings::read;
pub(super) use settings::schema;

use crate::contest::{Book, same_command, usual_concurrency};
use crate::exit::{Exit, Interrupted, WrongInput, undone, unfit};
use crate::group::ClusterOptions;
use crate::interruption;
use crate::output::Output;
use crate::progress::{Progress, Standing};
use crate::version::BuildOptions;
use anyhow::Context;
use arena::game::Rules;
use arena::tuning::{Constant, Iteration, TuneError, Tuning, builds};
use clap::Args;
use data::journal::Build;
use engines::StopSignal;
use engines::alphabeta::TUNABLES;
use serde::Serialize;
use settings::Settings;
use std::fmt;
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
  tabia tune --list                 all constants with their values and ranges
  tabia tune tune.toml              tune as the file says, or resume

A file with its keys and their defaults:
  constants = [\"futility_base\", \"futility_slope\"]   # default: all
  iterations = 1000         # each changes all constants at once
  pairs = 8                 # pairs of games in an iteration
  learning_rate = 0.02      # final step for a won pair, in perturbations
  perturbation = 0.1        # final perturbation, as a share of the range
  seed = 1
  concurrency = 2           # default: one per CPU
  out = \"tunings/NAME-OF-THE-FILE\"
  [player]                  # the built-in player
  nodes = 5000
  [openings]                # as in the file of a match
  [endings]                 # as well

After an interruption, the same command resumes. With a limit of nodes or
depth, the same file gives the same result for any concurrency. Verify the
result with `tabia sprt`.";

/// Tune the constants of the search by self-play (SPSA)
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Options {
    /// The TOML file with the tuning settings
    #[arg(required_unless_present = "list")]
    file: Option<PathBuf>,
    /// List the constants with their values and ranges
    #[arg(long, conflicts_with = "file")]
    list: bool,
    /// Output folder
    #[arg(short, long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Number of games played in parallel
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    #[arg(conflicts_with = "cluster")]
    concurrency: Option<u32>,
    #[command(flatten)]
    cluster: ClusterOptions,
    #[command(flatten)]
    build: BuildOptions,
}

pub(crate) fn run(options: &Options, output: &Output) -> anyhow::Result<Exit> {
    match &options.file {
        Some(file) => tune(file, options, output),
        None => {
            output.report(&List::new())?;
            Ok(Exit::Good)
        }
    }
}

/// The file of finished iterations.
const RECORD_FILE: &str = "record.jsonl";
/// The files that are written at the end.
const RESULT_FILE: &str = "result.json";
const PATHS_FILE: &str = "paths.svg";

fn tune(file: &Path, options: &Options, output: &Output) -> anyhow::Result<Exit> {
    let settings = Settings::read(file)?;
    let player = settings.player()?;
    let constants = settings.constants()?;
    let book = Book::open(&settings.openings)?;
    let rules = Rules::open(settings.endings.clone())
        .map_err(|error| WrongInput::new(error.to_string()))?;
    let folder = options.out.clone().unwrap_or_else(|| settings.folder(file));
    std::fs::create_dir_all(&folder)
        .with_context(|| format!("cannot make the folder {}", folder.display()))?;
    let concurrency = match options.concurrency.or(settings.concurrency) {
        Some(number) => number as usize,
        None => usual_concurrency(player.recipe.threads())?,
    };
    let tuning = Tuning {
        constants,
        gains: settings.gains(),
        seed: settings.seed,
        pairs: settings.pairs,
        player: &player,
        opening: &|round| book.game(round),
        openings_digest: &book.plan().digest,
        rules: &rules,
        author: &options.build.author(),
        dispatcher: &options.cluster.dispatcher(concurrency, output)?,
    };
    let iterations = play(&tuning, &folder, output)?;
    if let Some(builds) = Build::mixed(&builds(&folder.join(RECORD_FILE))?) {
        output.warn(builds);
    }
    let report = Report::new(&tuning.constants, &iterations, &folder);
    write(&folder, &tuning.constants, &iterations, &report)?;
    output.report(&report)?;
    output.note(format_args!(
        "{} holds {RECORD_FILE}, {PATHS_FILE} and {RESULT_FILE}",
        folder.display()
    ));
    if iterations.len() < settings.iterations {
        output.note(format_args!("to resume: {}", same_command()));
        return Err(Interrupted.into());
    }
    Ok(Exit::Good)
}

fn play(tuning: &Tuning<'_>, folder: &Path, output: &Output) -> anyhow::Result<Vec<Iteration>> {
    let stop = StopSignal::new();
    interruption::listen_for(&stop)?;
    let progress = Progress::new(output, tuning.gains.iterations as u64, "iterations");
    let mut iterations = Vec::new();
    let played = tuning.play(&folder.join(RECORD_FILE), &stop, &mut |iteration| {
        progress.advance(1);
        progress.stand(&standing(&tuning.constants, iteration));
        iterations.push(iteration.clone());
    });
    match played {
        Ok(_) => Ok(iterations),
        Err(TuneError::Record(error)) => Err(unfit(error)),
        Err(TuneError::Work(error)) => Err(undone(error)),
        Err(error) => Err(error.into()),
    }
}

fn standing(constants: &[Constant], iteration: &Iteration) -> Standing {
    let words: Vec<String> = constants
        .iter()
        .zip(&iteration.values)
        .map(|(constant, value)| format!("{} {value:.1}", constant.name))
        .collect();
    Standing {
        line: words.join(", "),
        lines: words.join("\n"),
    }
}

fn write(
    folder: &Path,
    constants: &[Constant],
    iterations: &[Iteration],
    report: &Report,
) -> anyhow::Result<()> {
    let json = format!("{}\n", serde_json::to_string_pretty(report)?);
    let picture = paths::draw(constants, iterations);
    for (name, text) in [(RESULT_FILE, json), (PATHS_FILE, picture)] {
        let path = folder.join(name);
        data::file::write(&path, text.as_bytes())
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}

/// The result of a tuning.
#[derive(Serialize)]
struct Report {
    iterations: usize,
    constants: Vec<Turned>,
    /// The settings of a player with the new values.
    player: String,
    folder: PathBuf,
}

#[derive(Serialize)]
struct Turned {
    name: String,
    start: i32,
    value: f64,
    low: i32,
    high: i32,
}

impl Report {
    fn new(constants: &[Constant], iterations: &[Iteration], folder: &Path) -> Report {
        let last = iterations.last();
        let turned: Vec<Turned> = constants
            .iter()
            .enumerate()
            .map(|(index, constant)| Turned {
                name: constant.name.clone(),
                start: constant.start,
                value: last.map_or(f64::from(constant.start), |last| last.values[index]),
                low: constant.low,
                high: constant.high,
            })
            .collect();
        let words: Vec<String> = turned
            .iter()
            .map(|constant| format!("param.{}={}", constant.name, constant.value.round()))
            .collect();
        Report {
            iterations: iterations.len(),
            player: format!("name=tuned {}", words.join(" ")),
            constants: turned,
            folder: folder.to_owned(),
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "after {} iterations\n", self.iterations)?;
        writeln!(f, "{:26} {:>8} {:>10}", "constant", "before", "now")?;
        for constant in &self.constants {
            let Turned {
                name, start, value, ..
            } = constant;
            writeln!(f, "{name:26} {start:8} {value:10.1}")?;
        }
        writeln!(f, "\n--player \"{}\"", self.player)
    }
}

/// The constants that can be tuned.
#[derive(Serialize)]
struct List {
    constants: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    name: &'static str,
    value: i32,
    low: i32,
    high: i32,
}

impl List {
    fn new() -> List {
        let constants = TUNABLES
            .iter()
            .map(|tunable| Row {
                name: tunable.name,
                value: tunable.value,
                low: tunable.low,
                high: tunable.high,
            })
            .collect();
        List { constants }
    }
}

impl fmt::Display for List {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{:26} {:>8} {:>8} {:>8}",
            "constant", "value", "low", "high"
        )?;
        for Row {
            name,
            value,
            low,
            high,
        } in &self.constants
        {
            writeln!(f, "{name:26} {value:8} {low:8} {high:8}")?;
        }
        Ok(())
    }
}
