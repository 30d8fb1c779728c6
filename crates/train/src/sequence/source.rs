//! Selects the games of a training, batch after batch, and those for validation.

use super::batch::Batch;
use super::settings::Settings;
use crate::error::wrong;
use crate::feed::Mark;
use crate::{Counters, Measured, Schedule, TrainError};
use data::loader::Point;
use data::random;
use data::sequences::{GameOrder, Held, Part, SequenceFile, SequenceGame};
use nets::sequence::{Encoder, Thinking};
use rayon::prelude::*;
use std::path::{Path, PathBuf};

/// Selects the validation games; independent of the seed of a training.
const VALIDATION_SEED: u64 = 0x7AB1_A002;
/// Makes the dropout of ratings independent of the order of games.
const DROPOUT_SEED: u64 = 0x7AB1_A004;

/// The number of games from which thinking times are estimated.
const CLOCK_GAMES: u64 = 20_000;

/// Training and validation games.
pub(super) struct Source {
    files: Vec<SequenceFile>,
    order: GameOrder,
    pub(super) validation: Vec<SequenceGame>,
    /// Games of the training period, held out to check the calibration of the value.
    pub(super) calibration: Vec<SequenceGame>,
    pub(super) counters: Counters,
    fingerprint: u64,
}

impl Source {
    pub(super) fn open(settings: &Settings) -> Result<Source, TrainError> {
        let course = &settings.course;
        let files = open_all(&course.data)?;
        refuse_test(&files, "data")?;
        let judged = open_all(&course.validation)?;
        refuse_test(&judged, "validation")?;
        let most = course.validation_positions;
        let share = match judged.is_empty() {
            true => course.validation_share,
            false => settings.calibration_share,
        };
        let held = choose(&files, Held::Only(share), most)?;
        let (validation, calibration) = match judged.is_empty() {
            true => (held, Vec::new()),
            false => (choose(&judged, Held::Nothing, most)?, held),
        };
        let games: u64 = files.iter().map(SequenceFile::games).sum();
        let events: u64 = games + files.iter().map(SequenceFile::plies).sum::<u64>();
        if games == 0 {
            return Err(wrong("data", "it contains no games").into());
        }
        // On average as many games as a batch has events for.
        let batch = (course.batch as u64 * games).div_ceil(events).max(1);
        let order = GameOrder::new(games, batch, course.seed, Held::Without(share));
        let steps = match course.epoch_positions {
            Some(positions) => positions.div_ceil(course.batch as u64),
            None => order.batches(),
        };
        let counters = Counters::new(steps, course.epochs, course.batch, course.checkpoint_steps);
        Ok(Source {
            fingerprint: fingerprint(&files),
            files,
            order,
            validation,
            calibration,
            counters,
        })
    }

    /// The encoded games of the next step.
    pub(super) fn next(
        &self,
        encoder: &Encoder,
        settings: &Settings,
        batch: &mut Batch,
    ) -> Result<(), TrainError> {
        batch.clear();
        let numbers: Vec<u64> = self.order.batch(self.counters.steps).collect();
        let games: Vec<(u64, SequenceGame)> = numbers
            .par_iter()
            .map(|&number| Ok((number, read(&self.files, number)?)))
            .collect::<Result<_, TrainError>>()?;
        for (number, game) in &games {
            let tells_ratings = !self.drops_ratings(*number, settings);
            if !batch.add(game, tells_ratings, encoder, settings) {
                return Err(illegal(&self.files, *number));
            }
        }
        Ok(())
    }

    /// Whether the ratings of a game are hidden from the model in the next step.
    fn drops_ratings(&self, game: u64, settings: &Settings) -> bool {
        let seed = random::hashed(settings.course.seed ^ DROPOUT_SEED);
        let mut generator = random::generator(seed ^ random::hashed(self.counters.steps), game);
        random::chance(&mut generator, settings.rating_dropout)
    }

    /// A schedule's value for the next step.
    pub(super) fn now(&self, schedule: &Schedule) -> f64 {
        let passed = self.counters.steps as f64 / self.counters.epoch_steps as f64;
        schedule.value(passed, self.counters.epochs as f64)
    }

    /// Counts a step.
    pub(super) fn count(&mut self, loss: f64, learning_rate: f64, positions: usize) -> Measured {
        self.counters.count(loss);
        Measured {
            step: self.counters.steps,
            loss,
            positions,
            learning_rate,
        }
    }

    /// The distribution of thinking times in these games, if their clocks are known.
    pub(super) fn thinking(&self) -> Result<Option<Thinking>, TrainError> {
        let games: u64 = self.files.iter().map(SequenceFile::games).sum();
        let stride = games.div_ceil(CLOCK_GAMES).max(1) as usize;
        let mut moves = Vec::new();
        for number in (0..games).step_by(stride) {
            list_times(&read(&self.files, number)?, &mut moves);
        }
        Ok(Thinking::of(moves))
    }

    /// A hash that identifies the games.
    pub(super) fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    pub(super) fn mark(&self, settings: String) -> Mark {
        let point = Point {
            epoch: 0,
            batch: self.counters.steps,
            window: 0,
            offset: 0,
            fingerprint: self.fingerprint,
        };
        Mark::new(settings, &self.counters, point)
    }

    /// Continues from the progress of a checkpoint.
    pub(super) fn go_to(&mut self, mark: &Mark, path: &Path) -> Result<(), TrainError> {
        if mark.point.fingerprint != self.fingerprint {
            let problem = format!("{} was written for other games", path.display());
            return Err(wrong("data", problem).into());
        }
        mark.restore(&mut self.counters);
        Ok(())
    }
}

/// Adds each move with a known time and rating: rating, ply, and the share of the clock that was
/// used.
fn list_times(game: &SequenceGame, moves: &mut Vec<(u16, usize, f64)>) {
    let Some(control) = game.time_control else {
        return;
    };
    for (ply, clocks) in game.clocks.windows(3).enumerate() {
        let ply = ply + 2;
        let before = f64::from(clocks[0]);
        if let Some(rating) = game.ratings[ply % 2]
            && before > 0.0
        {
            let spent = before + f64::from(control.increment) - f64::from(clocks[2]);
            moves.push((rating, ply, (spent / before).clamp(0.0, 1.0)));
        }
    }
}

fn open_all(paths: &[PathBuf]) -> Result<Vec<SequenceFile>, TrainError> {
    let open = |path: &PathBuf| SequenceFile::open(path).map_err(TrainError::Sequences);
    paths.iter().map(open).collect()
}

/// Rejects test games: no model may be trained or selected on them.
fn refuse_test(files: &[SequenceFile], key: &'static str) -> Result<(), TrainError> {
    match files.iter().find(|file| file.part() == Part::Test) {
        None => Ok(()),
        Some(file) => {
            let path = file.path().display();
            let problem = format!(
                "{path} contains test games, which must not be used to select a model; evaluate a \
                 finished model with `tabia net judge`"
            );
            Err(wrong(key, problem).into())
        }
    }
}

/// The game with this number, counted through all files.
fn read(files: &[SequenceFile], number: u64) -> Result<SequenceGame, TrainError> {
    let mut game = SequenceGame::default();
    if let Some((file, number)) = place(files, number) {
        file.read(number, &mut game)
            .map_err(TrainError::Sequences)?;
    }
    Ok(game)
}

/// The file that contains a game, and the game's number in it.
fn place(files: &[SequenceFile], mut number: u64) -> Option<(&SequenceFile, u64)> {
    for file in files {
        if number < file.games() {
            return Some((file, number));
        }
        number -= file.games();
    }
    None
}

fn illegal(files: &[SequenceFile], number: u64) -> TrainError {
    let words = place(files, number).map(|(file, number)| {
        let path = file.path().display();
        format!("{path}: game {} has a move that is not legal", number + 1)
    });
    wrong("data", words.unwrap_or_default()).into()
}

/// Validation games with about this many positions.
fn choose(
    files: &[SequenceFile],
    held: Held,
    positions: usize,
) -> Result<Vec<SequenceGame>, TrainError> {
    let games = files.iter().map(SequenceFile::games).sum();
    let order = GameOrder::new(games, 1, VALIDATION_SEED, held);
    let mut chosen = Vec::new();
    let mut count = 0;
    for number in (0..games).flat_map(|batch| order.batch(batch)) {
        if count >= positions {
            break;
        }
        let game = read(files, number)?;
        if !game.replay(|_, _| {}) {
            return Err(illegal(files, number));
        }
        count += game.moves.len();
        chosen.push(game);
    }
    Ok(chosen)
}

fn fingerprint(files: &[SequenceFile]) -> u64 {
    let mut hasher = blake3::Hasher::new();
    for file in files {
        hasher.update(file.checksum());
    }
    let [a, b, c, d, e, f, g, h, ..] = *hasher.finalize().as_bytes();
    u64::from_le_bytes([a, b, c, d, e, f, g, h])
}
