//! Ladders as processes: what they say, how they are killed, and what is said of mistakes.

use crate::program::{finished_steps, folder, kill_when, run_in, tabia, transcript};
use insta::assert_snapshot;
use std::fs;

const FILE: &str = "\
players = ['name=two model=classical depth=2']
anchors = ['name=low model=classical depth=1', 'name=high model=classical nodes=200']
find_games = 4
decide_games = 8
deciding = 1
climb_above = 0.0
[games]
random_plies = 2
horizon = 40
";

/// Without what depends on the machine.
fn settled(text: &str) -> String {
    let time = regex::Regex::new(r"[\d.]+ ms per move").expect("a pattern");
    time.replace_all(text, "# ms per move").into_owned()
}

#[test]
fn a_ladder_tells_its_story_and_kills_change_nothing() {
    let folder = folder("ladder");
    fs::write(folder.join("mini.toml"), FILE).expect("written");
    let whole = settled(&run_in(&folder, "ladder mini.toml --concurrency 2"));
    assert_snapshot!(whole);
    assert_snapshot!(run_in(&folder, "ladder mini.toml --dry-run"));
    for file in ["report.html", "report.md", "standing.json", "meetings.csv"] {
        assert!(folder.join("ladders/mini").join(file).is_file(), "{file}");
    }
    let killed = folder.join("ladders/killed");
    let begin = ["ladder", "mini.toml", "--out", "ladders/killed"];
    kill_when(&folder, &begin, || finished_steps(&killed) >= 1);
    let resume = ["ladder", "--resume", "killed"];
    kill_when(&folder, &resume, || finished_steps(&killed) >= 2);
    let said = settled(&transcript(tabia(&resume).current_dir(&folder)));
    let table = |text: &str| fs::read_to_string(folder.join(text)).expect("a table");
    assert_eq!(
        table("ladders/killed/meetings.csv"),
        table("ladders/mini/meetings.csv"),
        "{said}"
    );
}

#[test]
fn mistakes_on_a_ladder_are_named() {
    let folder = folder("ladder-mistakes");
    let mut all = run_in(&folder, "ladder nothing");
    all += &run_in(&folder, "ladder --resume nothing");
    let missing = FILE.to_owned() + "[stockfish]\ncmd = '/nowhere/stockfish'\nlevels = [1350]\n";
    for (name, text) in [
        (
            "none.toml",
            FILE.replace("name=two model=classical depth=2", "speed=2"),
        ),
        ("odd.toml", FILE.replace("find_games = 4", "find_games = 5")),
        ("missing.toml", missing),
    ] {
        fs::write(folder.join(name), text).expect("written");
        all += &run_in(&folder, &format!("ladder {name}"));
    }
    assert!(!folder.join("ladders").exists());
    assert_snapshot!(all);
}
