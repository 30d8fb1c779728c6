//! Random games that reach positions which are rare in games between people.

use super::Random;
use chess::{Board, Move, PieceKind};

/// What a random player prefers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Style {
    /// Nothing in particular.
    Even,
    /// Captures, so that endgames come soon.
    Greedy,
    /// Castling, double steps, captures en passant, promotions, checks.
    Special,
    /// Moves to and fro, so that positions repeat and clocks run.
    Shuffling,
}

impl Style {
    pub(crate) const ALL: [Style; 4] =
        [Style::Even, Style::Greedy, Style::Special, Style::Shuffling];
}

/// The ordinary start, one of the 960, or one of the 960 for each side.
pub(crate) fn random_start(random: &mut Random) -> Board {
    let mut number = || random.below(960) as u16;
    let (white, black) = (number(), number());
    let start = match random.below(3) {
        0 => Some(Board::start()),
        1 => Board::chess960(white),
        _ => Board::double_chess960(white, black),
    };
    start.expect("the numbers are below 960")
}

/// A move in a style, or `None` if there is no legal one. `before` is the last
/// move of the same side.
pub(crate) fn choose(
    board: &Board,
    style: Style,
    before: Option<Move>,
    random: &mut Random,
) -> Option<Move> {
    let moves = board.legal_moves();
    let weights: Vec<usize> = moves
        .iter()
        .map(|&mv| weight(board, mv, style, before))
        .collect();
    let total: usize = weights.iter().sum();
    if total == 0 {
        return None;
    }
    let mut left = random.below(total);
    for (&mv, weight) in moves.iter().zip(weights) {
        if left < weight {
            return Some(mv);
        }
        left -= weight;
    }
    None
}

fn weight(board: &Board, mv: Move, style: Style, before: Option<Move>) -> usize {
    let is_pawn = board.kind_at(mv.from()) == Some(PieceKind::Pawn);
    let is_double_step = is_pawn && mv.from().index().abs_diff(mv.to().index()) == 16;
    match style {
        Style::Even => 1,
        Style::Greedy if board.is_capture(mv) => 12,
        Style::Greedy if is_pawn => 3,
        Style::Special if mv.is_castling() || mv.is_en_passant() => 300,
        Style::Special if is_double_step && board.after(mv).en_passant().is_some() => 100,
        Style::Special if mv.promotes_to().is_some() => 10,
        Style::Special if is_double_step || board.gives_check(mv) => 8,
        Style::Special if is_pawn => 4,
        Style::Shuffling if before == Some(Move::normal(mv.to(), mv.from())) => 60,
        Style::Shuffling if board.is_capture(mv) || is_pawn => 1,
        Style::Shuffling => 6,
        _ => 2,
    }
}

/// Plays a random game and visits every board, including the first and the last.
pub(crate) fn walk(
    start: Board,
    plies: usize,
    style: Style,
    random: &mut Random,
    mut visit: impl FnMut(&Board),
) {
    let mut board = start;
    let mut before = [None; 2];
    for ply in 0..plies {
        visit(&board);
        let Some(mv) = choose(&board, style, before[ply % 2], random) else {
            return;
        };
        before[ply % 2] = Some(mv);
        board.make(mv);
    }
    visit(&board);
}
