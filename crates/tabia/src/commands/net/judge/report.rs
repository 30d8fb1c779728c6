//! The results of judging a model: a table, JSON, and a picture.

use super::{BAND, BANDS, PHASES, TIMES};
use crate::picture::Picture;
use serde::Serialize;
use std::fmt::{self, Display};
use train::prediction::{BINS, Judgement, Ranking};

/// The name of a subset of plies.
fn name(part: usize) -> String {
    let Some(phase) = part.checked_sub(1) else {
        return "all".to_owned();
    };
    let Some(band) = phase.checked_sub(PHASES.len()) else {
        return PHASES[phase].1.to_owned();
    };
    match band.checked_sub(BANDS) {
        Some(time) => TIMES[time].1.to_owned(),
        None => {
            let first = band as u16 * BAND;
            format!("{first}-{}", first + BAND - 1)
        }
    }
}

#[derive(Serialize)]
pub(super) struct Report {
    model: String,
    games: usize,
    rows: Vec<Row>,
    /// For each tenth of expected results: the expected result, the real one, and the number of
    /// positions.
    reliability: [[f64; 3]; BINS],
}

#[derive(Serialize)]
struct Row {
    part: String,
    moves: u64,
    #[serde(flatten)]
    ranks: Ranks,
    #[serde(skip_serializing_if = "Option::is_none")]
    raw: Option<RawRow>,
    value_loss: f64,
    base_rate_loss: f64,
    calibration_error: f64,
    /// For a model that predicts thinking times, as in training.
    #[serde(skip_serializing_if = "Option::is_none")]
    think_loss: Option<f64>,
    /// For a model that predicts resignations.
    #[serde(skip_serializing_if = "Option::is_none")]
    resign_loss: Option<f64>,
}

/// The quality of a ranking of moves.
#[derive(Serialize)]
struct Ranks {
    cross_entropy: f64,
    perplexity: f64,
    top_1: f64,
    top_3: f64,
    top_5: f64,
    hr_10: f64,
    mrr: f64,
}

/// The same for a ranking of all moves, and how often the first one is legal.
#[derive(Serialize)]
struct RawRow {
    #[serde(flatten)]
    ranks: Ranks,
    legal: f64,
}

impl Ranks {
    fn new(ranking: &Ranking, judged: &Judgement) -> Ranks {
        let mean = |sum: f64| judged.per_move(sum);
        let cross_entropy = mean(ranking.cross_entropy);
        let [top_1, top_3, top_5, hr_10] = ranking.top.map(mean);
        Ranks {
            cross_entropy,
            perplexity: cross_entropy.exp(),
            top_1,
            top_3,
            top_5,
            hr_10,
            mrr: mean(ranking.reciprocal_rank),
        }
    }
}

impl Row {
    fn new(part: usize, judged: &Judgement, raw: bool) -> Row {
        Row {
            part: name(part),
            moves: judged.moves as u64,
            ranks: Ranks::new(&judged.legal, judged),
            raw: raw.then(|| RawRow {
                ranks: Ranks::new(&judged.raw, judged),
                legal: judged.per_move(judged.raw_legal),
            }),
            value_loss: judged.mean_value_loss(),
            base_rate_loss: judged.base_rate_loss(),
            calibration_error: judged.calibration_error(),
            think_loss: judged.mean_think_loss(),
            resign_loss: judged.mean_resign_loss(),
        }
    }
}

impl Report {
    pub(super) fn new(model: String, games: usize, raw: bool, judged: &[Judgement]) -> Report {
        let rows = judged.iter().enumerate();
        let rows = rows.filter(|(_, judged)| judged.moves > 0.0);
        let reliability = judged[0].bins.map(|[expected, real, count]| {
            let mean = |sum: f64| sum / count.max(1.0);
            [mean(expected), mean(real), count]
        });
        Report {
            model,
            games,
            rows: rows
                .map(|(part, judged)| Row::new(part, judged, raw))
                .collect(),
            reliability,
        }
    }

    /// Draws expected and real results, with the number of positions.
    pub(super) fn draw(&self) -> String {
        let mut picture = Picture::new(2);
        let error = self.rows.first().map_or(0.0, |row| row.calibration_error);
        let frame = picture.chart(
            "result by expected result, 0 to 1",
            format_args!("ECE {error:.3}"),
        );
        picture.mark(frame, 0.0, 1.0);
        let known = self.reliability.iter().filter(|[_, _, count]| *count > 0.0);
        picture.path(frame, known.map(|&[expected, real, _]| (expected, real)));
        let frame = picture.chart("positions by expected result", "");
        picture.bars(frame, &self.reliability.map(|[_, _, count]| count as u64));
        picture.finish()
    }
}

impl Display for Ranks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Ranks {
            cross_entropy,
            perplexity,
            top_1,
            top_3,
            top_5,
            hr_10,
            mrr,
        } = self;
        write!(
            f,
            "{cross_entropy:>6.3} {perplexity:>8.2} {top_1:>6.3} {top_3:>6.3} {top_5:>6.3} \
             {hr_10:>6.3} {mrr:>6.3}"
        )
    }
}

impl Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ranks = "    CE      ppl  top-1  top-3  top-5  hr@10    MRR";
        writeln!(f, "{}, {} games", self.model, self.games)?;
        writeln!(f, "{:<12} {:>9} {ranks}  value   base    ECE", "", "moves")?;
        for row in &self.rows {
            let Row {
                part, moves, ranks, ..
            } = row;
            write!(f, "{part:<12} {moves:>9} {ranks}")?;
            for number in [row.value_loss, row.base_rate_loss, row.calibration_error] {
                write!(f, " {number:>6.3}")?;
            }
            writeln!(f)?;
        }
        let Some(all) = self.rows.first() else {
            return Ok(());
        };
        if let Some(RawRow { ranks, legal }) = &all.raw {
            writeln!(f, "{:<22} {ranks}", "among all moves")?;
            writeln!(f, "first of all moves legal: {legal:.3}")?;
        }
        for (name, loss) in [
            ("thinking time", all.think_loss),
            ("resignation", all.resign_loss),
        ] {
            if let Some(loss) = loss {
                writeln!(f, "loss of the {name}: {loss:.4}")?;
            }
        }
        Ok(())
    }
}
