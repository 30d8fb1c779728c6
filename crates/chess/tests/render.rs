//! Pictures of boards: text from either side, SVG with all its options.

mod common;

use chess::render::{Arrow, Letters, Picture, board_text, piece_symbols};
use chess::{Board, Color, squares};
use common::sample_boards;

/// Every tag that opens also closes, in order.
fn is_well_formed(svg: &str) -> bool {
    let mut open = Vec::new();
    for tag in svg
        .split('<')
        .skip(1)
        .filter_map(|part| part.split('>').next())
    {
        let name: String = tag
            .trim_start_matches('/')
            .chars()
            .take_while(|letter| letter.is_alphabetic())
            .collect();
        let has_closed_quotes = tag.matches('"').count() % 2 == 0;
        if !has_closed_quotes || tag.starts_with('/') && open.pop() != Some(name.clone()) {
            return false;
        }
        if !tag.starts_with('/') && !tag.ends_with('/') {
            open.push(name);
        }
    }
    open.is_empty()
}

fn count(svg: &str, part: &str) -> usize {
    svg.matches(part).count()
}

#[test]
fn text_shows_the_board_from_either_side() {
    let board = Board::from_fen("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3")
        .expect("a position");
    assert_eq!(
        board_text(&board, Color::White, Letters::Ascii),
        "8  r . b q k b n r\n\
         7  p p p p . p p p\n\
         6  . . n . . . . .\n\
         5  . . . . p . . .\n\
         4  . . . . P . . .\n\
         3  . . . . . N . .\n\
         2  P P P P . P P P\n\
         1  R N B Q K B . R\n\
         \u{20}  a b c d e f g h\n"
    );
    let turned = board_text(&board, Color::Black, Letters::Figurines);
    assert!(turned.starts_with("1  ♖ . ♗ ♔ ♕ ♗ ♘ ♖\n"), "{turned}");
    assert!(
        turned.ends_with("8  ♜ ♞ ♝ ♚ ♛ ♝ . ♜\n   h g f e d c b a\n"),
        "{turned}"
    );
}

#[test]
fn pictures_have_all_squares_and_men() {
    for board in sample_boards(91, 200) {
        for below in Color::ALL {
            let mut picture = Picture::new(&board);
            picture.below = below;
            let svg = picture.to_svg();
            assert!(is_well_formed(&svg), "{svg}");
            assert_eq!(count(&svg, "<rect "), 65);
            assert_eq!(count(&svg, "<text "), 32);
            assert_eq!(count(&svg, "translate("), board.occupied().count() as usize);
            assert!(svg.contains(&board.fen()));
            picture.coordinates = false;
            let plain = picture.to_svg();
            assert_eq!((count(&plain, "<rect "), count(&plain, "<text ")), (64, 0));
        }
    }
}

/// A marked square has another colour, found by comparing with the picture without marks.
#[test]
fn last_moves_checks_and_arrows_are_drawn() {
    let before = Board::from_fen("5k2/8/8/8/8/8/8/4K2R w K - 0 1").expect("a position");
    let castling = before.parse_uci("e1g1").expect("a legal move");
    let board = before.after(castling);
    let mut picture = Picture::new(&board);
    let plain = picture.to_svg();
    picture.last_move = Some(castling);
    let marked = picture.to_svg();
    let changed: Vec<(&str, &str)> = plain
        .lines()
        .zip(marked.lines())
        .filter(|(plain, marked)| plain != marked)
        .collect();
    // The king left e1 and went to g1, though the move says h1.
    assert_eq!(changed.len(), 2, "{changed:?}");
    for (line, x) in changed.iter().zip(["x=\"200\"", "x=\"290\""]) {
        assert!(
            line.1.contains(x) && line.1.contains("y=\"335\""),
            "{line:?}"
        );
    }
    // The king on f8 stands in check: no other square has its colour.
    let before_svg = Picture::new(&before).to_svg();
    assert_eq!(count(&before_svg, "#d9534f"), 0);
    assert_eq!(count(&plain, "#d9534f"), 1);

    picture.arrows = vec![
        Arrow::new(squares::A1, squares::H8),
        Arrow::new(squares::A1, squares::A1),
    ];
    picture.arrows[0].color = "\"/<script &".to_owned();
    let svg = picture.to_svg();
    assert!(is_well_formed(&svg), "{svg}");
    assert_eq!(count(&svg, "<line "), 1);
    assert!(!svg.contains("<script"), "{svg}");
}

#[test]
fn symbols_are_named_after_the_men() {
    let symbols = piece_symbols();
    assert!(is_well_formed(&symbols));
    assert_eq!(count(&symbols, "<symbol "), 12);
    for name in [
        "wK", "wQ", "wR", "wB", "wN", "wP", "bK", "bQ", "bR", "bB", "bN", "bP",
    ] {
        assert_eq!(
            count(&symbols, &format!("<symbol id=\"{name}\" ")),
            1,
            "{name}"
        );
    }
    assert_ne!(
        symbols,
        symbols.replace("#3a3a3a", ""),
        "black men are dark"
    );
}
