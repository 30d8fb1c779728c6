//! The analysis of games that come as streams, or are more than memory should hold.
#![cfg(target_os = "linux")]

use crate::program::{folder, run_in, tabia, transcript};
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

const GAME: &str = "[White \"Ann\"]\n[Black \"Bob\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Qh5 1-0\n\n";

fn start(folder: &Path, words: &str, stdin: Stdio) -> Child {
    let words: Vec<_> = words.split(' ').collect();
    let mut command = tabia(&words);
    command.current_dir(folder).stdin(stdin);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().expect("started")
}

fn pipe(path: &Path) {
    let made = Command::new("mkfifo").arg(path).status();
    assert!(made.expect("every Unix has it").success());
}

/// Asks a process to terminate; its exit code and its last words.
fn terminated(mut child: Child) -> (Option<i32>, String) {
    let asked = Command::new("kill").arg(child.id().to_string()).status();
    assert!(asked.expect("kill").success());
    // Some tests still talk to it, so it is not waited for with its pipes closed.
    let mut words = String::new();
    let stderr = child.stderr.take().expect("a pipe");
    let read = BufReader::new(stderr).read_to_string(&mut words);
    read.expect("words");
    (child.wait().expect("ended").code(), words)
}

/// Waits until the process listens to signals and reads a stream: each has a thread.
fn wait_for_threads(child: &Child) {
    let tasks = format!("/proc/{}/task", child.id());
    while fs::read_dir(&tasks).expect("Linux").count() < 3 {
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn standard_input_is_as_good_as_a_file() {
    let folder = folder("analyze-stdin");
    fs::write(folder.join("games.pgn"), GAME.repeat(3)).expect("written");
    let options = "--nodes 50 --quiet -o";
    let told = run_in(&folder, &format!("analyze games.pgn {options} a.pgn"));
    let games = fs::File::open(folder.join("games.pgn")).expect("a file");
    let child = start(&folder, &format!("analyze - {options} b.pgn"), games.into());
    let output = child.wait_with_output().expect("ended");
    let table = String::from_utf8_lossy(&output.stdout);
    assert_eq!(
        told.replace("a.pgn", "b.pgn"),
        format!("exit 0\n--- stdout\n{table}")
    );
    let read = |name: &str| fs::read(folder.join(name)).expect(name);
    assert!(read("a.pgn") == read("b.pgn"));
    assert_eq!(fs::read_dir(&folder).expect("a folder").count(), 3);
}

#[test]
fn streams_that_say_nothing_do_not_hold_the_program() {
    let folder = folder("analyze-silent");
    pipe(&folder.join("pipe"));
    for games in ["pipe", "-"] {
        let words = format!("analyze {games} -o out.pgn");
        let child = start(&folder, &words, Stdio::piped());
        wait_for_threads(&child);
        let (code, words) = terminated(child);
        assert_eq!(code, Some(130), "{words}");
        assert!(words.ends_with("\ninterrupted\n"), "{words}");
    }
    assert_eq!(fs::read_dir(&folder).expect("a folder").count(), 1);
}

#[test]
fn an_endless_stream_of_games_can_be_stopped() {
    let folder = folder("analyze-endless");
    let mut child = start(&folder, "analyze - -o out.pgn", Stdio::piped());
    let mut stdin = child.stdin.take().expect("a pipe");
    let (told, enough) = std::sync::mpsc::channel();
    let talker = std::thread::spawn(move || {
        for number in 0_u32.. {
            // The program reads what is written, or has ended.
            if stdin.write_all(GAME.repeat(1000).as_bytes()).is_err() {
                return;
            }
            if number == 50 {
                told.send(()).expect("heard");
            }
        }
    });
    enough.recv().expect("megabytes");
    let (code, words) = terminated(child);
    talker.join().expect("ended");
    assert_eq!(code, Some(130), "{words}");
    assert_eq!(fs::read_dir(&folder).expect("a folder").count(), 0);
}

#[test]
fn a_game_without_end_is_refused() {
    let folder = folder("analyze-bomb");
    let told = run_in(&folder, "analyze /dev/zero -o out.pgn");
    let problem = "game 1: the game is larger than 16 MiB";
    assert_eq!(
        told,
        format!("exit 2\n--- stderr\nerror: /dev/zero:1: {problem}\n")
    );
    let mut file = zstd::Encoder::new(Vec::new(), 1).expect("an encoder");
    write!(file, "{GAME}[White \"Cid\"]\n\n1. e4 {{").expect("written");
    for _ in 0..64 {
        file.write_all(&[b'x'; 1 << 20]).expect("written");
    }
    fs::write(folder.join("bomb.zst"), file.finish().expect("whole")).expect("written");
    let told = run_in(&folder, "analyze bomb.zst -o out.pgn");
    let problem = "game 2: the game is larger than 16 MiB";
    assert_eq!(
        told,
        format!("exit 2\n--- stderr\nerror: bomb.zst:7: {problem}\n")
    );
}

#[test]
fn pipes_and_devices_are_no_outputs() {
    let folder = folder("analyze-devices");
    fs::write(folder.join("games.pgn"), GAME).expect("written");
    pipe(&folder.join("pipe"));
    pipe(&folder.join("out.pgn.journal"));
    for (words, code, problem) in [
        (
            "-o pipe",
            2,
            "pipe is not a regular file; give another name",
        ),
        (
            "--html /dev/full",
            2,
            "/dev/full is not a regular file; give another name",
        ),
        (
            "--package pipe",
            2,
            "pipe is not a folder; delete it, or give another name",
        ),
        (
            "-o out.pgn",
            1,
            "out.pgn.journal: this is not a regular file",
        ),
    ] {
        let told = run_in(&folder, &format!("analyze games.pgn {words}"));
        assert_eq!(told, format!("exit {code}\n--- stderr\nerror: {problem}\n"));
    }
}

/// Kibibytes of memory that the analysis of a file has used at most, with all outputs.
fn peak_memory(folder: &Path, name: &str) -> u64 {
    let options = "--nodes 1 --threads 1 --player hash=1 --quiet";
    let outputs =
        format!("-o {name}.pgn --html {name}.html --json {name}.json --package {name}-package");
    let mut child = start(
        folder,
        &format!("analyze {name}.zst {options} {outputs}"),
        Stdio::null(),
    );
    let status = format!("/proc/{}/status", child.id());
    let mut peak = 0;
    while child.try_wait().expect("a process").is_none() {
        let lines = fs::File::open(&status).map(|file| BufReader::new(file).lines());
        for line in lines.into_iter().flatten().map_while(Result::ok) {
            if let Some(size) = line.strip_prefix("VmHWM:") {
                let kibibytes = size.trim().trim_end_matches(" kB");
                peak = kibibytes.parse().expect("a number");
            }
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    let output = child.wait_with_output().expect("ended");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    peak
}

/// What is read is 16 MiB, what is written several times as much.
#[test]
fn memory_does_not_grow_with_the_games() {
    let folder = folder("analyze-memory");
    let game = format!(
        "[White \"Ann\"]\n\n1. e4 {{{}}} *\n\n",
        "many words ".repeat(12_000)
    );
    for (name, games) in [("few", 1), ("many", 130)] {
        let text = game.repeat(games);
        let compressed = zstd::encode_all(text.as_bytes(), 1).expect("compressed");
        fs::write(folder.join(format!("{name}.zst")), compressed).expect("written");
    }
    let [few, many] = ["few", "many"].map(|name| peak_memory(&folder, name));
    assert!(few > 0 && many < few + (4 << 10), "{few} KiB, {many} KiB");
    let page = fs::metadata(folder.join("many.html"))
        .expect("a page")
        .len();
    assert!(page > 16 << 20, "{page}");
    fs::remove_dir_all(&folder).expect("removed");
}

#[test]
fn a_closed_pipe_is_a_quiet_end() {
    let folder = folder("analyze-closed");
    fs::write(folder.join("games.pgn"), GAME).expect("written");
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    let mut command = tabia(&[
        "analyze",
        "games.pgn",
        "--nodes",
        "1",
        "--quiet",
        "-o",
        "a.pgn",
    ]);
    let told = transcript(command.current_dir(&folder));
    assert!(told.starts_with("exit 0\n"), "{told}");
    let status = command.stdout(writer).status().expect("ended");
    assert_eq!(status.code(), Some(0));
    // Everything was written, so nothing is left to go on with.
    assert!(!folder.join("a.pgn.journal").exists());
}
