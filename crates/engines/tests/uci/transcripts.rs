//! Whole conversations, compared word for word; what a better search changes is
//! masked.

use crate::client::{Client, tree_search};
use insta::assert_snapshot;

/// Hides the numbers and moves that depend on the search, the clock or the load.
fn masked(transcript: &str) -> String {
    transcript
        .lines()
        .map(|line| mask_line(line) + "\n")
        .collect()
}

fn mask_line(line: &str) -> String {
    if let Some(rest) = line.strip_prefix("bestmove ") {
        let is_none = rest.starts_with('(');
        return if is_none { line } else { "bestmove [MOVE]" }.to_owned();
    }
    if !line.starts_with("info depth") {
        return line.to_owned();
    }
    let mut masked = Vec::new();
    let mut words = line.split(' ');
    while let Some(word) = words.next() {
        masked.push(word);
        let numbers = match word {
            "seldepth" | "cp" | "nodes" | "nps" | "hashfull" | "time" => 1,
            "wdl" => 3,
            "pv" => {
                masked.push("[MOVES]");
                break;
            }
            _ => 0,
        };
        masked.extend(words.by_ref().take(numbers).map(|_| "[N]"));
    }
    masked.join(" ")
}

fn converse(lines: &[(&str, &str)]) -> String {
    converse_with(Client::start(), lines)
}

fn converse_with(mut client: Client, lines: &[(&str, &str)]) -> String {
    for &(line, until) in lines {
        client.send(line);
        if !until.is_empty() {
            client.receive_until(until);
        }
    }
    masked(&client.quit())
}

#[test]
fn handshake() {
    assert_snapshot!(converse(&[
        ("uci", "uciok"),
        ("isready", "readyok"),
        ("ucinewgame", ""),
        ("isready", "readyok"),
        ("help", "help"),
    ]));
}

#[test]
fn the_tree_search_introduces_itself() {
    let client = Client::start_with(tree_search);
    assert_snapshot!(converse_with(client, &[("uci", "uciok")]));
}

#[test]
fn the_tree_search_tells_visits_priors_and_values() {
    let mut client = Client::start_with(tree_search);
    client.send("setoption name VerboseMoveStats value true");
    client.send("setoption name CPuct value 1.7");
    client.send("position fen 7k/6p1/8/8/8/8/1q6/K7 w - - 0 1");
    client.send("go nodes 20");
    let lines = client.receive_until("bestmove a1b2");
    let told: Vec<_> = lines
        .iter()
        .filter(|line| line.starts_with("info string"))
        .collect();
    assert_eq!(told.len(), 2, "{lines:?}");
    assert!(told[0].starts_with("info string a1b2  N:      19 (+ 0) (P: 100.00%) (WL: "));
    assert!(told[0].contains(" (Q: ") && told[0].contains(" (D: "));
    assert!(
        told[1].starts_with("info string node  N:      20 (+ 0)"),
        "{}",
        told[1]
    );
    client.quit();
}

#[test]
fn searches_of_a_game() {
    assert_snapshot!(converse(&[
        ("position startpos", ""),
        ("go depth 3", "bestmove"),
        ("position startpos moves e2e4 e7e5", ""),
        ("go nodes 1", "bestmove"),
        ("setoption name uci_showwdl value true", ""),
        ("setoption name MultiPV value 2", ""),
        ("go depth 2", "bestmove"),
    ]));
}

#[test]
fn mates_and_positions_without_moves() {
    let mut client = Client::start();
    for (position, answer) in [
        // Mate in one by the rook.
        ("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", "bestmove a1a8"),
        // Mated.
        ("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1", "bestmove (none)"),
        // Stalemate.
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "bestmove (none)"),
    ] {
        client.send(&format!("position fen {position}"));
        assert_eq!(client.ask("go depth 4", "bestmove"), answer, "{position}");
    }
    assert_snapshot!(masked(&client.quit()));
}

#[test]
fn castling_in_both_styles() {
    let mut client = Client::start();
    let answer = |client: &mut Client, line: &str| client.ask(line, "bestmove");
    client.send("position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    let ordinary = answer(&mut client, "go depth 1 searchmoves e1g1");
    assert!(ordinary.starts_with("bestmove e1g1"), "{ordinary}");
    client.send("setoption name UCI_Chess960 value true");
    let chess960 = answer(&mut client, "go depth 1 searchmoves e1g1");
    assert!(chess960.starts_with("bestmove e1h1"), "{chess960}");
    client.send("position fen 1k6/8/8/8/8/8/8/1KR5 w C - 0 1 moves b1c1");
    let answer = answer(&mut client, "go depth 1");
    assert!(answer.starts_with("bestmove b8"), "{answer}");
    client.quit();
}

#[test]
fn what_cannot_be_done_is_told() {
    assert_snapshot!(converse(&[
        ("position startpos moves e2e4 e7e4", "info string"),
        ("position fen 8/8/8/8/8/8/8/8 w - - 0 1", "info string"),
        (
            "position fen rnbqkbnr/pppppppp/8/8 w KQkq - 0 1",
            "info string"
        ),
        ("position sideways", "info string"),
        ("position startpos e2e4", "info string"),
        ("setoption name Hash value lots", "info string"),
        ("setoption name Threads value 0", "info string"),
        ("setoption name Contempt value 3", "info string"),
        ("setoption Hash 3", "info string"),
        ("setoption name EvalFile value /tmp/a.nnue", "info string"),
        ("go depth one searchmoves e2e5 joho", "bestmove"),
        ("bench deep", "info string"),
        ("joho", "info string"),
        ("", ""),
        ("debug on", ""),
        ("register later", ""),
        ("stop", ""),
        ("ponderhit", ""),
        // The start of the game is still there.
        ("d", "state"),
    ]));
}

#[test]
fn leaves_are_counted() {
    assert_snapshot!(converse(&[
        ("position startpos moves e2e4", ""),
        ("go perft 3", "Nodes searched"),
        ("setoption name UCI_Chess960 value true", ""),
        ("position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1", ""),
        ("go perft 1", "Nodes searched"),
    ]));
}
