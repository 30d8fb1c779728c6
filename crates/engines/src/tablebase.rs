//! Syzygy tablebases: the exact result of positions with few men.
//!
//! The tables are read by shakmaty-syzygy; this module turns our boards into
//! its positions and its answers into values and choices. It must not know how
//! a search uses them.

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
    /// Nobody wins, or the fifty-move rule comes first.
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

/// The tables that the options of an engine name: folders, and the most men that are
/// looked up. They are opened again only when that changes.
#[derive(Default, Debug)]
pub(crate) struct ChosenTables(Option<(String, u32)>);

impl ChosenTables {
    /// Hands the tables over, or nothing, if others are wanted than before; what the
    /// client should know of it goes to `tell`.
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

/// Tables that are open.
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
    /// Opens the tables in one or more folders, parted by colons. Positions
    /// with more than `most_men` men are not looked up.
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

    /// The most men for which there are tables in use.
    pub fn most_men(&self) -> usize {
        self.most_men
    }

    /// Whether a position may be looked up: few enough men, nobody may castle.
    #[inline]
    pub fn covers(&self, board: &Board) -> bool {
        board.occupied().count() as usize <= self.most_men && !board.castling().any()
    }

    /// The result of a position whose last move was a capture or pawn move:
    /// only then is it certain without regard to the moves before.
    pub fn verdict_after_zeroing(&self, board: &Board) -> Option<Verdict> {
        if !self.covers(board) || board.halfmove_clock() != 0 {
            return None;
        }
        let wdl = self.tables.probe_wdl_after_zeroing(&position(board)?);
        wdl.ok().map(Verdict::of)
    }

    /// How good the moves of a root position are, the best first; none unless the
    /// tables know all of them.
    ///
    /// A win is the better, the shorter the way to the next capture or pawn move, so
    /// that it is never let slip; moves that draw are equal.
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
        // The plies already made without capture or pawn move count too.
        let total = distance.abs() + i32::from(child.halfmove_clock());
        Some(match distance {
            0 => Rank::DRAW,
            _ if total > 100 => Rank::DRAW,
            won if won < 0 => Rank::slow(Verdict::Win, distance.abs()),
            _ => Rank {
                verdict: Verdict::Loss,
                // The longer, the better.
                speed: distance,
            },
        })
    }
}

/// How good a root move is: the verdict, then how soon a win or how late a loss.
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

/// The same position as shakmaty knows it; none if it refuses one of the odd
/// positions that we accept.
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
