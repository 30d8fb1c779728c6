//! All models of a run on one scale, by a joint fit of all their games.
//!
//! Matches against generation 0 say nothing more once every game is won. The games of candidates
//! against their predecessors still do, and one fit combines both. Models of different seeds never
//! meet, so each seed has its own scale, on which its generation 0 has the rating 0.

use crate::state::{Line, Step};
use crate::steps::{Beginning, Met};
use arena::ratings::{Anchor, Results, rate};
use arena::statistics::Estimate;
use std::collections::{BTreeMap, BTreeSet};

/// The ratings of a run's models, by seed and name.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct Ratings(BTreeMap<(u64, String), Estimate>);

impl Ratings {
    /// Rates all models that have played.
    pub(crate) fn of(lines: &[Line]) -> Ratings {
        let seeds: BTreeSet<u64> = lines.iter().map(|line| line.place.seed).collect();
        let rated = seeds.into_iter().flat_map(|seed| {
            let own: Vec<&Line> = lines
                .iter()
                .filter(|line| line.place.seed == seed)
                .collect();
            let players = of_seed(&own).unwrap_or_default();
            players
                .into_iter()
                .map(move |(name, rating)| ((seed, name), rating))
        });
        Ratings(rated.collect())
    }

    /// The Elo of a model above generation 0 of its seed, if it has played.
    pub(crate) fn find(&self, seed: u64, model: &str) -> Option<Estimate> {
        self.0.get(&(seed, model.to_owned())).copied()
    }
}

/// The ratings of the models of one seed; `None` if generation 0 has no games.
fn of_seed(lines: &[&Line]) -> Option<Vec<(String, Estimate)>> {
    let mut results = Results::new();
    for line in lines {
        let is_match = matches!(
            line.place.step,
            Step::Previous | Step::Baseline | Step::Eval | Step::Final | Step::HeadToHead
        );
        let Some(met) = is_match.then(|| line.result::<Met>()).flatten() else {
            continue;
        };
        // A match of a model against itself says nothing about others.
        if let (Some([white, black]), false) = (met.white, met.is_same_model()) {
            let [first, second] = &met.models;
            results.add(first, second, white);
            results.add(second, first, black);
        }
    }
    let mut beginnings = lines
        .iter()
        .filter(|line| line.place.step == Step::Beginning);
    let first = beginnings.find_map(|line| {
        let name = line.result::<Beginning>()?.model.name;
        results.find(&name).map(|_| name)
    })?;
    let anchor = Anchor {
        name: first,
        elo: 0.0,
    };
    let list = rate(&results, &[anchor]).ok()?;
    let players = list.players.into_iter();
    Some(players.map(|player| (player.name, player.rating)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::Place;
    use arena::statistics::Trinomial;
    use serde_json::json;

    fn line(step: Step, generation: u32, result: serde_json::Value) -> Line {
        let place = Place {
            arm: "a".to_owned(),
            seed: 3,
            generation,
            step,
            other: None,
        };
        let line = json!({
            "arm": place.arm, "seed": place.seed, "generation": generation, "step": step,
            "at": "2026-01-01T00:00:00Z", "seconds": 1.0, "result": result,
        });
        serde_json::from_value(line).expect("a line")
    }

    fn met(generation: u32, step: Step, models: [&str; 2], wdl: [u64; 3]) -> Line {
        let [wins, draws, losses] = wdl;
        let own = Trinomial {
            wins,
            draws,
            losses,
        };
        let other = Trinomial {
            wins: losses,
            draws,
            losses: wins,
        };
        let counts = json!({
            "loss_loss": 0, "loss_draw": 0, "win_loss": 0, "draw_draw": 0, "win_draw": 0,
            "win_win": 0,
        });
        let counts =
            serde_json::to_value(arena::statistics::Pentanomial::default()).unwrap_or(counts);
        let result = json!({ "counts": counts, "models": models, "white": [own, other] });
        line(step, generation, result)
    }

    fn beginning() -> Line {
        let file = json!({ "path": "x", "blake3": "", "bytes": 1 });
        let model = json!({ "file": file, "name": "n0" });
        line(
            Step::Beginning,
            0,
            json!({ "model": model, "checkpoint": file }),
        )
    }

    /// The rating still rises when every game against generation 0 is won.
    #[test]
    fn strength_is_seen_beyond_a_clean_sheet() {
        let lines = [
            beginning(),
            met(1, Step::Previous, ["n1", "n0"], [60, 20, 20]),
            met(1, Step::Baseline, ["n1", "n0"], [60, 20, 20]),
            met(2, Step::Previous, ["n2", "n1"], [60, 20, 20]),
            met(2, Step::Baseline, ["n2", "n0"], [100, 0, 0]),
            met(3, Step::Previous, ["n3", "n2"], [60, 20, 20]),
            met(3, Step::Baseline, ["n3", "n0"], [100, 0, 0]),
        ];
        let ratings = Ratings::of(&lines);
        let elo = |model: &str| ratings.find(3, model).expect(model);
        assert_eq!(elo("n0").value, 0.0);
        assert!(elo("n1").lower > 0.0 && elo("n2").value > elo("n1").value + 80.0);
        assert!(elo("n3").value > elo("n2").value + 80.0);
        assert!(elo("n3").upper.is_finite());
        assert_eq!(ratings.find(4, "n1"), None);
    }

    #[test]
    fn a_model_that_meets_itself_is_not_rated() {
        let lines = [beginning(), met(1, Step::Final, ["n0", "n0"], [5, 10, 5])];
        assert_eq!(Ratings::of(&lines), Ratings::default());
    }
}
