//! Runs the program and writes down what it did, for comparison with a snapshot.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

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
