//! Settings that are garbage: an error of one line, never a panic.

use arena::game::{DrawRule, ResignRule};
use engines::recipe::{PlayerSettings, Seconds, TimeControl, resolve};

/// Texts of words and signs that settings are made of, the same in every run.
fn texts(count: usize) -> impl Iterator<Item = String> {
    const PARTS: [&str; 36] = [
        "name=",
        "eval=",
        "classical",
        "nodes=",
        "depth=",
        "tc=",
        "st=",
        "hash=",
        "threads=",
        "margin=",
        "patience=",
        "option.",
        "param.",
        "arg=",
        "cmd=",
        "dir=",
        "movecount=",
        "score=",
        "twosided=",
        "razor_base",
        "0",
        "1",
        "99999999999999999999",
        "-1",
        "0.5",
        "1e9",
        ":",
        "/",
        "+",
        "=",
        ".",
        " ",
        " ",
        "'",
        "\"",
        "\\",
    ];
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let mut next = move |limit: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 33) as usize % limit
    };
    (0..count).map(move |_| {
        let length = next(12);
        (0..length).map(|_| PARTS[next(PARTS.len())]).collect()
    })
}

fn is_one_line(error: &impl ToString) -> bool {
    error.to_string().lines().count() == 1
}

#[test]
fn garbage_is_refused_in_one_line() {
    let mut good = 0;
    for text in texts(50_000) {
        match PlayerSettings::from_words(&text) {
            Ok(settings) => {
                let specs = resolve(vec![settings], &PlayerSettings::default());
                assert!(specs.as_ref().err().is_none_or(is_one_line), "{text}");
                good += usize::from(specs.is_ok());
            }
            Err(error) => assert!(is_one_line(&error), "{text}: {error}"),
        }
        let rules = [
            DrawRule::from_words(&text).err(),
            ResignRule::from_words(&text).err(),
        ];
        assert!(rules.iter().flatten().all(is_one_line), "{text}");
        // What is read is written so that it is read the same.
        if let Ok(control) = text.parse::<TimeControl>() {
            assert_eq!(control.to_string().parse(), Ok(control), "{text}");
        }
        if let Ok(time) = text.parse::<Seconds>() {
            assert_eq!(time.to_string().parse(), Ok(time), "{text}");
        }
    }
    assert!(good > 10, "only {good} of the texts are players");
}
