//! A position with the visits of its moves, and its bytes in a shard.

use crate::position::{Outcome, Position};
use chess::{Board, BoardBuilder, Color, File, Move, Piece, PieceKind, Square};

/// Stands for "no file" or "no square".
const NONE: u8 = 255;
/// How many bytes a record has without its moves, and how many a move.
const FIXED: usize = 60;
const OF_MOVE: usize = 6;
const BLACK: u8 = 8;

/// A position to train a policy and a value on.
#[derive(Clone, PartialEq, Debug)]
pub struct PolicyRecord {
    /// The board.
    pub board: Board,
    /// The file on which a pawn has just moved two squares.
    pub double_step: Option<File>,
    /// How often the position occurred before in its game.
    pub occurrences: u8,
    /// Legal moves with their visits; moves that are not listed have none.
    pub moves: Vec<(Move, u32)>,
    /// The probabilities of win, draw and loss for the side to move, by a search.
    pub chances: [f32; 3],
    /// The result of the game for the side to move.
    pub result: Outcome,
    /// The weight of the value.
    pub weight: f32,
    /// The weight of the moves; 0 if there was no full search here.
    pub policy_weight: f32,
    /// How many plies of the game came before.
    pub ply: u16,
    /// The material balance in pawns at the end of the game, from the point of view of the side
    /// to move in this position; 0 if it was not recorded.
    pub final_balance: i8,
}

/// Why bytes are not a valid record.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RecordError {
    /// The bytes end too early.
    #[error("it ends too early")]
    Short,
    /// The men and rights are not a valid position.
    #[error("its board is not a valid position")]
    Board,
    /// A move is not legal.
    #[error("one of its moves is not legal")]
    Move,
    /// A number is out of range.
    #[error("its {0} is invalid")]
    Number(&'static str),
}

impl PolicyRecord {
    /// The record of a position from a game: the move that was played, and the score
    /// converted to probabilities by a logistic curve with this scale in centipawns,
    /// without draws.
    pub fn of_position(position: &Position, double_step: Option<File>, scale: f32) -> PolicyRecord {
        let score = f32::from(position.score);
        let win = 1.0 / (1.0 + libm::expf(-score / scale));
        PolicyRecord {
            board: position.board,
            double_step,
            occurrences: 0,
            moves: position.mv.map(|mv| (mv, 1)).into_iter().collect(),
            chances: [win, 0.0, 1.0 - win],
            result: position.result,
            weight: 1.0,
            policy_weight: f32::from(u8::from(position.mv.is_some())),
            ply: position.ply,
            final_balance: 0,
        }
    }

    /// Appends its bytes.
    pub fn write(&self, bytes: &mut Vec<u8>) {
        let board = &self.board;
        bytes.extend(board.occupied().0.to_le_bytes());
        let mut men = [0; 16];
        for (place, square) in board.occupied().into_iter().enumerate() {
            if let Some(Piece { color, kind }) = board.piece_at(square) {
                let man = kind.index() as u8 | if color == Color::Black { BLACK } else { 0 };
                men[place / 2] |= man << (place % 2 * 4);
            }
        }
        bytes.extend(men);
        let rooks = |color| board.castling().rooks(color).0;
        bytes.extend([
            board.side_to_move() as u8,
            rooks(Color::White) as u8,
            (rooks(Color::Black) >> 56) as u8,
            board.en_passant().map_or(NONE, |it| it.index() as u8),
            self.double_step.map_or(NONE, |file| file.index() as u8),
            self.occurrences,
            self.result.number() as u8,
            self.final_balance as u8,
        ]);
        for number in [
            board.halfmove_clock(),
            board.fullmove_number(),
            self.ply,
            self.moves.len() as u16,
        ] {
            bytes.extend(number.to_le_bytes());
        }
        let [win, draw, loss] = self.chances;
        for number in [win, draw, loss, self.weight, self.policy_weight] {
            bytes.extend(number.to_le_bytes());
        }
        for (mv, visits) in &self.moves {
            bytes.extend(mv.to_bits().to_le_bytes());
            bytes.extend(visits.to_le_bytes());
        }
    }

    /// Reads a record from the front of the bytes.
    ///
    /// # Errors
    /// If it is invalid.
    pub fn read(bytes: &mut &[u8]) -> Result<PolicyRecord, RecordError> {
        let (fixed, rest) = bytes
            .split_first_chunk::<FIXED>()
            .ok_or(RecordError::Short)?;
        let short = |at: usize| u16::from_le_bytes([fixed[at], fixed[at + 1]]);
        let float = |at: usize| f32::from_le_bytes([0, 1, 2, 3].map(|byte| fixed[at + byte]));
        let count = usize::from(short(38));
        let (moves, rest) = rest
            .split_at_checked(OF_MOVE * count)
            .ok_or(RecordError::Short)?;
        let file = |byte: u8| (byte < 8).then(|| File::from_index(byte));
        let record = PolicyRecord {
            board: read_board(fixed, short(32), short(34))?,
            double_step: file(fixed[28]),
            occurrences: fixed[29],
            moves: read_moves(moves),
            chances: [40, 44, 48].map(float),
            result: Outcome::from_number(i64::from(fixed[30] as i8))
                .ok_or(RecordError::Number("result"))?,
            weight: float(52),
            policy_weight: float(56),
            ply: short(36),
            final_balance: fixed[31] as i8,
        };
        record.check()?;
        *bytes = rest;
        Ok(record)
    }

    fn check(&self) -> Result<(), RecordError> {
        let is_share = |value: &f32| (0.0..=1.0).contains(value);
        let sum: f32 = self.chances.iter().sum();
        if !self.chances.iter().all(is_share) || (sum - 1.0).abs() > 1e-3 {
            return Err(RecordError::Number("value"));
        }
        for weight in [self.weight, self.policy_weight] {
            if !(0.0..=1e6).contains(&weight) {
                return Err(RecordError::Number("weight"));
            }
        }
        match self.moves.iter().all(|&(mv, _)| self.board.is_legal(mv)) {
            true => Ok(()),
            false => Err(RecordError::Move),
        }
    }
}

fn read_board(
    fixed: &[u8; FIXED],
    halfmove_clock: u16,
    fullmove_number: u16,
) -> Result<Board, RecordError> {
    let mut parts = BoardBuilder::new();
    let mut occupied = [0; 8];
    occupied.copy_from_slice(&fixed[..8]);
    let squares = chess::Bitboard(u64::from_le_bytes(occupied));
    if squares.count() > 32 {
        return Err(RecordError::Board);
    }
    for (place, square) in squares.into_iter().enumerate() {
        let man = fixed[8 + place / 2] >> (place % 2 * 4) & 15;
        let kind = PieceKind::from_index(man & 7).ok_or(RecordError::Board)?;
        let color = Color::ALL[usize::from(man & BLACK != 0)];
        parts.pieces[square.index()] = Some(Piece { color, kind });
    }
    parts.side_to_move = Color::ALL[usize::from(fixed[24] & 1)];
    for (color, files) in Color::ALL.into_iter().zip([fixed[25], fixed[26]]) {
        let rooks = File::ALL
            .into_iter()
            .filter(|file| files >> file.index() & 1 == 1);
        parts.castling.extend(rooks.map(|file| (color, file)));
    }
    parts.en_passant = (fixed[27] < 64).then(|| Square::from_index(fixed[27]));
    parts.halfmove_clock = halfmove_clock;
    parts.fullmove_number = fullmove_number.max(1);
    let (board, _) = parts.build().map_err(|_| RecordError::Board)?;
    Ok(board)
}

fn read_moves(bytes: &[u8]) -> Vec<(Move, u32)> {
    let (moves, _) = bytes.as_chunks::<OF_MOVE>();
    moves
        .iter()
        .map(|&[a, b, c, d, e, f]| {
            let mv = Move::from_bits(u16::from_le_bytes([a, b]));
            (mv, u32::from_le_bytes([c, d, e, f]))
        })
        .collect()
}
