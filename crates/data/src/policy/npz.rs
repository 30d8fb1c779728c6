//! The published arrays: `X` of `[N, 18, 8, 8]`, the input planes; `PF` of `[N, 64]`, the
//! share of each origin; `PD` of `[N, 64, 64]`, the shares of targets from each origin; `Z`
//! of `[N]`, the result for the side to move. Squares are from White's point of view, a1
//! first. One array is an addition to the published ones: `L` of `[N, 64, 8]`, a bit for
//! each legal move from each origin, the lowest first, so that a loss can mask illegal moves.

use super::npy::{Array, Numbers};
use super::record::PolicyRecord;
use super::zip;
use crate::position::Outcome;
use chess::{
    Bitboard, Board, BoardBuilder, Color, File, Move, PLANE_VALUES, Piece, PieceKind, Rank, Square,
    Wing,
};

/// The factor between shares and visits.
const VISITS: f32 = 1e6;
const SQUARES: usize = 64;

/// Why arrays cannot be read or written.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NpzError {
    /// The archive or an array is invalid.
    #[error("{0}")]
    Format(String),
    /// An array is missing.
    #[error("there is no array {0}")]
    Missing(&'static str),
    /// An array has another shape.
    #[error("{name} has the shape {found:?}, but should have {wanted}")]
    Shape {
        /// Which one.
        name: &'static str,
        /// Its lengths.
        found: Vec<usize>,
        /// The shape that it should have.
        wanted: &'static str,
    },
    /// A position is invalid.
    #[error("position {0}: its planes are not a valid position")]
    Board(usize),
}

/// The bytes of a file with these records. Results are mixed with the values of the search,
/// which have the share `lambda`.
///
/// # Errors
/// If there are too many for one file.
pub fn write_npz(records: &[PolicyRecord], lambda: f32) -> Result<Vec<u8>, NpzError> {
    let count = records.len();
    let mut planes = vec![0; count * PLANE_VALUES];
    let mut origins = vec![0.0; count * SQUARES];
    let mut targets = vec![0.0; count * SQUARES * SQUARES];
    let mut values = Vec::with_capacity(count);
    let mut legal = vec![0; count * SQUARES * 8];
    let mut buffer = [0.0; PLANE_VALUES];
    for (number, record) in records.iter().enumerate() {
        record.board.write_planes(&mut buffer);
        mark_double_step(record.double_step, &mut buffer);
        let own = &mut planes[number * PLANE_VALUES..][..PLANE_VALUES];
        for (place, value) in own.iter_mut().zip(buffer) {
            *place = value as u8;
        }
        let own = number * SQUARES;
        let size = SQUARES * SQUARES;
        write_shares(
            record,
            &mut origins[own..own + SQUARES],
            &mut targets[number * size..][..size],
        );
        for &mv in &record.board.legal_moves() {
            let to = target_of(mv).index();
            legal[(own + mv.from().index()) * 8 + to / 8] |= 1 << (to % 8);
        }
        let found = record.chances[0] - record.chances[2];
        values.push(lambda * found + (1.0 - lambda) * f32::from(record.result.number()));
    }
    let array = |lengths: &[usize], numbers| Array {
        lengths: lengths.to_vec(),
        numbers,
    };
    let arrays = [
        ("X.npy", array(&[count, 18, 8, 8], Numbers::Bytes(planes))),
        ("PF.npy", array(&[count, SQUARES], Numbers::Floats(origins))),
        (
            "PD.npy",
            array(&[count, SQUARES, SQUARES], Numbers::Floats(targets)),
        ),
        ("Z.npy", array(&[count], Numbers::Floats(values))),
        ("L.npy", array(&[count, SQUARES, 8], Numbers::Bytes(legal))),
    ];
    let files = arrays.map(|(name, array)| (name, array.to_bytes()));
    zip::write(&files).map_err(NpzError::Format)
}

/// Marks a double step in the en-passant plane, which as published shows every one.
fn mark_double_step(file: Option<File>, planes: &mut [f32; PLANE_VALUES]) {
    let plane = &mut planes[17 * SQUARES..];
    plane.fill(0.0);
    if let Some(file) = file {
        for square in Bitboard::file(file) {
            plane[square.index()] = 1.0;
        }
    }
}

/// The target of a move in the published arrays, where castling is the king's move.
fn target_of(mv: Move) -> Square {
    match mv.is_castling() {
        false => mv.to(),
        true => Square::new(Wing::of(mv.from(), mv.to()).king_file(), mv.from().rank()),
    }
}

/// Writes the shares of origins, and of targets from each; rows without visits are uniform.
fn write_shares(record: &PolicyRecord, origins: &mut [f32], targets: &mut [f32]) {
    for &(mv, visits) in &record.moves {
        // There, all promotions with the same origin and target are one move.
        let (from, to) = (mv.from().index(), target_of(mv).index());
        origins[from] += visits as f32;
        targets[from * SQUARES + to] += visits as f32;
    }
    let all: f32 = origins.iter().sum();
    for (origin, row) in origins.iter_mut().zip(targets.chunks_exact_mut(SQUARES)) {
        match *origin > 0.0 {
            true => row.iter_mut().for_each(|share| *share /= *origin),
            false => row.fill(1.0 / SQUARES as f32),
        }
        *origin = if all > 0.0 {
            *origin / all
        } else {
            1.0 / SQUARES as f32
        };
    }
}

/// Reads the records of a file. Shares of illegal moves are ignored; `Z` gives the
/// probabilities, and its nearest result is the result.
///
/// # Errors
/// If arrays are missing or have other shapes, or planes are not a valid position.
pub fn read_npz(bytes: &[u8]) -> Result<Vec<PolicyRecord>, NpzError> {
    let files = zip::read(bytes).map_err(NpzError::Format)?;
    let array = |name: &'static str| {
        let wanted = format!("{name}.npy");
        let found = files.iter().find(|(name, _)| *name == wanted);
        let (_, bytes) = found.ok_or(NpzError::Missing(name))?;
        Array::read(bytes).map_err(|problem| NpzError::Format(format!("{name}: {problem}")))
    };
    let values = array("Z")?;
    let count = values.lengths.first().copied().unwrap_or(0);
    let check = |name, array: Array, is_right: bool, wanted| match is_right {
        true => Ok(array.floats()),
        false => Err(NpzError::Shape {
            name,
            found: array.lengths,
            wanted,
        }),
    };
    let is_right = values.lengths == [count] || values.lengths == [count, 1];
    let values = check("Z", values, is_right, "[N]")?;
    let planes = array("X")?;
    let is_right = planes.lengths == [count, 18, 8, 8];
    let planes = check("X", planes, is_right, "[N, 18, 8, 8]")?;
    let origins = array("PF")?;
    let is_right = origins.lengths == [count, 64];
    let origins = check("PF", origins, is_right, "[N, 64]")?;
    let targets = array("PD")?;
    let is_right = targets.lengths == [count, 64, 64];
    let targets = check("PD", targets, is_right, "[N, 64, 64]")?;
    (0..count)
        .map(|number| {
            let planes = &planes[number * PLANE_VALUES..][..PLANE_VALUES];
            let origins = &origins[number * SQUARES..][..SQUARES];
            let targets = &targets[number * SQUARES * SQUARES..][..SQUARES * SQUARES];
            let record = record(planes, origins, targets, values[number]);
            record.ok_or(NpzError::Board(number))
        })
        .collect()
}

fn record(planes: &[f32], origins: &[f32], targets: &[f32], value: f32) -> Option<PolicyRecord> {
    let (board, double_step) = read_board(planes)?;
    let value = value.clamp(-1.0, 1.0);
    let share = |mv: Move| {
        let (from, to) = (mv.from().index(), target_of(mv).index());
        origins[from] * targets[from * SQUARES + to]
    };
    // A promotion is read as one to a queen.
    let counts = |mv: &Move| mv.promotes_to().is_none_or(|kind| kind == PieceKind::Queen);
    let moves: Vec<(Move, u32)> = board
        .legal_moves()
        .iter()
        .filter(|mv| counts(mv))
        .map(|&mv| (mv, (share(mv) * VISITS) as u32))
        .filter(|&(_, visits)| visits > 0)
        .collect();
    let win = 0.5 * (1.0 + value);
    Some(PolicyRecord {
        policy_weight: f32::from(u8::from(!moves.is_empty())),
        final_balance: 0,
        board,
        double_step,
        occurrences: 0,
        moves,
        chances: [win, 0.0, 1.0 - win],
        result: Outcome::from_number(value.round() as i64)?,
        weight: 1.0,
        ply: 0,
    })
}

/// Reads the board from planes, and the file of a double step.
fn read_board(planes: &[f32]) -> Option<(Board, Option<File>)> {
    let mut parts = BoardBuilder::new();
    let is_set = |plane: usize, square: usize| planes[plane * SQUARES + square] > 0.5;
    for square in 0..SQUARES {
        let mut men = (0..12).filter(|&plane| is_set(plane, square));
        if let Some(man) = men.next() {
            let kind = PieceKind::from_index((man % 6) as u8)?;
            let color = Color::ALL[man / 6];
            parts.pieces[square] = Some(Piece { color, kind });
        }
        // No square may have two men.
        if men.next().is_some() {
            return None;
        }
    }
    let side = if is_set(12, 0) {
        Color::White
    } else {
        Color::Black
    };
    parts.side_to_move = side;
    for (plane, color, file) in [
        (13, Color::White, File::H),
        (14, Color::White, File::A),
        (15, Color::Black, File::H),
        (16, Color::Black, File::A),
    ] {
        if is_set(plane, 0) {
            parts.castling.push((color, file));
        }
    }
    let double_step = File::ALL.into_iter().find(|file| is_set(17, file.index()));
    let passed = Rank::Sixth.relative_to(side);
    parts.en_passant = double_step.map(|file| Square::new(file, passed));
    parts.fullmove_number = 1;
    let (board, _) = parts.build().ok()?;
    Some((board, double_step))
}
