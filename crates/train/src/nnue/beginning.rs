//! The net with which a training, or several that follow each other, begins.

use super::arithmetic;
use super::checkpoint::{self, Header};
use super::net::{Exported, Learner};
use super::session::SessionError;
use super::settings::Settings;
use data::loader::Point;
use nets::nnue::NetFile;
use std::path::Path;

/// Makes the net that these settings start from, or else the one with the random
/// weights that their seed gives, and writes a checkpoint that a training can
/// follow. Data are not looked at.
///
/// # Errors
/// If there is no such net, no memory for it, or no room for the checkpoint.
pub fn first_net(settings: &Settings, path: &Path) -> Result<Exported, SessionError> {
    let shape = settings.shape()?;
    let mut net = Learner::new(&shape, settings.keeping(), settings.seed)?;
    if let Some(file) = open_start(settings)? {
        take_weights(&mut net, settings, &file)?;
    }
    let nowhere = Point {
        epoch: 0,
        batch: 0,
        window: 0,
        offset: 0,
        fingerprint: 0,
    };
    let header = Header::new(&mut net, String::new(), arithmetic(), 0, nowhere);
    checkpoint::write(path, &mut net, &header)?;
    Ok(net.export(settings.average.is_some())?)
}

/// The net to start from, if one is named.
pub(super) fn open_start(settings: &Settings) -> Result<Option<NetFile>, SessionError> {
    let open = |path: &Path| {
        NetFile::open(path).map_err(|cause| SessionError::Start {
            path: path.to_owned(),
            cause,
        })
    };
    settings.start.as_deref().map(open).transpose()
}

/// Takes the weights of the net to start from; the optimiser knows nothing yet.
pub(super) fn take_weights(
    net: &mut Learner,
    settings: &Settings,
    start: &NetFile,
) -> Result<(), SessionError> {
    match net.import(&start.net, settings.seed) {
        true => Ok(()),
        false => Err(SessionError::StartShape {
            path: settings.start.clone().unwrap_or_default(),
            found: start.net.to_string(),
            wanted: settings.shape()?.to_string(),
        }),
    }
}
