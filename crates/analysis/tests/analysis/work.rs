//! Many games: threads, interruptions, and engines that fail.

use analysis::{Conditions, Findings, Limit, News, Work, WorkError, introduce};
use data::pgn::{Salvaged, salvage};
use engines::StopSignal;
use engines::recipe::{AlphaBetaRecipe, PlayerSettings, Recipe};
use nets::Model;
use std::fs;
use std::path::Path;
use work::Threads;

const GAMES: &str = "1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n\n\
    1. d4 d5 2. c4 -- 3. cxd5 *\n\n\
    1. f3 e5 2. g4 Qh4# 0-1\n\n\
    1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. Nf3 1/2-1/2\n\n\
    [FEN \"8/8/8/8/8/5k2/5p2/5K2 w - - 0 1\"]\n\n*\n";

fn games() -> Vec<Salvaged> {
    salvage(GAMES.as_bytes())
}

fn inside() -> Recipe {
    Recipe::AlphaBeta(AlphaBetaRecipe::new(Model::classical(), 1))
}

fn program(command: &str, words: &[&str]) -> Recipe {
    let arguments: Vec<String> = words.iter().map(|word| format!("arg={word}")).collect();
    let line = format!("cmd={command} {}", arguments.join(" "));
    let settings = PlayerSettings::from_words(&line).expect("a player");
    settings.recipe().expect("a program")
}

fn badengine(words: &[&str]) -> Recipe {
    program(&test_engines::badengine().display().to_string(), words)
}

fn conditions(player: &Recipe, nodes: u64) -> Conditions {
    Conditions {
        program: "test".to_owned(),
        engine: introduce(player, "test", 1).expect("an engine").0,
        limit: Limit::Nodes(nodes),
        multipv: 2,
        games: Conditions::hash_of_games(GAMES.as_bytes()),
    }
}

/// Does the work, or what is left of it.
fn run(
    player: &Recipe,
    journal: &Path,
    threads: usize,
    hear: &mut dyn FnMut(News),
) -> Result<Option<Vec<Findings>>, WorkError> {
    let work = Work {
        games: &games(),
        player,
        conditions: &conditions(player, 600),
        journal,
        dispatcher: &Threads::new(threads),
    };
    work.run(&StopSignal::new(), hear)
}

#[test]
fn neither_threads_nor_interruptions_matter() {
    let folder = tempfile::tempdir().expect("a folder");
    let journal = folder.path().join("journal");
    let mut heard = Vec::new();
    let alone = run(&inside(), &journal, 1, &mut |news| heard.push(news)).expect("analysed");
    let alone = alone.expect("all of them");
    assert_eq!(alone.len(), 5);
    assert_eq!(alone[0].0.len(), 8);
    assert!(alone[0].0[7].lines.is_empty(), "a mate needs no search");
    assert!(alone[4].0[0].lines.is_empty(), "nor does a stalemate");
    let begun = News::Begun {
        finished: 0,
        positions: 8 + 6 + 5 + 10 + 1,
    };
    assert_eq!(heard.first(), Some(&begun));
    assert_eq!(
        heard.iter().filter(|news| **news == News::Finished).count(),
        5
    );
    let whole = fs::read(&journal).expect("a journal");
    // Killed at any byte: what is torn is done again.
    let first_line = whole
        .iter()
        .position(|&byte| byte == b'\n')
        .expect("a line");
    let step = whole.len() / 12;
    for cut in [0, 1, first_line, first_line + 1]
        .into_iter()
        .chain((1..12).map(|part| part * step))
    {
        fs::write(&journal, &whole[..cut]).expect("cut");
        let again = run(&inside(), &journal, 3, &mut |_| {}).expect("analysed");
        assert!(again.as_ref() == Some(&alone), "cut at {cut}");
    }
    let mut left = None;
    let hear = &mut |news| left = left.or(Some(news));
    assert!(
        run(&inside(), &journal, 1, hear)
            .expect("nothing to do")
            .is_some()
    );
    assert_eq!(
        left,
        Some(News::Begun {
            finished: 5,
            positions: 0
        })
    );
}

#[test]
fn work_that_is_told_to_stop_keeps_what_is_finished() {
    let folder = tempfile::tempdir().expect("a folder");
    let journal = folder.path().join("journal");
    let engine = inside();
    let conditions = conditions(&engine, 600);
    let stop = StopSignal::new();
    let games = games();
    let work = Work {
        games: &games,
        player: &engine,
        conditions: &conditions,
        journal: &journal,
        dispatcher: &Threads::new(1),
    };
    stop.stop();
    assert!(work.run(&stop, &mut |_| {}).expect("stopped").is_none());
    let rest = work.run(&StopSignal::new(), &mut |_| {}).expect("analysed");
    let other = folder.path().join("other");
    assert_eq!(
        rest,
        run(&engine, &other, 2, &mut |_| {}).expect("analysed")
    );
    work.forget().expect("removed");
    assert!(!journal.exists());
}

#[test]
fn a_journal_of_another_analysis_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let journal = folder.path().join("journal");
    run(&inside(), &journal, 1, &mut |_| {}).expect("analysed");
    let engine = inside();
    let refused = |conditions: &Conditions| {
        let games = games();
        let work = Work {
            games: &games,
            player: &engine,
            conditions,
            journal: &journal,
            dispatcher: &Threads::new(1),
        };
        let error = work
            .run(&StopSignal::new(), &mut |_| {})
            .expect_err("refused");
        error
            .to_string()
            .split_once("journal: ")
            .expect("the file")
            .1
            .to_owned()
    };
    assert_eq!(
        refused(&conditions(&engine, 700)),
        "this journal is of another analysis: conditions.limit.nodes is 600 there and 700 here; \
         delete it to begin anew"
    );
    let text = fs::read_to_string(&journal).expect("a journal");
    fs::write(&journal, text.replace("\"game\":0", "\"game\":1")).expect("changed");
    let error = run(&engine, &journal, 1, &mut |_| {})
        .expect_err("refused")
        .to_string();
    assert!(error.contains("this is no such game"), "{error}");
    fs::write(&journal, "no journal\n").expect("changed");
    let error = run(&engine, &journal, 1, &mut |_| {})
        .expect_err("refused")
        .to_string();
    assert!(error.contains(":1: this is no analysis journal"), "{error}");
}

#[test]
fn an_engine_that_dies_is_started_again() {
    let folder = tempfile::tempdir().expect("a folder");
    let good = run(
        &badengine(&["correct"]),
        &folder.path().join("good"),
        1,
        &mut |_| {},
    );
    let good = good.expect("analysed").expect("all of them");
    // No game has more than ten positions: it dies once in most games.
    for words in [["crash", "11"], ["exit", "11"], ["illegal", "11"]] {
        let journal = folder.path().join(words[0]);
        let found = run(&badengine(&words), &journal, 1, &mut |_| {}).expect("analysed");
        assert!(found.as_ref() == Some(&good), "{words:?}");
    }
}

#[test]
fn an_engine_that_dies_twice_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let journal = folder.path().join("journal");
    // The game that has eight searches, after one that has seven.
    let error = run(&badengine(&["crash", "8"]), &journal, 1, &mut |_| {}).expect_err("dead");
    let message = error.to_string();
    assert!(
        message.contains("badengine failed twice in game 4: it crashed: "),
        "{message}"
    );
    // What was finished is kept.
    let mut first = None;
    let hear = &mut |news| first = first.or(Some(news));
    let found = run(&badengine(&["correct"]), &journal, 1, hear);
    assert!(
        matches!(found, Err(WorkError::Journal(_))),
        "another engine goes not on"
    );
    let text = fs::read_to_string(&journal).expect("a journal");
    assert_eq!(text.lines().count(), 1 + 3);
}

#[test]
fn an_engine_that_cannot_start_is_named() {
    let missing = program("no-such-engine", &[]);
    let error = introduce(&missing, "test", 1)
        .expect_err("no engine")
        .to_string();
    assert!(
        error.starts_with("cannot start no-such-engine: "),
        "{error}"
    );
}
