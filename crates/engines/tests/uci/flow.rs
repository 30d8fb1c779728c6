//! What is answered when: stop, ponder, searches that meet, settings during a
//! search. Nothing here measures time; a wrong order hangs or fails.

use crate::client::Client;

fn bestmoves(transcript: &str) -> usize {
    transcript
        .lines()
        .filter(|line| line.starts_with("bestmove"))
        .count()
}

#[test]
fn an_infinite_search_is_answered_only_after_stop() {
    let mut client = Client::start();
    // Mate in one: the search itself has nothing left to do.
    client.send("position fen 6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1");
    client.send("go infinite depth 2");
    client.receive_until("info depth 2");
    for _ in 0..3 {
        assert_eq!(client.ask("isready", ""), "readyok");
    }
    assert_eq!(client.ask("stop", "bestmove"), "bestmove a1a8");
    assert_eq!(bestmoves(&client.quit()), 1);
}

#[test]
fn stop_ends_a_search_without_limits() {
    let mut client = Client::start();
    client.send("go infinite");
    client.receive_until("info depth 1 ");
    client.ask("stop", "bestmove");
    // Without a word that holds it back, too.
    client.send("go");
    client.receive_until("info depth 1 ");
    client.ask("stop", "bestmove");
    assert_eq!(bestmoves(&client.quit()), 2);
}

#[test]
fn readiness_is_told_during_a_search() {
    let mut client = Client::start();
    client.send("go infinite");
    client.send("isready");
    client.receive_until("readyok");
    client.ask("stop", "bestmove");
    client.quit();
}

#[test]
fn pondering_waits_for_the_hit() {
    let mut client = Client::start();
    client.send("position startpos moves e2e4 e7e5");
    client.send("go ponder wtime 50 btime 50");
    // Long after the clock would have run out it still searches.
    client.receive_until("info depth 9 ");
    assert!(
        client
            .answers("position startpos moves e2e4")
            .iter()
            .all(|line| line.starts_with("info"))
    );
    client.ask("ponderhit", "bestmove");
    assert_eq!(bestmoves(&client.quit()), 1);
}

#[test]
fn a_finished_ponder_search_is_told_at_the_hit() {
    let mut client = Client::start();
    client.send("go ponder depth 2");
    client.receive_until("info depth 2 ");
    assert!(client.answers("debug off").is_empty());
    client.ask("ponderhit", "bestmove");
    assert_eq!(bestmoves(&client.quit()), 1);
}

#[test]
fn a_ponder_search_that_missed_is_stopped() {
    let mut client = Client::start();
    client.send("go ponder wtime 1000 btime 1000");
    client.receive_until("info depth 1 ");
    client.ask("stop", "bestmove");
    client.send("position startpos moves d2d4");
    client.ask("go depth 1", "bestmove");
    assert_eq!(bestmoves(&client.quit()), 2);
}

#[test]
fn ponderhit_does_not_end_an_infinite_search() {
    let mut client = Client::start();
    client.send("go infinite ponder depth 1");
    client.receive_until("info depth 1 ");
    assert!(client.answers("ponderhit").is_empty());
    client.ask("stop", "bestmove");
    client.quit();
}

#[test]
fn a_new_search_ends_the_old_one() {
    let mut client = Client::start();
    client.send("position fen 6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1");
    client.send("go infinite");
    client.receive_until("info depth 1 ");
    // The new search asks about another position.
    client.send("position fen 6k1/5ppp/8/8/8/8/8/4K2R w K - 0 1");
    client.send("go depth 2 searchmoves h1h7");
    let first = client.receive_until("bestmove").pop();
    assert_eq!(first.as_deref(), Some("bestmove a1a8"));
    let second = client.receive_until("bestmove");
    assert!(second.iter().any(|line| line.contains(" pv h1h7")));
    assert!(
        second
            .last()
            .is_some_and(|line| line.starts_with("bestmove h1h7"))
    );
    assert_eq!(bestmoves(&client.quit()), 2);
}

#[test]
fn every_search_is_answered_even_if_many_meet() {
    let mut client = Client::start();
    for _ in 0..20 {
        client.send("go infinite");
        client.send("go ponder");
        client.send("go depth 3");
    }
    client.send("isready");
    client.receive_until("readyok");
    assert_eq!(bestmoves(&client.quit()), 60);
}

#[test]
fn a_new_game_ends_a_search() {
    let mut client = Client::start();
    client.send("go infinite");
    client.ask("ucinewgame", "bestmove");
    assert_eq!(bestmoves(&client.quit()), 1);
}

#[test]
fn settings_during_a_search_hold_for_the_next() {
    let mut client = Client::start();
    client.send("go infinite");
    client.receive_until("info depth 1 ");
    client.send("setoption name UCI_ShowWDL value true");
    client.send("setoption name Hash value 1");
    client.send("setoption name Threads value 2");
    client.send("setoption name Clear Hash");
    client.send("stop");
    let first = client.receive_until("bestmove");
    assert!(first.iter().all(|line| !line.contains(" wdl ")));
    client.send("go depth 2");
    let second = client.receive_until("bestmove");
    assert!(second.iter().any(|line| line.contains(" wdl ")));
    client.quit();
}

#[test]
fn a_table_without_memory_becomes_a_small_one() {
    let mut client = Client::start();
    let remarks = client.answers("setoption name Hash value 33554432");
    let expected = "info string not enough memory for Hash 33554432: it is now 16";
    assert_eq!(remarks, [expected]);
    client.ask("go depth 3", "bestmove");
    client.quit();
}

#[test]
fn equal_searches_of_new_games_are_equal() {
    let mut client = Client::start();
    let mut search = || {
        client.send("ucinewgame");
        client.send("position startpos moves d2d4 g8f6");
        client.send("go nodes 5000");
        let lines = client.receive_until("bestmove");
        let without_time = |line: &String| {
            let words: Vec<_> = line.split(' ').collect();
            let timed = |index: usize| index > 0 && matches!(words[index - 1], "nps" | "time");
            let kept = (0..words.len()).filter(|&index| !timed(index));
            kept.map(|index| words[index]).collect::<Vec<_>>().join(" ")
        };
        lines.iter().map(without_time).collect::<Vec<_>>()
    };
    assert_eq!(search(), search());
}

#[test]
fn limits_that_have_run_out_still_give_a_move() {
    let mut client = Client::start();
    for line in [
        "go wtime -100 btime -100",
        "go wtime 0 btime 0 winc 0 binc 0",
        "go movetime 0",
        "go movetime -5",
        "go nodes 0",
        "go depth 0",
        "go btime 100",
        "go movestogo 1",
    ] {
        let answer = client.ask(line, "bestmove");
        assert_ne!(answer, "bestmove (none)", "{line}");
    }
    client.quit();
}

#[test]
fn exactly_as_many_nodes_as_asked_for() {
    let mut client = Client::start();
    client.send("setoption name MultiPV value 3");
    for nodes in [1_u64, 2, 511, 512, 513, 3000] {
        client.send("ucinewgame");
        client.send(&format!("go nodes {nodes}"));
        for line in client.receive_until("bestmove") {
            let told = line
                .split(" nodes ")
                .nth(1)
                .and_then(|rest| rest.split(' ').next());
            let told: Option<u64> = told.and_then(|number| number.parse().ok());
            assert!(told.is_none_or(|told| told <= nodes), "{nodes}: {line}");
        }
    }
    client.quit();
}

#[test]
fn the_bench_ends_with_its_signature() {
    let mut client = Client::start();
    let first = client.ask("bench 2", "");
    assert!(first.starts_with(" 1 of "), "{first}");
    let lines = client.answers("stop");
    let is_summary = |line: &String| line.contains(" nodes ") && line.ends_with(" nps");
    let transcript = client.quit();
    let has_ended =
        lines.iter().any(is_summary) || transcript.lines().any(|line| is_summary(&line.to_owned()));
    assert!(has_ended, "{transcript}");
}
