//! Moves and boards are written and read again, on boards of all sorts.

mod common;

use chess::{Board, CastlingStyle, Epd, EpdOperation, Fen, Move, PieceKind};
use common::{Random, Style, random_start, sample_boards, scaled, walk};
use std::collections::BTreeSet;

#[test]
fn san_of_every_legal_move_reads_back() {
    for board in sample_boards(61, scaled(3_000, 40_000)) {
        let mut spellings = BTreeSet::new();
        for &mv in &board.legal_moves() {
            let san = board.san(mv);
            assert_eq!(board.parse_san(san.as_str()), Ok(mv), "{san} in {board:?}");
            assert!(
                spellings.insert(san.to_string()),
                "two moves are {san} in {board:?}"
            );
        }
    }
}

#[test]
fn coordinates_of_every_legal_move_read_back() {
    for board in sample_boards(62, scaled(3_000, 40_000)) {
        for &mv in &board.legal_moves() {
            let text = board.uci(mv, CastlingStyle::Chess960).to_string();
            assert_eq!(board.parse_uci(&text), Ok(mv), "{text} in {board:?}");
            assert_eq!(board.parse_san(&text), Ok(mv), "{text} in {board:?}");
            assert_eq!(Move::from_bits(mv.to_bits()), mv);
            assert_ne!(mv.to_bits(), 0);
        }
    }
}

/// In ordinary chess, castling written as the king's move is unambiguous.
#[test]
fn standard_coordinates_are_exact_in_ordinary_games() {
    let mut random = Random::new(63);
    let mut castlings = 0;
    for _ in 0..150 {
        walk(Board::start(), 80, Style::Special, &mut random, |board| {
            for &mv in &board.legal_moves() {
                let text = board.uci(mv, CastlingStyle::Standard).to_string();
                assert_eq!(board.parse_uci(&text), Ok(mv), "{text} in {board:?}");
                castlings += usize::from(mv.is_castling());
            }
        });
    }
    assert!(castlings > 50, "only {castlings} castlings were possible");
}

/// The spellings in use for a move of a piece.
fn piece_spellings(board: &Board, mv: Move, kind: PieceKind) -> Vec<String> {
    let (letter, from, to) = (kind.letter(), mv.from(), mv.to());
    let is_unique = |wanted: fn(Move, Move) -> bool| {
        board.legal_moves().iter().all(|&other| {
            other == mv
                || other.is_castling()
                || other.to() != to
                || board.kind_at(other.from()) != Some(kind)
                || !wanted(mv, other)
        })
    };
    let mut spellings = vec![
        format!("{letter}{from}{to}"),
        format!("{letter}{from}-{to}"),
        format!("{letter}{from}x{to}+"),
        format!("{from}{to}"),
    ];
    if is_unique(|_, _| true) {
        spellings.push(format!("{letter}{to}"));
        spellings.push(format!("{letter}x{to}!?"));
    }
    if is_unique(|mv, other| mv.from().file() == other.from().file()) {
        spellings.push(format!("{letter}{}{to}", from.file().letter()));
    }
    if is_unique(|mv, other| mv.from().rank() == other.from().rank()) {
        spellings.push(format!("{letter}{}x{to}#", from.rank().digit()));
    }
    spellings
}

fn pawn_spellings(board: &Board, mv: Move) -> Vec<String> {
    let (from, to, file) = (mv.from(), mv.to(), mv.from().file().letter());
    let mut spellings = vec![
        format!("{file}{to}"),
        format!("P{from}{to}"),
        format!("P{file}x{to}"),
        format!("{from}-{to}"),
    ];
    if !board.is_capture(mv) {
        spellings.push(format!("{to}"));
        spellings.push(format!("P{to}"));
    }
    if mv.is_en_passant() {
        spellings.push(format!("{file}x{to}e.p."));
    }
    let Some(kind) = mv.promotes_to() else {
        return spellings;
    };
    let (upper, lower) = (kind.letter(), kind.letter().to_ascii_lowercase());
    let ends = [
        format!("={upper}"),
        format!("{upper}"),
        format!("={lower}+"),
        format!("{lower}"),
        format!("({upper})"),
        format!("/{upper}#"),
    ];
    spellings
        .iter()
        .flat_map(|start| ends.iter().map(move |end| format!("{start}{end}")))
        .collect()
}

#[test]
fn tolerant_spellings_read_as_the_same_move() {
    for board in sample_boards(64, scaled(1_000, 15_000)) {
        for &mv in &board.legal_moves() {
            let san = board.san(mv).to_string();
            let bare = san.trim_end_matches(['+', '#']);
            let mut spellings = match board.kind_at(mv.from()) {
                _ if mv.is_castling() => {
                    vec![bare.replace('O', "0"), bare.replace('O', "o")]
                }
                Some(PieceKind::Pawn) => pawn_spellings(&board, mv),
                Some(kind) => piece_spellings(&board, mv, kind),
                None => panic!("no man moves: {mv:?} in {board:?}"),
            };
            spellings.extend(["", "+", "#", "!", "??", "+!!"].map(|end| format!("{bare}{end}")));
            for spelling in spellings {
                let read = board.parse_san(&spelling);
                assert_eq!(read, Ok(mv), "{spelling} for {san} in {board:?}");
            }
        }
    }
}

#[test]
fn fens_of_all_boards_read_back_without_warnings() {
    for board in sample_boards(65, scaled(5_000, 50_000)) {
        for text in [board.fen(), board.shredder_fen()] {
            let fen: Fen = text.parse().expect("the FEN of a board");
            assert_eq!(fen.board, board, "{text}");
            assert_eq!(fen.warnings, [], "{text}");
        }
        assert_eq!(format!("{board:?}"), format!("Board({})", board.fen()));
    }
}

#[test]
fn fens_stay_themselves_along_games() {
    let mut random = Random::new(66);
    for _ in 0..100 {
        let start = random_start(&mut random);
        let style = *random.pick(&Style::ALL);
        walk(start, 100, style, &mut random, |board| {
            let text = board.fen();
            let again = Board::from_fen(&text).expect("the FEN of a board");
            assert_eq!(again.fen(), text);
        });
    }
}

#[test]
fn epd_of_all_boards_reads_back() {
    for board in sample_boards(67, 2_000) {
        let mut epd = Epd::new(board);
        let best = board.legal_moves().first().map(|&mv| board.san(mv));
        epd.operations = vec![
            EpdOperation {
                code: "bm".to_owned(),
                operands: best.iter().map(|san| san.to_string()).collect(),
            },
            EpdOperation {
                code: "id".to_owned(),
                operands: vec!["a \"b; c".to_owned()],
            },
        ];
        let line = epd.to_string();
        let again: Epd = line.parse().expect("the EPD of a board");
        assert_eq!(again.board, board, "{line}");
        assert_eq!(again.to_string(), line);
        assert_eq!(
            again.moves("bm").map(|moves| moves.len()),
            Ok(best.iter().len())
        );
    }
}
