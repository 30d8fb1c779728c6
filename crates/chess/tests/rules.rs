//! How games end: mate, stalemate, fifty moves, repetition, material, and
//! positions that are plainly dead.

mod common;

use chess::{Board, BoardBuilder, Color, File, Game, Piece, PieceKind, Rank, Square, Termination};
use common::{Random, scaled};
use std::collections::HashSet;

fn board(fen: &str) -> Board {
    Board::from_fen(fen).unwrap_or_else(|error| panic!("{error} in {fen}"))
}

/// Plays moves in coordinates and returns how the game ended after the last one.
fn play(fen: &str, moves: &str) -> Option<Termination> {
    let mut game = Game::new(board(fen));
    for text in moves.split_whitespace() {
        let before = game.termination();
        game.step_uci(text)
            .unwrap_or_else(|error| panic!("{text} after {before:?}: {error}"));
    }
    game.termination()
}

const WHITE_MATES: Option<Termination> = Some(Termination::Checkmate {
    winner: Color::White,
});

#[test]
fn boards_know_how_they_end() {
    let black_mates = Some(Termination::Checkmate {
        winner: Color::Black,
    });
    for (fen, end) in [
        ("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", WHITE_MATES),
        ("6k1/8/8/8/8/8/5PPP/r5K1 w - - 0 1", black_mates),
        (
            "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
            Some(Termination::Stalemate),
        ),
        (
            "8/8/8/8/8/6k1/7p/7K w - - 0 1",
            Some(Termination::Stalemate),
        ),
        (
            "8/8/4k3/8/8/3K4/8/8 w - - 0 1",
            Some(Termination::InsufficientMaterial),
        ),
        (
            "8/8/4k3/8/8/3K4/8/R7 w - - 100 90",
            Some(Termination::FiftyMoves),
        ),
        ("8/8/4k3/8/8/3K4/8/R7 w - - 99 90", None),
        // It is not stalemate if en passant is the only move.
        ("8/8/8/8/k1pP4/p7/P1P5/K7 b - d3 0 1", None),
    ] {
        assert_eq!(board(fen).termination(), end, "{fen}");
        assert_eq!(Game::new(board(fen)).termination(), end, "{fen}");
    }
}

#[test]
fn mate_and_stalemate_come_before_fifty_moves() {
    let mate = "R5k1/5ppp/8/8/8/8/8/6K1 b - - 100 120";
    assert_eq!(board(mate).termination(), WHITE_MATES);
    let stalemate = "7k/5Q2/6K1/8/8/8/8/8 b - - 100 120";
    assert_eq!(board(stalemate).termination(), Some(Termination::Stalemate));
    let last_chance = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 99 120";
    assert_eq!(play(last_chance, "a1a8"), WHITE_MATES);
    assert_eq!(play(last_chance, "a1a7"), Some(Termination::FiftyMoves));
}

#[test]
fn fifty_moves_end_at_exactly_one_hundred_plies() {
    let start = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 98 120";
    assert_eq!(play(start, "a1a2"), None);
    assert_eq!(play(start, "a1a2 g8f8"), Some(Termination::FiftyMoves));
    assert_eq!(play(start, "a1a2 h7h6"), None);
    // A capture resets the clock, castling does not.
    let start = "6k1/n4ppp/8/8/8/8/8/R3K2R w KQ - 99 120";
    assert_eq!(play(start, "a1a7"), None);
    assert_eq!(play(start, "e1g1"), Some(Termination::FiftyMoves));
}

#[test]
fn the_third_occurrence_ends_the_game() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let once = "g1f3 g8f6 f3g1 f6g8";
    assert_eq!(play(start, once), None);
    assert_eq!(play(start, &format!("{once} g1f3 g8f6 f3g1")), None);
    assert_eq!(
        play(start, &format!("{once} {once}")),
        Some(Termination::Threefold)
    );
    // Occurrences need not follow each other.
    let detour = "b1c3 b8c6 c3b1 c6b8";
    assert_eq!(
        play(start, &format!("{once} {detour}")),
        Some(Termination::Threefold)
    );
}

#[test]
fn a_lost_right_to_castle_makes_another_position() {
    let start = "r3k2r/8/8/8/8/8/7P/R3K2R w KQkq - 0 1";
    // The men stand as at the start for the third time, but at the start the
    // kings could castle. After the first king's step Black still could.
    let cycle = "e1d1 e8d8 d1e1 d8e8";
    assert_eq!(play(start, &format!("{cycle} {cycle}")), None);
    assert_eq!(play(start, &format!("{cycle} {cycle} e1d1")), None);
    assert_eq!(
        play(start, &format!("{cycle} {cycle} e1d1 e8d8")),
        Some(Termination::Threefold)
    );
    let without = "r3k2r/8/8/8/8/8/7P/R3K2R w - - 0 1";
    assert_eq!(
        play(without, &format!("{cycle} {cycle}")),
        Some(Termination::Threefold)
    );
}

#[test]
fn only_a_legal_capture_in_passing_makes_another_position() {
    let cycle = "e1d1 e8d8 d1e1 d8e8";
    let legal = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1";
    assert_eq!(play(legal, &format!("{cycle} {cycle}")), None);
    assert_eq!(
        play(legal, &format!("{cycle} {cycle} e1d1")),
        Some(Termination::Threefold)
    );
    // The pawn is pinned on the rank: the square changes nothing.
    let cycle = "a5a6 h1g1 a6a5 g1h1";
    let pinned = "8/8/8/K2pP2r/8/8/8/7k w - d6 0 1";
    assert_eq!(
        play(pinned, &format!("{cycle} {cycle}")),
        Some(Termination::Threefold)
    );
}

#[test]
fn terminations_have_names_winners_and_results() {
    let mate = Termination::Checkmate {
        winner: Color::Black,
    };
    for (end, name, text, result) in [
        (mate, "checkmate", "Black mates", "0-1"),
        (
            Termination::Checkmate {
                winner: Color::White,
            },
            "checkmate",
            "White mates",
            "1-0",
        ),
        (
            Termination::Stalemate,
            "stalemate",
            "draw by stalemate",
            "1/2-1/2",
        ),
        (
            Termination::InsufficientMaterial,
            "insufficient-material",
            "draw by insufficient material",
            "1/2-1/2",
        ),
        (
            Termination::FiftyMoves,
            "fifty-moves",
            "draw by the fifty-move rule",
            "1/2-1/2",
        ),
        (
            Termination::Threefold,
            "threefold",
            "draw by threefold repetition",
            "1/2-1/2",
        ),
    ] {
        assert_eq!(
            (end.name(), &*end.to_string(), end.result()),
            (name, text, result)
        );
        assert_eq!(end.winner().is_some(), name == "checkmate");
    }
    assert_eq!(mate.winner(), Some(Color::Black));
}

/// Men besides the kings, and whether neither side can mate. Light squares are those
/// of h1's colour; the men stand on the given rank.
#[test]
fn insufficient_material_by_table() {
    for (rank, is_draw) in [
        ("8", true),
        ("N7", true),
        ("n7", true),
        ("B7", true),
        ("b7", true),
        // Bishops on squares of one colour, any number, of either side.
        ("B1B5", true),
        ("B1b5", true),
        ("b1B1b3", true),
        // Bishops on squares of both colours.
        ("BB6", false),
        ("Bb6", false),
        ("bb6", false),
        // With help, two knights can mate, as can knight against knight.
        ("NN6", false),
        ("Nn6", false),
        ("Nb6", false),
        ("BN6", false),
        // Any pawn, rook or queen suffices.
        ("P7", false),
        ("p7", false),
        ("R7", false),
        ("q7", false),
        ("B1P5", false),
    ] {
        let board = board(&format!("7k/8/8/8/{rank}/8/8/7K w - - 0 1"));
        assert_eq!(board.has_insufficient_material(), is_draw, "{rank}");
        assert_eq!(
            board.termination() == Some(Termination::InsufficientMaterial),
            is_draw,
            "{rank}"
        );
        assert!(!is_draw || board.is_plainly_dead(), "{rank}");
    }
}

/// A complete wall of locked pawns, and walls with gaps.
#[test]
fn locked_walls_are_dead_and_leaking_ones_are_not() {
    for (placement, is_dead) in [
        ("4k3/8/1p1p1p1p/pPpPpPpP/P1P1P1P1/8/8/4K3", true),
        ("4k3/8/1p1p1p2/pPpPpPp1/P1P1P1P1/8/8/4K3", true),
        ("4k3/8/8/1p1p1p1p/1P1P1P1P/8/8/4K3", true),
        // White's king stands behind the wall.
        ("4k3/2K5/1p1p1p1p/pPpPpPpP/P1P1P1P1/8/8/8", false),
        // An open wing lets the kings walk around.
        ("4k3/8/3p1p2/2pPpPp1/2P1P1P1/8/8/4K3", false),
        // A pawn can capture, a pawn can step, a piece can jump.
        ("4k3/8/8/2pp4/2PP4/8/8/4K3", false),
        ("4k3/8/1p1p1p1p/pPpPpPpP/P1P1P3/8/6P1/4K3", false),
        ("4k1n1/8/1p1p1p1p/pPpPpPpP/P1P1P1P1/8/8/4K3", false),
    ] {
        for side in ["w", "b"] {
            let board = board(&format!("{placement} {side} - - 0 1"));
            assert_eq!(board.is_plainly_dead(), is_dead, "{board:?}");
            assert_eq!(board.termination(), None, "{board:?}");
        }
    }
    let passing = board("4k3/8/1p1p1p1p/pPpPpPpP/P1P1P1P1/8/8/4K3 w - c6 0 1");
    assert!(!passing.is_plainly_dead(), "c5 can be taken in passing");
}

/// Locked pawns mate the king before them: the position is won, not dead.
#[test]
fn a_mate_by_locked_pawns_is_not_dead() {
    let mate = board("7k/8/4p3/1p1pP1p1/1PpPKpP1/2P2P2/8/8 w - - 0 1");
    assert_eq!(
        mate.termination(),
        Some(Termination::Checkmate {
            winner: Color::Black
        })
    );
    assert!(!mate.is_plainly_dead());
}

/// A position of kings and random pairs of locked pawns.
fn random_lock(random: &mut Random) -> Option<Board> {
    let mut builder = BoardBuilder::new();
    let mut rank = 2 + random.below(3) as u8;
    for file in File::ALL {
        if random.chance(90) {
            for (color, step) in [(Color::White, 0), (Color::Black, 1)] {
                let square = Square::new(file, Rank::from_index(rank + step));
                builder.pieces[square.index()] = Some(Piece::new(color, PieceKind::Pawn));
            }
        }
        rank = if rank > 1 && (rank > 4 || random.chance(50)) {
            rank - 1
        } else {
            rank + 1
        };
    }
    for color in Color::ALL {
        let index = random.below(64);
        if builder.pieces[index].is_some() {
            return None;
        }
        builder.pieces[index] = Some(Piece::new(color, PieceKind::King));
    }
    builder.side_to_move = *random.pick(&Color::ALL);
    builder.build().ok().map(|(board, _)| board)
}

/// Whether any sequence of moves changes the pawns or mates.
fn something_happens(start: Board) -> bool {
    let mut seen = HashSet::from([start.key()]);
    let mut open = vec![start];
    while let Some(board) = open.pop() {
        let is_mate = board.in_check() && !board.has_legal_move();
        if is_mate || board.kind(PieceKind::Pawn) != start.kind(PieceKind::Pawn) {
            return true;
        }
        for &mv in &board.legal_moves() {
            let child = board.after(mv);
            if seen.insert(child.key()) {
                open.push(child);
            }
        }
    }
    false
}

/// Every position that is called dead is proved dead by trying all moves.
#[test]
fn dead_positions_stay_dead_whatever_is_played() {
    let mut random = Random::new(71);
    let (mut dead, mut alive) = (0, 0);
    while dead < scaled(2_000, 40_000) {
        let Some(board) = random_lock(&mut random) else {
            continue;
        };
        if board.is_plainly_dead() {
            assert!(!something_happens(board), "{board:?}");
            dead += 1;
        } else {
            alive += 1;
        }
    }
    assert!(alive > 100, "only {alive} were not called dead");
}
