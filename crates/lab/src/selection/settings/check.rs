//! Checks what the format of the file cannot.

use super::{Allocation, Settings};
use crate::ranges;
use crate::settings::{Wrong, check_games, within};

pub(super) fn check(settings: &Settings) -> Result<(), Wrong> {
    let Settings {
        candidates,
        gauntlet,
        round_robin,
        peak,
        last,
        ..
    } = settings;
    for (key, number, range) in [
        ("candidates.every", candidates.every as f64, ranges::EPOCHS),
        ("gauntlet.keep", gauntlet.keep as f64, ranges::SIZE),
        ("peak.size", peak.size as f64, ranges::SIZE),
    ] {
        within(key, number, range)?;
    }
    settings.games.check()?;
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
    within(&format!("{key}.rounds"), rounds, ranges::ROUNDS)?;
    check_share(&format!("{key}.least_chance"), least_chance)?;
    within(&format!("{key}.sure"), sure, ranges::SURE)
}

fn check_share(key: &str, share: f64) -> Result<(), Wrong> {
    within(key, share, ranges::LEAST_CHANCE)
}
