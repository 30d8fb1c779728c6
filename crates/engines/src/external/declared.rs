//! The options that a program declares, and the values that they accept.
//!
//! It must not know any particular option.

use crate::excerpt::excerpt;

/// An option that a program declares.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DeclaredOption {
    /// Its name, as the program writes it.
    pub name: String,
    /// Its type.
    pub kind: OptionKind,
}

/// The type of an option, with its default and the values that it accepts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OptionKind {
    /// True or false.
    Check {
        /// The default.
        default: bool,
    },
    /// An integer.
    Spin {
        /// The default.
        default: i64,
        /// The minimum.
        least: i64,
        /// The maximum.
        most: i64,
    },
    /// One of several predefined values.
    Combo {
        /// The default.
        default: String,
        /// The values.
        choices: Vec<String>,
    },
    /// An action without a value.
    Button,
    /// Any text.
    Text {
        /// The default.
        default: String,
    },
}

/// The UCI notation for an empty text.
const EMPTY: &str = "<empty>";

impl DeclaredOption {
    /// Parses the words after `option`; an error says what is wrong with them.
    pub(super) fn read(words: &str) -> Result<DeclaredOption, String> {
        let refuse = |problem: &str| Err(format!("{problem} in 'option {}'", excerpt(words)));
        let Some(rest) = words.strip_prefix("name ") else {
            return refuse("no name");
        };
        let Some((name, rest)) = rest.split_once(" type ") else {
            return refuse("no type");
        };
        let (kind, rest) = rest.trim().split_once(' ').unwrap_or((rest.trim(), ""));
        let kind = match kind {
            "check" => read_check(rest),
            "spin" => read_spin(rest),
            "combo" => read_combo(rest),
            "button" => Ok(OptionKind::Button),
            "string" => read_text(rest),
            _ => Err("an unknown type"),
        };
        match kind {
            Ok(kind) => Ok(DeclaredOption {
                name: name.trim().to_owned(),
                kind,
            }),
            Err(problem) => refuse(problem),
        }
    }

    /// The line that sets a value, or why the option does not accept it.
    pub(super) fn setting(&self, value: &str) -> Result<String, String> {
        let value = value.trim();
        let refusal = |wanted: String| {
            let value = excerpt(value);
            format!(
                "the option {} expects {wanted}, but the value is '{value}'",
                self.name
            )
        };
        let value = match &self.kind {
            OptionKind::Check { .. } => match value.to_ascii_lowercase().as_str() {
                word @ ("true" | "false") => word.to_owned(),
                _ => return Err(refusal("true or false".to_owned())),
            },
            OptionKind::Spin { least, most, .. } => match value.parse::<i64>() {
                Ok(number) if (least..=most).contains(&&number) => number.to_string(),
                _ => return Err(refusal(format!("a number from {least} to {most}"))),
            },
            OptionKind::Combo { choices, .. } => {
                match choices
                    .iter()
                    .find(|choice| choice.eq_ignore_ascii_case(value))
                {
                    Some(choice) => choice.clone(),
                    None => return Err(refusal(format!("one of {}", choices.join(", ")))),
                }
            }
            OptionKind::Button => return Ok(format!("setoption name {}", self.name)),
            OptionKind::Text { .. } if value.contains(['\n', '\r']) => {
                return Err(refusal("a text of one line".to_owned()));
            }
            OptionKind::Text { .. } if value.is_empty() => EMPTY.to_owned(),
            OptionKind::Text { .. } => value.to_owned(),
        };
        Ok(format!("setoption name {} value {value}", self.name))
    }

    /// Whether this is the option of that name, in any case.
    pub(super) fn is_called(&self, name: &str) -> bool {
        self.name.eq_ignore_ascii_case(name.trim())
    }
}

fn read_check(words: &str) -> Result<OptionKind, &'static str> {
    match words.split_whitespace().collect::<Vec<_>>()[..] {
        ["default", "true"] => Ok(OptionKind::Check { default: true }),
        ["default", "false"] => Ok(OptionKind::Check { default: false }),
        _ => Err("the default is not true or false"),
    }
}

fn read_spin(words: &str) -> Result<OptionKind, &'static str> {
    let words: Vec<_> = words.split_whitespace().collect();
    let number = |key: &str| -> Option<i64> {
        let place = words.iter().position(|&word| word == key)?;
        words.get(place + 1)?.parse().ok()
    };
    let (Some(default), Some(least), Some(most)) =
        (number("default"), number("min"), number("max"))
    else {
        return Err("default, min and max are not all given as whole numbers");
    };
    if !(least..=most).contains(&default) {
        return Err("the default is not between min and max");
    }
    Ok(OptionKind::Spin {
        default,
        least,
        most,
    })
}

fn read_combo(words: &str) -> Result<OptionKind, &'static str> {
    // The leading space lets the first `var` be found like the others.
    let words = format!(" {words}");
    let mut parts = words.split(" var ").map(str::trim);
    let first = parts.next().unwrap_or_default();
    let default = first.strip_prefix("default").unwrap_or_default().trim();
    let choices: Vec<_> = parts.map(str::to_owned).collect();
    if !choices.iter().any(|choice| choice == default) {
        return Err("the default is not one of the vars");
    }
    Ok(OptionKind::Combo {
        default: default.to_owned(),
        choices,
    })
}

fn read_text(words: &str) -> Result<OptionKind, &'static str> {
    let default = words.strip_prefix("default").ok_or("no default")?.trim();
    let default = if default == EMPTY { "" } else { default };
    Ok(OptionKind::Text {
        default: default.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(words: &str) -> DeclaredOption {
        DeclaredOption::read(words).expect(words)
    }

    #[test]
    fn every_kind_is_read() {
        let option = read("name Ponder type check default false");
        assert_eq!(option.kind, OptionKind::Check { default: false });
        let option = read("name Hash type spin default 16 min 1 max 33554432");
        assert_eq!(
            option.kind,
            OptionKind::Spin {
                default: 16,
                least: 1,
                most: 33_554_432
            }
        );
        let option = read("name Analysis Contempt type combo default Both var Off var Both");
        assert_eq!(option.name, "Analysis Contempt");
        assert_eq!(
            option.kind,
            OptionKind::Combo {
                default: "Both".to_owned(),
                choices: vec!["Off".to_owned(), "Both".to_owned()]
            }
        );
        assert_eq!(read("name Clear Hash type button").kind, OptionKind::Button);
        for (words, default) in [
            ("name Book type string default a b.bin", "a b.bin"),
            ("name Book type string default <empty>", ""),
            ("name Book type string default", ""),
        ] {
            let default = default.to_owned();
            assert_eq!(read(words).kind, OptionKind::Text { default });
        }
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (words, problem) in [
            ("Hash type spin", "no name"),
            ("name Hash spin", "no type"),
            ("name Hash type number", "an unknown type"),
            ("name Ponder type check", "the default is not true or false"),
            ("name Hash type spin default 1 min 1", "default, min"),
            (
                "name Hash type spin default 0 min 1 max 2",
                "the default is not",
            ),
            (
                "name A type combo default x var y",
                "the default is not one",
            ),
            ("name A type string", "no default"),
        ] {
            let error = DeclaredOption::read(words).expect_err(words);
            assert!(error.starts_with(problem), "{error}");
            assert!(error.ends_with(&format!("in 'option {words}'")), "{error}");
        }
    }

    #[test]
    fn values_are_set_as_the_program_spells_them() {
        let hash = read("name Hash type spin default 16 min 1 max 1024");
        assert!(hash.is_called(" hash"));
        assert_eq!(
            hash.setting("+64").as_deref(),
            Ok("setoption name Hash value 64")
        );
        let ponder = read("name Ponder type check default false");
        assert_eq!(
            ponder.setting("TRUE").as_deref(),
            Ok("setoption name Ponder value true")
        );
        let style = read("name Style type combo default Solid var Solid var Very Risky");
        assert_eq!(
            style.setting("very risky").as_deref(),
            Ok("setoption name Style value Very Risky")
        );
        let clear = read("name Clear Hash type button");
        assert_eq!(
            clear.setting("").as_deref(),
            Ok("setoption name Clear Hash")
        );
        let book = read("name Book type string default x");
        assert_eq!(
            book.setting("").as_deref(),
            Ok("setoption name Book value <empty>")
        );
    }

    #[test]
    fn values_that_cannot_be_are_refused() {
        let hash = read("name Hash type spin default 16 min 1 max 1024");
        for value in ["0", "1025", "many", ""] {
            assert_eq!(
                hash.setting(value),
                Err(format!(
                    "the option Hash expects a number from 1 to 1024, but the value is '{value}'"
                ))
            );
        }
        let ponder = read("name Ponder type check default false");
        assert!(ponder.setting("1").is_err());
        let style = read("name Style type combo default Solid var Solid var Risky");
        assert_eq!(
            style.setting("mad").expect_err("no such style"),
            "the option Style expects one of Solid, Risky, but the value is 'mad'"
        );
        // A line break would start a second command.
        let book = read("name Book type string default x");
        assert!(book.setting("x\nquit").is_err());
    }
}
