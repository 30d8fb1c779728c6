//! The examples in the help of every command, run one by one in folders with small inputs.
//!
//! Options that would take long get smaller values. What needs a person, a server or another
//! program is not run here; that all lines are understood is a test beside the definition of
//! the command line.

mod pantry;

use crate::program::{folder, put, tabia};
use pantry::Pantry;
use std::fs;
use std::path::Path;

/// Commands whose examples are not run, with what they wait for.
const NOT_RUN: [(&str, &str); 14] = [
    ("play", "a person"),
    ("serve", "a browser"),
    ("worker", "a server"),
    ("cluster up", "a server"),
    ("cluster status", "a server"),
    ("uci-check", "another program"),
    ("doctor", "seconds"),
    ("run quickstart", "minutes"),
    ("study ntuple-small", "minutes"),
    ("select small", "minutes"),
    ("ladder stockfish", "another program"),
    ("bench --player mcts", "seconds"),
    ("net judge maia", "a net of others"),
    ("uci --player sequence model=FILE", "a file of the reader"),
];

/// Options that take the place of those in an example which begins like this.
const SMALLER: [(&str, &str); 22] = [
    ("bench", "--depth 2"),
    ("analyze", "--nodes 50"),
    ("suite lichess", "--nodes 1"),
    ("suite", "--nodes 100"),
    ("pgn openings", "--count 2"),
    ("data rescore", "--nodes 20"),
    ("data label mine", ""),
    ("data label", "--nodes 20"),
    ("match --player", "--games 2 --horizon 10"),
    ("sprt", "--games 2 --each nodes=20 --horizon 10"),
    ("tournament --player", "--games 2 --horizon 10"),
    ("selfplay --positions", "--positions 50 --nodes 10"),
    ("selfplay --games", "--games 1 --nodes 10"),
    ("selfplay --minutes", "--minutes 0.001 --nodes 10"),
    ("selfplay --player", "--games 1"),
    ("run --resume mine --set seeds", "--set seeds=[1,2]"),
    (
        "run --resume mine --set generations",
        "--set generations=2 --set verdict.games=4",
    ),
    ("runs compare", "--games 2"),
    ("runs checkpoints", "--hours 0.0001"),
    ("ratings all.pgn", "--min-games 1"),
    ("openings make", "--count 3"),
    ("train nnue.toml --set", "--set net.hidden=64"),
];

/// Exit codes that are answers, not failures: a test that was not decided.
const ANSWERS: [(&str, i32); 1] = [("sprt", 4)];

/// The lines of examples below a command.
fn examples(command: &[&str], found: &mut Vec<String>) {
    let mut words = command.to_vec();
    words.push("--help");
    let told = tabia(&words).env("COLUMNS", "200").output().expect("help");
    let help = String::from_utf8_lossy(&told.stdout).into_owned();
    if let Some((_, text)) = help.split_once("Examples:\n") {
        let text = text.split("\n\n").next().unwrap_or_default();
        let joined = regex::Regex::new(r"\\\n\s+").expect("a pattern");
        let text = joined.replace_all(text, "");
        found.extend(text.lines().filter_map(line).map(str::to_owned));
    } else {
        assert!(help.contains("\nCommands:\n"), "{command:?} has no example");
    }
    for name in commands_of(&help) {
        examples(&[command, &[name]].concat(), found);
    }
}

/// The commands that a help lists.
pub(crate) fn commands_of(help: &str) -> Vec<&str> {
    let list = help
        .split_once("\nCommands:\n")
        .map_or("", |(_, list)| list);
    let lines = list.lines().take_while(|line| !line.is_empty());
    let names = lines.filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    names
        .filter(|name| !name.is_empty() && *name != "help")
        .collect()
}

/// The command of a line, without what explains it.
fn line(text: &str) -> Option<&str> {
    let begin = match text.trim_start().starts_with("tabia") {
        true => text.find("tabia")?,
        false => text.find("| tabia")? + 2,
    };
    let text = &text[begin..];
    Some(text.split("  ").next().unwrap_or(text).trim())
}

/// The words behind `tabia`, up to where a shell would take over.
fn words(line: &str) -> Vec<String> {
    let all = shlex::split(line).expect("words of a shell");
    let is_shell = |word: &String| ["|", ">", "<", "&&"].contains(&word.as_str());
    all.into_iter()
        .skip(1)
        .take_while(|word| !is_shell(word))
        .collect()
}

/// What a shell makes of a star.
fn expanded(place: &Path, word: &str) -> Vec<String> {
    if let Some((folder, file)) = word.split_once("/*/") {
        let entries = fs::read_dir(place.join(folder)).expect("a folder");
        let names = entries.map(|entry| entry.expect("an entry").file_name());
        let paths = names.map(|name| format!("{folder}/{}/{file}", name.display()));
        return paths.collect();
    }
    let Some((_, ending)) = word.split_once("*.").filter(|_| !word.contains('[')) else {
        return vec![word.to_owned()];
    };
    let entries = fs::read_dir(place).expect("a folder");
    let names = entries.map(|entry| entry.expect("an entry").file_name());
    let names = names.filter_map(|name| name.into_string().ok());
    let ending = format!(".{ending}");
    let mut names: Vec<String> = names.filter(|name| name.ends_with(&ending)).collect();
    names.sort();
    names
}

/// Runs an example; what went wrong.
fn problem(pantry: &Pantry, place: &Path, line: &str) -> Option<String> {
    let mut words = words(line);
    let plain = words.join(" ");
    pantry.fill(place, &words);
    let smaller = SMALLER.iter().find(|(begin, _)| plain.starts_with(begin));
    let smaller = shlex::split(smaller.map_or("", |(_, options)| options)).expect("words");
    for option in smaller.chunks(2) {
        put(&mut words, &option[0], &option[1]);
    }
    let words: Vec<String> = words
        .iter()
        .flat_map(|word| expanded(place, word))
        .collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let told = tabia(&words).current_dir(place).output().expect("a start");
    let is_answer =
        |&(begin, code): &(&str, i32)| plain.starts_with(begin) && told.status.code() == Some(code);
    let is_good = told.status.success() || ANSWERS.iter().any(is_answer);
    let said = String::from_utf8_lossy(&told.stderr);
    (!is_good).then(|| format!("{line}\n  ran as {}\n{said}", words.join(" ")))
}

#[test]
fn every_example_does_what_it_says() {
    let mut all = Vec::new();
    examples(&[], &mut all);
    assert!(all.len() > 150, "only {} examples were found", all.len());
    let is_run = |line: &&String| {
        let plain = words(line).join(" ");
        let begins = |(begin, _): &(&str, &str)| plain.starts_with(begin);
        !NOT_RUN.iter().any(begins) && !line.contains("cmd=")
    };
    let run: Vec<&String> = all.iter().filter(is_run).collect();
    assert!(run.len() > 120, "only {} examples are run", run.len());
    let base = folder("examples");
    let pantry = Pantry::new(&base.join("pantry"));
    let mut problems = Vec::new();
    for (number, line) in run.into_iter().enumerate() {
        let place = base.join(number.to_string());
        problems.extend(problem(&pantry, &place, line));
        fs::remove_dir_all(&place).expect("a folder");
    }
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
