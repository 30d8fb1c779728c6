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
fn commands_below_another_are_suggested_where_they_are() {
    for (words, suggestion) in [
        (
            ["cluster", "stats"],
            "no command 'stats'; did you mean 'status'?",
        ),
        (
            ["openings", "mak"],
            "no command 'mak'; did you mean 'make'?",
        ),
    ] {
        let transcript = run(&words);
        assert!(transcript.contains(suggestion), "{transcript}");
        let usage = format!("Usage: tabia {} ", words[0]);
        assert!(transcript.contains(&usage), "{transcript}");
    }
}

#[test]
fn misspelt_words_of_options_are_met_with_a_suggestion() {
    for (line, suggestion) in [
        ("run quickstart --set sed=3", "did you mean `seeds`?"),
        ("run quickstart --set seeds=3", "expected a list: write [3]"),
        ("match --each nods=5", "did you mean `nodes`?"),
        ("bench --player option.MutliPV=2", "did you mean 'MultiPV'?"),
        ("bench --player alphbeta", "did you mean 'alphabeta'?"),
        (
            "data filter a.binpack -o b.binpack --remove captrues",
            "did you mean 'captures'?",
        ),
    ] {
        let words: Vec<_> = line.split(' ').collect();
        let transcript = run(&words);
        assert!(transcript.starts_with("exit 2\n"), "{transcript}");
        assert!(transcript.contains(suggestion), "{transcript}");
    }
}

#[test]
fn quiet_and_verbose_exclude_each_other() {
    let transcript = run(&["man", "--quiet", "--verbose"]);
    assert!(transcript.starts_with("exit 2\n--- stderr\nerror: the argument '--quiet' cannot"));
}
