//! What the format of the file cannot refuse.

use super::{Allocation, Settings};
use crate::settings::{Wrong, wrong};

pub(super) fn check(settings: &Settings) -> Result<(), Wrong> {
    let Settings {
        candidates,
        gauntlet,
        round_robin,
        peak,
        last,
        ..
    } = settings;
    if candidates.every == 0 {
        return Err(wrong("candidates.every", "must be at least 1"));
    }
    if gauntlet.games == 0 {
        return Err(wrong("gauntlet.games", "must be at least 2"));
    }
    for (key, games) in [
        ("gauntlet.games", gauntlet.games),
        ("final.games", last.games),
    ] {
        if !games.is_multiple_of(2) {
            let words = "every opening is played twice: say an even number";
            return Err(wrong(key, words));
        }
    }
    for (key, size) in [("gauntlet.keep", gauntlet.keep), ("peak.size", peak.size)] {
        if size < 2 {
            return Err(wrong(key, "must be at least 2"));
        }
    }
    for (key, share) in [
        ("gauntlet.least_chance", gauntlet.least_chance),
        ("peak.least_chance", peak.least_chance),
    ] {
        check_share(key, share)?;
    }
    check_allocation("round_robin.allocation", round_robin.allocation)?;
    check_allocation("peak.allocation", peak.allocation)?;
    match settings.games.random_plies > 100 {
        true => Err(wrong("games.random_plies", "must be at most 100")),
        false => Ok(()),
    }
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
    if !(2..=1_000).contains(&rounds) {
        return Err(wrong(&format!("{key}.rounds"), "must lie from 2 to 1000"));
    }
    check_share(&format!("{key}.least_chance"), least_chance)?;
    match sure > 0.5 && sure <= 1.0 {
        true => Ok(()),
        false => Err(wrong(&format!("{key}.sure"), "must lie above 0.5, up to 1")),
    }
}

fn check_share(key: &str, share: f64) -> Result<(), Wrong> {
    match (0.0..0.5).contains(&share) {
        true => Ok(()),
        false => Err(wrong(key, "must lie from 0 to below 0.5")),
    }
}
