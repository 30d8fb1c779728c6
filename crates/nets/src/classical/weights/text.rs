//! Weights as text: a line `name = [opening, endgame]` for each feature.
//!
//! The text is very simple TOML. It may have only some of the features; the others
//! keep their built-in weights. `#` begins a comment. Only features are written: the
//! parameters of the groups that are not linear are fixed in the program.

use super::Weights;
use crate::classical::terms::{FEATURES, feature_name};
use std::fmt::Write;

/// The largest weight: sums of many weights must stay within 16 bits.
const LARGEST_WEIGHT: i32 = 3_000;

/// The most letters of an unknown name that are shown.
const LONGEST_SHOWN: usize = 60;

/// How similar a misspelt name must be to a known one to be suggested, from 0 to 1.
const ALIKE: f64 = 0.7;

const HEADER: &str = "# Weights of Tabia's hand-written evaluation in centipawns: \
                      name = [opening, endgame]\n";

/// What is wrong with a text of weights.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("line {line}: {problem}")]
pub struct WeightsError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub problem: WeightsProblem,
}

/// What is wrong with a line of weights.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[allow(missing_docs)]
pub enum WeightsProblem {
    /// It does not have the form of a weight.
    #[error("expected a weight, as pieces.bishop-pair = [34, 44]")]
    Form,
    /// No feature has this name.
    #[error("there is no weight '{name}'{}", suggestion(.similar.as_deref()))]
    UnknownName {
        name: String,
        /// The most similar known name.
        similar: Option<String>,
    },
    /// A weight is too large.
    #[error(
        "{name}: {value} is out of range; weights must be from -{LARGEST_WEIGHT} to \
         {LARGEST_WEIGHT}"
    )]
    OutOfRange { name: String, value: i64 },
    /// The feature is already in an earlier line.
    #[error("{name} is already in line {before}")]
    Twice { name: String, before: usize },
}

fn suggestion(similar: Option<&str>) -> String {
    similar.map_or_else(String::new, |name| format!("; did you mean '{name}'?"))
}

impl Weights {
    /// Reads weights; features that are not in the text have their built-in weights.
    ///
    /// # Errors
    /// The first invalid line.
    pub fn read(text: &str) -> Result<Weights, WeightsError> {
        let names: Vec<_> = (0..FEATURES).filter_map(feature_name).collect();
        let mut weights = Weights::default();
        let mut lines = [0; FEATURES];
        for (number, line) in text.lines().enumerate() {
            let wrong = |problem| WeightsError {
                line: number + 1,
                problem,
            };
            let content = line.split('#').next().unwrap_or_default().trim();
            if content.is_empty() {
                continue;
            }
            let (name, values) = split(content).ok_or(wrong(WeightsProblem::Form))?;
            let index = names
                .iter()
                .position(|known| known == name)
                .ok_or_else(|| wrong(unknown(name, &names)))?;
            if lines[index] > 0 {
                let (name, before) = (name.to_owned(), lines[index]);
                return Err(wrong(WeightsProblem::Twice { name, before }));
            }
            lines[index] = number + 1;
            let [opening, endgame] = values.map(|value| in_range(name, value));
            weights.set(index, opening.map_err(wrong)?, endgame.map_err(wrong)?);
        }
        Ok(weights)
    }

    /// The text of all weights.
    pub fn write(&self) -> String {
        let mut text = HEADER.to_owned();
        for (index, name) in (0..FEATURES).filter_map(feature_name).enumerate() {
            let (opening, endgame) = self.get(index);
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{name} = [{opening}, {endgame}]");
        }
        text
    }

    /// Sets a feature to a trainer's weights, rounded and clamped to those that a text may have.
    pub fn set_rounded(&mut self, index: usize, opening: f64, endgame: f64) {
        let limit = f64::from(LARGEST_WEIGHT);
        let rounded = |value: f64| value.clamp(-limit, limit).round_ties_even() as i32;
        self.set(index, rounded(opening), rounded(endgame));
    }
}

/// The name and the two numbers of a line.
fn split(content: &str) -> Option<(&str, [i64; 2])> {
    let (name, pair) = content.split_once('=')?;
    let pair = pair.trim().strip_prefix('[')?.strip_suffix(']')?;
    let (opening, endgame) = pair.split_once(',')?;
    let number = |text: &str| text.trim().parse().ok();
    Some((name.trim(), [number(opening)?, number(endgame)?]))
}

fn in_range(name: &str, value: i64) -> Result<i32, WeightsProblem> {
    i32::try_from(value)
        .ok()
        .filter(|value| value.abs() <= LARGEST_WEIGHT)
        .ok_or_else(|| WeightsProblem::OutOfRange {
            name: name.to_owned(),
            value,
        })
}

/// The beginning of a name, without characters that would disturb a terminal.
fn shown(name: &str) -> String {
    let letters = name.chars().take(LONGEST_SHOWN);
    letters
        .map(|letter| if letter.is_control() { '?' } else { letter })
        .collect()
}

fn unknown(name: &str, names: &[String]) -> WeightsProblem {
    let similar = names
        .iter()
        .map(|known| (strsim::jaro(name, known), known))
        .filter(|(alike, _)| *alike >= ALIKE)
        .max_by(|(one, _), (other, _)| one.total_cmp(other))
        .map(|(_, known)| known.clone());
    WeightsProblem::UnknownName {
        name: shown(name),
        similar,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back() {
        let mut weights = Weights::default();
        weights.set(3, -3_000, 3_000);
        weights.set_rounded(FEATURES - 1, -17.6, 1e9);
        let read = Weights::read(&weights.write()).expect("weights");
        for index in 0..FEATURES {
            assert_eq!(read.get(index), weights.get(index));
        }
        assert_eq!(read.get(FEATURES - 1), (-18, 3_000));
    }

    #[test]
    fn a_part_leaves_the_rest_alone() {
        let text = "\n# a remark\n  pieces.bishop-pair=[ 1 ,-2 ] # and one behind\r\n";
        let (read, usual) = (Weights::read(text).expect("weights"), Weights::default());
        let changed: Vec<_> = (0..FEATURES)
            .filter(|&index| read.get(index) != usual.get(index))
            .collect();
        assert_eq!(changed.len(), 1);
        let name = feature_name(changed[0]);
        assert_eq!(name.as_deref(), Some("pieces.bishop-pair"));
        assert_eq!(read.get(changed[0]), (1, -2));
    }

    #[test]
    fn mistakes_are_named_with_their_lines() {
        let form = "expected a weight, as pieces.bishop-pair = [34, 44]";
        for (text, complaint) in [
            ("hello", format!("line 1: {form}")),
            ("\npieces.bishop-pair = 3", format!("line 2: {form}")),
            ("pieces.bishop-pair = [3, x]", format!("line 1: {form}")),
            (
                "pieces.bishop-pairs = [3, 4]",
                "line 1: there is no weight 'pieces.bishop-pairs'; did you mean 'pieces.bishop-pair'?"
                    .to_owned(),
            ),
            ("zzz = [3, 4]", "line 1: there is no weight 'zzz'".to_owned()),
            (
                "# first\npieces.bishop-pair = [3, 3001]",
                "line 2: pieces.bishop-pair: 3001 is out of range; weights must be from -3000 to \
                 3000"
                    .to_owned(),
            ),
            (
                "pieces.bishop-pair = [3, 4]\n\npieces.bishop-pair = [3, 4]",
                "line 3: pieces.bishop-pair is already in line 1".to_owned(),
            ),
        ] {
            let error = Weights::read(text).expect_err(text);
            assert_eq!(error.to_string(), complaint);
        }
    }

    #[test]
    fn no_text_breaks_the_reader() {
        let good = Weights::default().write();
        let mut random = crate::nnue::Random::new(9);
        for _ in 0..2_000 {
            let mut bytes = good.as_bytes()[..4_000].to_vec();
            for _ in 0..random.number() % 4 {
                let place = (random.number() % bytes.len() as u64) as usize;
                bytes[place] = b"=[],.#-09\n x\xc3"[(random.number() % 13) as usize];
            }
            let text = String::from_utf8_lossy(&bytes);
            if let Ok(weights) = Weights::read(&text) {
                let again = Weights::read(&weights.write()).expect("weights");
                assert_eq!(again.write(), weights.write());
            }
        }
    }
}
