//! Counting the leaves of the tree of legal moves: the test of every move generator.

use crate::board::MoveFilter;
use crate::{Board, Color, Move, MoveList};

/// How many ways there are to play `depth` plies. The last ply is counted
/// without making its moves.
pub fn perft(board: &Board, depth: u32) -> u64 {
    match (depth, board.side_to_move()) {
        (0, _) => 1,
        (_, Color::White) => count::<true>(board, depth),
        (_, Color::Black) => count::<false>(board, depth),
    }
}

/// The same number, but every leaf is made as a board.
pub fn perft_without_bulk(board: &Board, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let moves = board.legal_moves();
    moves
        .iter()
        .map(|&mv| perft_without_bulk(&board.after(mv), depth - 1))
        .sum()
}

/// The count below each legal move; nothing at depth 0, where no move is made.
pub fn divide(board: &Board, depth: u32) -> Vec<(Move, u64)> {
    let Some(below) = depth.checked_sub(1) else {
        return Vec::new();
    };
    let moves = board.legal_moves();
    moves
        .iter()
        .map(|&mv| (mv, perft(&board.after(mv), below)))
        .collect()
}

/// The sides take turns as constants, so that the compiler makes one copy for each.
fn count<const WHITE: bool>(board: &Board, depth: u32) -> u64 {
    if depth == 1 {
        return u64::from(board.count_as::<WHITE>());
    }
    let mut moves = MoveList::new();
    board.generate_as::<WHITE, _>(MoveFilter::All, &mut |mv| moves.push(mv));
    let mut nodes = 0;
    for &mv in &moves {
        let mut child = *board;
        child.make_as::<WHITE>(mv);
        nodes += if WHITE {
            count::<false>(&child, depth - 1)
        } else {
            count::<true>(&child, depth - 1)
        };
    }
    nodes
}
