//! The progress of long work: a bar on a terminal, a line now and then in a log, nothing if it is
//! not wanted.
//!
//! It must not know what the work is. It writes to standard error only.

use crate::output::{self, Output};
use indicatif::{HumanCount, HumanDuration, ProgressBar, ProgressStyle, WeakProgressBar};
use std::io::IsTerminal;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// The interval of log lines: often enough to show that the program is alive.
const HEARTBEAT: Duration = Duration::from_secs(15);

/// The minimum delay of the first log line.
const FIRST_HEARTBEAT: Duration = Duration::from_secs(1);

/// The time of the last log line. Without it, work in many short steps, each with its own
/// heartbeat, would never print a line, because each would start counting again.
static SILENT_SINCE: Mutex<Option<Instant>> = Mutex::new(None);

/// The bar on the terminal, for code that prints without knowing about it.
static SHOWN: Mutex<Option<WeakProgressBar>> = Mutex::new(None);

const BAR: &str = "{wide_bar} {human_pos} of {human_len} {msg}  {elapsed} elapsed, {eta} \
    left{prefix}";

/// The current results of the work.
pub(crate) struct Standing {
    /// In one line.
    pub(crate) line: String,
    /// In several lines.
    pub(crate) lines: String,
}

/// Progress that is shown until it is dropped.
pub(crate) enum Progress {
    Bar(ProgressBar),
    Heartbeat(Heartbeat),
    Silent,
}

impl Progress {
    /// The progress of `total` things, in this unit.
    pub(crate) fn new(output: &Output, total: u64, unit: &'static str) -> Self {
        if !output.shows_progress() {
            Self::Silent
        } else if std::io::stderr().is_terminal() {
            Self::Bar(bar(total, unit))
        } else {
            let intervals = Intervals {
                first: first_interval(silence()),
                next: HEARTBEAT,
            };
            Self::Heartbeat(Heartbeat::start(intervals, total, unit, |words| {
                set_silent_since(Instant::now());
                output::print_words(words);
            }))
        }
    }

    /// Adds things that are done.
    pub(crate) fn advance(&self, amount: u64) {
        match self {
            Self::Bar(bar) => bar.inc(amount),
            Self::Heartbeat(heartbeat) => {
                heartbeat.done.fetch_add(amount, Ordering::Relaxed);
            }
            Self::Silent => {}
        }
    }

    /// Subtracts things that must be done again.
    pub(crate) fn take_back(&self, amount: u64) {
        match self {
            Self::Bar(bar) => bar.dec(amount),
            Self::Heartbeat(heartbeat) => {
                heartbeat.done.fetch_sub(amount, Ordering::Relaxed);
            }
            Self::Silent => {}
        }
    }

    /// Shows the current results: below the bar on a terminal, or in the next log line.
    pub(crate) fn stand(&self, standing: &Standing) {
        match self {
            Self::Bar(bar) => bar.set_prefix(format!("\n{}", standing.lines)),
            Self::Heartbeat(heartbeat) => {
                if let Ok(mut line) = heartbeat.standing.lock() {
                    line.clone_from(&standing.line);
                }
            }
            Self::Silent => {}
        }
    }

    /// Runs code that prints, with the bar hidden.
    pub(crate) fn aside<T>(&self, print: impl FnOnce() -> T) -> T {
        match self {
            Self::Bar(bar) => bar.suspend(print),
            Self::Heartbeat(_) | Self::Silent => print(),
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Self::Bar(bar) = self {
            bar.finish_and_clear();
        }
    }
}

fn bar(total: u64, unit: &'static str) -> ProgressBar {
    let style = ProgressStyle::with_template(BAR)
        .unwrap_or_else(|_| ProgressStyle::default_bar())
        .progress_chars("=> ");
    let bar = ProgressBar::new(total).with_style(style).with_message(unit);
    bar.enable_steady_tick(Duration::from_millis(200));
    *SHOWN.lock().unwrap_or_else(PoisonError::into_inner) = Some(bar.downgrade());
    bar
}

/// Runs code that prints, with the bar hidden, whichever work shows one.
pub(crate) fn aside(print: impl FnOnce()) {
    let shown = SHOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let bar = shown.as_ref().and_then(WeakProgressBar::upgrade);
    match bar.filter(|bar| !bar.is_finished()) {
        Some(bar) => bar.suspend(print),
        None => print(),
    }
}

/// The delay of the first log line, and of the following ones.
#[derive(Clone, Copy)]
struct Intervals {
    first: Duration,
    next: Duration,
}

/// The time since the last log line.
fn silence() -> Duration {
    let now = Instant::now();
    let mut since = SILENT_SINCE.lock().unwrap_or_else(PoisonError::into_inner);
    now - *since.get_or_insert(now)
}

/// The delay of the first log line of work that begins after such a silence.
fn first_interval(silence: Duration) -> Duration {
    HEARTBEAT.saturating_sub(silence).max(FIRST_HEARTBEAT)
}

fn set_silent_since(now: Instant) {
    *SILENT_SINCE.lock().unwrap_or_else(PoisonError::into_inner) = Some(now);
}

/// A thread that prints the progress from time to time.
pub(crate) struct Heartbeat {
    done: Arc<AtomicU64>,
    standing: Arc<Mutex<String>>,
    /// Dropped to stop the thread.
    alive: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Heartbeat {
    fn start(
        intervals: Intervals,
        total: u64,
        unit: &'static str,
        say: impl Fn(String) + Send + 'static,
    ) -> Self {
        let (alive, stopped) = mpsc::channel::<()>();
        let done = Arc::new(AtomicU64::new(0));
        let counter = Arc::clone(&done);
        let standing = Arc::new(Mutex::new(String::new()));
        let stands = Arc::clone(&standing);
        let begin = Instant::now();
        let thread = std::thread::spawn(move || {
            let mut interval = intervals.first;
            while stopped.recv_timeout(interval) == Err(RecvTimeoutError::Timeout) {
                interval = intervals.next;
                let done = counter.load(Ordering::Relaxed);
                let mut line = describe(done, total, unit, begin.elapsed());
                if let Ok(standing) = stands.lock()
                    && !standing.is_empty()
                {
                    line = format!("{line}: {standing}");
                }
                say(line);
            }
        });
        Self {
            done,
            standing,
            alive: Some(alive),
            thread: Some(thread),
        }
    }
}

impl Drop for Heartbeat {
    fn drop(&mut self) {
        self.alive = None;
        if let Some(thread) = self.thread.take() {
            // The thread only prints, so a failure can be ignored.
            let _ = thread.join();
        }
    }
}

fn describe(done: u64, total: u64, unit: &str, elapsed: Duration) -> String {
    let (done, total) = (HumanCount(done), HumanCount(total));
    format!("{done} of {total} {unit} after {}", HumanDuration(elapsed))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_heartbeat_tells_how_far() {
        let elapsed = Duration::from_secs(150);
        let line = describe(41_200, 50_000, "positions", elapsed);
        assert_eq!(line, "41,200 of 50,000 positions after 3 minutes");
    }

    #[test]
    fn a_heartbeat_beats_until_it_is_dropped() {
        let (sender, said) = mpsc::channel();
        let say = move |line| sender.send(line).expect("the test listens");
        let intervals = Intervals {
            first: Duration::from_millis(5),
            next: Duration::from_millis(5),
        };
        let heartbeat = Heartbeat::start(intervals, 3, "lines", say);
        heartbeat.done.store(2, Ordering::Relaxed);
        let line = (0..1000).find_map(|_| said.recv().ok().filter(|line| line.starts_with('2')));
        assert_eq!(line.as_deref(), Some("2 of 3 lines after 0 seconds"));
        let progress = Progress::Heartbeat(heartbeat);
        progress.stand(&Standing {
            line: "two are good".to_owned(),
            lines: "two are good\nand one is not".to_owned(),
        });
        let line = (0..1000).find_map(|_| said.recv().ok().filter(|line| line.contains(": ")));
        assert_eq!(
            line.as_deref(),
            Some("2 of 3 lines after 0 seconds: two are good")
        );
        drop(progress);
        assert!(said.iter().count() < 1000, "the thread has ended");
    }

    #[test]
    fn short_steps_are_heard_of_as_often_as_long_ones() {
        let after = |seconds| first_interval(Duration::from_secs(seconds)).as_secs();
        assert_eq!([after(0), after(9), after(14), after(99)], [15, 6, 1, 1]);
    }

    #[test]
    fn the_template_of_the_bar_is_understood() {
        assert!(ProgressStyle::with_template(BAR).is_ok());
    }
}
