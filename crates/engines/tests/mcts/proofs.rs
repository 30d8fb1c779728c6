//! No proof is wrong: positions whose results are known.
//!
//! The rules of king and pawn, and of king and queen against king, are computed here by
//! retrograde analysis, so that nothing is needed. With the variable TABIA_DATA naming a
//! folder that has `syzygy/` in it, random positions with three and four men are asked
//! there, too; TABIA_LONG=1 takes ten thousand of them.

use crate::support::{game, next, search, small, uniform};
use chess::{Board, BoardBuilder, Color, Game, Piece, PieceKind, Square};
use engines::mcts::{Mcts, Options};
use engines::score::Score;
use engines::tablebase::{Tablebases, Verdict};
use engines::{Answer, Limits, StopSignal};
use std::path::PathBuf;
use std::sync::Arc;

/// Kings and other men on random squares, if that is a position that goes on.
fn try_position(random: &mut u64, others: &[Piece]) -> Option<Board> {
    let kings = [
        Piece::new(Color::White, PieceKind::King),
        Piece::new(Color::Black, PieceKind::King),
    ];
    let mut builder = BoardBuilder::new();
    for piece in kings.iter().chain(others) {
        let square = Square::from_index(next(random) as u8);
        builder.pieces[square.index()] = Some(*piece);
    }
    builder.side_to_move = Color::ALL[(next(random) % 2) as usize];
    let (board, _) = builder.build().ok()?;
    let is_whole = board.occupied().count() as usize == others.len() + 2;
    (is_whole && board.termination().is_none()).then_some(board)
}

/// The number of a position with king and queen against king.
fn queen_index(board: &Board) -> Option<usize> {
    let queens = board.pieces(Color::White, PieceKind::Queen);
    let queen = queens.into_iter().next()?.index();
    let kings = [Color::White, Color::Black].map(|color| board.king(color).index());
    let side = board.side_to_move().index();
    Some(((kings[0] * 64 + queen) * 64 + kings[1]) * 2 + side)
}

/// Plies to mate of every position with king and queen against king that White wins, by
/// retrograde analysis; all others are drawn.
fn queen_table() -> Vec<Option<u32>> {
    let mut open = Vec::new();
    for number in 0..64u32.pow(3) * 2 {
        let square = |shift: u32| Square::from_index((number >> shift & 63) as u8);
        let men = [
            (square(13), Color::White, PieceKind::King),
            (square(7), Color::White, PieceKind::Queen),
            (square(1), Color::Black, PieceKind::King),
        ];
        let mut builder = BoardBuilder::new();
        for (square, color, kind) in men {
            builder.pieces[square.index()] = Some(Piece::new(color, kind));
        }
        builder.side_to_move = Color::ALL[(number & 1) as usize];
        if let Ok((board, _)) = builder.build()
            && board.occupied().count() == 3
        {
            assert_eq!(queen_index(&board), Some(number as usize));
            open.push(board);
        }
    }
    let mut table = vec![None; 64usize.pow(3) * 2];
    for plies in 0u32.. {
        let before = open.len();
        let mut found = Vec::new();
        open.retain(|board| {
            let is_won = is_won(board, &table, plies);
            found.extend(is_won.then(|| queen_index(board)).flatten());
            !is_won
        });
        found
            .into_iter()
            .for_each(|index| table[index] = Some(plies));
        // Mates for White and for Black to move take turns; the first round may be empty.
        if open.len() == before && plies > 1 {
            break;
        }
    }
    table
}

/// Whether White mates in exactly so many plies, given all shorter mates.
fn is_won(board: &Board, table: &[Option<u32>], plies: u32) -> bool {
    let is_white = board.side_to_move() == Color::White;
    if (plies % 2 == 1) != is_white {
        return false;
    }
    let moves = board.legal_moves();
    let is_lost = |mv: &chess::Move| {
        queen_index(&board.after(*mv)).is_some_and(|index| table[index].is_some())
    };
    match (is_white, plies) {
        (true, _) => moves.iter().any(is_lost),
        (false, 0) => moves.is_empty() && board.in_check(),
        (false, _) => !moves.is_empty() && moves.iter().all(is_lost),
    }
}

#[test]
fn queen_endings_are_proved_right_and_no_mate_is_too_short() {
    let table = queen_table();
    assert_eq!(table.iter().flatten().max(), Some(&20), "mate in ten");
    let mut random = 0x7ab1_a000_0000_0001u64;
    let mut player = uniform(Options {
        lines: 2,
        ..small()
    });
    let queen = [Piece::new(Color::White, PieceKind::Queen)];
    let mut proofs = 0;
    for _ in 0..400 {
        let Some(board) = try_position(&mut random, &queen) else {
            continue;
        };
        player.forget();
        let answer = search(&mut player, &Game::new(board), 8_000);
        let known = queen_index(&board).and_then(|index| table[index]);
        let Score::Mate(moves) = answer.score else {
            continue;
        };
        proofs += 1;
        let plies = known.unwrap_or_else(|| panic!("{board:?} is drawn, not mate in {moves}"));
        let plies = plies as i32;
        let is_white = board.side_to_move() == Color::White;
        assert_eq!(moves > 0, is_white, "{board:?}");
        let found = if moves > 0 { 2 * moves - 1 } else { -2 * moves };
        assert!(
            found >= plies,
            "{board:?}: {found} plies, but {plies} are needed"
        );
    }
    assert!(proofs > 5, "{proofs} proofs");
}

/// Positions of king and pawn against king with White's result, from the textbooks.
const PAWN: [(&str, bool); 8] = [
    ("8/8/8/3k4/8/3K4/3P4/8 w - - 0 1", false),
    ("8/8/3k4/8/3K4/8/3P4/8 b - - 0 1", true),
    ("8/8/3k4/8/3K4/3P4/8/8 w - - 0 1", false),
    ("8/8/3k4/8/3K4/3P4/8/8 b - - 0 1", true),
    ("8/3k4/8/3K4/3P4/8/8/8 w - - 0 1", false),
    ("3k4/8/3K4/3P4/8/8/8/8 w - - 0 1", true),
    ("k7/8/K7/P7/8/8/8/8 w - - 0 1", false),
    ("8/8/8/8/8/k7/p7/K7 w - - 0 1", false),
];

#[test]
fn pawn_endings_are_never_proved_wrong() {
    let mut player = uniform(Options {
        lines: 2,
        hash: 32,
        ..small()
    });
    for (fen, white_wins) in PAWN {
        player.forget();
        let position = game(fen);
        let answer = search(&mut player, &position, 60_000);
        let expected = match (white_wins, position.board().side_to_move()) {
            (false, _) => Verdict::Draw,
            (true, Color::White) => Verdict::Win,
            (true, Color::Black) => Verdict::Loss,
        };
        if let Some(tables) = tables() {
            assert_eq!(verdict(&tables, position.board()), Some(expected), "{fen}");
        }
        if let Some(found) = player.proved() {
            assert_eq!(found, expected, "{fen}: {}", answer.score);
        }
    }
}

fn tables() -> Option<Arc<Tablebases>> {
    let folder = PathBuf::from(std::env::var_os("TABIA_DATA")?).join("syzygy");
    let tables = Tablebases::open(&folder.to_string_lossy(), 7);
    tables
        .ok()
        .filter(|tables| tables.files() > 0)
        .map(Arc::new)
}

fn three_or_four_men(random: &mut u64) -> Board {
    loop {
        let count = 1 + next(random) % 2;
        let others: Vec<Piece> = (0..count)
            .map(|_| {
                let color = Color::ALL[(next(random) % 2) as usize];
                Piece::new(color, PieceKind::ALL[(next(random) % 5) as usize])
            })
            .collect();
        if let Some(board) = try_position(random, &others) {
            return board;
        }
    }
}

/// The result of a root with an unspent fifty-move count.
fn verdict(tables: &Tablebases, board: &Board) -> Option<Verdict> {
    tables.verdict_after_zeroing(board)
}

#[test]
fn no_proof_contradicts_the_tables() {
    let Some(tables) = tables() else { return };
    let is_long = std::env::var_os("TABIA_LONG").is_some_and(|value| value == "1");
    let positions = if is_long { 10_000 } else { 200 };
    let mut random = 0x7ab1_a000_0000_0003u64;
    let mut player = uniform(Options {
        lines: 2,
        ..small()
    });
    let mut seen = [0usize; 3];
    for _ in 0..positions {
        let board = three_or_four_men(&mut random);
        let Some(expected) = verdict(&tables, &board) else {
            continue;
        };
        player.forget();
        let answer = search(&mut player, &Game::new(board), 2_000);
        for found in &answer.moves {
            check_move(&tables, &board, &answer, found, expected);
        }
        if let Some(result) = player.proved() {
            assert_eq!(result, expected, "{board:?}: {}", answer.score);
            seen[result as usize] += 1;
        }
    }
    println!("losses, draws and wins proved: {seen:?} of {positions}");
    assert!(seen[0] + seen[2] > positions / 100, "{seen:?}");
}

/// A move that is told to win or lose for certain does so.
fn check_move(
    tables: &Tablebases,
    board: &Board,
    answer: &Answer,
    found: &engines::MoveStatistics,
    expected: Verdict,
) {
    // Only proofs have these values, but for a model that is sure; this one never is.
    if found.visits == 0 || found.value.abs() < 1.0 {
        return;
    }
    assert!(
        found.value < 0.0 || expected == Verdict::Win,
        "{board:?}: {found:?}"
    );
    let ranked = tables.ranked(board, &[found.mv]);
    let rank = ranked.expect("known")[0].1.verdict;
    let wanted = if found.value > 0.0 {
        Verdict::Win
    } else {
        Verdict::Loss
    };
    assert_eq!(rank, wanted, "{board:?}: {found:?} {}", answer.score);
}

#[test]
fn a_tree_that_is_used_again_keeps_only_what_is_true() {
    let Some(tables) = tables() else { return };
    let mut random = 0x7ab1_a000_0000_0011u64;
    let mut player = uniform(small());
    for _ in 0..30 {
        let mut position = Game::new(three_or_four_men(&mut random));
        player.forget();
        for _ in 0..12 {
            if position.termination().is_some() {
                break;
            }
            let answer = search(&mut player, &position, 1_500);
            // Clocks and repetitions of the game are beyond the tables' verdict.
            let board = position.board();
            let is_fresh = board.halfmove_clock() == 0;
            if let (Some(result), true) = (player.proved(), is_fresh)
                && let Some(expected) = verdict(&tables, board)
            {
                assert_eq!(result, expected, "{board:?}: {}", answer.score);
            }
            let moves = board.legal_moves();
            let mv = moves[next(&mut random) as usize % moves.len()];
            position.play(mv).expect("legal");
        }
    }
}

#[test]
fn with_tables_won_positions_are_won() {
    let Some(tables) = tables() else { return };
    let mut random = 0x7ab1_a000_0000_0007u64;
    let mut player = uniform(small());
    player.set_tablebases(Some(Arc::clone(&tables)));
    let mut seen = [0usize; 3];
    for _ in 0..60 {
        let board = three_or_four_men(&mut random);
        let Some(expected) = verdict(&tables, &board) else {
            continue;
        };
        seen[expected as usize] += 1;
        let winner = play_out(&mut player, board);
        let side = board.side_to_move();
        let wanted = [Some(!side), None, Some(side)][expected as usize];
        assert_eq!(winner, wanted, "{board:?}");
    }
    assert!(seen.iter().all(|&count| count > 3), "{seen:?}");
}

fn play_out(player: &mut Mcts, board: Board) -> Option<Color> {
    let mut game = Game::new(board);
    player.forget();
    while game.termination().is_none() {
        let answer = player.think(&game, &Limits::nodes(60), &StopSignal::new(), &mut |_| {});
        game.play(answer.best.expect("a move")).expect("legal");
    }
    game.termination().and_then(|end| end.winner())
}
