//! The report for people.

use super::super::counts::{Count, percent, row};
use super::{HistogramReport, Report};
use std::fmt::{self, Display};

/// The length of the longest bar.
const LONGEST: usize = 50;

impl Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = self.positions - self.marked;
        for (name, count) in [
            ("positions", self.positions),
            ("chains", self.chains),
            ("games", self.games),
        ] {
            writeln!(f, "{name:<18} {:>14}", Count(count))?;
        }
        row(f, "marked", self.marked, self.positions)?;
        if let Some(duplicates) = self.duplicates {
            row(f, "duplicates", duplicates, all)?;
        }
        let [losses, draws, wins] = self.results;
        let [white_losses, white_draws, white_wins] = self.white_results;
        for (name, count) in [
            ("White to move", self.white_to_move),
            ("Black to move", self.black_to_move),
            ("wins", wins),
            ("draws", draws),
            ("losses", losses),
            ("White wins", white_wins),
            ("White draws", white_draws),
            ("White loses", white_losses),
            ("in check", self.checks),
            ("captures", self.captures),
            ("promotions", self.promotions),
            ("castlings", self.castlings),
            ("no move", self.without_move),
            ("mate scores", self.decisive),
            ("score contradicted", self.contradictions),
        ] {
            row(f, name, count, all)?;
        }
        histogram(f, "score in centipawns, without mates", &self.scores)?;
        histogram(f, "men", &self.pieces)?;
        histogram(f, "ply", &self.plies)?;
        kings(f, "White's king", &self.white_kings)?;
        kings(f, "Black's king", &self.black_kings)
    }
}

fn histogram(f: &mut fmt::Formatter<'_>, title: &str, report: &HistogramReport) -> fmt::Result {
    let most = report
        .counts
        .iter()
        .chain([&report.below, &report.above])
        .copied()
        .max()
        .unwrap_or(0);
    let total: u64 = report.counts.iter().sum::<u64>() + report.below + report.above;
    write!(f, "\n{title}")?;
    match report.mean {
        Some(mean) => writeln!(f, ", mean {mean:.2}")?,
        None => writeln!(f)?,
    }
    let mut line = |name: String, count: u64| {
        if count == 0 {
            return Ok(());
        }
        let length = (count as f64 / most as f64 * LONGEST as f64).ceil() as usize;
        let share = percent(count, total);
        writeln!(
            f,
            "{name:>7} {:>14} {share:>6.2} % {}",
            Count(count),
            "#".repeat(length)
        )
    };
    line(format!("< {}", report.first), report.below)?;
    let mut start = report.first;
    for &count in &report.counts {
        line(start.to_string(), count)?;
        start += report.width;
    }
    line(format!(">= {start}"), report.above)
}

/// Writes a board with shares in thousandths.
fn kings(f: &mut fmt::Formatter<'_>, title: &str, counts: &[u64]) -> fmt::Result {
    let total: u64 = counts.iter().sum();
    writeln!(f, "\n{title}, per mille")?;
    for (rank, squares) in counts.chunks(8).enumerate().rev() {
        write!(f, "{}", rank + 1)?;
        for &count in squares {
            write!(f, " {:>4.0}", percent(count, total) * 10.0)?;
        }
        writeln!(f)?;
    }
    writeln!(f, "     a    b    c    d    e    f    g    h")
}
