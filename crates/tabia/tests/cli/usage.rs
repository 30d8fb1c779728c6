//! Help, version and wrong usage.

use crate::program::run;
use insta::assert_snapshot;

#[test]
fn options_without_a_command_are_wrong_usage() {
    let transcript = run(&["--quiet"]);
    assert!(
        transcript.starts_with("exit 2\n--- stderr\nerror: 'tabia' requires a subcommand"),
        "{transcript}"
    );
}

#[test]
fn help_goes_to_standard_output() {
    assert_snapshot!(run(&["--help"]));
}

#[test]
fn every_command_has_help_with_an_example() {
    for command in [
        "uci",
        "bench",
        "eval",
        "suite",
        "match",
        "sprt",
        "tournament",
        "tune",
        "train",
        "uci-check",
        "perft",
        "fen",
        "completions",
        "man",
        "pgn check",
        "pgn convert",
        "data info",
        "data stats",
        "data view",
        "data validate",
        "data convert",
        "data shuffle",
        "data interleave",
        "data split",
        "data filter",
        "data rescore",
        "data label",
        "openings make",
        "net info",
        "net compare",
        "net convert",
        "net hash",
        "ratings",
        "serve",
        "stats",
        "stats plan",
    ] {
        let words: Vec<_> = ["help"].into_iter().chain(command.split(' ')).collect();
        let transcript = run(&words);
        assert!(
            transcript.starts_with("exit 0\n--- stdout\n"),
            "{transcript}"
        );
        assert!(transcript.contains("\nExamples:\n  tabia "), "{transcript}");
    }
}

#[test]
fn long_version_tells_commit_and_processor() {
    insta::with_settings!({filters => vec![
        (r"commit:       ([0-9a-f]{12}(, with local changes)?|unknown)\n", "commit:       [COMMIT]\n"),
        (r"model:        [-.a-z0-9]+\n", "model:        [NAME]\n"),
        (r"compiled for: [-a-z0-9_]+\n", "compiled for: [LEVEL]\n"),
        (r"this CPU has: [a-zA-Z0-9. ]+\n", "this CPU has: [FEATURES]\n"),
    ]}, {
        assert_snapshot!(run(&["--version"]), @r"
        exit 0
        --- stdout
        tabia 0.1.0
        commit:       [COMMIT]
        model:        [NAME]
        compiled for: [LEVEL]
        this CPU has: [FEATURES]
        ");
    });
}

#[test]
fn short_version_is_one_line() {
    let transcript = run(&["-V"]);
    assert!(
        transcript.starts_with("exit 0\n--- stdout\ntabia 0.1.0 ("),
        "{transcript}"
    );
    assert_eq!(transcript.lines().count(), 3, "{transcript}");
}

#[test]
fn misspelt_command_is_met_with_a_suggestion() {
    assert_snapshot!(run(&["perfd", "3"]), @r"
    exit 2
    --- stderr
    error: there is no command 'perfd'; did you mean 'perft'?

    Usage: tabia [OPTIONS] <COMMAND>

    For more information, try '--help'.
    ");
}

#[test]
fn quiet_and_verbose_exclude_each_other() {
    let transcript = run(&["man", "--quiet", "--verbose"]);
    assert!(transcript.starts_with("exit 2\n--- stderr\nerror: the argument '--quiet' cannot"));
}
