//! Runs the program and writes down what it did, for comparison with a snapshot.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

/// The program, in an environment that is the same on every machine.
pub(crate) fn tabia(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tabia"));
    command.args(arguments).stdin(Stdio::null());
    for variable in [
        "NO_COLOR",
        "CLICOLOR",
        "CLICOLOR_FORCE",
        "COLUMNS",
        "RUST_BACKTRACE",
    ] {
        command.env_remove(variable);
    }
    command
}

/// Exit code, standard output and standard error of a finished program.
pub(crate) fn transcript(command: &mut Command) -> String {
    let Output {
        status,
        stdout,
        stderr,
    } = command.output().expect("the program starts");
    let mut text = match status.code() {
        Some(code) => format!("exit {code}\n"),
        None => format!("{status}\n"),
    };
    for (name, bytes) in [("stdout", stdout), ("stderr", stderr)] {
        if !bytes.is_empty() {
            text += &format!("--- {name}\n{}", String::from_utf8_lossy(&bytes));
        }
    }
    text
}

/// Cuts long numbers short: their last digits belong to the machine.
pub(crate) fn with_short_numbers(transcript: &str) -> String {
    let long = regex::Regex::new(r"(\d\.\d{6})\d+").expect("a pattern");
    long.replace_all(transcript, "$1").into_owned()
}

/// What `tabia ARGUMENTS...` does.
pub(crate) fn run(arguments: &[&str]) -> String {
    transcript(&mut tabia(arguments))
}

/// An empty folder of one test's own.
pub(crate) fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).expect("the folder of test files can be written to");
    folder
}

/// What `tabia` does in a folder with arguments parted by blanks.
pub(crate) fn run_in(folder: &Path, arguments: &str) -> String {
    let words: Vec<_> = arguments.split(' ').collect();
    transcript(tabia(&words).current_dir(folder))
}

/// Begins `tabia ARGUMENTS...` in a folder and kills it when it is time, unless it has
/// ended before. On Unix this is the signal that cannot be heard.
pub(crate) fn kill_when(folder: &Path, arguments: &[&str], is_time: impl Fn() -> bool) {
    let mut child = tabia(arguments)
        .current_dir(folder)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    while !is_time() && child.try_wait().expect("a process").is_none() {
        std::thread::sleep(Duration::from_millis(1));
    }
    let _ = child.kill();
    child.wait().expect("a process");
}

/// Begins `tabia ARGUMENTS...` in a folder, presses Ctrl-C when it is time, and waits for
/// its end.
pub(crate) fn interrupt_when(
    folder: &Path,
    arguments: &[&str],
    is_time: impl Fn() -> bool,
) -> Output {
    let child = tabia(arguments)
        .current_dir(folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    while !is_time() {
        std::thread::sleep(Duration::from_millis(5));
    }
    let interrupted = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(interrupted.expect("kill").success());
    child.wait_with_output().expect("a process")
}

/// Lines of the state in a folder of the laboratory, which is how far it has come.
pub(crate) fn finished_steps(folder: &Path) -> usize {
    let state = fs::read_to_string(folder.join("state.jsonl")).unwrap_or_default();
    state.lines().count()
}

/// Sets an option of a command line, which may be there already; `--set` once for each key.
pub(crate) fn put(words: &mut Vec<String>, name: &str, value: &str) {
    let key = |value: &str| value.split('=').next().map(str::to_owned);
    let is_same =
        |pair: &[String]| pair[0] == name && (name != "--set" || key(&pair[1]) == key(value));
    match words.windows(2).position(is_same) {
        Some(at) => words[at + 1] = value.to_owned(),
        None => words.extend([name.to_owned(), value.to_owned()]),
    }
}
