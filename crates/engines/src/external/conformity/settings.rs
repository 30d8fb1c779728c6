//! Steps that set options: one of each type, with valid and with invalid values.

use super::examiner::{Examiner, Problem};
use crate::external::handshake::Handshake;
use crate::external::{DeclaredOption, OptionKind};

/// How many steps this module has.
pub(super) const COUNT: usize = KINDS.len() + 2;

/// How to find an option of some type to test.
#[derive(Clone, Copy)]
struct Kind {
    step: &'static str,
    names: &'static [&'static str],
    is_it: fn(&OptionKind) -> bool,
    /// Whether only options of these names are tested: any other might do harm.
    known_only: bool,
}

const KINDS: [Kind; 5] = [
    Kind {
        step: "setoption of a check",
        names: &["Ponder", "UCI_ShowWDL"],
        is_it: |kind| matches!(kind, OptionKind::Check { .. }),
        known_only: false,
    },
    Kind {
        step: "setoption of a spin",
        names: &["Hash", "MultiPV"],
        is_it: |kind| matches!(kind, OptionKind::Spin { .. }),
        known_only: false,
    },
    Kind {
        step: "setoption of a combo",
        names: &[],
        is_it: |kind| matches!(kind, OptionKind::Combo { .. }),
        known_only: false,
    },
    Kind {
        step: "setoption of a string",
        names: &["SyzygyPath"],
        is_it: |kind| matches!(kind, OptionKind::Text { .. }),
        known_only: false,
    },
    Kind {
        step: "setoption of a button",
        names: &["Clear Hash"],
        is_it: |kind| matches!(kind, OptionKind::Button),
        known_only: true,
    },
];

/// The option to test for a type: if possible one that is well known.
fn chosen(handshake: &Handshake, kind: Kind) -> Option<&DeclaredOption> {
    let mut names = kind.names.iter();
    let known = names.find_map(|name| handshake.option(name));
    let of_type = |option: &&DeclaredOption| (kind.is_it)(&option.kind);
    known
        .filter(of_type)
        .or_else(|| handshake.options.iter().find(of_type))
        .filter(|option| !kind.known_only || known == Some(*option))
}

pub(super) fn check(examiner: &mut Examiner<'_>) {
    for kind in KINDS {
        examiner.step(kind.step, "nothing; then readyok", |examiner| {
            let Some(option) = chosen(&examiner.handshake, kind) else {
                return Err(Problem::Pointless(if kind.known_only {
                    "it declares none that is certain to be harmless"
                } else {
                    "it declares none"
                }));
            };
            for line in good_settings(option) {
                examiner.say(&line)?;
                examiner.await_ready()?;
            }
            Ok(())
        });
    }
    examiner.step(
        "setoption with odd values",
        "nothing; then readyok",
        |examiner| {
            let handshake = &examiner.handshake;
            let options = KINDS.iter().filter_map(|&kind| chosen(handshake, kind));
            let lines: Vec<_> = options.flat_map(odd_settings).collect();
            for line in lines {
                examiner.say(&line)?;
                examiner.await_ready()?;
            }
            Ok(())
        },
    );
    examiner.step(
        "setoption with an unknown name",
        "it is ignored; readyok",
        |examiner| {
            examiner.say("setoption name No Such Option value 1\nsetoption")?;
            examiner.await_ready().map(drop)
        },
    );
    examiner.restore_settings();
}

/// Valid values for an option, ending with its default. None is so large that it could exhaust the
/// machine.
fn good_settings(option: &DeclaredOption) -> Vec<String> {
    let values = match &option.kind {
        OptionKind::Check { default } => {
            vec!["true".to_owned(), "false".to_owned(), default.to_string()]
        }
        OptionKind::Spin { default, least, .. } => vec![least.to_string(), default.to_string()],
        OptionKind::Combo { default, choices } => {
            choices.iter().chain([default]).cloned().collect()
        }
        OptionKind::Text { default } if default.is_empty() => vec!["<empty>".to_owned()],
        OptionKind::Text { default } => vec![default.clone()],
        OptionKind::Button => return vec![format!("setoption name {}", option.name)],
    };
    let name = &option.name;
    let lines = values.iter();
    lines
        .map(|value| format!("setoption name {name} value {value}"))
        .collect()
}

/// Invalid values, followed by a valid one. For strings there are none, because any text is valid.
fn odd_settings(option: &DeclaredOption) -> Vec<String> {
    let name = &option.name;
    let value = match &option.kind {
        OptionKind::Check { .. } => "maybe".to_owned(),
        OptionKind::Spin { least, .. } => least.saturating_sub(1).to_string(),
        OptionKind::Combo { .. } => "no such choice".to_owned(),
        OptionKind::Text { .. } | OptionKind::Button => return Vec::new(),
    };
    let mut lines = vec![
        format!("setoption name {name}"),
        format!("setoption name {name} value"),
        format!("setoption name {name} value {value}"),
        format!("setoption name {name} value many words"),
    ];
    lines.extend(good_settings(option).pop());
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn option(words: &str) -> DeclaredOption {
        DeclaredOption::read(words).expect(words)
    }

    #[test]
    fn every_option_ends_as_it_was() {
        for (words, last) in [
            ("name Ponder type check default true", "true"),
            ("name Hash type spin default 16 min 1 max 99999999", "16"),
            ("name Style type combo default A var B var A", "A"),
            ("name Book type string default a b", "a b"),
            ("name Book type string default <empty>", "<empty>"),
        ] {
            let option = option(words);
            let last = format!(" value {last}");
            for lines in [good_settings(&option), odd_settings(&option)] {
                assert!(lines.last().is_none_or(|line| line.ends_with(&last)));
            }
        }
    }

    #[test]
    fn no_value_is_too_great() {
        let hash = option("name Hash type spin default 16 min 1 max 99999999");
        assert_eq!(
            good_settings(&hash),
            [
                "setoption name Hash value 1",
                "setoption name Hash value 16"
            ]
        );
        assert_eq!(
            odd_settings(&hash),
            [
                "setoption name Hash",
                "setoption name Hash value",
                "setoption name Hash value 0",
                "setoption name Hash value many words",
                "setoption name Hash value 16"
            ]
        );
    }

    #[test]
    fn unknown_buttons_are_not_pressed() {
        let mut handshake = Handshake::default();
        handshake.hear("option name Delete Everything type button");
        let buttons = KINDS[4];
        assert_eq!(chosen(&handshake, buttons), None);
        handshake.hear("option name clear hash type button");
        let chosen = chosen(&handshake, buttons);
        assert_eq!(
            chosen.map(|option| option.name.as_str()),
            Some("clear hash")
        );
    }
}
