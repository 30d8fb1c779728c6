//! The settings of comparison training, besides those that all trainings share.

use crate::error::wrong;
use crate::network::{Trained, names_of, read_groups, read_tuples};
use crate::settings::{KindSettings, TRAINING_DEPTH, within};
use crate::{CourseSettings, WrongSetting};
use data::range::Range;
use nets::classical::Groups;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Enough work for several threads at once. On 22,528 positions, searched to one ply, the agreement
/// after an epoch was 51.9 % with blocks of 1, 51.7 % with 16, 48.2 % with 256.
const USUAL_BLOCK: usize = 16;

/// The range of material values, in any scale: gamma converts them to centipawns.
const MATERIAL: Range = Range::above(0.0, 100_000.0);
const MATERIAL_TOTAL: Range = Range::above(0.0, 20_000.0);

/// The comparison training of an n-tuple network.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "comparison-training")]
pub struct Settings {
    /// The settings that all trainings share.
    #[serde(flatten, skip_deserializing)]
    pub course: CourseSettings,
    /// Search depth per move in plies, including the move itself; followed by quiescence search.
    #[schemars(transform = TRAINING_DEPTH.schema())]
    pub depth: u32,
    /// Positions per weight update, computed with the same weights and merged in order; 1 is the
    /// published rule.
    #[schemars(transform = Range::AT_LEAST_ONE.schema())]
    pub block: usize,
    /// The groups of terms, and `tuples`, whose weights are trained.
    pub train: Vec<String>,
    /// The tuples with tables; `published` stands for the 72 published ones.
    pub tuples: Vec<String>,
    /// The groups of terms of the evaluation.
    pub groups: Vec<String>,
    /// Whether known endgames are evaluated by endgame functions alone.
    pub endgame_functions: bool,
    /// Initial values of the trained weights.
    pub initial: Initial,
    /// The initial material values, in the published scale.
    pub material: Material,
    /// The sum of the opening weights of all pieces, in centipawns; default: that of the initial
    /// weights.
    #[schemars(transform = MATERIAL_TOTAL.schema())]
    pub material_total: Option<f64>,
    /// Early stopping: whether the training ends as soon as an epoch does not improve the
    /// agreement on validation positions.
    pub stop: bool,
    /// The file of the initial weights; default: the built-in weights.
    pub start: Option<PathBuf>,
}

/// Initial values of the trained weights.
#[derive(
    Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "comparison-initial")]
pub enum Initial {
    /// The values of `material`, everything else 0.
    #[default]
    Material,
    /// The weights of `start`.
    Start,
}

/// The values of men.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "material")]
pub struct Material {
    /// The value of a pawn.
    #[schemars(transform = MATERIAL.schema())]
    pub pawn: f64,
    /// The value of a knight.
    #[schemars(transform = MATERIAL.schema())]
    pub knight: f64,
    /// The value of a bishop.
    #[schemars(transform = MATERIAL.schema())]
    pub bishop: f64,
    /// The value of a rook.
    #[schemars(transform = MATERIAL.schema())]
    pub rook: f64,
    /// The value of a queen.
    #[schemars(transform = MATERIAL.schema())]
    pub queen: f64,
}

/// The published values.
impl Default for Material {
    fn default() -> Material {
        Material {
            pawn: 200.0,
            knight: 800.0,
            bishop: 850.0,
            rook: 1_300.0,
            queen: 2_600.0,
        }
    }
}

impl Default for Settings {
    fn default() -> Settings {
        let mut train = names_of(Groups::LINEAR);
        train.push("tuples".to_owned());
        Settings {
            course: CourseSettings {
                batch: 256,
                ..CourseSettings::default()
            },
            depth: 2,
            block: USUAL_BLOCK,
            train,
            tuples: vec!["published".to_owned()],
            groups: names_of(Groups::ALL),
            endgame_functions: true,
            initial: Initial::default(),
            material: Material::default(),
            material_total: None,
            stop: true,
            start: None,
        }
    }
}

impl KindSettings for Settings {
    fn course(&mut self) -> &mut CourseSettings {
        &mut self.course
    }
}

impl Settings {
    /// Checks what deserialisation cannot.
    ///
    /// # Errors
    /// The first key with an invalid value.
    pub fn check(&self) -> Result<(), WrongSetting> {
        self.course.check()?;
        within("depth", f64::from(self.depth), TRAINING_DEPTH)?;
        if !(1..=self.course.batch).contains(&self.block) {
            let most = self.course.batch;
            return Err(wrong("block", format!("must be from 1 to batch, {most}")));
        }
        let groups = read_groups(&self.groups)?;
        let trained = self.trained()?;
        if let Some(group) = trained.groups.iter().find(|group| !groups.contains(*group)) {
            let problem = format!("the evaluation has no group '{group}'; see groups");
            return Err(wrong("train", problem));
        }
        if trained.tuples && self.tuples.is_empty() {
            return Err(wrong("train", "there are no tuples to train; see tuples"));
        }
        read_tuples(&self.tuples)?;
        let Material {
            pawn,
            knight,
            bishop,
            rook,
            queen,
        } = self.material;
        within("material.pawn", pawn, MATERIAL)?;
        within("material.knight", knight, MATERIAL)?;
        within("material.bishop", bishop, MATERIAL)?;
        within("material.rook", rook, MATERIAL)?;
        within("material.queen", queen, MATERIAL)?;
        let total = self.material_total.unwrap_or(1.0);
        within("material_total", total, MATERIAL_TOTAL)
    }

    pub(super) fn trained(&self) -> Result<Trained, WrongSetting> {
        Trained::read("train", &self.train)
    }
}
