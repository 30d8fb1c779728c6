//! Run files that come with the program. Their comments are the manual of run files.

/// A run file with a name.
#[derive(Clone, Copy, Debug)]
pub struct Preset {
    /// Its name.
    pub name: &'static str,
    /// A summary in one line.
    pub summary: &'static str,
    /// Its text.
    pub text: &'static str,
}

/// All presets, shortest first.
pub const PRESETS: [Preset; 13] = [
    Preset {
        name: "quickstart",
        summary: "both arms of the curriculum study with a small net, in minutes",
        text: include_str!("presets/quickstart.toml"),
    },
    Preset {
        name: "alphazero-quickstart",
        summary: "a net learns chess from nothing by its own tree searches, in minutes",
        text: include_str!("presets/alphazero-quickstart.toml"),
    },
    Preset {
        name: "curriculum-published-scaled",
        summary: "the study as published, with two minutes of games per generation",
        text: include_str!("presets/curriculum-published-scaled.toml"),
    },
    Preset {
        name: "curriculum-corrected",
        summary: "the study with correct labels, equal data, enough training and 12 seeds",
        text: include_str!("presets/curriculum-corrected.toml"),
    },
    Preset {
        name: "horizon-and-adjudication",
        summary: "short games and material adjudication separately, in four arms",
        text: include_str!("presets/horizon-and-adjudication.toml"),
    },
    Preset {
        name: "overnight",
        summary: "a stronger net, trained from scratch with nothing but this program",
        text: include_str!("presets/overnight.toml"),
    },
    Preset {
        name: "treestrap",
        summary: "an evaluation learns from its own searches, from material alone, in half an hour",
        text: include_str!("presets/treestrap.toml"),
    },
    Preset {
        name: "alphazero-taught",
        summary: "a net that learns from a teacher, then from its own tree searches, in four hours",
        text: include_str!("presets/alphazero-taught.toml"),
    },
    Preset {
        name: "alphazero-zero",
        summary: "the same starting from random weights, in eight hours; explains every key",
        text: include_str!("presets/alphazero-zero.toml"),
    },
    Preset {
        name: "alphazero-corrected",
        summary: "the published self-learning loop without its mistakes",
        text: include_str!("presets/alphazero-corrected.toml"),
    },
    Preset {
        name: "alphazero-published",
        summary: "the published self-learning loop, mistakes included",
        text: include_str!("presets/alphazero-published.toml"),
    },
    Preset {
        name: "sequence-reinforcement",
        summary: "a model of human games learns by playing, by searching, or from more games",
        text: include_str!("presets/sequence-reinforcement.toml"),
    },
    Preset {
        name: "curriculum-published",
        summary: "the study as published, with its net, its times and its 10,000 games",
        text: include_str!("presets/curriculum-published.toml"),
    },
];

/// The preset with this name.
pub fn find(name: &str) -> Option<&'static Preset> {
    PRESETS.iter().find(|preset| preset.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run_file::check;
    use crate::settings::{Experiment, read};
    use arena::selfplay::Amount;

    fn experiment(name: &str) -> Experiment {
        let preset = find(name).expect("a preset");
        read(preset.text, &train::learners()).unwrap_or_else(|error| {
            panic!("{name}:{}: {error}", error.line(preset.text));
        })
    }

    fn settings_of(arm: &crate::settings::Arm) -> serde_json::Value {
        arm.learner.settings().expect("it can be written")
    }

    #[test]
    fn every_preset_can_be_run() {
        for preset in &PRESETS {
            let experiment = experiment(preset.name);
            check(&experiment).expect("openings enough");
            assert!(experiment.title.is_some() && experiment.question.is_some());
            assert!(
                preset.text.starts_with("# "),
                "{} has no remark",
                preset.name
            );
        }
        assert!(find("quick").is_none());
    }

    #[test]
    fn the_published_settings_are_those_of_the_study() {
        let study = experiment("curriculum-published");
        assert_eq!((study.generations, study.verdict.games), (6, 10_000));
        assert!(study.is_timed());
        let [control, curriculum] = ["control", "curriculum"].map(|name| &study.arms[name]);
        let horizons = |arm: &crate::settings::Arm| -> Vec<u32> {
            let horizon = arm.selfplay.horizon.as_ref().expect("a horizon");
            (1..=6)
                .map(|generation| horizon.plies(generation))
                .collect()
        };
        assert_eq!(horizons(control), [250; 6]);
        assert_eq!(horizons(curriculum), [20, 20, 40, 50, 60, 70]);
        for arm in [control, curriculum] {
            assert_eq!(settings_of(arm)["net"]["hidden"], 1536);
            assert_eq!(arm.amount.minutes, Some(10.0));
            assert_eq!(arm.selfplay.pace(1).to_string(), "depth=8");
            let train = &settings_of(arm)["train"];
            assert_eq!(train["positions"], 100_000);
            assert_eq!(train["batch"], 2_048);
            assert_eq!(train["white_labels"], true);
            assert_eq!(arm.buffer.positions.of(1), 8_000_000);
            assert_eq!(arm.buffer.decisive, Some(0.8));
            assert_eq!((arm.gate.games(), arm.gate.baseline_games()), (200, 200));
            assert_eq!(arm.gate.horizon, 250);
            let first = arm.generation_0.as_ref().expect("a first net");
            assert_eq!((first.games, first.depth), (10, 6));
            assert_eq!((first.positions, first.batch), (100, 16));
        }
        // Nothing else differs between the arms.
        let mut other = curriculum.clone();
        other.selfplay.horizon.clone_from(&control.selfplay.horizon);
        other.selfplay.at_horizon = control.selfplay.at_horizon;
        assert_eq!(&other, control);
    }

    #[test]
    fn the_corrected_settings_are_equal_but_for_the_curriculum() {
        let study = experiment("curriculum-corrected");
        assert!(study.seeds.len() >= 8 && !study.is_timed());
        assert!(study.verdict.games >= 1_000);
        for arm in study.arms.values() {
            assert_eq!(settings_of(arm)["train"]["white_labels"], false);
            let Amount::Positions(positions) = arm.amount.amount(1) else {
                panic!("positions are not given");
            };
            assert!((20_000..=50_000).contains(&positions));
        }
        let four = experiment("horizon-and-adjudication");
        assert_eq!((four.arms.len(), four.verdict.effects.len()), (4, 3));
    }
}
