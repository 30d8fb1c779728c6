//! `tabia train`: turns positions into a net, or into weights of the hand-written
//! evaluation.

mod classical;
mod metrics;
mod report;

use crate::contest::same_command;
use crate::exit::{Exit, Interrupted, WrongInput};
use crate::interruption;
use crate::output::Output;
use crate::progress::{Progress, Standing};
use crate::settings::{self, SetOptions};
use anyhow::Context;
use clap::Args;
use metrics::{Epoch, Metrics};
use nets::Provenance;
use nets::nnue::{Net, NetFile};
use report::Report;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use std::path::{Path, PathBuf};
use std::time::Instant;
use train::Kind;
use train::nnue::{PRESETS, Session, SessionError, Settings, arithmetic};

const EXAMPLES: &str = "\
Examples:
  tabia train nnue.toml             train what the file says, or go on with it
  tabia train nnue.toml -o nets/a   with the results in this folder
  tabia train fit.toml              with kind = \"classical\": fit the hand-written evaluation
  tabia train nnue.toml --set net.hidden=512 --set rate=1e-3
  tabia train --show-preset bullet  what --preset bullet begins with

A file, with what is used if it is not said:
  data = [\"train.binpack\"]          # must be said
  preset = \"bullet\"                 # or \"nnue-pytorch\"; default: none
  start = \"a.tabianet\"              # a net to begin with; default: random weights
  validation = [\"valid.binpack\"]    # default: some games of the data
  validation_share = 0.02
  validation_positions = 100_000
  filters = []                      # as of `tabia data filter`, such as \"captures\"
  white_labels = false
  batch = 16_384
  epochs = 10
  epoch_positions = 100_000_000     # default: all of the data
  rate = { kind = \"cosine\", from = 1e-3, to = 1e-5 }   # or a number
  lambda = 0.7                      # the share of the score, the rest is the result
  average = 0.999                   # default: none
  rounded = false
  seed = 0
  checkpoint_steps = 500
  [net]
  shape = \"simple\"                  # or \"sfnn\", which Stockfish loads
  hidden = 256
  activation = \"screlu\"             # or \"crelu\", \"pairwise\"
  output_buckets = 1
  king_buckets = []                 # 64 numbers, from a1 to h8
  mirrored = false
  factored = false                  # king buckets share a part of their weights
  shared = false                    # buckets of the number of men do so
  [optimiser]
  rule = \"adamw\"                    # or \"ranger\"
  [loss]                            # in_offset, in_scaling, out_offset, ...

The weights of the hand-written evaluation are fitted by a file with these keys, and
all of the above from data to checkpoint_steps but average and rounded, and [loss]:
  kind = \"classical\"
  epochs = 30
  rate = { kind = \"cosine\", from = 0.5, to = 0.005 }   # centipawns
  anchor = 1e-8                     # what a squared centipawn of change costs
  groups = [\"piece-squares\", \"pieces\", \"threats\", \"pawns\", \"passed\"]
  start = \"a.weights\"               # default: the weights of this program
Give it quiet positions, as filters = [\"in-check\", \"captures\", \"promotions\"].

A number may change with the epochs: kind is step, drop, linear, cosine, warmup or
sequence. A training that was stopped, or killed, goes on if the same command is given
again, and ends with the same bytes, whatever the number of threads.";

/// Train a net, or fit the weights of the hand-written evaluation
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Options {
    /// The TOML file that says what is trained, and how
    #[arg(required_unless_present = "show_preset")]
    file: Option<PathBuf>,
    #[command(flatten)]
    set: SetOptions,
    /// Begin with these settings, which the file may say otherwise
    #[arg(long, value_name = "NAME")]
    preset: Option<String>,
    /// Print a preset, and do nothing else
    #[arg(long, value_name = "NAME")]
    show_preset: Option<String>,
    /// The folder of the results [default: trainings/NAME-OF-THE-FILE]
    #[arg(short, long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// How many threads work [default: one for each CPU]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

impl Options {
    /// The file; the parser has seen to it that there is one.
    fn file(&self) -> &Path {
        self.file.as_deref().unwrap_or(Path::new(""))
    }

    /// Everything that is set, on one of these presets.
    fn read<T: DeserializeOwned>(&self, presets: &[settings::Preset]) -> Result<T, WrongInput> {
        settings::read_with(self.file(), &self.set, self.preset.as_deref(), presets)
    }
}

/// All that is needed to go on.
const CHECKPOINT_FILE: &str = "checkpoint";

/// What decides which of the trainers is meant; each knows the other keys.
#[derive(Deserialize)]
struct Chosen {
    #[serde(default)]
    kind: Kind,
}

/// Where results go, and how many threads work.
struct Prepared {
    folder: PathBuf,
    threads: usize,
}

fn prepare(options: &Options) -> anyhow::Result<Prepared> {
    let file = options.file();
    let stem = file.file_stem().unwrap_or(file.as_os_str());
    let folder = options
        .out
        .clone()
        .unwrap_or_else(|| Path::new("trainings").join(stem));
    std::fs::create_dir_all(&folder)
        .with_context(|| format!("cannot make the folder {}", folder.display()))?;
    sweep(&folder)?;
    let threads = match options.threads {
        Some(threads) => usize::from(threads),
        None => std::thread::available_parallelism()?.get(),
    };
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build_global()
        .context("cannot start threads")?;
    interruption::listen()?;
    Ok(Prepared { folder, threads })
}

/// Removes what a kill has left of files that were being written.
fn sweep(folder: &Path) -> anyhow::Result<()> {
    let wrong = || format!("cannot tidy the folder {}", folder.display());
    for file in std::fs::read_dir(folder).with_context(wrong)? {
        let path = file.with_context(wrong)?.path();
        if data::file::is_part(&path) {
            std::fs::remove_file(&path).with_context(wrong)?;
        }
    }
    Ok(())
}

pub(crate) fn run(options: &Options, output: &Output) -> anyhow::Result<Exit> {
    if let Some(name) = &options.show_preset {
        output.data(settings::find(name, &PRESETS)?)?;
        return Ok(Exit::Good);
    }
    let file = options.file();
    let chosen: Chosen = options.read(&PRESETS)?;
    if chosen.kind == Kind::Classical {
        return classical::run(options, output);
    }
    let settings: Settings = options.read(&PRESETS)?;
    let Prepared { folder, threads } = prepare(options)?;
    let checkpoint = folder.join(CHECKPOINT_FILE);
    let session = match checkpoint.exists() {
        true => Session::resume(settings.clone(), threads, &checkpoint),
        false => Session::begin(settings.clone(), threads),
    };
    let session = session.map_err(|error| explained(file, error))?;
    let metrics = Metrics::open(&folder, session.steps())?;
    let mut training = Training {
        saved: checkpoint.exists().then(|| session.steps()),
        session,
        settings,
        metrics,
        folder,
        checkpoint,
    };
    training.go_on(output)?;
    let report = training.report();
    output.report(&report)?;
    if !training.session.is_over() {
        output.note(format_args!("to go on: {}", same_command()));
        return Err(Interrupted.into());
    }
    Ok(Exit::Good)
}

/// What a user did wrong is told as such.
fn explained(file: &Path, error: SessionError) -> anyhow::Error {
    match error {
        SessionError::Setting(wrong) => {
            WrongInput::new(format!("{}: {wrong}", file.display())).into()
        }
        SessionError::Memory(_) | SessionError::NotANumber(_) => error.into(),
        _ => WrongInput::new(error.to_string()).into(),
    }
}

struct Training {
    session: Session,
    settings: Settings,
    metrics: Metrics,
    folder: PathBuf,
    checkpoint: PathBuf,
    /// The steps of the checkpoint, if there is one.
    saved: Option<u64>,
}

impl Training {
    /// Trains until all is done or the user wants to stop. An error says what is
    /// left to go on from.
    fn go_on(&mut self, output: &Output) -> anyhow::Result<()> {
        self.train(output).map_err(|error| {
            let remedy = self.remedy(&error);
            anyhow::Error::msg(format!("{error:#}; {remedy}"))
        })
    }

    /// What is left after an error.
    fn remedy(&self, error: &anyhow::Error) -> String {
        let Some(steps) = self.saved else {
            return "nothing was saved before".to_owned();
        };
        let good = format!("{} of step {steps} is good", self.checkpoint.display());
        match (error.downcast_ref(), self.metrics.epochs().last()) {
            // The same settings would lead there again.
            (Some(SessionError::NotANumber(_)), Some(epoch)) => format!(
                "{good}; another training may begin with start = \"{}\"",
                self.folder.join(&epoch.net).display()
            ),
            _ => format!("{good}: the same command goes on from there"),
        }
    }

    fn train(&mut self, output: &Output) -> anyhow::Result<()> {
        let progress = Progress::new(output, self.session.all_steps(), "steps");
        progress.advance(self.session.steps());
        let begin = Instant::now();
        let mut positions = 0;
        while !self.session.is_over() && !interruption::requested() {
            let measured = self.session.step()?;
            positions += measured.positions;
            progress.advance(1);
            let speed = positions as f64 / begin.elapsed().as_secs_f64();
            progress.stand(&self.standing(measured.loss, speed));
            let ends_epoch = measured.step.is_multiple_of(self.session.epoch_steps());
            if ends_epoch {
                self.end_epoch(speed)?;
            }
            if ends_epoch || measured.step.is_multiple_of(self.settings.checkpoint_steps) {
                self.save()?;
            }
        }
        self.save()
    }

    fn save(&mut self) -> anyhow::Result<()> {
        self.session.save(&self.checkpoint)?;
        self.saved = Some(self.session.steps());
        Ok(())
    }

    fn standing(&self, loss: f64, speed: f64) -> Standing {
        let judged = match self.metrics.epochs().last() {
            None => String::new(),
            Some(epoch) => format!(", validation {:.6}", epoch.validation_loss),
        };
        let line = format!(
            "epoch {} of {}, loss {loss:.6}{judged}, {speed:.0} positions/s",
            self.session.epochs() + 1,
            self.settings.epochs
        );
        Standing {
            lines: line.clone(),
            line,
        }
    }

    /// Judges the net, writes it, and notes both.
    fn end_epoch(&mut self, speed: f64) -> anyhow::Result<()> {
        let loss = self.session.take_epoch_loss();
        let judged = self.session.validate();
        let (name, net) = self.write_net()?;
        let export = self.session.check_export(&net);
        self.metrics.add(Epoch {
            epoch: self.session.epochs(),
            step: self.session.steps(),
            loss,
            validation_loss: judged.loss,
            export: Some(export),
            positions_a_second: speed,
            arithmetic: arithmetic().to_owned(),
            net: name,
        })
    }

    /// Writes the net as it is now; its name, and the net as it can be read.
    fn write_net(&mut self) -> anyhow::Result<(String, Net)> {
        let epoch = self.session.epochs();
        let description = self.description();
        let bytes = (self.session.export()?).into_bytes(&description, self.provenance())?;
        let file = NetFile::from_bytes(&bytes).context("the new net cannot be read back")?;
        let usual = file.usual_name();
        let ending = usual.rsplit('.').next().unwrap_or_default();
        let name = format!("epoch-{epoch:03}.{ending}");
        let path = self.folder.join(&name);
        data::file::write(&path, &bytes)
            .with_context(|| format!("cannot write {}", path.display()))?;
        Ok((name, file.net))
    }

    /// What the file of a net says that has no place for its provenance.
    fn description(&self) -> String {
        let epoch = self.session.epochs();
        match self.session.parent() {
            None => format!("Trained by Tabia, epoch {epoch}"),
            Some(parent) => format!("Trained by Tabia, epoch {epoch}, from {parent}"),
        }
    }

    fn provenance(&self) -> Provenance {
        Provenance {
            run: Some(self.folder.display().to_string()),
            seed: Some(self.settings.seed),
            data: Some(format!("{:016x}", self.session.data_fingerprint())),
            parent: self.session.parent().map(str::to_owned),
        }
    }

    fn report(&self) -> Report {
        Report {
            steps: self.session.steps(),
            epochs: self.metrics.epochs().to_vec(),
            baseline: self.session.baseline(),
            folder: self.folder.clone(),
        }
    }
}
