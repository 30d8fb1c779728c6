//! Learning curves of trainings: losses, and any other numbers that a kind of training measures,
//! epoch by epoch. It must not know what the numbers mean.

use super::chart::{self, COLORS, Chart, Point, Series};
use std::collections::BTreeSet;
use train::metrics::Epoch;

/// Added to the titles of numbers measured on validation positions.
pub(crate) const OF_VALIDATION: &str = "on validation positions";

/// A chart of a training.
#[derive(Clone, PartialEq, Debug)]
pub struct Curve {
    /// The name for its file.
    pub file: String,
    /// Its title.
    pub title: String,
    /// The picture.
    pub svg: String,
}

/// The curves of one training: both losses in one chart, every other number in its own.
pub(super) fn learning_curves(epochs: &[Epoch]) -> Vec<Curve> {
    if epochs.is_empty() {
        return Vec::new();
    }
    let losses = vec![
        series(0, "training", epochs, &|epoch| Some(epoch.loss)),
        series(1, "validation", epochs, &|epoch| {
            Some(epoch.validation_loss)
        }),
    ];
    let mut curves = vec![curve("losses", "Losses", losses)];
    for name in names(epochs) {
        let read = |epoch: &Epoch| epoch.numbers.get(&name).copied();
        let line = series(0, "validation", epochs, &read);
        curves.push(curve(&name, &title(&name, OF_VALIDATION), vec![line]));
    }
    curves
}

/// The curves of several trainings in one chart per number; `of` is added to the titles. A chart
/// has no more lines than there are colours.
pub(crate) fn compared(trainings: &[(String, Vec<Epoch>)], of: &str) -> Vec<Curve> {
    let all = trainings.iter().flat_map(|(_, epochs)| epochs);
    let mut curves = Vec::new();
    for name in names(all) {
        let read = |epoch: &Epoch| epoch.numbers.get(&name).copied();
        let with = trainings
            .iter()
            .filter(|(_, epochs)| epochs.iter().any(|epoch| read(epoch).is_some()));
        let with: Vec<_> = with.collect();
        for (part, trainings) in with.chunks(COLORS.len()).enumerate() {
            let lines = trainings.iter().enumerate();
            let lines = lines.map(|(number, (arm, epochs))| series(number, arm, epochs, &read));
            let file = match with.len() > COLORS.len() {
                true => format!("{name}-{}", part + 1),
                false => name.clone(),
            };
            curves.push(curve(&file, &title(&name, of), lines.collect()));
        }
    }
    curves
}

/// The names of all numbers.
fn names<'a>(epochs: impl IntoIterator<Item = &'a Epoch>) -> BTreeSet<String> {
    let names = epochs.into_iter().flat_map(|epoch| epoch.numbers.keys());
    names.cloned().collect()
}

fn title(name: &str, of: &str) -> String {
    let words = name.replace('_', " ");
    format!("{words} {of}")
}

fn series(
    number: usize,
    name: &str,
    epochs: &[Epoch],
    read: &dyn Fn(&Epoch) -> Option<f64>,
) -> Series {
    let point = |epoch: &Epoch| {
        let y = read(epoch).filter(|number| number.is_finite())?;
        Some(Point {
            x: epoch.epoch as f64,
            y,
            low: y,
            high: y,
        })
    };
    Series {
        name: name.to_owned(),
        color: chart::color(number),
        points: epochs.iter().filter_map(point).collect(),
        faint: Vec::new(),
    }
}

fn curve(name: &str, title: &str, series: Vec<Series>) -> Curve {
    let chart = Chart {
        title: title.to_owned(),
        x_label: "epoch",
        y_label: "",
        series,
        included: Vec::new(),
        included_along: Vec::new(),
    };
    Curve {
        file: format!("{}.svg", name.replace('_', "-")),
        title: title.to_owned(),
        svg: chart.svg(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn epochs(count: u64, shift: f64) -> Vec<Epoch> {
        let epoch = |epoch: u64| Epoch {
            epoch,
            step: epoch,
            loss: 1.0 / epoch as f64,
            validation_loss: 1.5 / epoch as f64,
            numbers: BTreeMap::from([("top_1".to_owned(), shift + 0.1 * epoch as f64)]),
            export: None,
            positions_a_second: None,
            arithmetic: String::new(),
            net: String::new(),
        };
        (1..=count).map(epoch).collect()
    }

    #[test]
    fn a_training_has_a_curve_for_each_number() {
        let curves = learning_curves(&epochs(3, 0.0));
        let files: Vec<_> = curves.iter().map(|curve| curve.file.as_str()).collect();
        assert_eq!(files, ["losses.svg", "top-1.svg"]);
        assert_eq!(curves[0].svg.matches("<circle").count(), 6);
        assert_eq!(curves[1].title, "top 1 on validation positions");
        assert_eq!(learning_curves(&[]), []);
    }

    #[test]
    fn charts_have_no_more_lines_than_colors() {
        let trainings: Vec<_> = (0..8)
            .map(|arm| (format!("arm-{arm}"), epochs(2, 0.01 * f64::from(arm))))
            .collect();
        let curves = compared(&trainings, OF_VALIDATION);
        let files: Vec<_> = curves.iter().map(|curve| curve.file.as_str()).collect();
        assert_eq!(files, ["top-1-1.svg", "top-1-2.svg"]);
        assert_eq!(curves[1].svg.matches("<circle").count(), 4);
        assert_eq!(
            compared(&trainings[..2], OF_VALIDATION)[0].file,
            "top-1.svg"
        );
    }
}
