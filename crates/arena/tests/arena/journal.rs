//! The journal is the truth: whatever happens to a run, no finished game is
//! played twice, and none is lost.

use arena::game::{Endings, Played, Rules};
use arena::journal::Finished;
use arena::journal::GameLine;
use arena::ledger::Ledger;
use arena::plan::{OpeningsPlan, Plan};
use arena::run::{Conclusion, JOURNAL_FILE, News, PGN_FILE, Run, RunError};
use arena::schedule::Format;
use arena::statistics::{Model, Sprt};
use arena::verdict::Verdict;
use chess::{Board, Color, Game};
use data::journal::{Author, Build};
use data::pgn::Reader;
use engines::StopSignal;
use engines::recipe::{PlayerSettings, resolve};
use serde_json::Value;
use std::fs;
use std::path::Path;
use tempfile::TempDir;
use work::{Stopping, Threads};

fn opening(number: usize) -> Game {
    let mut game = Game::new(Board::start());
    for pick in [number % 20, number / 20 % 20] {
        let mv = game.board().legal_moves()[pick];
        game.play(mv).expect("a legal move");
    }
    game
}

fn plan(players: &[&str], games: u64) -> Plan {
    let settings = players
        .iter()
        .map(|line| PlayerSettings::from_words(line).expect("settings"));
    let specs = resolve(settings.collect(), &PlayerSettings::default()).expect("players");
    let openings = OpeningsPlan {
        source: "two plies".to_owned(),
        count: 400,
        digest: "none".to_owned(),
    };
    let endings = Endings {
        horizon: Some(30),
        ..Endings::default()
    };
    Plan::new(specs, Format::RoundRobin, games, openings, endings)
}

const THREE: [&str; 3] = ["name=a nodes=60", "name=b nodes=30", "name=c depth=1"];

fn play_with(
    plan: &Plan,
    folder: &Path,
    concurrency: usize,
    stop: &StopSignal,
    listen: &mut dyn FnMut(News<'_>, &Ledger),
) -> Result<Conclusion, RunError> {
    play_by(None, plan, folder, concurrency, stop, listen)
}

fn play_by(
    author: Option<&Author>,
    plan: &Plan,
    folder: &Path,
    concurrency: usize,
    stop: &StopSignal,
    listen: &mut dyn FnMut(News<'_>, &Ledger),
) -> Result<Conclusion, RunError> {
    let rules = Rules::open(plan.endings.clone()).expect("rules");
    let run = Run {
        plan,
        contestants: &plan.players,
        opening: &opening,
        rules: &rules,
        folder,
        event: "test",
        author,
        dispatcher: &Threads::new(concurrency),
        most_failures: 10,
        prepare: &|_| {},
        stopping: Stopping::GiveUp,
    };
    run.play(stop, listen)
}

/// Plays to the end and tells how many games were played now.
fn play(plan: &Plan, folder: &Path, concurrency: usize) -> (Conclusion, usize) {
    let mut played = 0;
    let conclusion = play_with(
        plan,
        folder,
        concurrency,
        &StopSignal::new(),
        &mut |news, _| {
            played += usize::from(matches!(news, News::Finished(_)));
        },
    );
    (conclusion.expect("a run"), played)
}

fn folder() -> TempDir {
    tempfile::tempdir().expect("a folder for the test")
}

/// The games of a journal by number, without their times.
fn games(folder: &Path) -> Vec<Value> {
    let text = fs::read_to_string(folder.join(JOURNAL_FILE)).expect("a journal");
    assert!(text.ends_with('\n'));
    let mut games: Vec<Value> = text
        .lines()
        .skip(1)
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    for game in &mut games {
        let fields = game.as_object_mut().expect("an object");
        for time in ["started", "milliseconds", "times"] {
            assert!(fields.remove(time).is_some(), "{time}");
        }
    }
    games.sort_by_key(|game| game["index"].as_u64());
    games
}

/// The PGN without times.
fn pgn(folder: &Path) -> String {
    let text = fs::read_to_string(folder.join(PGN_FILE)).expect("games");
    let is_time = |line: &str| {
        ["[Date ", "[GameStartTime ", "[GameDuration "]
            .iter()
            .any(|tag| line.starts_with(tag))
    };
    let lines = text.lines().filter(|line| !is_time(line));
    let words = lines.flat_map(|line| line.split(' '));
    words
        .filter(|word| !word.trim_end_matches('}').ends_with('s'))
        .collect::<Vec<_>>()
        .join(" ")
}

#[test]
fn a_run_torn_at_any_byte_is_resumed() {
    let plan = plan(&THREE, 4);
    let whole = folder();
    let (conclusion, played) = play(&plan, whole.path(), 2);
    assert_eq!(conclusion.verdict, Some(Verdict::AllPlayed));
    assert_eq!(played, 12);
    let text = fs::read(whole.path().join(JOURNAL_FILE)).expect("a journal");
    let expected = games(whole.path());
    let expected_pgn = pgn(whole.path());
    // From the middle of the plan to the last byte but one, at odd places.
    let cuts = (0..10).map(|tenth| 7 + (text.len() - 8) * tenth / 9);
    for cut in cuts.chain([text.len() - 1]) {
        let torn = folder();
        fs::write(torn.path().join(JOURNAL_FILE), &text[..cut]).expect("a torn journal");
        let kept = text[..cut].iter().filter(|&&byte| byte == b'\n').count();
        let (conclusion, played) = play(&plan, torn.path(), 1 + cut % 3);
        assert_eq!(played, 12 - kept.saturating_sub(1), "cut at {cut}");
        assert_eq!(conclusion.ledger.pairs(), 6);
        assert_eq!(games(torn.path()), expected, "cut at {cut}");
        assert_eq!(pgn(torn.path()), expected_pgn, "cut at {cut}");
    }
}

#[test]
fn a_finished_run_is_not_played_again() {
    let plan = plan(&THREE[..2], 2);
    let folder = folder();
    let (first, _) = play(&plan, folder.path(), 1);
    let before = fs::read(folder.path().join(JOURNAL_FILE)).expect("a journal");
    fs::remove_file(folder.path().join(PGN_FILE)).expect("it was written");
    let (second, played) = play(&plan, folder.path(), 2);
    assert_eq!(played, 0);
    assert_eq!(second.ledger.meetings(), first.ledger.meetings());
    let after = fs::read(folder.path().join(JOURNAL_FILE)).expect("a journal");
    assert_eq!(before, after);
    assert!(folder.path().join(PGN_FILE).exists(), "it is made anew");
}

#[test]
fn a_stopped_run_is_resumed() {
    let plan = plan(&THREE[..2], 20);
    let folder = folder();
    let stop = StopSignal::new();
    let mut played = 0;
    let stopped = play_with(&plan, folder.path(), 2, &stop, &mut |news, _| {
        played += usize::from(matches!(news, News::Finished(_)));
        if played == 5 {
            stop.stop();
        }
    });
    assert_eq!(stopped.expect("a run").verdict, None);
    let (conclusion, rest) = play(&plan, folder.path(), 2);
    assert_eq!(played + rest, 20);
    assert_eq!(conclusion.verdict, Some(Verdict::AllPlayed));
}

fn refusal(plan: &Plan, folder: &Path) -> String {
    let refused = play_with(plan, folder, 1, &StopSignal::new(), &mut |_, _| {});
    let words = refused.expect_err("no run").to_string();
    assert_eq!(words.lines().count(), 1, "{words}");
    words
        .split_once(JOURNAL_FILE)
        .expect("the journal is named")
        .1
        .to_owned()
}

#[test]
fn the_journal_of_another_plan_is_refused() {
    let folder = folder();
    play(&plan(&THREE[..2], 2), folder.path(), 1);
    assert_eq!(
        refusal(
            &plan(&["name=a nodes=60", "name=b nodes=31"], 2),
            folder.path()
        ),
        ": this journal belongs to another match: plan.players[1].nodes is 30 there and 31 here; \
         give another folder with --out"
    );
    let longer = refusal(&plan(&THREE[..2], 4), folder.path());
    assert!(
        longer.contains(": plan.games is 2 there and 4 here;"),
        "{longer}"
    );
}

#[test]
fn a_match_of_another_build_is_refused_unless_it_is_accepted() {
    let plan = plan(&THREE[..2], 2);
    let folder = folder();
    let play = |signature, accepts_others| {
        let author = Author {
            build: Build {
                signature,
                arithmetic: "avx2".to_owned(),
                format: 1,
            },
            accepts_others,
        };
        let stop = StopSignal::new();
        play_by(
            Some(&author),
            &plan,
            folder.path(),
            1,
            &stop,
            &mut |_, _| {},
        )
    };
    assert_eq!(play(1, false).expect("played").builds.len(), 1);
    let refused = play(2, false).expect_err("another build").to_string();
    assert!(
        refused.contains("this match was started by another build"),
        "{refused}"
    );
    let signatures = |builds: Vec<Build>| builds.iter().map(|build| build.signature).collect();
    let accepted: Vec<u64> = signatures(play(2, true).expect("accepted").builds);
    assert_eq!(accepted, [1, 2]);
}

#[test]
fn a_journal_in_use_is_refused() {
    let plan = plan(&THREE[..2], 2);
    let folder = folder();
    play(&plan, folder.path(), 1);
    let file = fs::File::open(folder.path().join(JOURNAL_FILE)).expect("a journal");
    file.lock().expect("a lock");
    assert_eq!(
        refusal(&plan, folder.path()),
        ": another process is working on this match"
    );
}

#[test]
fn broken_lines_are_named() {
    let plan = plan(&THREE[..2], 4);
    let whole = folder();
    play(&plan, whole.path(), 1);
    let text = fs::read_to_string(whole.path().join(JOURNAL_FILE)).expect("a journal");
    let lines: Vec<&str> = text.lines().collect();
    let broken = |lines: &[&str]| {
        let folder = folder();
        let text = lines.join("\n") + "\n";
        fs::write(folder.path().join(JOURNAL_FILE), text).expect("written");
        refusal(&plan, folder.path())
    };
    assert!(broken(&["joho"]).starts_with(":1: not a valid match journal: "));
    assert!(broken(&[lines[1]]).starts_with(":1: not a valid match journal: "));
    assert!(broken(&[lines[0], "{", lines[1]]).starts_with(":2: not a valid game: "));
    assert_eq!(
        broken(&[lines[0], lines[1], lines[1]]),
        ":3: game 0 occurs twice; restore the file, or give another folder with --out"
    );
    let newer = lines[0].replace("\"format\":1", "\"format\":2");
    assert!(broken(&[&newer]).contains(": format is 2 there and 1 here; "));
    let swapped = lines[1].replace("\"white\":\"a\"", "\"white\":\"c\"");
    let words = broken(&[lines[0], &swapped]);
    assert!(words.starts_with(":2: game 0 is not between a and b in round 0; "));
    let illegal = lines[1].replace("\"moves\":\"", "\"moves\":\"a1a5 ");
    let words = broken(&[lines[0], &illegal]);
    assert!(words.starts_with(":2: game 0 has an illegal move; "));
    let beyond = lines[1].replace("\"index\":0", "\"index\":4");
    assert!(broken(&[lines[0], &beyond]).starts_with(":2: the plan has no game 4; "));
}

#[test]
fn games_are_written_as_pgn() {
    let plan = plan(
        &[
            "name=a nodes=60 model=classical",
            "name=b tc=100+1 depth=1 model=classical",
        ],
        2,
    );
    let folder = folder();
    play(&plan, folder.path(), 1);
    let journal = games(folder.path());
    let path = folder.path().join(PGN_FILE);
    let reader = Reader::open(&path).expect("games");
    let read: Vec<_> = reader.map(|game| game.expect("a whole game")).collect();
    assert_eq!(read.len(), 2);
    for (index, (game, line)) in read.iter().zip(&journal).enumerate() {
        let tag = |name: &str| game.tags().get(name).unwrap_or_default().to_owned();
        let [white, black] = if index == 0 { ["a", "b"] } else { ["b", "a"] };
        assert_eq!((tag("White"), tag("Black")), (white.into(), black.into()));
        assert_eq!(tag("Event"), "test");
        assert_eq!(tag("Round"), format!("1.{}", index + 1));
        assert_eq!(tag("Result"), line["result"]);
        assert_eq!(tag("PlyCount"), line["plies"].to_string());
        let controls = (tag("WhiteTimeControl"), tag("BlackTimeControl"));
        let expected = if index == 0 {
            ("-", "100+1")
        } else {
            ("100+1", "-")
        };
        assert_eq!(controls, (expected.0.into(), expected.1.into()));
        assert_eq!(tag("Termination"), "adjudication");
        assert_eq!(tag("GameDuration"), "00:00:00");
        let moves = &game.moves.moves;
        assert_eq!(moves.len() as u64, line["plies"]);
        assert_eq!(moves[0].comments, ["book"]);
        let said = &moves[2].comments[0];
        let score = line["scores"][0].as_i64().expect("centipawns");
        let beginning = format!("{:+.2}/{} ", score as f64 / 100.0, line["depths"][0]);
        assert!(said.starts_with(&beginning), "{said}");
        let end = moves.last().and_then(|last| last.comments.last());
        assert_eq!(end.map(String::as_str), Some("draw by the horizon"));
    }
}

#[test]
fn a_test_ends_at_the_same_pair_for_any_concurrency() {
    let sprt = Sprt::new(0.0, 300.0, 0.2, 0.2, Model::Normalized).expect("a test");
    let mut plan = plan(&["name=a nodes=400", "name=b nodes=20"], 2000);
    plan.endings.horizon = Some(80);
    plan.endings.at_horizon = "material".parse().expect("a rule");
    plan.sprt = Some(sprt);
    let runs = [1, 2, 4].map(|concurrency| {
        let folder = folder();
        let (conclusion, _) = play(&plan, folder.path(), concurrency);
        let pairs = conclusion.ledger.pairs();
        let prefix: Vec<Value> = games(folder.path()).into_iter().take(2 * pairs).collect();
        (conclusion.verdict, pairs, prefix, pgn(folder.path()))
    });
    assert_eq!(runs[0].0, Some(Verdict::Accepted));
    assert!(runs[0].1 < 100, "{} pairs", runs[0].1);
    assert_eq!(runs[0], runs[1]);
    assert_eq!(runs[0], runs[2]);
}

#[test]
fn castling_in_chess960_survives_the_journal() {
    // Castling long, the king does not move at all.
    let fen = "1rk2r2/pppppppp/8/8/8/8/PPPPPPPP/1RK2R2 w FBfb - 0 1";
    let mut game = Game::new(Board::from_fen(fen).expect("a position"));
    for text in ["c1b1", "c8f8", "a2a3"] {
        let mv = game.board().parse_uci(text).expect("a legal move");
        game.play(mv).expect("a legal move");
    }
    let plan = plan(&["name=a nodes=1", "name=b nodes=1"], 2);
    let finished = Finished {
        fixture: plan.schedule().expect("a schedule").fixture(0),
        started: std::time::SystemTime::now(),
        played: Played::forfeit(game.clone(), Color::Black, "is gone".to_owned()),
    };
    let line = GameLine::new(&finished, "a", "b");
    let text = serde_json::to_string(&line).expect("JSON");
    let read: GameLine = serde_json::from_str(&text).expect("a line");
    assert_eq!(read, line);
    let moves: Vec<_> = read.moves().expect("legal moves");
    let moves: Vec<_> = moves.into_iter().map(|(mv, _)| mv).collect();
    assert_eq!(moves, game.moves());
    let pgn = arena::pgn::game(&read, &plan, "test").expect("a game");
    let text = pgn.to_string();
    assert!(text.contains("[Variant \"Chess960\"]\n"), "{text}");
    assert!(
        text.contains("1. O-O-O { book } 1... O-O { book } 2. a3 { book } { Black is gone } 1-0"),
        "{text}"
    );
    let folder = folder();
    let path = folder.path().join("game.pgn");
    fs::write(&path, &text).expect("written");
    let mut reader = Reader::open(&path).expect("a file");
    let again = reader.next().expect("a game").expect("a whole game");
    assert_eq!(again.to_string(), text);
}
