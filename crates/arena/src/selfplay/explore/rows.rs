//! The records of a game: a row for each recorded position.

use super::resignation::Resignation;
use crate::game::Outcome;
use crate::selfplay::record::{from_digits, to_digits};
use chess::{Board, CastlingStyle, Color, Game, Move, PieceKind};
use data::policy::{PolicyRecord, RecordError};
use data::position;
use engines::MoveStatistics;
use nets::Chances;
use nets::policy::double_step;
use serde::{Deserialize, Serialize};

/// The number of visits that a record has for a move with the whole policy.
const VISITS: f32 = 10_000.0;

/// Piece values in pawns.
const WORTH: [(PieceKind, i32); 5] = [
    (PieceKind::Pawn, 1),
    (PieceKind::Knight, 3),
    (PieceKind::Bishop, 3),
    (PieceKind::Rook, 5),
    (PieceKind::Queen, 9),
];

/// What a game of exploration adds to its line of the record.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Explored {
    /// The position before its first move, if it is not the standard start position.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fen: Option<String>,
    /// All its moves, with those of the opening.
    pub moves: String,
    /// How many of them belong to the opening.
    pub opening: u32,
    /// Whether moves were searched, rather than drawn from the policy alone.
    pub searched: bool,
    /// The number of positions that the policy learns from.
    pub full_rows: u32,
    /// The number of simulations of all searches.
    pub simulations: u64,
    /// The number of positions that the model evaluated.
    pub evaluations: u64,
    /// The first resignation, whether or not it ended the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resignation: Option<Resignation>,
    /// Its rows, in hexadecimal digits.
    pub(in crate::selfplay) rows: String,
}

impl Explored {
    /// The records of its rows; `None` if they are damaged.
    pub(in crate::selfplay) fn records(&self) -> Option<Vec<PolicyRecord>> {
        let bytes = from_digits(&self.rows)?;
        let mut rest = &bytes[..];
        let mut records = Vec::new();
        while !rest.is_empty() {
            let record: Result<PolicyRecord, RecordError> = PolicyRecord::read(&mut rest);
            records.push(record.ok()?);
        }
        Some(records)
    }
}

/// How a move was chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Manner {
    /// By a full search.
    Full,
    /// By a cheap search.
    Cheap,
    /// By the policy alone.
    Policy,
}

/// A recorded position, before the result of its game is known.
pub(super) struct Row {
    record: PolicyRecord,
    /// The divergence of the search's policy from the priors; `None` if the policy does not learn
    /// from the position.
    surprise: Option<f64>,
}

impl Row {
    /// The current position of a game, with the moves and probabilities that a search found.
    pub(super) fn new(
        game: &Game,
        found: &[MoveStatistics],
        chances: Chances,
        learns: bool,
    ) -> Row {
        let line = game.line();
        let step = match line.boards() {
            [.., before, last] => double_step(before, last),
            _ => game.board().en_passant().map(|square| square.file()),
        };
        let moves = match learns {
            true => visits(found),
            false => Vec::new(),
        };
        Row {
            record: PolicyRecord {
                board: *game.board(),
                double_step: step,
                occurrences: line.earlier_occurrences().min(255) as u8,
                moves,
                chances: normal(chances),
                result: position::Outcome::Draw,
                weight: 1.0,
                policy_weight: f32::from(u8::from(learns)),
                ply: game.moves().len().min(usize::from(u16::MAX)) as u16,
                final_balance: 0,
            },
            surprise: learns.then(|| divergence(found)),
        }
    }

    /// A row whose policy is one move.
    pub(super) fn certain(game: &Game, mv: Move, chances: Chances) -> Row {
        let one = MoveStatistics {
            mv,
            visits: 1,
            prior: 1.0,
            policy: 1.0,
            value: chances.value(),
        };
        Row::new(game, &[one], chances, true)
    }

    /// The board.
    pub(super) fn board(&self) -> &Board {
        &self.record.board
    }
}

/// Probabilities of win, draw and loss, normalised: none below 0, and 1 in all.
fn normal(chances: Chances) -> [f32; 3] {
    let parts = [chances.win, chances.draw, chances.loss].map(|part| part.clamp(0.0, 1.0));
    let sum: f32 = parts.iter().sum();
    match sum > 0.0 {
        true => parts.map(|part| part / sum),
        false => [0.0, 1.0, 0.0],
    }
}

fn visits(found: &[MoveStatistics]) -> Vec<(Move, u32)> {
    found
        .iter()
        .map(|each| (each.mv, (each.policy * VISITS).round() as u32))
        .filter(|&(_, visits)| visits > 0)
        .collect()
}

/// The Kullback-Leibler divergence of a search's policy from the priors.
fn divergence(found: &[MoveStatistics]) -> f64 {
    let part = |each: &MoveStatistics| {
        let (policy, prior) = (f64::from(each.policy), f64::from(each.prior).max(1e-5));
        match policy > 0.0 {
            true => policy * libm::log(policy / prior),
            false => 0.0,
        }
    };
    found.iter().map(part).sum::<f64>().max(0.0)
}

/// The rows of a game that has ended, as the digits of their records, and the number of rows that
/// the policy learns from.
pub(super) fn finish(
    rows: &mut [Row],
    game: &Game,
    result: Outcome,
    surprise: f64,
) -> (String, u32) {
    let for_white = match result {
        Outcome::WhiteWins => position::Outcome::Win,
        Outcome::Draw => position::Outcome::Draw,
        Outcome::BlackWins => position::Outcome::Loss,
    };
    let balance = balance(game.board());
    let known = rows.iter().filter_map(|row| row.surprise);
    let (learned, sum) = known.fold((0, 0.0), |(count, sum), each| (count + 1, sum + each));
    let mean = sum / f64::from(learned.max(1));
    let mut bytes = Vec::new();
    for row in rows {
        let side = row.record.board.side_to_move();
        row.record.result = for_white.seen_by(side);
        let seen = if side == Color::White {
            balance
        } else {
            -balance
        };
        row.record.final_balance = seen.clamp(-127, 127) as i8;
        if let Some(own) = row.surprise.filter(|_| mean > 0.0) {
            row.record.policy_weight = (1.0 - surprise + surprise * own / mean) as f32;
        }
        row.record.write(&mut bytes);
    }
    (to_digits(&bytes), learned)
}

/// White's material minus Black's, in pawns.
fn balance(board: &Board) -> i32 {
    let worth = |color| -> i32 {
        let men = WORTH.iter();
        men.map(|&(kind, worth)| board.pieces(color, kind).count() as i32 * worth)
            .sum()
    };
    worth(Color::White) - worth(Color::Black)
}

/// All moves of a game in UCI notation.
pub(super) fn moves(game: &Game) -> String {
    let boards = game.line().boards().iter();
    let names = boards
        .zip(game.moves())
        .map(|(board, &mv)| board.uci(mv, CastlingStyle::Chess960).to_string());
    names.collect::<Vec<_>>().join(" ")
}
