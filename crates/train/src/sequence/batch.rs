//! The games of a step as numbers: rows of events, legal moves, targets.

use super::settings::{Settings, Weighting};
use chess::Move;
use data::sequences::{Outcome, SequenceGame};
use nets::sequence::vocabulary::{self, MOVES};
use nets::sequence::{Encoder, Event, GameFacts};
use std::ops::Range;

/// The training games of one step. Each begins with an event before its first move, which predicts
/// nothing.
#[derive(Clone, Debug, Default)]
pub(crate) struct Batch {
    /// Where the events of each game end.
    games: Vec<usize>,
    /// The board rows of all events.
    pub(crate) board: Listed,
    /// All other rows of the events.
    pub(crate) others: Listed,
    /// The moves among which the next one is predicted, as numbered by the model.
    pub(crate) moves: Listed,
    /// The targets of each event.
    pub(crate) targets: Vec<Target>,
}

/// The targets of an event.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(crate) struct Target {
    /// The index of the move in the event's list.
    pub(crate) place: usize,
    /// The weight of the move.
    pub(crate) of_move: f32,
    /// The result for the side to move: loss, draw or win.
    pub(crate) outcome: usize,
    /// The weight of the result.
    pub(crate) of_outcome: f32,
    /// Plies until the end of the game.
    pub(crate) plies_left: f32,
    /// The seconds that the move took, if known.
    pub(crate) seconds: Option<f32>,
    /// Whether the player resigned after this move, if known.
    pub(crate) resigned: Option<bool>,
}

/// Concatenated lists.
#[derive(Clone, Debug, Default)]
pub(crate) struct Listed {
    pub(crate) items: Vec<u32>,
    ends: Vec<usize>,
}

impl Listed {
    fn clear(&mut self) {
        self.items.clear();
        self.ends.clear();
    }

    fn add(&mut self, items: impl IntoIterator<Item = u32>) {
        self.items.extend(items);
        self.ends.push(self.items.len());
    }

    /// The range of a list's items.
    pub(crate) fn span(&self, number: usize) -> Range<usize> {
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        start..self.ends[number]
    }

    /// A list.
    pub(crate) fn of(&self, number: usize) -> &[u32] {
        &self.items[self.span(number)]
    }
}

impl Batch {
    pub(crate) fn clear(&mut self) {
        self.games.clear();
        self.board.clear();
        self.others.clear();
        self.moves.clear();
        self.targets.clear();
    }

    /// How many events there are.
    pub(crate) fn events(&self) -> usize {
        self.targets.len()
    }

    /// The range of a game's events.
    pub(crate) fn game(&self, number: usize) -> Range<usize> {
        let start = number.checked_sub(1).map_or(0, |before| self.games[before]);
        start..self.games[number]
    }

    /// How many games there are.
    pub(crate) fn games(&self) -> usize {
        self.games.len()
    }

    /// The number of predicted moves: all events but the first of each game.
    pub(crate) fn predictions(&self) -> usize {
        self.events() - self.games()
    }

    /// How many events have a known time, and how many a known end.
    pub(crate) fn known(&self) -> [usize; 2] {
        let count = |is_known: fn(&Target) -> bool| {
            let known = self.targets.iter().filter(|target| is_known(target));
            known.count()
        };
        [
            count(|target| target.seconds.is_some()),
            count(|target| target.resigned.is_some()),
        ]
    }

    /// The sums of the weights of moves and of outcomes.
    pub(crate) fn totals(&self) -> [f64; 2] {
        self.targets
            .iter()
            .fold([0.0; 2], |[moves, outcomes], target| {
                [
                    moves + f64::from(target.of_move),
                    outcomes + f64::from(target.of_outcome),
                ]
            })
    }

    /// Adds a game, with the ratings given to the model or hidden from it. Returns false, and adds
    /// nothing, if one of its moves is illegal or not in the vocabulary.
    #[must_use]
    pub(crate) fn add(
        &mut self,
        game: &SequenceGame,
        tells_ratings: bool,
        encoder: &Encoder,
        how: &Settings,
    ) -> bool {
        let before = self.clone_lengths();
        let mut event = Event::default();
        encoder.start(&mut event);
        self.add_event(&event, [], Target::default());
        let facts = GameFacts {
            ratings: match tells_ratings {
                true => game.ratings,
                false => [None; 2],
            },
            seconds: game.time_control.map(|control| control.seconds()),
            players: game.players,
        };
        let plies = game.moves.len().min(how.most_plies);
        let resigned_at = game.resigned_at();
        let mut previous: Option<Move> = None;
        let mut ply = 0;
        let mut is_good = true;
        let is_legal = game.replay(|board, mv| {
            if ply >= plies || !is_good {
                return;
            }
            // The clock of the player to move after their previous move.
            let clock = ply
                .checked_sub(2)
                .and_then(|at| game.clocks.get(at))
                .copied();
            encoder.position(board, previous, &facts, clock, &mut event);
            let side = board.side_to_move();
            let seen = |mv: Move| {
                let number = vocabulary::number(mv)?;
                Some(u32::from(encoder.seen(number, side)))
            };
            let legal: Option<Vec<u32>> = board.legal_moves().iter().map(|&mv| seen(mv)).collect();
            let (Some(legal), Some(wanted)) = (legal, seen(mv)) else {
                is_good = false;
                return;
            };
            let moves = match how.legal_only {
                true => legal,
                false => (0..MOVES as u32).collect(),
            };
            let place = moves.iter().position(|&number| number == wanted);
            let target = Target {
                place: place.unwrap_or_default(),
                resigned: game.outcome.map(|_| resigned_at == Some(ply)),
                ..target(game, ply, side.index(), how)
            };
            self.add_event(&event, moves, target);
            previous = Some(mv);
            ply += 1;
        });
        if !(is_legal && is_good) {
            self.cut(before);
            return false;
        }
        self.games.push(self.targets.len());
        true
    }

    fn add_event(&mut self, event: &Event, moves: impl IntoIterator<Item = u32>, target: Target) {
        self.board.add(event.board.iter().copied());
        self.others.add(event.others.iter().copied());
        self.moves.add(moves);
        self.targets.push(target);
    }

    fn clone_lengths(&self) -> [usize; 4] {
        [
            self.targets.len(),
            self.board.items.len(),
            self.others.items.len(),
            self.moves.items.len(),
        ]
    }

    fn cut(&mut self, [events, board, others, moves]: [usize; 4]) {
        self.targets.truncate(events);
        for (list, items) in [
            (&mut self.board, board),
            (&mut self.others, others),
            (&mut self.moves, moves),
        ] {
            list.items.truncate(items);
            list.ends.truncate(events);
        }
    }
}

/// The targets of an event except for the move; `side` is 0 or 1.
fn target(game: &SequenceGame, ply: usize, side: usize, how: &Settings) -> Target {
    let rating = game.ratings[side];
    let weight = |weighting: &Weighting| weighting.of(rating);
    let progress = (ply + 1) as f32 / game.moves.len() as f32;
    let outcome = game.outcome.map(|outcome| match (outcome, side) {
        (Outcome::Draw, _) => 1,
        (Outcome::WhiteWins, 0) | (Outcome::BlackWins, 1) => 2,
        _ => 0,
    });
    let of_outcome = match outcome {
        None => 0.0,
        Some(_) => weight(&how.value_ratings) * crate::functions::power(progress, how.progress),
    };
    Target {
        place: 0,
        of_move: weight(&how.policy_ratings),
        outcome: outcome.unwrap_or_default(),
        of_outcome,
        plies_left: (game.moves.len() - ply) as f32,
        seconds: game.seconds(ply).map(|seconds| seconds as f32),
        resigned: None,
    }
}
