//! How fast workers may be if clocks matter.

use crate::coordinator::session::Session;
use std::thread;
use std::time::{Duration, Instant};
use work::{DispatchError, StopSignal};

/// How much faster than the slowest the fastest machine may be if clocks matter.
const ALIKE: f64 = 1.1;
/// How long to wait for workers whose speed is to be known.
const SPEED_PATIENCE: Duration = Duration::from_secs(30);
/// How often it is looked who is there.
const ATTENTION: Duration = Duration::from_millis(50);

/// The speeds between which workers must be if clocks matter; an error if those who are
/// there are too different.
pub(super) fn alike(session: &Session, stop: &StopSignal) -> Result<(u64, u64), DispatchError> {
    let begin = Instant::now();
    loop {
        let mut speeds: Vec<(u64, String)> = session.with_registry(|registry| {
            let workers = registry.identities();
            workers
                .map(|(name, identity)| (identity.speed, name.to_owned()))
                .collect()
        });
        speeds.sort();
        if let (Some(slowest), Some(fastest)) = (speeds.first(), speeds.last()) {
            if slowest.0 > 0 && fastest.0 as f64 <= ALIKE * slowest.0 as f64 {
                let slack = |speed: u64, factor: f64| (speed as f64 * factor) as u64;
                return Ok((slack(fastest.0, 1.0 / ALIKE), slack(slowest.0, ALIKE)));
            }
            return Err(DispatchError::NotPortable(format!(
                "players have time controls, but the workers are not equally fast: {} has {} \
                 nodes/s, {} has {}; limit players by nodes or depth, or stop one of them",
                slowest.1, slowest.0, fastest.1, fastest.0
            )));
        }
        // Nothing will be given out.
        if stop.is_stopped() {
            return Ok((0, u64::MAX));
        }
        if begin.elapsed() > SPEED_PATIENCE {
            let words = "players have time controls, but the speed of no worker is known";
            return Err(DispatchError::NotPortable(words.to_owned()));
        }
        thread::sleep(ATTENTION);
    }
}
