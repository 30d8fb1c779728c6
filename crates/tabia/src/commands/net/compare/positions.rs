//! The positions in which nets are compared.

use crate::exit::{Interrupted, WrongInput};
use crate::interruption;
use anyhow::Context;
use chess::{Board, Epd};
use data::position::Labels;
use data::shard::{self, Shard};
use engines::bench;
use std::ops::ControlFlow;
use std::path::Path;

/// The maximum number of positions.
const MOST: usize = 100_000;

/// The positions of a file, or those of the bench.
pub(super) fn read(path: Option<&Path>) -> anyhow::Result<Vec<Board>> {
    let Some(path) = path else {
        return bench::positions()
            .map(|fen| Board::from_fen(fen).context("a position of the bench"))
            .collect();
    };
    let is_epd = path
        .extension()
        .is_some_and(|end| end.eq_ignore_ascii_case("epd") || end.eq_ignore_ascii_case("fen"));
    let boards = match is_epd {
        true => read_epd(path)?,
        false => read_shard(path)?,
    };
    match boards.is_empty() {
        true => Err(WrongInput::new(format!("{} contains no positions", path.display())).into()),
        false => Ok(boards),
    }
}

/// The maximum size of a file of positions.
const MOST_BYTES: u64 = 256 << 20;

fn read_epd(path: &Path) -> anyhow::Result<Vec<Board>> {
    let name = path.display();
    let text = data::file::read(path, MOST_BYTES)
        .map_err(|error| WrongInput::new(format!("cannot read {name}: {error}")))?;
    let text = String::from_utf8_lossy(&text);
    let lines = text.lines().enumerate();
    lines
        .filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#'))
        .take(MOST)
        .map(|(index, line)| {
            let epd: Result<Epd, _> = line.trim().parse();
            let epd =
                epd.map_err(|error| WrongInput::new(format!("{name}:{}: {error}", index + 1)))?;
            Ok(epd.board)
        })
        .collect()
}

fn read_shard(path: &Path) -> anyhow::Result<Vec<Board>> {
    let shard = Shard::open(path).map_err(|error| WrongInput::new(error.to_string()))?;
    interruption::listen()?;
    let mut boards = Vec::new();
    let mut problem = None;
    shard::read(
        shard,
        Labels::SideToMove,
        1,
        |reading| {
            let mut boards = Vec::new();
            reading.for_each(|position, _| boards.push(position.board));
            boards
        },
        |read| {
            boards.extend(read.made);
            problem = read.problem;
            match boards.len() >= MOST || problem.is_some() || interruption::requested() {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        },
    )?;
    if interruption::requested() {
        return Err(Interrupted.into());
    }
    match problem {
        Some(problem) if boards.len() < MOST => Err(problem.into()),
        _ => {
            boards.truncate(MOST);
            Ok(boards)
        }
    }
}
