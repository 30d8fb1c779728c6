//! One session of work on a selection: stage by stage, round by round.

use super::allocation::{Pairings, pairs_of_each_two};
use super::candidates::{self, Field};
use super::course::{Begun, Choice, Moment, Reason, Round, Stage, chance_seed};
use super::promotion::{finalists, neighbours, promoted};
use super::settings::{Allocation, Settings};
use super::standings::{Met, Standings};
use super::work::{News, Selection};
use crate::error::LabError;
use crate::matches::{Counts, Games, MOST_FAILURES};
use crate::seeds::{Purpose, seed};
use arena::ledger::Ledger;
use arena::schedule::{Format, Meeting};
use arena::statistics::{Decision, Sprt};
use data::journal::Build;
use data::random;
use engines::StopSignal;
use engines::recipe::PlayerSpec;
use nets::Model;
use std::collections::BTreeSet;
use work::Dispatcher;

/// The players of a stage, from those that meet. Meetings refer to players by their index in the
/// field before, and in the returned list after.
pub(super) fn players(
    template: &PlayerSpec,
    meetings: &mut [Meeting],
    mut open: impl FnMut(usize) -> Result<(String, Model), LabError>,
) -> Result<Vec<PlayerSpec>, LabError> {
    let numbers: BTreeSet<usize> = (meetings.iter())
        .flat_map(|meeting| [meeting.first, meeting.second])
        .collect();
    let numbers: Vec<usize> = numbers.into_iter().collect();
    for meeting in meetings {
        for player in [&mut meeting.first, &mut meeting.second] {
            *player = numbers.partition_point(|number| *number < *player);
        }
    }
    let spec = |&number: &usize| {
        let (name, model) = open(number)?;
        Ok(PlayerSpec {
            name,
            recipe: template.recipe.clone().with_model(model),
            pace: template.pace.clone(),
        })
    };
    numbers.iter().map(spec).collect()
}

/// Work on a selection.
pub(super) struct Session<'a> {
    selection: &'a mut Selection,
    dispatcher: &'a dyn Dispatcher,
    stop: &'a StopSignal,
    listen: &'a mut dyn FnMut(&News<'_>),
    field: Field,
    /// The models of the field that were opened; they are kept for the next rounds.
    opened: Vec<Option<Model>>,
    /// The results of all games so far.
    before: Vec<Met>,
    /// The number of steps when results were last shown.
    shown: usize,
}

impl<'a> Session<'a> {
    /// Finds the candidates, unless that was done before.
    pub(super) fn begin(
        selection: &'a mut Selection,
        dispatcher: &'a dyn Dispatcher,
        stop: &'a StopSignal,
        listen: &'a mut dyn FnMut(&News<'_>),
    ) -> Result<Session<'a>, LabError> {
        let found = selection.found.take();
        let begun: Begun =
            selection
                .project
                .step(Moment::of(Stage::Candidates), stop, |project| {
                    Ok(Begun {
                        field: match found {
                            Some(found) => found,
                            None => candidates::find(&project.settings)?,
                        },
                    })
                })?;
        if let Some(text) = Build::mixed(selection.project.state.builds()) {
            listen(&News::Warning(&text));
        }
        Ok(Session {
            opened: vec![None; begun.field.players()],
            field: begun.field,
            shown: selection.project.state.lines().len(),
            before: Vec::new(),
            selection,
            dispatcher,
            stop,
            listen,
        })
    }

    /// Works until a net is chosen.
    pub(super) fn work(&mut self) -> Result<(), LabError> {
        let settings = self.selection.project.settings.clone();
        let beginners: Vec<usize> = (0..self.field.candidates.len())
            .filter(|&number| self.field.candidates[number].begins)
            .collect();
        let gauntlet = &settings.gauntlet;
        let pairings = Pairings::gauntlet(self.field.baseline, &beginners, gauntlet.games);
        let moment = Moment::of(Stage::Gauntlet);
        self.round(moment, 1, &gauntlet.player, &pairings, None)?;
        self.show(Stage::Gauntlet)?;

        let mut running = promoted(gauntlet, &self.standings()?);
        let stage = &settings.round_robin;
        let (player, allocation) = (&stage.player, stage.allocation);
        self.tournament(Stage::RoundRobin, player, &running, stage.games, allocation)?;

        let peak = &settings.peak;
        let around = neighbours(peak, &self.field, &self.standings()?, &running);
        let (player, allocation) = (&peak.player, peak.allocation);
        self.tournament(Stage::Peak, player, &around, peak.games, allocation)?;
        if peak.games > 0 {
            running.extend(around);
        }
        self.choose(&settings, &running)
    }

    fn standings(&self) -> Result<Standings, LabError> {
        let seed = chance_seed(&self.selection.project.settings);
        Standings::of(&self.field, self.before.iter(), seed)
    }

    /// Plays a round of a stage that has this many.
    fn round(
        &mut self,
        moment: Moment,
        rounds: u32,
        template: &PlayerSpec,
        pairings: &Pairings,
        sprt: Option<Sprt>,
    ) -> Result<(), LabError> {
        let meetings = pairings.meetings(&self.before);
        let (field, opened, listen) = (&self.field, &mut self.opened, &mut self.listen);
        let (dispatcher, stop) = (self.dispatcher, self.stop);
        let round: Round = self.selection.project.step(moment, stop, |project| {
            listen(&News::Begun {
                stage: moment.stage,
                round: moment.round,
                rounds,
                games: pairings.games(),
            });
            let mut numbered = meetings.clone();
            let players = players(template, &mut numbered, |number| {
                let model = match &opened[number] {
                    Some(model) => model.clone(),
                    None => opened[number].insert(field.open(number)?).clone(),
                };
                Ok((field.name(number).to_owned(), model))
            })?;
            let folder = project.folder.path(&moment.folder(rounds));
            let settings = &project.settings;
            let games = Games {
                players,
                games: pairings.games(),
                format: Format::Listed { meetings: numbered },
                sprt,
                book: &settings.games.book,
                random_plies: settings.games.random_plies,
                endings: &settings.games.endings(),
                seed: seed(settings.seed, 0, Purpose::Selection),
                used_openings: 0,
                folder: &folder,
                event: "tabia select",
                dispatcher,
                most_failures: MOST_FAILURES,
            };
            let ledger = games.play(stop, &mut |ledger| match ledger {
                Some(ledger) => listen(&News::Games(ledger.games() as u64)),
                None => listen(&News::Quiet),
            })?;
            Ok(Round {
                meetings: results(&meetings, &ledger),
            })
        })?;
        self.before.extend(round.meetings);
        Ok(())
    }

    /// Plays stage 2 or 3: entrants against each other.
    fn tournament(
        &mut self,
        stage: Stage,
        player: &PlayerSpec,
        entrants: &[usize],
        games: u64,
        allocation: Allocation,
    ) -> Result<(), LabError> {
        if games == 0 {
            return Ok(());
        }
        if entrants.len() < 2 {
            let words = "no neighbour of the best epoch can still be better";
            (self.listen)(&News::LeftOut(stage, words));
            return Ok(());
        }
        let pairs = pairs_of_each_two(games, entrants.len());
        match allocation {
            Allocation::Even => {
                let pairings = Pairings::even(entrants, pairs);
                self.round(Moment::of(stage), 1, player, &pairings, None)?;
            }
            Allocation::Open {
                rounds,
                least_chance,
                sure,
            } => {
                let first = (pairs / u64::from(rounds)).max(1);
                let even = Pairings::even(entrants, first);
                self.round(Moment::of(stage), rounds, player, &even, None)?;
                let all = Pairings::even(entrants, pairs).games();
                let rest = all.saturating_sub(even.games()) / 2;
                let bounds = [least_chance, sure];
                self.open_rounds(stage, player, entrants, (rounds, rest), bounds)?;
            }
        }
        self.show(stage)
    }

    /// Plays the rounds after the first, with this many pairs in all of them together.
    fn open_rounds(
        &mut self,
        stage: Stage,
        player: &PlayerSpec,
        entrants: &[usize],
        (rounds, mut rest): (u32, u64),
        [least_chance, sure]: [f64; 2],
    ) -> Result<(), LabError> {
        let share = rest.div_ceil(u64::from(rounds - 1));
        let settings = &self.selection.project.settings;
        let number = seed(settings.seed, stage as u32, Purpose::Allocation);
        let chance_seed = chance_seed(settings);
        for round in 2..=rounds {
            let standings = self.standings()?;
            let chances = standings.worlds(entrants).chances(chance_seed);
            let is_sure = chances.iter().any(|&chance| chance >= sure);
            let open: Vec<usize> = (entrants.iter().zip(&chances))
                .filter(|(_, chance)| **chance >= least_chance)
                .map(|(&entrant, _)| entrant)
                .collect();
            let pairs = share.min(rest);
            if is_sure || open.len() < 2 || pairs == 0 {
                break;
            }
            rest -= pairs;
            let mut generator = random::generator(number, u64::from(round));
            let worlds = standings.worlds(&open);
            let pairings = Pairings::open(&open, &worlds, pairs, &mut generator);
            self.round(Moment { stage, round }, rounds, player, &pairings, None)?;
        }
        Ok(())
    }

    /// Plays stage 4 and chooses a candidate.
    fn choose(&mut self, settings: &Settings, running: &[usize]) -> Result<(), LabError> {
        let Some([leader, rival]) = finalists(&self.standings()?, running) else {
            return Err(LabError::Candidates("no candidate has played".to_owned()));
        };
        let last = &settings.last;
        let mut decision = None;
        if last.games > 0 {
            let pairings = Pairings::gauntlet(leader, &[rival], last.games);
            let moment = Moment::of(Stage::Final);
            self.round(moment, 1, &last.player, &pairings, Some(last.sprt))?;
            let met = self.before.last().map(|met| met.pairs).unwrap_or_default();
            decision = Some((last.sprt.judge(&met).decision, met));
        }
        let standings = self.standings()?;
        let elo = |number: usize| standings.of_candidate(number).map(|row| row.elo.value);
        let better = |is_rival: bool| if is_rival { rival } else { leader };
        let (chosen, reason) = match decision {
            None => (leader, Reason::NoFinal),
            Some((Decision::AcceptElo1, _)) => (leader, Reason::Accepted),
            Some((Decision::AcceptElo0, met)) => {
                let games = met.games();
                (better(games.losses > games.wins), Reason::Rejected)
            }
            Some((Decision::Continue, _)) => (better(elo(rival) > elo(leader)), Reason::Undecided),
        };
        let field = &self.field;
        let moment = Moment::of(Stage::Choice);
        self.selection.project.step(moment, self.stop, |project| {
            let source = &field.candidates[chosen];
            // This checks its hash once more.
            field.open(chosen)?;
            let bytes =
                std::fs::read(&source.path).map_err(|cause| LabError::file(&source.path, cause))?;
            let ending = source.path.extension().unwrap_or_default();
            let path = project.folder.path("selected").with_extension(ending);
            Ok(Choice {
                candidate: chosen,
                net: project.folder.write_model(&path, &bytes)?,
                reason,
            })
        })?;
        match last.games {
            0 => Ok(()),
            _ => self.show(Stage::Final),
        }
    }

    /// Shows a complete stage, unless it has been shown.
    fn show(&mut self, stage: Stage) -> Result<(), LabError> {
        let steps = self.selection.project.state.lines().len();
        if steps > self.shown {
            self.shown = steps;
            if let Some(course) = self.selection.publish()? {
                (self.listen)(&News::Ended(stage, &course));
            }
        }
        Ok(())
    }
}

/// The results of a round's meetings.
fn results(meetings: &[Meeting], ledger: &Ledger) -> Vec<Met> {
    let counted = meetings.iter().zip(Counts::all(ledger));
    counted
        .map(|(meeting, counts)| Met {
            first: meeting.first,
            second: meeting.second,
            white: counts.white,
            pairs: counts.pairs,
        })
        .collect()
}
