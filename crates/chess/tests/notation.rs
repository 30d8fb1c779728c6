//! Known moves in SAN and in coordinates, written exactly and read tolerantly.

use chess::{Board, CastlingStyle, Move, San, SanError, UciMoveError, Wing};

fn board(fen: &str) -> Board {
    Board::from_fen(fen).expect("a position")
}

/// A position, a move in coordinates, and its only spelling by the standard.
const EXACT: [(&str, &str, &str); 39] = [
    // The shortest origin: file, then rank, then both.
    ("4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1", "b1d2", "Nbd2"),
    ("4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1", "f3d2", "Nfd2"),
    ("4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1", "b1c3", "Nc3"),
    ("4k3/8/8/8/8/1N6/8/1N2K3 w - - 0 1", "b1d2", "N1d2"),
    ("4k3/8/8/8/8/1N6/8/1N2K3 w - - 0 1", "b3d2", "N3d2"),
    ("1k6/8/8/8/4Q2Q/8/8/K6Q w - - 0 1", "h4e1", "Qh4e1"),
    ("1k6/8/8/8/4Q2Q/8/8/K6Q w - - 0 1", "e4e1", "Qee1"),
    ("1k6/8/8/8/4Q2Q/8/8/K6Q w - - 0 1", "h1e1", "Q1e1"),
    ("1k6/8/8/8/4n2Q/8/8/K6Q w - - 0 1", "h4e4", "Q4xe4"),
    ("1k6/8/8/8/Q3n2Q/8/8/K6Q w - - 0 1", "h4e4", "Qh4xe4"),
    // Two rooks on one file, which both reach the square between them.
    ("4k3/8/8/R7/8/8/8/R3K3 w - - 0 1", "a1a3", "R1a3"),
    ("4k3/8/8/R7/8/8/8/R3K3 w - - 0 1", "a5a3", "R5a3"),
    // A pinned man does not make a move ambiguous, nor one whose way is blocked.
    ("4k3/8/8/8/1b6/8/3N4/4K1N1 w - - 0 1", "g1f3", "Nf3"),
    ("4k3/8/8/8/8/8/8/RN1QK3 w - - 0 1", "d1c1", "Qc1"),
    ("4k3/8/8/8/8/8/8/R1N1K2R w - - 0 1", "h1g1", "Rg1"),
    // Only one of two knights can answer the check.
    ("4k3/8/8/8/4r3/8/8/1N2K1N1 w - - 0 1", "g1e2", "Ne2"),
    // Captures by pawns always name the file; steps never do.
    ("4k3/8/8/3p4/2P1P3/8/8/4K3 w - - 0 1", "c4d5", "cxd5"),
    ("4k3/8/8/3p4/2P1P3/8/8/4K3 w - - 0 1", "e4d5", "exd5"),
    ("4k3/8/8/3p4/2P1P3/8/8/4K3 w - - 0 1", "e4e5", "e5"),
    ("4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 1", "c5d6", "cxd6"),
    ("8/3k4/8/2PpP3/8/8/8/4K3 w - d6 0 1", "e5e6", "e6+"),
    ("3k4/2p5/8/3pP3/8/8/8/3QK3 w - d6 0 1", "e5d6", "exd6"),
    ("5k2/4p3/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "exd6"),
    // Promotions: with capture, mate, each kind.
    ("3r2k1/2P2ppp/8/8/8/8/8/4K3 w - - 0 1", "c7d8q", "cxd8=Q#"),
    ("3r2k1/2P2ppp/8/8/8/8/8/4K3 w - - 0 1", "c7d8r", "cxd8=R#"),
    ("3r2k1/2P2ppp/8/8/8/8/8/4K3 w - - 0 1", "c7d8b", "cxd8=B"),
    ("3r2k1/2P2ppp/8/8/8/8/8/4K3 w - - 0 1", "c7c8n", "c8=N"),
    ("8/5P1k/8/8/8/8/8/4K3 w - - 0 1", "f7f8n", "f8=N+"),
    // Castling: plain, with check, with mate, of both sides.
    ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1g1", "O-O"),
    ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1c1", "O-O-O"),
    ("5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "O-O+"),
    ("3k4/8/8/8/8/8/2R1Q3/R3K3 w Q - 0 1", "e1c1", "O-O-O#"),
    ("r3k3/8/8/8/8/8/8/3K4 b q - 0 1", "e8c8", "O-O-O+"),
    // In Chess960, the king's own step to the same square is not castling.
    ("4k3/8/8/8/8/8/8/5K1R w H - 0 1", "f1h1", "O-O"),
    ("4k3/8/8/8/8/8/8/5K1R w H - 0 1", "f1g1", "Kg1"),
    // Checks: by the king's discovery, double, and mate by a knight.
    ("4k3/8/8/8/8/8/4K3/4R3 w - - 0 1", "e2d2", "Kd2+"),
    ("4k3/8/8/4N3/8/8/8/4RK2 w - - 0 1", "e5c6", "Nc6+"),
    ("6rk/6pp/8/6N1/8/8/8/4K3 w - - 0 1", "g5f7", "Nf7#"),
    ("4k3/8/8/8/8/8/4q3/4K3 w - - 0 1", "e1e2", "Kxe2"),
];

#[test]
fn san_is_written_by_the_standard() {
    for (fen, uci, san) in EXACT {
        let board = board(fen);
        let mv = board.parse_uci(uci).unwrap_or_else(|error| {
            panic!("{error} in {fen}");
        });
        assert_eq!(board.san(mv).as_str(), san, "{uci} in {fen}");
        assert_eq!(board.parse_san(san), Ok(mv), "{san} in {fen}");
        assert_eq!(format!("{:>9}", board.san(mv)), format!("{san:>9}"));
    }
}

/// Other spellings of one move.
const TOLERANT: [(&str, &str, &[&str]); 8] = [
    (
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "g1f3",
        &[
            "Nf3", "Nf3+", "Nf3#", "Nf3!", "Nf3?!", "Nf3+!?", "Nxf3", "Ngf3", "N1f3", "Ng1f3",
            "Ng1-f3", "Ng1xf3", "N-f3", "g1f3", "g1-f3",
        ],
    ),
    (
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "e2e4",
        &["e4", "Pe4", "e2e4", "e2-e4", "Pe2-e4", "ee4", "e4!!", "e4+"],
    ),
    (
        "4k3/8/8/3p4/2P5/8/8/4K3 w - - 0 1",
        "c4d5",
        &[
            "cxd5", "cd5", "d5", "xd5", "c:d5", "c4d5", "c4xd5", "Pcxd5", "cxd5#",
        ],
    ),
    (
        "4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 1",
        "e5d6",
        &[
            "exd6",
            "ed6",
            "exd6e.p.",
            "exd6ep",
            "e5d6",
            "e5xd6",
            "exd6e.p.+",
        ],
    ),
    (
        "3r2k1/2P2ppp/8/8/8/8/8/4K3 w - - 0 1",
        "c7d8q",
        &[
            "cxd8=Q#", "cxd8=Q", "cxd8Q", "cd8Q+", "cxd8=q", "cxd8q", "cxd8(Q)", "cxd8/Q", "c7d8q",
            "c7xd8=Q", "c7-d8Q", "d8=Q",
        ],
    ),
    (
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
        "e1g1",
        &[
            "O-O", "0-0", "o-o", "OO", "00", "O-O+", "0-0#", "O-O!", "e1g1", "e1h1", "e1-g1",
        ],
    ),
    (
        "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1",
        "e8c8",
        &[
            "O-O-O", "0-0-0", "o-o-o", "OOO", "000", "O-O-O+", "e8c8", "e8a8",
        ],
    ),
    (
        "4k3/8/8/8/8/1N6/8/1N2K3 w - - 0 1",
        "b1d2",
        &["N1d2", "Nb1d2", "N1xd2", "Nb1-d2", "b1d2"],
    ),
];

#[test]
fn other_spellings_are_read() {
    for (fen, uci, spellings) in TOLERANT {
        let board = board(fen);
        let mv = board.parse_uci(uci).expect("a legal move");
        for spelling in spellings {
            assert_eq!(board.parse_san(spelling), Ok(mv), "{spelling} in {fen}");
        }
    }
}

/// Texts that must be refused, and why.
const REFUSED: [(&str, &str, SanError); 30] = [
    ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "", SanError::Malformed),
    ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "+", SanError::Malformed),
    ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "K", SanError::Malformed),
    ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "Ke9", SanError::Malformed),
    ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "Ki1", SanError::Malformed),
    ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "ke2", SanError::Malformed),
    ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "Ke2 ", SanError::Malformed),
    ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "Kéé", SanError::Malformed),
    ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "O-", SanError::Malformed),
    ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "O-O-", SanError::Malformed),
    (
        "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
        "O-O-O-O",
        SanError::Malformed,
    ),
    (
        "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
        "O-O-0O",
        SanError::Malformed,
    ),
    (
        "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
        "Kee1e2",
        SanError::Malformed,
    ),
    ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "1-0", SanError::Malformed),
    ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "Ke3", SanError::Illegal),
    ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "O-O", SanError::Illegal),
    ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "Ke2=Q", SanError::Illegal),
    ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", "e4", SanError::Illegal),
    ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e4=Q", SanError::Illegal),
    ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "de4", SanError::Illegal),
    ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e2e5", SanError::Illegal),
    ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e2e8", SanError::Illegal),
    (
        "4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 1",
        "cxd6=Q",
        SanError::Illegal,
    ),
    (
        "4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 1",
        "d6",
        SanError::Ambiguous,
    ),
    (
        "4k3/8/8/3p4/2P1P3/8/8/4K3 w - - 0 1",
        "d5",
        SanError::Ambiguous,
    ),
    (
        "4k3/8/8/8/8/1N6/8/1N2K3 w - - 0 1",
        "Nd2",
        SanError::Ambiguous,
    ),
    (
        "4k3/8/8/8/8/1N6/8/1N2K3 w - - 0 1",
        "Nbd2",
        SanError::Ambiguous,
    ),
    (
        "8/4P3/8/8/8/8/8/k3K3 w - - 0 1",
        "e8",
        SanError::MissingPromotion,
    ),
    (
        "8/4P3/8/8/8/8/8/k3K3 w - - 0 1",
        "e7e8",
        SanError::MissingPromotion,
    ),
    (
        "8/4P3/8/8/8/8/8/k3K3 w - - 0 1",
        "e8=K",
        SanError::Malformed,
    ),
];

#[test]
fn wrong_san_is_refused_with_its_reason() {
    for (fen, text, expected) in REFUSED {
        let board = board(fen);
        let found = San::from_ascii(text.as_bytes()).and_then(|san| board.resolve_san(&san));
        assert_eq!(found, Err(expected), "'{text}' in {fen}");
        let message = board.parse_san(text).expect_err("refused");
        assert!(message.contains(&expected.to_string()), "{message}");
    }
}

#[test]
fn san_is_read_without_a_board() {
    assert_eq!(San::from_ascii(b"O-O-O"), Ok(San::Castling(Wing::Queen)));
    let Ok(San::Step {
        kind,
        from,
        to,
        promotion,
    }) = San::from_ascii(b"exd8=N+")
    else {
        panic!("a pawn's step");
    };
    assert_eq!(kind.map(|kind| kind.letter()), Some('P'));
    assert_eq!(from.count(), 8);
    assert_eq!(to.to_string(), "d8");
    assert_eq!(promotion.map(|kind| kind.letter()), Some('N'));
}

/// A position, and castling written as the king's move and as king takes rook.
const CASTLING: [(&str, &str, &str); 6] = [
    ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", "e1h1"),
    ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1c1", "e1a1"),
    ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8g8", "e8h8"),
    ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8c8", "e8a8"),
    ("4k3/8/8/8/8/8/8/R2K3R w HA - 0 1", "d1g1", "d1h1"),
    ("4k3/8/8/8/8/8/8/1K3R2 w F - 0 1", "b1g1", "b1f1"),
];

#[test]
fn castling_in_both_styles() {
    for (fen, by_legs, by_rook) in CASTLING {
        let board = board(fen);
        let mv = board.parse_uci(by_rook).expect("a legal move");
        assert!(mv.is_castling());
        assert_eq!(board.parse_uci(by_legs), Ok(mv), "{by_legs} in {fen}");
        assert_eq!(board.uci(mv, CastlingStyle::Standard).to_string(), by_legs);
        assert_eq!(board.uci(mv, CastlingStyle::Chess960).to_string(), by_rook);
    }
}

#[test]
fn a_step_of_the_king_comes_before_castling() {
    let board = board("4k3/8/8/8/8/8/8/5K1R w H - 0 1");
    let step = board.parse_uci("f1g1").expect("a legal move");
    assert!(!step.is_castling());
    assert!(board.parse_uci("f1h1").expect("a legal move").is_castling());
}

#[test]
fn moves_in_coordinates_have_clear_errors() {
    let board = Board::start();
    let malformed = |text: &str| UciMoveError::Malformed(text.to_owned());
    for text in [
        "", "e2", "e2e", "e2e9", "i2e4", "e2e4qq", "e2e4k", "e2e4p", "e2-e4", "0000",
    ] {
        assert_eq!(board.parse_uci(text), Err(malformed(text)), "{text}");
    }
    for text in ["e2e5", "e7e5", "e4e5", "e2e4q", "e1g1", "a1a1"] {
        let illegal = UciMoveError::Illegal(text.to_owned());
        assert_eq!(board.parse_uci(text), Err(illegal), "{text}");
    }
    assert_eq!(
        malformed("e2").to_string(),
        "'e2' is not a move in coordinates such as e2e4 or e7e8q"
    );
    assert_eq!(
        UciMoveError::Illegal("e2e5".to_owned()).to_string(),
        "the move e2e5 is not legal here"
    );
}

#[test]
fn promotions_in_coordinates() {
    let board = board("8/4P3/8/8/8/8/8/k3K3 w - - 0 1");
    for letter in ["n", "b", "r", "q"] {
        let text = format!("e7e8{letter}");
        let mv: Move = board.parse_uci(&text).expect("a legal move");
        assert_eq!(board.uci(mv, CastlingStyle::Standard).to_string(), text);
        assert_eq!(board.parse_uci(&text.to_uppercase()), Ok(mv));
        assert_eq!(format!("{mv:?}"), text);
    }
    assert!(board.parse_uci("e7e8").is_err());
}
