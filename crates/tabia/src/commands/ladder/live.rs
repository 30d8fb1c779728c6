//! The live display of a ladder: a progress bar for the current meeting.

use crate::laboratory::StepBar;
use crate::output::Output;
use arena::statistics::Strength;
use lab::ladder::News;

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
            News::Resumed(meetings) => {
                self.output
                    .note(format_args!("{meetings} matches were already finished"));
            }
            News::Begun(words) => self.bar.begin(words.to_owned()),
            News::Games {
                played,
                games,
                pairs,
            } => {
                self.bar.advance_to(games, played, "games");
                let score = Strength::of(&pairs).score;
                self.bar
                    .stand(|rate| format!("score {score:.3}, {rate:.1} games/s"));
            }
            News::Quiet => {}
            News::Ended(words) => {
                self.bar.end();
                self.output.note(words);
            }
        }
    }
}
