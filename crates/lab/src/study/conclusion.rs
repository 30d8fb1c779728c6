//! The results of a study so far, from its state alone.

use super::arms::Made;
use super::claims::{self, Expectation, Ruling};
use super::examination::Marks;
use super::settings::{Meeting, Settings};
use crate::error::LabError;
use crate::state::Line;
use arena::statistics::{Estimate, Pentanomial, Strength, Trinomial};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use train::metrics::Epoch;

/// The name of a step.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "step", rename_all = "kebab-case")]
pub(super) enum Moment {
    /// Preparing the data.
    Data,
    /// Making the model of an arm.
    Arm { arm: String },
    /// Judging all models on test positions.
    Examination,
    /// Playing a match of a claim.
    Match {
        claim: String,
        first: String,
        second: String,
    },
}

/// The games of a match.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Played {
    pub(super) pairs: Pentanomial,
    pub(super) white: [Trinomial; 2],
}

/// A finished arm.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ArmRow {
    /// Its name.
    pub arm: String,
    /// The name of its model.
    pub model: String,
    /// The file of its model, relative to the folder of the study.
    pub file: String,
    /// The chosen epoch, if it was trained.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub epoch: Option<Epoch>,
    /// The number of epochs.
    pub epochs: u64,
    /// Its results on test positions.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub marks: Option<Marks>,
    /// The seconds it took.
    pub seconds: f64,
}

/// A match.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct MatchRow {
    /// The two players.
    #[serde(flatten)]
    pub meeting: Meeting,
    /// The number of its games; 0 if it was not played.
    pub games: u64,
    /// The score of the first player, from 0 to 1.
    pub score: f64,
    /// The difference in Elo.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub elo: Option<Estimate>,
    /// The p-value under the hypothesis of equality.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub p: Option<f64>,
    /// The p-value after Holm's correction.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub corrected: Option<f64>,
    /// The ruling.
    pub ruling: Ruling,
}

/// A claim with its matches.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ClaimRow {
    /// Its short name.
    pub name: String,
    /// The text of the claim.
    pub text: String,
    /// The limit per move.
    pub pace: String,
    /// Its matches.
    pub matches: Vec<MatchRow>,
    /// The ruling.
    pub ruling: Ruling,
}

/// The results of a study.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Conclusion {
    /// The finished arms.
    pub arms: Vec<ArmRow>,
    /// All claims.
    pub claims: Vec<ClaimRow>,
    /// Whether all matches were played.
    pub finished: bool,
}

impl Conclusion {
    /// The results of the finished steps.
    pub(super) fn of(settings: &Settings, lines: &[Line<Moment>]) -> Result<Conclusion, LabError> {
        let played = |claim: &str, meeting: &Meeting| {
            let moment = moment(claim, meeting);
            let line = lines.iter().find(|line| line.place == moment);
            line.and_then(|line| line.result::<Played>())
        };
        let marks = lines.iter().find(|line| line.place == Moment::Examination);
        let marks = marks.and_then(Line::result).unwrap_or_default();
        let mut rows = Vec::new();
        for claim in &settings.claims {
            for meeting in &claim.matches {
                rows.push(match_row(meeting, played(&claim.name, meeting)));
            }
        }
        rule(&mut rows);
        let finished = rows.iter().all(|row| row.games > 0);
        let mut rows = rows.into_iter();
        let claims = settings.claims.iter().map(|claim| {
            let matches: Vec<_> = rows.by_ref().take(claim.matches.len()).collect();
            let rulings: Vec<_> = matches.iter().map(|row| row.ruling).collect();
            ClaimRow {
                name: claim.name.clone(),
                text: claim.text.clone(),
                pace: claim.player.pace.to_string(),
                ruling: claims::together(&rulings),
                matches,
            }
        });
        Ok(Conclusion {
            claims: claims.collect(),
            arms: (lines.iter())
                .filter_map(|line| arm_row(line, &marks))
                .collect(),
            finished,
        })
    }
}

/// The step that plays a match.
pub(super) fn moment(claim: &str, meeting: &Meeting) -> Moment {
    Moment::Match {
        claim: claim.to_owned(),
        first: meeting.first.clone(),
        second: meeting.second.clone(),
    }
}

fn arm_row(line: &Line<Moment>, marks: &BTreeMap<String, Marks>) -> Option<ArmRow> {
    let Moment::Arm { arm } = &line.place else {
        return None;
    };
    let made: Made = line.result()?;
    Some(ArmRow {
        arm: arm.clone(),
        model: made.model.name,
        file: made.model.file.path,
        epoch: made.epoch,
        epochs: made.epochs,
        marks: marks.get(arm).copied(),
        seconds: line.seconds,
    })
}

fn match_row(meeting: &Meeting, played: Option<Played>) -> MatchRow {
    let strength = played.map(|played| Strength::of(&played.pairs));
    let games = played.map_or(0, |played| played.pairs.games().games());
    MatchRow {
        meeting: meeting.clone(),
        games,
        score: strength.map_or(0.0, |strength| strength.score),
        elo: strength.map(|strength| strength.elo),
        p: strength.map(|strength| claims::p_value(&strength)),
        corrected: None,
        ruling: Ruling::Missing,
    }
}

/// Corrects the p-values of all matches with an expectation, and rules on them.
fn rule(rows: &mut [MatchRow]) {
    let expected = |row: &MatchRow| claims::expectation(row.meeting.expect, row.meeting.published);
    let family: Vec<usize> = (0..rows.len())
        .filter(|&index| expected(&rows[index]) != Expectation::Nothing)
        .collect();
    let values: Vec<_> = family.iter().map(|&index| rows[index].p).collect();
    for (index, corrected) in family.into_iter().zip(claims::holm(&values)) {
        rows[index].corrected = corrected;
    }
    for row in rows {
        let expected = expected(row);
        let p = row.corrected.or(row.p);
        if let (Some(elo), Some(p)) = (row.elo, p) {
            row.ruling = claims::rule(&elo, p, expected, row.meeting.published);
        }
    }
}
