//! The commands of a cluster, one by one.

use super::group::{Group, Mortal, QUICK, wait_until};
use crate::program::{folder, run_in, tabia, transcript};
use std::fs;
use std::net::TcpStream;
use std::process::{Command, Stdio};

#[test]
fn mistakes_about_clusters_are_told_in_a_line() {
    let folder = folder("cluster/mistakes");
    let said = run_in(&folder, "worker --cluster localhost:4222");
    assert!(said.starts_with("exit 2\n"), "{said}");
    assert!(said.contains("tls://lab.example.org:4222"), "{said}");
    let said = run_in(
        &folder,
        "worker --cluster tls://localhost:1 --creds no.toml",
    );
    assert!(said.starts_with("exit 2\n"), "{said}");
    assert!(said.contains("no.toml: No such file"), "{said}");
    let said = run_in(
        &folder,
        "selfplay --games 1 -o a.binpack --cluster nats://127.0.0.1:1",
    );
    assert!(said.starts_with("exit 2\n"), "{said}");
    assert!(
        said.contains("check that nats-server is running there"),
        "{said}"
    );
    assert!(!folder.join("a.binpack.games").exists(), "{said}");
    let said = run_in(
        &folder,
        "selfplay --games 1 -o a.binpack --threads 2 --cluster nats://127.0.0.1:1",
    );
    assert!(said.contains("cannot be used with"), "{said}");
    let said = run_in(&folder, "cluster init group --worker a.b");
    assert!(said.contains("'a.b' is not a valid worker name"), "{said}");
    let said = transcript(
        tabia(&["cluster", "up", "."])
            .current_dir(&folder)
            .env("PATH", ""),
    );
    assert!(said.contains("nats-server is not installed here"), "{said}");
}

#[test]
#[ignore = "wants nats-server"]
fn cluster_commands_work_together() {
    let mut group = Group::start("commands");
    let folder = group.folder.clone();
    let said = run_in(&folder, "cluster init group");
    assert!(said.contains("give another folder"), "{said}");
    // The command starts the same server.
    group.kill_server();
    let up = tabia(&["cluster", "up", "group"])
        .current_dir(&folder)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("started");
    let port = group.port;
    wait_until("the server listens", || {
        TcpStream::connect(("127.0.0.1", port)).is_ok()
    });
    let second = run_in(&folder, "cluster up group");
    assert!(second.starts_with("exit 1\n"), "{second}");
    assert!(second.contains("is in use: stop the program"), "{second}");

    let mut worker = Mortal::new(group.worker("worker-1", None));
    wait_until("it waits", || {
        group.words("worker-1").contains("waiting for work")
    });
    let member = group.member("coordinator");
    let member: Vec<&str> = member.iter().map(String::as_str).collect();
    // Each side wants its own credentials.
    let foreign = group.member("worker-1");
    let foreign: Vec<&str> = foreign.iter().map(String::as_str).collect();
    let said =
        transcript(tabia(&[&["cluster", "status"], &foreign[..]].concat()).current_dir(&folder));
    assert!(said.contains("use those of the coordinator"), "{said}");
    let said = transcript(tabia(&[&["worker"], &member[..]].concat()).current_dir(&folder));
    assert!(said.contains("use those of a worker"), "{said}");
    let status =
        transcript(tabia(&[&["cluster", "status"], &member[..]].concat()).current_dir(&folder));
    assert!(status.contains("workers  1, 1 thread\n"), "{status}");
    assert!(status.contains("work     none"), "{status}");

    // Everything that takes a cluster gives what it gives without one.
    let player = ["--nodes", "300", "--model", "classical"];
    let selfplay = ["selfplay", "--games", "12", "--horizon", "30"];
    let explore = [
        "selfplay",
        "--player",
        "mcts",
        "--explore",
        "simulations = 8",
    ];
    let explore = [&explore[..], &["--games", "6", "--horizon", "20"]].concat();
    let rescore = ["data", "rescore", "a.binpack"];
    let label = ["data", "label", "a.binpack", "--every", "2"];
    let jobs: [(&str, Vec<&str>); 4] = [
        ("a.binpack", [&selfplay[..], &player].concat()),
        ("b.policy", explore),
        ("c.binpack", [&rescore[..], &player].concat()),
        ("d.binpack", [&label[..], &player].concat()),
    ];
    for (file, command) in &jobs {
        let here = format!("here.{file}");
        let said = transcript(tabia(&[&command[..], &["-o", &here]].concat()).current_dir(&folder));
        assert!(said.starts_with("exit 0\n"), "{said}");
        group.finish(&[&command[..], &["-o", file]].concat());
        let read = |name: &str| fs::read(folder.join(name)).expect("a file");
        assert!(read(file) == read(&here), "{command:?}");
    }
    matches(&group);
    tuning(&group);
    selection(&group);

    // Ctrl-C ends a worker in good order, and the server.
    let pid = worker.0.as_ref().expect("it runs").id();
    interrupt(pid);
    let mut child = worker.0.take().expect("it runs");
    let status = child.wait().expect("ended");
    assert!(status.success(), "{}", group.words("worker-1"));
    interrupt(up.id());
    let up = up.wait_with_output().expect("ended");
    assert_eq!(up.status.code(), Some(130));
    let words = String::from_utf8_lossy(&up.stderr).into_owned();
    assert!(words.contains("the server has stopped"), "{words}");
    wait_until("nobody listens", || {
        TcpStream::connect(("127.0.0.1", port)).is_err()
    });
}

fn interrupt(pid: u32) {
    let sent = Command::new("kill")
        .args(["-INT", &pid.to_string()])
        .status();
    assert!(sent.expect("kill").success());
}

/// The result of a match, and what is refused.
fn matches(group: &Group) {
    let folder = &group.folder;
    let words = "match --player name=a --player name=b --each nodes=100 --games 6 --horizon 40";
    let said = run_in(folder, &format!("{words} --out here"));
    assert!(said.starts_with("exit 0\n"), "{said}");
    let words: Vec<&str> = words.split(' ').collect();
    group.finish(&[&words[..], &["--out", "there"]].concat());
    assert_eq!(result(group, "here"), result(group, "there"));

    // A test of them ends at the same game.
    let test = "sprt --player name=a --player name=b --each nodes=100 --elo0 -50 --elo1 0 \
                --alpha 0.46 --beta 0.46 --games 40 --horizon 40";
    let said = run_in(folder, &format!("{test} --out tested-here"));
    assert!(said.starts_with("exit 0\n"), "{said}");
    let test: Vec<&str> = test.split_whitespace().collect();
    group.finish(&[&test[..], &["--out", "tested-there"]].concat());
    assert_eq!(result(group, "tested-here"), result(group, "tested-there"));

    // One worker is as fast as itself, so games by the clock are possible.
    let timed = "match --player name=a --player name=b --each st=0.01 --games 2 --horizon 10";
    let timed: Vec<&str> = timed.split(' ').collect();
    group.finish(&[&timed[..], &["--out", "timed"]].concat());
    assert_eq!(result(group, "timed")["games"], 2);

    // A program of this machine cannot play on another one.
    let program = format!("name=c cmd={}", env!("CARGO_BIN_EXE_tabia"));
    let member = group.member("coordinator");
    let member: Vec<&str> = member.iter().map(String::as_str).collect();
    let words = [&words[..], &["--player", &program], &member, &QUICK].concat();
    let words = words.iter().map(|word| match *word {
        "match" => "tournament",
        word => word,
    });
    let said = transcript(tabia(&words.collect::<Vec<_>>()).current_dir(folder));
    assert!(said.starts_with("exit 2\n"), "{said}");
    assert!(
        said.contains("only built-in players can play on other machines"),
        "{said}"
    );
}

/// The result file of a contest or a tuning.
fn result(group: &Group, out: &str) -> serde_json::Value {
    let path = group.folder.join(out).join("result.json");
    let text = fs::read_to_string(path).expect("a result");
    let mut json: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    if let Some(table) = json.as_object_mut() {
        table.remove("folder");
    }
    json
}

/// Where a tuning ends.
fn tuning(group: &Group) {
    let folder = &group.folder;
    let file = "constants = ['razor_base']\niterations = 2\npairs = 2\n[player]\nnodes = 60\n\
                [endings]\nhorizon = 30\n";
    fs::write(folder.join("tune.toml"), file).expect("written");
    let said = run_in(folder, "tune tune.toml --out tuned-here");
    assert!(said.starts_with("exit 0\n"), "{said}");
    group.finish(&["tune", "tune.toml", "--out", "tuned-there"]);
    assert_eq!(result(group, "tuned-here"), result(group, "tuned-there"));
}

/// Which net of a training is chosen, and how all are rated.
fn selection(group: &Group) {
    let folder = &group.folder;
    let train = "data = ['here.a.binpack']\nbatch = 64\nepochs = 3\nseed = 3\n[net]\nhidden = 32\n";
    fs::write(folder.join("train.toml"), train).expect("written");
    let said = run_in(folder, "train train.toml --out training");
    assert!(said.starts_with("exit 0\n"), "{said}");
    let select = "[candidates]\ntraining = 'training'\n[player]\nnodes = 30\n\
                  [games]\nrandom_plies = 2\nhorizon = 30\n[gauntlet]\ngames = 4\nkeep = 2\n\
                  [round_robin]\ngames = 8\n[peak]\ngames = 0\n[final]\ngames = 4\n";
    fs::write(folder.join("select.toml"), select).expect("written");
    let said = run_in(folder, "select select.toml --out selected-here");
    assert!(said.starts_with("exit 0\n"), "{said}");
    group.finish(&["select", "select.toml", "--out", "selected-there"]);
    for file in ["ratings.csv", "selected.tabianet"] {
        let [here, there] = ["selected-here", "selected-there"]
            .map(|out| fs::read(folder.join(out).join(file)).expect(file));
        assert!(here == there, "{file}");
    }
}
