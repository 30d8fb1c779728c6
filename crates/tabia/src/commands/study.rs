//! `tabia study`: evaluations that are trained once, and claims that their matches decide.

mod live;

use crate::contest::usual_concurrency;
use crate::exit::Exit;
use crate::interruption;
use crate::laboratory::file::Kind;
use crate::laboratory::{Opened, STUDIES, Undertaking, WorkOptions, help, program};
use crate::output::Output;
use anyhow::Context;
use clap::Args;
use engines::StopSignal;
use lab::Means;
use lab::study::{self, Conclusion, Marks, PRESETS, Settings, Study};
use live::Live;
use serde::Serialize;
use std::fmt;
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
  tabia study ntuple-small                     comparison training in minutes
  tabia study --show ntuple-published > mine.toml
                                             a file to edit, with comments
  tabia study mine.toml --dry-run              trainings and number of games
  tabia study mine.toml --out studies/mine
  tabia study --resume mine                    resume after Ctrl-C or an error

Arms are evaluations: given, or trained once on the same positions. Matches
between them decide claims by a rule that is stated in the file and the
report. The folder, studies/NAME, gets the trainings, nets, games,
conclusion.json and report.html. Ctrl-C finishes the games in progress or the
training step and saves; --resume continues with the same result.

Presets:
";

/// Train evaluations on the same positions and test claims by matches between them
#[derive(Args)]
#[command(after_help = help(EXAMPLES, &PRESETS))]
pub(crate) struct Options {
    #[command(flatten)]
    work: WorkOptions,
    /// Number of training threads [default: one per CPU]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

pub(crate) fn run(options: &Options, output: &Output) -> anyhow::Result<Exit> {
    let threads = match options.threads {
        Some(threads) => usize::from(threads),
        None => usual_concurrency(1)?,
    };
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build_global()
        .context("cannot start threads")?;
    let dispatcher = options.work.dispatcher(output)?;
    let means = Means {
        dispatcher: &dispatcher,
        threads,
    };
    let stop = StopSignal::new();
    interruption::listen_for(&stop)?;
    let undertaking = Undertaking {
        kind: Kind {
            presets: &PRESETS,
            stem: "study",
            read: |table| study::from_table(table),
        },
        collection: STUDIES,
        begin: &|folder, text| Study::begin(folder, text, program(&options.work.build)),
        resume: &|folder| Study::resume(folder, program(&options.work.build)),
        extend: None,
        is_unfinished: &|folder| study::look(folder).is_ok_and(|known| !known.finished),
        forecast: &|settings| show(settings, output),
    };
    match options.work.open(&undertaking, output)? {
        Opened::Work(mut study, folder) => {
            output.note(format_args!("study {}", folder.display()));
            let mut live = Live::new(output);
            let ending = dispatcher.noting(&folder, || {
                study.run(&means, &stop, &mut |news| live.hear(news))
            });
            drop(live);
            let conclusion = STUDIES.finished(&folder, ending, output)?;
            output.report(&Report::new(&folder, conclusion))?;
            Ok(Exit::Good)
        }
        Opened::Done(exit) => Ok(exit),
    }
}

/// Shows the arms and the number of games, for a dry run.
fn show(settings: &Settings, output: &Output) -> anyhow::Result<Exit> {
    let is_trained = |arm: &&study::Arm| matches!(arm, study::Arm::Training { .. });
    output.report(&Forecast {
        arms: settings.arms.len(),
        trainings: settings.arms.values().filter(is_trained).count(),
        matches: settings
            .claims
            .iter()
            .map(|claim| claim.matches.len())
            .sum(),
        games: settings.all_games(),
    })?;
    Ok(Exit::Good)
}

#[derive(Serialize)]
struct Forecast {
    arms: usize,
    trainings: usize,
    matches: usize,
    games: u64,
}

impl fmt::Display for Forecast {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Forecast {
            arms,
            trainings,
            matches,
            games,
        } = self;
        writeln!(f, "arms       {arms}, {trainings} of them trained")?;
        writeln!(f, "matches    {matches} with {games} games")
    }
}

/// The result of a study.
#[derive(Serialize)]
struct Report {
    folder: PathBuf,
    report: PathBuf,
    conclusion: Conclusion,
}

impl Report {
    fn new(folder: &Path, conclusion: Conclusion) -> Report {
        Report {
            folder: folder.to_owned(),
            report: folder.join("report.html"),
            conclusion,
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for claim in &self.conclusion.claims {
            writeln!(f, "{:11} {}: {}", claim.ruling, claim.name, claim.text)?;
            for row in &claim.matches {
                let names = format!("{} - {}", row.meeting.first, row.meeting.second);
                if let Some(elo) = row.elo {
                    writeln!(f, "  {names:32} {elo:.0}, {} games", row.games)?;
                }
            }
        }
        for row in &self.conclusion.arms {
            if let Some(Marks { test, .. }) = row.marks {
                let (share, rank) = (100.0 * test.agreement, test.rank);
                let name = &row.arm;
                writeln!(f, "{name:34} test agreement {share:.2} %, rank {rank:.3}")?;
            }
        }
        writeln!(f, "report      {}", self.report.display())
    }
}
