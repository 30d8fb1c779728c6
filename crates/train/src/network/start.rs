//! The initial network of a training.

use crate::error::wrong;
use crate::{TrainError, WrongSetting};
use nets::Model;
use nets::classical::{Group, Groups};
use nets::ntuple::{NTupleWeights, Tuple};
use std::path::Path;

/// The name of the published set of tuples.
const PUBLISHED: &str = "published";

/// Parses names of tuples; `published` stands for the 72 published ones.
pub(crate) fn read_tuples(names: &[String]) -> Result<Vec<Tuple>, WrongSetting> {
    let mut tuples = Vec::new();
    for name in names {
        match name.as_str() {
            PUBLISHED => tuples.extend(Tuple::published()),
            name => tuples.push(name.parse().map_err(|error: nets::ntuple::TupleError| {
                wrong("tuples", format!("{error}, or {PUBLISHED}"))
            })?),
        }
    }
    let twice = |(index, tuple): &(usize, &Tuple)| tuples[..*index].contains(tuple);
    match tuples.iter().enumerate().find(twice) {
        Some((_, tuple)) => Err(wrong("tuples", format!("{tuple} occurs twice"))),
        None => Ok(tuples),
    }
}

/// Parses names of the groups of an evaluation.
pub(crate) fn read_groups(names: &[String]) -> Result<Groups, WrongSetting> {
    names.iter().try_fold(Groups::NONE, |groups, name| {
        let group: Group = name
            .parse()
            .map_err(|error: nets::classical::UnknownGroup| wrong("groups", error.to_string()))?;
        Ok(groups.with(group))
    })
}

/// The names of groups, as written in settings.
pub(crate) fn names_of(groups: Groups) -> Vec<String> {
    groups.iter().map(|group| group.name().to_owned()).collect()
}

/// A network with these tuples and the weights of a file, or the built-in weights without one;
/// tables that the file does not have are zero. The file of an n-tuple network also determines
/// which groups of terms there are.
pub(crate) fn starting_network(
    start: Option<&Path>,
    tuples: Vec<Tuple>,
) -> Result<NTupleWeights, TrainError> {
    let mut weights = NTupleWeights::zeros(tuples)?;
    let Some(path) = start else {
        return Ok(weights);
    };
    let problem = match Model::open(path) {
        Ok(Model::Classical(file)) => {
            weights.linear = file.weights.as_ref().clone();
            return Ok(weights);
        }
        Ok(Model::NTuple(file)) => {
            let known = file.network.weights();
            weights.linear = known.linear.clone();
            weights.groups = known.groups;
            weights.endgame_functions = known.endgame_functions;
            for table in weights.tables_mut() {
                let same = known.tables().iter().find(|it| it.tuple() == table.tuple());
                if let Some(same) = same {
                    table.weights_mut().copy_from_slice(same.weights());
                }
            }
            return Ok(weights);
        }
        Ok(other) => format!("it is a model of the kind {}", other.kind()),
        Err(error) => error.to_string(),
    };
    Err(wrong("start", format!("{}: {problem}", path.display())).into())
}
