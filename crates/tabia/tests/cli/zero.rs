//! Runs that learn from their own tree searches, as processes: the quickstart in miniature,
//! kills at any time, and what can be done with what they leave.

use crate::program::{finished_steps, folder, kill_when, run_in};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// The quickstart with a hundredth of its games.
const SMALL: &str = "run alphazero-quickstart --set generations=2 --set selfplay.positions=600 \
                     --set explore.simulations=12 --set explore.cheap_simulations=4 \
                     --set selfplay.horizon=40 --set value.hidden=32 \
                     --set train.batch=64 --set gate.baseline_games=4 --set gate.nodes=12 \
                     --set eval.every=2 --set eval.games=2 --set eval.nodes=12 \
                     --set verdict.games=4";

fn small(out: &str) -> String {
    let words: Vec<&str> = SMALL.split_whitespace().collect();
    format!("{} --out {out}", words.join(" "))
}

/// Nets, shards and games of a run, by path.
fn files(run: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    for part in ["nets", "shards", "games"] {
        for entry in fs::read_dir(run.join("main/seed-1").join(part)).expect(part) {
            let path = entry.expect("an entry").path();
            let name = path.file_name().expect("a name").display().to_string();
            files.insert(format!("{part}/{name}"), fs::read(&path).expect("a file"));
        }
    }
    files
}

#[test]
fn the_quickstart_learns_in_miniature_and_survives_kills() {
    let folder = folder("zero/killed");
    let said = run_in(&folder, &small("runs/whole"));
    assert!(said.starts_with("exit 0\n"), "{said}");
    assert!(said.contains("generation 2/2"), "{said}");
    let killed = folder.join("runs/killed");
    let first = small("runs/killed");
    let mut arguments: Vec<&str> = first.split(' ').collect();
    for wanted in [3, 4, 5, 8] {
        kill_when(&folder, &arguments, || finished_steps(&killed) >= wanted);
        arguments = vec!["run", "--resume", "killed"];
    }
    // And in the middle of games.
    let games = killed.join("main/seed-1/shards/generation-2.policy.games");
    kill_when(&folder, &arguments, || {
        fs::metadata(&games).map_or(0, |file| file.len()) > 20_000
    });
    kill_when(&folder, &arguments, || finished_steps(&killed) >= 11);
    let said = run_in(&folder, "run --resume killed --threads 1 --concurrency 3");
    assert!(said.starts_with("exit 0\n"), "{said}");
    let whole = folder.join("runs/whole");
    let [own, wanted] = [&killed, &whole].map(|run| files(run));
    assert_eq!(
        own.keys().collect::<Vec<_>>(),
        wanted.keys().collect::<Vec<_>>()
    );
    for (name, bytes) in &own {
        assert!(*bytes == wanted[name], "{name} differs");
    }
    left_behind(&folder, &whole);
}

/// What a run leaves can be read, rated, packed and played with.
fn left_behind(folder: &Path, run: &Path) {
    let logs: Vec<_> = fs::read_dir(run.join("logs")).expect("logs").collect();
    let log = fs::read_to_string(logs[0].as_ref().expect("a log").path()).expect("a text");
    assert!(
        log.contains("generation 2/2") && log.contains("against generation 0"),
        "{log}"
    );
    let said = run_in(
        folder,
        "pgn check runs/whole/main/seed-1/games/generation-1.pgn",
    );
    assert!(said.starts_with("exit 0\n"), "{said}");
    let said = run_in(folder, "runs checkpoints whole --hours 0.0001,1000");
    assert!(!said.contains("1000 h"), "{said}");
    let said = run_in(folder, "runs checkpoints whole --hours 0");
    assert!(
        said.starts_with("exit 2\n") && said.contains("above 0"),
        "{said}"
    );
    let said = run_in(folder, "runs release whole --out packed");
    assert!(said.starts_with("exit 0\n"), "{said}");
    for name in ["README.md", "net.tabianet", "run.toml", "manifest.json"] {
        assert!(folder.join("packed").join(name).is_file(), "{name}");
    }
    let readme = fs::read_to_string(folder.join("packed/README.md")).expect("a text");
    assert!(readme.contains("The net of generation 2"), "{readme}");
    let said = run_in(folder, "runs release whole --out packed");
    assert!(said.contains("already exists"), "{said}");
    let said = run_in(folder, "runs release whole --out other --generation 9");
    assert!(said.contains("no finished generation"), "{said}");
}
