//! The losses that trainings tell while they run, read once and then only what is new.

use super::lines::{Point, Raw};
use crate::answer::Problem;
use lab::catalog::Work;
use lab::events::{Event, Follower};
use std::sync::{Arc, Mutex, PoisonError};

/// Runs whose events are remembered.
const MOST_REMEMBERED: usize = 12;

/// The losses of running trainings, read once and then only what is new.
#[derive(Default)]
pub(super) struct Tracks {
    remembered: Mutex<Vec<(String, Arc<Mutex<Track>>)>>,
}

struct Track {
    follower: Follower,
    lane: usize,
    lines: Vec<Raw>,
}

impl Tracks {
    /// Gives the lines of a run as they are now.
    pub(super) fn with<T>(
        &self,
        work: &Work,
        give: impl FnOnce(&[Raw]) -> T,
    ) -> Result<T, Problem> {
        let track = {
            let mut all = self
                .remembered
                .lock()
                .unwrap_or_else(PoisonError::into_inner);
            let track = match all.iter().position(|(id, _)| *id == work.id) {
                Some(at) => all.remove(at).1,
                None => Arc::new(Mutex::new(Track {
                    follower: Follower::new(&work.folder),
                    lane: 0,
                    lines: Vec::new(),
                })),
            };
            all.push((work.id.clone(), Arc::clone(&track)));
            if all.len() > MOST_REMEMBERED {
                all.remove(0);
            }
            track
        };
        let mut track = track.lock().unwrap_or_else(PoisonError::into_inner);
        track.read()?;
        Ok(give(&track.lines))
    }
}

impl Track {
    fn read(&mut self) -> Result<(), Problem> {
        let Track {
            follower,
            lane,
            lines,
        } = self;
        if follower.is_begun_anew() {
            lines.clear();
        }
        follower.read(&mut |stamped| match stamped.event {
            Event::Begun { place } => {
                let name = format!(
                    "{}, seed {}, generation {}",
                    place.arm, place.seed, place.generation
                );
                *lane = match lines.iter().position(|line| line.name == name) {
                    Some(at) => at,
                    None => {
                        lines.push(Raw {
                            name,
                            arm: Some(place.arm),
                            seed: Some(place.seed),
                            points: Vec::new(),
                        });
                        lines.len() - 1
                    }
                };
            }
            Event::Training { step, loss, .. } => {
                if let Some(line) = lines.get_mut(*lane) {
                    let x = step as f64;
                    // After a kill some steps are made again.
                    let known = line.points.partition_point(|point| point.x < x);
                    line.points.truncate(known);
                    line.points.push(Point {
                        x,
                        y: loss,
                        low: loss,
                        high: loss,
                    });
                }
            }
            _ => {}
        })?;
        Ok(())
    }
}
