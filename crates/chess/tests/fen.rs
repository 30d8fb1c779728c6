//! Known FENs: which are refused with which error, what is dropped with which
//! warning, what is accepted, and how boards are written.

use chess::{
    Board, BoardBuilder, BoardError, BoardWarning, Color, Fen, FenError, File, Rank, Wing,
};

fn read(text: &str) -> Fen {
    text.parse()
        .unwrap_or_else(|error| panic!("{error} in {text}"))
}

fn refusal(text: &str) -> FenError {
    match text.parse::<Fen>() {
        Ok(fen) => panic!("{text} was read as {:?}", fen.board),
        Err(error) => error,
    }
}

/// Invalid texts, each with its error and message.
fn refused() -> Vec<(&'static str, FenError, &'static str)> {
    let bad_clock = |name, found: &str| FenError::BadClock {
        name,
        found: found.to_owned(),
    };
    vec![
        (
            "",
            FenError::MissingField("piece placement"),
            "the piece placement is missing",
        ),
        (
            "4k3/8/8/8/8/8/8/4K3",
            FenError::MissingField("side to move"),
            "the side to move is missing",
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w",
            FenError::MissingField("castling field"),
            "the castling field is missing",
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w -",
            FenError::MissingField("en-passant field"),
            "the en-passant field is missing",
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - - 0 1 x",
            FenError::TrailingText("x".to_owned()),
            "unexpected text after the clocks: 'x'",
        ),
        (
            "4k3/8/8/8/8/8/4K3 w - - 0 1",
            FenError::RankCount(7),
            "the placement must have 8 ranks between slashes, found 7",
        ),
        (
            "4k3/8/8/8/8/8/8/8/4K3 w - - 0 1",
            FenError::RankCount(9),
            "the placement must have 8 ranks between slashes, found 9",
        ),
        (
            "4k3/8/8/8/7/8/8/4K3 w - - 0 1",
            FenError::RankLength {
                rank: Rank::Fourth,
                squares: 7,
            },
            "rank 4 has 7 squares, not 8",
        ),
        (
            "4k4/8/8/8/8/8/8/4K3 w - - 0 1",
            FenError::RankLength {
                rank: Rank::Eighth,
                squares: 9,
            },
            "rank 8 has 9 squares, not 8",
        ),
        (
            "4k3/8/8/8/8/8/8/4K2x w - - 0 1",
            FenError::BadPiece {
                rank: Rank::First,
                found: 'x',
            },
            "rank 1 has 'x' instead of a piece or a number from 1 to 8",
        ),
        (
            "4k3/9/8/8/8/8/8/4K3 w - - 0 1",
            FenError::BadPiece {
                rank: Rank::Seventh,
                found: '9',
            },
            "rank 7 has '9' instead of a piece or a number from 1 to 8",
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 white - - 0 1",
            FenError::BadSide("white".to_owned()),
            "the side to move is 'white', expected w or b",
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w KZ - 0 1",
            FenError::BadCastling('Z'),
            "the castling field has 'Z', expected letters of KQkq, files A to H or a to h, or -",
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - e9 0 1",
            FenError::BadEnPassant("e9".to_owned()),
            "the en-passant field is 'e9', expected - or a square",
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - - -1 1",
            bad_clock("halfmove clock", "-1"),
            "the halfmove clock is '-1', expected a number from 0 to 9999",
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - - 10000 1",
            bad_clock("halfmove clock", "10000"),
            "the halfmove clock is '10000', expected a number from 0 to 9999",
        ),
        (
            "4k3/8/8/8/8/8/8/4K3 w - - 0 +1",
            bad_clock("move number", "+1"),
            "the move number is '+1', expected a number from 0 to 9999",
        ),
        (
            "8/8/8/8/8/8/8/4K3 w - - 0 1",
            FenError::Board(BoardError::Kings {
                color: Color::Black,
                count: 0,
            }),
            "Black has no king",
        ),
        (
            "4k3/8/8/8/8/8/8/K3K3 w - - 0 1",
            FenError::Board(BoardError::Kings {
                color: Color::White,
                count: 2,
            }),
            "White has 2 kings, not one",
        ),
        (
            "4k3/8/8/8/8/Q7/QQQQQQQQ/QQQQKQQQ b - - 0 1",
            FenError::Board(BoardError::TooManyMen {
                color: Color::White,
                count: 17,
            }),
            "White has 17 men, more than 16",
        ),
        (
            "4k2P/8/8/8/8/8/8/4K3 w - - 0 1",
            FenError::Board(BoardError::PawnOnBackRank(chess::squares::H8)),
            "a pawn is on h8",
        ),
        (
            "4k3/8/8/8/8/8/8/p3K3 w - - 0 1",
            FenError::Board(BoardError::PawnOnBackRank(chess::squares::A1)),
            "a pawn is on a1",
        ),
        (
            "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1",
            FenError::Board(BoardError::OpponentInCheck {
                color: Color::Black,
            }),
            "Black is in check but White is to move",
        ),
        (
            "8/8/8/8/8/8/4k3/4K3 b - - 0 1",
            FenError::Board(BoardError::OpponentInCheck {
                color: Color::White,
            }),
            "White is in check but Black is to move",
        ),
    ]
}

#[test]
fn wrong_fens_are_refused_with_their_reason() {
    for (text, error, message) in refused() {
        let found = refusal(text);
        assert_eq!(found, error, "{text}");
        assert_eq!(found.to_string(), message, "{text}");
        assert_eq!(Board::from_fen(text), Err(error));
    }
}

#[test]
fn garbage_in_messages_stays_short_and_printable() {
    let long = "x".repeat(10_000);
    let message = refusal(&format!("4k3/8/8/8/8/8/8/4K3 {long} - - 0 1")).to_string();
    assert!(message.len() < 120, "{message}");
    let message = refusal("4k3/8/8/8/8/8/8/4K3 \u{1b}[31m - - 0 1").to_string();
    assert!(
        message.chars().all(|letter| !letter.is_control()),
        "{message}"
    );
}

#[test]
fn what_does_not_fit_is_dropped_with_a_warning() {
    let wing = |color, wing| BoardWarning::WingDropped { color, wing };
    let rook = |color, file| BoardWarning::CastlingDropped { color, file };
    let cases = [
        // No rook, no king in place, no rook on that file.
        (
            "4k3/8/8/8/8/8/8/4K2R w KQ - 0 1",
            "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
            wing(Color::White, Wing::Queen),
            "long castling right of White dropped: king or rook is not in place",
        ),
        (
            "r6r/4k3/8/8/8/8/8/4K3 w k - 0 1",
            "r6r/4k3/8/8/8/8/8/4K3 w - - 0 1",
            wing(Color::Black, Wing::King),
            "short castling right of Black dropped: king or rook is not in place",
        ),
        (
            "4k3/8/8/8/8/8/8/4K2R w G - 0 1",
            "4k3/8/8/8/8/8/8/4K2R w - - 0 1",
            rook(Color::White, File::G),
            "castling right of White with the rook on the g-file dropped: king or rook is not in place",
        ),
        // Two rooks of one wing cannot both castle: the first named may.
        (
            "4k3/8/8/8/8/8/8/4K1RR w GH - 0 1",
            "4k3/8/8/8/8/8/8/4K1RR w G - 0 1",
            rook(Color::White, File::H),
            "castling right of White with the rook on the h-file dropped: king or rook is not in place",
        ),
        // No pawn there, a pawn that cannot come from its start, the wrong rank.
        (
            "4k3/8/8/8/8/8/8/4K3 w - e6 0 1",
            "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
            BoardWarning::EnPassantImpossible(chess::squares::E6),
            "en-passant square e6 dropped: no pawn has just passed it",
        ),
        (
            "4k3/3n4/8/3pP3/8/8/8/4K3 w - d6 0 1",
            "4k3/3n4/8/3pP3/8/8/8/4K3 w - - 0 1",
            BoardWarning::EnPassantImpossible(chess::squares::D6),
            "en-passant square d6 dropped: no pawn has just passed it",
        ),
        (
            "4k3/8/8/3pP3/8/8/8/4K3 w - d3 0 1",
            "4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1",
            BoardWarning::EnPassantImpossible(chess::squares::D3),
            "en-passant square d3 dropped: no pawn has just passed it",
        ),
        // No pawn beside it; a pinned pawn; a knight gives check at the same time.
        (
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
            BoardWarning::EnPassantUnusable(chess::squares::E3),
            "en-passant square e3 dropped: no legal move captures there",
        ),
        (
            "8/8/8/K2pP2r/8/8/8/7k w - d6 0 1",
            "8/8/8/K2pP2r/8/8/8/7k w - - 0 1",
            BoardWarning::EnPassantUnusable(chess::squares::D6),
            "en-passant square d6 dropped: no legal move captures there",
        ),
        (
            "4k3/8/8/3pP3/8/3n4/8/4K3 w - d6 0 1",
            "4k3/8/8/3pP3/8/3n4/8/4K3 w - - 0 1",
            BoardWarning::EnPassantUnusable(chess::squares::D6),
            "en-passant square d6 dropped: no legal move captures there",
        ),
    ];
    for (text, kept, warning, message) in cases {
        let fen = read(text);
        assert_eq!(fen.warnings, [warning], "{text}");
        assert_eq!(fen.warnings[0].to_string(), message, "{text}");
        assert_eq!(fen.board.fen(), kept, "{text}");
    }
}

/// Such positions are unreachable, but the rules apply to them.
#[test]
fn unreachable_positions_are_accepted() {
    for text in [
        "4k3/8/8/8/8/2n1n3/8/3K4 w - - 0 1",
        "4k3/4r3/8/8/1b5b/8/8/4K3 w - - 0 1",
        "4k3/8/8/8/8/PPPPPPPP/PPPPPPP1/4K3 w - - 0 1",
        "4k3/8/8/8/8/8/QQQQQQQQ/QQQQKQQQ b - - 0 1",
        "4k3/8/8/3pP3/8/8/8/4K3 w - d6 57 1",
    ] {
        let fen = read(text);
        assert_eq!(fen.warnings, [], "{text}");
        assert_eq!(fen.board.fen(), text);
    }
}

#[test]
fn fields_may_be_untidy() {
    let start = Board::start();
    for text in [
        "  rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR\tw  KQkq - 0 1\r\n",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR W KQkq -",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w qkQK - 0",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KKQkq - 0 0",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 00 01",
        "rnbqkbnr/pppppppp/44/8/8/11111111/PPPPPPPP/RNBQKBNR w HQha - 0 1",
    ] {
        let fen = read(text);
        assert_eq!((fen.board, fen.warnings), (start, vec![]), "{text}");
    }
}

/// Boards are written as X-FEN and as Shredder-FEN.
#[test]
fn castling_is_written_in_both_dialects() {
    for (x_fen, shredder) in [
        ("KQkq", "HAha"),
        ("Kq", "Ha"),
        ("-", "-"),
        ("Q", "A"),
        ("kq", "ha"),
    ] {
        let placement = "r3k2r/8/8/8/8/8/8/R3K2R w";
        let board = read(&format!("{placement} {x_fen} - 0 1")).board;
        assert_eq!(board.fen(), format!("{placement} {x_fen} - 0 1"));
        assert_eq!(
            board.shredder_fen(),
            format!("{placement} {shredder} - 0 1")
        );
        assert_eq!(read(&board.shredder_fen()).board, board);
    }
    // An inner rook needs its file even in X-FEN.
    let board = read("1r2k1rr/8/8/8/8/8/8/RR2K1R1 w KBgb - 0 1").board;
    assert_eq!(board.fen(), "1r2k1rr/8/8/8/8/8/8/RR2K1R1 w KBgq - 0 1");
    assert_eq!(
        board.shredder_fen(),
        "1r2k1rr/8/8/8/8/8/8/RR2K1R1 w GBgb - 0 1"
    );
    // A rook of the other wing or another rank is not farther out.
    let board = read("4k3/8/8/8/8/7R/8/R2K2R1 w GA - 0 1").board;
    assert_eq!(board.fen(), "4k3/8/8/8/8/7R/8/R2K2R1 w KQ - 0 1");
}

#[test]
fn builders_refuse_clocks_out_of_range() {
    let mut builder = BoardBuilder::new();
    builder.halfmove_clock = 10_000;
    let error = builder.build().expect_err("out of range");
    assert_eq!(
        error.to_string(),
        "the halfmove clock is 10000, not from 0 to 9999"
    );
}

/// Clocks stop at the largest value that can be read again.
#[test]
fn clocks_at_their_limit_stay_readable() {
    let mut board = read("7k/8/8/8/8/8/8/R6K b - - 9999 9999").board;
    for text in ["h8g8", "a1a2", "g8h8"] {
        let mv = board.parse_uci(text).expect("a legal move");
        board.make(mv);
        assert_eq!(Board::from_fen(&board.fen()), Ok(board));
    }
    board.make_null();
    assert_eq!(board.fen(), "7k/8/8/8/8/8/R7/7K b - - 9999 9999");
    assert_eq!(Board::from_fen(&board.fen()), Ok(board));
}
