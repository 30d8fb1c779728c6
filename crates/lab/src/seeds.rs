//! The seeds of a run: one number for each purpose, all derived from the run's seed.
//!
//! They do not depend on the arm, so all arms of a seed begin with the same model, play from the
//! same openings and are evaluated from the same ones.

/// The purpose of a seed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Purpose {
    /// The first weights.
    Weights,
    /// The games that train generation 0.
    FirstGames,
    /// The games of a generation.
    SelfPlay,
    /// The choice of games that are held out.
    Validation,
    /// The order of positions in a training.
    Training,
    /// The openings of a match against the previous net.
    Previous,
    /// The openings of a match against generation 0.
    Baseline,
    /// The openings of evaluation games.
    Eval,
    /// The openings of the final matches.
    Finals,
    /// The openings of a selection.
    Selection,
    /// The pairings of a selection, where they are drawn at random.
    Allocation,
    /// The draws for the probabilities of being the best.
    Chance,
}

impl Purpose {
    /// The word from which seeds are derived: changing it would change every run.
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

/// The seed for a purpose in a generation of the run with this seed.
pub(crate) fn seed(run: u64, generation: u32, purpose: Purpose) -> u64 {
    let text = format!("tabia {run} {generation} {}", purpose.word());
    let mut bytes = [0; 8];
    bytes.copy_from_slice(&blake3::hash(text.as_bytes()).as_bytes()[..8]);
    // Small enough for any reader of JSON and TOML to hold exactly.
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
