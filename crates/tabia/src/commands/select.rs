//! `tabia select`: which of many nets plays best.

mod forecast;
mod live;

use crate::contest::usual_concurrency;
use crate::exit::Exit;
use crate::interruption;
use crate::laboratory::file::{self, Kind};
use crate::laboratory::{SELECTIONS, explained, help, program};
use crate::output::Output;
use crate::settings::SetOptions;
use clap::Args;
use engines::StopSignal;
use lab::selection::{self, Course, PRESETS, Selection, Settings};
use live::Live;
use serde::Serialize;
use std::fmt;
use std::path::{Path, PathBuf};
use work::Threads;

const EXAMPLES: &str = "\
Examples:
  tabia select small --set candidates.training=trainings/mine
                                               the best epoch of a training, in minutes
  tabia select small --set candidates.nets='[\"nets/*.nnue\"]' --set baseline=classical
  tabia select --show published > mine.toml    a file to change at will; its remarks explain it
  tabia select mine.toml --dry-run             what it will cost, in time and room
  tabia select mine.toml --out selections/mine
  tabia select --resume mine                   go on after Ctrl-C, a kill or a failure

Stage 1: all candidates against a baseline. Stage 2: the best against each other. Stage 3:
the best and its neighbours by epoch. Stage 4: a test between the last two. After each stage
all games so far are rated together, and it is said how likely each is the best. The folder,
selections/NAME, has games, ratings.csv, plots, report.html and the chosen net. Ctrl-C
finishes the games in play; only clocks make the result depend on the machine.

Presets:
";

/// Find the best of many nets, in stages
#[derive(Args)]
#[command(after_help = help(EXAMPLES, &PRESETS))]
pub(crate) struct Options {
    /// The name of a preset, or the file of a selection
    #[arg(value_name = "PRESET|FILE", required_unless_present_any = ["resume", "show"])]
    #[arg(conflicts_with_all = ["resume", "show"])]
    what: Option<String>,
    #[command(flatten)]
    set: SetOptions,
    /// The folder of the selection [default: selections/NAME, or the next one that is free]
    #[arg(short, long, value_name = "DIR", conflicts_with = "resume")]
    out: Option<PathBuf>,
    /// Go on with a selection, by its name or folder
    #[arg(long, value_name = "NAME|DIR", conflicts_with_all = ["set", "dry_run"])]
    resume: Option<PathBuf>,
    /// Try it out for some seconds, and say what it will cost
    #[arg(long)]
    dry_run: bool,
    /// Print the file of a preset
    #[arg(long, value_name = "PRESET")]
    show: Option<String>,
    /// How many games are played at once [default: one for each CPU]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

const KIND: Kind<Settings> = Kind {
    presets: &PRESETS,
    stem: "select",
    read: selection::from_table,
};

pub(crate) fn run(options: &Options, output: &Output) -> anyhow::Result<Exit> {
    if let Some(name) = &options.show {
        output.data(file::preset(name, KIND.presets)?)?;
        return Ok(Exit::Good);
    }
    let threads = match options.threads {
        Some(threads) => usize::from(threads),
        None => usual_concurrency(1)?,
    };
    let stop = StopSignal::new();
    let signal = stop.clone();
    interruption::listen_and(move || signal.stop())?;
    let (mut selection, folder) = match (&options.resume, &options.what) {
        (Some(name), _) => {
            let folder = SELECTIONS.folder_of(name);
            let resumed = Selection::resume(&folder, program());
            (resumed.map_err(explained)?, folder)
        }
        (None, what) => {
            let wanted = file::read(what.as_deref().unwrap_or_default(), &options.set, &KIND)?;
            if options.dry_run {
                return forecast::show(&wanted.settings, threads, &stop, output);
            }
            let out = options.out.as_deref();
            let folder = SELECTIONS.free_folder(out, &wanted.name, is_unfinished, output)?;
            let begun = Selection::begin(&folder, &wanted.text, program());
            (begun.map_err(explained)?, folder)
        }
    };
    work(&mut selection, &folder, threads, &stop, output)
}

fn is_unfinished(folder: &Path) -> bool {
    let is_open = |course: Option<Course>| course.is_none_or(|course| course.choice.is_none());
    selection::look(folder).is_ok_and(is_open)
}

fn work(
    selection: &mut Selection,
    folder: &Path,
    threads: usize,
    stop: &StopSignal,
    output: &Output,
) -> anyhow::Result<Exit> {
    output.note(format_args!("selection {}", folder.display()));
    let mut live = Live::new(output);
    let ending = selection.run(&Threads::new(threads), stop, &mut |news| live.hear(news));
    drop(live);
    let course = SELECTIONS.finished(folder, ending, output)?;
    output.report(&Report::new(folder, course))?;
    Ok(Exit::Good)
}

/// What came of a selection.
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
                    "chance  {:.1} % to be the best of {} by {games} games",
                    100.0 * row.chance,
                    standings.rows.len()
                )?;
                writeln!(
                    f,
                    "Elo     {:.1} above {}; too high, since it was chosen for it",
                    row.elo,
                    course.field.name(course.field.baseline)
                )?;
            }
        }
        writeln!(f, "report  {}", self.report.display())?;
        match &self.net {
            Some(net) => writeln!(f, "to play tabia uci --model {}", net.display()),
            None => Ok(()),
        }
    }
}
