//! Compares this crate with shakmaty: both must agree on every legal move and its
//! notation, on checks, FEN and the end of the game.
//!
//! `TABIA_LONG=1` compares more than 100,000 positions.

mod common;

use chess::{Board, CastlingStyle, Color, Game, Move, MoveFilter, MoveList, Termination};
use common::{Random, Style, choose, corner_boards, odd_board, random_start, scaled};
use shakmaty::fen::Fen;
use shakmaty::san::SanPlus;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position, PositionError};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// More moves than this overflow shakmaty's list; games never have so many.
const SHAKMATY_MOVES: u32 = 250;

/// The same position in shakmaty, with the option to accept odd positions.
fn theirs_of(board: &Board) -> Chess {
    let fen: Fen = board.shredder_fen().parse().expect("FEN of a board");
    fen.into_position(CastlingMode::Chess960)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .unwrap_or_else(|error| panic!("shakmaty refuses {board:?}: {error}"))
}

/// The castling rights in Shredder-FEN, from shakmaty's set of rooks.
fn shredder_rights(theirs: &Chess) -> String {
    let rooks = theirs.castles().castling_rights();
    let letters: String = shakmaty::Color::ALL
        .into_iter()
        .flat_map(|color| {
            (rooks & color.backrank())
                .into_iter()
                .rev()
                .map(move |rook| match color {
                    shakmaty::Color::White => rook.file().upper_char(),
                    shakmaty::Color::Black => rook.file().char(),
                })
        })
        .collect();
    if letters.is_empty() {
        "-".to_owned()
    } else {
        letters
    }
}

/// The moves of a position by one library: coordinates with castling as king takes
/// rook, and for each the SAN, the other coordinates, and whether it gives check.
type Moves = BTreeMap<String, (String, String, bool)>;

fn our_moves(board: &Board) -> Moves {
    let describe = |&mv: &Move| {
        let uci = board.uci(mv, CastlingStyle::Chess960).to_string();
        let standard = board.uci(mv, CastlingStyle::Standard).to_string();
        (
            uci,
            (
                board.san(mv).to_string(),
                standard,
                board.after(mv).in_check(),
            ),
        )
    };
    board.legal_moves().iter().map(describe).collect()
}

fn their_moves(theirs: &Chess) -> Moves {
    let describe = |mv| {
        let uci = shakmaty::Move::to_uci(mv, CastlingMode::Chess960).to_string();
        let standard = shakmaty::Move::to_uci(mv, CastlingMode::Standard).to_string();
        let san = SanPlus::from_move(theirs.clone(), mv);
        let is_check = san.suffix.is_some();
        (uci, (san.to_string(), standard, is_check))
    };
    theirs.legal_moves().into_iter().map(describe).collect()
}

/// Compares everything that the position alone decides.
fn compare(board: &Board, theirs: &Chess) {
    assert_eq!(our_moves(board), their_moves(theirs), "{board:?}");
    let fen = Fen::from_position(theirs, EnPassantMode::Legal).to_string();
    assert_eq!(board.fen(), fen);
    let shredder = board.shredder_fen();
    let rights = shredder.split(' ').nth(2);
    assert_eq!(rights, Some(&*shredder_rights(theirs)), "{board:?}");
    assert_eq!(board.in_check(), theirs.is_check(), "{board:?}");
    assert_eq!(board.checkers().0, theirs.checkers().0, "{board:?}");
    assert_eq!(
        board.has_insufficient_material(),
        theirs.is_insufficient_material(),
        "{board:?}"
    );
    compare_kinds(board);
}

/// Captures and quiets together are exactly the legal moves, and checks are predicted.
fn compare_kinds(board: &Board) {
    let list = |filter| {
        let mut moves = MoveList::new();
        board.generate(filter, &mut moves);
        let set: BTreeSet<Move> = moves.iter().copied().collect();
        assert_eq!(set.len(), moves.len(), "twice the same move in {board:?}");
        set
    };
    let all = list(MoveFilter::All);
    let captures = list(MoveFilter::Captures);
    let quiets = list(MoveFilter::Quiets);
    assert_eq!(board.count_legal_moves() as usize, all.len(), "{board:?}");
    assert!(captures.is_disjoint(&quiets), "{board:?}");
    assert_eq!(&captures | &quiets, all, "{board:?}");
    let checks = board.check_map();
    for &mv in &all {
        let changes_material = board.is_capture(mv) || mv.promotes_to().is_some();
        assert_eq!(captures.contains(&mv), changes_material, "{mv:?} {board:?}");
        let after = board.after(mv);
        assert_eq!(board.gives_check(mv), after.in_check(), "{mv:?} {board:?}");
        assert_eq!(
            checks.gives_check(board, mv),
            after.in_check(),
            "{mv:?} {board:?}"
        );
        let men = board.occupied().count() - after.occupied().count();
        assert_eq!(
            u32::from(board.captured_kind(mv).is_some()),
            men,
            "{mv:?} {board:?}"
        );
    }
}

/// How often each rare thing happened, so that the walks are known to be wide.
#[derive(Default, Debug)]
struct Seen {
    positions: usize,
    castlings: usize,
    passing_captures: usize,
    promotions: [usize; 4],
    ends: HashMap<&'static str, usize>,
}

impl Seen {
    fn note_move(&mut self, mv: Move) {
        self.castlings += usize::from(mv.is_castling());
        self.passing_captures += usize::from(mv.is_en_passant());
        if let Some(kind) = mv.promotes_to() {
            self.promotions[kind.index() - 1] += 1;
        }
    }
}

/// How the game ended by shakmaty's board and the occurrences counted here.
fn expected_end(theirs: &Chess, occurrences: u32) -> Option<Termination> {
    let winner = match theirs.turn() {
        shakmaty::Color::White => Color::Black,
        shakmaty::Color::Black => Color::White,
    };
    if theirs.is_checkmate() {
        Some(Termination::Checkmate { winner })
    } else if theirs.is_stalemate() {
        Some(Termination::Stalemate)
    } else if theirs.is_insufficient_material() {
        Some(Termination::InsufficientMaterial)
    } else if theirs.halfmoves() >= 100 {
        Some(Termination::FiftyMoves)
    } else {
        (occurrences >= 3).then_some(Termination::Threefold)
    }
}

/// Everything but the clocks, with en passant only if it is legal.
fn repetition_text(theirs: &Chess) -> String {
    shakmaty::fen::Epd::from_position(theirs, EnPassantMode::Legal).to_string()
}

fn play_game(start: Board, style: Style, random: &mut Random, seen: &mut Seen) {
    let mut theirs = theirs_of(&start);
    let mut game = Game::new(start);
    let mut occurrences: HashMap<String, u32> = HashMap::new();
    let mut before = [None; 2];
    *occurrences.entry(repetition_text(&theirs)).or_default() += 1;
    for ply in 0..300 {
        compare(game.board(), &theirs);
        seen.positions += 1;
        if let Some(end) = game.termination() {
            *seen.ends.entry(end.name()).or_default() += 1;
            return;
        }
        let Some(mv) = choose(game.board(), style, before[ply % 2], random) else {
            panic!("a running game has a move: {:?}", game.board());
        };
        before[ply % 2] = Some(mv);
        seen.note_move(mv);
        let uci = game.board().uci(mv, CastlingStyle::Chess960).to_string();
        let their_move = uci
            .parse::<shakmaty::uci::UciMove>()
            .expect("coordinates")
            .to_move(&theirs)
            .expect("a move that both have");
        theirs.play_unchecked(their_move);
        let step = game.play(mv).expect("a legal move");
        let count = occurrences.entry(repetition_text(&theirs)).or_default();
        *count += 1;
        assert_eq!(step.termination, expected_end(&theirs, *count));
        assert_eq!(step.termination, game.termination());
    }
}

fn play_games(seed: u64, positions: usize, start: impl Fn(&mut Random) -> Board) -> Seen {
    let mut random = Random::new(seed);
    let mut seen = Seen::default();
    for number in 0.. {
        if seen.positions >= positions {
            break;
        }
        let style = Style::ALL[number % Style::ALL.len()];
        let board = start(&mut random);
        play_game(board, style, &mut random, &mut seen);
    }
    println!("{seen:?}");
    seen
}

#[test]
fn games_from_all_starts_agree() {
    let seen = play_games(1, scaled(30_000, 400_000), random_start);
    assert!(seen.castlings > 10, "{seen:?}");
    assert!(seen.passing_captures > 10, "{seen:?}");
    assert!(seen.promotions.iter().all(|&count| count > 3), "{seen:?}");
    assert!(seen.ends.contains_key("threefold"), "{seen:?}");
}

#[test]
fn games_from_odd_positions_agree() {
    let start = |random: &mut Random| loop {
        let board = odd_board(random);
        if board.count_legal_moves() < SHAKMATY_MOVES / 2 {
            return board;
        }
    };
    let seen = play_games(2, scaled(30_000, 400_000), start);
    for name in [
        "checkmate",
        "stalemate",
        "insufficient-material",
        "fifty-moves",
        "threefold",
    ] {
        assert!(seen.ends.contains_key(name), "no {name} in {seen:?}");
    }
}

#[test]
fn odd_positions_agree() {
    let mut random = Random::new(3);
    let count = scaled(20_000, 200_000);
    let (mut compared, mut castlings, mut passing, mut double_checks, mut pins) = (0, 0, 0, 0, 0);
    for _ in 0..count {
        let board = odd_board(&mut random);
        if board.count_legal_moves() < SHAKMATY_MOVES {
            compare(&board, &theirs_of(&board));
            compared += 1;
            castlings += board
                .legal_moves()
                .iter()
                .filter(|mv| mv.is_castling())
                .count();
            passing += usize::from(board.en_passant().is_some());
            double_checks += usize::from(board.checkers().several());
            pins += usize::from(board.pinned().any());
        }
    }
    println!("{compared} compared: {castlings} {passing} {double_checks} {pins}");
    assert!(
        compared > count * 9 / 10,
        "too many are too heavy to compare"
    );
    for seen in [castlings, passing, double_checks, pins] {
        assert!(
            seen > count / 100,
            "{castlings} {passing} {double_checks} {pins}"
        );
    }
}

#[test]
fn corner_positions_agree() {
    for board in corner_boards() {
        compare(&board, &theirs_of(&board));
        for &mv in &board.legal_moves() {
            let child = board.after(mv);
            compare(&child, &theirs_of(&child));
        }
    }
}

#[test]
fn all_starts_agree() {
    for number in 0..960 {
        let board = Board::chess960(number).expect("a start");
        compare(&board, &theirs_of(&board));
    }
}
