//! Perft: counting the leaves of the tree of legal moves, the usual test of move generators.

use crate::board::MoveFilter;
use crate::{Board, Color, Move, MoveList};

/// How many sequences of `depth` legal moves there are. The moves of the last
/// ply are counted without making them.
pub fn perft(board: &Board, depth: u32) -> u64 {
    match (depth, board.side_to_move()) {
        (0, _) => 1,
        (_, Color::White) => count::<true>(board, depth),
        (_, Color::Black) => count::<false>(board, depth),
    }
}

/// The same number, but the moves of the last ply are made too.
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

/// The side to move is a compile-time constant, so that each side has its own specialised code.
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
