//! What one side must know of the other's program before they work together.

use serde::{Deserialize, Serialize};

/// A program, by what decides its results.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Identity {
    /// Its release, for people.
    pub version: String,
    /// What must be equal for results to be equal: programs with the same text give
    /// the same results as long as only integers are involved.
    pub build: String,
    /// How it calculates with floats; only programs with the same text do it alike.
    pub arithmetic: String,
    /// What one thread of its machine does in a second, by a measurement that all
    /// machines make alike.
    pub speed: u64,
}

impl Identity {
    /// Says why a program cannot work for this one; `arithmetic` says whether floats
    /// are involved.
    pub(crate) fn objection_to(&self, other: &Identity, arithmetic: bool) -> Option<String> {
        if self.build != other.build {
            return Some(format!(
                "it has another build ({}) than the coordinator ({}): install tabia {}",
                other.build, self.build, self.version
            ));
        }
        (arithmetic && self.arithmetic != other.arithmetic).then(|| {
            format!(
                "it computes with {}, but this work needs {} as on the coordinator's machine",
                other.arithmetic, self.arithmetic
            )
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_alike_programs_work_together() {
        let ours = Identity {
            version: "1.2".to_owned(),
            build: "7".to_owned(),
            arithmetic: "avx512".to_owned(),
            speed: 1,
        };
        let with = |build: &str, arithmetic: &str| Identity {
            build: build.to_owned(),
            arithmetic: arithmetic.to_owned(),
            ..ours.clone()
        };
        assert_eq!(ours.objection_to(&with("7", "avx512"), true), None);
        assert_eq!(ours.objection_to(&with("7", "avx2"), false), None);
        let objection = ours.objection_to(&with("7", "avx2"), true);
        assert!(objection.expect("floats").contains("computes with avx2"));
        let objection = ours.objection_to(&with("8", "avx512"), false);
        assert!(objection.expect("a build").ends_with("install tabia 1.2"));
    }
}
