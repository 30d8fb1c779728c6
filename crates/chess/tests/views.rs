//! Positions as inputs for learners: the signed array and the planes.

mod common;

use chess::{Board, Color, PLANE_VALUES, PLANES, Square, Wing};
use common::sample_boards;

#[test]
fn signed_arrays_show_every_man() {
    let rows = Board::start().signed_array();
    assert_eq!(rows[0], [4, 2, 3, 5, 6, 3, 2, 4]);
    assert_eq!(rows[1], [1; 8]);
    assert_eq!(rows[2..6], [[0; 8]; 4]);
    assert_eq!(rows[7], [-4, -2, -3, -5, -6, -3, -2, -4]);
    for board in sample_boards(82, 500) {
        let rows = board.signed_array();
        for square in Square::all() {
            let value = rows[square.rank().index()][square.file().index()];
            let letter = board.piece_at(square).map(|piece| piece.letter());
            let expected = match value {
                0 => None,
                1..=6 => "PNBRQK".chars().nth(value as usize - 1),
                _ => "pnbrqk".chars().nth(-value as usize - 1),
            };
            assert_eq!(letter, expected, "{square} in {board:?}");
        }
    }
}

#[test]
fn planes_show_men_turn_rights_and_en_passant() {
    for board in sample_boards(83, 500) {
        // Old numbers in the buffer must be overwritten.
        let mut planes = vec![7.0f32; PLANE_VALUES];
        board.write_planes(&mut planes);
        let plane = |index: usize| &planes[index * 64..(index + 1) * 64];
        let rows = board.signed_array();
        for kind in 0..12 {
            let wanted = if kind < 6 {
                kind as i8 + 1
            } else {
                5 - kind as i8
            };
            for square in 0..64 {
                let is_there = rows[square / 8][square % 8] == wanted;
                assert_eq!(plane(kind)[square], f32::from(u8::from(is_there)));
            }
        }
        let is_white = board.side_to_move() == Color::White;
        assert_eq!(plane(12), [f32::from(u8::from(is_white)); 64]);
        let mut index = 13;
        for color in Color::ALL {
            for wing in Wing::ALL {
                let rook = board.castling().rook(color, wing, board.king(color));
                assert_eq!(plane(index), [f32::from(u8::from(rook.is_some())); 64]);
                index += 1;
            }
        }
        for square in 0..64 {
            let is_file = board
                .en_passant()
                .is_some_and(|passed| passed.file().index() == square % 8);
            assert_eq!(plane(17)[square], f32::from(u8::from(is_file)));
        }
        assert_eq!(planes.len(), PLANES * 64);
    }
}

#[test]
#[should_panic(expected = "the buffer must hold all planes")]
fn planes_need_their_whole_buffer() {
    Board::start().write_planes(&mut [0.0; 64]);
}
