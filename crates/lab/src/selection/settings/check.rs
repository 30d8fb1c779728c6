//! What the format of the file cannot refuse.

use super::{Allocation, Settings};
use crate::settings::{Wrong, check_games, within};
use data::range::Range;

pub(super) fn check(settings: &Settings) -> Result<(), Wrong> {
    let Settings {
        candidates,
        gauntlet,
        round_robin,
        peak,
        last,
        ..
    } = settings;
    const COUNT: Range = Range::closed(1.0, 1e9);
    const SIZE: Range = Range::closed(2.0, 1e6);
    for (key, number, range) in [
        ("candidates.every", candidates.every as f64, COUNT),
        ("gauntlet.keep", gauntlet.keep as f64, SIZE),
        ("peak.size", peak.size as f64, SIZE),
        (
            "games.random_plies",
            f64::from(settings.games.random_plies),
            Range::closed(0.0, 100.0),
        ),
    ] {
        within(key, number, range)?;
    }
    check_games("gauntlet.games", gauntlet.games, 2)?;
    check_games("final.games", last.games, 0)?;
    for (key, share) in [
        ("gauntlet.least_chance", gauntlet.least_chance),
        ("peak.least_chance", peak.least_chance),
    ] {
        check_share(key, share)?;
    }
    check_allocation("round_robin.allocation", round_robin.allocation)?;
    check_allocation("peak.allocation", peak.allocation)?;
    Ok(())
}

fn check_allocation(key: &str, allocation: Allocation) -> Result<(), Wrong> {
    let Allocation::Open {
        rounds,
        least_chance,
        sure,
    } = allocation
    else {
        return Ok(());
    };
    let rounds = f64::from(rounds);
    within(
        &format!("{key}.rounds"),
        rounds,
        Range::closed(2.0, 1_000.0),
    )?;
    check_share(&format!("{key}.least_chance"), least_chance)?;
    within(&format!("{key}.sure"), sure, Range::above(0.5, 1.0))
}

fn check_share(key: &str, share: f64) -> Result<(), Wrong> {
    within(key, share, Range::below(0.0, 0.5))
}
