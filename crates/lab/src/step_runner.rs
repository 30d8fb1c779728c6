//! Runs single steps: performs one, records it in the state, and reports events.

use crate::error::LabError;
use crate::events::Event;
use crate::folder::Folder;
use crate::matches::{Counts, Match};
use crate::state::{Place, State};
use crate::training::{self, EndEpoch};
use arena::selfplay::{self, SelfPlay, Totals};
use engines::StopSignal;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::time::Instant;
use train::{Learner, Lesson};
use work::Dispatcher;

/// A listener for events.
pub(crate) type Tell<'a> = dyn FnMut(Event) + 'a;

/// What a step needs.
pub(crate) struct StepRunner<'a> {
    pub(crate) folder: &'a Folder,
    pub(crate) state: &'a mut State,
    /// Distributes the games.
    pub(crate) dispatcher: &'a dyn Dispatcher,
    /// The number of threads for training.
    pub(crate) threads: usize,
    pub(crate) stop: &'a StopSignal,
    pub(crate) tell: &'a mut Tell<'a>,
}

impl<'a> StepRunner<'a> {
    /// Does a step, unless it is already finished.
    pub(crate) fn step<T: Serialize + DeserializeOwned>(
        &mut self,
        place: Place,
        work: impl FnOnce(&mut StepRunner<'a>) -> Result<T, LabError>,
    ) -> Result<T, LabError> {
        if let Some(result) = self.state.finished(&place, self.stop)? {
            return Ok(result);
        }
        self.perform(place, work)
    }

    /// Does a step, or a further part of one, and records it.
    pub(crate) fn perform<T: Serialize>(
        &mut self,
        place: Place,
        work: impl FnOnce(&mut StepRunner<'a>) -> Result<T, LabError>,
    ) -> Result<T, LabError> {
        if self.stop.is_stopped() {
            return Err(LabError::Stopped);
        }
        (self.tell)(Event::Begun {
            place: place.clone(),
        });
        let begin = Instant::now();
        let result = work(self);
        for text in self.dispatcher.take_remarks() {
            (self.tell)(Event::Remark { text });
        }
        let result = result?;
        let seconds = begin.elapsed().as_secs_f64();
        self.state.add(place.clone(), seconds, &result)?;
        (self.tell)(Event::Ended { place, seconds });
        Ok(result)
    }

    /// Reports a warning.
    pub(crate) fn warn(&mut self, text: String) {
        (self.tell)(Event::Warning { text });
    }

    /// Plays games of self-play.
    pub(crate) fn play(&mut self, work: &SelfPlay<'_>) -> Result<Totals, LabError> {
        let horizon =
            (work.settings.horizon.as_ref()).map(|horizon| horizon.plies(work.generation));
        let tell = &mut self.tell;
        let totals = work.play(self.stop, &mut |news| match news {
            selfplay::News::Begun(totals) | selfplay::News::Finished(totals) => {
                tell(Event::SelfPlay {
                    totals: totals.clone(),
                    amount: work.amount,
                    horizon,
                });
            }
            selfplay::News::Quiet => tell(Event::Quiet),
        })?;
        totals.ok_or(LabError::Stopped)
    }

    /// Trains a model.
    pub(crate) fn learn(
        &mut self,
        learner: &dyn Learner,
        lesson: &Lesson<'_>,
        end_epoch: &mut EndEpoch<'_>,
    ) -> Result<(), LabError> {
        training::learn(learner, lesson, self.stop, self.tell, end_epoch)
    }

    /// Plays a match.
    pub(crate) fn meet(&mut self, game: &Match<'_>) -> Result<Counts, LabError> {
        let tell = &mut self.tell;
        game.play(self.stop, &mut |standing| match standing {
            Some((counts, games)) => tell(Event::Match {
                counts,
                games,
                of: game.games,
            }),
            None => tell(Event::Quiet),
        })
    }
}
