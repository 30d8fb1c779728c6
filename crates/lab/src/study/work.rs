//! A study with its folder: starting, resuming, working and showing it.
//!
//! Every model and every match is a step, noted in the state when its files are on the
//! disk. Trainings keep checkpoints and matches a journal of games, so that a study that
//! was stopped or killed goes on and comes to the same.

use super::arms::{Lesson, Made, Workshop};
use super::conclusion::{Conclusion, Moment, Played, moment};
use super::examination::{Marks, examine};
use super::report;
use super::settings::{self, Arm, Claim, Meeting, Settings};
use crate::error::LabError;
use crate::experiment::{Ending, Means};
use crate::folder::{self, Folder, ModelRecord, make_parent, remove};
use crate::manifest::Program;
use crate::matches::{self, Match};
use crate::remarks;
use crate::run_file::STATE_FILE;
use crate::seeds::{Purpose, seed};
use crate::settings::Conditions;
use crate::state::{self, State};
use crate::worker::Badge;
use arena::selfplay::{self, Amount, SelfPlay};
use arena::statistics::Pentanomial;
use data::journal::Build;
use engines::StopSignal;
use engines::recipe::{AlphaBetaRecipe, Recipe};
use nets::Model;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// The file that says what is done.
pub(crate) const STUDY_FILE: &str = "study.toml";

/// What happens in a study.
#[derive(Debug)]
pub enum News<'a> {
    /// Something is odd.
    Warning(&'a str),
    /// Steps that were finished before.
    Resumed(usize),
    /// A step begins.
    Begun(&'a str),
    /// A step of a training was made.
    Trained {
        /// Steps so far.
        step: u64,
        /// Of how many at most.
        steps: u64,
        /// Its loss.
        loss: f64,
    },
    /// Games of a match that have ended.
    Games {
        /// So many.
        played: u64,
        /// Of how many.
        games: u64,
        /// Their pairs.
        pairs: Pentanomial,
    },
    /// Nothing, for a moment.
    Quiet,
    /// A step has ended.
    Ended(&'a str),
}

/// A study that is worked on.
pub struct Study {
    pub(super) folder: Folder,
    pub(super) settings: Settings,
    state: State<Moment>,
    program: Program,
}

impl Study {
    /// Begins the study of this text in a folder that has none.
    ///
    /// # Errors
    /// If the text is none, or the folder cannot be used.
    pub fn begin(path: &Path, text: &str, program: Program) -> Result<Study, LabError> {
        let file = path.join(STUDY_FILE);
        if file.exists() {
            return Err(LabError::Exists(path.to_owned()));
        }
        check(&read(&file, text)?)?;
        folder::begin(path, STUDY_FILE, text)?;
        Study::resume(path, program)
    }

    /// Goes on with a study.
    ///
    /// # Errors
    /// If there is none, or it cannot be used.
    pub fn resume(path: &Path, program: Program) -> Result<Study, LabError> {
        state::refuse_earlier(&path.join(STATE_FILE))?;
        let settings = open(path)?;
        let folder = Folder::open(path)?;
        let file = folder.path(STUDY_FILE);
        let fingerprint = settings
            .fingerprint()
            .map_err(|error| LabError::file(&file, error.into()))?;
        let author = &program.author;
        let state = State::open(&folder.path(STATE_FILE), &fingerprint, author, &file)?;
        folder.sweep()?;
        Ok(Study {
            folder,
            settings,
            state,
            program,
        })
    }

    /// Works until all matches are played or `stop` is given.
    ///
    /// # Errors
    /// If something cannot be done; what was finished before stays.
    pub fn run(
        &mut self,
        means: &Means<'_>,
        stop: &StopSignal,
        listen: &mut dyn FnMut(&News<'_>),
    ) -> Result<Ending<Conclusion>, LabError> {
        if !self.state.lines().is_empty() {
            listen(&News::Resumed(self.state.lines().len()));
        }
        let _badge = Badge::leave(self.folder.root());
        if let Some(text) = Build::mixed(self.state.builds()) {
            listen(&News::Warning(&text));
        }
        let worked = self.work(means, stop, listen);
        remarks::keep(&self.folder, means.dispatcher)?;
        let conclusion = self.publish()?;
        match worked {
            Ok(()) => Ok(Ending::Finished(Box::new(conclusion))),
            Err(LabError::Stopped) => Ok(Ending::Stopped),
            Err(error) => Err(error),
        }
    }

    fn work(
        &mut self,
        means: &Means<'_>,
        stop: &StopSignal,
        listen: &mut dyn FnMut(&News<'_>),
    ) -> Result<(), LabError> {
        let settings = self.settings.clone();
        let lesson: Lesson = self.step(Moment::Data, stop, |study| {
            listen(&News::Begun("data"));
            study.lesson(means, stop)
        })?;
        let mut models: Vec<(String, ModelRecord)> = Vec::new();
        // What trainings may begin with comes first.
        let is_trained = |arm: &Arm| matches!(arm, Arm::Training { .. });
        for trained in [false, true] {
            let arms = settings.arms.iter();
            for (name, arm) in arms.filter(|(_, arm)| is_trained(arm) == trained) {
                let moment = Moment::Arm { arm: name.clone() };
                let made: Made = self.step(moment, stop, |study| {
                    listen(&News::Begun(name));
                    let workshop = Workshop {
                        study,
                        lesson: &lesson,
                        models: &models,
                        threads: means.threads,
                        stop,
                    };
                    workshop.make(name, arm, listen)
                })?;
                listen(&News::Ended(name));
                models.push((name.clone(), made.model));
                self.publish()?;
            }
        }
        if !settings.data.test.is_empty() {
            let _: BTreeMap<String, Marks> = self.step(Moment::Examination, stop, |study| {
                examine(study, (&lesson, &models), means.threads, stop, listen)
            })?;
            self.publish()?;
        }
        for claim in &settings.claims {
            for meeting in &claim.matches {
                self.meet(claim, meeting, &models, (means, stop), listen)?;
                self.publish()?;
            }
        }
        Ok(())
    }

    /// What is learned from: files that are there, or games that are played now.
    fn lesson(&self, means: &Means<'_>, stop: &StopSignal) -> Result<Lesson, LabError> {
        let data = &self.settings.data;
        let Some(games) = data.selfplay else {
            return Ok(Lesson {
                training: data.training.clone(),
                validation: data.validation.clone(),
                played: None,
            });
        };
        let shard = self.folder.path("games.binpack");
        make_parent(&shard)?;
        let settings = selfplay::Settings {
            nodes: Some(games.nodes),
            random_plies: games.random_plies,
            ..selfplay::Settings::default()
        };
        let work = SelfPlay {
            settings: &settings,
            explore: None,
            generation: 1,
            player: &Recipe::AlphaBeta(AlphaBetaRecipe::new(Model::classical(), 1)),
            seed: seed(self.settings.seed, 0, Purpose::SelfPlay),
            amount: Amount::Games(games.games),
            shard: &shard,
            author: None,
            dispatcher: means.dispatcher,
        };
        work.play(stop, &mut |_| {})?.ok_or(LabError::Stopped)?;
        remove(&work.record_path())?;
        Ok(Lesson {
            training: Vec::new(),
            validation: Vec::new(),
            played: Some(self.folder.record(&shard)?),
        })
    }

    /// Plays a match.
    fn meet(
        &mut self,
        claim: &Claim,
        meeting: &Meeting,
        models: &[(String, ModelRecord)],
        (means, stop): (&Means<'_>, &StopSignal),
        listen: &mut dyn FnMut(&News<'_>),
    ) -> Result<(), LabError> {
        let words = format!("{}  {} - {}", claim.name, meeting.first, meeting.second);
        let _: Played = self.step(moment(&claim.name, meeting), stop, |study| {
            listen(&News::Begun(&words));
            let recipe = |name: &str| {
                let model = models.iter().find(|(known, _)| known == name);
                let model = model.ok_or_else(|| LabError::Missing(PathBuf::from(name)))?;
                let model = study.folder.open_model(&model.1)?;
                Ok::<_, LabError>(claim.player.recipe.clone().with_model(model))
            };
            let [first, second] = [recipe(&meeting.first)?, recipe(&meeting.second)?];
            let games = &study.settings.games;
            let conditions = Conditions {
                pace: claim.player.pace.clone(),
                book: games.book.clone(),
                random_plies: games.random_plies,
                endings: games.endings(),
            };
            let name = format!("{}-{}-{}", claim.name, meeting.first, meeting.second);
            let folder = study.folder.path("matches").join(name);
            let played = Match {
                players: [(&meeting.first, &first), (&meeting.second, &second)],
                conditions: &conditions,
                games: claim.games,
                sprt: None,
                seed: seed(study.settings.seed, 0, Purpose::Finals),
                used_openings: 0,
                folder: &folder,
                dispatcher: means.dispatcher,
            };
            let counts = played.play(stop, &mut |heard| match heard {
                Some((pairs, played)) => listen(&News::Games {
                    played,
                    games: claim.games,
                    pairs,
                }),
                None => listen(&News::Quiet),
            })?;
            Ok(Played {
                pairs: counts.pairs,
                white: counts.white,
            })
        })?;
        listen(&News::Ended(&words));
        Ok(())
    }

    /// Does a step, unless it is finished.
    fn step<T: Serialize + DeserializeOwned>(
        &mut self,
        moment: Moment,
        stop: &StopSignal,
        work: impl FnOnce(&Study) -> Result<T, LabError>,
    ) -> Result<T, LabError> {
        if let Some(result) = self.state.finished(&moment, stop)? {
            return Ok(result);
        }
        let begin = Instant::now();
        let result = work(self)?;
        let seconds = begin.elapsed().as_secs_f64();
        self.state.add(moment, seconds, &result)?;
        Ok(result)
    }

    /// Writes everything that is made from the state.
    fn publish(&self) -> Result<Conclusion, LabError> {
        let conclusion = Conclusion::of(&self.settings, self.state.lines())?;
        let origin = (&self.program, self.state.builds());
        report::write(&self.folder, &self.settings, origin, &conclusion)?;
        Ok(conclusion)
    }
}

/// Looks at the study of a folder.
///
/// # Errors
/// If there is none, or it cannot be read.
pub fn look(path: &Path) -> Result<Conclusion, LabError> {
    let settings = open(path)?;
    let state = path.join(STATE_FILE);
    match state.exists() {
        true => Conclusion::of(&settings, &state::look(&state)?),
        false => Conclusion::of(&settings, &[]),
    }
}

fn open(path: &Path) -> Result<Settings, LabError> {
    let file = path.join(STUDY_FILE);
    let text = data::file::read_settings(&file).map_err(|cause| match cause.kind() {
        std::io::ErrorKind::NotFound => LabError::NoStudy(path.to_owned()),
        _ => LabError::file(&file, cause),
    })?;
    read(&file, &text)
}

fn read(path: &Path, text: &str) -> Result<Settings, LabError> {
    settings::read(text).map_err(|problem| LabError::Settings {
        path: PathBuf::from(path),
        line: problem.line(text),
        problem,
    })
}

/// What the file alone does not tell: whether there are files, and openings enough.
fn check(settings: &Settings) -> Result<(), LabError> {
    let data = &settings.data;
    for path in [&data.training, &data.validation, &data.test]
        .into_iter()
        .flatten()
    {
        std::fs::File::open(path).map_err(|cause| LabError::file(path, cause))?;
    }
    let most = settings.claims.iter().map(|claim| claim.games).max();
    let games = &settings.games;
    let most = most.unwrap_or_default();
    matches::check("match_games", &games.book, games.random_plies, most)
}
