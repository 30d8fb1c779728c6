//! Reads the games of a batch, and finds their places in the file.
//!
//! How many games and lines precede a batch is not known while it is read, because the
//! batches before may still be unread. Places are therefore relative to the batch, and
//! adjusted when the batches are put in order.

use super::{
    batches::{Batch, PassedOver},
    games::Games,
    problem::{BrokenGame, Place, Problem},
    replay::{Ending, Replayer, Stop},
    text::{LineFinder, count_lines},
};

/// The numbers of games and lines of a batch, and its broken games.
#[derive(Debug)]
pub(crate) struct BatchReport {
    games: u64,
    lines: u64,
    broken: Vec<BrokenGame>,
}

/// Reads all games of a batch, each by a call of `next`, whose last argument is the number
/// of the game in the batch.
pub(crate) fn read_batch(
    batch: &Batch,
    mut next: impl FnMut(&mut Replayer, &mut Games<'_>, u64) -> Option<Result<Ending, Stop>>,
) -> BatchReport {
    if let Some(passed_over) = batch.passed_over() {
        return report_passed_over(passed_over);
    }
    let bytes = batch.bytes();
    let mut report = BatchReport {
        games: 0,
        lines: count_lines(bytes),
        broken: Vec::new(),
    };
    let mut lines = LineFinder::new(bytes);
    let mut games = Games::new(bytes);
    let mut replayer = Replayer::default();
    loop {
        let game = report.games + 1;
        match next(&mut replayer, &mut games, game) {
            None => return report,
            Some(Err(Stop::Nothing)) => continue,
            Some(Err(Stop::Broken { offset, problem })) => {
                let line = lines.line_of(offset);
                let place = Place { game, line };
                report.broken.push(BrokenGame { place, problem });
            }
            Some(Ok(_) | Err(Stop::LeftOut)) => {}
        }
        report.games = game;
    }
}

fn report_passed_over(passed_over: PassedOver) -> BatchReport {
    let place = Place { game: 1, line: 1 };
    let problem = Problem::TooLarge(passed_over.limit);
    BatchReport {
        games: 1,
        lines: passed_over.lines,
        broken: vec![BrokenGame { place, problem }],
    }
}

/// Counts the games and lines of a file, batch by batch in their order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Counted {
    pub(crate) games: u64,
    pub(crate) lines: u64,
}

impl Counted {
    /// Converts a place in the next batch to a place in the file.
    pub(crate) fn place(&self, in_batch: Place) -> Place {
        Place {
            game: self.games + in_batch.game,
            line: self.lines + in_batch.line,
        }
    }

    /// Counts a batch; returns its broken games with their places in the file.
    pub(crate) fn add(&mut self, report: BatchReport) -> Vec<BrokenGame> {
        let mut broken = report.broken;
        for game in &mut broken {
            game.place = self.place(game.place);
        }
        self.games += report.games;
        self.lines += report.lines;
        broken
    }
}
