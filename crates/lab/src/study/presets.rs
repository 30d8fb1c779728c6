//! Study files that come with the program. Their comments are the manual.

use crate::presets::Preset;

/// All presets.
pub const PRESETS: [Preset; 2] = [
    Preset {
        name: "ntuple-small",
        summary: "comparison training of an evaluation, small, in minutes",
        text: include_str!("presets/ntuple-small.toml"),
    },
    Preset {
        name: "ntuple-published",
        summary: "comparison training of n-tuple networks: all tables and the missing ablation",
        text: include_str!("presets/ntuple-published.toml"),
    },
];

#[cfg(test)]
mod tests {
    use super::super::settings::{Arm, Settings, read};
    use super::*;

    fn settings(name: &str) -> Settings {
        let preset = PRESETS.iter().find(|preset| preset.name == name);
        let text = preset.expect("a preset").text;
        assert!(
            text.starts_with(&format!("# {name}: ")),
            "{name} has no remark"
        );
        read(text).unwrap_or_else(|error| panic!("{name}:{}: {error}", error.line(text)))
    }

    #[test]
    fn presets_can_be_read() {
        assert!(settings("ntuple-small").all_games() < 2_000);
        let published = settings("ntuple-published");
        assert_eq!(published.arms.len(), 2 + 8 + 4);
        assert!(published.claims.iter().any(|claim| claim.name == "002-043"));
        assert_eq!(
            (published.data.test.len(), published.examination.depth),
            (1, 1)
        );
    }

    #[test]
    fn the_published_tables_are_complete() {
        let study = settings("ntuple-published");
        let scores = |name: &str| -> Vec<(String, f64)> {
            let claim = study.claims.iter().find(|claim| claim.name == name);
            let matches = claim.expect("a claim").matches.iter();
            matches
                .map(|it| {
                    let names = format!("{}-{}", it.first, it.second);
                    (names, it.published.unwrap_or_default())
                })
                .collect()
        };
        let pairs = |second: &str, first: u32, scores: [f64; 4]| -> Vec<(String, f64)> {
            let names = (first..).map(|number| format!("CT{number}-{second}"));
            names.zip(scores).collect()
        };
        assert_eq!(scores("002-039"), [("ORI1-ORI2".to_owned(), 82.0)]);
        let tables = [
            ("002-040", pairs("ORI1", 1, [33.83, 40.10, 38.77, 41.30])),
            ("002-041", pairs("ORI1", 5, [21.70, 24.30, 26.13, 28.15])),
            ("002-042", pairs("ORI2", 1, [72.33, 77.05, 75.40, 78.28])),
            ("002-043", pairs("ORI2", 5, [58.92, 62.25, 65.03, 65.25])),
        ];
        for (name, expected) in tables {
            assert_eq!(scores(name), expected);
        }
        // The two base arms differ only in the groups of the evaluation.
        for (one, other) in [("CT1", "CT5"), ("CT4", "CT8")] {
            let comparison = |name: &str| match &study.arms[name] {
                Arm::Training { settings, .. } => match &**settings {
                    train::Settings::Comparison(settings) => settings.clone(),
                    _ => panic!("{name} compares no moves"),
                },
                _ => panic!("{name} is not trained"),
            };
            let (one, other) = (comparison(one), comparison(other));
            assert!(one.groups.len() == 9 && other.groups.len() == 4);
            let groups = one.groups.clone();
            assert_eq!(one, train::comparison::Settings { groups, ..other });
        }
    }
}
