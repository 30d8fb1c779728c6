//! The pairings of a match or tournament, their order and their openings.
//!
//! Games are numbered from 0. Games 2n and 2n + 1 are pair n: the same players and opening, with
//! swapped colours. This module must not know who the players are, nor when a game is played.

use serde::{Deserialize, Serialize};

/// How players are paired.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// All players meet each other.
    RoundRobin,
    /// The first players, the seeds, each meet all others, but not each other.
    Gauntlet {
        /// How many seeds there are.
        seeds: usize,
    },
    /// The pairings of a list, each with its own number of games.
    Listed {
        /// The pairings.
        meetings: Vec<Meeting>,
    },
}

/// A number of games between two players.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Meeting {
    /// The player with the white pieces in the first game.
    pub first: usize,
    /// The opponent.
    pub second: usize,
    /// The number of games.
    pub games: u64,
    /// The number of its first opening; its other pairs use those that follow.
    pub opening: usize,
}

/// Why a schedule is invalid.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ScheduleError {
    /// There are fewer than two players.
    #[error("a match needs two players, but there is {0}: add --player \"name=... ...\"")]
    TooFewPlayers(usize),
    /// An odd number of games would split a pair.
    #[error(
        "{0} games cannot be played in pairs: every opening is played twice, so give an even number"
    )]
    OddGames(u64),
    /// There are no games.
    #[error("0 games leave nothing to play: give at least 2")]
    NoGames,
    /// There are no seeds, or no opponents for them.
    #[error("a gauntlet of {players} players can have 1 to {} seeds, not {seeds}", players - 1)]
    Seeds {
        /// The number of seeds asked for.
        seeds: usize,
        /// The number of players.
        players: usize,
    },
    /// There are too many games.
    #[error("{0} games for each two players are too many")]
    TooManyGames(u64),
    /// A meeting of an unknown player, or of a player with itself.
    #[error("players {first} and {second} of {players} cannot meet")]
    Meeting {
        /// One of the players, from 0.
        first: usize,
        /// The other player.
        second: usize,
        /// The number of players.
        players: usize,
    },
}

/// One game to be played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fixture {
    /// Its number.
    pub index: usize,
    /// The number of its pair.
    pub pair: usize,
    /// The number of its round, which is also that of its opening: all meetings of a round use the
    /// same opening, so that no player is favoured.
    pub round: usize,
    /// The player with the white pieces.
    pub white: usize,
    /// The player with the black pieces.
    pub black: usize,
}

/// All games of a match or a tournament.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Schedule {
    /// The two players of each meeting.
    meetings: Vec<(usize, usize)>,
    order: Order,
}

/// The order of the pairs.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Order {
    /// All meetings once per round, for this many rounds.
    Rounds(usize),
    /// The meeting and the opening of each pair.
    Listed(Vec<(usize, usize)>),
}

/// More than can ever be played, and far from overflow.
const MOST_GAMES: u64 = 1 << 40;
/// The limit for a list, which takes memory for each pair.
const MOST_LISTED: u64 = 1 << 26;

impl Schedule {
    /// The schedule with this many games in each meeting.
    pub fn new(players: usize, format: Format, games: u64) -> Result<Schedule, ScheduleError> {
        if players < 2 {
            return Err(ScheduleError::TooFewPlayers(players));
        }
        let hosts = match &format {
            Format::Listed { meetings } => return Schedule::listed(players, meetings),
            Format::RoundRobin => players,
            &Format::Gauntlet { seeds } if (1..players).contains(&seeds) => seeds,
            &Format::Gauntlet { seeds } => return Err(ScheduleError::Seeds { seeds, players }),
        };
        check_games(games)?;
        let meets = |host: usize, guest: usize| match format {
            Format::Gauntlet { seeds } => guest >= seeds,
            _ => host < guest,
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
            order: Order::Rounds((games / 2) as usize),
        })
    }

    /// The schedule of a list. The meetings take turns, so that all are equally far if the match is
    /// stopped.
    fn listed(players: usize, list: &[Meeting]) -> Result<Schedule, ScheduleError> {
        let mut total = 0_u64;
        for meeting in list {
            let &Meeting { first, second, .. } = meeting;
            if first == second || first.max(second) >= players {
                return Err(ScheduleError::Meeting {
                    first,
                    second,
                    players,
                });
            }
            check_games(meeting.games)?;
            total = total.saturating_add(meeting.games);
            if total > MOST_LISTED {
                return Err(ScheduleError::TooManyGames(total));
            }
        }
        if list.is_empty() {
            return Err(ScheduleError::NoGames);
        }
        let pairs = |meeting: &Meeting| (meeting.games / 2) as usize;
        let turns = list.iter().map(pairs).max().unwrap_or_default();
        let slots = (0..turns).flat_map(|turn| {
            let meetings = list.iter().enumerate();
            meetings
                .filter(move |(_, meeting)| turn < pairs(meeting))
                .map(move |(number, meeting)| (number, meeting.opening + turn))
        });
        Ok(Schedule {
            order: Order::Listed(slots.collect()),
            meetings: list
                .iter()
                .map(|meeting| (meeting.first, meeting.second))
                .collect(),
        })
    }

    /// The number of games.
    pub fn games(&self) -> usize {
        2 * self.pairs()
    }

    /// The number of pairs.
    pub fn pairs(&self) -> usize {
        match &self.order {
            Order::Rounds(rounds) => self.meetings.len() * rounds,
            Order::Listed(slots) => slots.len(),
        }
    }

    /// The number of rounds, which is that of openings; for a list, the number of the last opening
    /// plus one.
    pub fn rounds(&self) -> usize {
        match &self.order {
            Order::Rounds(rounds) => *rounds,
            Order::Listed(slots) => {
                let openings = slots.iter().map(|&(_, opening)| opening + 1);
                openings.max().unwrap_or_default()
            }
        }
    }

    /// The two players of each meeting, in the order of a round.
    pub fn meetings(&self) -> &[(usize, usize)] {
        &self.meetings
    }

    /// The index of a pair's meeting.
    pub fn meeting_of(&self, pair: usize) -> usize {
        self.place(pair).0
    }

    /// The meeting and the opening of a pair.
    fn place(&self, pair: usize) -> (usize, usize) {
        match &self.order {
            Order::Rounds(_) => (pair % self.meetings.len(), pair / self.meetings.len()),
            Order::Listed(slots) => slots[pair],
        }
    }

    /// The game with this number.
    pub fn fixture(&self, index: usize) -> Fixture {
        let pair = index / 2;
        let (meeting, round) = self.place(pair);
        let (first, second) = self.meetings[meeting];
        let (white, black) = if index.is_multiple_of(2) {
            (first, second)
        } else {
            (second, first)
        };
        Fixture {
            index,
            pair,
            round,
            white,
            black,
        }
    }
}

fn check_games(games: u64) -> Result<(), ScheduleError> {
    match games {
        0 => Err(ScheduleError::NoGames),
        odd if !odd.is_multiple_of(2) => Err(ScheduleError::OddGames(odd)),
        _ => Ok(()),
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
    fn listed_meetings_take_turns_with_openings_of_their_own() {
        let meeting = |first, second, games, opening| Meeting {
            first,
            second,
            games,
            opening,
        };
        let list = |meetings: &[Meeting]| Format::Listed {
            meetings: meetings.to_vec(),
        };
        let schedule = schedule(3, list(&[meeting(0, 2, 2, 7), meeting(2, 1, 4, 0)]), 0);
        assert_eq!(
            games(&schedule),
            [
                (0, 2, 7),
                (2, 0, 7),
                (2, 1, 0),
                (1, 2, 0),
                (2, 1, 1),
                (1, 2, 1)
            ]
        );
        assert_eq!(schedule.meetings(), [(0, 2), (2, 1)]);
        assert_eq!([0, 1, 2].map(|pair| schedule.meeting_of(pair)), [0, 1, 1]);
        assert_eq!((schedule.pairs(), schedule.rounds()), (3, 8));
        let refusal = |meetings: &[Meeting]| {
            let refused = Schedule::new(3, list(meetings), 0).expect_err("no schedule");
            refused.to_string()
        };
        assert!(refusal(&[meeting(1, 1, 2, 0)]).contains("players 1 and 1 of 3"));
        assert!(refusal(&[meeting(0, 3, 2, 0)]).contains("cannot meet"));
        assert!(refusal(&[meeting(0, 1, 3, 0)]).starts_with("3 games"));
        assert!(refusal(&[meeting(0, 1, 1 << 40, 0)]).contains("too many"));
        assert!(refusal(&[]).starts_with("0 games"));
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
