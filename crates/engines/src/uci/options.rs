//! Every option of the UCI front, defined once: its line for the client, its
//! range, and what setting it changes all come from the table here.
//!
//! It must not know the player: a session hands the settings on.

use super::info::excerpt;
use crate::alphabeta;
use std::fmt;
use std::time::Duration;

/// What the client can set, and has set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Settings {
    search: alphabeta::Options,
    analyses: bool,
    pub(super) chess960: bool,
    pub(super) shows_wdl: bool,
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

/// One option. Its `Display` is the line that tells the client.
pub(super) struct Definition {
    name: &'static str,
    kind: Kind,
}

enum Kind {
    Check {
        default: bool,
        set: fn(&mut Settings, bool),
    },
    Spin {
        default: i64,
        least: i64,
        most: i64,
        set: fn(&mut Settings, i64),
    },
    Text {
        /// What stands for no text.
        default: &'static str,
        /// Gives a remark for the client.
        set: fn(&mut Settings, Option<&str>) -> Option<String>,
    },
    Button {
        press: fn(&mut Settings),
    },
}

/// The word that clients send for an empty text.
const EMPTY: &str = "<empty>";

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
        None
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
    text("EvalFile", EMPTY, |_, value| {
        value.map(|_| "nets are not supported yet; EvalFile has no effect".to_owned())
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

const fn check(name: &'static str, default: bool, set: fn(&mut Settings, bool)) -> Definition {
    let kind = Kind::Check { default, set };
    Definition { name, kind }
}

const fn spin(
    name: &'static str,
    default: i64,
    least: i64,
    most: i64,
    set: fn(&mut Settings, i64),
) -> Definition {
    let kind = Kind::Spin {
        default,
        least,
        most,
        set,
    };
    Definition { name, kind }
}

const fn text(
    name: &'static str,
    default: &'static str,
    set: fn(&mut Settings, Option<&str>) -> Option<String>,
) -> Definition {
    let kind = Kind::Text { default, set };
    Definition { name, kind }
}

const fn button(name: &'static str, press: fn(&mut Settings)) -> Definition {
    let kind = Kind::Button { press };
    Definition { name, kind }
}

impl Definition {
    fn set(&self, settings: &mut Settings, value: Option<&str>) -> Result<Option<String>, String> {
        let refusal = |wanted: &str| {
            let found = value.map_or("none".to_owned(), |value| format!("'{}'", excerpt(value)));
            format!("{} wants {wanted}, but the value is {found}", self.name)
        };
        match self.kind {
            Kind::Check { set, .. } => {
                let value = value.and_then(|value| value.to_ascii_lowercase().parse().ok());
                set(settings, value.ok_or_else(|| refusal("true or false"))?);
                Ok(None)
            }
            Kind::Spin {
                least, most, set, ..
            } => {
                let wanted = format!("a number from {least} to {most}");
                let number: i64 = value
                    .and_then(|value| value.parse().ok())
                    .ok_or_else(|| refusal(&wanted))?;
                // The nearest possible is nearer to what was meant than the
                // value before.
                let nearest = number.clamp(least, most);
                set(settings, nearest);
                Ok((nearest != number)
                    .then(|| format!("{}: it is now {nearest}", refusal(&wanted))))
            }
            Kind::Text { set, .. } => {
                let is_text = |value: &&str| !value.is_empty() && *value != EMPTY;
                Ok(set(settings, value.filter(is_text)))
            }
            Kind::Button { press } => {
                press(settings);
                Ok(None)
            }
        }
    }

    fn set_default(&self, settings: &mut Settings) {
        match self.kind {
            Kind::Check { default, set } => set(settings, default),
            Kind::Spin { default, set, .. } => set(settings, default),
            Kind::Text { .. } | Kind::Button { .. } => {}
        }
    }
}

impl fmt::Display for Definition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "option name {} type ", self.name)?;
        match self.kind {
            Kind::Check { default, .. } => write!(f, "check default {default}"),
            Kind::Spin {
                default,
                least,
                most,
                ..
            } => write!(f, "spin default {default} min {least} max {most}"),
            Kind::Text { default, .. } => write!(f, "string default {default}"),
            Kind::Button { .. } => f.write_str("button"),
        }
    }
}

#[cfg(test)]
mod tests {
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
        assert_eq!(settings.set("EvalFile", Some(EMPTY)), Ok(None));
        let remark = settings
            .set("EvalFile", Some("a.net"))
            .expect("it is taken");
        assert!(remark.is_some_and(|remark| remark.contains("not supported")));
    }

    #[test]
    fn analysis_never_ends_early() {
        let mut settings = Settings::default();
        assert!(settings.search_options().stability.enabled);
        assert_eq!(settings.set("UCI_AnalyseMode", Some("true")), Ok(None));
        assert!(!settings.search_options().stability.enabled);
    }
}
