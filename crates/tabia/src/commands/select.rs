//! `tabia select`: finds the best of many nets.

mod forecast;
mod live;

use crate::exit::Exit;
use crate::interruption;
use crate::laboratory::file::Kind;
use crate::laboratory::{Opened, SELECTIONS, Undertaking, WorkOptions, help, program};
use crate::output::Output;
use clap::Args;
use engines::StopSignal;
use lab::selection::{self, Course, PRESETS, Selection};
use live::Live;
use serde::Serialize;
use std::fmt;
use std::path::{Path, PathBuf};
use work::Dispatcher;

const EXAMPLES: &str = "\
Examples:
  tabia select small --set candidates.training=trainings/mine
                                             the best epoch, in minutes
  tabia select small --set candidates.nets='[\"nets/*.nnue\"]' \\
      --set baseline=classical
  tabia select --show published > mine.toml    a file to edit, with comments
  tabia select mine.toml --dry-run             estimates time and disk space
  tabia select mine.toml --out selections/mine
  tabia select --resume mine                   resume after Ctrl-C or an error

Stage 1: all candidates against a baseline. Stage 2: the best against each
other. Stage 3: the best and its neighbours by epoch. Stage 4: a test between
the last two. After each stage all games so far are rated together, with the
probability of each candidate being the best. The folder, selections/NAME,
gets games, ratings.csv, plots, report.html and the chosen net. Ctrl-C
finishes the games in progress; results depend on the machine only with time
controls.

Presets:
";

/// Find the best of many nets in stages
#[derive(Args)]
#[command(after_help = help(EXAMPLES, &PRESETS))]
pub(crate) struct Options {
    #[command(flatten)]
    work: WorkOptions,
}

pub(crate) fn run(options: &Options, output: &Output) -> anyhow::Result<Exit> {
    let dispatcher = options.work.dispatcher(output)?;
    let stop = StopSignal::new();
    interruption::listen_for(&stop)?;
    let undertaking = Undertaking {
        kind: Kind {
            presets: &PRESETS,
            stem: "select",
            read: |table| selection::from_table(table),
        },
        collection: SELECTIONS,
        begin: &|folder, text| Selection::begin(folder, text, program(&options.work.build)),
        resume: &|folder| Selection::resume(folder, program(&options.work.build)),
        extend: None,
        is_unfinished: &is_unfinished,
        forecast: &|settings| forecast::show(settings, &dispatcher, &stop, output),
    };
    match options.work.open(&undertaking, output)? {
        Opened::Work(mut selection, folder) => dispatcher.noting(&folder, || {
            work(&mut selection, &folder, &dispatcher, &stop, output)
        }),
        Opened::Done(exit) => Ok(exit),
    }
}

fn is_unfinished(folder: &Path) -> bool {
    let is_open = |course: Option<Course>| course.is_none_or(|course| course.choice.is_none());
    selection::look(folder).is_ok_and(is_open)
}

fn work(
    selection: &mut Selection,
    folder: &Path,
    dispatcher: &dyn Dispatcher,
    stop: &StopSignal,
    output: &Output,
) -> anyhow::Result<Exit> {
    output.note(format_args!("selection {}", folder.display()));
    let mut live = Live::new(output);
    let ending = selection.run(dispatcher, stop, &mut |news| live.hear(news));
    drop(live);
    let course = SELECTIONS.finished(folder, ending, output)?;
    output.report(&Report::new(folder, course))?;
    Ok(Exit::Good)
}

/// The result of a selection.
#[derive(Serialize)]
struct Report {
    folder: PathBuf,
    report: PathBuf,
    /// The chosen net.
    #[serde(skip_serializing_if = "Option::is_none")]
    net: Option<PathBuf>,
    course: Course,
}

impl Report {
    fn new(folder: &Path, course: Course) -> Report {
        let choice = course.choice.as_ref();
        Report {
            folder: folder.to_owned(),
            report: folder.join("report.html"),
            net: choice.map(|choice| folder.join(&choice.net.file.path)),
            course,
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let course = &self.course;
        let games: u64 = course.stages.iter().map(|played| played.games()).sum();
        if let (Some(choice), Some(standings)) = (&course.choice, course.standings()) {
            let candidate = &course.field.candidates[choice.candidate];
            writeln!(f, "chosen  {}, {}", candidate.name, candidate.net)?;
            writeln!(f, "        {}", choice.reason)?;
            if let Some(row) = standings.of_candidate(choice.candidate) {
                writeln!(
                    f,
                    "chance  {:.1} % probability of being the best of {} after {games} games",
                    100.0 * row.chance,
                    standings.rows.len()
                )?;
                let baseline = course.field.name(course.field.baseline);
                match candidate.name == baseline {
                    true => writeln!(f, "Elo     0 by definition: it is the baseline of the list")?,
                    false => writeln!(
                        f,
                        "Elo     {:.1} above {baseline}; biased upwards by the selection",
                        row.elo
                    )?,
                }
            }
        }
        writeln!(f, "report  {}", self.report.display())?;
        match &self.net {
            Some(net) => writeln!(f, "play    tabia play --model {}", net.display()),
            None => Ok(()),
        }
    }
}
