//! `tabia doctor`: what this machine offers, and whether the program works on it.

mod machine;
mod programs;
mod tests;

use crate::exit::{Exit, Interrupted};
use crate::interruption;
use crate::output::Output;
use crate::progress::Progress;
use clap::Args;
use engines::StopSignal;
use machine::Machine;
use programs::Program;
use serde::Serialize;
use std::fmt::{self, Display};
use tests::Test;

const EXAMPLES: &str = "\
Examples:
  tabia doctor
  tabia doctor --json | jq .tests

Takes some seconds and changes nothing on the machine. The self-tests
run perft, check the bench signature, play and train briefly with one thread
and with all, and compare the bytes. The exit code is 1 if one fails. A
missing program is only needed for the purpose named next to it.";

/// Check this machine and run self-tests
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Options {}

pub(crate) fn run(_options: &Options, output: &Output) -> anyhow::Result<Exit> {
    let stop = StopSignal::new();
    interruption::listen_for(&stop)?;
    let progress = Progress::new(output, tests::ALL.len() as u64, "self-tests");
    let mut results = Vec::new();
    for test in tests::ALL {
        results.push(test.run(&stop));
        progress.advance(1);
        if stop.is_stopped() {
            return Err(Interrupted.into());
        }
    }
    drop(progress);
    let report = Report {
        machine: Machine::here(),
        programs: programs::find(),
        tests: results,
    };
    let is_well = report.tests.iter().all(|test| test.passed);
    output.report(&report)?;
    Ok(match is_well {
        true => Exit::Good,
        false => Exit::Failure,
    })
}

/// The results.
#[derive(Serialize)]
struct Report {
    machine: Machine,
    programs: Vec<Program>,
    tests: Vec<Test>,
}

impl Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "This machine")?;
        for (name, value) in self.machine.facts() {
            writeln!(f, "  {name:<14} {value}")?;
        }
        writeln!(f, "\nOther programs")?;
        for program in &self.programs {
            writeln!(f, "  {program}")?;
        }
        writeln!(f, "\nSelf-tests")?;
        for test in &self.tests {
            writeln!(f, "  {test}")?;
        }
        Ok(())
    }
}
