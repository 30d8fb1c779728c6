//! Runs as processes: what they say, how they are stopped and killed, and what is
//! said of mistakes.

use crate::program::{
    finished_steps, folder, interrupt_when, kill_when, run_in, tabia, transcript,
};
use insta::assert_snapshot;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

const FILE: &str = "\
generations = 2
[net]
hidden = 32
[selfplay]
nodes = 30
positions = 300
random_plies = 2
[train]
positions = 2_560
batch = 64
checkpoint_steps = 5
[gate]
games = 4
nodes = 20
horizon = 30
elo_above = [-10_000]
[verdict]
games = 4
[arms.control.selfplay]
horizon = 40
[arms.curriculum.selfplay]
horizon = { start = 12, step = 6 }
at_horizon = 'material'
";

/// A folder with the file.
fn run_folder(name: &str) -> std::path::PathBuf {
    let folder = folder(&format!("run/{name}"));
    fs::write(folder.join("mini.toml"), FILE).expect("written");
    folder
}

/// Without numbers: nets learn, and so play, a little otherwise on other CPUs.
fn settled(text: &str) -> String {
    let number = regex::Regex::new(r" *[+-]?(\d[\d.,:]*|inf)( [KM]iB)?").expect("a pattern");
    number.replace_all(text, " #").into_owned()
}

#[test]
fn a_run_tells_its_story() {
    let folder = run_folder("story");
    let mut told = run_in(&folder, "run mini.toml --threads 2");
    for command in ["runs list", "runs show mini", "runs report mini"] {
        told += &format!("\n{command}\n{}", run_in(&folder, command));
    }
    assert_snapshot!(settled(&told));
    let net = "runs/mini/control/seed-1/nets/version-2.tabianet";
    let info = run_in(&folder, &format!("net info {net}"));
    assert!(info.contains("control, generation 2"), "{info}");
    let mut engine = tabia(&["uci", "--model", net]);
    let said = transcript(engine.current_dir(&folder));
    assert!(said.starts_with("exit 0\n"), "{said}");
    // Files that somebody has damaged since are noticed.
    let files = [
        "shards/generation-1.binpack",
        "trainings/generation-2/checkpoint",
    ];
    for file in files {
        let path = folder.join("runs/mini/control/seed-1").join(file);
        let mut bytes = fs::read(&path).expect(file);
        *bytes.last_mut().expect("not empty") ^= 1;
        fs::write(&path, bytes).expect("written");
    }
    let said = run_in(&folder, "runs show mini");
    assert!(said.starts_with("exit 1\n"), "{said}");
    for file in files {
        assert!(
            said.contains(&format!("{file} was changed after it was written")),
            "{said}"
        );
    }
}

#[test]
fn settings_are_changed_and_runs_compared() {
    let folder = run_folder("compare");
    let first = "run mini.toml --set verdict.games=0 --set generations=1 --out runs/a";
    let second = "run mini.toml --set verdict.games=0 --set generations=1 \
                  --set selfplay.nodes=40 --out runs/b";
    for command in [first, second] {
        let said = run_in(&folder, command);
        assert!(said.starts_with("exit 0\n"), "{said}");
    }
    let file = fs::read_to_string(folder.join("runs/b/run.toml")).expect("a run file");
    assert!(
        file.starts_with("# mini.toml, with these settings changed:\n"),
        "{file}"
    );
    assert!(file.contains("#   selfplay.nodes=40\n"), "{file}");
    assert_snapshot!(run_in(&folder, "runs compare a b"));
    assert_snapshot!(run_in(&folder, "runs rm a"));
    assert_snapshot!(run_in(&folder, "runs rm a --yes"));
    assert!(!folder.join("runs/a").exists());
}

/// The nets of a run, by path.
fn nets(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut nets = Vec::new();
    for arm in ["control", "curriculum"] {
        for name in ["candidate-1", "candidate-2", "version-0", "version-2"] {
            let path = format!("{arm}/seed-1/nets/{name}.tabianet");
            let bytes = fs::read(folder.join(&path)).expect("a net");
            nets.push((path, bytes));
        }
    }
    nets
}

#[test]
fn a_run_that_is_killed_goes_on_to_the_same_nets() {
    let folder = run_folder("killed");
    let said = run_in(&folder, "run mini.toml --out runs/whole");
    assert!(said.starts_with("exit 0\n"), "{said}");
    let killed = folder.join("runs/killed");
    let mut arguments = vec!["run", "mini.toml", "--out", "runs/killed"];
    for wanted in [3, 7, 12] {
        kill_when(&folder, &arguments, || finished_steps(&killed) >= wanted);
        arguments = vec!["run", "--resume", "killed"];
    }
    let said = run_in(&folder, "run --resume killed --threads 1 --concurrency 1");
    assert!(said.starts_with("exit 0\n"), "{said}");
    assert!(nets(&killed) == nets(&folder.join("runs/whole")));
}

#[test]
fn ctrl_c_saves_and_says_how_to_go_on() {
    let folder = run_folder("stopped");
    // Long enough to be interrupted.
    let long = FILE.replace("positions = 300", "positions = 3_000_000");
    fs::write(folder.join("long.toml"), long).expect("written");
    let games = folder.join("runs/long/control/seed-1/shards/generation-1.binpack.games");
    let output = interrupt_when(&folder, &["run", "long.toml"], || {
        fs::metadata(&games).map_or(0, |file| file.len()) >= 2000
    });
    assert_eq!(output.status.code(), Some(130));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        said.contains("to resume: tabia run --resume long\n"),
        "{said}"
    );
    let shown = run_in(&folder, "runs show long");
    assert!(
        shown.contains("not finished: control seed 1 generation 0"),
        "{shown}"
    );
}

#[test]
fn mistakes_are_named() {
    let folder = run_folder("mistakes");
    let mut told = String::new();
    let mut tell = |words: &str| {
        told += &format!("{words}\n{}\n", run_in(&folder, words));
    };
    for words in [
        "run nothing",
        "run nothing.toml",
        "run --resume nothing",
        "run --show nothing",
        "run mini.toml --set selfplay.node=5",
        "run mini.toml --set nodes",
        "run mini.toml --set generations=0",
        "runs show nothing",
        "runs list",
    ] {
        tell(words);
    }
    for (name, file) in [
        ("unknown", "[selfplay]\nnode = 3\n"),
        ("arm", "[arms.control.selfplay]\nhorizon = 0\n"),
        ("rule", "[verdict]\nreproduced_if = 'it works'\n"),
        ("games", "[gate]\ngames = 3000\n"),
    ] {
        fs::write(folder.join(format!("{name}.toml")), file).expect("written");
        tell(&format!("run {name}.toml"));
    }
    assert_snapshot!(told);
}

#[test]
fn a_full_disk_is_named_and_nothing_is_lost() {
    let folder = run_folder("full");
    // No file may have more than so many blocks of 512 bytes.
    let script =
        "trap '' XFSZ; ulimit -f 24; exec \"$0\" run mini.toml --threads 1 --concurrency 1";
    let mut shell = Command::new("sh");
    shell.args(["-c", script, env!("CARGO_BIN_EXE_tabia")]);
    let said = transcript(shell.current_dir(&folder).stdin(Stdio::null()));
    assert!(said.starts_with("exit 1\n"), "{said}");
    let error = said.lines().last().expect("an error");
    assert!(error.contains("File too large"), "{said}");
    assert!(error.contains("/runs/mini/"), "{said}");
    let resumed = run_in(&folder, "run --resume mini");
    assert!(resumed.starts_with("exit 0\n"), "{resumed}");
}

#[test]
fn presets_are_shown() {
    let said = transcript(&mut tabia(&["run", "--show", "quickstart"]));
    assert!(
        said.starts_with("exit 0\n--- stdout\n# quickstart: "),
        "{said}"
    );
    let help = transcript(&mut tabia(&["run", "--help"]));
    for preset in [
        "quickstart",
        "curriculum-published",
        "horizon-and-adjudication",
    ] {
        assert!(help.contains(&format!("  {preset}")), "{help}");
    }
}

#[test]
fn a_dry_run_costs_nothing_and_says_what_would() {
    let folder = run_folder("dry");
    let said = run_in(&folder, "run mini.toml --dry-run");
    assert!(
        said.starts_with(
            "exit 0\n--- stdout\n4 generations, 1,200 positions, 44 games of matches\n"
        ),
        "{said}"
    );
    assert!(!folder.join("runs").exists());
}
