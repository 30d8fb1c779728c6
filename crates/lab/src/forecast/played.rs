//! Trial games of self-play, and the estimates that follow for a run: how many positions it plays,
//! what they cost, and how many of them a generation learns from.

use super::{Cost, Trial};
use crate::error::LabError;
use crate::folder::file_size;
use crate::matches::{PROBE_PLIES, USUAL_PLIES};
use crate::settings::Arm;
use arena::selfplay::explore::{ExploreSettings, ExportPaths};
use arena::selfplay::{self, Amount, ByGeneration, Horizon, SelfPlay};
use engines::recipe::{AlphaBetaRecipe, Pace, Recipe};
use nets::Model;
use std::path::{Path, PathBuf};
use std::time::Instant;
use train::Learned;

/// The number of games in a lock-step probe: enough for a batch of some size, few enough to end
/// soon.
const PROBE_GAMES: usize = 8;

/// The estimated self-play of a run.
pub(super) struct Played {
    /// The generations, from the first one on.
    pub(super) generations: Vec<PlayedGeneration>,
    pub(super) bytes_a_position: f64,
    /// The shard of one of the trials.
    pub(super) shard: PathBuf,
}

#[derive(Clone, Copy)]
pub(super) struct PlayedGeneration {
    pub(super) cost: Cost,
    pub(super) positions: f64,
}

impl Played {
    /// The mean number of positions that a generation plays.
    pub(super) fn average_positions(&self) -> f64 {
        let played = self.generations.iter().map(|one| one.positions);
        played.sum::<f64>() / self.generations.len() as f64
    }

    /// Leaves out the generations for which no time is left: each must begin within this many
    /// seconds, and `others` is its cost besides its games.
    pub(super) fn end_within(&mut self, seconds: Option<f64>, others: f64) {
        let mut left = seconds.unwrap_or(f64::INFINITY);
        let begun = self.generations.iter().take_while(|one| {
            let begins = left > 0.0;
            left -= one.cost.seconds + others;
            begins
        });
        let begun = begun.count().max(1);
        self.generations.truncate(begun);
    }

    /// The number of positions outside the last window.
    pub(super) fn beyond_window(&self, arm: &Arm) -> f64 {
        let all: f64 = self.generations.iter().map(|one| one.positions).sum();
        let last = self.generations.len();
        let window = arm.buffer.generations.unwrap_or(u32::MAX) as usize;
        let kept = &self.generations[last.saturating_sub(window)..];
        let kept: f64 = kept.iter().map(|one| one.positions).sum();
        all - kept.min(arm.buffer.positions.of(last as u32) as f64)
    }

    /// The mean number of positions that a generation learns from.
    pub(super) fn average_lesson(&self, arm: &Arm) -> f64 {
        let window = arm.buffer.generations.unwrap_or(u32::MAX) as usize;
        let mut lessons = 0.0;
        for (number, last) in (1..).zip(1..=self.generations.len()) {
            let kept = &self.generations[last.saturating_sub(window)..last];
            let played: f64 = kept.iter().map(|one| one.positions).sum();
            lessons += f64::min(played, arm.buffer.positions.of(number) as f64);
        }
        lessons / self.generations.len() as f64
    }
}

/// The measured cost of a position at some pace.
#[derive(Clone, Copy)]
pub(super) struct Tried {
    pub(super) seconds: f64,
    pub(super) bytes: f64,
    pub(super) positions_a_game: f64,
}

impl Tried {
    pub(super) fn generation(&self, amount: Amount) -> PlayedGeneration {
        let positions = match amount {
            Amount::Positions(positions) => positions as f64,
            Amount::Games(games) => games as f64 * self.positions_a_game,
            Amount::Seconds(wanted) => wanted / self.seconds,
        };
        let one = Cost {
            seconds: self.seconds,
            bytes: self.bytes,
        };
        PlayedGeneration {
            cost: one.times(positions),
            positions,
        }
    }
}

impl Trial<'_> {
    /// Tries one generation for each pace, and the first one separately if another model plays it.
    pub(super) fn selfplay(&self, first: &Model, later: &Model) -> Result<Played, LabError> {
        let mut shard = PathBuf::new();
        if self.arm.learner.learns_from() == Learned::OwnGames {
            let nothing = PlayedGeneration {
                cost: Cost::default(),
                positions: 0.0,
            };
            return Ok(Played {
                generations: vec![nothing; self.experiment.generations as usize],
                bytes_a_position: 0.0,
                shard,
            });
        }
        let mut tried: Vec<((Pace, &Model), Tried)> = Vec::new();
        let mut generations = Vec::new();
        for generation in 1..=self.experiment.generations {
            let player = if generation == 1 { first } else { later };
            let pace = (self.arm.selfplay.pace(generation), player);
            let known = tried
                .iter()
                .find(|((known, by), _)| *known == pace.0 && std::ptr::eq(*by, player));
            let one = match known {
                Some((_, one)) => *one,
                None => {
                    // Each pace has its own shard, since its games differ.
                    let ending = match self.arm.learner.learns_from() {
                        Learned::Positions | Learned::OwnGames => "binpack",
                        Learned::Searches => "policy",
                    };
                    shard = self.root.join(format!("shard-{generation}.{ending}"));
                    let one = self.tried(player, generation, &shard)?;
                    tried.push((pace, one));
                    one
                }
            };
            let one = Tried {
                seconds: one.seconds * self.effort(generation) / self.effort(self.middle()),
                ..one
            };
            generations.push(one.generation(self.arm.amount.amount(generation)));
        }
        let bytes = tried.iter().map(|(_, one)| one.bytes).sum::<f64>();
        Ok(Played {
            generations,
            bytes_a_position: bytes / tried.len().max(1) as f64,
            shard,
        })
    }

    /// The mean number of simulations per move in this generation; 1 without exploration.
    fn effort(&self, generation: u32) -> f64 {
        let Some(explore) = &self.arm.explore else {
            return 1.0;
        };
        let [full, cheap] = [&explore.simulations, &explore.cheap_simulations]
            .map(|simulations| simulations.of(generation) as f64);
        full * explore.full_share + cheap * (1.0 - explore.full_share)
    }

    /// The cost of the games of the hand-written evaluation that train generation 0.
    pub(super) fn teaching(&self, games: u64, depth: u32) -> Result<PlayedGeneration, LabError> {
        let settings = selfplay::Settings {
            depth: Some(depth),
            book: self.arm.selfplay.book.clone(),
            random_plies: self.arm.selfplay.random_plies,
            ..selfplay::Settings::default()
        };
        let shard = self.root.join("shard-0.binpack");
        let amount = Amount::Seconds(self.seconds);
        let teacher = Recipe::AlphaBeta(AlphaBetaRecipe::new(Model::classical(), 1));
        let tried = self.played(&teacher, &settings, None, amount, &shard)?;
        Ok(tried.generation(Amount::Games(games)))
    }

    /// Plays some games at the pace of this generation, but with the horizon of the middle one; if
    /// whole games would take too long, only their first plies.
    fn tried(&self, net: &Model, generation: u32, shard: &Path) -> Result<Tried, LabError> {
        let settings = selfplay::Settings {
            soft_nodes: self
                .arm
                .selfplay
                .pace(generation)
                .soft_nodes
                .map(Into::into),
            ..self.arm.selfplay.clone()
        };
        let player = self.arm.player(net.clone());
        let explore = self.arm.explore.clone();
        let horizon = settings.horizon.as_ref();
        let usual = horizon.map_or(USUAL_PLIES, |horizon| horizon.plies(self.middle()));
        let usual = usual.min(USUAL_PLIES);
        // Plies without a search give no positions to learn from.
        let unsearched = explore.as_ref().map_or(0, |explore| explore.policy_plies);
        let plies = PROBE_PLIES + unsearched;
        if usual > plies {
            let few = explore.clone().map(|explore| ExploreSettings {
                games_at_once: explore.games_at_once.min(PROBE_GAMES),
                ..explore
            });
            let short = selfplay::Settings {
                horizon: Some(Horizon::Said(ByGeneration::Same(plies))),
                ..settings.clone()
            };
            let at_once = |explore: Option<&ExploreSettings>| {
                let games = explore.map_or(1, |explore| explore.games_at_once);
                games * self.means.dispatcher.at_once()
            };
            let amount = Amount::Games(at_once(few.as_ref()).max(PROBE_GAMES) as u64);
            let probed = self.played(&player, &short, few.as_ref(), amount, shard)?;
            let games = at_once(explore.as_ref());
            if probed.seconds * f64::from(usual) * games as f64 > self.seconds {
                return Ok(Tried {
                    positions_a_game: f64::from(usual),
                    ..probed
                });
            }
            for used in [shard, &shard.with_added_extension("games")] {
                let _ = std::fs::remove_file(used);
            }
        }
        let amount = Amount::Seconds(self.seconds);
        self.played(&player, &settings, explore.as_ref(), amount, shard)
    }

    /// Plays this many games, and measures them.
    fn played(
        &self,
        player: &Recipe,
        settings: &selfplay::Settings,
        explore: Option<&ExploreSettings>,
        amount: Amount,
        shard: &Path,
    ) -> Result<Tried, LabError> {
        let work = SelfPlay {
            settings,
            explore,
            generation: self.middle(),
            player,
            seed: 1,
            amount,
            shard,
            author: None,
            dispatcher: self.means.dispatcher,
        };
        let begin = Instant::now();
        let totals = work
            .play(self.stop, &mut |_| {})?
            .ok_or(LabError::Stopped)?;
        let positions = totals.positions.max(1) as f64;
        let seconds = begin.elapsed().as_secs_f64();
        let bytes = file_size(shard) + self.exported(&work)?;
        Ok(Tried {
            seconds: seconds / positions,
            bytes: bytes as f64 / positions,
            positions_a_game: positions / totals.games.max(1) as f64,
        })
    }

    /// The bytes of exported games of exploration.
    fn exported(&self, work: &SelfPlay<'_>) -> Result<u64, LabError> {
        if work.explore.is_none() || !self.experiment.keep.games {
            return Ok(0);
        }
        let [lines, pgn] = ["games.jsonl", "games.pgn"].map(|name| self.root.join(name));
        work.export(&ExportPaths {
            lines: &lines,
            pgn: &pgn,
            event: "",
        })?;
        Ok(file_size(&lines) + file_size(&pgn))
    }
}
