//! Positions of all stages, from random games.

use chess::{Board, Move};
use nets::nnue::Random;

/// One random game: the boards and the moves between them.
pub(crate) fn game(seed: u64, plies: usize) -> (Vec<Board>, Vec<Move>) {
    let mut random = Random::new(seed);
    let mut board = match seed % 4 {
        // Chess960, where castling can exchange king and rook.
        0 => Board::chess960((seed / 4 % 960) as u16).expect("a number below 960"),
        _ => Board::start(),
    };
    let (mut boards, mut made) = (vec![board], Vec::new());
    while made.len() < plies {
        let moves = board.legal_moves();
        if moves.is_empty() || board.has_insufficient_material() {
            break;
        }
        // Rare moves are always chosen, because random games have too few.
        let rare =
            |mv: &&Move| mv.is_castling() || mv.is_en_passant() || mv.promotes_to().is_some();
        let any = moves[(random.number() % moves.len() as u64) as usize];
        let mv = moves.iter().find(rare).copied().unwrap_or(any);
        made.push(mv);
        board.make(mv);
        boards.push(board);
    }
    (boards, made)
}

/// `count` positions of ordinary chess without check, spread over all numbers of men.
pub(crate) fn quiet(count: usize) -> Vec<Board> {
    let mut by_men: Vec<Vec<Board>> = vec![Vec::new(); 33];
    for seed in (1..600).filter(|seed| seed % 4 != 0) {
        let (boards, _) = game(seed, 300);
        for board in boards.into_iter().filter(|board| !board.in_check()) {
            by_men[board.occupied().count() as usize].push(board);
        }
    }
    let mut chosen = Vec::new();
    let mut random = Random::new(7);
    while chosen.len() < count {
        for boards in by_men.iter_mut().filter(|boards| !boards.is_empty()) {
            let index = random.number() as usize % boards.len();
            chosen.push(boards.swap_remove(index));
        }
    }
    chosen.truncate(count);
    chosen
}
