//! Compares the endgame functions with the Syzygy tables.
//!
//! Runs only if `TABIA_DATA` names a folder with the tables of 3 and 4 men in
//! `syzygy`.

use chess::{Board, MoveFilter, MoveList};
use nets::{Classical, Evaluator};
use shakmaty::fen::Fen;
use shakmaty::{CastlingMode, Chess};
use shakmaty_syzygy::{AmbiguousWdl, Tablebase, Wdl};
use std::path::PathBuf;

/// A value of at least this claims a win.
const CLAIM: i32 = 400;
/// How many positions of each endgame are compared.
const SAMPLES: usize = 3_000;

fn tables() -> Option<Tablebase<Chess>> {
    let folder = PathBuf::from(std::env::var_os("TABIA_DATA")?).join("syzygy");
    let mut tables = Tablebase::new();
    tables.add_directory(folder).ok()?;
    Some(tables)
}

fn result(tables: &Tablebase<Chess>, fen: &str) -> i32 {
    let position: Chess = fen
        .parse::<Fen>()
        .unwrap()
        .into_position(CastlingMode::Standard)
        .unwrap();
    match tables.probe_wdl(&position).unwrap() {
        AmbiguousWdl::Win => 1,
        AmbiguousWdl::Loss => -1,
        other => i32::from(other.after_zeroing() == Wdl::Win),
    }
}

/// Random quiet positions with these men, White's in capitals.
fn positions(men: &str) -> Vec<String> {
    let mut state = men
        .bytes()
        .fold(7u64, |hash, byte| hash * 31 + u64::from(byte));
    let mut next = |bound: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % bound
    };
    let mut found = Vec::new();
    while found.len() < SAMPLES {
        let mut squares = [b'1'; 64];
        for letter in men.bytes() {
            squares[next(64) as usize] = letter;
        }
        let rows: Vec<_> = squares
            .chunks(8)
            .map(|row| String::from_utf8_lossy(row).into_owned())
            .collect();
        let side = if next(2) == 0 { 'w' } else { 'b' };
        let text = format!("{} {side} - - 0 1", rows.join("/"));
        if let Ok(board) = Board::from_fen(&text)
            && board.occupied().count() as usize == men.len()
            && is_quiet(&board)
        {
            found.push(board.fen());
        }
    }
    found
}

/// Whether there is no check and no capture or promotion, which the search would resolve.
fn is_quiet(board: &Board) -> bool {
    let mut noisy = MoveList::new();
    board.generate(MoveFilter::Captures, &mut noisy);
    !board.in_check() && noisy.is_empty()
}

/// The share of positions in which the claim and the table agree.
fn agreement(tables: &Tablebase<Chess>, men: &str) -> f64 {
    let mut classical = Classical::default();
    let positions = positions(men);
    let agreed = positions.iter().filter(|fen| {
        let value = classical.evaluate(&Board::from_fen(fen).unwrap());
        let claim = if value.abs() < CLAIM {
            0
        } else {
            value.signum()
        };
        claim == result(tables, fen)
    });
    agreed.count() as f64 / positions.len() as f64
}

#[test]
fn functions_agree_with_the_tables() {
    let Some(tables) = tables() else {
        return;
    };
    for (men, least) in [
        ("KPk", 1.0),
        ("Kkp", 1.0),
        ("KQk", 1.0),
        ("KRk", 1.0),
        ("KBNk", 0.99),
        ("KBBk", 0.99),
        ("KNNk", 0.99),
        ("KQkp", 0.95),
        ("KQkr", 0.9),
        ("KRkp", 0.8),
        ("KRkb", 0.9),
        ("KRkn", 0.8),
        ("KBkn", 0.98),
        ("KBPk", 0.9),
        ("KNPk", 0.9),
    ] {
        let share = agreement(&tables, men);
        println!("{men} {share:.3}");
        assert!(share >= least, "{men}: {share}");
    }
}
