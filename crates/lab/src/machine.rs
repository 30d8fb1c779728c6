//! The machine that a run is made on.

use serde::{Deserialize, Serialize};

/// A description of a machine.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Machine {
    pub(crate) cpu: String,
    pub(crate) cores: usize,
    pub(crate) memory_mebibytes: u64,
    pub(crate) system: String,
    /// The arithmetic of the trainer: only with the same one are results identical.
    pub(crate) arithmetic: String,
}

impl Machine {
    /// This machine.
    pub(crate) fn here() -> Machine {
        let text = |path| std::fs::read_to_string(path).unwrap_or_default();
        let field = |text: &str, name: &str| {
            let line = text.lines().find(|line| line.starts_with(name));
            let value = line.and_then(|line| line.split_once(':'));
            value.map_or_else(String::new, |(_, value)| value.trim().to_owned())
        };
        let memory = field(&text("/proc/meminfo"), "MemTotal");
        let kibibytes: u64 = memory
            .trim_end_matches("kB")
            .trim()
            .parse()
            .unwrap_or_default();
        let release = text("/proc/sys/kernel/osrelease");
        Machine {
            cpu: field(&text("/proc/cpuinfo"), "model name"),
            cores: std::thread::available_parallelism().map_or(1, usize::from),
            memory_mebibytes: kibibytes / 1024,
            system: format!("{} {}", std::env::consts::OS, release.trim()),
            arithmetic: train::arithmetic().to_owned(),
        }
    }
}
