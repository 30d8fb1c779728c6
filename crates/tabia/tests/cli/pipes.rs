//! What happens when standard output cannot take what is written.

use crate::program::{tabia, transcript};
use std::process::Stdio;

#[test]
fn closed_pipe_is_a_quiet_end() {
    for arguments in [
        &["completions", "bash"][..],
        &["man"],
        &["perft", "1"],
        &["bench", "--depth", "1"],
        &["--help"],
    ] {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let output = tabia(arguments)
            .stdout(writer)
            .stderr(Stdio::piped())
            .spawn()
            .and_then(|child| child.wait_with_output())
            .expect("the program runs");
        assert_eq!(output.status.code(), Some(0), "{arguments:?}");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{arguments:?}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn full_disk_is_a_failure() {
    let full = std::fs::File::create("/dev/full").expect("/dev/full");
    let mut command = tabia(&["man"]);
    let output = command
        .stdout(full)
        .stderr(Stdio::piped())
        .output()
        .expect("the program runs");
    assert_eq!(output.status.code(), Some(1));
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(
        error.starts_with("error: cannot write to standard output: "),
        "{error}"
    );
}

#[test]
#[cfg(unix)]
fn nobody_to_hear_an_error_is_no_panic() {
    let mut command = std::process::Command::new("sh");
    command.args([
        "-c",
        r#""$0" man /dev/null/x 2>&-"#,
        env!("CARGO_BIN_EXE_tabia"),
    ]);
    assert_eq!(transcript(&mut command), "exit 1\n");
}
