//! Which games are learned from, batch after batch, and by which a model is judged.

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

/// Decides which games a model is judged by, never the seed of a training.
const VALIDATION_SEED: u64 = 0x7AB1_A002;
/// Sets the dropout of ratings apart from the order of games.
const DROPOUT_SEED: u64 = 0x7AB1_A004;

/// So many games tell how long people think.
const CLOCK_GAMES: u64 = 20_000;

/// Games to learn from, and those to judge by.
pub(super) struct Source {
    files: Vec<SequenceFile>,
    order: GameOrder,
    pub(super) validation: Vec<SequenceGame>,
    /// Games like those that are learned from, to see whether the value is calibrated.
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
        // As many games as a batch has events for, on the average.
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

    /// The games of the next step as numbers.
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

    /// Whether the model is not told the ratings of a game in the next step.
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

    /// How long people think in these games, if their clocks are known.
    pub(super) fn thinking(&self) -> Result<Option<Thinking>, TrainError> {
        let games: u64 = self.files.iter().map(SequenceFile::games).sum();
        let stride = games.div_ceil(CLOCK_GAMES).max(1) as usize;
        let mut moves = Vec::new();
        for number in (0..games).step_by(stride) {
            list_times(&read(&self.files, number)?, &mut moves);
        }
        Ok(Thinking::of(moves))
    }

    /// A number that other games hardly have.
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

    /// Goes to where a checkpoint was written.
    pub(super) fn go_to(&mut self, mark: &Mark, path: &Path) -> Result<(), TrainError> {
        if mark.point.fingerprint != self.fingerprint {
            let problem = format!("{} was written for other games", path.display());
            return Err(wrong("data", problem).into());
        }
        mark.restore(&mut self.counters);
        Ok(())
    }
}

/// Adds each move whose time and whose maker's rating are known: rating, ply, and the share
/// of the clock.
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

/// No model is trained on, or chosen by, games that are kept for the last judgement.
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

/// The game with a number that counts through all files.
fn read(files: &[SequenceFile], number: u64) -> Result<SequenceGame, TrainError> {
    let mut game = SequenceGame::default();
    if let Some((file, number)) = place(files, number) {
        file.read(number, &mut game)
            .map_err(TrainError::Sequences)?;
    }
    Ok(game)
}

/// The file that has a game, and the game's number in it.
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

/// Games to judge by, with about so many positions.
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
