//! The analysis of games as a process: the same bytes, whatever happens, and mistakes
//! that are named.

use crate::program::{folder, run_in, tabia, transcript};
use insta::assert_snapshot;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

const GAMES: &str = "[White \"Ann\"]\n[Black \"Bob\"]\n[Result \"1-0\"]\n\n\
    1. e4 e5 2. Qh5 {too early} Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n\n\
    [White \"Cid\"]\n[Black \"Dora\"]\n[Result \"0-1\"]\n\n\
    1. f3 e5 2. g4 Qh5 {illegal} 3. a3 0-1\n\n";

/// All files below a folder.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path
            .file_name()
            .expect("a name")
            .to_string_lossy()
            .into_owned();
        if path.is_dir() {
            let below = files(&path).into_iter();
            found.extend(below.map(|(file, bytes)| (format!("{name}/{file}"), bytes)));
        } else {
            found.insert(name, fs::read(&path).expect("a file"));
        }
    }
    found
}

#[test]
fn a_package_is_the_same_after_a_kill() {
    let command = "analyze games.pgn --package package --nodes 3000";
    let games = GAMES.repeat(12);
    let [calm, disturbed] = ["analyze-calm", "analyze-disturbed"].map(folder);
    for folder in [&calm, &disturbed] {
        fs::write(folder.join("games.pgn"), &games).expect("written");
    }
    let told = run_in(&calm, command);
    assert!(told.starts_with("exit 0\n"), "{told}");
    let words: Vec<_> = command.split(' ').collect();
    let mut child = tabia(&words)
        .current_dir(&disturbed)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("started");
    let journal = disturbed.join("package/.journal");
    let begin = Instant::now();
    // Some games are there, not all.
    while fs::read(&journal).map_or(0, |bytes| bytes.split(|&byte| byte == b'\n').count()) < 4 {
        assert!(begin.elapsed() < Duration::from_secs(60), "no games");
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().expect("killed");
    child.wait().expect("ended");
    assert!(!disturbed.join("package/index.html").exists());
    let told = run_in(&disturbed, command);
    assert!(told.starts_with("exit 0\n"), "{told}");
    assert!(told.contains("games were already finished"), "{told}");
    let package = files(&disturbed.join("package"));
    assert!(package == files(&calm.join("package")));
    let names: Vec<&str> = package.keys().map(String::as_str).collect();
    assert_eq!(names.len(), 24 + 5);
    assert_eq!(
        names[..3],
        ["analysis.json", "annotated.pgn", "games/01.html"]
    );
    assert_eq!(String::from_utf8_lossy(&package["original.pgn"]), games);
}

#[test]
fn one_player_gets_a_summary_and_packages_are_replaced_when_told() {
    let folder = folder("analyze-me");
    let games = GAMES.replace("{too early}", "{[%clk 0:09:58] too early}");
    fs::write(folder.join("games.pgn"), games).expect("written");
    let command = "analyze games.pgn --package package --nodes 300 --threads 1 --me ann";
    let told = run_in(&folder, command);
    for words in [
        "\nann: 1 game, 1 won, 0 drawn, 0 lost\n",
        "all moves ",
        "\nopening ",
        "\nendgame             -      -      0  0/0/0\n",
    ] {
        assert!(told.contains(words), "{told}");
    }
    let index = fs::read_to_string(folder.join("package/index.html")).expect("a page");
    assert!(index.contains("<h2>ann</h2>"), "{index}");
    let page = fs::read_to_string(folder.join("package/games/1.html")).expect("a page");
    assert!(page.contains(" · 9:58</small>"), "{page}");
    assert!(page.contains(" · clock 9:58"), "{page}");
    let told = run_in(&folder, command);
    assert!(
        told.contains("package already holds an analysis; use --overwrite to replace it"),
        "{told}"
    );
    fs::write(folder.join("package/games/99.html"), "old").expect("written");
    let told = run_in(&folder, &format!("{command} --overwrite"));
    assert!(told.starts_with("exit 0\n"), "{told}");
    assert!(!folder.join("package/games/99.html").exists());
    let told = run_in(&folder, "analyze games.pgn -o a.pgn --nodes 300 --me Eve");
    assert!(
        told.contains("no game has a player named \"Eve\""),
        "{told}"
    );
}

/// Analyses the games of a folder with an engine and openings there, in so many threads.
fn analysed(folder: &Path, below: &str, threads: &str, names: [&str; 4]) -> Vec<Vec<u8>> {
    let place = folder.join(below);
    fs::create_dir_all(&place).expect("a folder");
    fs::write(place.join("games.pgn"), GAMES.repeat(4)).expect("written");
    let table = "eco\tname\tpgn\nC20\tKing's Pawn\t1. e4 e5\n";
    fs::write(place.join("openings.tsv"), table).expect("written");
    fs::copy(test_engines::badengine(), place.join("judge")).expect("copied");
    let path = |name: &str| place.join(name).display().to_string();
    let [pgn, html, json, package] = names;
    let engine = format!("cmd={} arg=correct", path("judge"));
    let (games, table) = (path("games.pgn"), path("openings.tsv"));
    let mut command = tabia(&["analyze", &games, "--eco", &table, "--depth", "2"]);
    command.args(["--player", &engine, "--threads", threads]);
    command.args([
        "-o",
        pgn,
        "--html",
        html,
        "--json",
        json,
        "--package",
        package,
    ]);
    let told = transcript(command.current_dir(folder));
    assert!(told.starts_with("exit 0\n"), "{told}");
    let mut written: Vec<Vec<u8>> = [pgn, html, json]
        .map(|name| fs::read(folder.join(name)).expect("a file"))
        .into();
    for (name, bytes) in files(&folder.join(package)) {
        written.extend([name.into_bytes(), bytes]);
    }
    written
}

#[test]
fn neither_folders_nor_outputs_nor_threads_are_told() {
    let folders = ["analyze-here", "analyze-there"].map(folder);
    let here = analysed(
        &folders[0],
        "a",
        "1",
        ["a.pgn", "a.html", "a.json", "a-package"],
    );
    let there = analysed(
        &folders[1],
        "b/c",
        "3",
        ["b.pgn", "b.html", "b.json", "b-package"],
    );
    assert_eq!(here.len(), 3 + 2 * (8 + 5));
    assert!(here == there);
    let page = String::from_utf8_lossy(&here[1]);
    let command = "<dt>Command</dt><dd>tabia analyze games.pgn --depth 2 --player \
        'cmd=judge arg=correct' --eco openings.tsv</dd>";
    assert!(page.contains(command), "{page}");
}

#[test]
fn any_engine_may_judge() {
    let folder = folder("analyze-engine");
    fs::write(folder.join("games.pgn"), GAMES).expect("written");
    let engine = format!("cmd={} arg=correct", test_engines::badengine().display());
    let words = [
        "analyze",
        "games.pgn",
        "--player",
        &engine,
        "--quiet",
        "--html",
        "games.html",
    ];
    assert_snapshot!(transcript(tabia(&words).current_dir(&folder)));
    let page = fs::read_to_string(folder.join("games.html")).expect("a page");
    assert!(page.contains("<dd>Bad Engine 1.0</dd>"));
}

#[test]
fn data_goes_to_a_file_or_to_standard_output() {
    let folder = folder("analyze-json");
    fs::write(folder.join("games.pgn"), GAMES).expect("written");
    let told = run_in(&folder, "analyze games.pgn --nodes 100 --quiet --json");
    let printed = told.strip_prefix("exit 0\n--- stdout\n").expect("JSON");
    let told = run_in(
        &folder,
        "analyze games.pgn --nodes 100 --json games.json --threads 1",
    );
    assert!(told.contains("written: games.json\n"), "{told}");
    assert_eq!(
        fs::read_to_string(folder.join("games.json")).expect("a file"),
        printed
    );
    let first = run_in(&folder, "--json analyze games.pgn --nodes 100 --quiet");
    assert_eq!(first, format!("exit 0\n--- stdout\n{printed}"));
    assert!(folder.join("games-annotated.pgn").exists());
    let report: serde_json::Value = serde_json::from_str(printed).expect("JSON");
    assert_eq!(report["games"][1]["damage"]["line"], 11);
}

#[test]
fn mistakes_are_named() {
    let folder = folder("analyze-mistakes");
    fs::write(folder.join("games.pgn"), GAMES).expect("written");
    fs::write(folder.join("empty.pgn"), "\n").expect("written");
    fs::write(folder.join("wrong.tsv"), "eco\tname\tpgn\nA00\tx\t1. e5\n").expect("written");
    fs::create_dir(folder.join("full")).expect("a folder");
    fs::write(folder.join("full/mine"), "").expect("written");
    let mistakes = [
        "analyze no.pgn",
        "analyze empty.pgn",
        "analyze -",
        "analyze games.pgn -o games.pgn",
        "analyze games.pgn -o no/out.pgn",
        "analyze games.pgn --package full",
        "analyze games.pgn --eco wrong.tsv",
        "analyze games.pgn --eco full",
        "analyze games.pgn --player cmd=no-such-engine",
        "analyze games.pgn --player option.Contempt=1",
        "analyze games.pgn --nodes 1 --depth 1",
    ];
    let told: String = mistakes
        .iter()
        .map(|mistake| format!("$ {mistake}\n{}", run_in(&folder, mistake)))
        .collect();
    assert_snapshot!(told);
}
