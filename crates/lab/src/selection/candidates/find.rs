//! Finds the candidates and the baseline of a selection.

use super::{Candidate, CandidateSettings, Field, Outsider, open_model, open_outsider};
use crate::error::LabError;
use crate::selection::settings::Settings;
use nets::Model;
use serde::Deserialize;
use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

/// Patterns for the files of a training's epochs.
const EPOCH_FILES: [&str; 3] = ["epoch-*.tabianet", "epoch-*.nnue", "epoch-*.weights"];

/// Finds all players.
pub(in crate::selection) fn find(settings: &Settings) -> Result<Field, LabError> {
    let wanted = &settings.candidates;
    let paths = paths(wanted)?;
    let names = names(&paths);
    let mut losses = Losses::default();
    let mut candidates = Vec::new();
    for (path, name) in paths.into_iter().zip(names) {
        let model = open_model(&path)?;
        let epoch = epoch_of(&path);
        candidates.push(Candidate {
            name,
            epoch,
            validation_loss: losses.of(&path),
            sha256: model.hash(),
            net: model.name(),
            begins: epoch.is_none_or(|epoch| {
                epoch >= wanted.from && (epoch - wanted.from).is_multiple_of(wanted.every)
            }),
            path,
        });
    }
    candidates.sort_by(|one, other| (one.epoch, &one.name).cmp(&(other.epoch, &other.name)));
    let beginners = candidates.iter().filter(|candidate| candidate.begins);
    match beginners.count() {
        0 => {
            return Err(LabError::Candidates(
                "no candidates in the gauntlet: candidates.from and candidates.every exclude all \
                 of them"
                    .to_owned(),
            ));
        }
        1 if candidates.len() == 1 => {
            return Err(LabError::Candidates(
                "there is only one candidate, so there is nothing to select".to_owned(),
            ));
        }
        1 => {
            return Err(LabError::Candidates(
                "there is only one candidate in the gauntlet: change candidates.from or \
                 candidates.every"
                    .to_owned(),
            ));
        }
        _ => {}
    }
    with_baseline(candidates, &settings.baseline)
}

fn with_baseline(candidates: Vec<Candidate>, baseline: &str) -> Result<Field, LabError> {
    let last = candidates.iter().rposition(|candidate| candidate.begins);
    let named = match baseline {
        "last" => last,
        name => (candidates.iter()).position(|candidate| candidate.name == name),
    };
    if let Some(number) = named {
        let mut field = Field {
            candidates,
            outsider: None,
            baseline: number,
        };
        // The baseline is a candidate, which always plays the gauntlet.
        field.candidates[number].begins = true;
        return Ok(field);
    }
    let path = match baseline {
        Model::CLASSICAL => None,
        path => Some(absolute(Path::new(path)).map_err(|_| {
            LabError::Candidates(format!(
                "baseline '{path}' is neither last, classical, the name of a candidate, nor a file"
            ))
        })?),
    };
    let model = open_outsider(path.as_deref())?;
    let outsider = Outsider {
        name: match &path {
            Some(path) => format!("baseline {}", stem(path)),
            None => Model::CLASSICAL.to_owned(),
        },
        path,
        evaluation: model.to_string(),
    };
    Ok(Field {
        baseline: candidates.len(),
        candidates,
        outsider: Some(outsider),
    })
}

/// The files of all candidates, each once, sorted by path.
fn paths(wanted: &CandidateSettings) -> Result<Vec<PathBuf>, LabError> {
    let wrong = |words: String| Err(LabError::Candidates(words));
    let mut patterns: Vec<String> = wanted.nets.clone();
    if let Some(folder) = &wanted.training {
        if !folder.is_dir() {
            let folder = folder.display();
            return wrong(format!("candidates.training: there is no folder {folder}"));
        }
        let folder = glob::Pattern::escape(&folder.display().to_string());
        patterns.extend(EPOCH_FILES.map(|files| format!("{folder}/{files}")));
    }
    if patterns.is_empty() {
        return wrong(
            "there are no candidates: give candidates.training=FOLDER of a training, or \
             candidates.nets=['PATTERN'] of net files"
                .to_owned(),
        );
    }
    let mut paths = BTreeSet::new();
    for pattern in &patterns {
        let before = paths.len();
        let found = match glob::glob(pattern) {
            Ok(found) => found,
            Err(error) => return wrong(format!("candidates.nets: '{pattern}': {}", error.msg)),
        };
        for path in found {
            let path = path.map_err(|error| {
                let path = error.path().to_owned();
                LabError::file(path, error.into())
            })?;
            paths.insert(absolute(&path)?);
        }
        if paths.len() == before && wanted.nets.contains(pattern) {
            return wrong(format!("candidates.nets: no file matches '{pattern}'"));
        }
    }
    match (&wanted.training, paths.is_empty()) {
        (Some(folder), true) => wrong(format!(
            "candidates.training: {} contains no nets of epochs, such as epoch-001.tabianet",
            folder.display()
        )),
        _ => Ok(paths.into_iter().collect()),
    }
}

fn absolute(path: &Path) -> Result<PathBuf, LabError> {
    std::fs::canonicalize(path).map_err(|cause| LabError::file(path, cause))
}

/// Short names if they are all different, otherwise full paths.
fn names(paths: &[PathBuf]) -> Vec<String> {
    let short: Vec<String> = paths.iter().map(|path| stem(path)).collect();
    let different: BTreeSet<&String> = short.iter().collect();
    match different.len() == short.len() {
        true => short,
        false => paths
            .iter()
            .map(|path| path.display().to_string())
            .collect(),
    }
}

fn stem(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or(path.as_os_str());
    stem.display().to_string()
}

/// The epoch in a name: the number after the word `epoch`, or at the end.
fn epoch_of(path: &Path) -> Option<u32> {
    let name = stem(path);
    let is_digit = |letter: char| letter.is_ascii_digit();
    let after_word = || {
        let (_, rest) = name.split_once("epoch")?;
        let digits = rest.trim_start_matches(['-', '_', '=', ' ']);
        let end = digits.find(|letter| !is_digit(letter));
        digits[..end.unwrap_or(digits.len())].parse().ok()
    };
    let at_end = || {
        let rest = name.trim_end_matches(is_digit);
        name[rest.len()..].parse().ok()
    };
    after_word().or_else(at_end)
}

/// The losses recorded by trainings, by folder.
#[derive(Default)]
struct Losses(HashMap<PathBuf, HashMap<String, f64>>);

impl Losses {
    fn of(&mut self, path: &Path) -> Option<f64> {
        let folder = path.parent()?;
        let noted = (self.0.entry(folder.to_owned())).or_insert_with(|| noted(folder));
        noted.get(path.file_name()?.to_str()?).copied()
    }
}

/// The losses of a training's epochs, by the names of their files.
fn noted(folder: &Path) -> HashMap<String, f64> {
    #[derive(Deserialize)]
    struct Epoch {
        net: String,
        validation_loss: f64,
    }
    let text = std::fs::read_to_string(folder.join(train::metrics::LINES_FILE)).unwrap_or_default();
    text.lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .map(|epoch: Epoch| (epoch.net, epoch.validation_loss))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_epochs() {
        for (name, epoch) in [
            ("epoch-001.tabianet", Some(1)),
            ("net_epoch=139-step=5.nnue", Some(139)),
            ("nn-epoch12.nnue", Some(12)),
            ("candidate-7.tabianet", Some(7)),
            ("epoch.nnue", None),
            ("best.nnue", None),
            ("99999999999.nnue", None),
        ] {
            assert_eq!(epoch_of(Path::new(name)), epoch, "{name}");
        }
    }

    #[test]
    fn names_are_short_if_that_is_enough() {
        let paths = |list: &[&str]| list.iter().map(PathBuf::from).collect::<Vec<_>>();
        assert_eq!(names(&paths(&["/a/x.nnue", "/b/y.nnue"])), ["x", "y"]);
        assert_eq!(
            names(&paths(&["/a/x.nnue", "/b/x.nnue"])),
            ["/a/x.nnue", "/b/x.nnue"]
        );
    }
}
