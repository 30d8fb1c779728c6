//! What coordinators and workers tell each other.

use crate::frame;
use crate::identity::Identity;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use work::Piece;

/// A unit by which everybody names it.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub(crate) struct UnitName {
    pub(crate) session: String,
    pub(crate) job: u64,
    pub(crate) unit: u64,
    /// Whether it is done a second time, to be compared.
    pub(crate) is_copy: bool,
}

/// A job as it is sent: all that a worker needs to make it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct JobOrder {
    pub(crate) kind: String,
    /// The name of each blob in the settings, and the SHA-256 under which it is kept.
    pub(crate) blobs: Vec<(String, String)>,
    pub(crate) settings: String,
}

/// Some pieces of a job for one worker.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Unit {
    pub(crate) name: UnitName,
    pub(crate) order: Arc<JobOrder>,
    /// How long the worker may be silent, in milliseconds.
    pub(crate) lease: u64,
    pub(crate) pieces: Vec<Piece>,
}

#[derive(Serialize, Deserialize)]
struct UnitHeader<'a> {
    name: UnitName,
    order: std::borrow::Cow<'a, JobOrder>,
    lease: u64,
    numbers: Vec<u64>,
}

impl Unit {
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let header = UnitHeader {
            name: self.name.clone(),
            order: std::borrow::Cow::Borrowed(&self.order),
            lease: self.lease,
            numbers: self.pieces.iter().map(|piece| piece.number).collect(),
        };
        let payloads = self.pieces.iter().map(|piece| piece.payload.as_slice());
        frame::encode(&header, payloads)
    }

    pub(crate) fn from_bytes(bytes: &[u8]) -> Result<Unit, String> {
        let (header, payloads): (UnitHeader<'_>, _) = frame::decode(bytes)?;
        if header.numbers.len() != payloads.len() {
            return Err("its numbers and payloads do not match".to_owned());
        }
        let pieces = header.numbers.into_iter().zip(payloads);
        Ok(Unit {
            name: header.name,
            order: Arc::new(header.order.into_owned()),
            lease: header.lease,
            pieces: pieces
                .map(|(number, payload)| Piece { number, payload })
                .collect(),
        })
    }
}

/// What became of a piece.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Report {
    /// The result.
    Done(Vec<u8>),
    /// It cannot be done; why, as the job says it.
    Failed(Vec<u8>),
    /// It was not done, and somebody else should.
    Returned,
}

/// What a worker says of a unit beside its pieces.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) enum Remark {
    /// More reports follow.
    More,
    /// Everything was said.
    Last,
    /// The worker, not the piece, is to blame: no memory, no disk, no blob.
    Trouble(String),
}

/// What a worker made of pieces of a unit.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct UnitResult {
    pub(crate) name: UnitName,
    pub(crate) identity: Identity,
    /// Time of the pieces that were done.
    pub(crate) seconds: f64,
    pub(crate) remark: Remark,
    pub(crate) reports: Vec<(u64, Report)>,
}

#[derive(Serialize, Deserialize)]
struct ResultHeader {
    name: UnitName,
    identity: Identity,
    seconds: f64,
    remark: Remark,
    reports: Vec<(u64, ReportKind)>,
}

#[derive(Serialize, Deserialize)]
enum ReportKind {
    Done,
    Failed,
    Returned,
}

impl UnitResult {
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let kind = |report: &Report| match report {
            Report::Done(_) => ReportKind::Done,
            Report::Failed(_) => ReportKind::Failed,
            Report::Returned => ReportKind::Returned,
        };
        let reports = self.reports.iter();
        let header = ResultHeader {
            name: self.name.clone(),
            identity: self.identity.clone(),
            seconds: self.seconds,
            remark: self.remark.clone(),
            reports: reports
                .map(|(number, report)| (*number, kind(report)))
                .collect(),
        };
        let parts = self.reports.iter().map(|(_, report)| match report {
            Report::Done(bytes) | Report::Failed(bytes) => bytes.as_slice(),
            Report::Returned => &[],
        });
        frame::encode(&header, parts)
    }

    pub(crate) fn from_bytes(bytes: &[u8]) -> Result<UnitResult, String> {
        let (header, parts): (ResultHeader, _) = frame::decode(bytes)?;
        if header.reports.len() != parts.len() {
            return Err("its reports and their contents do not match".to_owned());
        }
        if !(0.0..=1e9).contains(&header.seconds) {
            return Err("its time is invalid".to_owned());
        }
        let reports = header.reports.into_iter().zip(parts);
        Ok(UnitResult {
            name: header.name,
            identity: header.identity,
            seconds: header.seconds,
            remark: header.remark,
            reports: reports
                .map(|((number, kind), bytes)| {
                    let report = match kind {
                        ReportKind::Done => Report::Done(bytes),
                        ReportKind::Failed => Report::Failed(bytes),
                        ReportKind::Returned => Report::Returned,
                    };
                    (number, report)
                })
                .collect(),
        })
    }
}

/// What a worker tells now and then.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Heartbeat {
    /// Tells apart processes that share one name.
    pub(crate) instance: u64,
    pub(crate) identity: Identity,
    pub(crate) threads: usize,
    /// What it has taken and not finished.
    pub(crate) units: Vec<UnitName>,
    /// Pieces done since it was started.
    pub(crate) pieces: u64,
    /// Whether this is its last word.
    pub(crate) is_leaving: bool,
}

/// What a session tells now and then.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct Announcement {
    pub(crate) identity: Identity,
    pub(crate) jobs: Vec<OpenJob>,
    /// How often workers should tell that they live, in milliseconds.
    pub(crate) heartbeat: u64,
    /// The SHA-256 of all blobs that it needs.
    pub(crate) blobs: Vec<String>,
    /// Workers from whom nothing is taken any more, and why.
    pub(crate) shut_out: Vec<(String, String)>,
    /// Whether this is its last word.
    pub(crate) is_leaving: bool,
}

/// A job that wants workers.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub(crate) struct OpenJob {
    pub(crate) job: u64,
    pub(crate) kind: String,
    /// Whether only the coordinator's arithmetic will do.
    pub(crate) wants_arithmetic: bool,
    /// If clocks matter, between which speeds a machine must be.
    pub(crate) speed: Option<(u64, u64)>,
    /// Whether no other piece is to be begun.
    pub(crate) is_finishing: bool,
}

impl Announcement {
    /// Says why a worker cannot take part.
    pub(crate) fn objection_to(&self, name: &str, identity: &Identity) -> Option<String> {
        if let Some((_, reason)) = self.shut_out.iter().find(|(other, _)| other == name) {
            return Some(format!("it was banned: {reason}"));
        }
        let arithmetic = self.jobs.iter().any(|job| job.wants_arithmetic);
        let objection = self.identity.objection_to(identity, arithmetic);
        let is_unlike = |job: &OpenJob| {
            let (low, high) = job.speed?;
            (!(low..=high).contains(&identity.speed)).then(|| {
                format!(
                    "its speed of {} is not within {low} to {high}, which is required with time \
                     controls",
                    identity.speed
                )
            })
        };
        objection.or_else(|| self.jobs.iter().find_map(is_unlike))
    }
}

/// A message that is nothing but JSON.
pub(crate) fn to_json(message: &impl Serialize) -> Vec<u8> {
    frame::encode(message, std::iter::empty())
}

/// The message of such bytes.
pub(crate) fn from_json<T: serde::de::DeserializeOwned>(bytes: &[u8]) -> Result<T, String> {
    frame::decode(bytes).map(|(message, _)| message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name() -> UnitName {
        UnitName {
            session: "s".to_owned(),
            job: 1,
            unit: 2,
            is_copy: false,
        }
    }

    #[test]
    fn units_survive() {
        let piece = |number: u64, payload: &[u8]| Piece {
            number,
            payload: payload.to_vec(),
        };
        let unit = Unit {
            name: name(),
            order: Arc::new(JobOrder {
                kind: "sum".to_owned(),
                blobs: vec![("a".to_owned(), "b".to_owned())],
                settings: "{}".to_owned(),
            }),
            lease: 30_000,
            pieces: vec![piece(u64::MAX, b""), piece(0, b"\0x")],
        };
        assert_eq!(Unit::from_bytes(&unit.to_bytes()), Ok(unit.clone()));
        assert!(UnitResult::from_bytes(&unit.to_bytes()).is_err());
    }

    #[test]
    fn results_survive() {
        let mut result = UnitResult {
            name: name(),
            identity: Identity::default(),
            seconds: 0.5,
            remark: Remark::Trouble("no disk".to_owned()),
            reports: vec![
                (3, Report::Done(b"abc".to_vec())),
                (4, Report::Failed(Vec::new())),
                (5, Report::Returned),
            ],
        };
        assert_eq!(
            UnitResult::from_bytes(&result.to_bytes()),
            Ok(result.clone())
        );
        result.seconds = -1.0;
        assert!(UnitResult::from_bytes(&result.to_bytes()).is_err());
    }

    #[test]
    fn an_announcement_says_who_may_come() {
        let identity = |speed| Identity {
            build: "7".to_owned(),
            arithmetic: "a".to_owned(),
            speed,
            ..Identity::default()
        };
        let announcement = Announcement {
            identity: identity(0),
            jobs: vec![OpenJob {
                job: 1,
                kind: "match".to_owned(),
                wants_arithmetic: true,
                speed: Some((90, 110)),
                is_finishing: false,
            }],
            heartbeat: 1000,
            blobs: Vec::new(),
            shut_out: vec![("eve".to_owned(), "she lied".to_owned())],
            is_leaving: false,
        };
        let objection = |name, speed| announcement.objection_to(name, &identity(speed));
        assert_eq!(objection("anna", 100), None);
        assert_eq!(
            objection("eve", 100).as_deref(),
            Some("it was banned: she lied")
        );
        assert!(
            objection("anna", 80)
                .expect("too slow")
                .contains("speed of 80")
        );
        let other = Identity {
            arithmetic: "b".to_owned(),
            ..identity(100)
        };
        assert!(announcement.objection_to("anna", &other).is_some());
    }
}
