//! Learners that learn from their own tree searches, in whole runs.

use crate::miniature::{Place, finish, made, results, work};
use arena::journal::GameLine;
use arena::selfplay::explore::GameSummary;
use lab::{Ending, Event};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

/// All four phases, with resignations that are played on.
const FILE: &str = "\
generations = 2
seeds = [5]
[policy]
hidden = 128
[value]
hidden = 32
[selfplay]
positions = 400
book = 'start'
random_plies = 2
horizon = 40
[explore]
simulations = [10, 12]
cheap_simulations = 4
policy_plies = 2
temperature_factor = { from = 1.0, to = 0.5, until = 2 }
resign = { value = 0.02, moves = 2, from_ply = 6, play_through = 0.5 }
[buffer]
positions = 700
[train]
kind = 'policy'
batch = 64
uses = 3
ema = 0.9
checkpoint_steps = 5
learning_rate_factor = { from = 1.0, to = 0.1, until = 2 }
[gate]
games = 4
nodes = 12
horizon = 30
random_plies = 2
sprt = { elo0 = 0, elo1 = 50 }
at_cap = 'likelier'
option = { CPuct = 1.25 }
[eval]
games = 2
every = 2
nodes = 10
option = { Temperature = 0.5 }
[verdict]
games = 4
[keep]
npz = true
";

/// Steps of that run: the first net, six for the first generation, one more for the second,
/// and the final match.
const STEPS: usize = 1 + 6 + 7 + 1;

/// Nets, shards, games, arrays and tables of a run, by path.
fn files(path: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    let mut folders = vec![path.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder") {
            let entry = entry.expect("an entry").path();
            if entry.is_dir() {
                folders.push(entry);
                continue;
            }
            let name = entry.strip_prefix(path).expect("a path below");
            let name = name.display().to_string();
            let endings = [".tabianet", ".policy", ".npz", "arena.csv", ".heuristic"];
            if name.contains("/games/") || endings.iter().any(|end| name.ends_with(end)) {
                files.insert(name, fs::read(&entry).expect("a file"));
            }
        }
    }
    files
}

fn assert_same(run: &Place, other: &Place, how: &str) {
    let [own, wanted] = [run, other].map(|place| files(&place.path));
    let names = |files: &BTreeMap<String, Vec<u8>>| files.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(&own), names(&wanted), "{how}");
    for (name, bytes) in &own {
        assert!(*bytes == wanted[name], "{how}: {name} differs");
    }
    assert_eq!(results(&run.path), results(&other.path), "{how}");
}

/// The run of [`FILE`], for those who change nothing in it.
fn undisturbed() -> &'static Place {
    static RUN: LazyLock<Place> = LazyLock::new(|| made(FILE));
    &RUN
}

#[test]
fn threads_and_stops_change_nothing() {
    for threads in [1, 3] {
        let run = Place::new();
        finish(&run.path, FILE, threads);
        assert_same(&run, undisturbed(), &format!("{threads} threads"));
    }
    let run = Place::new();
    for session in 1.. {
        let mut events = 0;
        let ending = work(&run.path, FILE, 2, &mut |news| {
            let is_within = matches!(
                news,
                Event::SelfPlay { .. } | Event::Training { .. } | Event::Match { .. }
            );
            events += u32::from(is_within);
            events >= 9 + session % 5
        });
        if let Ending::Finished(_) = ending.expect("no failure") {
            assert!(session > 3, "{session} sessions");
            break;
        }
        assert!(session < 200, "it never ends");
    }
    assert_same(&run, undisturbed(), "stopped within steps");
}

#[test]
fn a_kill_between_files_and_state_changes_nothing() {
    assert_eq!(results(&undisturbed().path).len(), STEPS);
    let run = made(FILE);
    let state = run.file("state.jsonl");
    for (lines, torn) in [(2, 0), (3, 9), (4, 0), (5, 1), (8, 0), (9, 3), (16, 0)] {
        let text = fs::read_to_string(&state).expect("a state");
        let whole: Vec<&str> = text.split_inclusive('\n').collect();
        let mut kept = whole[..lines].concat();
        kept += &whole[lines][..torn];
        fs::write(&state, kept).expect("room");
        finish(&run.path, FILE, 2);
        assert_same(&run, undisturbed(), &format!("killed after {lines} lines"));
    }
}

/// What is written for people and other programs is what the state and the journals say.
#[test]
fn tables_and_lines_agree_with_the_journals() {
    let run = undisturbed();
    let steps = results(&run.path);
    let of = |step: &str, generation: u64| {
        let is_wanted =
            |line: &&serde_json::Value| line["step"] == step && line["generation"] == generation;
        steps.iter().find(is_wanted).expect("a step")["result"].clone()
    };
    for generation in 1..=2 {
        let lines = run.text(&format!("main/seed-5/games/generation-{generation}.jsonl"));
        let games: Vec<GameSummary> = (lines.lines())
            .map(|line| serde_json::from_str(line).expect("a game"))
            .collect();
        let totals = &of("selfplay", generation)["totals"];
        assert_eq!(totals["games"], games.len());
        assert_eq!(
            totals["plies"],
            games.iter().map(|game| game.plies).sum::<u32>()
        );
        let resigned = games.iter().filter(|game| game.resignation.is_some());
        assert_eq!(totals["explored"]["resigned"], resigned.count());
        let simulations: u64 = games.iter().map(|game| game.simulations).sum();
        assert_eq!(totals["explored"]["simulations"], simulations);
        let pgn = run.text(&format!("main/seed-5/games/generation-{generation}.pgn"));
        assert_eq!(pgn.matches("[Event ").count(), games.len());
        assert!(pgn.contains(&format!("[Event \"main, generation {generation}\"]")));
    }
    let table = run.text("main/seed-5/arena.csv");
    let rows: Vec<Vec<&str>> = (table.lines().skip(1))
        .map(|line| line.splitn(16, ',').collect())
        .collect();
    let opponents: Vec<[&str; 2]> = rows.iter().map(|row| [row[0], row[1]]).collect();
    assert_eq!(
        opponents,
        [
            ["1", "previous"],
            ["1", "generation 0"],
            ["2", "previous"],
            ["2", "generation 0"],
            ["2", "for the record"],
        ]
    );
    for (row, folder) in rows.iter().zip([
        "matches/generation-1-against-previous",
        "matches/generation-1-against-generation-0",
        "matches/generation-2-against-previous",
        "matches/generation-2-against-generation-0",
        "evaluations/generation-2",
    ]) {
        let journal = run.text(&format!("main/seed-5/{folder}/journal.jsonl"));
        let games: Vec<GameLine> = (journal.lines())
            .filter_map(|line| serde_json::from_str(line).ok())
            .collect();
        let drawn = games.iter().filter(|game| game.result.winner().is_none());
        assert_eq!(row[2], games.len().to_string(), "{folder}");
        assert_eq!(row[4], drawn.count().to_string(), "{folder}");
    }
}

/// The report tells of resignations, values and repeated games.
#[test]
fn the_report_shows_the_audit() {
    let report = undisturbed().text("report.md");
    for words in [
        "Exploration",
        "false among those played out",
        "repeated games",
        "mean result",
    ] {
        assert!(report.contains(words), "{words}");
    }
    let arrays = undisturbed().file("main/seed-5/games/generation-1.1.npz");
    assert!(arrays.is_file());
}

/// A run can begin with what is written by hand, end by hours, forget shards, and learn a
/// ResNet.
#[test]
fn other_beginnings_and_ends() {
    let file = FILE
        .replace(
            "sprt = { elo0 = 0, elo1 = 50 }\nat_cap = 'likelier'",
            "elo_above = [10_000]",
        )
        .replace(
            "[keep]\nnpz = true",
            "[keep]\nshards = false\ngames = false",
        )
        .replace("positions = 700", "generations = 1")
        + "[generation_0]\nmodel = 'heuristic'\n";
    let run = made(&file);
    // Nothing beats the heuristic by so much: it still explores.
    assert_eq!(
        run.text("main/seed-5/nets/version-2.heuristic"),
        "heuristic\n"
    );
    assert!(!run.file("main/seed-5/shards/generation-1.policy").exists());
    assert!(run.file("main/seed-5/shards/generation-2.policy").exists());
    assert!(!run.file("main/seed-5/games").exists());

    let run = made(&format!("hours = 0.0000001\n{FILE}"));
    assert_eq!(
        results(&run.path).len(),
        2,
        "the first net and the final match"
    );
    let rows = lab::runs::look(&run.path, &train::learners()).expect("a run");
    assert!(rows.finished && rows.rows.is_empty());

    let file = FILE
        .replace(
            "[policy]\nhidden = 128\n[value]\nhidden = 32\n",
            "[net]\nchannels = 8\nblocks = 1\n",
        )
        .replace("kind = 'policy'", "kind = 'resnet'")
        .replace("generations = 2", "generations = 1")
        .replace("every = 2\n", "")
        .replace("[explore]", "[explore]\nbackend = 'heuristic'");
    let run = made(&file);
    let met = results(&run.path);
    let previous = met
        .iter()
        .find(|line| line["step"] == "previous")
        .expect("a match");
    assert_eq!(
        previous["result"]["models"][1], "heuristic",
        "who explores is met"
    );
}

/// A first net can learn from games of our alpha-beta search, or of people.
#[test]
fn a_teacher_comes_first() {
    let file = FILE.replace("generations = 2", "generations = 1")
        + "[generation_0]\ngames = 3\ndepth = 1\npositions = 128\nbatch = 32\nlambda = 0.5\n";
    let run = made(&file);
    let plain = undisturbed();
    let first = |run: &Place| fs::read(run.file("main/seed-5/nets/version-0.tabianet"));
    assert!(first(&run).expect("a net") != first(plain).expect("a net"));
}

#[test]
fn mistakes_are_named() {
    for (old, new, words) in [
        (
            "CPuct = 1.25",
            "CPuckt = 1.25",
            "gate.option: there is no option 'CPuckt'",
        ),
        (
            "Temperature = 0.5",
            "Temperature = -1",
            "eval.option: Temperature",
        ),
        ("every = 2", "every = 0", "eval.every"),
        (
            "games = 2\nevery",
            "games = 3\nevery",
            "eval.games: every opening is played twice",
        ),
        (
            "simulations = [10, 12]",
            "simulations = [0, 12]",
            "explore.simulations",
        ),
        (
            "cheap_simulations = 4",
            "cheap_simulations = 0",
            "explore.cheap_simulations",
        ),
        ("generations = 2", "generations = 2\nhours = 0", "hours"),
        (
            "[gate]",
            "[generation_0]\nlambda = 2\n[gate]",
            "generation_0.lambda",
        ),
        (
            "kind = 'policy'",
            "kind = 'policy'\nuse = 3",
            "unknown field `use`",
        ),
    ] {
        let text = FILE.replacen(old, new, 1);
        assert_ne!(text, FILE, "{old}");
        let error = lab::settings::read(&text, &train::learners()).expect_err(new);
        assert!(error.to_string().contains(words), "{new}: {error}");
    }
}
