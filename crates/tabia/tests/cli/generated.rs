//! Completions and manual pages.

use crate::program::{run, tabia, transcript};
use std::path::PathBuf;

/// An empty folder of this test's own.
fn empty_folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    folder
}

#[test]
fn every_shell_gets_completions_of_every_command() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let transcript = run(&["completions", shell]);
        assert!(transcript.starts_with("exit 0\n--- stdout\n"), "{shell}");
        for word in ["perft", "fen", "chess960", "color"] {
            assert!(transcript.contains(word), "{shell}: {word}");
        }
    }
}

#[test]
fn manual_page_of_the_program_goes_to_standard_output() {
    let transcript = run(&["man"]);
    assert!(transcript.starts_with("exit 0\n--- stdout\n"));
    for part in [
        ".TH tabia 1",
        "tabia\\-completions(1)",
        "NO_COLOR",
        "Exit codes:",
    ] {
        assert!(transcript.contains(part), "{part}");
    }
}

#[test]
fn manual_pages_of_all_commands_go_into_a_folder() {
    let folder = empty_folder("manual");
    let transcript = transcript(tabia(&["man"]).arg(&folder));
    let pages = std::fs::read_dir(&folder).expect("a folder").count();
    assert!(pages > 50, "{pages}");
    assert_eq!(
        transcript,
        format!(
            "exit 0\n--- stderr\nwriting {pages} pages into {}\n",
            folder.display()
        )
    );
    for page in [
        "tabia.1",
        "tabia-perft.1",
        "tabia-pgn-check.1",
        "tabia-data-filter.1",
        "tabia-man.1",
    ] {
        let text = std::fs::read_to_string(folder.join(page)).expect(page);
        assert!(text.contains(".SH NAME"), "{page}");
    }
}

#[test]
fn quiet_is_silent_and_verbose_names_each_page() {
    let folder = empty_folder("manual-quiet");
    assert_eq!(
        transcript(tabia(&["man", "--quiet"]).arg(&folder)),
        "exit 0\n"
    );
    let verbose = transcript(tabia(&["-v", "man"]).arg(&folder));
    assert!(verbose.contains("manual-quiet/tabia-man.1\n"), "{verbose}");
}

#[test]
fn folder_that_cannot_be_made_is_a_failure_of_one_line() {
    let transcript = transcript(tabia(&["man"]).arg(env!("CARGO_BIN_EXE_tabia")));
    assert!(transcript.starts_with("exit 1\n--- stderr\nerror: cannot make the folder /"));
    assert_eq!(transcript.lines().count(), 3, "{transcript}");
}
