//! Many games: threads, interruptions, and engines that fail.

use crate::told::{games_of, survey};
use analysis::{
    AnalysisError, Conditions, Findings, Found, Games, GamesError, Limit, News, Work, introduce,
    without_folders,
};
use data::pgn::salvage;
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

fn games() -> Games {
    games_of(GAMES, StopSignal::new())
}

/// What was found in all games.
fn all(found: &Found) -> Vec<Findings> {
    let games = salvage(GAMES.as_bytes()).into_iter().enumerate();
    games
        .map(|(number, game)| found.findings(number, &game.game).expect("readable"))
        .collect()
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
        games: survey(&games()).hash,
    }
}

/// Does the work, or what is left of it.
fn run(
    player: &Recipe,
    journal: &Path,
    threads: usize,
    hear: &mut dyn FnMut(News),
) -> Result<Option<Vec<Findings>>, AnalysisError> {
    run_on(
        &games(),
        player,
        &conditions(player, 600),
        journal,
        threads,
        hear,
    )
}

fn run_on(
    games: &Games,
    player: &Recipe,
    conditions: &Conditions,
    journal: &Path,
    threads: usize,
    hear: &mut dyn FnMut(News),
) -> Result<Option<Vec<Findings>>, AnalysisError> {
    let work = Work {
        games,
        survey: &survey(&self::games()),
        player,
        conditions,
        journal,
        author: None,
        dispatcher: &Threads::new(threads),
    };
    Ok(work.run(hear)?.as_ref().map(all))
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
    let stopped = games_of(GAMES, stop.clone());
    let run_on = |games: &Games, hear: &mut dyn FnMut(News)| {
        run_on(games, &engine, &conditions, &journal, 1, hear).expect("good")
    };
    // No more than three others are begun before the first is received.
    let mut finished = 0;
    let found = run_on(&stopped, &mut |news| {
        finished += usize::from(news == News::Finished);
        if finished == 1 {
            stop.stop();
        }
    });
    assert_eq!(found, None);
    assert!(matches!(
        stopped.survey(&mut |_, _| {}),
        Err(GamesError::Stopped)
    ));
    let mut begun = None;
    let rest = run_on(&games(), &mut |news| begun = begun.or(Some(news)));
    assert!(
        matches!(begun, Some(News::Begun { finished: 1..5, .. })),
        "{begun:?}"
    );
    let other = folder.path().join("other");
    assert_eq!(
        rest,
        run(&engine, &other, 2, &mut |_| {}).expect("analysed")
    );
}

#[test]
fn a_journal_is_forgotten_at_the_end() {
    let folder = tempfile::tempdir().expect("a folder");
    let journal = folder.path().join("journal");
    let (games, engine) = (games(), inside());
    let work = Work {
        games: &games,
        survey: &survey(&games),
        player: &engine,
        conditions: &conditions(&engine, 10),
        journal: &journal,
        author: None,
        dispatcher: &Threads::new(1),
    };
    let found = work.run(&mut |_| {}).expect("analysed");
    assert!(journal.exists());
    found.expect("all of them").forget().expect("removed");
    assert!(!journal.exists());
}

#[test]
fn games_that_change_meanwhile_are_noticed() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.pgn");
    fs::write(&path, "1. e4 *\n").expect("written");
    let games = Games::of_file(&path, StopSignal::new());
    let engine = inside();
    let conditions = conditions(&engine, 10);
    let journal = folder.path().join("journal");
    let error = run_on(&games, &engine, &conditions, &journal, 1, &mut |_| {});
    let error = error.expect_err("one game of five").to_string();
    assert!(error.contains("the games have changed since"), "{error}");
    fs::write(&path, "").expect("written");
    let error = games.survey(&mut |_, _| {}).expect_err("no games");
    assert!(error.to_string().ends_with("the file contains no games"));
}

#[test]
fn a_game_that_is_too_long_is_named() {
    let games = |moves: usize| format!("1. e4 *\n\n{}*", "Nf3 Nf6 Ng1 Ng8 ".repeat(moves / 4));
    survey(&games_of(&games(20_000), StopSignal::new()));
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("games.pgn");
    fs::write(&path, games(20_004)).expect("written");
    let long = Games::of_file(&path, StopSignal::new()).survey(&mut |_, _| {});
    let error = long.expect_err("too long").to_string();
    assert!(
        error.contains("games.pgn: game 2 has more than 20000 moves"),
        "{error}"
    );
}

#[test]
fn files_are_named_without_their_folders() {
    for (word, name) in [
        ("/usr/bin/engine", "engine"),
        ("./engine", "engine"),
        ("engine", "engine"),
        ("model=nets/my.nnue", "model=my.nnue"),
        (
            "option.SyzygyPath=/tables/5:/tables/6/",
            "option.SyzygyPath=5:6",
        ),
        ("--file=a/b=c", "--file=b=c"),
        ("a/b=c", "b=c"),
        ("/", "/"),
        ("Hash=16", "Hash=16"),
    ] {
        assert_eq!(without_folders(word), name);
    }
}

#[test]
fn a_journal_of_another_analysis_is_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let journal = folder.path().join("journal");
    run(&inside(), &journal, 1, &mut |_| {}).expect("analysed");
    let engine = inside();
    let refused = |conditions: &Conditions| {
        let error =
            run_on(&games(), &engine, conditions, &journal, 1, &mut |_| {}).expect_err("refused");
        error
            .to_string()
            .split_once("journal: ")
            .expect("the file")
            .1
            .to_owned()
    };
    assert_eq!(
        refused(&conditions(&engine, 700)),
        "this journal belongs to another analysis: conditions.limit.nodes is 600 there and 700 \
         here; delete it to start over"
    );
    let text = fs::read_to_string(&journal).expect("a journal");
    fs::write(&journal, text.replace("\"game\":0", "\"game\":1")).expect("changed");
    let error = run(&engine, &journal, 1, &mut |_| {})
        .expect_err("refused")
        .to_string();
    assert!(error.contains("the file has no such game"), "{error}");
    fs::write(&journal, "no journal\n").expect("changed");
    let error = run(&engine, &journal, 1, &mut |_| {})
        .expect_err("refused")
        .to_string();
    assert!(
        error.contains(":1: not a valid analysis journal"),
        "{error}"
    );
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
        matches!(found, Err(AnalysisError::Journal(_))),
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
