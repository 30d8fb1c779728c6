//! The notation of schedules in files: a number, or a table with its kind.
//!
//! Each key is read separately, so that an error can name it.

use super::{Changing, Schedule, SequencePart};
use serde::de::value::MapAccessDeserializer;
use serde::de::{Error, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use std::fmt;

impl<'de> Deserialize<'de> for Schedule {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Schedule, D::Error> {
        deserializer.deserialize_any(ScheduleVisitor)
    }
}

/// The defaults of a one-cycle schedule, as in PyTorch's OneCycleLR: the divisor of the peak for
/// the first value, the divisor of that for the last one, and the share of the time in which it
/// rises.
const ONE_CYCLE_START: f64 = 25.0;
const ONE_CYCLE_END: f64 = 1e4;
const ONE_CYCLE_RISE: f64 = 0.3;

struct ScheduleVisitor;

impl<'de> Visitor<'de> for ScheduleVisitor {
    type Value = Schedule;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a number, or a table such as { kind = \"linear\", from = 1, to = 0 }")
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Schedule, E> {
        match value.is_finite() {
            true => Ok(Schedule::Constant(value)),
            false => Err(E::custom("it must be a finite number")),
        }
    }

    fn visit_i64<E: Error>(self, value: i64) -> Result<Schedule, E> {
        Ok(Schedule::Constant(value as f64))
    }

    fn visit_u64<E: Error>(self, value: u64) -> Result<Schedule, E> {
        Ok(Schedule::Constant(value as f64))
    }

    fn visit_map<M: MapAccess<'de>>(self, map: M) -> Result<Schedule, M::Error> {
        let table = Table::deserialize(MapAccessDeserializer::new(map))?;
        let changing = table.changing().map_err(Error::custom)?;
        Ok(Schedule::Changing(changing))
    }
}

/// The keys of all kinds.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    kind: Kind,
    from: Option<f64>,
    to: Option<f64>,
    peak: Option<f64>,
    rise: Option<f64>,
    factor: Option<f64>,
    every: Option<f64>,
    after: Option<f64>,
    epochs: Option<f64>,
    then: Option<Box<Schedule>>,
    parts: Option<Vec<SequencePart>>,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Step,
    Drop,
    Linear,
    Cosine,
    #[serde(rename = "one-cycle")]
    OneCycle,
    Warmup,
    Sequence,
}

impl Kind {
    /// Its name, and the keys that it accepts.
    fn keys(self) -> (&'static str, &'static [&'static str]) {
        match self {
            Kind::Step => ("step", &["from", "factor", "every"]),
            Kind::Drop => ("drop", &["from", "factor", "after"]),
            Kind::Linear => ("linear", &["from", "to"]),
            Kind::Cosine => ("cosine", &["from", "to"]),
            Kind::OneCycle => ("one-cycle", &["from", "peak", "to", "rise"]),
            Kind::Warmup => ("warmup", &["epochs", "then"]),
            Kind::Sequence => ("sequence", &["parts"]),
        }
    }
}

impl Table {
    /// The schedule, if the table has all keys that its kind requires and no others.
    fn changing(mut self) -> Result<Changing, String> {
        self.check()?;
        let kind = self.kind;
        let needed = |number: Option<f64>, key| number.ok_or_else(|| missing(kind, key));
        Ok(match kind {
            Kind::Step => Changing::Step {
                from: needed(self.from, "from")?,
                factor: needed(self.factor, "factor")?,
                every: self.every.unwrap_or(1.0),
            },
            Kind::Drop => Changing::Drop {
                from: needed(self.from, "from")?,
                factor: needed(self.factor, "factor")?,
                after: needed(self.after, "after")?,
            },
            Kind::Linear => Changing::Linear {
                from: needed(self.from, "from")?,
                to: needed(self.to, "to")?,
            },
            Kind::Cosine => Changing::Cosine {
                from: needed(self.from, "from")?,
                to: needed(self.to, "to")?,
            },
            Kind::OneCycle => {
                let peak = needed(self.peak, "peak")?;
                let from = self.from.unwrap_or(peak / ONE_CYCLE_START);
                Changing::OneCycle {
                    from,
                    peak,
                    to: self.to.unwrap_or(from / ONE_CYCLE_END),
                    rise: self.rise.unwrap_or(ONE_CYCLE_RISE),
                }
            }
            Kind::Warmup => Changing::Warmup {
                epochs: needed(self.epochs, "epochs")?,
                then: self.then.take().ok_or_else(|| missing(kind, "then"))?,
            },
            Kind::Sequence => Changing::Sequence {
                parts: self
                    .parts
                    .take()
                    .filter(|parts| !parts.is_empty())
                    .ok_or_else(|| missing(kind, "parts"))?,
            },
        })
    }

    /// Rejects keys of other kinds, and invalid numbers.
    fn check(&self) -> Result<(), String> {
        let (name, keys) = self.kind.keys();
        let numbers = [
            ("from", self.from),
            ("to", self.to),
            ("peak", self.peak),
            ("rise", self.rise),
            ("factor", self.factor),
            ("every", self.every),
            ("after", self.after),
            ("epochs", self.epochs),
        ];
        let said = numbers.iter().filter(|(_, number)| number.is_some());
        let mut said: Vec<&str> = said.map(|(key, _)| *key).collect();
        said.extend(self.then.is_some().then_some("then"));
        said.extend(self.parts.is_some().then_some("parts"));
        if let Some(key) = said.iter().find(|key| !keys.contains(key)) {
            let keys = keys.join("`, `");
            return Err(format!(
                "the kind \"{name}\" has no key `{key}`; its keys are `{keys}`"
            ));
        }
        for (key, number) in numbers {
            let is_time = matches!(key, "every" | "after" | "epochs");
            match number {
                Some(number) if !number.is_finite() => {
                    return Err(format!("`{key}` must be a finite number"));
                }
                Some(number) if is_time && number <= 0.0 => {
                    return Err(format!("`{key}` must be above 0"));
                }
                Some(number) if key == "rise" && !(0.0..1.0).contains(&number) => {
                    return Err("`rise` must be at least 0 and below 1".to_owned());
                }
                _ => {}
            }
        }
        Ok(())
    }
}

fn missing(kind: Kind, key: &str) -> String {
    format!("the kind \"{}\" needs the key `{key}`", kind.keys().0)
}
