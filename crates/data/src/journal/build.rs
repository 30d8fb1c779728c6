//! Which build of a program has done the parts of a work: parts of builds that search
//! or calculate differently must not mix unnoticed.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A build of a program, by what decides its results. Builds that are equal here give
/// the same results, whatever their commits are.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Build {
    /// The bench signature of its search.
    pub signature: u64,
    /// The arithmetic that it uses on this CPU.
    pub arithmetic: String,
    /// The version of the formats in which it keeps results.
    pub format: u32,
}

impl fmt::Display for Build {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Build {
            signature,
            arithmetic,
            format,
        } = self;
        write!(
            f,
            "bench signature {signature}, {arithmetic} arithmetic, format {format}"
        )
    }
}

impl Build {
    /// What to say if the results of several builds are mixed.
    pub fn mixed(builds: &[Build]) -> Option<String> {
        let list: Vec<String> = builds.iter().map(Build::to_string).collect();
        (list.len() > 1).then(|| {
            format!(
                "results of {} builds are mixed, as accepted with --accept-build: {}",
                list.len(),
                list.join("; ")
            )
        })
    }
}

/// Who opens a journal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Author {
    /// The build of this program.
    pub build: Build,
    /// Whether it may continue what another build has begun.
    pub accepts_others: bool,
}

/// The line that says from which build on the lines after it are.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BuildLine {
    pub(super) build: Build,
}

impl BuildLine {
    /// The beginning of such a line, which no line of a work has.
    pub(super) const PREFIX: &[u8] = b"{\"build\":";
}
