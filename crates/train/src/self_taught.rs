//! Learners of runs that learn from tree searches: policies and values that are trained on the
//! results of searches with the last net.
//!
//! The table `train` of a run file is that of a separate training, without the keys that say where
//! positions come from, and with those of [`LessonSettings`]. It must not know which net is
//! trained: that is given by a [`SelfTaught`] kind.

use crate::learner::{Amount, First, Learned, Learner, LearnerKind, Lesson};
use crate::settings::{KindSettings, Misread, at_least_one, filled, keys, of_kind, schema, within};
use crate::{DrawSettings, ModelFile, Schedule, TrainError, Training, WrongSetting};
use data::generations::OverGenerations;
use data::range::Range;
use data::schema::{properties, set_defaults};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fmt::Debug;
use std::marker::PhantomData;
use std::path::Path;
use std::sync::Arc;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Keys of a training that the run sets itself.
const DECIDED: [&str; 8] = [
    "data",
    "validation",
    "seed",
    "start",
    "epoch_positions",
    "filters",
    "white_labels",
    "draws",
];

/// A kind of net that can learn from its own searches.
pub(crate) trait SelfTaught:
    KindSettings + Clone + PartialEq + Debug + Send + Sync + 'static
{
    /// Its name in run files.
    const NAME: &'static str;
    /// The tables that describe the architecture of the net.
    const TABLES: &'static [&'static str];
    /// The extension of its files.
    const EXTENSION: &'static str;
    /// The defaults that differ from those of a separate training: the keys of `train` as TOML.
    const DEFAULTS: &'static str;

    fn check(&self) -> Result<(), WrongSetting>;
    fn draws_mut(&mut self) -> &mut DrawSettings;
    fn learning_rate_mut(&mut self) -> &mut Schedule;
    fn lambda_mut(&mut self) -> &mut Schedule;
    fn start_mut(&mut self) -> &mut Option<std::path::PathBuf>;

    /// The first net, with a checkpoint from which trainings continue.
    fn first(&self, first: &First<'_>) -> Result<ModelFile, TrainError>;

    /// A training resumed from its own checkpoint.
    fn resume(self, threads: usize, path: &Path) -> Result<Box<dyn Training>, TrainError>;

    /// A training that continues another one.
    fn follow(
        self,
        threads: usize,
        path: &Path,
        is_fresh: bool,
    ) -> Result<Box<dyn Training>, TrainError>;
}

const COUNT: Range = Range::closed(1.0, 1e12);
const USES: Range = Range::above(0.0, 1e6);
const SHARE: Range = Range::closed(0.0, 1.0);
const FACTOR: Range = Range::above(0.0, 1.0);

/// How much a generation trains, and other settings that only runs have.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "lesson")]
struct LessonSettings {
    /// Training positions per generation, sampled from the replay buffer; default: as many as
    /// `uses` allows if epochs are not given either.
    #[schemars(transform = COUNT.schema())]
    positions: Option<u64>,
    /// Alternatively, the number of passes through the whole replay buffer per generation.
    #[schemars(transform = Range::AT_LEAST_ONE.schema())]
    epochs: Option<u64>,
    /// Maximum average number of uses of a position: a generation trains on at most this many
    /// times the positions that it has played.
    #[schemars(transform = USES.schema())]
    uses: f64,
    /// Factor of the learning rate, per generation.
    #[schemars(transform = FACTOR.schema())]
    learning_rate_factor: OverGenerations,
    /// Whether each generation resets the state of the optimiser.
    fresh_optimiser: bool,
    /// Penalty for draws: how far below 0 a draw is valued for both sides, per generation, as
    /// published; the game is then not zero-sum.
    #[schemars(transform = SHARE.schema())]
    draw_penalty: OverGenerations,
    /// The maximum value of a draw for the side with more material in the last position, as
    /// published.
    #[schemars(transform = SHARE.schema())]
    draw_material: f32,
}

impl Default for LessonSettings {
    fn default() -> LessonSettings {
        LessonSettings {
            positions: None,
            epochs: None,
            uses: 4.0,
            learning_rate_factor: OverGenerations::Same(1.0),
            fresh_optimiser: false,
            draw_penalty: OverGenerations::Same(0.0),
            draw_material: 0.0,
        }
    }
}

impl LessonSettings {
    fn check(&self) -> Result<(), WrongSetting> {
        let wrong = |key: &'static str, problem: String| WrongSetting {
            key: key.into(),
            problem,
        };
        if self.positions.is_some() && self.epochs.is_some() {
            let problem = "give either positions or epochs, not both".to_owned();
            return Err(wrong("epochs", problem));
        }
        let positions = self.positions.unwrap_or(1) as f64;
        within("positions", positions, COUNT)?;
        at_least_one("epochs", self.epochs.unwrap_or(1))?;
        within("uses", self.uses, USES)?;
        let material = f64::from(self.draw_material);
        within("draw_material", material, SHARE)?;
        for (key, problem) in [
            ("draw_penalty", self.draw_penalty.problem(SHARE)),
            (
                "learning_rate_factor",
                self.learning_rate_factor.problem(FACTOR),
            ),
        ] {
            if let Some(problem) = problem {
                return Err(wrong(key, problem));
            }
        }
        Ok(())
    }

    /// The number of positions on which a generation trains, given the size of its window and how
    /// many of these it has newly played.
    fn amount(&self, window: f64, fresh: f64) -> f64 {
        let most = self.uses * fresh;
        match (self.positions, self.epochs) {
            (Some(positions), _) => most.min(positions as f64),
            (None, Some(epochs)) => most.min(window * epochs as f64),
            (None, None) => most,
        }
    }
}

/// The learning of such nets, as named in run files.
pub(crate) struct Learning<K>(PhantomData<K>);

impl<K> Learning<K> {
    pub(crate) const NEW: Learning<K> = Learning(PhantomData);
}

impl<K: SelfTaught> LearnerKind for Learning<K> {
    fn name(&self) -> &'static str {
        K::NAME
    }

    fn tables(&self) -> &'static [&'static str] {
        K::TABLES
    }

    fn read(&self, mut tables: DeTable<'_>) -> Result<Arc<dyn Learner>, Misread> {
        let train = match tables.remove("train").map(Spanned::into_inner) {
            Some(DeValue::Table(table)) => table,
            _ => DeTable::new(),
        };
        let decided = train.keys().find(|key| {
            let name: &str = key.get_ref();
            DECIDED.contains(&name)
        });
        if let Some(key) = decided {
            return Err(Misread {
                message: format!("`{}` is set by the run itself", key.get_ref()),
                span: Some(key.span()),
            });
        }
        let own = keys::<LessonSettings>();
        let (of_lesson, of_training): (DeTable<'_>, DeTable<'_>) = train
            .into_iter()
            .partition(|(key, _)| own.iter().any(|own| own == key.get_ref()));
        let lesson: LessonSettings = filled(of_lesson, 0)?;
        let mut whole = DeTable::parse(K::DEFAULTS)?.into_inner();
        for (key, value) in of_training.into_iter().chain(tables) {
            whole.remove(key.get_ref().as_ref());
            whole.insert(key, value);
        }
        // The data is set for each generation.
        let nowhere = DeTable::parse("data = []")?.into_inner();
        whole.extend(nowhere);
        let training = of_kind(whole, 0)?;
        Ok(Arc::new(PolicyLearner::<K> { training, lesson }))
    }

    fn schemas(&self, generator: &mut SchemaGenerator) -> Vec<(&'static str, Schema)> {
        let mut train = schema::of_kind::<K>(generator);
        let mut lesson = LessonSettings::json_schema(generator);
        let of_lesson = properties(&mut lesson).map(std::mem::take);
        let mut all = Vec::new();
        if let Some(keys) = properties(&mut train) {
            keys.extend(of_lesson.unwrap_or_default());
            keys.retain(|key, _| !DECIDED.contains(&key.as_str()));
            for table in K::TABLES {
                let own = keys.remove(*table).and_then(|own| own.try_into().ok());
                all.extend(own.map(|own: Schema| (*table, own)));
            }
        }
        let usual = self.read(DeTable::new()).ok();
        if let Some(Ok(usual)) = usual.map(|usual| usual.settings()) {
            set_defaults(&mut train, &usual["train"]);
        }
        all.push(("train", train));
        all
    }
}

/// How such a net learns in a run.
#[derive(Clone, PartialEq, Debug)]
struct PolicyLearner<K> {
    training: K,
    lesson: LessonSettings,
}

impl<K: SelfTaught> PolicyLearner<K> {
    /// The settings of a generation's training.
    fn settings(&self, lesson: &Lesson<'_>) -> Result<K, TrainError> {
        let mut settings = self.training.clone();
        *settings.draws_mut() = DrawSettings {
            penalty: self.lesson.draw_penalty.of(lesson.generation) as f32,
            material: self.lesson.draw_material,
            ..DrawSettings::default()
        };
        let factor = self.lesson.learning_rate_factor.of(lesson.generation);
        let rate = settings.learning_rate_mut();
        *rate = rate.times(factor);
        let course = settings.course();
        course.data = vec![lesson.data.to_owned()];
        course.validation = vec![lesson.validation.to_owned()];
        course.validation_share = 0.0;
        course.seed = lesson.seed;
        course.epochs = 1;
        let [window, fresh] = lesson.positions.map(|positions| positions as f64);
        let mut positions = self.lesson.amount(window, fresh).max(1.0) as u64;
        if let Some(taste) = lesson.taste {
            course.batch = taste.batch;
            positions = taste.positions;
        } else if let Some(epochs) = self.lesson.epochs {
            course.epochs = epochs;
            positions = positions.div_ceil(epochs);
        }
        course.epoch_positions = Some(positions);
        if let Some(lambda) = lesson.taste.and_then(|taste| taste.lambda) {
            *settings.lambda_mut() = Schedule::Constant(lambda);
        }
        Ok(settings)
    }
}

impl<K: SelfTaught> Learner for PolicyLearner<K> {
    fn kind(&self) -> &'static str {
        K::NAME
    }

    fn settings(&self) -> serde_json::Result<Value> {
        let mut tables = serde_json::Map::new();
        let mut train = serde_json::Map::new();
        let all = [
            serde_json::to_value(&self.training)?,
            serde_json::to_value(&self.lesson)?,
        ];
        for value in all {
            let Value::Object(table) = value else {
                continue;
            };
            for (key, value) in table {
                match K::TABLES.contains(&key.as_str()) {
                    true => drop(tables.insert(key, value)),
                    false if DECIDED.contains(&key.as_str()) => {}
                    false => drop(train.insert(key, value)),
                }
            }
        }
        tables.insert("train".to_owned(), Value::Object(train));
        Ok(Value::Object(tables))
    }

    fn check(&self) -> Result<(), WrongSetting> {
        let mut settings = self.training.clone();
        settings.course().data = vec!["x".into()];
        let below_train = |error: WrongSetting| {
            let first = error.key.split('.').next().unwrap_or_default();
            let key = match K::TABLES.contains(&first) {
                true => error.key.to_string(),
                false => format!("train.{}", error.key),
            };
            WrongSetting {
                key: key.into(),
                problem: error.problem,
            }
        };
        self.lesson.check().map_err(below_train)?;
        settings.check().map_err(below_train)
    }

    fn extension(&self) -> &'static str {
        K::EXTENSION
    }

    fn validation_share(&self) -> f64 {
        self.training.clone().course().validation_share
    }

    fn learns_from(&self) -> Learned {
        Learned::Searches
    }

    fn amount(&self, lesson: f64, fresh: f64) -> Amount {
        Amount {
            positions: self.lesson.amount(lesson, fresh),
            epochs: self.lesson.epochs.unwrap_or(1),
        }
    }

    fn first(&self, first: &First<'_>) -> Result<ModelFile, TrainError> {
        let mut settings = self.training.clone();
        settings.course().seed = first.seed;
        *settings.start_mut() = first.start.map(Path::to_owned);
        settings.first(first)
    }

    fn training(&self, lesson: &Lesson<'_>) -> Result<Box<dyn Training>, TrainError> {
        let settings = self.settings(lesson)?;
        if lesson.checkpoint.exists() {
            match settings.clone().resume(lesson.threads, lesson.checkpoint) {
                // The folder was moved during a training. Repeating the same steps from the
                // beginning gives the same net.
                Err(TrainError::OtherSettings { .. }) => {}
                session => return session,
            }
        }
        let is_fresh = self.lesson.fresh_optimiser && lesson.taste.is_none();
        settings.follow(lesson.threads, lesson.follows, is_fresh)
    }
}
