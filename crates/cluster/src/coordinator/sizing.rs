//! How many pieces a unit has: so many that it takes some seconds, fewer for short jobs
//! and towards the end of a job, so that nobody is left with nothing to do.

use crate::settings::Settings;
use std::time::Duration;

/// A unit takes about this share of the whole job, within the limits of the settings.
const SHARE: f64 = 0.05;
/// A job of unknown length is taken to last this share of what it has lasted so far, which
/// keeps its units short.
const UNKNOWN: f64 = 0.4;
/// How much a new measurement counts.
const NEWS: f64 = 0.2;
/// The most pieces of a unit.
const MOST_PIECES: usize = 4096;

/// What is known of the time that pieces take.
#[derive(Clone, Debug, Default)]
pub(super) struct Sizing {
    /// Seconds of a piece, on one thread; none before the first result.
    seconds: Option<f64>,
}

impl Sizing {
    /// Some pieces took so long.
    pub(super) fn learn(&mut self, pieces: usize, seconds: f64) {
        if pieces == 0 {
            return;
        }
        let measured = seconds / pieces as f64;
        let before = self.seconds.unwrap_or(measured);
        self.seconds = Some(before + NEWS * (measured - before));
    }

    /// How long so many pieces should take; nothing if that is not known.
    pub(super) fn time_of(&self, pieces: usize) -> Option<Duration> {
        let seconds = self.seconds? * pieces as f64;
        Duration::try_from_secs_f64(seconds).ok()
    }

    /// How many pieces the next unit should have, in whole groups of pieces that belong
    /// together. `left` is the number of pieces that were not given out, if it is known.
    pub(super) fn pieces(
        &self,
        settings: &Settings,
        together: usize,
        threads: usize,
        left: Option<usize>,
        elapsed: Duration,
    ) -> usize {
        let together = together.max(1);
        // Numbers without end have a last one, too.
        let left = left.filter(|&left| left < usize::MAX >> 16);
        let Some(seconds) = self.seconds else {
            return together;
        };
        let threads = threads.max(1) as f64;
        let whole = match left {
            Some(left) => left as f64 * seconds / threads + elapsed.as_secs_f64(),
            // Nobody knows when it is enough, and what is begun beyond that is for nothing.
            None => UNKNOWN * elapsed.as_secs_f64(),
        };
        let bounds = [settings.least_unit, settings.most_unit].map(|time| time.as_secs_f64());
        let target = (SHARE * whole).clamp(bounds[0], bounds[1]);
        let wanted = target / seconds.max(1e-9);
        // The last pieces are shared out evenly.
        let even = left.map_or(f64::INFINITY, |left| left as f64 / (2.0 * threads));
        let groups = wanted.min(even) / together as f64;
        let groups = (groups as usize).clamp(1, MOST_PIECES / together.min(MOST_PIECES));
        groups * together
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(seconds: f64, threads: usize, left: Option<usize>, elapsed: u64) -> usize {
        let mut sizing = Sizing::default();
        sizing.learn(10, 10.0 * seconds);
        let elapsed = Duration::from_secs(elapsed);
        sizing.pieces(&Settings::default(), 2, threads, left, elapsed)
    }

    #[test]
    fn units_grow_with_the_job() {
        let unknown = Sizing::default();
        let settings = Settings::default();
        assert_eq!(
            unknown.pieces(&settings, 2, 8, Some(1000), Duration::ZERO),
            2
        );
        // At least five seconds, at most two minutes.
        assert_eq!(pieces(0.1, 8, None, 0), 50);
        assert_eq!(pieces(0.1, 8, None, 600), 120);
        assert_eq!(pieces(0.1, 8, Some(usize::MAX), 600), 120);
        assert_eq!(pieces(0.1, 8, None, 100_000), 1200);
        assert_eq!(pieces(0.1, 8, Some(1_000_000), 0), 1200);
        // A piece that takes longer is a unit with its partner.
        assert_eq!(pieces(300.0, 8, None, 100_000), 2);
        // Towards the end, everybody gets something.
        assert_eq!(pieces(0.1, 8, Some(160), 600), 10);
        assert_eq!(pieces(0.1, 8, Some(3), 600), 2);
        assert_eq!(pieces(0.0, 1, None, 600), 4096);
    }

    #[test]
    fn times_are_averaged() {
        let mut sizing = Sizing::default();
        assert_eq!(sizing.time_of(5), None);
        sizing.learn(0, 7.0);
        sizing.learn(2, 4.0);
        assert_eq!(sizing.time_of(5), Some(Duration::from_secs(10)));
        sizing.learn(1, 7.0);
        assert_eq!(sizing.time_of(1), Some(Duration::from_secs(3)));
    }
}
