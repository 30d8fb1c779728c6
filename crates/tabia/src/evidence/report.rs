//! The statistics of a match as text and as JSON.

use super::counts::Given;
use super::test::Described;
use arena::statistics::{
    self, Counts, Decision, Judgement, Pentanomial, SequentialEstimate, Sprt, Strength, Trinomial,
};
use serde::Serialize;
use std::fmt::{self, Display};

/// The statistics that follow from the counts.
#[derive(Serialize)]
pub(crate) struct Report {
    games: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    trinomial: Option<Trinomial>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pairs: Option<PairReport>,
    #[serde(flatten)]
    strength: Strength,
    #[serde(skip_serializing_if = "Option::is_none")]
    game_draw_ratio: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sprt: Option<SprtReport>,
}

#[derive(Serialize)]
struct PairReport {
    count: u64,
    pentanomial: [u64; 5],
    draw_ratio: Option<f64>,
    won_to_lost: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    win_loss_to_draw_draw: Option<f64>,
}

#[derive(Serialize)]
struct SprtReport {
    #[serde(flatten)]
    test: Described,
    #[serde(flatten)]
    judgement: Judgement,
    /// The same test by single games instead of pairs.
    #[serde(skip_serializing_if = "Option::is_none")]
    trinomial_llr: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    bayes_elo_llr: Option<f64>,
    after: Option<SequentialEstimate>,
}

impl Report {
    pub(crate) fn new(given: Given, sprt: Option<Sprt>) -> Self {
        let trinomial = given.games();
        Self {
            games: given.histogram().games() as u64,
            trinomial,
            pairs: given.five().map(|five| PairReport::new(five, &given)),
            strength: Strength::of(&given),
            game_draw_ratio: trinomial.and_then(|games| games.draw_ratio()),
            sprt: sprt.map(|sprt| SprtReport::new(sprt, &given)),
        }
    }
}

impl PairReport {
    fn new(five: [u64; 5], given: &Given) -> Self {
        let six = match given {
            Given::Six(pairs) => Some(pairs),
            Given::Five(_) | Given::Games(_) => None,
        };
        Self {
            count: five.iter().sum(),
            pentanomial: five,
            draw_ratio: statistics::pair_draw_ratio(five),
            won_to_lost: statistics::pairs_ratio(five),
            win_loss_to_draw_draw: six.and_then(Pentanomial::win_loss_to_draw_draw),
        }
    }
}

impl SprtReport {
    fn new(sprt: Sprt, given: &Given) -> Self {
        let [elo0, elo1] = sprt.hypotheses();
        let bayes_elo_llr = match given {
            Given::Games(games) => Some(statistics::bayes_elo_llr(games, elo0, elo1)),
            Given::Five(_) | Given::Six(_) => None,
        };
        let trinomial_llr = match given {
            Given::Six(pairs) => Some(sprt.judge(&pairs.games()).llr),
            Given::Games(_) | Given::Five(_) => None,
        };
        Self {
            test: Described(sprt),
            judgement: sprt.judge(given),
            trinomial_llr,
            bayes_elo_llr,
            after: sprt.estimate(given),
        }
    }
}

impl Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        row(f, "games", self.games)?;
        if let Some(games) = &self.trinomial {
            let Trinomial {
                losses,
                draws,
                wins,
            } = games;
            row(
                f,
                "lost, drawn, won",
                format_args!("{losses} {draws} {wins}"),
            )?;
        }
        if let Some(pairs) = &self.pairs {
            row(f, "pairs", pairs.count)?;
            let five = pairs.pentanomial.map(|count| count.to_string());
            row(f, "Ptnml", five.join(" "))?;
        }
        row(f, "score", percent(self.strength.score))?;
        row(f, "Elo", self.strength.elo)?;
        row(f, "normalized Elo", self.strength.normalized_elo)?;
        row(f, "LOS", percent(self.strength.los))?;
        if let Some(ratio) = self.game_draw_ratio {
            row(f, "games drawn", percent(ratio))?;
        }
        if let Some(pairs) = &self.pairs {
            pairs.write_ratios(f)?;
        }
        match &self.sprt {
            Some(sprt) => sprt.fmt(f),
            None => Ok(()),
        }
    }
}

impl PairReport {
    fn write_ratios(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(ratio) = self.draw_ratio {
            row(f, "pairs drawn", percent(ratio))?;
        }
        for (name, ratio) in [
            ("pairs won/lost", self.won_to_lost),
            ("WL/DD", self.win_loss_to_draw_draw),
        ] {
            if let Some(ratio) = ratio {
                row(f, name, format_args!("{ratio:.2}"))?;
            }
        }
        Ok(())
    }
}

impl Display for SprtReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f)?;
        row(f, "SPRT", &self.test)?;
        let Judgement {
            llr, lower, upper, ..
        } = self.judgement;
        row(
            f,
            "LLR",
            format_args!("{llr:.4} between {lower:.4} and {upper:.4}"),
        )?;
        if let Some(llr) = self.trinomial_llr {
            row(f, "LLR, trinomial", format_args!("{llr:.4}"))?;
        }
        if let Some(llr) = self.bayes_elo_llr {
            row(f, "LLR in BayesElo", format_args!("{llr:.4}"))?;
        }
        let decision = match self.judgement.decision {
            Decision::Continue => "none yet",
            Decision::AcceptElo0 => "failed, elo0 is accepted",
            Decision::AcceptElo1 => "passed, elo1 is accepted",
        };
        row(f, "decision", decision)?;
        match &self.after {
            Some(SequentialEstimate { elo, los }) => row(
                f,
                "Elo after SPRT",
                format_args!("{elo}, LOS {}", percent(*los)),
            ),
            None => Ok(()),
        }
    }
}

/// Writes a line of a report.
pub(crate) fn row(f: &mut fmt::Formatter<'_>, name: &str, value: impl Display) -> fmt::Result {
    writeln!(f, "{name:<17} {value}")
}

/// A share in percent.
pub(crate) fn percent(share: f64) -> String {
    format!("{:.2} %", 100.0 * share)
}
