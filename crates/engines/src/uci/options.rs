//! Every option of the UCI front, defined once: its line for the client, its
//! range, and what setting it changes all come from the table here.
//!
//! It must not know the player: a session hands the settings on.

use super::definition::{Definition, EMPTY, button, check, spin, text};
use crate::alphabeta;
use crate::excerpt::excerpt;
use std::time::Duration;

/// What the client can set, and has set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Settings {
    search: alphabeta::Options,
    analyses: bool,
    pub(super) chess960: bool,
    pub(super) shows_wdl: bool,
    /// The file of a net; none for the default evaluation.
    pub(super) eval_file: Option<String>,
    /// How often a file was named: one that was refused is tried again only then.
    pub(super) eval_file_wishes: u64,
    /// Folders of tablebases, as the client words them.
    pub(super) syzygy_path: Option<String>,
    /// Positions with more men are not looked up.
    pub(super) syzygy_probe_limit: u32,
    /// The client wants the table forgotten before the next search.
    pub(super) clears_table: bool,
}

impl Settings {
    /// What the search needs to know.
    pub(super) fn search_options(&self) -> alphabeta::Options {
        let mut options = self.search.clone();
        // Who analyses wants all the time that was asked for.
        options.stability.enabled &= !self.analyses;
        options
    }

    /// Sets an option by its name. A remark tells the client what it may not
    /// expect.
    pub(super) fn set(
        &mut self,
        name: &str,
        value: Option<&str>,
    ) -> Result<Option<String>, String> {
        let definition = DEFINITIONS
            .iter()
            .find(|definition| definition.name.eq_ignore_ascii_case(name))
            .ok_or_else(|| format!("there is no option '{}'", excerpt(name)))?;
        definition.set(self, value)
    }
}

impl Default for Settings {
    fn default() -> Settings {
        let mut settings = Settings {
            search: alphabeta::Options::default(),
            analyses: false,
            chess960: false,
            shows_wdl: false,
            eval_file: None,
            eval_file_wishes: 0,
            syzygy_path: None,
            syzygy_probe_limit: 0,
            clears_table: false,
        };
        for definition in DEFINITIONS {
            definition.set_default(&mut settings);
        }
        settings
    }
}

/// All options, in the order in which the client hears of them.
pub(super) const DEFINITIONS: &[Definition] = &[
    spin("Hash", 16, 1, 1 << 25, |settings, value| {
        settings.search.hash = value as usize;
    }),
    spin("Threads", 1, 1, 256, |settings, value| {
        settings.search.threads = value as usize;
    }),
    button("Clear Hash", |settings| settings.clears_table = true),
    spin("MultiPV", 1, 1, 256, |settings, value| {
        settings.search.lines = value as usize;
    }),
    // The client says that it will ponder; a search is the same either way.
    check("Ponder", false, |_, _| {}),
    spin("Move Overhead", 10, 0, 5_000, |settings, value| {
        settings.search.move_overhead = Duration::from_millis(value as u64);
    }),
    text("SyzygyPath", EMPTY, |settings, value| {
        settings.syzygy_path = value.map(str::to_owned);
    }),
    spin("SyzygyProbeLimit", 7, 0, 7, |settings, value| {
        settings.syzygy_probe_limit = value as u32;
    }),
    check("UCI_Chess960", false, |settings, value| {
        settings.chess960 = value;
    }),
    check("UCI_ShowWDL", false, |settings, value| {
        settings.shows_wdl = value;
    }),
    check("UCI_AnalyseMode", false, |settings, value| {
        settings.analyses = value;
    }),
    text("EvalFile", EMPTY, |settings, value| {
        settings.eval_file = value.map(str::to_owned);
        settings.eval_file_wishes += 1;
    }),
    check("StabilityTermination", true, |settings, value| {
        settings.search.stability.enabled = value;
    }),
    spin("StabilityThreshold", 15, 1, 100, |settings, value| {
        settings.search.stability.threshold = value as i32;
    }),
    spin("StabilityMinDepth", 10, 4, 20, |settings, value| {
        settings.search.stability.min_depth = value as i32;
    }),
];

#[cfg(test)]
mod tests {
    use super::super::definition::Kind;
    use super::*;

    #[test]
    fn defaults_are_those_of_the_search() {
        let settings = Settings::default();
        assert_eq!(settings.search_options(), alphabeta::Options::default());
    }

    #[test]
    fn defaults_lie_within_their_ranges() {
        for definition in DEFINITIONS {
            if let Kind::Spin {
                default,
                least,
                most,
                ..
            } = definition.kind
            {
                assert!((least..=most).contains(&default), "{definition}");
            }
        }
    }

    #[test]
    fn names_are_found_in_any_case() {
        let mut settings = Settings::default();
        assert_eq!(settings.set("move overhead", Some("25")), Ok(None));
        let options = settings.search_options();
        assert_eq!(options.move_overhead, Duration::from_millis(25));
        assert!(settings.set("Skill Level", Some("3")).is_err());
    }

    #[test]
    fn numbers_outside_a_range_become_the_nearest_inside() {
        let mut settings = Settings::default();
        for (name, value, nearest) in [
            ("StabilityMinDepth", "3", 4),
            ("StabilityMinDepth", "-7", 4),
            ("StabilityMinDepth", "21", 20),
        ] {
            let remark = settings.set(name, Some(value)).expect("it is set");
            let remark = remark.expect("the client hears of it");
            assert!(
                remark.ends_with(&format!("it is now {nearest}")),
                "{remark}"
            );
            assert_eq!(settings.search.stability.min_depth, nearest);
        }
        for value in ["4", "20"] {
            assert_eq!(settings.set("StabilityMinDepth", Some(value)), Ok(None));
        }
    }

    #[test]
    fn wrong_values_change_nothing() {
        let mut settings = Settings::default();
        for (name, value) in [
            ("Hash", Some("many")),
            ("Hash", None),
            ("Hash", Some("99999999999999999999")),
            ("UCI_Chess960", Some("maybe")),
            ("UCI_Chess960", None),
        ] {
            assert!(settings.set(name, value).is_err(), "{name} {value:?}");
        }
        assert_eq!(settings, Settings::default());
    }

    #[test]
    fn empty_texts_are_none() {
        let mut settings = Settings::default();
        let path = |settings: &Settings| settings.syzygy_path.clone();
        assert_eq!(settings.set("SyzygyPath", Some("/a:/b")), Ok(None));
        assert_eq!(path(&settings).as_deref(), Some("/a:/b"));
        assert_eq!(settings.set("SyzygyPath", Some(EMPTY)), Ok(None));
        assert_eq!(path(&settings), None);
        assert_eq!(settings.set("EvalFile", Some("a net.nnue")), Ok(None));
        assert_eq!(settings.eval_file.as_deref(), Some("a net.nnue"));
        assert_eq!(settings.set("EvalFile", Some("")), Ok(None));
        assert_eq!(settings.eval_file, None);
    }

    #[test]
    fn analysis_never_ends_early() {
        let mut settings = Settings::default();
        assert!(settings.search_options().stability.enabled);
        assert_eq!(settings.set("UCI_AnalyseMode", Some("true")), Ok(None));
        assert!(!settings.search_options().stability.enabled);
    }
}
