//! Checks a perft suite and reports every line with a wrong count.

use super::Speed;
use super::count::leaves;
use super::suite::{self, Line};
use crate::exit::{Exit, Interrupted, WrongInput};
use crate::kind;
use crate::output::Output;
use crate::progress::Progress;
use rayon::prelude::*;
use serde::Serialize;
use std::fmt::{self, Display};
use std::path::Path;
use std::time::Instant;

/// Lines are independent, so each is counted by one thread.
pub(super) fn run(file: &Path, max_nodes: Option<u64>, output: &Output) -> anyhow::Result<Exit> {
    let mut lines = read(file)?;
    let all = lines.len();
    if let Some(max_nodes) = max_nodes {
        for line in &mut lines {
            line.expectations
                .retain(|expectation| expectation.nodes <= max_nodes);
        }
        lines.retain(|line| !line.expectations.is_empty());
    }

    let begin = Instant::now();
    let results = check_lines(&lines, file, output)?;
    let report = Report {
        file: file.display().to_string(),
        passed: results
            .iter()
            .filter(|result| result.failures.is_empty())
            .count(),
        failed: results
            .iter()
            .filter(|result| !result.failures.is_empty())
            .count(),
        left_out: all - lines.len(),
        threads: rayon::current_num_threads(),
        speed: Speed::new(
            results.iter().map(|result| result.nodes).sum(),
            begin.elapsed(),
        ),
        failures: results
            .into_iter()
            .flat_map(|result| result.failures)
            .collect(),
    };
    output.note(report.speed_in_words());
    output.report(&report)?;
    Ok(if report.failed == 0 {
        Exit::Good
    } else {
        Exit::Failure
    })
}

/// The maximum size of a suite.
const MOST_BYTES: u64 = 256 << 20;

fn read(file: &Path) -> anyhow::Result<Vec<Line>> {
    let name = file.display();
    let text = data::file::read(file, MOST_BYTES)
        .map_err(|error| WrongInput::new(format!("cannot read {name}: {error}")))?;
    let lines = suite::read(&text).map_err(|error| {
        kind::or_other(file, "a suite of positions", &["EPD"], || {
            WrongInput::new(format!("{name}:{}: {error}", error.number))
        })
    })?;
    if lines.is_empty() {
        return Err(WrongInput::new(format!("{name} holds no positions")).into());
    }
    Ok(lines)
}

fn check_lines(lines: &[Line], file: &Path, output: &Output) -> Result<Vec<Checked>, Interrupted> {
    let progress = Progress::new(output, lines.len() as u64, "positions");
    lines
        .par_iter()
        .with_max_len(1)
        .map(|line| {
            let checked = check_line(line)?;
            progress.aside(|| output.detail(checked.in_words(file, line)));
            progress.advance(1);
            Ok(checked)
        })
        .collect()
}

fn check_line(line: &Line) -> Result<Checked, Interrupted> {
    let mut checked = Checked {
        nodes: 0,
        failures: Vec::new(),
    };
    for expectation in &line.expectations {
        let got = leaves(&line.board, expectation.depth)?;
        checked.nodes += got;
        if got != expectation.nodes {
            let (depth, expected) = (expectation.depth, expectation.nodes);
            checked.failures.push(Failure {
                line: line.number,
                depth,
                expected,
                got,
            });
        }
    }
    Ok(checked)
}

/// The result of a line.
struct Checked {
    nodes: u64,
    failures: Vec<Failure>,
}

impl Checked {
    fn in_words(&self, file: &Path, line: &Line) -> String {
        let result = if self.failures.is_empty() {
            "passed"
        } else {
            "FAILED"
        };
        format!(
            "{}:{}: {result}, {} nodes",
            file.display(),
            line.number,
            self.nodes
        )
    }
}

/// A count that differs from the suite's.
#[derive(Serialize)]
struct Failure {
    line: usize,
    depth: u8,
    expected: u64,
    got: u64,
}

/// The result of a suite.
#[derive(Serialize)]
struct Report {
    file: String,
    passed: usize,
    failed: usize,
    /// The number of lines skipped entirely because of `--max-nodes`.
    left_out: usize,
    threads: usize,
    #[serde(flatten)]
    speed: Speed,
    failures: Vec<Failure>,
}

impl Report {
    fn speed_in_words(&self) -> String {
        let Speed {
            nodes,
            seconds,
            nodes_per_second,
        } = self.speed;
        let mut words = format!("{nodes} nodes in {seconds:.3} s, {nodes_per_second} nodes/s");
        if self.left_out > 0 {
            words += &format!("; positions skipped as too large: {}", self.left_out);
        }
        words
    }
}

impl Display for Report {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for Failure {
            line,
            depth,
            expected,
            got,
        } in &self.failures
        {
            writeln!(
                formatter,
                "{}:{line}: depth {depth}: expected {expected}, got {got}",
                self.file
            )?;
        }
        writeln!(formatter, "{} passed, {} failed", self.passed, self.failed)
    }
}
