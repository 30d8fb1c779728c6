//! How carefully and in which portions a coordinator gives out work.

use std::time::Duration;

/// How a coordinator works. The defaults fit groups of any size; tests are quicker.
#[derive(Clone, PartialEq, Debug)]
pub struct Settings {
    /// How long a worker may be silent before its unit goes to another.
    pub lease: Duration,
    /// The least time that a unit should take: shorter ones cost more than they bring.
    pub least_unit: Duration,
    /// The most: what a dead worker loses is no more.
    pub most_unit: Duration,
    /// One of so many units is done twice by different workers and compared.
    pub checked_one_in: u64,
    /// How often both sides tell that they live.
    pub heartbeat: Duration,
    /// The most bytes of results that the server keeps; workers wait when it is full.
    pub result_bytes: u64,
    /// The most bytes of models and books that the server keeps.
    pub blob_bytes: u64,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            lease: Duration::from_secs(30),
            least_unit: Duration::from_secs(5),
            most_unit: Duration::from_secs(120),
            checked_one_in: 64,
            heartbeat: Duration::from_secs(3),
            result_bytes: 1 << 30,
            blob_bytes: 8 << 30,
        }
    }
}

impl Settings {
    /// After so long without a heartbeat a worker or a coordinator counts as gone.
    pub(crate) fn patience(&self) -> Duration {
        self.heartbeat * 5
    }

    /// So many bytes of results may wait in the coordinator's memory for earlier ones.
    pub(crate) fn waiting_bytes(&self) -> u64 {
        self.result_bytes / 4
    }
}
