//! Plays a contest and shows its results.

use super::setup::Contest;
use super::summary::Summary;
use crate::exit::{Exit, Interrupted, WrongInput, undone, unfit};
use crate::interruption;
use crate::output::Output;
use crate::progress::{Progress, Standing};
use anyhow::Context;
use arena::game::Reason;
use arena::journal::GameLine;
use arena::ledger::Ledger;
use arena::run::{Conclusion, JOURNAL_FILE, News, PGN_FILE, Run, RunError};
use arena::verdict::Verdict;
use engines::StopSignal;
use serde::Serialize;
use std::fmt::Display;
use std::time::{Duration, Instant};
use work::Stopping;

/// The interval at which the live results are updated.
const REFRESH: Duration = Duration::from_millis(250);

/// The file name of the report.
const RESULT_FILE: &str = "result.json";

/// How a command shows its results.
pub(crate) trait Showing {
    /// The final report.
    type Report: Display + Serialize;

    /// The current results.
    fn standing(&self, ledger: &Ledger) -> Standing;

    /// The report at the end.
    fn report(&self, summary: Summary, ledger: &Ledger) -> Self::Report;
}

/// Plays a contest to its end, or until it is interrupted. The report is printed and written to the
/// folder.
pub(crate) fn play(
    contest: &Contest,
    showing: &impl Showing,
    output: &Output,
) -> anyhow::Result<Option<Verdict>> {
    let stop = StopSignal::new();
    interruption::listen_and_give_up(&stop)?;
    try_out(contest, &stop, output)?;
    warn_of_repetition(contest, output)?;
    let conclusion = run(contest, showing, &stop, output)?;
    let Conclusion {
        ledger,
        verdict,
        builds,
        ..
    } = &conclusion;
    let report = showing.report(Summary::new(contest, ledger, *verdict, builds), ledger);
    let json = serde_json::to_string_pretty(&report)?;
    let path = contest.folder.join(RESULT_FILE);
    data::file::write(&path, format!("{json}\n").as_bytes())
        .with_context(|| format!("cannot write {}", path.display()))?;
    output.report(&report)?;
    output.note(format_args!(
        "written to {}: {JOURNAL_FILE}, {PGN_FILE}, {RESULT_FILE}",
        contest.folder.display()
    ));
    if verdict.is_none() {
        output.note(format_args!("to resume: {}", same_command()));
        return Err(Interrupted.into());
    }
    Ok(*verdict)
}

/// The exit code of a contest without a test.
pub(crate) fn exit_of(verdict: Option<Verdict>) -> Exit {
    match verdict {
        Some(Verdict::Failures { .. }) => Exit::Failure,
        _ => Exit::Good,
    }
}

/// Tries out all players. A program that cannot play is wrong input; one that behaves oddly gets a
/// warning.
fn try_out(contest: &Contest, stop: &StopSignal, output: &Output) -> anyhow::Result<()> {
    for player in &contest.plan.players {
        let tried = player.try_out();
        if stop.is_stopped() {
            return Err(Interrupted.into());
        }
        let warnings =
            tried.map_err(|error| WrongInput::new(format!("player '{}': {error}", player.name)))?;
        for warning in warnings {
            output.warn(warning);
        }
    }
    Ok(())
}

/// Warns of repeated openings: games from the same opening resemble each other even if they are not
/// identical.
fn warn_of_repetition(contest: &Contest, output: &Output) -> anyhow::Result<()> {
    let (rounds, openings) = (contest.plan.schedule()?.rounds(), contest.book.count());
    if rounds > openings && contest.plan.sprt.is_none() {
        output.warn(format_args!(
            "{openings} openings for {rounds} rounds: openings will be repeated"
        ));
    }
    Ok(())
}

fn run(
    contest: &Contest,
    showing: &impl Showing,
    stop: &StopSignal,
    output: &Output,
) -> anyhow::Result<Conclusion> {
    let games = contest.plan.schedule()?.games();
    let progress = Progress::new(output, games as u64, "games");
    let mut live = Live {
        progress,
        output,
        shown: None,
    };
    let dispatcher = contest.cluster.dispatcher(contest.concurrency, output)?;
    let run = Run {
        plan: &contest.plan,
        contestants: &contest.plan.players,
        opening: &|round| contest.book.game(round),
        rules: &contest.rules,
        folder: &contest.folder,
        event: contest.event,
        author: Some(&contest.author),
        dispatcher: &dispatcher,
        most_failures: contest.most_failures,
        prepare: &|worker| {
            if let Some(affinity) = &contest.affinity {
                affinity.bind(worker);
            }
        },
        stopping: Stopping::GiveUp,
    };
    let conclusion = run.play(stop, &mut |news, ledger| live.hear(&news, ledger, showing));
    conclusion.map_err(|error| match error {
        RunError::Journal(error) => unfit(error),
        RunError::Work(error) => undone(error),
        other => other.into(),
    })
}

/// The live display of a contest.
struct Live<'a> {
    progress: Progress,
    output: &'a Output,
    /// When the standing was last shown.
    shown: Option<Instant>,
}

impl Live<'_> {
    fn hear(&mut self, news: &News<'_>, ledger: &Ledger, showing: &impl Showing) {
        match news {
            News::Begun(0) => {}
            News::Begun(games) => {
                self.progress.advance(*games as u64);
                self.progress.aside(|| {
                    self.output
                        .note(format_args!("{games} games were already finished"));
                });
            }
            News::Finished(line) => {
                self.progress.advance(1);
                self.tell(line);
            }
            News::Withdrawn(games) => self.progress.take_back(*games as u64),
            News::Quiet => return,
        }
        let is_due = |shown: Instant| shown.elapsed() >= REFRESH;
        if self.shown.is_none_or(is_due) {
            self.shown = Some(Instant::now());
            self.progress.stand(&showing.standing(ledger));
        }
    }

    /// Reports the end of a game: failures other than losses on time as warnings, everything else
    /// as details.
    fn tell(&self, line: &GameLine) {
        let words = in_words(line);
        self.progress.aside(|| {
            if line.reason.is_failure() && line.reason != Reason::Time {
                self.output.warn(words);
            } else {
                self.output.detail(words);
            }
        });
    }
}

fn in_words(line: &GameLine) -> String {
    let GameLine {
        index,
        white,
        black,
        result,
        ..
    } = line;
    let end = line.end_in_words();
    format!("game {index}, {white} - {black}: {result}, {end}")
}

/// The command line as typed, quoted for a shell.
pub(crate) fn same_command() -> String {
    let words: Vec<String> = std::env::args().collect();
    shlex::try_join(words.iter().map(String::as_str)).unwrap_or_else(|_| words.join(" "))
}
