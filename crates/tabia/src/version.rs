//! The identity of this program: release, commit, the model it plays with, the CPU it was compiled
//! for and the features of the CPU it runs on.
//!
//! It must not choose anything: the libraries pick their fast paths themselves.

use clap::Args;
use data::journal::{Author, Build};
use engines::bench;
use nets::Model;

/// The release.
pub(crate) const NUMBER: &str = env!("CARGO_PKG_VERSION");

/// Raised when the meaning of results in unfinished work changes while the search stays the same.
const FORMAT: u32 = 1;

/// Whether work of another build may be resumed.
#[derive(Args, Default)]
pub(crate) struct BuildOptions {
    /// Resume even if another build, with a different search or arithmetic, began this work; the
    /// report says so
    #[arg(long)]
    accept_build: bool,
}

impl BuildOptions {
    /// The build that works, and whether it may resume the work of others.
    pub(crate) fn author(&self) -> Author {
        Author {
            build: build(),
            accepts_others: self.accept_build,
        }
    }
}

/// The properties of this build that determine results.
pub(crate) fn build() -> Build {
    Build {
        signature: bench::SIGNATURE,
        arithmetic: train::arithmetic().to_owned(),
        format: FORMAT,
    }
}

/// The output of `-V`.
pub(crate) fn short() -> String {
    format!("{NUMBER} ({})", env!("TABIA_COMMIT"))
}

/// The output of `--version`.
pub(crate) fn long() -> String {
    let commit = env!("TABIA_COMMIT");
    let features = cpu_features().join(" ");
    format!(
        "{NUMBER}\n\
         commit:       {commit}\n\
         model:        {}\n\
         compiled for: {}\n\
         this CPU has: {features}",
        Model::default(),
        compiled_for()
    )
}

/// The architecture level that this binary was compiled for.
fn compiled_for() -> &'static str {
    if cfg!(not(target_arch = "x86_64")) {
        std::env::consts::ARCH
    } else if cfg!(all(
        target_feature = "avx512f",
        target_feature = "avx512bw",
        target_feature = "avx512cd",
        target_feature = "avx512dq",
        target_feature = "avx512vl"
    )) {
        "x86-64-v4"
    } else if cfg!(all(
        target_feature = "avx2",
        target_feature = "bmi1",
        target_feature = "bmi2",
        target_feature = "fma",
        target_feature = "lzcnt",
        target_feature = "movbe"
    )) {
        "x86-64-v3"
    } else if cfg!(all(target_feature = "popcnt", target_feature = "sse4.2")) {
        "x86-64-v2"
    } else {
        "x86-64"
    }
}

/// The CPU features that matter to a chess engine, if this CPU has them.
#[cfg(target_arch = "x86_64")]
fn cpu_features() -> Vec<&'static str> {
    macro_rules! detected {
        ($($feature:tt)*) => {
            [$(($feature, is_x86_feature_detected!($feature))),*]
        };
    }
    let features = detected!(
        "popcnt" "sse4.2" "bmi1" "bmi2" "avx" "avx2" "fma" "avxvnni"
        "avx512f" "avx512bw" "avx512vl" "avx512vnni" "avx512vbmi" "avx512bf16"
    );
    present(&features)
}

/// The CPU features that matter to a chess engine, if this CPU has them.
#[cfg(target_arch = "aarch64")]
fn cpu_features() -> Vec<&'static str> {
    use std::arch::is_aarch64_feature_detected;
    present(&[
        ("neon", is_aarch64_feature_detected!("neon")),
        ("dotprod", is_aarch64_feature_detected!("dotprod")),
        ("i8mm", is_aarch64_feature_detected!("i8mm")),
        ("sve", is_aarch64_feature_detected!("sve")),
    ])
}

/// There are no fast paths for other CPUs, so no features are detected.
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
fn cpu_features() -> Vec<&'static str> {
    present(&[])
}

fn present(features: &[(&'static str, bool)]) -> Vec<&'static str> {
    let present = features.iter().filter(|(_, detected)| *detected);
    let names: Vec<_> = present.map(|(name, _)| *name).collect();
    if names.is_empty() {
        vec!["no relevant features"]
    } else {
        names
    }
}
