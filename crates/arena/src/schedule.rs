//! Who meets whom, in which order, with which opening.
//!
//! Games are numbered from 0. Games 2n and 2n + 1 are the pair n: the same
//! players and opening, with swapped colours. It must not know who the players
//! are, nor when a game is played.

use serde::{Deserialize, Serialize};

/// How players are paired.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Everybody meets everybody else.
    RoundRobin,
    /// The first players, the seeds, each meet all others, but not one another.
    Gauntlet {
        /// How many seeds there are.
        seeds: usize,
    },
}

/// Why there is no such schedule.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ScheduleError {
    /// Nobody to play with.
    #[error("a match needs two players, and there is {0}: add --player \"name=... ...\"")]
    TooFewPlayers(usize),
    /// A pair would be split.
    #[error(
        "{0} games cannot be played in pairs: every opening is played twice, so say an even number"
    )]
    OddGames(u64),
    /// No games.
    #[error("0 games leave nothing to play: say at least 2")]
    NoGames,
    /// Seeds without opponents, or none.
    #[error("a gauntlet of {players} players can have 1 to {} seeds, not {seeds}", players - 1)]
    Seeds {
        /// Seeds asked for.
        seeds: usize,
        /// Players.
        players: usize,
    },
    /// More games than can be numbered.
    #[error("{0} games for each two players are too many")]
    TooManyGames(u64),
}

/// One game to be played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fixture {
    /// Its number.
    pub index: usize,
    /// The number of its pair.
    pub pair: usize,
    /// The number of its round, which is also that of its opening: all meetings
    /// of a round begin alike, so that nobody is favoured.
    pub round: usize,
    /// The player with the white pieces.
    pub white: usize,
    /// The player with the black pieces.
    pub black: usize,
}

/// All games of a match or a tournament.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Schedule {
    /// Who meets whom in every round.
    meetings: Vec<(usize, usize)>,
    rounds: usize,
}

/// Enough for anything that can be played, and far from overflow.
const MOST_GAMES: u64 = 1 << 40;

impl Schedule {
    /// The schedule in which two players that meet play so many games.
    pub fn new(players: usize, format: Format, games: u64) -> Result<Schedule, ScheduleError> {
        if players < 2 {
            return Err(ScheduleError::TooFewPlayers(players));
        }
        if games == 0 {
            return Err(ScheduleError::NoGames);
        }
        if !games.is_multiple_of(2) {
            return Err(ScheduleError::OddGames(games));
        }
        let hosts = match format {
            Format::RoundRobin => players,
            Format::Gauntlet { seeds } if (1..players).contains(&seeds) => seeds,
            Format::Gauntlet { seeds } => return Err(ScheduleError::Seeds { seeds, players }),
        };
        let meets = |host: usize, guest: usize| match format {
            Format::RoundRobin => host < guest,
            Format::Gauntlet { seeds } => guest >= seeds,
        };
        let meetings: Vec<(usize, usize)> = (0..hosts)
            .flat_map(|host| (0..players).map(move |guest| (host, guest)))
            .filter(|&(host, guest)| meets(host, guest))
            .collect();
        if games.saturating_mul(meetings.len() as u64) > MOST_GAMES {
            return Err(ScheduleError::TooManyGames(games));
        }
        Ok(Schedule {
            meetings,
            rounds: (games / 2) as usize,
        })
    }

    /// How many games there are.
    pub fn games(&self) -> usize {
        2 * self.pairs()
    }

    /// How many pairs there are.
    pub fn pairs(&self) -> usize {
        self.meetings.len() * self.rounds
    }

    /// How many rounds, and so openings, there are.
    pub fn rounds(&self) -> usize {
        self.rounds
    }

    /// Who meets whom: the same in every round, in this order.
    pub fn meetings(&self) -> &[(usize, usize)] {
        &self.meetings
    }

    /// Which of the meetings a pair is.
    pub fn meeting_of(&self, pair: usize) -> usize {
        pair % self.meetings.len()
    }

    /// The game of a number.
    pub fn fixture(&self, index: usize) -> Fixture {
        let pair = index / 2;
        let (first, second) = self.meetings[self.meeting_of(pair)];
        let (white, black) = if index.is_multiple_of(2) {
            (first, second)
        } else {
            (second, first)
        };
        Fixture {
            index,
            pair,
            round: pair / self.meetings.len(),
            white,
            black,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn schedule(players: usize, format: Format, games: u64) -> Schedule {
        Schedule::new(players, format, games).expect("a schedule")
    }

    /// White, black and round of each game.
    fn games(schedule: &Schedule) -> Vec<(usize, usize, usize)> {
        (0..schedule.games())
            .map(|index| schedule.fixture(index))
            .map(|fixture| (fixture.white, fixture.black, fixture.round))
            .collect()
    }

    #[test]
    fn a_match_swaps_colours_with_every_opening() {
        let schedule = schedule(2, Format::RoundRobin, 4);
        assert_eq!(
            games(&schedule),
            [(0, 1, 0), (1, 0, 0), (0, 1, 1), (1, 0, 1)]
        );
        let fixture = schedule.fixture(3);
        assert_eq!((fixture.index, fixture.pair, fixture.round), (3, 1, 1));
    }

    #[test]
    fn a_round_robin_goes_by_rounds() {
        let schedule = schedule(3, Format::RoundRobin, 4);
        assert_eq!(schedule.games(), 12);
        let whites_and_blacks = [(0, 1), (1, 0), (0, 2), (2, 0), (1, 2), (2, 1)];
        let expected: Vec<_> = (0..2)
            .flat_map(|round| whites_and_blacks.map(|(white, black)| (white, black, round)))
            .collect();
        assert_eq!(games(&schedule), expected);
    }

    #[test]
    fn seeds_of_a_gauntlet_do_not_meet() {
        let schedule = schedule(5, Format::Gauntlet { seeds: 2 }, 2);
        assert_eq!(
            schedule.meetings(),
            [(0, 2), (0, 3), (0, 4), (1, 2), (1, 3), (1, 4)]
        );
        assert_eq!(schedule.meeting_of(4), 4);
        assert_eq!(schedule.pairs(), 6);
    }

    #[test]
    fn what_cannot_be_played_is_refused() {
        let refusal = |players, format, games| {
            let error = Schedule::new(players, format, games).expect_err("no schedule");
            error.to_string()
        };
        assert!(refusal(1, Format::RoundRobin, 2).contains("needs two players"));
        assert!(refusal(2, Format::RoundRobin, 3).starts_with("3 games cannot be played in pairs"));
        assert!(refusal(2, Format::RoundRobin, 0).starts_with("0 games"));
        let gauntlet = |seeds| refusal(3, Format::Gauntlet { seeds }, 2);
        assert!(gauntlet(0).contains("1 to 2 seeds, not 0"));
        assert!(gauntlet(3).contains("1 to 2 seeds, not 3"));
        assert!(refusal(2, Format::RoundRobin, u64::MAX - 1).contains("too many"));
    }
}
