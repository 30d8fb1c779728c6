//! The build of the program that computed the parts of a job: results of builds that search
//! or calculate differently must not be mixed unnoticed.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A build of the program, identified by everything that affects its results. Equal builds
/// give the same results, whatever their commits.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Build {
    /// The bench signature of its search.
    pub signature: u64,
    /// The arithmetic (instruction set) that it uses on this CPU.
    pub arithmetic: String,
    /// The version of the formats in which it stores results.
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
    /// A warning if the results of several builds are mixed.
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

/// The program that opens a journal for writing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Author {
    /// The build of this program.
    pub build: Build,
    /// Whether it may continue a job that another build has begun.
    pub accepts_others: bool,
}

/// The line that says which build wrote the lines after it.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BuildLine {
    pub(super) build: Build,
}

impl BuildLine {
    /// The beginning of such a line, which no other line has.
    pub(super) const PREFIX: &[u8] = b"{\"build\":";
}
