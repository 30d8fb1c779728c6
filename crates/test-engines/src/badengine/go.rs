//! The words of `go`, as far as a bad engine cares.

use chess::{Board, CastlingStyle, Move};

/// The words of `go`.
#[derive(Default)]
pub(crate) struct Go {
    pub(crate) nodes: Option<u64>,
    pub(crate) depth: Option<u64>,
    /// Whether anything else ends the search.
    has_other_limit: bool,
    /// The moves to choose from; all if empty.
    search_moves: Vec<Move>,
}

impl Go {
    pub(crate) fn read(words: &str, board: &Board) -> Go {
        let mut go = Go::default();
        let mut words = words.split_whitespace();
        while let Some(word) = words.next() {
            match word {
                "nodes" => go.nodes = words.next().and_then(|word| word.parse().ok()),
                "depth" => go.depth = words.next().and_then(|word| word.parse().ok()),
                "wtime" | "btime" | "movetime" | "mate" => go.has_other_limit = true,
                "searchmoves" => {
                    let moves = words.by_ref().map_while(|word| board.parse_uci(word).ok());
                    go.search_moves = moves.collect();
                }
                _ => {}
            }
        }
        go
    }

    /// Whether only `stop` ends the search.
    pub(crate) fn is_endless(&self, ignores_nodes: bool) -> bool {
        let has_nodes = self.nodes.is_some() && !ignores_nodes;
        !self.has_other_limit && !has_nodes && self.depth.is_none()
    }

    /// The first move that may be chosen.
    pub(crate) fn best(&self, board: &Board, castling: CastlingStyle) -> Option<String> {
        let first = board.legal_moves().first().copied();
        let best = self.search_moves.first().copied().or(first)?;
        Some(board.uci(best, castling).to_string())
    }
}
