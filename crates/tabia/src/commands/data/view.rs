//! `tabia data view`: shows positions one by one.

use super::inputs::{InputOptions, Inputs};
use crate::exit::Exit;
use crate::output::Output;
use chess::{CastlingStyle, Color, render};
use clap::Args;
use data::position::{Outcome, Position};
use data::{plain, score};
use serde::Serialize;
use std::fmt::Write;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU64, Ordering};

const EXAMPLES: &str = "\
Examples:
  tabia data view train.binpack
  tabia data view train.binpack --skip 100000 --count 1
  tabia data view train.binpack --count 100000 | less
  tabia data view --fen train.binpack --count 1000
  tabia data view --json train.binpack --count 1000 | jq .score

Scores and results are those of the side to move; +M3 is a mate in three
moves, and - marks a position that only keeps a chain together.";

/// Show positions with their board, move, score and result
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Options {
    #[command(flatten)]
    input: InputOptions,
    /// Number of positions to skip
    #[arg(long, value_name = "N", default_value_t = 0)]
    skip: u64,
    /// Number of positions to show
    #[arg(long, value_name = "N", default_value_t = 10)]
    count: u64,
    /// Show records of plain text
    #[arg(long)]
    plain: bool,
    /// Show one line per position: FEN, move, score, ply and result
    #[arg(long, conflicts_with = "plain")]
    fen: bool,
}

/// A position for a script.
#[derive(Serialize)]
struct Shown<'a> {
    number: u64,
    fen: String,
    #[serde(rename = "move")]
    mv: Option<String>,
    score: i16,
    score_in_words: &'a str,
    result: i8,
    ply: u16,
    begins_chain: bool,
}

pub(super) fn run(options: &Options, output: &Output) -> anyhow::Result<Exit> {
    // In order and in one thread: nothing after the last position need be read.
    let inputs = Inputs::open(&options.input, output)?.in_one_thread();
    let passed = AtomicU64::new(0);
    let wanted = options.skip..options.skip.saturating_add(options.count);
    inputs.read(
        |reading, _| {
            let mut positions = Vec::new();
            reading.try_for_each(|position, begins_chain| {
                let number = passed.fetch_add(1, Ordering::Relaxed);
                if wanted.contains(&number) {
                    positions.push((number, *position, begins_chain));
                }
                match number + 1 < wanted.end {
                    true => ControlFlow::Continue(()),
                    false => ControlFlow::Break(()),
                }
            });
            positions
        },
        |positions| {
            let mut text = String::new();
            for (number, position, begins_chain) in &positions {
                show(options, output, *number, position, *begins_chain, &mut text)?;
            }
            if !text.is_empty() {
                output.data(&text)?;
            }
            Ok(match passed.load(Ordering::Relaxed) < wanted.end {
                true => ControlFlow::Continue(()),
                false => ControlFlow::Break(()),
            })
        },
    )?;
    let passed = passed.into_inner();
    if passed <= options.skip {
        output.note(format_args!("the file has only {passed} positions"));
    }
    Ok(Exit::Good)
}

fn show(
    options: &Options,
    output: &Output,
    number: u64,
    position: &Position,
    begins_chain: bool,
    text: &mut String,
) -> anyhow::Result<()> {
    let words = score::in_words(position.score);
    let mv = position
        .mv
        .map(|mv| position.board.uci(mv, CastlingStyle::Standard).to_string());
    if output.is_json() {
        let shown = Shown {
            number,
            fen: position.board.fen(),
            mv,
            score: position.score,
            score_in_words: &words,
            result: position.result.number(),
            ply: position.ply,
            begins_chain,
        };
        writeln!(text, "{}", serde_json::to_string(&shown)?)?;
    } else if options.plain {
        plain::write(position, text);
    } else if options.fen {
        let (fen, result) = (position.board.fen(), position.result.number());
        let mv = mv.as_deref().unwrap_or("none");
        let (score, ply) = (position.score, position.ply);
        writeln!(text, "{fen} | {mv} | {score} | {ply} | {result}")?;
    } else {
        draw(number, position, begins_chain, &words, text)?;
    }
    Ok(())
}

fn draw(
    number: u64,
    position: &Position,
    begins_chain: bool,
    words: &str,
    text: &mut String,
) -> std::fmt::Result {
    let board = &position.board;
    let chain = if begins_chain { ", starts a chain" } else { "" };
    writeln!(text, "position {number}, ply {}{chain}", position.ply)?;
    let drawn = render::board_text(board, Color::White, render::Letters::Ascii);
    let result = match position.result {
        Outcome::Loss => "loss",
        Outcome::Draw => "draw",
        Outcome::Win => "win",
    };
    let mv = position.mv.map(|mv| board.san(mv).to_string());
    let beside = [
        format!("{} to move", board.side_to_move()),
        format!("move    {}", mv.as_deref().unwrap_or("none")),
        format!("score   {words} ({})", position.score),
        format!("result  {result}"),
    ];
    let mut beside = beside.iter();
    for line in drawn.lines() {
        match beside.next() {
            Some(words) => writeln!(text, "{line:<22}{words}")?,
            None => writeln!(text, "{line}")?,
        }
    }
    writeln!(text, "{}\n", board.fen())
}
