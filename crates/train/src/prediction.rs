//! Measures how well a model, as it would play, predicts games that it was not trained on.

mod ranking;

pub use ranking::Ranking;

use crate::float::{LOGARITHM_DELTA, huber};
use crate::functions::ln;
use chess::{Board, Color, Line, Move};
use data::sequences::{Outcome, SequenceGame};
use nets::policy::{PolicyValue, Wanted};
use nets::sequence::vocabulary::{self, MOVES};
use nets::sequence::{Event, GameFacts, Memory, Node, SequenceNet};
use nets::{Chances, Model};
use rayon::prelude::*;

/// Games that one thread processes side by side.
const AT_ONCE: usize = 16;
/// The number of bins of expected results in the calibration.
pub const BINS: usize = 10;

/// Sums over the moves of games.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Judgement {
    /// The number of predicted moves.
    pub moves: f64,
    /// The rank of the played moves among legal moves.
    pub legal: Ranking,
    /// Their rank among all moves, if asked for.
    pub raw: Ranking,
    /// How often the first of all moves is legal.
    pub raw_legal: f64,
    /// The number of moves in games with a result.
    pub with_outcome: f64,
    /// The cross-entropy of the result.
    pub value_loss: f64,
    /// Losses, draws and wins of the side to move.
    pub outcomes: [f64; 3],
    /// For each bin: the sum of expected results, the sum of actual ones, and the count.
    pub bins: [[f64; 3]; BINS],
    /// The number of moves whose time is known and was predicted.
    pub timed: f64,
    /// The loss of the time as in training: the Huber loss of its logarithm.
    pub think_loss: f64,
    /// The number of moves for which it is known, and was predicted, whether the player then
    /// resigned.
    pub ended: f64,
    /// The cross-entropy of that prediction.
    pub resign_loss: f64,
}

impl Judgement {
    /// The sum of both.
    #[must_use]
    pub fn and(&self, other: &Judgement) -> Judgement {
        let mut both = *self;
        both.moves += other.moves;
        both.legal = self.legal.and(&other.legal);
        both.raw = self.raw.and(&other.raw);
        both.raw_legal += other.raw_legal;
        both.with_outcome += other.with_outcome;
        both.value_loss += other.value_loss;
        both.timed += other.timed;
        both.think_loss += other.think_loss;
        both.ended += other.ended;
        both.resign_loss += other.resign_loss;
        let add = |sums: &mut [f64], others: &[f64]| {
            for (sum, other) in sums.iter_mut().zip(others) {
                *sum += other;
            }
        };
        add(&mut both.outcomes, &other.outcomes);
        add(both.bins.as_flattened_mut(), other.bins.as_flattened());
        both
    }

    /// The mean per move of a sum.
    pub fn per_move(&self, sum: f64) -> f64 {
        sum / self.moves.max(1.0)
    }

    /// The mean cross-entropy of results.
    pub fn mean_value_loss(&self) -> f64 {
        self.value_loss / self.with_outcome.max(1.0)
    }

    /// The mean loss of predicted times, if any.
    pub fn mean_think_loss(&self) -> Option<f64> {
        (self.timed > 0.0).then(|| self.think_loss / self.timed)
    }

    /// The mean loss of predicted resignations, if any.
    pub fn mean_resign_loss(&self) -> Option<f64> {
        (self.ended > 0.0).then(|| self.resign_loss / self.ended)
    }

    /// The cross-entropy of results for a predictor that knows only how often games are won, drawn
    /// and lost.
    pub fn base_rate_loss(&self) -> f64 {
        let share = |count: f64| count / self.with_outcome.max(1.0);
        let shares = self.outcomes.map(share).into_iter();
        shares
            .filter(|&share| share > 0.0)
            .map(|share| -share * share.ln())
            .sum()
    }

    /// The expected calibration error of the value, from 0 to 1.
    pub fn calibration_error(&self) -> f64 {
        let gaps = self
            .bins
            .iter()
            .map(|[expected, real, _]| (expected - real).abs());
        gaps.sum::<f64>() / self.with_outcome.max(1.0)
    }
}

/// The games on which a model is judged, and the categories in which they are counted.
pub struct Judging<'a, F> {
    /// The games; all moves must be legal.
    pub games: &'a [SequenceGame],
    /// The number of plies after which games are cut.
    pub most_plies: usize,
    /// The number of categories.
    pub parts: usize,
    /// The categories to which a ply of a game belongs.
    pub part: F,
    /// Whether moves are also ranked among all moves, not only the legal ones; for sequence models.
    pub raw: bool,
    /// The rating given to a sequence model for both players, instead of their own.
    pub told_rating: Option<u16>,
}

impl<F: Fn(&SequenceGame, usize) -> Vec<usize> + Sync> Judging<'_, F> {
    /// Judges any model with a policy; returns the sums of each category.
    pub fn judge(&self, model: &Model) -> Vec<Judgement> {
        match model {
            Model::Sequence(file) => self.judge_sequence(&file.net),
            other => self.judge_policy(other),
        }
    }

    /// Judges a sequence model.
    pub fn judge_sequence(&self, net: &SequenceNet) -> Vec<Judgement> {
        self.judge_by(AT_ONCE, |games, sums| judge_some(net, games, self, sums))
    }

    fn judge_policy(&self, model: &Model) -> Vec<Judgement> {
        self.judge_by(1, |games, sums| {
            let mut policy = model.policy_value();
            for game in games {
                judge_game(policy.as_mut(), game, self, sums);
            }
        })
    }

    /// Judges the games in parallel, and adds the results in order.
    fn judge_by(
        &self,
        at_once: usize,
        judge: impl Fn(&[SequenceGame], &mut [Judgement]) + Sync,
    ) -> Vec<Judgement> {
        let parts: Vec<Vec<Judgement>> = self
            .games
            .par_chunks(at_once)
            .map(|games| {
                let mut sums = vec![Judgement::default(); self.parts];
                judge(games, &mut sums);
                sums
            })
            .collect();
        let mut sums = vec![Judgement::default(); self.parts];
        for part in &parts {
            for (sum, part) in sums.iter_mut().zip(part) {
                *sum = sum.and(part);
            }
        }
        sums
    }

    fn add(&self, game: &SequenceGame, ply: usize, judged: &Judgement, sums: &mut [Judgement]) {
        for part in (self.part)(game, ply) {
            sums[part] = sums[part].and(judged);
        }
    }
}

/// Judges a model on one game, position after position.
fn judge_game<F: Fn(&SequenceGame, usize) -> Vec<usize> + Sync>(
    policy: &mut dyn PolicyValue,
    game: &SequenceGame,
    judging: &Judging<'_, F>,
    sums: &mut [Judgement],
) {
    let mut line = Line::new(Board::start());
    let plies = game.moves.len().min(judging.most_plies);
    for first in (0..plies).step_by(policy.capacity()) {
        let batch = first..(first + policy.capacity()).min(plies);
        let mut asked = Vec::new();
        for ply in batch.clone() {
            let moves = line.board().legal_moves();
            policy.put(&line, Wanted::Both(&moves));
            let place = moves.iter().position(|&mv| mv == game.moves[ply]);
            asked.push((place.unwrap_or_default(), line.board().side_to_move()));
            line.push(game.moves[ply]);
        }
        policy.run();
        for (number, (ply, (place, side))) in batch.zip(asked).enumerate() {
            let mut judged = Judgement {
                moves: 1.0,
                legal: Ranking::of(policy.logits(number), place),
                ..Judgement::default()
            };
            if let Some(outcome) = game.outcome {
                judge_outcome(policy.chances(number), outcome, side, &mut judged);
            }
            judging.add(game, ply, &judged, sums);
        }
    }
}

/// A game in progress.
struct Walk<'a> {
    game: &'a SequenceGame,
    board: Board,
    previous: Option<Move>,
    node: Option<Node>,
    event: Event,
    resigned_at: Option<usize>,
}

/// Judges a sequence model on some games side by side.
fn judge_some<F: Fn(&SequenceGame, usize) -> Vec<usize> + Sync>(
    net: &SequenceNet,
    games: &[SequenceGame],
    judging: &Judging<'_, F>,
    sums: &mut [Judgement],
) {
    let mut memory = Memory::new(net.shape());
    let mut walks: Vec<Walk<'_>> = games
        .iter()
        .map(|game| {
            let mut event = Event::default();
            net.encoder().start(&mut event);
            Walk {
                game,
                board: Board::start(),
                previous: None,
                node: None,
                event,
                resigned_at: game.resigned_at(),
            }
        })
        .collect();
    let longest = games.iter().map(|game| game.moves.len()).max().unwrap_or(0);
    // The event before the first move comes first.
    for step in 0..=longest.min(judging.most_plies) {
        walks.retain(|walk| step == 0 || step <= walk.game.moves.len());
        if step > 0 {
            for walk in &mut walks {
                walk.see(net, step - 1, judging.told_rating);
            }
        }
        let batch: Vec<(Node, &Event)> = walks
            .iter()
            .map(|walk| (memory.add(walk.node), &walk.event))
            .collect();
        net.compute(&mut memory, &batch);
        let nodes: Vec<Node> = batch.iter().map(|(node, _)| *node).collect();
        for (walk, node) in walks.iter_mut().zip(nodes) {
            walk.node = Some(node);
            let Some(ply) = step.checked_sub(1) else {
                continue;
            };
            let state = memory.state(node);
            let judged = judge_one(net, state, walk, ply, judging.raw);
            judging.add(walk.game, ply, &judged, sums);
            let mv = walk.game.moves[ply];
            walk.board.make(mv);
            walk.previous = Some(mv);
        }
    }
}

impl Walk<'_> {
    fn see(&mut self, net: &SequenceNet, ply: usize, told_rating: Option<u16>) {
        let facts = GameFacts {
            ratings: told_rating.map_or(self.game.ratings, |rating| [Some(rating); 2]),
            seconds: self.game.time_control.map(|control| control.seconds()),
            players: self.game.players,
        };
        let clock = ply
            .checked_sub(2)
            .and_then(|at| self.game.clocks.get(at))
            .copied();
        net.encoder()
            .position(&self.board, self.previous, &facts, clock, &mut self.event);
    }
}

fn judge_one(
    net: &SequenceNet,
    state: &[f32],
    walk: &Walk<'_>,
    ply: usize,
    raw: bool,
) -> Judgement {
    let mut judged = Judgement::default();
    let side = walk.board.side_to_move();
    let seen = |mv: Move| {
        let number = vocabulary::number(mv).unwrap_or_default();
        u32::from(net.encoder().seen(number, side))
    };
    let moves: Vec<u32> = walk
        .board
        .legal_moves()
        .iter()
        .map(|&mv| seen(mv))
        .collect();
    let wanted = seen(walk.game.moves[ply]);
    let mut logits = Vec::new();
    net.logits(state, &moves, &mut logits);
    let place = moves
        .iter()
        .position(|&number| number == wanted)
        .unwrap_or_default();
    judged.moves = 1.0;
    judged.legal = Ranking::of(&logits, place);
    if raw {
        let all: Vec<u32> = (0..MOVES as u32).collect();
        net.logits(state, &all, &mut logits);
        judged.raw = Ranking::of(&logits, wanted as usize);
        let first = (0..logits.len()).max_by(|&a, &b| logits[a].total_cmp(&logits[b]));
        let is_legal = first.is_some_and(|first| moves.contains(&(first as u32)));
        judged.raw_legal = f64::from(u8::from(is_legal));
    }
    if let Some(outcome) = walk.game.outcome {
        judge_outcome(net.chances(state), outcome, side, &mut judged);
        if let Some(chance) = net.resignation(state) {
            judged.ended = 1.0;
            let right = match walk.resigned_at == Some(ply) {
                true => chance,
                false => 1.0 - chance,
            };
            judged.resign_loss = -f64::from(ln(right.max(f32::MIN_POSITIVE)));
        }
    }
    if let (Some(seconds), Some(foretold)) = (walk.game.seconds(ply), net.seconds(state)) {
        let error = ln(1.0 + foretold) - ln(1.0 + seconds as f32);
        judged.timed = 1.0;
        judged.think_loss = huber(error, LOGARITHM_DELTA).0;
    }
    judged
}

fn judge_outcome(chances: Chances, outcome: Outcome, side: Color, judged: &mut Judgement) {
    let class = match (outcome, side) {
        (Outcome::Draw, _) => 1,
        (Outcome::WhiteWins, Color::White) | (Outcome::BlackWins, Color::Black) => 2,
        _ => 0,
    };
    let chance = [chances.loss, chances.draw, chances.win][class];
    judged.with_outcome = 1.0;
    judged.value_loss = -f64::from(ln(chance.max(f32::MIN_POSITIVE)));
    judged.outcomes[class] = 1.0;
    let expected = f64::from(0.5 * (1.0 + chances.value()));
    let bin = ((expected * BINS as f64) as usize).min(BINS - 1);
    judged.bins[bin] = [expected, 0.5 * class as f64, 1.0];
}
