//! Counts leaves on all threads of the current thread pool, and stops early when interrupted.

use crate::exit::Interrupted;
use crate::interruption;
use crate::output::Output;
use crate::progress::Progress;
use chess::{Board, Move};
use rayon::prelude::*;

/// Trees of this depth are counted without checking for an interruption: even a large one takes
/// about a second.
const UNINTERRUPTED: u8 = 5;

/// The leaves below each legal move, for a depth of at least 1.
pub(crate) fn divide(
    board: &Board,
    depth: u8,
    output: &Output,
) -> Result<Vec<(Move, u64)>, Interrupted> {
    let mut counts: Vec<(Move, u64)> = board.legal_moves().iter().map(|&mv| (mv, 0)).collect();
    let subtrees = subtrees(board, depth, &counts);
    let progress = Progress::new(output, subtrees.len() as u64, "subtrees");
    let nodes = subtrees
        .par_iter()
        .with_max_len(1)
        .map(|subtree| {
            let nodes = leaves(&subtree.board, subtree.depth)?;
            progress.advance(1);
            Ok(nodes)
        })
        .collect::<Result<Vec<_>, _>>()?;
    for (subtree, nodes) in subtrees.iter().zip(nodes) {
        counts[subtree.root].1 += nodes;
    }
    Ok(counts)
}

/// A part of the tree, counted by one thread.
struct Subtree {
    /// The index of the root move that leads to it.
    root: usize,
    board: Board,
    depth: u8,
}

/// Splits the tree after two plies where possible: root moves alone are too few and too unequal to
/// keep many threads busy.
fn subtrees(board: &Board, depth: u8, moves: &[(Move, u64)]) -> Vec<Subtree> {
    let mut subtrees = Vec::new();
    for (root, &(mv, _)) in moves.iter().enumerate() {
        let board = board.after(mv);
        if depth < 3 {
            subtrees.push(Subtree {
                root,
                board,
                depth: depth - 1,
            });
        } else {
            let replies = board.legal_moves();
            let after = |&reply| Subtree {
                root,
                board: board.after(reply),
                depth: depth - 2,
            };
            subtrees.extend(replies.iter().map(after));
        }
    }
    subtrees
}

/// The leaves of one tree, counted on this thread.
pub(crate) fn leaves(board: &Board, depth: u8) -> Result<u64, Interrupted> {
    if interruption::requested() {
        return Err(Interrupted);
    }
    if depth <= UNINTERRUPTED {
        return Ok(chess::perft::perft(board, u32::from(depth)));
    }
    let moves = board.legal_moves();
    moves
        .iter()
        .map(|&mv| leaves(&board.after(mv), depth - 1))
        .sum()
}
