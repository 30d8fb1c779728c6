//! Syzygy tablebases: the exact result of positions with few men.
//!
//! The tables are read by shakmaty-syzygy; this module converts our boards to its positions, and
//! its answers to values and ranks. It must not know how a search uses them.

use crate::score;
use chess::{Board, Color, Move, PieceKind, Square};
use shakmaty::{ByColor, ByRole, CastlingMode, Chess, Position as _, Setup};
use shakmaty_syzygy::{Tablebase, Wdl};
use std::fmt;
use std::path::Path;
use std::sync::Arc;

/// The result of a position with best play, for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Verdict {
    /// The side to move loses.
    Loss,
    /// A draw, by best play or because the fifty-move rule comes first.
    Draw,
    /// The side to move wins.
    Win,
}

impl Verdict {
    fn of(wdl: Wdl) -> Verdict {
        match wdl {
            Wdl::Loss => Verdict::Loss,
            Wdl::BlessedLoss | Wdl::Draw | Wdl::CursedWin => Verdict::Draw,
            Wdl::Win => Verdict::Win,
        }
    }

    /// The value of the verdict at this distance from the root.
    pub fn value(self, ply: usize) -> i32 {
        match self {
            Verdict::Loss => ply as i32 - score::TABLEBASE_WIN,
            Verdict::Draw => score::DRAW,
            Verdict::Win => score::TABLEBASE_WIN - ply as i32,
        }
    }
}

/// The tables that the options of an engine select: folders, and the probe limit. They are reopened
/// only when one of these changes.
#[derive(Default, Debug)]
pub(crate) struct ChosenTables(Option<(String, u32)>);

impl ChosenTables {
    /// If other tables are wanted than before, opens them and passes them to `hand_over`, or
    /// `None`; messages for the client go to `tell`.
    pub(crate) fn choose(
        &mut self,
        folders: Option<&str>,
        most_men: u32,
        hand_over: &mut dyn FnMut(Option<Arc<Tablebases>>),
        tell: &mut dyn FnMut(String),
    ) {
        let wanted = folders.filter(|_| most_men > 0);
        let wanted = wanted.map(|folders| (folders.to_owned(), most_men));
        if wanted == self.0 {
            return;
        }
        self.0 = wanted;
        hand_over(None);
        let Some((folders, most_men)) = &self.0 else {
            return;
        };
        match Tablebases::open(folders, *most_men as usize) {
            Ok(tablebases) => {
                let (files, men) = (tablebases.files(), tablebases.most_men());
                tell(format!("found {files} table files for up to {men} men"));
                hand_over(Some(Arc::new(tablebases)));
            }
            Err(error) => tell(error.to_string()),
        }
    }
}

/// A folder that cannot be read.
#[derive(Debug)]
pub struct TablebaseError {
    folder: String,
    cause: std::io::Error,
}

impl fmt::Display for TablebaseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "cannot read the tablebases in {}: {}",
            self.folder, self.cause
        )
    }
}

impl std::error::Error for TablebaseError {}

/// Opened tables.
pub struct Tablebases {
    tables: Tablebase<Chess>,
    files: usize,
    most_men: usize,
}

impl fmt::Debug for Tablebases {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tablebases")
            .field("files", &self.files)
            .field("most_men", &self.most_men)
            .finish_non_exhaustive()
    }
}

impl Tablebases {
    /// Opens the tables in one or more folders, separated by colons. Positions with more than
    /// `most_men` men are not looked up.
    pub fn open(folders: &str, most_men: usize) -> Result<Tablebases, TablebaseError> {
        let mut tables = Tablebase::new();
        let mut files = 0;
        for folder in folders.split(':').filter(|folder| !folder.is_empty()) {
            let add = tables.add_directory(Path::new(folder));
            files += add.map_err(|cause| TablebaseError {
                folder: folder.to_owned(),
                cause,
            })?;
        }
        let most_men = most_men.min(tables.max_pieces());
        Ok(Tablebases {
            tables,
            files,
            most_men,
        })
    }

    /// How many table files were found.
    pub fn files(&self) -> usize {
        self.files
    }

    /// The largest number of men that is looked up.
    pub fn most_men(&self) -> usize {
        self.most_men
    }

    /// Whether a position may be looked up: few enough men, and no castling rights.
    #[inline]
    pub fn covers(&self, board: &Board) -> bool {
        board.occupied().count() as usize <= self.most_men && !board.castling().any()
    }

    /// The result of a position whose last move was a capture or a pawn move: only then is it
    /// certain without regard to earlier moves.
    pub fn verdict_after_zeroing(&self, board: &Board) -> Option<Verdict> {
        if !self.covers(board) || board.halfmove_clock() != 0 {
            return None;
        }
        let wdl = self.tables.probe_wdl_after_zeroing(&position(board)?);
        wdl.ok().map(Verdict::of)
    }

    /// The moves of a root position with their ranks, the best first; `None` unless the tables know
    /// all of them.
    ///
    /// Wins are ranked by the distance to the next capture or pawn move, the shortest first, so
    /// that a win is always converted; all drawing moves are equal.
    pub fn ranked(&self, board: &Board, moves: &[Move]) -> Option<Vec<(Move, Rank)>> {
        if !self.covers(board) {
            return None;
        }
        let mut ranked: Vec<(Move, Rank)> = moves
            .iter()
            .map(|&mv| Some((mv, self.rank(board, mv)?)))
            .collect::<Option<_>>()?;
        ranked.sort_by_key(|&(_, rank)| std::cmp::Reverse(rank));
        Some(ranked)
    }

    fn rank(&self, board: &Board, mv: Move) -> Option<Rank> {
        let child = board.after(mv);
        if child.in_check() && !child.has_legal_move() {
            return Some(Rank {
                verdict: Verdict::Win,
                speed: i32::MAX,
            });
        }
        let child_position = position(&child)?;
        if child_position.is_stalemate() || child.has_insufficient_material() {
            return Some(Rank::DRAW);
        }
        if child.halfmove_clock() == 0 {
            let wdl = self.tables.probe_wdl_after_zeroing(&child_position).ok()?;
            return Some(match Verdict::of(wdl) {
                Verdict::Win => Rank::slow(Verdict::Loss, 0),
                Verdict::Draw => Rank::DRAW,
                Verdict::Loss => Rank::slow(Verdict::Win, 0),
            });
        }
        let distance = self
            .tables
            .probe_dtz(&child_position)
            .ok()?
            .ignore_rounding()
            .0;
        // Plies already made without a capture or a pawn move count too.
        let total = distance.abs() + i32::from(child.halfmove_clock());
        Some(match distance {
            0 => Rank::DRAW,
            _ if total > 100 => Rank::DRAW,
            won if won < 0 => Rank::slow(Verdict::Win, distance.abs()),
            _ => Rank {
                verdict: Verdict::Loss,
                // The longer the loss takes, the better.
                speed: distance,
            },
        })
    }
}

/// The rank of a root move: its result, then how soon a win or how late a loss comes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Rank {
    /// The result after the move, for the side that makes it.
    pub verdict: Verdict,
    speed: i32,
}

impl Rank {
    const DRAW: Rank = Rank {
        verdict: Verdict::Draw,
        speed: 0,
    };

    fn slow(verdict: Verdict, plies: i32) -> Rank {
        Rank {
            verdict,
            speed: -plies,
        }
    }
}

/// The same position in shakmaty's form; `None` if it rejects one of the unusual positions that we
/// accept.
fn position(board: &Board) -> Option<Chess> {
    let squares = |set: chess::Bitboard| shakmaty::Bitboard(set.0);
    let roles = ByRole {
        pawn: squares(board.kind(PieceKind::Pawn)),
        knight: squares(board.kind(PieceKind::Knight)),
        bishop: squares(board.kind(PieceKind::Bishop)),
        rook: squares(board.kind(PieceKind::Rook)),
        queen: squares(board.kind(PieceKind::Queen)),
        king: squares(board.kind(PieceKind::King)),
    };
    let colors = ByColor {
        black: squares(board.color(Color::Black)),
        white: squares(board.color(Color::White)),
    };
    let mut setup = Setup::empty();
    setup.board = shakmaty::Board::try_from_bitboards(roles, colors).ok()?;
    setup.turn = match board.side_to_move() {
        Color::White => shakmaty::Color::White,
        Color::Black => shakmaty::Color::Black,
    };
    setup.ep_square = board
        .en_passant()
        .map(|square: Square| shakmaty::Square::new(square.index() as u32));
    setup.halfmoves = u32::from(board.halfmove_clock());
    setup.position(CastlingMode::Chess960).ok()
}
