//! Colors: never into a pipe by themselves, always when asked for.

use crate::program::{run, tabia, transcript};

const ESCAPE: char = '\u{1b}';

#[test]
fn pipes_get_no_colors() {
    assert!(!run(&["--help"]).contains(ESCAPE));
    assert!(!run(&["nonsense"]).contains(ESCAPE));
}

#[test]
fn colors_can_be_asked_for() {
    for arguments in [
        ["--color", "always", "--help"],
        ["nonsense", "--color", "always"],
    ] {
        assert!(run(&arguments).contains(ESCAPE), "{arguments:?}");
    }
    // An error of the program itself, not of its parser.
    let folder = env!("CARGO_BIN_EXE_tabia");
    let error = run(&["man", folder, "--color=always"]);
    assert!(error.contains(ESCAPE), "{error}");
}

#[test]
fn no_color_is_obeyed() {
    // CLICOLOR_FORCE asks for colors even in a pipe; without it the test would
    // prove nothing.
    for arguments in [["--help", "-q"], ["man", env!("CARGO_BIN_EXE_tabia")]] {
        let mut forced = tabia(&arguments);
        forced.env("CLICOLOR_FORCE", "1");
        assert!(transcript(&mut forced).contains(ESCAPE), "{arguments:?}");
        assert!(
            !transcript(forced.env("NO_COLOR", "1")).contains(ESCAPE),
            "{arguments:?}"
        );
    }
}

#[test]
fn the_option_outweighs_the_environment() {
    let mut asked_for = tabia(&["--color", "always", "--help"]);
    assert!(transcript(asked_for.env("NO_COLOR", "1")).contains(ESCAPE));
    let mut refused = tabia(&["--color", "never", "--help"]);
    assert!(!transcript(refused.env("CLICOLOR_FORCE", "1")).contains(ESCAPE));
}
