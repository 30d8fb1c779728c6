//! How long the arms of a run took, and learning curves of trainings that play their own games. It
//! must not know what the numbers mean.

use super::document::Block;
use super::learning::{Curve, compared};
use super::story::{counted, duration};
use super::write_text;
use crate::error::LabError;
use crate::folder::Folder;
use crate::metrics::Row;
use crate::settings::{Arm, Experiment};
use std::collections::BTreeMap;
use train::Learned;
use train::metrics::{Epoch, Metrics};

/// The time of each arm, to show whether they had the same; empty for a single arm.
pub(super) fn times(experiment: &Experiment, rows: &[Row]) -> Vec<Block> {
    if experiment.arms.len() < 2 || rows.is_empty() {
        return Vec::new();
    }
    let taken = experiment.arms.keys().filter_map(|arm| {
        let own: Vec<&Row> = rows.iter().filter(|row| row.arm == *arm).collect();
        let mut seeds: Vec<u64> = own.iter().map(|row| row.seed).collect();
        seeds.sort_unstable();
        seeds.dedup();
        let count = seeds.len();
        let training: f64 = own.iter().map(|row| row.training_seconds).sum();
        let of_seed = |seed: &u64| {
            let own = own.iter().filter(|row| row.seed == *seed);
            own.map(|row| row.elapsed).fold(0.0, f64::max)
        };
        let all: f64 = seeds.iter().map(of_seed).sum();
        (count > 0).then(|| (arm, count, training / count as f64, all / count as f64))
    });
    let taken: Vec<_> = taken.collect();
    let first = taken
        .first()
        .map_or(0.0, |taken| taken.3)
        .max(f64::MIN_POSITIVE);
    let rows = taken.iter().map(|(arm, count, training, all)| {
        vec![
            (*arm).clone(),
            counted(*count, "seed"),
            duration(*training),
            duration(*all),
            format!("{:.2}", all / first),
        ]
    });
    vec![
        Block::Heading("Time by arm".to_owned()),
        Block::Paragraph(
            "Means over seeds, without final matches. Of a step that was interrupted, only the \
             time since it was last resumed is known."
                .to_owned(),
        ),
        Block::Table {
            header: vec![
                "arm",
                "",
                "training of a seed",
                "all steps of a seed",
                "relative to the first arm",
            ],
            rows: rows.collect(),
        },
    ]
}

/// Writes the curves over the epochs of the last generation; empty if no arm plays during its
/// training, or epochs are not kept.
pub(super) fn curves(folder: &Folder, experiment: &Experiment) -> Result<Vec<Block>, LabError> {
    let mut trainings = Vec::new();
    for (name, arm) in &experiment.arms {
        if arm.learner.learns_from() == Learned::OwnGames {
            let epochs = means(&of_seeds(folder, experiment, name, arm)?);
            trainings.push((name.clone(), epochs));
        }
    }
    let mut blocks = Vec::new();
    for Curve { file, title, svg } in compared(&trainings, "by epoch") {
        let file = format!("plots/epochs-{file}");
        write_text(&folder.path(&file), &svg)?;
        blocks.push(Block::Picture { file, title, svg });
    }
    if !blocks.is_empty() {
        let words = "Means over seeds, of the last generation.".to_owned();
        blocks.insert(0, Block::Paragraph(words));
        blocks.insert(0, Block::Heading("Trainings by epoch".to_owned()));
    }
    Ok(blocks)
}

/// The epochs of an arm's last trainings, seed by seed.
fn of_seeds(
    folder: &Folder,
    experiment: &Experiment,
    name: &str,
    arm: &Arm,
) -> Result<Vec<Vec<Epoch>>, LabError> {
    let mut all = Vec::new();
    for &seed in &experiment.seeds {
        let lane = folder.lane(name, seed, arm.learner.as_ref());
        let place = lane.training(experiment.generations);
        all.push(Metrics::open(&place, u64::MAX)?.epochs().to_vec());
    }
    Ok(all)
}

/// The mean of each epoch's numbers over the trainings that have it.
fn means(trainings: &[Vec<Epoch>]) -> Vec<Epoch> {
    let longest = trainings.iter().max_by_key(|epochs| epochs.len());
    let mean = |epoch: &Epoch| {
        let same = trainings
            .iter()
            .flatten()
            .filter(|it| it.epoch == epoch.epoch);
        let same: Vec<&Epoch> = same.collect();
        let number = |name: &String| {
            let known = same.iter().filter_map(|it| it.numbers.get(name));
            let (sum, count) = known.fold((0.0, 0), |(sum, count), it| (sum + it, count + 1));
            (name.clone(), sum / f64::from(count.max(1)))
        };
        Epoch {
            numbers: epoch.numbers.keys().map(number).collect::<BTreeMap<_, _>>(),
            ..epoch.clone()
        }
    };
    longest.map_or_else(Vec::new, |epochs| epochs.iter().map(mean).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_that_are_behind_count_as_far_as_they_are() {
        let epoch = |epoch: u64, entropy: f64| Epoch {
            epoch,
            step: epoch,
            loss: 1.0,
            validation_loss: 1.0,
            numbers: BTreeMap::from([("entropy".to_owned(), entropy)]),
            export: None,
            positions_a_second: None,
            arithmetic: String::new(),
            net: String::new(),
        };
        let found = means(&[vec![epoch(1, 2.0)], vec![epoch(1, 3.0), epoch(2, 1.0)]]);
        let entropies: Vec<f64> = found.iter().map(|epoch| epoch.numbers["entropy"]).collect();
        assert_eq!(entropies, [2.5, 1.0]);
        assert_eq!(means(&[]), []);
    }
}
