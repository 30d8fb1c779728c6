//! The tutorials, command by command.
//!
//! Every line of a `sh` block is run in one folder. What would take minutes is made small by a
//! comment before the block, `<!-- small: ARGUMENTS -->`: each option takes the place of the same
//! one of a line (of `--set`, of the same key), or is added to it; `<!-- file: NAME -->` names the file that the next block is; `<!-- given: NAME -->` is a file of
//! games that the reader has.

use crate::program::{folder, put, run_in, tabia};
use std::fs;
use std::path::Path;

#[derive(Default)]
struct Reader {
    /// What the last comment said.
    small: String,
    file: Option<String>,
    /// The block at hand: its language and its lines.
    block: Option<(String, Vec<String>)>,
    commands: usize,
}

impl Reader {
    fn read(&mut self, place: &Path, line: &str) {
        if let Some(language) = line.strip_prefix("```") {
            match self.block.take() {
                None => self.block = Some((language.to_owned(), Vec::new())),
                Some((language, lines)) => self.end_block(place, &language, &lines),
            }
        } else if let Some((_, lines)) = &mut self.block {
            lines.push(line.to_owned());
        } else if let Some(comment) = line.strip_prefix("<!-- ") {
            let comment = comment.trim_end_matches("-->").trim();
            let (key, value) = comment.split_once(':').expect("KEY: VALUE");
            match key {
                "small" => self.small = value.trim().to_owned(),
                "file" => self.file = Some(value.trim().to_owned()),
                "given" => give(place, value.trim()),
                key => panic!("no comment is called {key}"),
            }
        }
    }

    fn end_block(&mut self, place: &Path, language: &str, lines: &[String]) {
        let small = std::mem::take(&mut self.small);
        match (language, self.file.take()) {
            (_, Some(name)) => fs::write(place.join(name), lines.join("\n")).expect("room"),
            ("sh", None) => {
                for line in lines {
                    self.commands += 1;
                    run(place, line, &small);
                }
            }
            _ => {}
        }
    }
}

fn run(place: &Path, line: &str, small: &str) {
    let mut words = shlex::split(line).expect("words of a shell");
    assert_eq!(words[0], "tabia", "{line}");
    let smaller = shlex::split(small).expect("words of a shell");
    for option in smaller.chunks(2) {
        put(&mut words, &option[0], &option[1]);
    }
    let words: Vec<&str> = words[1..].iter().map(String::as_str).collect();
    let told = tabia(&words).current_dir(place).output().expect("a start");
    assert!(
        told.status.success(),
        "{line} {small}\n{}",
        String::from_utf8_lossy(&told.stderr)
    );
}

/// Some short games of Ada and Ben, the last of them newer than the others.
fn give(place: &Path, name: &str) {
    let openings = "1. e4 e5 2. Nf3 Nc6 *\n\n1. d4 d5 2. c4 e6 *\n";
    fs::write(place.join("openings.pgn"), openings).expect("room");
    let told = run_in(
        place,
        "match --player name=Ada --player name=Ben --each nodes=30 --games 4 \
         --openings openings.pgn --out given",
    );
    assert!(told.starts_with("exit 0"), "{told}");
    let games = fs::read_to_string(place.join("given/games.pgn")).expect("games");
    let last = games.rfind("[Event ").expect("a game");
    let dated = |games: &str, year: &str| -> String {
        let line = |line: &str| match line.starts_with("[Date ") {
            true => format!("[Date \"{year}.01.01\"]\n"),
            false => format!("{line}\n"),
        };
        games.lines().map(line).collect()
    };
    let games = dated(&games[..last], "2024") + &dated(&games[last..], "2025");
    fs::write(place.join(name), games).expect("room");
}

fn follow(name: &str, commands: usize) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/tutorials");
    let text = fs::read_to_string(path.join(format!("{name}.md"))).expect("a tutorial");
    let place = folder(&format!("tutorial-{name}"));
    let mut reader = Reader::default();
    for line in text.lines() {
        reader.read(&place, line);
    }
    assert!(reader.block.is_none(), "a block is open");
    assert_eq!(reader.commands, commands);
}

#[test]
fn own_net() {
    follow("own-net", 8);
}

#[test]
fn two_ways_of_learning() {
    follow("two-ways-of-learning", 6);
}

#[test]
fn analyse_your_games() {
    follow("analyse-your-games", 5);
}

#[test]
fn learn_from_nothing() {
    follow("learn-from-nothing", 4);
}

#[test]
fn a_player_like_you() {
    follow("a-player-like-you", 5);
}
