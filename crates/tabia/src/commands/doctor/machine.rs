//! The machine's properties, as far as they matter here.

use crate::version;
use serde::Serialize;

/// With less free space, larger runs may fill the disk.
const LITTLE_DISK: u64 = 10 << 30;
/// With less memory, large nets and tables may not fit.
const LITTLE_MEMORY: u64 = 2 << 30;

/// The warnings for these.
const SHORT_OF_DISK: &str = " (low: large runs may fill the disk)";
const SHORT_OF_MEMORY: &str = " (low: large nets and tables may not fit)";

/// This machine.
#[derive(Serialize)]
pub(super) struct Machine {
    tabia: String,
    cpus: usize,
    /// The CPU instructions used for integer nets, for float nets and in training.
    integer_nets: &'static str,
    float_nets: &'static str,
    training: &'static str,
    memory_bytes: Option<u64>,
    /// The free space at the current folder.
    free_disk_bytes: Option<u64>,
}

impl Machine {
    pub(super) fn here() -> Machine {
        Machine {
            tabia: version::short(),
            cpus: std::thread::available_parallelism().map_or(1, usize::from),
            integer_nets: nets::nnue::instruction_set(),
            float_nets: nets::kernels::Kernels::best().name(),
            training: train::arithmetic(),
            memory_bytes: memory(),
            free_disk_bytes: free_disk(),
        }
    }

    /// Names and values to show.
    pub(super) fn facts(&self) -> Vec<(&'static str, String)> {
        let room = |bytes: Option<u64>, little: u64, danger| match bytes {
            None => "unknown".to_owned(),
            Some(bytes) => {
                let gibibytes = bytes as f64 / (1u64 << 30) as f64;
                let remark = if bytes < little { danger } else { "" };
                format!("{gibibytes:.1} GiB{remark}")
            }
        };
        vec![
            ("Tabia", self.tabia.clone()),
            ("CPUs", self.cpus.to_string()),
            ("NNUE nets use", self.integer_nets.to_owned()),
            ("other nets use", self.float_nets.to_owned()),
            ("training uses", training_in_words(self.training)),
            (
                "memory",
                room(self.memory_bytes, LITTLE_MEMORY, SHORT_OF_MEMORY),
            ),
            (
                "free disk",
                room(self.free_disk_bytes, LITTLE_DISK, SHORT_OF_DISK),
            ),
        ]
    }
}

/// The arithmetic of trainings, explained.
fn training_in_words(arithmetic: &str) -> String {
    match arithmetic {
        "fused" => "fused multiply-add: the same nets on all CPUs with AVX2".to_owned(),
        other => format!("{other} arithmetic: slower, and other nets than with AVX2"),
    }
}

/// The memory that is available now.
fn memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text
        .lines()
        .find(|line| line.starts_with("MemAvailable:"))?;
    let kibibytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kibibytes * 1024)
}

#[cfg(unix)]
fn free_disk() -> Option<u64> {
    let disk = rustix::fs::statvfs(".").ok()?;
    Some(disk.f_bavail * disk.f_frsize)
}

#[cfg(not(unix))]
fn free_disk() -> Option<u64> {
    None
}
