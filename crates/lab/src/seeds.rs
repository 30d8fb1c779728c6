//! The seeds of a run: one number for each purpose, all derived from one seed.
//!
//! No arm is a part of it, so that all arms of a seed begin with the same net, play
//! from the same openings and are judged by the same ones.

/// What a number is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Purpose {
    /// The first weights.
    Weights,
    /// The games of generation 0.
    FirstGames,
    /// The games of a generation.
    SelfPlay,
    /// Which games are held out.
    Validation,
    /// The order of positions in a training.
    Training,
    /// The openings of a match against the previous net.
    Previous,
    /// The openings of a match against generation 0.
    Baseline,
    /// The openings of games for the record.
    Eval,
    /// The openings of the final matches.
    Finals,
    /// The openings of a selection.
    Selection,
    /// Who meets whom in a selection, where that is drawn by lot.
    Allocation,
    /// The draws behind the chances of being the best.
    Chance,
}

impl Purpose {
    /// The word that numbers are made of: another one would change every run.
    fn word(self) -> &'static str {
        match self {
            Purpose::Weights => "Weights",
            Purpose::FirstGames => "FirstGames",
            Purpose::SelfPlay => "SelfPlay",
            Purpose::Validation => "Validation",
            Purpose::Training => "Training",
            Purpose::Previous => "Previous",
            Purpose::Baseline => "Baseline",
            Purpose::Eval => "Eval",
            Purpose::Finals => "Finals",
            Purpose::Selection => "Selection",
            Purpose::Allocation => "Allocation",
            Purpose::Chance => "Chance",
        }
    }
}

/// The number for a purpose in a generation of the run with this seed.
pub(crate) fn seed(run: u64, generation: u32, purpose: Purpose) -> u64 {
    let text = format!("tabia {run} {generation} {}", purpose.word());
    let mut bytes = [0; 8];
    bytes.copy_from_slice(&blake3::hash(text.as_bytes()).as_bytes()[..8]);
    // Within what every reader of JSON and TOML can hold exactly.
    u64::from_le_bytes(bytes) >> 11
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_pinned_and_apart() {
        assert_eq!(seed(1, 1, Purpose::SelfPlay), 4_472_899_359_319_332);
        let mut all = vec![
            seed(1, 1, Purpose::SelfPlay),
            seed(1, 2, Purpose::SelfPlay),
            seed(2, 1, Purpose::SelfPlay),
            seed(1, 1, Purpose::Training),
            seed(11, 0, Purpose::SelfPlay),
        ];
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), 5);
        assert!(all.iter().all(|number| *number < 1 << 53));
    }
}
