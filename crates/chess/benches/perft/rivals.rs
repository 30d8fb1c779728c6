//! Perft with the other libraries, used as intended: bulk counting, copy-make.

pub(crate) fn count_cozy(fen: &str, depth: u32) -> u64 {
    fn walk(board: &cozy_chess::Board, depth: u32) -> u64 {
        let mut nodes = 0;
        if depth == 1 {
            board.generate_moves(|moves| {
                nodes += moves.len() as u64;
                false
            });
        } else {
            board.generate_moves(|moves| {
                for mv in moves {
                    let mut child = board.clone();
                    child.play_unchecked(mv);
                    nodes += walk(&child, depth - 1);
                }
                false
            });
        }
        nodes
    }
    walk(&fen.parse().expect("a sound position"), depth)
}

pub(crate) fn count_other(fen: &str, depth: u32) -> u64 {
    fn walk(board: &other_chess::Board, depth: u32) -> u64 {
        let moves = other_chess::MoveGen::new_legal(board);
        if depth == 1 {
            return moves.len() as u64;
        }
        moves
            .map(|mv| walk(&board.make_move_new(mv), depth - 1))
            .sum()
    }
    walk(&fen.parse().expect("a sound position"), depth)
}

pub(crate) fn count_shakmaty(fen: &str, depth: u32) -> u64 {
    let fen: shakmaty::fen::Fen = fen.parse().expect("a sound FEN");
    let board: shakmaty::Chess = fen
        .into_position(shakmaty::CastlingMode::Standard)
        .expect("a sound position");
    shakmaty::perft(&board, depth)
}
