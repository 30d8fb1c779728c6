//! The game loop.

use super::adjudication::{Adjudicator, Rules};
use super::clock::Timer;
use super::outcome::{Outcome, Reason};
use chess::{CastlingStyle, Color, Game};
use engines::recipe::Pace;
use engines::score::Score;
use engines::{Answer, Failure, Player, StopSignal};
use std::panic::{self, AssertUnwindSafe};
use std::time::{Duration, Instant};

/// One side of a game.
pub struct Side<'a> {
    /// The player.
    pub player: &'a mut dyn Player,
    /// How long it may think.
    pub pace: &'a Pace,
    /// The seed of its random choices.
    pub seed: u64,
}

/// What a player reported about one of its moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Thought {
    /// The score for the side that moved, if it reported one.
    pub score: Option<Score>,
    /// Iterations completed.
    pub depth: u32,
    /// Positions visited.
    pub nodes: u64,
    /// The time it took, as measured by the arena.
    pub time: Duration,
}

/// A game that has been played.
#[derive(Clone, Debug)]
pub struct Played {
    /// Who won.
    pub outcome: Outcome,
    /// Why.
    pub reason: Reason,
    /// Details of a player's failure.
    pub detail: Option<String>,
    /// The side whose player must be started again before its next game.
    pub broken: Option<Color>,
    /// All moves, those of the opening first.
    pub game: Game,
    /// The thoughts on the moves after the opening.
    pub thoughts: Vec<Thought>,
    /// The time of the whole game.
    pub time: Duration,
}

impl Played {
    /// A game forfeited without a move, because this side's player could not be started.
    pub fn forfeit(game: Game, loser: Color, cause: String) -> Played {
        Played {
            outcome: Outcome::of(Some(!loser)),
            reason: Reason::Crash,
            detail: Some(cause),
            broken: Some(loser),
            game,
            thoughts: Vec::new(),
            time: Duration::ZERO,
        }
    }
}

/// How a game ends.
struct End {
    outcome: Outcome,
    reason: Reason,
    detail: Option<String>,
    broken: Option<Color>,
}

impl From<(Outcome, Reason)> for End {
    fn from((outcome, reason): (Outcome, Reason)) -> End {
        End {
            outcome,
            reason,
            detail: None,
            broken: None,
        }
    }
}

/// Plays a game on from its current position. `None` if it was stopped before the end.
pub fn play<'a>(
    white: Side<'a>,
    black: Side<'a>,
    game: Game,
    rules: &'a Rules,
    stop: &'a StopSignal,
) -> Option<Played> {
    let seats = Seats {
        paces: [white.pace, black.pace],
        seeds: [white.seed, black.seed],
        players: Players::Two([white.player, black.player]),
    };
    sit_and_play(seats, game, rules, stop)
}

/// The same with one player for both sides, whose hash table thus serves both.
pub fn play_alone<'a>(
    both: Side<'a>,
    game: Game,
    rules: &'a Rules,
    stop: &'a StopSignal,
) -> Option<Played> {
    let seats = Seats {
        paces: [both.pace; 2],
        seeds: [both.seed; 2],
        players: Players::One(both.player),
    };
    sit_and_play(seats, game, rules, stop)
}

fn sit_and_play<'a>(
    seats: Seats<'a>,
    game: Game,
    rules: &'a Rules,
    stop: &'a StopSignal,
) -> Option<Played> {
    let begin = Instant::now();
    let mut table = Table {
        timers: seats.paces.map(Timer::new),
        seats,
        adjudicator: Adjudicator::new(rules),
        game,
        thoughts: Vec::with_capacity(128),
        stop,
    };
    let mut end = table.sit_down();
    let end = loop {
        // A game that was stopped has no result, whatever ended it.
        if stop.is_stopped() {
            return None;
        }
        match end {
            Some(end) => break end,
            None => end = table.next_move(),
        }
    };
    Some(Played {
        outcome: end.outcome,
        reason: end.reason,
        detail: end.detail,
        broken: end.broken,
        game: table.game,
        thoughts: table.thoughts,
        time: begin.elapsed(),
    })
}

/// The player, pace and seed of each side.
struct Seats<'a> {
    players: Players<'a>,
    paces: [&'a Pace; 2],
    seeds: [u64; 2],
}

enum Players<'a> {
    One(&'a mut dyn Player),
    Two([&'a mut dyn Player; 2]),
}

impl Seats<'_> {
    fn player(&mut self, color: Color) -> &mut dyn Player {
        match &mut self.players {
            Players::One(player) => *player,
            Players::Two(players) => players[color.index()],
        }
    }

    /// The colours to notify of a new game: one of them if both sides have the same player.
    fn colors(&self) -> &'static [Color] {
        match self.players {
            Players::One(_) => &Color::ALL[..1],
            Players::Two(_) => &Color::ALL,
        }
    }
}

/// The game, its clocks and its players.
struct Table<'a> {
    seats: Seats<'a>,
    timers: [Timer; 2],
    adjudicator: Adjudicator<'a>,
    game: Game,
    thoughts: Vec<Thought>,
    stop: &'a StopSignal,
}

impl Table<'_> {
    /// Notifies the players of a new game.
    fn sit_down(&mut self) -> Option<End> {
        for &color in self.seats.colors() {
            let seed = self.seats.seeds[color.index()];
            if let Err(failure) = self.seats.player(color).new_game(seed) {
                return Some(failed(color, reason_of(&failure), failure.to_string()));
            }
        }
        self.end_by_the_rules()
    }

    fn end_by_the_rules(&self) -> Option<End> {
        let termination = self.game.termination()?;
        Some((Outcome::of(termination.winner()), termination.into()).into())
    }

    /// Asks the side to move for a move, which may end the game.
    fn next_move(&mut self) -> Option<End> {
        let mover = self.game.board().side_to_move();
        let timer = &mut self.timers[mover.index()];
        let limits = self.seats.paces[mover.index()].limits(timer.clock());
        let player = self.seats.player(mover);
        let begin = Instant::now();
        // A player that reported nothing gave no score.
        let mut has_told = false;
        let mut hear = |_: &_| has_told = true;
        let choose = || player.choose(&self.game, &limits, self.stop, &mut hear);
        // For a player of this process, a panic is what a crash is for a program: the game is lost,
        // and the player is started again.
        let answer = panic::catch_unwind(AssertUnwindSafe(choose))
            .unwrap_or_else(|_| Err(Failure::Crashed("an internal error".to_owned())));
        let elapsed = begin.elapsed();
        if let Some(late) = timer.lateness(elapsed) {
            let detail = format!("{} ms too late", late.as_millis());
            let mut end = failed(mover, Reason::Time, detail);
            // A player that answered late can play on in the next game.
            if answer.is_ok() {
                end.broken = None;
            }
            return Some(end);
        }
        match answer {
            Ok(answer) => {
                timer.spend(elapsed);
                let score = has_told.then_some(answer.score);
                self.make(mover, &answer, score, elapsed)
            }
            Err(failure) => Some(failed(mover, reason_of(&failure), failure.to_string())),
        }
    }

    fn make(
        &mut self,
        mover: Color,
        answer: &Answer,
        score: Option<Score>,
        time: Duration,
    ) -> Option<End> {
        let Some(best) = answer.best else {
            let detail = "answered without a move".to_owned();
            return Some(failed(mover, Reason::NoMove, detail));
        };
        if self.game.play(best).is_err() {
            let style = CastlingStyle::Chess960;
            let detail = format!(
                "played the illegal move {}",
                self.game.board().uci(best, style)
            );
            return Some(failed(mover, Reason::IllegalMove, detail));
        }
        self.thoughts.push(Thought {
            score,
            depth: answer.depth,
            nodes: answer.nodes,
            time,
        });
        self.end_by_the_rules().or_else(|| {
            let end = self.adjudicator.judge(&self.game, mover, score)?;
            Some(end.into())
        })
    }
}

/// The end of a game whose loser failed.
fn failed(loser: Color, reason: Reason, detail: String) -> End {
    End {
        outcome: Outcome::of(Some(!loser)),
        reason,
        detail: Some(detail),
        broken: Some(loser),
    }
}

fn reason_of(failure: &Failure) -> Reason {
    match failure {
        Failure::Crashed(_) => Reason::Crash,
        Failure::Stalled(_) => Reason::Stall,
        Failure::IllegalMove(_) => Reason::IllegalMove,
        Failure::NoMove(_) => Reason::NoMove,
    }
}
