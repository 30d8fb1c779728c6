//! Where steps are done: the state they are noted in, what they work with, and who
//! listens.

use crate::error::LabError;
use crate::folder::Folder;
use crate::matches::Match;
use crate::news::News;
use crate::state::{Place, State};
use crate::training::{EndEpoch, Lesson};
use arena::selfplay::{self, SelfPlay, Totals};
use arena::statistics::Pentanomial;
use engines::StopSignal;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::time::Instant;

/// What a step works with.
pub(crate) struct Desk<'a> {
    pub(crate) folder: &'a Folder,
    pub(crate) state: &'a mut State,
    pub(crate) threads: usize,
    pub(crate) stop: &'a StopSignal,
    pub(crate) listen: &'a mut dyn FnMut(&News<'_>),
}

impl Desk<'_> {
    /// Does a step, unless it is finished.
    pub(crate) fn step<T: Serialize + DeserializeOwned>(
        &mut self,
        place: Place,
        work: impl FnOnce(&mut Desk<'_>) -> Result<T, LabError>,
    ) -> Result<T, LabError> {
        if let Some(result) = self.state.result(&place)? {
            return Ok(result);
        }
        if self.stop.is_stopped() {
            return Err(LabError::Stopped);
        }
        (self.listen)(&News::Begun(&place));
        let begin = Instant::now();
        let result = work(&mut Desk {
            folder: self.folder,
            state: &mut *self.state,
            threads: self.threads,
            stop: self.stop,
            listen: &mut *self.listen,
        })?;
        let seconds = begin.elapsed().as_secs_f64();
        self.state.add(place.clone(), seconds, &result)?;
        (self.listen)(&News::Ended(&place, seconds));
        Ok(result)
    }

    /// Plays games for their positions.
    pub(crate) fn play(&mut self, work: &SelfPlay<'_>) -> Result<Totals, LabError> {
        let horizon =
            (work.settings.horizon.as_ref()).map(|horizon| horizon.plies(work.generation));
        let listen = &mut self.listen;
        let totals = work.play(self.stop, &mut |news| match news {
            selfplay::News::Begun(totals) | selfplay::News::Finished(totals) => {
                listen(&News::SelfPlay(totals, work.amount, horizon));
            }
            selfplay::News::Quiet => listen(&News::Quiet),
        })?;
        totals.ok_or(LabError::Stopped)
    }

    /// Trains a net.
    pub(crate) fn learn(
        &mut self,
        lesson: &Lesson<'_>,
        end_epoch: &mut EndEpoch<'_>,
    ) -> Result<(), LabError> {
        lesson.learn(self.stop, self.listen, end_epoch)
    }

    /// Lets two nets meet.
    pub(crate) fn meet(&mut self, game: &Match<'_>) -> Result<Pentanomial, LabError> {
        let listen = &mut self.listen;
        game.play(self.stop, &mut |standing| match standing {
            Some((counts, games)) => listen(&News::Match {
                counts,
                games,
                of: game.games,
            }),
            None => listen(&News::Quiet),
        })
    }
}
