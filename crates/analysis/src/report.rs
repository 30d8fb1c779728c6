//! Judged games as JSON, for programs.

use crate::chance::Judgement;
use crate::conditions::Conditions;
use crate::error::AnalysisError;
use crate::finding::FoundLine;
use crate::judged::Judged;
use crate::opening::Opening;
use crate::personal::{Personal, Phase};
use crate::review::{JudgedMove, Review, Side, san_words};
use crate::summary::Summary;
use crate::value::{Value, side_name};
use chess::{Board, CastlingStyle, File, Move};
use data::pgn::Salvaged;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::{self, Write};

#[derive(Clone, PartialEq, Debug, Serialize)]
struct GameReport {
    number: usize,
    tags: BTreeMap<String, String>,
    result: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    opening: Option<Opening>,
    #[serde(skip_serializing_if = "Option::is_none")]
    damage: Option<DamageReport>,
    white: Side,
    black: Side,
    start: Start,
    moves: Vec<MoveReport>,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
struct DamageReport {
    line: u64,
    problem: String,
    rest: String,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
struct Start {
    fen: String,
    evaluation: Value,
    depth: u32,
    line: Vec<String>,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
struct MoveReport {
    number: u16,
    side: &'static str,
    san: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    uci: Option<String>,
    /// The position after the move.
    fen: String,
    /// Its value from White's point of view.
    evaluation: Value,
    depth: u32,
    /// The expected line.
    line: Vec<String>,
    /// The lines found in the position before.
    choices: Vec<Choice>,
    chance_loss: f64,
    centipawn_loss: i32,
    accuracy: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    judgement: Option<Judgement>,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
struct Choice {
    evaluation: Value,
    line: Vec<String>,
}

/// Writes everything about the games as one line of JSON: an object with `conditions`, `summary`
/// and `games`.
pub(crate) fn write_report(
    out: &mut dyn Write,
    conditions: &Conditions,
    summary: &Summary,
    judged: &Judged<'_>,
) -> Result<(), AnalysisError> {
    write!(out, "{{\"conditions\":{},", text(conditions)?)?;
    write!(
        out,
        "\"summary\":{},\"games\":[",
        text(&rounded_summary(summary))?
    )?;
    judged.each(&mut |game, review| {
        let comma = if review.number > 1 { "," } else { "" };
        let report = text(&GameReport::new(game, review))?;
        Ok(write!(out, "{comma}{report}")?)
    })?;
    Ok(writeln!(out, "]}}")?)
}

fn text(value: &impl Serialize) -> io::Result<String> {
    Ok(serde_json::to_string(value)?)
}

impl GameReport {
    fn new(salvaged: &Salvaged, review: &Review) -> GameReport {
        let game = &salvaged.game;
        let tags = game.tags().iter();
        GameReport {
            number: review.number,
            tags: tags
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .collect(),
            result: game.result.as_str(),
            opening: review.opening.clone(),
            damage: salvaged.damage.as_ref().map(|damage| DamageReport {
                line: damage.place.line,
                problem: damage.problem.to_string(),
                rest: damage.rest.clone(),
            }),
            white: rounded_side(review.white),
            black: rounded_side(review.black),
            start: Start {
                fen: game.start().fen(),
                evaluation: review.start,
                depth: review.start_depth,
                line: review
                    .start_line
                    .as_ref()
                    .map(|line| san_words(game.start(), &line.moves))
                    .unwrap_or_default(),
            },
            moves: review.moves.iter().map(MoveReport::new).collect(),
        }
    }
}

impl MoveReport {
    fn new(judged: &JudgedMove) -> MoveReport {
        MoveReport {
            number: judged.before.fullmove_number(),
            side: side_name(judged.color()),
            san: judged.san(),
            uci: judged.mv.map(|mv| uci(&judged.before, mv)),
            fen: judged.after.fen(),
            evaluation: judged.value,
            depth: judged.depth,
            line: san_words(&judged.after, &judged.line),
            choices: judged
                .choices
                .iter()
                .map(|line| choice(&judged.before, line))
                .collect(),
            chance_loss: rounded(judged.chance_loss),
            centipawn_loss: judged.centipawn_loss,
            accuracy: rounded(judged.accuracy),
            judgement: judged.judgement,
        }
    }
}

fn choice(board: &Board, line: &FoundLine) -> Choice {
    Choice {
        evaluation: line.value,
        line: san_words(board, &line.moves),
    }
}

/// A move in coordinates; castling in Chess960 is written as the king taking its rook.
fn uci(board: &Board, mv: Move) -> String {
    let style = match mv.is_castling() && mv.from().file() != File::E {
        true => CastlingStyle::Chess960,
        false => CastlingStyle::Standard,
    };
    board.uci(mv, style).to_string()
}

fn rounded_summary(summary: &Summary) -> Summary {
    Summary {
        white: rounded_side(summary.white),
        black: rounded_side(summary.black),
        player: summary.player.clone().map(|player| Personal {
            all: rounded_side(player.all),
            phases: (player.phases.into_iter())
                .map(|phase| Phase {
                    side: rounded_side(phase.side),
                    ..phase
                })
                .collect(),
            ..player
        }),
        ..*summary
    }
}

fn rounded_side(side: Side) -> Side {
    Side {
        accuracy: side.accuracy.map(rounded),
        average_centipawn_loss: side.average_centipawn_loss.map(rounded),
        ..side
    }
}

/// More digits would suggest a precision that is not there.
fn rounded(number: f64) -> f64 {
    (number * 100.0).round() / 100.0
}
