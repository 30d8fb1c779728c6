//! Judged games, one by one: each is read and judged again whenever it is shown.

use crate::error::AnalysisError;
use crate::finding::Findings;
use crate::games::{Games, GamesError};
use crate::opening::EcoTable;
use crate::review::Review;
use crate::summary::{Summary, Sums};
use data::journal::JournalError;
use data::pgn::{Game, Salvaged};

/// Games together with their findings.
pub struct Judged<'a> {
    /// The games.
    pub games: &'a Games,
    /// How many there are.
    pub count: usize,
    /// The findings of the game with this number, from 0.
    pub findings: &'a (dyn Fn(usize, &Game) -> Result<Findings, JournalError> + 'a),
    /// Names of openings.
    pub openings: Option<&'a EcoTable>,
}

impl Judged<'_> {
    /// Judges all games and passes each to `show`.
    ///
    /// # Errors
    /// If something cannot be read, or the first error of `show`.
    pub fn each(
        &self,
        show: &mut dyn FnMut(&Salvaged, &Review) -> Result<(), AnalysisError>,
    ) -> Result<(), AnalysisError> {
        let mut shown = 0;
        for game in self.games.read()? {
            let game = game?;
            if self.games.stop().is_stopped() {
                return Err(GamesError::Stopped.into());
            }
            if shown < self.count {
                let findings = (self.findings)(shown, &game.game)?;
                show(
                    &game,
                    &Review::new(shown + 1, &game, &findings, self.openings),
                )?;
            }
            shown += 1;
        }
        match shown == self.count {
            true => Ok(()),
            false => Err(GamesError::Changed(self.games.path().to_owned()).into()),
        }
    }

    /// Sums over all games, and over those of one player.
    ///
    /// # Errors
    /// If something cannot be read.
    pub fn summary(&self, player: Option<&str>) -> Result<Summary, AnalysisError> {
        let mut sums = Sums::new(player);
        self.each(&mut |game, review| {
            sums.add(game, review);
            Ok(())
        })?;
        Ok(sums.summary())
    }
}
