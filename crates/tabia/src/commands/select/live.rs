//! The live display of a selection: a progress bar for the current round, and the leaders after
//! each stage.

use crate::laboratory::StepBar;
use crate::output::Output;
use lab::selection::{Course, News, Stage};

/// How many leaders are shown after each stage.
const LEADERS: usize = 4;

pub(super) struct Live<'a> {
    output: &'a Output,
    bar: StepBar<'a>,
    /// The number of games in the current round.
    games: u64,
}

impl<'a> Live<'a> {
    pub(super) fn new(output: &'a Output) -> Live<'a> {
        Live {
            output,
            bar: StepBar::new(output),
            games: 0,
        }
    }

    pub(super) fn hear(&mut self, news: &News<'_>) {
        match *news {
            News::Warning(words) => self.output.warn(words),
            News::Resumed(steps) => {
                self.output
                    .note(format_args!("{steps} steps were already finished"));
            }
            News::Begun {
                stage,
                round,
                rounds,
                games,
            } => {
                self.games = games;
                self.bar.begin(match rounds {
                    1 => format!("{stage}"),
                    _ => format!("{stage}  round {round}/{rounds}"),
                });
            }
            News::Games(games) => {
                self.bar.advance_to(self.games, games, "games");
                self.bar.stand(|rate| format!("{rate:.1} games/s"));
            }
            News::Quiet => {}
            News::Ended(stage, course) => self.end(stage, course),
            News::LeftOut(stage, words) => {
                self.output
                    .note(format_args!("{stage:11}  dropped: {words}"));
            }
        }
    }

    fn end(&mut self, stage: Stage, course: &Course) {
        self.bar.end();
        let Some(played) = course.stages.iter().find(|played| played.stage == stage) else {
            return;
        };
        self.output.note(format_args!(
            "{stage:11}  {} candidates, {} games   {:.0} % of all games drawn",
            played.entrants.len(),
            played.games(),
            100.0 * played.standings.draws
        ));
        for row in played.standings.rows.iter().take(LEADERS) {
            self.output.note(format_args!(
                "  {}  {}   {:.1} % to be the best",
                course.field.name(row.candidate),
                match row.candidate == course.field.baseline {
                    true => "0, the baseline".to_owned(),
                    false => format!("{:.0}", row.elo),
                },
                100.0 * row.chance
            ));
        }
    }
}
