//! The initial net of a training, or of several that continue each other.

use super::checkpoint::{self, Header};
use super::net::{Exported, Learner};
use super::settings::Settings;
use crate::TrainError;
use crate::feed::Mark;
use nets::nnue::NetFile;
use std::path::Path;

/// Makes the net that these settings start from, or else one with random weights determined by
/// their seed, and writes a checkpoint from which a training can continue. No data is read.
///
/// # Errors
/// If the net does not exist, or memory or disk space is insufficient.
pub fn first_net(settings: &Settings, path: &Path) -> Result<Exported, TrainError> {
    let shape = settings.shape()?;
    let mut net = Learner::new(&shape, settings.keeping(), settings.course.seed)?;
    if let Some(file) = open_start(settings)? {
        take_weights(&mut net, settings, &file)?;
    }
    let header = Header::new(&mut net, Mark::nowhere());
    checkpoint::write(path, &mut net, &header)?;
    Ok(net.export(settings.ema.is_some())?)
}

/// The net to start from, if one is named.
pub(super) fn open_start(settings: &Settings) -> Result<Option<NetFile>, TrainError> {
    let open = |path: &Path| {
        NetFile::open(path).map_err(|cause| TrainError::Start {
            path: path.to_owned(),
            cause,
        })
    };
    settings.start.as_deref().map(open).transpose()
}

/// Takes the weights of the initial net, with a fresh optimiser state.
pub(super) fn take_weights(
    net: &mut Learner,
    settings: &Settings,
    start: &NetFile,
) -> Result<(), TrainError> {
    match net.import(&start.net, settings.course.seed) {
        true => Ok(()),
        false => Err(TrainError::StartShape {
            path: settings.start.clone().unwrap_or_default(),
            found: start.net.to_string(),
            wanted: settings.shape()?.to_string(),
        }),
    }
}
