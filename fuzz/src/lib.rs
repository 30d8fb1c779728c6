//! What must hold of any text or file, however wrong. Each function is the whole of
//! one fuzz target; none of them may panic unless the crate is at fault.

mod learners;
mod nets;

pub use learners::{
    check_npz, check_policy_shard, check_resnet, check_sequence_model, check_sequences,
};
pub use nets::{check_nnue, check_ntuple, check_policy, check_tabianet, check_weights};

use analysis::EcoTable;
use chess::{Board, CastlingStyle, Epd, Fen, Game, Line, Move};
use data::binpack::{Chunk, ChunkReader, Encoder, Positions};
use data::pgn::{Batches, Reader, Source, SourceError, salvage};
use data::plain;
use data::position::Position;
use std::io::Cursor;

/// Boards for moves in SAN: checks, pins, promotions, castling, en passant.
const BOARDS: [&str; 8] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r3k2r/1P4P1/8/8/8/8/1p4p1/R3K2R b KQkq - 0 1",
    "4k3/8/8/2PpP3/8/8/8/4K3 w - d6 0 1",
    "1k6/8/8/8/Q3n2Q/8/8/K6Q w - - 0 1",
    "1rkr3r/2p5/8/8/8/8/2P5/RKR4R w CAdb - 0 1",
    "4k3/8/8/8/1b6/3n4/8/R3K2R w KQ - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
];

/// A FEN is refused in clear words, or gives a board that writes and reads
/// back the same and whose moves are sound.
pub fn check_fen(text: &str) {
    match text.parse::<Fen>() {
        Ok(fen) => {
            check_board(&fen.board);
            for &mv in &fen.board.legal_moves() {
                check_written(&fen.board.after(mv));
            }
        }
        Err(error) => check_message(&error.to_string()),
    }
}

/// A line of EPD is refused in clear words, or its board and its text survive
/// writing.
pub fn check_epd(text: &str) {
    match text.parse::<Epd>() {
        Ok(epd) => {
            check_written(&epd.board);
            let written = epd.to_string();
            let again: Epd = written.parse().expect("an EPD that was written");
            assert_eq!(again.board, epd.board);
            assert_eq!(again.to_string(), written);
            for operation in &epd.operations {
                match epd.moves(&operation.code) {
                    Ok(moves) => assert!(moves.iter().all(|&mv| epd.board.is_legal(mv))),
                    Err(error) => check_message(&error.to_string()),
                }
            }
        }
        Err(error) => check_message(&error.to_string()),
    }
}

/// A game file is read to its end, and whatever can be salvaged is: each game is refused in clear words, or
/// writes and reads back the same.
pub fn check_pgn(bytes: &[u8]) {
    for salvaged in salvage(bytes) {
        if let Some(damage) = salvaged.damage {
            check_message(&damage.problem.to_string());
        }
    }
    let games = match read_games(bytes) {
        Ok(games) => games,
        Err(error) => return check_message(&error.to_string()),
    };
    for game in games {
        match game {
            Ok(game) => {
                let written = game.to_string();
                let again = read_games(written.as_bytes()).expect("a plain text");
                let again: Vec<_> = again.collect();
                let [Ok(again)] = &again[..] else {
                    panic!("one game was written, but not read back: {written}");
                };
                // The writer adds the tags that every game should have.
                assert_eq!(again.moves, game.moves, "{written}");
                assert_eq!(again.result, game.result, "{written}");
                assert_eq!(again.start(), game.start(), "{written}");
                assert_eq!(again.to_string(), written);
            }
            Err(error) => check_message(&error.to_string()),
        }
    }
}

/// A table of openings is refused in clear words, with a line that it has, or names
/// what it lists.
pub fn check_eco(text: &str) {
    let mut table = EcoTable::default();
    match table.read(text) {
        Ok(()) => assert!(table.len() < text.lines().count().max(1)),
        Err((line, problem)) => {
            assert!(line <= text.lines().count().max(1));
            check_message(&problem);
        }
    }
}

fn read_games(bytes: &[u8]) -> Result<Reader, SourceError> {
    let source = Source::from_reader("fuzz", Cursor::new(bytes.to_vec()))?;
    Ok(Reader::new(Batches::new(source)))
}

/// A binpack is refused in clear words, or its positions have legal moves and
/// are read back from what is written of them.
pub fn check_binpack(bytes: &[u8]) {
    // The payload of a chunk, for headers are seldom met by chance.
    check_chains(bytes);
    let Ok(source) = Source::from_reader("fuzz", Cursor::new(bytes.to_vec())) else {
        return;
    };
    let mut chunks = ChunkReader::new(source);
    let mut chunk = Chunk::default();
    loop {
        match chunks.next(&mut chunk) {
            Ok(true) => check_chains(&chunk.payload),
            Ok(false) => return,
            Err(error) => return check_message(&error.to_string()),
        }
    }
}

fn check_chains(payload: &[u8]) {
    let mut positions = Positions::new(payload);
    let mut read = Vec::new();
    loop {
        match positions.advance() {
            Ok(true) => read.push(*positions.latest()),
            Ok(false) => break,
            Err(problem) => {
                check_message(&problem.to_string());
                break;
            }
        }
    }
    // What does not fit into a stem cannot be written again.
    read.retain(|position| position.ply < 1 << 14);
    let mut encoder = Encoder::new();
    for position in &read {
        check_position(position);
        encoder.push(position).expect("a position that was read");
    }
    let mut again = Positions::new(encoder.finish().bytes());
    for position in &read {
        let position = Some(position);
        let found = again.next().expect("chains that were written");
        let parts = |position: &Position| {
            let Position {
                board,
                mv,
                score,
                result,
                ply,
            } = *position;
            (board.key(), mv, score, result, ply)
        };
        assert_eq!(found.map(parts), position.map(parts));
    }
}

/// Plain text is refused in clear words, or its records are read back from what
/// is written of them.
pub fn check_plain(text: &[u8]) {
    let mut read = Vec::new();
    if let Err(error) = plain::read(text, |position| read.push(*position)) {
        check_message(&error.to_string());
    }
    let mut written = String::new();
    for position in &read {
        check_position(position);
        plain::write(position, &mut written);
    }
    let mut again = Vec::new();
    plain::read(written.as_bytes(), |position| again.push(*position)).expect("written records");
    assert_eq!(again, read);
}

fn check_position(position: &Position) {
    check_written(&position.board);
    assert!(position.mv.is_none_or(|mv| position.board.is_legal(mv)));
}

/// A move in SAN is refused, or is legal and writes and reads back the same.
/// The first byte chooses the board.
pub fn check_san(data: &[u8]) {
    let Some((&choice, text)) = data.split_first() else {
        return;
    };
    let Ok(text) = std::str::from_utf8(text) else {
        return;
    };
    let fen = BOARDS[usize::from(choice) % BOARDS.len()];
    let board = Board::from_fen(fen).expect("the table holds positions");
    match board.parse_san(text) {
        Ok(mv) => check_move(&board, mv),
        Err(message) => check_message(&message),
    }
}

/// A first line with a FEN (or nothing for the start), then moves: each is
/// refused or played, and the game and a line of boards keep in step.
pub fn check_uci_moves(text: &str) {
    let (first, moves) = text.split_once('\n').unwrap_or(("", text));
    let start = if first.is_empty() {
        Board::start()
    } else {
        match Board::from_fen(first) {
            Ok(board) => board,
            Err(error) => return check_message(&error.to_string()),
        }
    };
    let mut line = Line::new(start);
    let mut game = Game::new(start);
    for word in moves.split_ascii_whitespace().take(200) {
        let board = *line.board();
        match board.parse_uci(word) {
            Ok(mv) => {
                check_move(&board, mv);
                line.push(mv);
                check_written(line.board());
                if game.termination().is_none() {
                    let step = game.play(mv).expect("a legal move");
                    assert_eq!(step.termination, game.termination());
                    assert_eq!(game.board(), line.board());
                }
            }
            Err(error) => {
                check_message(&error.to_string());
                assert!(game.step_uci(word).is_err());
            }
        }
    }
    let boards = line.boards().to_vec();
    for board in boards.iter().rev().skip(1) {
        line.pop();
        assert_eq!(line.board(), board);
    }
}

fn check_board(board: &Board) {
    check_written(board);
    let moves = board.legal_moves();
    assert_eq!(moves.len(), board.count_legal_moves() as usize);
    for &mv in &moves {
        check_move(board, mv);
    }
}

/// Both dialects of FEN give the same board again, keys and all.
fn check_written(board: &Board) {
    for text in [board.fen(), board.shredder_fen()] {
        let fen: Fen = text.parse().expect("a FEN that was written");
        assert_eq!(fen.board, *board);
        assert_eq!(fen.warnings, []);
    }
}

fn check_move(board: &Board, mv: Move) {
    assert!(board.is_legal(mv));
    assert_eq!(board.parse_san(board.san(mv).as_str()), Ok(mv));
    let text = board.uci(mv, CastlingStyle::Chess960).to_string();
    assert_eq!(board.parse_uci(&text), Ok(mv));
    assert_eq!(board.gives_check(mv), board.after(mv).in_check());
}

/// One line, not empty, not long, safe to print.
fn check_message(message: &str) {
    assert!(!message.is_empty() && message.len() < 600, "{message}");
    assert!(!message.contains(char::is_control), "{message}");
}
