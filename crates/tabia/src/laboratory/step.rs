//! The progress bar of the current step.

use super::line_wrap::wrapped;
use crate::output::Output;
use crate::progress::{Progress, Standing};
use std::time::{Duration, Instant};

/// A step that ends sooner shows no bar: it would only flicker.
const PATIENCE: Duration = Duration::from_millis(400);

/// The interval at which the live line is updated.
const REFRESH: Duration = Duration::from_millis(200);

/// The display of a step in progress.
pub(crate) struct StepBar<'a> {
    output: &'a Output,
    /// The title of the step.
    head: String,
    /// When the step began.
    begin: Instant,
    bar: Option<Bar>,
}

struct Bar {
    progress: Progress,
    done: u64,
    /// The count when the bar was first updated.
    first: Option<u64>,
    begin: Instant,
    shown: Option<Instant>,
}

impl<'a> StepBar<'a> {
    pub(crate) fn new(output: &'a Output) -> StepBar<'a> {
        StepBar {
            output,
            head: String::new(),
            begin: Instant::now(),
            bar: None,
        }
    }

    /// Begins another step.
    pub(crate) fn begin(&mut self, head: String) {
        self.bar = None;
        self.begin = Instant::now();
        self.head = head;
    }

    /// Removes the bar.
    pub(crate) fn end(&mut self) {
        self.bar = None;
    }

    /// How long the bar has been shown.
    pub(crate) fn elapsed(&self) -> Option<Duration> {
        self.bar.as_ref().map(|bar| bar.begin.elapsed())
    }

    /// Sets the progress of the step; the rate only counts this session.
    pub(crate) fn advance_to(&mut self, total: u64, done: u64, unit: &'static str) {
        if self.bar.is_none() && self.begin.elapsed() < PATIENCE {
            return;
        }
        let output = self.output;
        let bar = self.bar.get_or_insert_with(|| {
            let progress = Progress::new(output, total, unit);
            progress.advance(done);
            Bar {
                progress,
                done,
                first: None,
                begin: Instant::now(),
                shown: None,
            }
        });
        bar.progress.advance(done.saturating_sub(bar.done));
        bar.done = done;
    }

    /// Updates the live line, which gets the rate.
    pub(crate) fn stand(&mut self, words: impl FnOnce(f64) -> String) {
        let done = self.bar.as_ref().map_or(0, |bar| bar.done);
        self.stand_with(done, words);
    }

    /// Updates the live line, which gets the rate of this count.
    pub(crate) fn stand_with(&mut self, counted: u64, words: impl FnOnce(f64) -> String) {
        let head = &self.head;
        let Some(bar) = &mut self.bar else { return };
        if bar.shown.is_some_and(|shown| shown.elapsed() < REFRESH) {
            return;
        }
        bar.shown = Some(Instant::now());
        let seconds = bar.begin.elapsed().as_secs_f64().max(1e-3);
        let first = *bar.first.get_or_insert(counted);
        let rate = counted.saturating_sub(first) as f64 / seconds;
        let parts = [head.clone(), words(rate)];
        bar.progress.stand(&Standing {
            lines: wrapped(&parts).join("\n"),
            line: parts.join("   "),
        });
    }
}
