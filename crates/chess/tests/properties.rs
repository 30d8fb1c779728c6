//! Properties that must hold for every board: making and taking back, keys, legality of
//! any 16 bits, symmetry of the colours, sizes.

mod common;

use chess::{
    Board, BoardBuilder, Color, Keys, Line, MAX_MOVES, Move, MoveFilter, MoveList, Piece,
    PieceKind, Square, perft,
};
use common::{
    Random, Style, build, choose, corner_boards, mirrored, parts_of, random_start, sample_boards,
    scaled,
};
use std::collections::{BTreeSet, HashMap};

#[test]
fn small_types_stay_small() {
    assert_eq!(size_of::<Board>(), 192);
    assert_eq!(align_of::<Board>(), 64);
    assert_eq!(size_of::<Move>(), 2);
}

/// Pushes and pops at random, including null moves, compared with a plain stack.
#[test]
fn pop_restores_every_field() {
    let mut random = Random::new(21);
    let mut nulls = 0;
    for _ in 0..200 {
        let start = random_start(&mut random);
        let style = *random.pick(&Style::ALL);
        let mut line = Line::new(start);
        let mut stack = vec![start];
        for _ in 0..200 {
            let board = *line.board();
            if random.chance(40) && stack.len() > 1 {
                line.pop();
                stack.pop();
            } else if random.chance(10) && !board.in_check() {
                line.push_null();
                stack.push(*line.board());
                nulls += 1;
            } else if let Some(mv) = choose(&board, style, None, &mut random) {
                line.push(mv);
                stack.push(board.after(mv));
            }
            assert_eq!(line.boards(), stack);
            assert_eq!(line.length(), stack.len() - 1);
        }
    }
    assert!(nulls > 500, "only {nulls} null moves");
}

#[test]
fn null_move_changes_only_turn_clocks_and_en_passant() {
    for board in sample_boards(22, 2_000) {
        if board.in_check() {
            continue;
        }
        let mut passed = board;
        passed.make_null();
        let mut parts = parts_of(&board);
        parts.side_to_move = !parts.side_to_move;
        parts.en_passant = None;
        parts.halfmove_clock += 1;
        parts.fullmove_number += u16::from(board.side_to_move() == Color::Black);
        assert_eq!(passed, build(&parts));
    }
}

/// Keys, checkers, pins, castling and en passant after moves are those of the
/// same position built from scratch.
#[test]
fn incremental_boards_equal_rebuilt_ones() {
    let mut random = Random::new(23);
    for number in 0..scaled(400, 4_000) {
        let mut board = random_start(&mut random);
        let style = Style::ALL[number % Style::ALL.len()];
        for _ in 0..150 {
            let rebuilt = build(&parts_of(&board));
            assert_eq!(board.keys(), rebuilt.keys(), "{board:?}");
            assert_eq!(board, rebuilt);
            assert_eq!(Board::from_fen(&board.fen()), Ok(board));
            assert_eq!(Board::from_fen(&board.shredder_fen()), Ok(board));
            let Some(mv) = choose(&board, style, None, &mut random) else {
                break;
            };
            board.make(mv);
        }
    }
}

#[test]
fn every_move_of_odd_boards_rebuilds() {
    for board in sample_boards(24, scaled(2_000, 20_000)) {
        for &mv in &board.legal_moves() {
            let child = board.after(mv);
            assert_eq!(child, build(&parts_of(&child)), "{mv:?} in {board:?}");
        }
    }
}

/// The men that a part of the keys stands for, each with its square.
fn men(board: &Board, wanted: impl Fn(Piece) -> bool) -> Vec<(char, Square)> {
    board
        .occupied()
        .into_iter()
        .filter_map(|square| Some((board.piece_at(square)?, square)))
        .filter(|&(piece, _)| wanted(piece))
        .map(|(piece, square)| (piece.letter(), square))
        .collect()
}

/// Each key has one value for the same content, and another for any other.
#[test]
fn keys_stand_for_their_content() {
    type Reader = fn(&Board) -> (u64, String);
    let readers: [Reader; 5] = [
        |board| {
            let fen = board.shredder_fen();
            let fields: Vec<&str> = fen.split(' ').take(4).collect();
            (board.keys().position, fields.join(" "))
        },
        |board| {
            let pawns = men(board, |piece| piece.kind == PieceKind::Pawn);
            (board.keys().pawns, format!("{pawns:?}"))
        },
        |board| {
            let minors = men(board, |piece| {
                matches!(piece.kind, PieceKind::Knight | PieceKind::Bishop)
            });
            (board.keys().minors, format!("{minors:?}"))
        },
        |board| {
            let white = men(board, |piece| {
                piece.kind != PieceKind::Pawn && piece.color == Color::White
            });
            (board.keys().non_pawns[0], format!("{white:?}"))
        },
        |board| {
            let black = men(board, |piece| {
                piece.kind != PieceKind::Pawn && piece.color == Color::Black
            });
            (board.keys().non_pawns[1], format!("{black:?}"))
        },
    ];
    let boards = sample_boards(25, 1_000);
    for reader in readers {
        let mut contents: HashMap<u64, String> = HashMap::new();
        let mut keys: HashMap<String, u64> = HashMap::new();
        for board in &boards {
            for &mv in &board.legal_moves() {
                let (key, content) = reader(&board.after(mv));
                let known = contents.entry(key).or_insert_with(|| content.clone());
                assert_eq!(*known, content, "one key for two contents");
                assert_eq!(*keys.entry(content).or_insert(key), key);
            }
        }
        assert!(contents.len() > 500);
    }
    assert_eq!(Board::start().key(), Board::start().keys().position);
    assert_ne!(*Board::start().keys(), Keys::default());
}

#[test]
fn the_probable_key_is_right_but_for_castling_and_en_passant() {
    let mut counted = 0;
    for board in sample_boards(27, 1_000) {
        for &mv in &board.legal_moves() {
            let child = board.after(mv);
            let plain = board.en_passant().is_none() && child.en_passant().is_none();
            let special = mv.is_castling() || mv.promotes_to().is_some();
            if plain && !special && board.castling() == child.castling() {
                assert_eq!(
                    board.probable_key_after(mv),
                    child.key(),
                    "{mv:?} {board:?}"
                );
                counted += 1;
            }
        }
    }
    assert!(counted > 10_000);
}

/// All 65,536 values on boards with checks, pins, castling, en passant.
#[test]
fn is_legal_is_exact_for_any_bits() {
    let boards = corner_boards().chain(sample_boards(26, scaled(1_500, 15_000)));
    for board in boards {
        let listed: BTreeSet<Move> = board.legal_moves().iter().copied().collect();
        let tested: BTreeSet<Move> = (0..=u16::MAX)
            .map(Move::from_bits)
            .filter(|&mv| board.is_legal(mv))
            .collect();
        assert_eq!(tested, listed, "{board:?}");
    }
}

#[test]
fn any_bits_can_be_made_without_panic() {
    let mut random = Random::new(27);
    for board in sample_boards(27, 500) {
        let mut nonsense = board;
        for _ in 0..200 {
            let side = nonsense.side_to_move();
            nonsense.make(Move::from_bits(random.next() as u16));
            assert_eq!(nonsense.side_to_move(), !side);
        }
    }
}

#[test]
fn colours_are_symmetrical() {
    for board in sample_boards(28, scaled(1_500, 15_000)) {
        let mirror = mirrored(&board);
        assert_eq!(mirrored(&mirror), board);
        let moves = |board: &Board, turn: Color| -> BTreeSet<String> {
            let describe = |mv: &Move| {
                let (from, to) = (mv.from().relative_to(turn), mv.to().relative_to(turn));
                let check = board.gives_check(*mv);
                format!("{from}{to}{:?} {check}", mv.promotes_to())
            };
            board.legal_moves().iter().map(describe).collect()
        };
        assert_eq!(
            moves(&board, board.side_to_move()),
            moves(&mirror, mirror.side_to_move()),
            "{board:?}"
        );
        assert_eq!(perft::perft(&board, 2), perft::perft(&mirror, 2));
        assert_eq!(board.in_check(), mirror.in_check());
    }
}

/// Places 15 queens for as many legal moves as possible: no list overflows.
#[test]
fn heaviest_positions_fit_the_list() {
    let mut random = Random::new(29);
    let mut most = 0;
    for _ in 0..20 {
        let mut builder = BoardBuilder::new();
        let men = std::iter::repeat_n(PieceKind::Queen, 15).chain([PieceKind::King]);
        for kind in men {
            put_anywhere(&mut builder, Piece::new(Color::White, kind), &mut random);
        }
        put_anywhere(
            &mut builder,
            Piece::new(Color::Black, PieceKind::King),
            &mut random,
        );
        let mut best = 0;
        for _ in 0..6_000 {
            let mut changed = builder.clone();
            let from = *random.pick(&occupied_indices(&builder));
            if let Some(piece) = changed.pieces[from].take() {
                put_anywhere(&mut changed, piece, &mut random);
            }
            let count = changed.build().map_or(0, |(board, _)| list_length(&board));
            if count >= best {
                (builder, best) = (changed, count);
            }
        }
        most = most.max(best);
    }
    // No position of a game has more than 218.
    assert!(most > 218, "the heaviest has only {most} moves");
    assert!(most < MAX_MOVES);
}

fn occupied_indices(builder: &BoardBuilder) -> Vec<usize> {
    (0..64)
        .filter(|&index| builder.pieces[index].is_some())
        .collect()
}

fn put_anywhere(builder: &mut BoardBuilder, piece: Piece, random: &mut Random) {
    loop {
        let index = random.below(64);
        if builder.pieces[index].is_none() {
            builder.pieces[index] = Some(piece);
            return;
        }
    }
}

fn list_length(board: &Board) -> usize {
    let mut moves = MoveList::new();
    board.generate(MoveFilter::All, &mut moves);
    assert_eq!(moves.len(), board.count_legal_moves() as usize);
    moves.len()
}
