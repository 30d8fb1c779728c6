//! `tabia train`: turns positions into a net, into weights of the hand-written
//! evaluation, or into an n-tuple network.

mod keeper;
mod report;

use crate::contest::same_command;
use crate::exit::{Exit, Interrupted, WrongInput};
use crate::interruption;
use crate::output::Output;
use crate::settings::{self, SetOptions};
use anyhow::Context;
use clap::Args;
use data::file::FolderLock;
use keeper::Keeper;
use report::{Best, Report};
use std::fs::TryLockError;
use std::path::{Path, PathBuf};
use train::nnue::PRESETS;
use train::tensorboard::EventFile;
use train::{Ending, Settings, TrainError};

const EXAMPLES: &str = "\
Examples:
  tabia train nnue.toml             train as the file says, or resume
  tabia train nnue.toml -o nets/a   write the results to this folder
  tabia train docs/resnet.toml      kind = \"resnet\": a policy and a value
  tabia train fit.toml              kind = \"classical\": fit the evaluation
  tabia train nets/policy.toml      kind = \"policy\": for tree searches
  tabia train pairs.toml            kind = \"comparison\": by comparing moves
  tabia train docs/sequence.toml    kind = \"sequence\": how people play
  tabia train nnue.toml --set net.hidden=512 --set learning_rate=1e-3
  tabia train nnue.toml --tensorboard events   to watch with TensorBoard
  tabia train --show-preset bullet  print the preset bullet

A file with its keys and their defaults:
  data = [\"train.binpack\"]          # required
  preset = \"bullet\"                 # or \"nnue-pytorch\"; default: none
  start = \"a.tabianet\"              # initial net; default: random weights
  validation = [\"valid.binpack\"]    # default: some games of the data
  validation_share = 0.02
  validation_positions = 100_000
  filters = []                      # names of `tabia data filter`
  white_labels = false
  batch = 16_384
  epochs = 10
  epoch_positions = 100_000_000     # default: all of the data
  learning_rate = { kind = \"cosine\", from = 1e-3, to = 1e-5 }   # or a number
  lambda = 0.7                      # weight of the score against the result
  ema = 0.999                       # average of the weights; default: none
  quantisation_aware = false
  seed = 0
  checkpoint_steps = 500
  [net]
  shape = \"simple\"                  # or \"sfnn\", as Stockfish's nets
  hidden = 256
  activation = \"screlu\"             # or \"crelu\", \"pairwise\"
  output_buckets = 1
  king_buckets = []                 # 64 numbers, from a1 to h8
  mirrored = false
  factored = false                  # king buckets share some weights
  shared = false                    # output buckets share some weights
  [optimiser]
  rule = \"adamw\"                    # or \"ranger\"
  [loss]                            # in_offset, in_scaling, out_offset, ...

The weights of the hand-written evaluation are fitted by a file with these
keys, and all of the above from data to checkpoint_steps except ema and
quantisation_aware, and [loss]:
  kind = \"classical\"
  epochs = 30
  learning_rate = { kind = \"cosine\", from = 0.5, to = 0.005 }   # centipawns
  anchor = 1e-8                     # penalty per squared centipawn of change
  groups = [\"piece-squares\", \"pieces\", \"threats\", \"pawns\", \"passed\"]
  tuples = []                       # tables to fit, or \"published\"
  start = \"a.weights\"               # default: the built-in weights
Give it quiet positions, as filters = [\"in-check\", \"captures\", \"promotions\"].

A policy net learns moves, scores and results of all positions by a file with
these keys, and all of the above from data to checkpoint_steps except
quantisation_aware, and [optimiser]:
  kind = \"policy\"
  learning_rate = { kind = \"cosine\", from = 2e-3, to = 2e-5 }
  smoothing = 0.0                   # label smoothing over all moves
  start = \"a.tabianet\"              # initial policy net
  [policy]
  hidden = 256                      # a multiple of 128, at most 2048
  [value]                           # as in [net] of a simple net
  hidden = 256
  output_buckets = 8
  king_buckets = []
  mirrored = true
  [wdl]                             # 50 % chance to win at offset centipawns
  offset = 110
  scaling = 170

A ResNet with a policy and a value is trained by a file with these keys, and
all of the above from data to checkpoint_steps; its data may also be policy
shards, as those of a policy net. PGN games are converted first: with scores
by `tabia data convert games.pgn -o games.binpack`, without scores by
`tabia data label games.pgn -o games.binpack --human`:
  kind = \"resnet\"
  batch = 256
  epochs = 1
  validation_positions = 10_000
  learning_rate.kind = \"warmup\"
  learning_rate.epochs = 0.02
  learning_rate.then = { kind = \"cosine\", from = 2e-3, to = 2e-5 }
  lambda = 0.5                      # weight of the score in the value target
  value_weight = 1.0                # weight of the value loss
  value_loss = \"mse\"               # or \"huber\", for value = \"tanh\"
  huber_delta = 1.0                 # the error from which on \"huber\" is linear
  smoothing = 0.02                  # label smoothing over legal moves
  target_power = 1.0                # exponent of the shares of visits
  score_offset = 100.0              # centipawns of a 50 % chance to win
  score_scaling = 250.0
  ema = 0.999                       # moving average of the weights; 0: none
  [net]
  channels = 32
  blocks = 4
  policy = \"flat\"                  # or \"factored\"
  value = \"wdl\"                    # or \"tanh\"
  moves = \"64x64\"                  # or \"64x73\"
  head_channels = 16
  value_hidden = 128
  planes = { view = \"mover\", counters = true, history = 0 }
  [optimiser]                       # beta1, beta2, epsilon, decay, ...

Moves are compared by a file with these keys, and those above from data to
checkpoint_steps except start, learning_rate, lambda, ema and
quantisation_aware. Its data have the best moves, as written by
`tabia data label`:
  kind = \"comparison\"
  depth = 2                         # plies, then quiescence search
  block = 16                        # positions per update; published: 1
  batch = 256
  train = [\"piece-squares\", \"pieces\", \"threats\", \"pawns\", \"tuples\"]
  tuples = [\"published\"]            # or \"Nq\": own knight, enemy queen
  groups = [\"piece-squares\", \"pieces\", \"threats\", \"pawns\", \"imbalance\",
            \"king\", \"passed\", \"space\", \"initiative\"]   # terms
  endgame_functions = true
  initial = \"material\"              # or \"start\": the weights of the start
  material = { pawn=200, knight=800, bishop=850, rook=1300, queen=2600 }
  material_total = 6964             # default: the pieces of the start
  stop = true                       # when agreement in validation falls
  start = \"a.ntuple\"                # default: the built-in weights

A sequence model learns from games prepared by `tabia pgn sequences`, with a
file with kind = \"sequence\"; docs/sequence.toml has all keys with their
defaults.

A number may follow a schedule over the epochs: kind is step, drop, linear,
cosine, one-cycle, warmup or sequence. After an interruption, the same command
resumes, and ends with the same bytes for any number of threads.";

/// Train a net or another model, or fit the weights of the hand-written evaluation
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Options {
    /// The TOML file with the training settings
    #[arg(required_unless_present = "show_preset")]
    file: Option<PathBuf>,
    #[command(flatten)]
    set: SetOptions,
    /// Start from the settings of this preset; the file overrides them
    #[arg(long, value_name = "NAME")]
    preset: Option<String>,
    /// Print a preset and exit
    #[arg(long, value_name = "NAME")]
    show_preset: Option<String>,
    /// Output folder [default: trainings/NAME-OF-THE-FILE]
    #[arg(short, long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Also write losses and other metrics as TensorBoard event files
    #[arg(long, value_name = "DIR")]
    tensorboard: Option<PathBuf>,
    /// Number of threads [default: one per CPU]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

impl Options {
    /// The file; the parser has seen to it that there is one.
    fn file(&self) -> &Path {
        self.file.as_deref().unwrap_or(Path::new(""))
    }

    /// The name of the training: that of its file.
    fn name(&self) -> String {
        let file = self.file();
        let stem = file.file_stem().unwrap_or(file.as_os_str());
        stem.display().to_string()
    }

    /// Everything that is set.
    fn read(&self) -> Result<Settings, WrongInput> {
        let preset = self.preset.as_deref();
        settings::read_with(self.file(), &self.set, preset, &PRESETS, |table, place| {
            Settings::from_table(table, place).map_err(|error| (error.message, error.span))
        })
    }
}

/// All that is needed to go on.
const CHECKPOINT_FILE: &str = "checkpoint";

/// Where results go, and how many threads work.
struct Prepared {
    folder: PathBuf,
    threads: usize,
}

fn prepare(options: &Options) -> anyhow::Result<Prepared> {
    let folder = options
        .out
        .clone()
        .unwrap_or_else(|| Path::new("trainings").join(options.name()));
    let threads = match options.threads {
        Some(threads) => usize::from(threads),
        None => std::thread::available_parallelism()?.get(),
    };
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build_global()
        .context("cannot start threads")?;
    interruption::listen_and_save()?;
    Ok(Prepared { folder, threads })
}

/// Makes the folder, keeps others out of it, and removes what a kill has left there.
fn enter(folder: &Path) -> anyhow::Result<FolderLock> {
    let wrong = || format!("cannot use the folder {}", folder.display());
    std::fs::create_dir_all(folder).with_context(wrong)?;
    let lock = FolderLock::take(folder).map_err(|error| match error {
        TryLockError::WouldBlock => {
            let folder = folder.display();
            WrongInput::new(format!(
                "{folder}: another process is training in this folder"
            ))
            .into()
        }
        TryLockError::Error(error) => anyhow::Error::from(error).context(wrong()),
    })?;
    let untidy = || format!("cannot tidy the folder {}", folder.display());
    data::file::sweep(folder).with_context(untidy)?;
    Ok(lock)
}

pub(crate) fn run(options: &Options, output: &Output) -> anyhow::Result<Exit> {
    if let Some(name) = &options.show_preset {
        output.data(settings::find(name, &PRESETS)?)?;
        return Ok(Exit::Good);
    }
    let settings = options.read()?;
    if let Some(remark) = settings.remark() {
        output.note(remark);
    }
    let Prepared { folder, threads } = prepare(options)?;
    // A training that is refused leaves no folder behind.
    let early = folder.is_dir().then(|| enter(&folder)).transpose()?;
    let checkpoint = folder.join(CHECKPOINT_FILE);
    let saved = checkpoint.exists().then_some(&*checkpoint);
    let mut training = settings
        .training(threads, saved, lab::training_search())
        .map_err(|error| explained(options, error))?;
    let _lock = match early {
        Some(lock) => lock,
        None => enter(&folder)?,
    };
    let events = options.tensorboard.as_deref().map(begin_events);
    let saved = saved.map(|_| training.steps());
    let name = options.name();
    let mut keeper = Keeper::open(folder, name, &*training, saved, events.transpose()?)?;
    let ending = keeper
        .train(&mut *training, &checkpoint, output)
        .map_err(|error| {
            let remedy = keeper.remedy(&error, &checkpoint);
            anyhow::Error::msg(format!("{error:#}; {remedy}"))
        })?;
    output.report(&Report {
        steps: training.steps(),
        epochs: keeper.metrics().epochs().to_vec(),
        comparison: training.comparison(),
        best: training
            .criterion()
            .and_then(|criterion| Best::new(criterion, keeper.metrics())),
        folder: keeper.into_folder(),
    })?;
    if ending == Ending::Stopped {
        output.note(format_args!("to resume: {}", same_command()));
        return Err(Interrupted.into());
    }
    Ok(Exit::Good)
}

/// Begins a file for TensorBoard.
fn begin_events(folder: &Path) -> anyhow::Result<EventFile> {
    EventFile::create(folder)
        .with_context(|| format!("cannot write event files in {}", folder.display()))
}

/// What a user did wrong is told as such, with the place where it was set.
fn explained(options: &Options, error: TrainError) -> anyhow::Error {
    match error {
        TrainError::Setting(wrong) => {
            let is_of_key =
                |set: &&String| set.split('=').next().map(str::trim) == Some(&wrong.key);
            let place = match options.set.list().iter().rfind(is_of_key) {
                Some(set) => format!("--set {set}"),
                None => options.file().display().to_string(),
            };
            WrongInput::new(format!("{place}: {wrong}")).into()
        }
        TrainError::Memory(_) | TrainError::NotANumber(_) => error.into(),
        _ => WrongInput::new(error.to_string()).into(),
    }
}
