//! Reading and writing EPD: operations, clocks, the dialects of perft suites.

use chess::{Board, Epd, EpdError, EpdOperation, FenError};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

fn read(line: &str) -> Epd {
    line.parse()
        .unwrap_or_else(|error| panic!("{error} in {line}"))
}

fn operation(code: &str, operands: &[&str]) -> EpdOperation {
    EpdOperation {
        code: code.to_owned(),
        operands: operands.iter().map(|text| text.to_string()).collect(),
    }
}

#[test]
fn operations_are_read_in_order() {
    let epd = read(&format!(
        "{START} bm e4 d4; am f3; id \"opening; one\"; c0 \"a comment\"; ce -12;"
    ));
    assert_eq!(
        epd.operations,
        [
            operation("bm", &["e4", "d4"]),
            operation("am", &["f3"]),
            operation("id", &["opening; one"]),
            operation("c0", &["a comment"]),
            operation("ce", &["-12"]),
        ]
    );
    assert_eq!(epd.board, Board::start());
    assert_eq!(epd.warnings, []);
    assert_eq!(epd.operation("ce"), Some(&operation("ce", &["-12"])));
    assert_eq!(epd.operation("pv"), None);
}

#[test]
fn moves_are_read_from_san_and_coordinates() {
    let epd = read(&format!("{START} bm e4 d2d4 Ng1f3; am f3; pv;"));
    let sans = |code: &str| -> Vec<String> {
        let moves = epd.moves(code).expect("legal moves");
        moves
            .iter()
            .map(|&mv| epd.board.san(mv).to_string())
            .collect()
    };
    assert_eq!(sans("bm"), ["e4", "d4", "Nf3"]);
    assert_eq!(sans("am"), ["f3"]);
    assert!(sans("pv").is_empty());
    assert!(sans("none").is_empty());
}

#[test]
fn marks_apart_from_their_move_are_passed_over() {
    let epd = read("1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - ; bm Qd1 + ; id BK.01 ");
    let moves = epd.moves("bm").expect("legal moves");
    assert_eq!(moves.len(), 1);
    assert_eq!(epd.board.san(moves[0]).as_str(), "Qd1+");
    assert!(read(&format!("{START} bm #1;")).moves("bm").is_err());
}

#[test]
fn a_wrong_move_names_its_operation() {
    let epd = read(&format!("{START} bm e4 e5;"));
    let error = epd.moves("bm").expect_err("e5 is no move of White");
    assert_eq!(
        error.to_string(),
        "the operation 'bm' has no legal move: 'e5': not a legal move here"
    );
}

#[test]
fn lines_are_written_as_the_standard_has_them() {
    let text = format!("{START} bm e4 d4; id \"one\"; c0 \"two words\"; acd 12;");
    assert_eq!(read(&text).to_string(), text);
    assert_eq!(Epd::new(Board::start()).to_string(), START);
    let spaced = format!("  {START}   bm  e4   d4 ;id \"one\" ; c0 \"two words\";acd 12");
    assert_eq!(read(&spaced).to_string(), text);
}

#[test]
fn operands_are_quoted_where_they_must_be() {
    let mut epd = Epd::new(Board::start());
    epd.operations = vec![
        operation("x", &["plain", "two words", "semi;colon", "", "quo\"te"]),
        operation("c9", &["plain", "quo\"te"]),
        operation("noop", &[]),
    ];
    let line = epd.to_string();
    assert_eq!(
        line,
        format!(
            "{START} x plain \"two words\" \"semi;colon\" \"\" quo\"te; c9 \"plain\" quo\"te; noop;"
        )
    );
    assert_eq!(read(&line).operations, epd.operations);
    // Quotes within quotes cannot be written: they become apostrophes.
    epd.operations = vec![operation("x", &["a \"b\" c", "\"d\""])];
    assert_eq!(epd.to_string(), format!("{START} x \"a 'b' c\" 'd';"));
}

/// The perft suites: a semicolon before, after or between, and FEN clocks.
#[test]
fn perft_suites_of_all_dialects_are_read() {
    let expected = [
        operation("D1", &["20"]),
        operation("D2", &["400"]),
        operation("D6", &["119060324"]),
    ];
    for line in [
        format!("{START} 0 1 ;D1 20 ;D2 400 ;D6 119060324"),
        format!("{START} 0 1; D1 20; D2 400; D6 119060324 "),
        format!("{START};D1 20;D2 400;D6 119060324"),
        format!("{START} ; D1 20 ; D2 400 ; D6 119060324 ;"),
        format!("{START} D1 20; D2 400; D6 119060324;"),
        format!("{START} 0 1; D1 20; D2 400; D6 119060324\0"),
    ] {
        let epd = read(&line);
        assert_eq!(epd.operations, expected, "{line}");
        assert_eq!(epd.board, Board::start(), "{line}");
    }
}

#[test]
fn clocks_come_from_operations_or_from_the_fen() {
    let clocks = |line: String| {
        let board = read(&line).board;
        (board.halfmove_clock(), board.fullmove_number())
    };
    assert_eq!(clocks(START.to_owned()), (0, 1));
    assert_eq!(clocks(format!("{START} hmvc 7; fmvn 31;")), (7, 31));
    assert_eq!(clocks(format!("{START} 7 31; bm e4;")), (7, 31));
    assert_eq!(clocks(format!("{START} 7 31; hmvc 8;")), (8, 31));
    assert_eq!(clocks(format!("{START} fmvn 5")), (0, 5));
    // A single number is not read as a clock.
    assert_eq!(clocks(format!("{START} 7; bm e4;")), (0, 1));
}

/// Clocks do not get lost between reading and writing, whatever they came from.
#[test]
fn clocks_are_written_as_operations() {
    let written = read(&format!("{START} 7 31 bm e4;")).to_string();
    assert_eq!(written, format!("{START} bm e4; hmvc 7; fmvn 31;"));
    let again = read(&written);
    assert_eq!(again.board.halfmove_clock(), 7);
    assert_eq!(again.board.fullmove_number(), 31);
    assert_eq!(again.to_string(), written);
    let text = format!("{START} hmvc 7; bm e4;");
    assert_eq!(read(&text).to_string(), text);
}

#[test]
fn wrong_clocks_are_refused() {
    for operations in ["hmvc 10000;", "hmvc -1;", "fmvn x;", "fmvn 99999;", "hmvc;"] {
        let result = format!("{START} {operations}").parse::<Epd>();
        let Err(EpdError::Position(error)) = &result else {
            panic!("{operations} gives {result:?}");
        };
        assert!(
            matches!(error, FenError::BadClock { .. }),
            "{operations}: {error}"
        );
    }
    let error = format!("{START} 10000 1; bm e4;")
        .parse::<Epd>()
        .expect_err("a clock out of range");
    assert_eq!(
        error.to_string(),
        "the halfmove clock is '10000', expected a number from 0 to 9999"
    );
}

#[test]
fn wrong_lines_have_clear_errors() {
    let message = |line: &str| match line.parse::<Epd>() {
        Ok(epd) => panic!("{line} was read as {epd}"),
        Err(error) => error.to_string(),
    };
    assert_eq!(message(""), "the piece placement is missing");
    assert_eq!(message("; bm e4;"), "the piece placement is missing");
    assert_eq!(
        message("4k3/8/8/8/8/8/8/4K3 w; bm Ke2;"),
        "the castling field is missing"
    );
    assert_eq!(
        message(&format!("{START} id \"never ends;")),
        "the operation 'id' has an unclosed quote"
    );
    assert_eq!(
        message("4k3/8/8/8/8/8/8/8 w - - bm e4;"),
        "White has no king"
    );
    assert_eq!(
        message("4k3/8/8/8/8/8/8/4K3 w - -0 1 bm Ke2;"),
        "the en-passant field is '-0', expected - or a square"
    );
}

#[test]
fn warnings_come_with_the_board() {
    let epd = read("4k3/8/8/8/8/8/8/4K3 w K e6 bm Ke2;");
    let warnings: Vec<String> = epd.warnings.iter().map(ToString::to_string).collect();
    assert_eq!(
        warnings,
        [
            "short castling right of White dropped: king or rook is not in place",
            "en-passant square e6 dropped: no pawn has just passed it",
        ]
    );
    assert_eq!(epd.to_string(), "4k3/8/8/8/8/8/8/4K3 w - - bm Ke2;");
}
