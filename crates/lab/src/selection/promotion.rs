//! Which candidates reach the next stage.
//!
//! The best is looked for among the candidates that are still in the running. By their ratings
//! alone, some of those that are not might lead again: those that were promoted had been lucky,
//! too, and further games have removed that luck from their ratings.

use super::candidates::Field;
use super::settings::{Gauntlet, Peak};
use super::standings::Standings;

/// The best of the gauntlet, best first; at least two.
pub(super) fn promoted(gauntlet: &Gauntlet, standings: &Standings) -> Vec<usize> {
    let best = standings.rows.iter().take(gauntlet.keep).enumerate();
    best.filter(|(rank, row)| *rank < 2 || row.chance >= gauntlet.least_chance)
        .map(|(_, row)| row.candidate)
        .collect()
}

/// The best candidate in the running and its neighbours by epoch, nearest first, without those
/// whose games make it unlikely that they are the best. Neighbours that have not played yet are
/// included. Empty if there are no neighbours.
pub(super) fn neighbours(
    peak: &Peak,
    field: &Field,
    standings: &Standings,
    running: &[usize],
) -> Vec<usize> {
    let Some(best) = best_of(standings, running).next() else {
        return Vec::new();
    };
    let Some(center) = field.candidates[best].epoch else {
        return Vec::new();
    };
    let is_out = |candidate: usize| {
        let standing = standings.of_candidate(candidate);
        standing.is_some_and(|row| row.chance < peak.least_chance)
    };
    let mut around: Vec<(u32, usize)> = (0..field.candidates.len())
        .filter(|&candidate| candidate != best && !is_out(candidate))
        .filter_map(|candidate| {
            let distance = field.candidates[candidate].epoch?.abs_diff(center);
            (distance <= peak.radius).then_some((distance, candidate))
        })
        .collect();
    around.sort_unstable();
    around.truncate(peak.size - 1);
    match around.is_empty() {
        true => Vec::new(),
        false => {
            let others = around.into_iter().map(|(_, candidate)| candidate);
            std::iter::once(best).chain(others).collect()
        }
    }
}

/// The two best candidates in the running, the better one first.
pub(super) fn finalists(standings: &Standings, running: &[usize]) -> Option<[usize; 2]> {
    let mut best = best_of(standings, running);
    Some([best.next()?, best.next()?])
}

/// The candidates in the running, best first.
fn best_of(standings: &Standings, running: &[usize]) -> impl Iterator<Item = usize> {
    let rows = standings.rows.iter().map(|row| row.candidate);
    rows.filter(move |candidate| running.contains(candidate))
}

#[cfg(test)]
mod tests {
    use super::super::settings::{Settings, read};
    use super::super::standings::tests::{field, met};
    use super::*;

    fn settings(text: &str) -> Settings {
        read(text).expect("settings")
    }

    /// Epochs 10, 20, 30, 31, 32, 33, 40, the third of which is the baseline; epochs 31 and 33 have
    /// not played.
    fn played() -> (Field, Standings) {
        let field = field(&[10, 20, 30, 31, 32, 33, 40], 2);
        let games = [
            met(2, 0, [90, 10, 0]),
            met(2, 1, [39, 20, 41]),
            met(2, 4, [36, 20, 44]),
            met(2, 6, [42, 20, 38]),
        ];
        let standings = Standings::of(&field, games.iter(), 1).expect("a fit");
        (field, standings)
    }

    #[test]
    fn the_best_go_on_and_two_at_least() {
        let (_, standings) = played();
        let kept = |text: &str| promoted(&settings(text).gauntlet, &standings);
        assert_eq!(kept("gauntlet.keep = 8"), [4, 1, 2, 6, 0]);
        assert_eq!(kept("gauntlet.keep = 3"), [4, 1, 2]);
        // The first epoch has no chance of being the best.
        assert_eq!(kept("gauntlet.least_chance = 0.01"), [4, 1, 2, 6]);
        assert_eq!(kept("gauntlet.least_chance = 0.499"), [4, 1]);
    }

    #[test]
    fn neighbours_are_near_and_not_out() {
        let (field, standings) = played();
        let around =
            |text: &str| neighbours(&settings(text).peak, &field, &standings, &[1, 2, 4, 6]);
        // 32 is the best; 31 and 33 have not played, 30 is two epochs away.
        assert_eq!(around("peak.radius = 1"), [4, 3, 5]);
        assert_eq!(around("peak.radius = 2"), [4, 3, 5, 2]);
        assert_eq!(around("peak = { radius = 2, size = 3 }"), [4, 3, 5]);
        assert_eq!(around("peak = { radius = 2, size = 2 }"), [4, 3]);
        assert_eq!(around("peak.radius = 0"), [0; 0]);
        // The first epoch is out, however large the radius is.
        let far = around("peak = { radius = 100, size = 9 }");
        assert_eq!(far, [4, 3, 5, 2, 6, 1]);
        let far = around("peak = { radius = 100, size = 9, least_chance = 0 }");
        assert_eq!(far, [4, 3, 5, 2, 6, 1, 0]);
    }

    #[test]
    fn who_is_out_of_the_running_is_not_the_best() {
        let (field, standings) = played();
        assert_eq!(finalists(&standings, &[0, 1, 2, 4, 6]), Some([4, 1]));
        assert_eq!(finalists(&standings, &[6, 2, 0]), Some([2, 6]));
        assert_eq!(finalists(&standings, &[6]), None);
        let peak = settings("peak = { radius = 2, size = 3 }").peak;
        // Around epoch 30.
        assert_eq!(neighbours(&peak, &field, &standings, &[6, 2]), [2, 3, 4]);
    }

    #[test]
    fn without_epochs_there_are_no_neighbours() {
        let (mut field, standings) = played();
        field.candidates[4].epoch = None;
        let peak = settings("peak.radius = 9").peak;
        let running = [0, 1, 2, 4, 6];
        assert!(neighbours(&peak, &field, &standings, &running).is_empty());
    }
}
