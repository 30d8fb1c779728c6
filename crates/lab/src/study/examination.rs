//! All models judged on the same positions, once all arms are finished.
//!
//! The search is that of comparison training, with the same depth for all, so that models can be
//! compared whatever they were trained on.

use super::arms::Lesson;
use super::work::{News, StudyKind};
use crate::error::LabError;
use crate::folder::ModelRecord;
use crate::project::Project;
use crate::search::training_search;
use engines::StopSignal;
use nets::Model;
use nets::ntuple::{NTuple, NTupleWeights};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use train::TrainError;
use train::comparison::{Agreement, Examination};

/// How well a model finds the labelled best moves.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Marks {
    /// On test positions.
    pub test: Agreement,
    /// On the validation positions, if there are any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub validation: Option<Agreement>,
}

/// The results of all arms whose models can be judged.
pub(super) fn examine(
    project: &Project<StudyKind>,
    (lesson, models): (&Lesson, &[(String, ModelRecord)]),
    threads: usize,
    stop: &StopSignal,
    listen: &mut dyn FnMut(&News<'_>),
) -> Result<BTreeMap<String, Marks>, LabError> {
    let settings = &project.settings;
    let open = |files: &[PathBuf]| Examination::open(files, settings.examination, threads);
    let test = open(&settings.data.test)?;
    let validation = match &lesson.validation[..] {
        [] => None,
        files => Some(open(files)?),
    };
    let search = training_search();
    let mut marks = BTreeMap::new();
    for (name, record) in models {
        let Some(network) = network(&project.folder.open_model(record)?)? else {
            continue;
        };
        listen(&News::Begun(&format!("test positions  {name}")));
        let judge = |examination: &Examination| {
            let judged = examination.judge(&network, search.as_ref(), &|| stop.is_stopped());
            judged.ok_or(LabError::Stopped)
        };
        let of_arm = Marks {
            test: judge(&test)?,
            validation: validation.as_ref().map(judge).transpose()?,
        };
        marks.insert(name.clone(), of_arm);
    }
    Ok(marks)
}

/// The network with which the search evaluates; the hand-written evaluation is one without tables.
fn network(model: &Model) -> Result<Option<Arc<NTuple>>, LabError> {
    Ok(match model {
        Model::NTuple(file) => Some(file.network.clone()),
        Model::Classical(file) => {
            let mut weights = NTupleWeights::zeros(Vec::new()).map_err(TrainError::from)?;
            weights.linear = file.weights.as_ref().clone();
            Some(Arc::new(NTuple::new(weights).map_err(TrainError::from)?))
        }
        _ => None,
    })
}
