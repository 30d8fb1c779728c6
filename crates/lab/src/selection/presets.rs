//! Selection files that come with the program. Their comments are the manual.

use crate::presets::Preset;

/// All presets.
pub const PRESETS: [Preset; 2] = [
    Preset {
        name: "small",
        summary: "about 16 small nets on two cores, in minutes; most games go to candidates that \
            are close",
        text: include_str!("presets/small.toml"),
    },
    Preset {
        name: "published",
        summary: "26 epochs, then 8, then 4, then a test: 21,500 games and the test",
        text: include_str!("presets/published.toml"),
    },
];

#[cfg(test)]
mod tests {
    use super::super::settings::{Allocation, Settings, read};
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
    fn the_published_numbers_are_those_of_the_source() {
        let published = settings("published");
        // 26 of 150 epochs.
        let taken = (1..=150_u32).filter(|epoch| {
            let wanted = &published.candidates;
            *epoch >= wanted.from && (epoch - wanted.from).is_multiple_of(wanted.every)
        });
        assert_eq!(taken.count(), 26);
        assert_eq!(
            (published.gauntlet.games, published.gauntlet.keep),
            (100, 8)
        );
        assert_eq!(published.round_robin.games, 1_750);
        assert_eq!((published.peak.size, published.peak.games), (4, 6_000));
        for allocation in [published.round_robin.allocation, published.peak.allocation] {
            assert_eq!(allocation, Allocation::Even);
        }
        let [elo0, elo1] = published.last.sprt.hypotheses();
        assert_eq!(elo0, -elo1);
    }

    #[test]
    fn the_small_one_spends_games_where_it_is_open() {
        let small = settings("small");
        assert!(!small.is_timed());
        for allocation in [small.round_robin.allocation, small.peak.allocation] {
            assert!(matches!(allocation, Allocation::Open { .. }));
        }
        // There are enough openings for all games.
        assert!(small.games.random_plies > 0);
    }
}
