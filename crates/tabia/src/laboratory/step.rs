//! The bar of the step at hand.

use super::line_wrap::wrapped;
use crate::output::Output;
use crate::progress::{Progress, Standing};
use std::time::{Duration, Instant};

/// A step that ends sooner shows no bar: it would only flicker.
const PATIENCE: Duration = Duration::from_millis(400);

/// How often the live line changes.
const REFRESH: Duration = Duration::from_millis(200);

/// What is seen of a step while it goes on.
pub(crate) struct StepBar<'a> {
    output: &'a Output,
    /// What the step is called.
    head: String,
    /// When the step began.
    begin: Instant,
    bar: Option<Bar>,
}

struct Bar {
    progress: Progress,
    done: u64,
    /// What was counted when this began.
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

    /// Another step begins.
    pub(crate) fn begin(&mut self, head: String) {
        self.bar = None;
        self.begin = Instant::now();
        self.head = head;
    }

    /// Nothing is seen any more.
    pub(crate) fn end(&mut self) {
        self.bar = None;
    }

    /// How long it has been seen.
    pub(crate) fn elapsed(&self) -> Option<Duration> {
        self.bar.as_ref().map(|bar| bar.begin.elapsed())
    }

    /// So far is the step; the rate is what was done in this session.
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

    /// Says how the step stands, given its rate.
    pub(crate) fn stand(&mut self, words: impl FnOnce(f64) -> String) {
        let done = self.bar.as_ref().map_or(0, |bar| bar.done);
        self.stand_with(done, words);
    }

    /// Says how the step stands, of which so much is counted for its rate.
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
