//! The search of one game, position by position.
//!
//! The engine clears its state before a game and goes through it from the last position to the
//! first. In each position it thus knows how the game continued: a move that only looks good for a
//! while is not called best, and the values of neighbouring positions agree better than those of
//! independent searches. As nothing is kept from one game to the next, it does not matter which
//! thread searched what, nor whether the work was interrupted.

use crate::finding::{Finding, Findings, FoundLine};
use crate::value::Value;
use chess::{Board, Move};
use data::pgn;
use engines::{Answer, Failure, Limits, Player, Report, ScoreBound, StopSignal};
use std::sync::atomic::{AtomicU64, Ordering};

/// Lines are cut to this many moves; longer ones are no help to a person.
const LONGEST_LINE: usize = 12;

/// How a game is searched.
pub(crate) struct Searching<'a> {
    pub(crate) limits: &'a Limits,
    pub(crate) lines: usize,
    pub(crate) stop: &'a StopSignal,
    /// Counts the positions searched, to show progress.
    pub(crate) searched: &'a AtomicU64,
}

/// The part of a game that is searched; it can be sent to workers as bytes.
pub(crate) struct MainLine {
    start: Board,
    /// The moves; `None` for a null move.
    moves: Vec<Option<Move>>,
}

impl MainLine {
    /// The main line of a game as bytes.
    pub(crate) fn to_bytes(game: &pgn::Game) -> serde_json::Result<Vec<u8>> {
        let moves = game.moves.moves.iter();
        let bits: Vec<Option<u16>> = moves.map(|played| played.mv.map(Move::to_bits)).collect();
        serde_json::to_vec(&(game.start().fen(), bits))
    }

    pub(crate) fn from_bytes(bytes: &[u8]) -> Result<MainLine, String> {
        let (start, bits): (String, Vec<Option<u16>>) =
            serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
        let moves = bits.into_iter().map(|bits| bits.map(Move::from_bits));
        Ok(MainLine {
            start: Board::from_fen(&start).map_err(|error| error.to_string())?,
            moves: moves.collect(),
        })
    }
}

/// A part of a game without null moves, which no engine understands.
struct Stretch {
    /// The index of its first position in the game.
    first: usize,
    game: chess::Game,
    length: usize,
}

impl Searching<'_> {
    /// Searches a game; `None` if it was interrupted.
    pub(crate) fn game(
        &self,
        line: &MainLine,
        player: &mut dyn Player,
    ) -> Result<Option<Findings>, Failure> {
        player.new_game(0)?;
        let mut findings = vec![Finding::default(); line.moves.len() + 1];
        for mut stretch in stretches(line).into_iter().rev() {
            for index in (0..=stretch.length).rev() {
                findings[stretch.first + index] = self.position(&stretch.game, player)?;
                if self.stop.is_stopped() {
                    return Ok(None);
                }
                self.searched.fetch_add(1, Ordering::Relaxed);
                stretch.game.pop();
            }
        }
        Ok(Some(Findings(findings)))
    }

    fn position(&self, game: &chess::Game, player: &mut dyn Player) -> Result<Finding, Failure> {
        let board = game.board();
        if !board.has_legal_move() {
            return Ok(Finding::default());
        }
        let mut heard: Vec<Option<Report>> = vec![None; self.lines];
        let mut hear = |report: &Report| {
            let Some(place) = report
                .rank
                .checked_sub(1)
                .and_then(|rank| heard.get_mut(rank))
            else {
                return;
            };
            // A bound is kept only until there is an exact score.
            if report.bound == ScoreBound::Exact || place.is_none() {
                *place = Some(report.clone());
            }
        };
        let answer = player.choose(game, self.limits, self.stop, &mut hear)?;
        let reports = heard.into_iter().flatten().collect();
        Ok(finding(game, &answer, reports))
    }
}

fn stretches(line: &MainLine) -> Vec<Stretch> {
    let begin = |first, board| Stretch {
        first,
        game: chess::Game::new(board),
        length: 0,
    };
    let mut done = Vec::new();
    let mut stretch = begin(0, line.start);
    for (index, &mv) in line.moves.iter().enumerate() {
        match mv {
            Some(mv) => {
                stretch.game.push(mv);
                stretch.length += 1;
            }
            None => {
                let mut board = *stretch.game.board();
                board.make_null();
                done.push(std::mem::replace(&mut stretch, begin(index + 1, board)));
            }
        }
    }
    done.push(stretch);
    done
}

/// An engine's answer, cleaned up: each line legal, no first move twice.
fn finding(game: &chess::Game, answer: &Answer, reports: Vec<Report>) -> Finding {
    let to_move = game.board().side_to_move();
    let mut lines: Vec<FoundLine> = Vec::new();
    let told: Vec<Report> = reports
        .into_iter()
        .filter(|report| !report.line.is_empty())
        .collect();
    for report in &told {
        // The ranks of a search that stopped within an iteration may overlap.
        if lines.iter().all(|line| line.moves[0] != report.line[0]) {
            lines.push(FoundLine {
                value: Value::of(report.score, to_move),
                moves: report.line.iter().copied().take(LONGEST_LINE).collect(),
            });
        }
    }
    if lines.is_empty() {
        lines.extend(answer.best.map(|best| FoundLine {
            value: Value::of(answer.score, to_move),
            moves: vec![best],
        }));
    }
    Finding {
        depth: told.first().map_or(answer.depth, |report| report.depth),
        nodes: answer.nodes,
        lines,
    }
}
