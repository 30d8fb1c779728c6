//! The cost of a run, estimated by trying everything once on a small scale.
//!
//! How trained models will play is not known in advance. They start out like the model of the
//! trial's short training and end, at best, like the hand-written evaluation, whose games are
//! shorter: the mean of both is used.

mod played;

use crate::error::LabError;
use crate::experiment::Means;
use crate::folder::{Folder, file_size};
use crate::generation::model_bytes;
use crate::matches::Match;
use crate::search::training_search;
use crate::settings::{Arm, Conditions, Experiment, FirstSettings};
use engines::StopSignal;
use engines::recipe::Pace;
use nets::{Model, Provenance};
use serde::Serialize;
use std::collections::BTreeMap;
use std::ops::AddAssign;
use std::path::{Path, PathBuf};
use std::time::Instant;
use train::{First, Lesson, ModelFile};

/// The maximum number of games in a trial.
const TRIAL_GAMES: u64 = 64;
/// The bytes of reports, pictures and tables, and of a finished step in the state.
const REPORT_BYTES: f64 = 60_000.0;
const STEP_BYTES: f64 = 900.0;

/// The cost of some work.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct Cost {
    /// Seconds on this machine.
    pub seconds: f64,
    /// Bytes on the disk.
    pub bytes: f64,
}

impl AddAssign for Cost {
    fn add_assign(&mut self, other: Cost) {
        self.seconds += other.seconds;
        self.bytes += other.bytes;
    }
}

impl Cost {
    fn times(self, number: f64) -> Cost {
        Cost {
            seconds: self.seconds * number,
            bytes: self.bytes * number,
        }
    }
}

/// The estimated cost of a run.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Forecast {
    /// The number of generations, over all arms and seeds.
    pub generations: u64,
    /// The number of positions of self-play, estimated if the settings do not fix it.
    pub positions: f64,
    /// The number of match games.
    pub games: u64,
    /// Self-play.
    pub selfplay: Cost,
    /// Trainings, with their checkpoints and models.
    pub training: Cost,
    /// The seconds of each arm's trainings, over all its seeds.
    pub training_by_arm: BTreeMap<String, f64>,
    /// Matches of candidates and evaluation games.
    pub gates: Cost,
    /// Final matches.
    pub finals: Cost,
    /// The sum of all costs.
    pub total: Cost,
    /// The maximum size of temporary files, in bytes.
    pub passing_bytes: f64,
}

/// Tries out an experiment in a temporary folder, for about this many seconds: every trial gets an
/// equal share of the time, and at least one game.
///
/// # Errors
/// If a trial fails or is stopped.
pub fn forecast(
    experiment: &Experiment,
    seconds: f64,
    means: &Means<'_>,
    stop: &StopSignal,
) -> Result<Forecast, LabError> {
    crate::run_file::check(experiment)?;
    let seconds = seconds / trials(experiment) as f64;
    let temporary =
        tempfile::tempdir().map_err(|cause| LabError::file("a temporary folder", cause))?;
    let folder = Folder::open(temporary.path())?;
    let seeds = experiment.seeds.len() as f64;
    let mut forecast = Forecast::default();
    let mut first = None;
    for (name, arm) in &experiment.arms {
        let root = folder.path(name);
        let trial = Trial {
            experiment,
            arm,
            folder: &folder,
            root: &root,
            seconds,
            means,
            stop,
        };
        let others = forecast.training.seconds;
        let players = trial.add_to(&mut forecast)?;
        let seconds = forecast.training.seconds - others;
        forecast.training_by_arm.insert(name.clone(), seconds);
        first.get_or_insert((trial.root.to_owned(), arm.clone(), players));
    }
    if let Some((root, arm, [first_player, taught])) = first {
        let trial = Trial {
            experiment,
            arm: &arm,
            folder: &folder,
            root: &root,
            seconds,
            means,
            stop,
        };
        let games = experiment.verdict.games;
        let conditions = &experiment.finals;
        let (pairs, arms) = (experiment.pairs() as u64, experiment.arms.len() as u64);
        for (name, games, opponent) in [
            ("heads", pairs * games, None),
            ("finals", arms * games, Some(&first_player)),
        ] {
            if games > 0 {
                let one = trial.game(name, conditions, &taught, opponent)?;
                forecast.finals += one.times(seeds * games as f64);
            }
        }
        forecast.games += experiment.seeds.len() as u64 * games * (pairs + arms);
    }
    for cost in [
        forecast.selfplay,
        forecast.training,
        forecast.gates,
        forecast.finals,
    ] {
        forecast.total += cost;
    }
    forecast.total.bytes += REPORT_BYTES + STEP_BYTES * 6.0 * forecast.generations as f64;
    Ok(forecast)
}

/// The number of trials: for each arm, self-play at each pace, the training, and two kinds of
/// matches by two players; and two kinds of final matches by two players.
fn trials(experiment: &Experiment) -> usize {
    const MATCHES: usize = 4;
    let of_arm = |arm: &Arm| {
        let paces = (1..=experiment.generations).map(|number| arm.selfplay.pace(number));
        let mut known: Vec<Pace> = Vec::new();
        for pace in paces {
            if !known.contains(&pace) {
                known.push(pace);
            }
        }
        // Generation 1 may be played by another model than later ones, or may need games of a
        // teacher.
        let first = usize::from(arm.generation_0.is_some());
        known.len() + first + 1 + MATCHES
    };
    experiment.arms.values().map(of_arm).sum::<usize>() + MATCHES
}

/// The trial of one arm.
struct Trial<'a> {
    experiment: &'a Experiment,
    arm: &'a Arm,
    folder: &'a Folder,
    root: &'a Path,
    /// The time for each trial.
    seconds: f64,
    means: &'a Means<'a>,
    stop: &'a StopSignal,
}

impl Trial<'_> {
    /// Adds the cost of the arm over all its seeds; returns the model that plays generation 1 and a
    /// briefly trained one.
    fn add_to(&self, forecast: &mut Forecast) -> Result<[Model; 2], LabError> {
        let (experiment, arm) = (self.experiment, self.arm);
        let seeds = experiment.seeds.len() as f64;
        let net = self.first_model()?;
        let first_player = match &arm.generation_0 {
            Some(first) if first.by_hand().is_some() => first.by_hand().unwrap_or_default(),
            Some(first) if first.random_weights => self.given_model(first)?,
            _ => net.clone(),
        };
        // A tree search is as slow as its net; an alpha-beta search takes about as long with any
        // evaluation, but a net with random weights plays unlike a trained one.
        let later_player = match &arm.explore {
            Some(_) => &net,
            None => &first_player,
        };
        let mut played = self.selfplay(&first_player, later_player)?;
        let time = experiment.hours.map(|hours| 3600.0 * hours);
        played.end_within(time, 0.0);
        let lesson = played.average_lesson(arm);
        let fresh = played.average_positions();
        let lesson_bytes = played.bytes_a_position * lesson;
        forecast.passing_bytes = forecast.passing_bytes.max(lesson_bytes);
        let (taught, training) = self.training(&net, &played.shard, [lesson, fresh])?;
        let gates = self.gates(&first_player, &taught)?;

        played.end_within(time, training.seconds + gates.seconds);
        let generations = played.generations.len() as u64;
        let number = generations as f64 * seeds;
        forecast.generations += generations * experiment.seeds.len() as u64;
        let mut games = Cost::default();
        for one in &played.generations {
            games += one.cost.times(seeds);
            forecast.positions += one.positions * seeds;
        }
        if arm.explore.is_some() && !experiment.keep.shards {
            // If old shards are removed, only those of the last window remain.
            let gone = played.bytes_a_position * played.beyond_window(arm) * seeds;
            games.bytes = (games.bytes - gone).max(0.0);
        }
        forecast.selfplay += games;
        forecast.training += training.times(number);
        // Generation 0 has a model and a checkpoint, too.
        forecast.training.bytes += seeds * self.kept_bytes(&net, true);
        if experiment.keep.training_data {
            forecast.training.bytes += number * lesson_bytes;
        }
        forecast.gates += gates.times(number);
        let every = u64::from(arm.eval.every.max(1));
        let gated = generations * (arm.gate.games() + arm.gate.baseline_games());
        let evaluated = generations / every * arm.eval.games_of(arm.eval.every);
        forecast.games += (experiment.seeds.len() as u64) * (gated + evaluated);
        if let Some(teaching) = arm.generation_0.as_ref().filter(|it| it.is_taught()) {
            if teaching.data.is_none() {
                let games = self.teaching(teaching.games, teaching.depth)?;
                forecast.selfplay += games.cost.times(seeds);
                forecast.positions += games.positions * seeds;
            }
            let a_position = training.seconds / arm.learner.amount(lesson, fresh).positions;
            forecast.training.seconds += seeds * teaching.positions as f64 * a_position;
        }
        Ok([first_player, taught])
    }

    /// The matches of one generation.
    fn gates(&self, first_player: &Model, taught: &Model) -> Result<Cost, LabError> {
        let arm = self.arm;
        let conditions = arm.gate.conditions(&arm.selfplay, self.middle());
        let mut sum = Cost::default();
        for (name, games, opponent) in [
            ("previous", arm.gate.games(), None),
            ("baseline", arm.gate.baseline_games(), Some(first_player)),
        ] {
            if games > 0 {
                let one = self.game(name, &conditions, taught, opponent)?;
                sum += one.times(games as f64);
            }
        }
        let evaluated = arm.eval.games_of(arm.eval.every);
        if evaluated > 0 {
            let conditions = arm.eval.conditions(conditions);
            let one = self.game("eval", &conditions, taught, Some(&Model::Heuristic))?;
            sum += one.times(evaluated as f64 / f64::from(arm.eval.every.max(1)));
        }
        Ok(sum)
    }

    fn checkpoint(&self) -> PathBuf {
        self.root.join("checkpoint")
    }

    /// The model with which training begins: the given one, or one with random weights, which has
    /// the same size and speed.
    fn first_model(&self) -> Result<Model, LabError> {
        let wrong = |cause| LabError::file(self.root, cause);
        std::fs::create_dir_all(self.root).map_err(wrong)?;
        let settings = self.arm.generation_0.as_ref();
        let first = self.arm.learner.first(&First {
            seed: 1,
            start: settings.and_then(FirstSettings::start),
            checkpoint: &self.checkpoint(),
            description: "",
            provenance: Provenance::default(),
        })?;
        self.opened(&first)
    }

    /// The model that plays the first games.
    fn given_model(&self, first: &FirstSettings) -> Result<Model, LabError> {
        let path = first.file().unwrap_or(self.root);
        Model::from_bytes(&model_bytes(path)?).map_err(|cause| LabError::Net {
            path: path.to_owned(),
            cause,
        })
    }

    fn opened(&self, file: &ModelFile) -> Result<Model, LabError> {
        Model::from_bytes(&file.bytes).map_err(|cause| LabError::Net {
            path: self.root.to_owned(),
            cause,
        })
    }

    /// The generation that is tried in place of those that differ from it only in the length of
    /// games.
    fn middle(&self) -> u32 {
        self.experiment.generations.div_ceil(2)
    }

    /// The cost of a generation's training and of its files, and a model that was trained briefly.
    fn training(
        &self,
        net: &Model,
        shard: &Path,
        [lesson, fresh]: [f64; 2],
    ) -> Result<(Model, Cost), LabError> {
        let amount = self.arm.learner.amount(lesson, fresh);
        let checkpoint = self.root.join("training");
        let mut training = self.arm.learner.training(&Lesson {
            generation: self.middle(),
            positions: [lesson, fresh].map(|positions| positions as u64),
            data: shard,
            validation: shard,
            seed: 1,
            follows: &self.checkpoint(),
            checkpoint: &checkpoint,
            threads: self.means.threads,
            search: training_search(),
            taste: None,
        })?;
        let begin = Instant::now();
        let mut learned = 0;
        while begin.elapsed().as_secs_f64() < self.seconds && !training.is_over() {
            if self.stop.is_stopped() {
                return Err(LabError::Stopped);
            }
            learned += training.step()?.positions;
        }
        let seconds = begin.elapsed().as_secs_f64() / learned.max(1) as f64;
        let mut bytes = self.kept_bytes(net, self.experiment.keep.checkpoints);
        if self.experiment.keep.epochs {
            bytes += amount.epochs as f64 * self.kept_bytes(net, false);
        }
        let cost = Cost {
            seconds: seconds * amount.positions,
            bytes,
        };
        let taught = training.export("", Provenance::default())?;
        Ok((self.opened(&taught)?, cost))
    }

    /// The size of a model, with or without its checkpoint.
    fn kept_bytes(&self, net: &Model, with_checkpoint: bool) -> f64 {
        let checkpoint = match with_checkpoint {
            true => file_size(&self.checkpoint()),
            false => 0,
        };
        (net.size() + checkpoint) as f64
    }

    /// The cost of one game, as the mean for the briefly trained model and the hand-written
    /// evaluation, each against `opponent` or itself.
    fn game(
        &self,
        name: &str,
        conditions: &Conditions,
        taught: &Model,
        opponent: Option<&Model>,
    ) -> Result<Cost, LabError> {
        let mut sum = Cost::default();
        for player in [taught, &Model::classical()] {
            sum += self.games(name, conditions, [player, opponent.unwrap_or(player)])?;
        }
        Ok(sum.times(0.5))
    }

    /// The cost of one game between these players, as the mean of several.
    fn games(
        &self,
        name: &str,
        conditions: &Conditions,
        players: [&Model; 2],
    ) -> Result<Cost, LabError> {
        let folder = self.folder.path(&format!("match-{name}"));
        for used in [&folder, &folder.with_added_extension("probe")] {
            let _ = std::fs::remove_dir_all(used);
        }
        let [own, other] = players.map(|model| self.arm.player(model.clone()));
        let game = Match {
            players: [("a", &own), ("b", &other)],
            conditions,
            games: TRIAL_GAMES,
            sprt: None,
            seed: 1,
            used_openings: 0,
            folder: &folder,
            dispatcher: self.means.dispatcher,
        };
        let tried = game.games().forecast(self.seconds, self.stop)?;
        let bytes = match self.experiment.keep.games {
            true => tried.bytes,
            false => 0.0,
        };
        Ok(Cost {
            seconds: tried.seconds,
            bytes,
        })
    }
}
