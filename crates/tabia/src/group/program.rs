//! This program as others of a cluster see it: what decides its results, how fast it is
//! here, and which jobs it can do.

use crate::relabelling;
use crate::version;
use anyhow::bail;
use cluster::Identity;
use data::journal::Build;
use engines::recipe::{Pace, PlayerSettings};
use engines::{StopSignal, bench};
use work::Kind;

/// The signature belongs to a table of this size.
const PLAYER: &str = "hash=16";

/// The jobs that this program can do for others.
pub(crate) fn kinds() -> Vec<Kind> {
    vec![
        arena::selfplay::KIND,
        arena::selfplay::explore::KIND,
        arena::workers::KIND,
        relabelling::KIND,
    ]
}

/// What decides the results of this program, on a machine of this speed.
pub(crate) fn identity(speed: u64) -> Identity {
    let Build {
        signature,
        arithmetic,
        format,
    } = version::build();
    Identity {
        version: version::short(),
        build: format!("{} with signature {signature}.{format}", version::NUMBER),
        arithmetic,
        speed,
    }
}

/// The same with the speed of one thread of this machine, in nodes a second. A search
/// that does not come out as it should is an error: such a machine must not work for
/// others. Nothing if it was told to stop.
pub(crate) fn measured(stop: &StopSignal) -> anyhow::Result<Option<Identity>> {
    let recipe = PlayerSettings::from_words(PLAYER)?.recipe()?;
    let mut player = recipe.player(Pace::MARGIN.0)?;
    let summary = bench::run(player.as_mut(), bench::DEPTH, stop, &mut |_| {})?;
    if stop.is_stopped() {
        return Ok(None);
    }
    if summary.nodes != bench::SIGNATURE {
        bail!(
            "the bench of this machine has {} nodes instead of {}, so its results would be wrong; \
             run tabia doctor, and reinstall the program",
            summary.nodes,
            bench::SIGNATURE
        );
    }
    Ok(Some(identity(summary.nodes_per_second())))
}
