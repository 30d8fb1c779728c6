//! Steps with a search: all the ways to ask for a move.

use super::examiner::{Examiner, Problem, broken};
use super::remarks::Position;
use super::search::Found;
use crate::external::CHESS960;
use crate::external::answer::STOP_PATIENCE;
use chess::CastlingStyle;
use std::time::{Duration, Instant};

/// How many steps this module has.
pub(super) const COUNT: usize = QUESTIONS.len() + 6;

/// How long to watch whether an infinite search ends by itself.
const ENDLESS: Duration = Duration::from_millis(300);

pub(super) const START: &str = "position startpos";
const MOVED: &str = "position startpos moves e2e4";
const OPENING: &str = "position startpos moves e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6 e1g1";
pub(super) const MIDDLEGAME: &str =
    "position fen r2q1rk1/pp2bppp/2n1pn2/3p1b2/3P1B2/2NBPN2/PP3PPP/R2Q1RK1 w - - 4 10";
const TACTICS: &str =
    "position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
const CASTLED: &str = "position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w \
                       KQkq - 0 1 moves e1c1 b4c3 d2c3 e8g8";
const PROMOTION: &str = "position fen 8/P6k/8/8/8/8/7p/K7 w - - 0 1 moves a7a8q h2h1n";
const ONLY_MOVE: &str = "position fen 1r5k/8/8/8/8/8/8/K7 w - - 0 1";
const MATE: &str = "position fen rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
const STALEMATE: &str = "position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";
const SHUFFLED: &str = "position fen 1rk2r2/pppppppp/8/8/8/8/PPPPPPPP/1RK2R2 w FBfb - 0 1 moves \
                        c1f1 c8b8";

/// Each must be answered by a legal move: name, position, `go` command.
const QUESTIONS: [(&str, &str, &str); 11] = [
    ("position startpos", START, "go depth 4"),
    ("position startpos moves", OPENING, "go depth 4"),
    ("position fen", TACTICS, "go depth 3"),
    ("position fen moves", CASTLED, "go depth 3"),
    ("position after promotions", PROMOTION, "go depth 3"),
    ("position with one legal move", ONLY_MOVE, "go depth 3"),
    ("go wtime", START, "go wtime 1000"),
    ("go btime", MOVED, "go btime 1000"),
    (
        "go with both clocks",
        START,
        "go wtime 1000 btime 900 winc 10 binc 20",
    ),
    (
        "go with both clocks in another order",
        MOVED,
        "go binc 20 winc 10 btime 900 wtime 1000",
    ),
    (
        "go movestogo",
        MIDDLEGAME,
        "go wtime 1000 btime 1000 movestogo 10",
    ),
];

pub(super) fn check(examiner: &mut Examiner<'_>) {
    for (name, position, question) in QUESTIONS {
        examiner.step(name, "bestmove with a legal move", |examiner| {
            examiner.search(&standard(position), question)?;
            examiner.await_silence()
        });
    }
    examiner.step(
        "go searchmoves",
        "bestmove with one of the moves",
        only_some_moves,
    );
    examiner.step(
        "go infinite, stop",
        "no bestmove before stop, and one within a second after it",
        |examiner| examiner.search_until_stop(|_| Ok(())),
    );
    examiner.step(
        "isready during a search",
        "readyok at once, and the search continues",
        |examiner| examiner.search_until_stop(ready_at_once),
    );
    for (name, position) in [
        ("position with a mate", MATE),
        ("position with a stalemate", STALEMATE),
    ] {
        examiner.step(name, "bestmove without a move", |examiner| {
            no_move(examiner, &standard(position))
        });
    }
    examiner.step(
        "Chess960",
        "bestmove with a legal move, castling as king takes rook",
        chess960,
    );
}

fn standard(command: &str) -> Position {
    Position::of(command, CastlingStyle::Standard)
}

fn only_some_moves(examiner: &mut Examiner<'_>) -> Result<(), Problem> {
    let position = standard(START);
    let found = examiner.search(&position, "go depth 3 searchmoves a2a3 h2h3")?;
    let best = found
        .best
        .map(|mv| position.board.uci(mv, position.castling).to_string());
    match best.as_deref() {
        Some("a2a3" | "h2h3") => examiner.await_silence(),
        other => broken(format!("{} is not one of them", other.unwrap_or("no move"))),
    }
}

fn ready_at_once(examiner: &mut Examiner<'_>) -> Result<(), Problem> {
    examiner.say("isready")?;
    let until = Instant::now() + STOP_PATIENCE;
    while let Some(line) = examiner.hear(until)? {
        if line == "readyok" {
            return Ok(());
        }
        if line.starts_with("bestmove") {
            return broken("the search ended instead");
        }
    }
    examiner.give_up();
    broken(format!("no 'readyok' within {STOP_PATIENCE:.1?}"))
}

fn no_move(examiner: &mut Examiner<'_>, position: &Position) -> Result<(), Problem> {
    let found = examiner.try_search(position, "go depth 3")?;
    if found.was_stopped {
        return broken("it searched until it was stopped");
    }
    examiner.await_silence()
}

fn chess960(examiner: &mut Examiner<'_>) -> Result<(), Problem> {
    if examiner.handshake.option(CHESS960).is_none() {
        return Err(Problem::Pointless("it does not declare UCI_Chess960"));
    }
    examiner.say(&format!("setoption name {CHESS960} value true"))?;
    let position = Position::of(SHUFFLED, CastlingStyle::Chess960);
    examiner.search(&position, "go depth 3")?;
    examiner.say(&format!("setoption name {CHESS960} value false"))?;
    examiner.await_silence()
}

impl Examiner<'_> {
    /// A command has one answer: nothing may follow it.
    pub(super) fn await_silence(&mut self) -> Result<(), Problem> {
        super::protocol::no_answer(&self.await_ready()?)
    }

    /// An infinite search, commands sent during it, and its end.
    fn search_until_stop(
        &mut self,
        during: impl FnOnce(&mut Self) -> Result<(), Problem>,
    ) -> Result<(), Problem> {
        let position = standard(MIDDLEGAME);
        self.say(&format!("{MIDDLEGAME}\ngo infinite"))?;
        let mut found = Found::default();
        let until = Instant::now() + ENDLESS;
        if self.listen(&position, until, &mut found)?.is_some() {
            return broken("it answered before 'stop'");
        }
        during(self)?;
        self.say("stop")?;
        let until = Instant::now() + STOP_PATIENCE;
        let Some(words) = self.listen(&position, until, &mut found)? else {
            self.give_up();
            return broken(format!(
                "no 'bestmove' within {STOP_PATIENCE:.1?} of 'stop'"
            ));
        };
        self.judge(&position, &words, found)?;
        self.await_silence()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(command: &str) -> Position {
        // The whole command must be valid, not only its beginning.
        let words = command.strip_prefix("position ").expect(command);
        let (start, moves) = words.split_once(" moves ").unwrap_or((words, ""));
        let fen = start.strip_prefix("fen ");
        let mut board = fen.map_or(chess::Board::start(), |fen| {
            chess::Board::from_fen(fen).expect(fen)
        });
        for word in moves.split_whitespace() {
            board.make(board.parse_uci(word).expect(word));
        }
        let position = standard(command);
        assert_eq!(position.board, board, "{command}");
        position
    }

    #[test]
    fn our_positions_are_what_they_should_be() {
        for (name, position, _) in QUESTIONS {
            assert!(parse(position).board.has_legal_move(), "{name}");
        }
        assert_eq!(parse(ONLY_MOVE).board.legal_moves().len(), 1);
        for position in [MATE, STALEMATE] {
            assert!(!parse(position).board.has_legal_move());
        }
        assert!(parse(MATE).board.in_check() && !parse(STALEMATE).board.in_check());
        assert!(!parse(SHUFFLED).board.castling().any());
    }
}
