//! Ladder files that come with the program. Their comments are the manual.

use crate::presets::Preset;

/// All presets.
pub const PRESETS: [Preset; 2] = [
    Preset {
        name: "stockfish",
        summary: "levels of Stockfish and fixed searches of this program",
        text: include_str!("presets/stockfish.toml"),
    },
    Preset {
        name: "small",
        summary: "fixed searches of this program only, with few games",
        text: include_str!("presets/small.toml"),
    },
];

#[cfg(test)]
mod tests {
    use super::super::settings::read;
    use super::*;

    #[test]
    fn presets_can_be_read() {
        for preset in &PRESETS {
            let Preset { name, text, .. } = preset;
            assert!(
                text.starts_with(&format!("# {name}: ")),
                "{name} has no remark"
            );
            let settings = read(text);
            let settings = settings.unwrap_or_else(|error| panic!("{name}: {error}"));
            let [fewest, most] = settings.all_games();
            assert!(0 < fewest && fewest <= most);
            assert_eq!(settings.levels.is_empty(), *name == "small");
        }
    }
}
