//! Chooses games by their tags, moves and results.

use super::date::Date;
use crate::pgn::{Ending, GameResult, Tag, TimeControl};

/// Conditions for games; those that are not set are ignored.
#[derive(Clone, Debug, Default)]
pub struct Filter {
    /// The lowest rating of either player.
    pub min_rating: Option<u16>,
    /// The highest rating of either player.
    pub max_rating: Option<u16>,
    /// The lowest mean of both ratings.
    pub min_mean_rating: Option<u16>,
    /// The name of one of the players, ignoring case.
    pub player: Option<String>,
    /// The fewest seconds that a player has for forty moves.
    pub min_seconds: Option<u32>,
    /// Whether the time left after each move must be known.
    pub with_clocks: bool,
    /// The first date.
    pub from: Option<Date>,
    /// The last date.
    pub to: Option<Date>,
    /// The fewest moves of both sides together.
    pub min_plies: Option<u64>,
    /// The most moves of both sides together.
    pub max_plies: Option<u64>,
    /// The allowed results; empty for all.
    pub results: Vec<GameResult>,
    /// Words of which the event's name must contain one, ignoring case.
    pub event_words: Vec<String>,
    /// Words that the event's name must not contain, ignoring case.
    pub unwanted_event_words: Vec<String>,
}

/// The tags of a game that filters need.
#[derive(Clone, Debug, Default)]
pub(crate) struct Facts {
    ratings: [Option<u16>; 2],
    players: [String; 2],
    date: Option<Date>,
    /// The UTC date, for games without another date.
    utc_date: Option<Date>,
    time_control: Option<TimeControl>,
    event: String,
}

impl Facts {
    pub(crate) fn note(&mut self, tag: Tag<'_>) {
        match tag.name() {
            b"WhiteElo" => self.ratings[0] = tag.value().trim().parse().ok(),
            b"BlackElo" => self.ratings[1] = tag.value().trim().parse().ok(),
            b"White" => self.players[0] = tag.value().trim().to_lowercase(),
            b"Black" => self.players[1] = tag.value().trim().to_lowercase(),
            b"Date" => self.date = tag.value().parse().ok(),
            b"UTCDate" => self.utc_date = tag.value().parse().ok(),
            b"TimeControl" => self.time_control = tag.value().parse().ok(),
            b"Event" => self.event = tag.value().to_lowercase(),
            _ => {}
        }
    }

    pub(crate) fn date(&self) -> Option<Date> {
        self.date.or(self.utc_date)
    }

    /// The ratings of White and Black.
    pub(crate) fn ratings(&self) -> [Option<u16>; 2] {
        self.ratings
    }

    pub(crate) fn time_control(&self) -> Option<TimeControl> {
        self.time_control
    }
}

impl Filter {
    /// Whether the tags of a game satisfy the filter. A condition on something unknown
    /// is not satisfied.
    pub(crate) fn takes_tags(&self, facts: &Facts) -> bool {
        self.takes_ratings(facts.ratings)
            && self.takes_players(&facts.players)
            && self.takes_seconds(facts.time_control)
            && self.takes_date(facts.date())
            && self.takes_event(&facts.event)
    }

    fn takes_ratings(&self, ratings: [Option<u16>; 2]) -> bool {
        let is_enough = |rating: Option<u16>| {
            self.min_rating
                .is_none_or(|least| rating.is_some_and(|rating| rating >= least))
                && self
                    .max_rating
                    .is_none_or(|most| rating.is_some_and(|rating| rating <= most))
        };
        let [white, black] = ratings;
        let mean = white
            .zip(black)
            .map(|(white, black)| u16::midpoint(white, black));
        let is_mean_enough = self
            .min_mean_rating
            .is_none_or(|least| mean.is_some_and(|mean| mean >= least));
        is_mean_enough && ratings.into_iter().all(is_enough)
    }

    fn takes_players(&self, players: &[String; 2]) -> bool {
        let is_meant = |name: &String| players.contains(&name.trim().to_lowercase());
        self.player.as_ref().is_none_or(is_meant)
    }

    fn takes_seconds(&self, control: Option<TimeControl>) -> bool {
        self.min_seconds
            .is_none_or(|least| control.is_some_and(|control| control.seconds() >= least))
    }

    fn takes_date(&self, date: Option<Date>) -> bool {
        self.from
            .is_none_or(|from| date.is_some_and(|date| date.is_not_before(from)))
            && self
                .to
                .is_none_or(|to| date.is_some_and(|date| date.is_not_after(to)))
    }

    fn takes_event(&self, event: &str) -> bool {
        let holds = |word: &String| event.contains(&word.to_lowercase());
        (self.event_words.is_empty() || self.event_words.iter().any(holds))
            && !self.unwanted_event_words.iter().any(holds)
    }

    /// Whether the moves and the result of a game satisfy the filter.
    pub(crate) fn takes_ending(&self, ending: &Ending) -> bool {
        self.min_plies.is_none_or(|least| ending.plies >= least)
            && self.max_plies.is_none_or(|most| ending.plies <= most)
            && (self.results.is_empty() || self.results.contains(&ending.result()))
    }
}
