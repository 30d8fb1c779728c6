//! A net that has learned nothing, as the beginning of trainings to come.

use super::arithmetic;
use super::checkpoint::{self, Header};
use super::net::{Exported, Learner};
use super::session::SessionError;
use super::settings::Settings;
use data::loader::Point;
use std::path::Path;

/// Makes the net with the random weights that the seed of these settings gives,
/// and writes a checkpoint that a training can follow. Data are not looked at.
///
/// # Errors
/// If there is no such net, no memory for it, or no room for the checkpoint.
pub fn untrained(settings: &Settings, path: &Path) -> Result<Exported, SessionError> {
    let shape = settings.shape()?;
    let mut net = Learner::new(&shape, settings.keeping(), settings.seed)?;
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
