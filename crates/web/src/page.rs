//! What a server has: its folder, its rules, and what it remembers between questions.

use crate::control::Processes;
use crate::curves::Tracks;
use crate::desk::Desk;
use crate::games::Lists;
use crate::guard::Guard;
use crate::players::Models;
use crate::shards::Counted;
use crate::shelf::Shelf;
use crate::stream::Channel;
use lab::LabError;
use lab::runs::Overview;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What a server is told.
#[derive(Clone, Debug)]
pub struct Options {
    /// The folder in which runs lie, or folders of them.
    pub root: PathBuf,
    /// Where it listens; port 0 is any that is free.
    pub address: SocketAddr,
    /// The program that works on runs: this one.
    pub program: PathBuf,
    /// Its version.
    pub version: String,
    /// How a run is read, by those who know all learners.
    pub look: fn(&Path) -> Result<Overview, LabError>,
}

/// What all questions share.
pub(crate) struct Page {
    pub(crate) options: Options,
    pub(crate) guard: Arc<Guard>,
    pub(crate) shelf: Shelf,
    pub(crate) channel: Channel,
    pub(crate) tracks: Tracks,
    pub(crate) games: Lists,
    pub(crate) counted: Counted,
    pub(crate) models: Models,
    pub(crate) desk: Desk,
    pub(crate) processes: Processes,
}

impl Page {
    pub(crate) fn new(options: Options, guard: Guard) -> Page {
        Page {
            guard: Arc::new(guard),
            shelf: Shelf::new(&options.root, options.look),
            channel: Channel::default(),
            tracks: Tracks::default(),
            games: Lists::default(),
            counted: Counted::default(),
            models: Models::default(),
            desk: Desk::default(),
            processes: Processes::default(),
            options,
        }
    }
}
