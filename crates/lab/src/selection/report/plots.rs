//! Charts of strength and of loss, over the same epochs.

use super::super::candidates::Candidate;
use super::super::course::Course;
use crate::report::Plot;
use crate::report::chart::{Chart, Point, Series, color};

/// The charts that have something to show.
pub(super) fn all(course: &Course) -> Vec<Plot> {
    let axis = Axis::new(&course.field.candidates);
    let Some(standings) = course.standings() else {
        return Vec::new();
    };
    let field = &course.field;
    let strength = standings.rows.iter().map(|row| Point {
        x: axis.place(row.candidate),
        y: row.elo.value,
        low: row.elo.lower,
        high: row.elo.upper,
    });
    let name = field.name(field.baseline);
    let chosen = course.choice.as_ref();
    let title = match chosen {
        Some(choice) => format!("Strength; chosen: {}", field.name(choice.candidate)),
        None => "Strength".to_owned(),
    };
    let losses = field.candidates.iter().enumerate();
    let losses = losses.filter_map(|(number, candidate)| {
        let loss = candidate.validation_loss?;
        Some(Point {
            x: axis.place(number),
            y: loss,
            low: loss,
            high: loss,
        })
    });
    let strength = axis.plot(
        "strength.svg",
        title,
        (format!("Elo above {name}, all games, 95 %"), "Elo"),
        vec![0.0],
        (0, strength.collect()),
    );
    let loss = axis.plot(
        "loss.svg",
        "Validation loss".to_owned(),
        ("validation loss".to_owned(), "loss"),
        Vec::new(),
        (1, losses.collect()),
    );
    [strength, loss].into_iter().flatten().collect()
}

/// The horizontal positions of candidates: by epoch if all have one.
struct Axis {
    places: Vec<f64>,
    label: &'static str,
}

impl Axis {
    fn new(candidates: &[Candidate]) -> Axis {
        let epochs: Option<Vec<f64>> = candidates
            .iter()
            .map(|candidate| candidate.epoch.map(f64::from))
            .collect();
        match epochs {
            Some(places) => Axis {
                places,
                label: "epoch",
            },
            None => Axis {
                places: (1..=candidates.len()).map(|place| place as f64).collect(),
                label: "candidate, by name",
            },
        }
    }

    fn place(&self, candidate: usize) -> f64 {
        self.places[candidate]
    }

    fn plot(
        &self,
        file: &'static str,
        title: String,
        (name, y_label): (String, &'static str),
        included: Vec<f64>,
        (number, mut points): (usize, Vec<Point>),
    ) -> Option<Plot> {
        if points.is_empty() {
            return None;
        }
        points.sort_by(|one, other| one.x.total_cmp(&other.x));
        let chart = Chart {
            title: title.clone(),
            x_label: self.label,
            y_label,
            series: vec![Series {
                name,
                color: color(number),
                points,
                faint: Vec::new(),
            }],
            included,
            included_along: self.places.clone(),
        };
        Some(Plot {
            file,
            title,
            svg: chart.svg(),
        })
    }
}
