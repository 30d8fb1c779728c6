//! A learner that the laboratory does not know: the values of men by regression.
//!
//! It is registered from outside and goes through the whole cycle: first model, games,
//! buffer, a step of its own, training, matches, promotion; killed and resumed.

use crate::miniature::{Place, program, results};
use chess::PieceKind;
use data::loader::{self, load};
use data::packed::PackedPosition;
use engines::StopSignal;
use lab::{Ending, Event, LabError, Laboratory, Means, Step};
use nets::Provenance;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::path::Path;
use std::sync::Arc;
use toml::de::DeTable;
use train::settings::Misread;
use train::{
    AddedStep, Amount, Counters, First, Judged, Learner, LearnerKind, Learners, Lesson, Measured,
    ModelFile, Moment, Surroundings, TrainError, Training, WrongSetting,
};
use work::Threads;

const MEN: [&str; 5] = ["pawn", "knight", "bishop", "rook", "queen"];
const PLAIN: [f64; 5] = [100.0, 300.0, 300.0, 500.0, 900.0];

/// `kind = "material"`.
struct MaterialLearning;

impl LearnerKind for MaterialLearning {
    fn name(&self) -> &'static str {
        "material"
    }

    fn tables(&self) -> &'static [&'static str] {
        &[]
    }

    fn read(&self, tables: DeTable<'_>) -> Result<Arc<dyn Learner>, Misread> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Tables {
            #[serde(default)]
            train: Material,
        }
        let deserializer = toml::de::Deserializer::from(toml::Spanned::new(0..0, tables));
        Ok(Arc::new(Tables::deserialize(deserializer)?.train))
    }

    fn schemas(&self, generator: &mut SchemaGenerator) -> Vec<(&'static str, Schema)> {
        vec![("train", Material::json_schema(generator))]
    }
}

/// How many times it goes through the games, and how fast it learns.
#[derive(Clone, Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, default)]
struct Material {
    epochs: u64,
    learning_rate: f64,
}

impl Default for Material {
    fn default() -> Material {
        Material {
            epochs: 3,
            learning_rate: 20.0,
        }
    }
}

/// The model is a file of weights of the hand-written evaluation.
fn weights(values: &[f64; 5]) -> ModelFile {
    let line = |(name, value): (&&str, &f64)| {
        let whole = value.round() as i32;
        format!("piece-squares.material.{name} = [{whole}, {whole}]\n")
    };
    let text: String = MEN.iter().zip(values).map(line).collect();
    ModelFile {
        bytes: text.into_bytes(),
        ending: "weights",
    }
}

impl Learner for Material {
    fn kind(&self) -> &'static str {
        MaterialLearning.name()
    }

    fn settings(&self) -> serde_json::Result<Value> {
        Ok(serde_json::json!({ "train": self }))
    }

    fn check(&self) -> Result<(), WrongSetting> {
        Ok(())
    }

    fn extension(&self) -> &'static str {
        "weights"
    }

    fn validation_share(&self) -> f64 {
        0.1
    }

    fn amount(&self, lesson: f64, _: f64) -> Amount {
        Amount {
            positions: lesson * self.epochs as f64,
            epochs: self.epochs,
        }
    }

    fn added_steps(&self) -> &'static [AddedStep] {
        &[AddedStep {
            name: "count-men",
            moment: Moment::BeforeTraining,
        }]
    }

    fn perform(
        &self,
        step: &str,
        around: &Surroundings<'_>,
    ) -> Result<Vec<(String, f64)>, TrainError> {
        assert_eq!(step, "count-men");
        let positions: Vec<PackedPosition> = load(source(around.data), usize::MAX)?;
        let men: usize = positions
            .iter()
            .map(|position| position.pieces().count())
            .sum();
        Ok(vec![("men".to_owned(), men as f64)])
    }

    fn first(&self, first: &First<'_>) -> Result<ModelFile, TrainError> {
        save(first.checkpoint, 0, &PLAIN)?;
        Ok(weights(&PLAIN))
    }

    fn training(&self, lesson: &Lesson<'_>) -> Result<Box<dyn Training>, TrainError> {
        let resumed = lesson.checkpoint.exists();
        let from = if resumed {
            lesson.checkpoint
        } else {
            lesson.follows
        };
        let (steps, values): (u64, [f64; 5]) =
            serde_json::from_slice(&std::fs::read(from)?).expect("a checkpoint");
        let mut counters = Counters::new(1, self.epochs, 1, 1);
        counters.steps = if resumed { steps } else { 0 };
        Ok(Box::new(Regression {
            rate: self.learning_rate,
            data: load(source(lesson.data), usize::MAX)?,
            validation: load(source(lesson.validation), usize::MAX)?,
            values,
            counters,
        }))
    }
}

fn source(path: &Path) -> loader::Settings {
    loader::Settings::new(vec![path.to_owned()])
}

fn save(path: &Path, steps: u64, values: &[f64; 5]) -> Result<(), TrainError> {
    let bytes = serde_json::to_vec(&(steps, values)).expect("JSON");
    Ok(data::file::write(path, &bytes)?)
}

/// One step is one pass over all positions.
struct Regression {
    rate: f64,
    data: Vec<PackedPosition>,
    validation: Vec<PackedPosition>,
    values: [f64; 5],
    counters: Counters,
}

/// How many more men of each kind the side to move has.
fn surplus(position: &PackedPosition) -> [f64; 5] {
    let mut surplus = [0.0; 5];
    for (_, piece) in position.pieces() {
        let own = piece.color == position.side_to_move();
        if piece.kind != PieceKind::King {
            surplus[piece.kind as usize] += if own { 1.0 } else { -1.0 };
        }
    }
    surplus
}

impl Regression {
    /// The mean squared error in pawns, and its slope.
    fn error(&self, positions: &[PackedPosition]) -> (f64, [f64; 5]) {
        let (mut sum, mut slope) = (0.0, [0.0; 5]);
        for position in positions {
            let men = surplus(position);
            let value: f64 = men
                .iter()
                .zip(&self.values)
                .map(|(men, value)| men * value)
                .sum();
            let error = (value - f64::from(position.score()).clamp(-2000.0, 2000.0)) / 100.0;
            sum += error * error;
            for (slope, men) in slope.iter_mut().zip(men) {
                *slope += error * men;
            }
        }
        let count = positions.len().max(1) as f64;
        (sum / count, slope.map(|slope| slope / count))
    }
}

impl Training for Regression {
    fn counters(&self) -> &Counters {
        &self.counters
    }

    fn step(&mut self) -> Result<Measured, TrainError> {
        let (loss, slope) = self.error(&self.data);
        for (value, slope) in self.values.iter_mut().zip(slope) {
            *value -= self.rate * slope;
        }
        self.counters.count(loss);
        Ok(Measured {
            step: self.counters.steps,
            loss,
            positions: self.data.len(),
            learning_rate: self.rate,
        })
    }

    fn validate(&mut self) -> Judged {
        Judged {
            loss: self.error(&self.validation).0,
            positions: self.validation.len(),
            numbers: vec![("queen", self.values[4])],
        }
    }

    fn export(&mut self, _: &str, _: Provenance) -> Result<ModelFile, TrainError> {
        Ok(weights(&self.values))
    }

    fn save(&mut self, path: &Path) -> Result<(), TrainError> {
        save(path, self.counters.steps, &self.values)
    }

    fn provenance(&self) -> Provenance {
        Provenance::default()
    }

    fn arithmetic(&self) -> &'static str {
        "portable"
    }
}

const FILE: &str = "\
generations = 2
seeds = [5]
[selfplay]
nodes = 60
games = 12
random_plies = 4
horizon = 40
[train]
kind = 'material'
learning_rate = 30
[gate]
games = 4
nodes = 30
horizon = 30
elo_above = [-10_000]
[verdict]
games = 4
";

fn learners() -> Learners {
    train::learners().with(MaterialLearning)
}

/// Works until `most` events were heard, which is as good as a kill.
fn work(path: &Path, most: usize) -> Result<Ending, LabError> {
    let opened = match path.join("run.toml").exists() {
        true => Laboratory::resume(path, program(), &learners()),
        false => Laboratory::begin(path, FILE, program(), &learners()),
    };
    let (stop, mut heard) = (StopSignal::new(), 0);
    let means = Means {
        dispatcher: &Threads::new(2),
        threads: 2,
    };
    opened?.run(&means, &stop, &mut |_| {
        heard += 1;
        if heard > most {
            stop.stop();
        }
    })
}

#[test]
fn a_learner_from_outside_goes_through_the_whole_cycle() {
    let run = Place::new();
    let ending = work(&run.path, usize::MAX).expect("no failure");
    assert!(matches!(ending, Ending::Finished(_)));
    let rows = lab::runs::look(&run.path, &learners()).expect("a run").rows;
    assert_eq!(rows.len(), 2);
    assert!(
        rows.iter()
            .all(|row| row.promoted && row.version.ends_with(".weights"))
    );
    // It has learned something from each generation's games.
    let [first, second] =
        [1, 2].map(|number| run.text(&format!("main/seed-5/nets/version-{number}.weights")));
    assert_ne!(first, second);
    let events = lab::events::read(&run.path).expect("events");
    let added = events.iter().filter(|stamped| {
        matches!(&stamped.event, Event::Ended { place, .. }
            if place.step == Step::Added && place.other.as_deref() == Some("count-men"))
    });
    assert_eq!(added.count(), 2);
    assert_eq!(
        events.last().map(|stamped| &stamped.event),
        Some(&Event::Stopped { finished: true })
    );
    // Stopped again and again, it comes to the same.
    let other = Place::new();
    let mut stops = 0;
    while !matches!(
        work(&other.path, 2 + stops).expect("no failure"),
        Ending::Finished(_)
    ) {
        stops += 1;
    }
    assert!(stops > 3, "{stops}");
    assert_eq!(results(&other.path), results(&run.path));
}

#[test]
fn its_settings_are_its_own() {
    let complaint = |text: &str| {
        let read = lab::settings::read(text, &learners());
        read.expect_err(text).to_string()
    };
    let told = complaint("[train]\nkind = 'material'\nstep_size = 3");
    assert!(
        told.starts_with("unknown field `step_size`, expected"),
        "{told}"
    );
    let told = complaint("[net]\nhidden = 32\n[train]\nkind = 'material'");
    assert_eq!(told, "the table `net` is not used by the learner material");
    let told = complaint("[train]\nkind = 'other'");
    assert_eq!(
        told,
        "train.kind must be one of nnue, treestrap, policy, resnet, sequence, material"
    );
}
