//! The results of a ladder so far, from its state alone.

use super::settings::Settings;
use crate::error::LabError;
use crate::state::Line;
use arena::effort::Effort;
use arena::ratings::{Anchor, RatingError, Results, rate};
use arena::statistics::{Estimate, Pentanomial, Strength, Trinomial, expected_score};
use serde::{Deserialize, Serialize};

/// The name of a step: a meeting of a player and a rung.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(super) struct Moment {
    pub(super) stage: Stage,
    pub(super) player: String,
    pub(super) rung: String,
}

/// The purpose of a meeting.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Stage {
    /// To find the deciding rungs.
    Find,
    /// To decide the rating.
    Decide,
}

impl Stage {
    pub(super) fn word(self) -> &'static str {
        match self {
            Stage::Find => "find",
            Stage::Decide => "decide",
        }
    }
}

/// The results of a meeting, from the player's point of view.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub(super) struct Played {
    pub(super) pairs: Pentanomial,
    /// The games from White's point of view: those in which the player had White, and the others.
    pub(super) white: [Trinomial; 2],
    /// What the player and the rung spent.
    pub(super) efforts: [Effort; 2],
    /// How often the player made an illegal move or no move.
    pub(super) illegal: u64,
}

/// All games of a player on a rung.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Meeting {
    /// The player.
    pub player: String,
    /// The rung.
    pub rung: String,
    /// Whether the rung was a deciding one.
    pub decided: bool,
    /// All games, from the player's point of view.
    #[serde(flatten)]
    pub games: Trinomial,
    /// The games in which the player had White, and the others.
    pub colors: [Trinomial; 2],
    /// The player's share of the points.
    pub score: f64,
    /// The share that the joint fit predicts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected: Option<f64>,
    /// The difference by these games alone.
    pub elo: Estimate,
}

/// A player on the ladder.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PlayerRow {
    /// Its name.
    pub name: String,
    /// Its rating in the joint fit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rating: Option<Estimate>,
    /// The number of its games.
    pub games: u64,
    /// The share of its moves that were legal.
    pub legal: f64,
    /// Mean milliseconds per move.
    pub milliseconds: f64,
    /// Mean nodes per move.
    pub nodes: f64,
}

/// A rung.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct RungRow {
    /// Its name.
    pub name: String,
    /// Its nominal rating, which the fit keeps.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nominal: Option<u16>,
    /// Its rating in the joint fit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rating: Option<Estimate>,
}

/// The results of a ladder.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Standing {
    /// The players, in the order of the file.
    pub players: Vec<PlayerRow>,
    /// The rungs, in the order of the file.
    pub rungs: Vec<RungRow>,
    /// The meetings played so far.
    pub meetings: Vec<Meeting>,
    /// A warning about the ratings, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub caveat: Option<String>,
    /// Whether all meetings were played.
    pub finished: bool,
}

impl Standing {
    /// The results of the finished steps.
    pub(super) fn of(
        settings: &Settings,
        lines: &[Line<Moment>],
        finished: bool,
    ) -> Result<Standing, LabError> {
        let steps: Vec<(Moment, Played)> = lines
            .iter()
            .filter_map(|line| Some((line.place.clone(), line.result()?)))
            .collect();
        let mut results = Results::new();
        for (moment, played) in &steps {
            let [white, black] = played.white;
            results.add(&moment.player, &moment.rung, white);
            results.add(&moment.rung, &moment.player, black);
        }
        let list = match rate(&results, &fixed(settings, &results)) {
            Err(RatingError::NoGames) => None,
            list => Some(list?),
        };
        let rating = |name: &str| {
            let players = list.iter().flat_map(|list| &list.players);
            let mut own = players.filter(|player| player.name == name);
            own.next().map(|player| player.rating)
        };
        let mut meetings = Vec::new();
        for player in &settings.players {
            for rung in settings.rungs() {
                let (player, rung) = (&player.name, &rung.name);
                let own = |(moment, _): &&(Moment, Played)| {
                    moment.player == *player && moment.rung == *rung
                };
                let own: Vec<_> = steps.iter().filter(own).collect();
                if let Some(mut meeting) = meeting(player, rung, &own) {
                    let difference = rating(player).zip(rating(rung));
                    meeting.expected =
                        difference.map(|(player, rung)| expected_score(player.value - rung.value));
                    meetings.push(meeting);
                }
            }
        }
        let nominal = |name: &str| {
            let level = settings.levels.iter().find(|(_, level)| level.name == name);
            level.map(|(elo, _)| *elo)
        };
        Ok(Standing {
            players: settings
                .players
                .iter()
                .map(|player| player_row(&player.name, rating(&player.name), &steps))
                .collect(),
            rungs: settings
                .rungs()
                .map(|rung| RungRow {
                    name: rung.name.clone(),
                    nominal: nominal(&rung.name),
                    rating: rating(&rung.name),
                })
                .collect(),
            meetings,
            caveat: list.and_then(|list| list.caveat()),
            finished,
        })
    }
}

/// The ratings that the fit keeps: the nominal ones of levels; without levels, 0 for the first
/// anchor that has games.
fn fixed(settings: &Settings, results: &Results) -> Vec<Anchor> {
    let levels = settings.levels.iter().map(|(elo, level)| Anchor {
        name: level.name.clone(),
        elo: f64::from(*elo),
    });
    let anchors = settings.anchors.iter().map(|anchor| Anchor {
        name: anchor.name.clone(),
        elo: 0.0,
    });
    let has_games = |anchor: &Anchor| results.find(&anchor.name).is_some();
    let levels: Vec<Anchor> = levels.filter(has_games).collect();
    match levels.is_empty() {
        true => anchors.filter(has_games).take(1).collect(),
        false => levels,
    }
}

fn meeting(player: &str, rung: &str, steps: &[&(Moment, Played)]) -> Option<Meeting> {
    let mut pairs = Pentanomial::default();
    let mut colors = [Trinomial::default(); 2];
    for (_, played) in steps {
        pairs += played.pairs;
        let [white, black] = played.white;
        colors[0] += white;
        colors[1] += black.turned();
    }
    let mut games = colors[0];
    games += colors[1];
    Some(Meeting {
        player: player.to_owned(),
        rung: rung.to_owned(),
        decided: steps
            .iter()
            .any(|(moment, _)| moment.stage == Stage::Decide),
        score: games.score()?,
        games,
        colors,
        expected: None,
        elo: Strength::of(&pairs).elo,
    })
}

fn player_row(name: &str, rating: Option<Estimate>, steps: &[(Moment, Played)]) -> PlayerRow {
    let own = steps.iter().filter(|(moment, _)| moment.player == name);
    let mut effort = Effort::default();
    let (mut games, mut illegal) = (0, 0);
    for (_, played) in own {
        effort += played.efforts[0];
        games += played.pairs.games().games();
        illegal += played.illegal;
    }
    let each = |sum: f64| sum / effort.moves.max(1) as f64;
    PlayerRow {
        name: name.to_owned(),
        rating,
        games,
        legal: match effort.moves + illegal {
            0 => 1.0,
            all => effort.moves as f64 / all as f64,
        },
        milliseconds: each(effort.microseconds as f64 / 1_000.0),
        nodes: each(effort.nodes as f64),
    }
}
