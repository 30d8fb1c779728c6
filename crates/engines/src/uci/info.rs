//! Formats what is sent to the client.
//!
//! Clients parse `info` lines strictly and warn of a missing word or an illegal move in a
//! variation. This module must not know when something is sent.

use crate::score::Score;
use crate::{Answer, Report, ScoreBound};
use chess::{Board, CastlingStyle, File, Game, Line, Move, Termination};
use std::fmt::Write as _;

/// The notation of moves and scores.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Style {
    pub(super) castling: CastlingStyle,
    pub(super) shows_wdl: bool,
}

/// A report of a search as one line.
pub(super) fn report_line(report: &Report, game: &Game, style: Style) -> String {
    let mut line = format!(
        "info depth {} seldepth {} multipv {} score {}",
        report.depth, report.selective_depth, report.rank, report.score
    );
    line += match report.bound {
        ScoreBound::Exact => "",
        ScoreBound::Lower => " lowerbound",
        ScoreBound::Upper => " upperbound",
    };
    if style.shows_wdl {
        let [win, draw, loss] = report.wdl;
        let _ = write!(line, " wdl {win} {draw} {loss}");
    }
    // Time below the resolution of the clock must not make the speed infinite.
    let seconds = report.time.as_secs_f64().max(1e-6);
    let _ = write!(
        line,
        " nodes {} nps {} hashfull {} tbhits {} time {} pv",
        report.nodes,
        (report.nodes as f64 / seconds) as u64,
        report.table_fill,
        report.tablebase_hits,
        report.time.as_millis()
    );
    line + &moves_in_words(game, &report.line, style.castling)
}

/// The info line for a position without a legal move.
pub(super) fn end_line(score: Score) -> String {
    format!("info depth 0 score {score}")
}

/// The answer as one line. The expected reply is included only if the game is not over by then.
pub(super) fn answer_line(answer: &Answer, game: &Game, style: Style) -> String {
    let Some(best) = answer.best else {
        return "bestmove (none)".to_owned();
    };
    let moves: Vec<_> = [Some(best), answer.ponder].into_iter().flatten().collect();
    let words = moves_in_words(game, &moves, style.castling);
    let mut words = words.split_whitespace();
    let best = words.next().unwrap_or("(none)");
    match words.next() {
        Some(reply) => format!("bestmove {best} ponder {reply}"),
        None => format!("bestmove {best}"),
    }
}

/// The answer of a search that has failed: any legal move.
pub(super) fn any_answer(board: &Board) -> Answer {
    Answer::new(board.legal_moves().first().copied(), Score::Centipawns(0))
}

/// The moves of a variation, each after a space, as far as they are legal and the game has not
/// ended. With a transposition table a variation may continue after a repetition.
fn moves_in_words(game: &Game, moves: &[Move], castling: CastlingStyle) -> String {
    let mut line = game.line().clone();
    let mut text = String::new();
    for (index, &mv) in moves.iter().enumerate() {
        let board = line.board();
        if !board.is_legal(mv) || index > 0 && has_ended(&line) {
            break;
        }
        let _ = write!(text, " {}", board.uci(mv, castling_of(mv, castling)));
        line.push(mv);
    }
    text
}

fn has_ended(line: &Line) -> bool {
    line.board().termination().is_some() || line.earlier_occurrences() >= 2
}

/// An unambiguous notation for castling: the standard one names the king's target, which is clear
/// only from the standard squares.
pub(super) fn castling_of(mv: Move, wanted: CastlingStyle) -> CastlingStyle {
    let is_ordinary = mv.from().file() == File::E && matches!(mv.to().file(), File::A | File::H);
    if mv.is_castling() && !is_ordinary {
        CastlingStyle::Chess960
    } else {
        wanted
    }
}

/// The position as lines for people.
pub(super) fn board_lines(board: &Board, termination: Option<Termination>) -> String {
    let picture =
        chess::render::board_text(board, chess::Color::White, chess::render::Letters::Ascii);
    let state = termination.map_or("in play".to_owned(), |end| end.to_string());
    format!(
        "{picture}\nfen      {}\nkey      {:016x}\nstate    {state}",
        board.fen(),
        board.key()
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn game(fen: &str, moves: &[&str]) -> Game {
        let mut game = Game::new(Board::from_fen(fen).expect(fen));
        for text in moves {
            let mv = game.board().parse_uci(text).expect(text);
            game.push(mv);
        }
        game
    }

    fn variation(game: &Game, moves: &[&str]) -> Vec<Move> {
        let mut line = game.line().clone();
        let mut found = Vec::new();
        for text in moves {
            let mv = line.board().parse_uci(text).expect(text);
            line.push(mv);
            found.push(mv);
        }
        found
    }

    fn report(game: &Game, moves: &[&str]) -> Report {
        Report {
            depth: 9,
            selective_depth: 14,
            rank: 2,
            score: Score::Centipawns(-31),
            bound: ScoreBound::Exact,
            wdl: [100, 700, 200],
            nodes: 5000,
            time: Duration::from_millis(20),
            table_fill: 3,
            tablebase_hits: 1,
            line: variation(game, moves),
        }
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    #[test]
    fn every_word_stands_in_its_place() {
        let game = game(START, &[]);
        let mut report = report(&game, &["e2e4", "e7e5"]);
        assert_eq!(
            report_line(&report, &game, Style::default()),
            "info depth 9 seldepth 14 multipv 2 score cp -31 nodes 5000 nps 250000 \
             hashfull 3 tbhits 1 time 20 pv e2e4 e7e5"
        );
        report.bound = ScoreBound::Lower;
        report.score = Score::Mate(-3);
        let style = Style {
            shows_wdl: true,
            ..Style::default()
        };
        let line = report_line(&report, &game, style);
        assert!(line.contains(" score mate -3 lowerbound wdl 100 700 200 nodes "));
    }

    #[test]
    fn a_variation_ends_where_it_is_no_longer_legal() {
        let game = game(START, &[]);
        let mut moves = variation(&game, &["e2e4", "e7e5", "g1f3"]);
        moves.push(moves[0]);
        assert_eq!(
            moves_in_words(&game, &moves, CastlingStyle::Standard),
            " e2e4 e7e5 g1f3"
        );
    }

    #[test]
    fn a_variation_ends_with_the_game() {
        let there_and_back = ["g1f3", "g8f6", "f3g1", "f6g8"];
        let game = game(START, &there_and_back);
        // After four plies the start position occurs for the third time.
        let moves = variation(&game, &["g1f3", "g8f6", "f3g1", "f6g8", "e2e4"]);
        assert_eq!(
            moves_in_words(&game, &moves, CastlingStyle::Standard),
            " g1f3 g8f6 f3g1 f6g8"
        );
        let answer = Answer {
            ponder: Some(moves[4]),
            ..Answer::new(Some(moves[3]), Score::Centipawns(0))
        };
        let mut before = game.clone();
        for &mv in &moves[..3] {
            before.push(mv);
        }
        assert_eq!(
            answer_line(&answer, &before, Style::default()),
            "bestmove f6g8"
        );
    }

    #[test]
    fn castling_is_written_so_that_it_cannot_be_mistaken() {
        let ordinary = game("4k3/8/8/8/8/8/8/4K2R w K - 0 1", &[]);
        let moves = variation(&ordinary, &["e1g1"]);
        let words = |game, moves, style| moves_in_words(game, moves, style);
        assert_eq!(words(&ordinary, &moves, CastlingStyle::Standard), " e1g1");
        assert_eq!(words(&ordinary, &moves, CastlingStyle::Chess960), " e1h1");
        // Here f1g1 is an ordinary king move.
        let other = game("4k3/8/8/8/8/8/8/5K1R w K - 0 1", &[]);
        let moves = variation(&other, &["f1h1"]);
        assert_eq!(words(&other, &moves, CastlingStyle::Standard), " f1h1");
    }

    #[test]
    fn no_move_is_told_as_none() {
        let game = game("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", &[]);
        let answer = Answer::new(None, Score::Mate(0));
        assert_eq!(
            answer_line(&answer, &game, Style::default()),
            "bestmove (none)"
        );
        assert_eq!(end_line(answer.score), "info depth 0 score mate 0");
    }
}
