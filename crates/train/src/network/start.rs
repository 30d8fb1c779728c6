//! The network with which a training begins.

use crate::error::wrong;
use crate::{TrainError, WrongSetting};
use nets::Model;
use nets::classical::{Group, Groups};
use nets::ntuple::{NTupleWeights, Tuple};
use std::path::Path;

/// The word for the published set of tuples.
const PUBLISHED: &str = "published";

/// Reads names of tuples; `published` stands for its 72.
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

/// Reads names of groups that an evaluation has.
pub(crate) fn read_groups(names: &[String]) -> Result<Groups, WrongSetting> {
    names.iter().try_fold(Groups::NONE, |groups, name| {
        let group: Group = name
            .parse()
            .map_err(|error: nets::classical::UnknownGroup| wrong("groups", error.to_string()))?;
        Ok(groups.with(group))
    })
}

/// The names of groups, as settings say them.
pub(crate) fn names_of(groups: Groups) -> Vec<String> {
    groups.iter().map(|group| group.name().to_owned()).collect()
}

/// A network with these tuples and the weights of a file, or of the program if there is
/// none; tables that the file does not have are zeros. An n-tuple network also says which
/// groups of terms there are.
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
