//! The live display of a study: a progress bar for the current step.

use crate::laboratory::StepBar;
use crate::output::Output;
use arena::statistics::Strength;
use lab::study::News;

pub(super) struct Live<'a> {
    output: &'a Output,
    bar: StepBar<'a>,
}

impl<'a> Live<'a> {
    pub(super) fn new(output: &'a Output) -> Live<'a> {
        Live {
            output,
            bar: StepBar::new(output),
        }
    }

    pub(super) fn hear(&mut self, news: &News<'_>) {
        match *news {
            News::Warning(words) => self.output.warn(words),
            News::Resumed(steps) => {
                self.output
                    .note(format_args!("{steps} steps were already finished"));
            }
            News::Begun(words) => self.bar.begin(words.to_owned()),
            News::Trained { step, steps, loss } => {
                self.bar.advance_to(steps, step, "steps");
                self.bar
                    .stand(|rate| format!("loss {loss:.4}, {rate:.1} steps/s"));
            }
            News::Games {
                played,
                games,
                pairs,
            } => {
                self.bar.advance_to(games, played, "games");
                let elo = Strength::of(&pairs).elo;
                self.bar
                    .stand(|rate| format!("{elo:.0}, {rate:.1} games/s"));
            }
            News::Quiet => {}
            News::Ended(words) => {
                self.bar.end();
                self.output.note(words);
            }
        }
    }
}
