//! Options that a UCI client can set: their types, their declarations, how a value is parsed, and
//! what setting one changes.
//!
//! It must not know any particular option: each engine has a table of its own.

use crate::excerpt::excerpt;
use std::fmt;

/// What clients send for an empty text.
pub const EMPTY: &str = "<empty>";

/// The client announces that it will ponder; this does not change a search.
pub const PONDER: Declaration = Declaration::off("Ponder");
/// Castling is written as king takes rook.
pub const CHESS960: Declaration = Declaration::off("UCI_Chess960");
/// Win, draw and loss probabilities are reported.
pub const SHOW_WDL: Declaration = Declaration::off("UCI_ShowWDL");
/// The options that the UCI front handles itself, whichever engine plays.
pub const FRONT: [Declaration; 3] = [PONDER, CHESS960, SHOW_WDL];

/// The declaration of an option. Its `Display` is the line that is sent to a client.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Declaration {
    /// Its name, which is matched in any case.
    pub name: &'static str,
    /// Its type.
    pub kind: OptionKind,
}

/// The types of options, with their defaults.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OptionKind {
    /// True or false.
    Check {
        /// The default.
        default: bool,
    },
    /// An integer within a range.
    Spin {
        /// The default.
        default: i64,
        /// The minimum.
        least: i64,
        /// The maximum.
        most: i64,
    },
    /// A decimal number within a range, all in thousandths. Declared to clients as a string,
    /// because the protocol has no such type.
    Decimal {
        /// The default.
        default: i64,
        /// The minimum.
        least: i64,
        /// The maximum.
        most: i64,
    },
    /// One of a few values.
    Combo {
        /// The values, the default first.
        words: &'static [&'static str],
    },
    /// A text; empty by default.
    Text,
    /// An action.
    Button,
}

/// The value of an option.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OptionValue {
    /// For a [`OptionKind::Check`].
    Check(bool),
    /// For a [`OptionKind::Spin`], within its range.
    Spin(i64),
    /// For a [`OptionKind::Decimal`], in thousandths, within its range.
    Decimal(i64),
    /// For a [`OptionKind::Combo`]: the index of the value.
    Combo(usize),
    /// For a [`OptionKind::Text`]; `None` if it is empty.
    Text(Option<String>),
    /// For a [`OptionKind::Button`].
    Pressed,
}

/// A value, and a remark for the client if it is not exactly what was asked for.
pub type Read = (OptionValue, Option<String>);

impl Declaration {
    /// An option that is true or false, and false by default.
    const fn off(name: &'static str) -> Declaration {
        Declaration {
            name,
            kind: OptionKind::Check { default: false },
        }
    }

    /// Parses a value that a client has sent. A number outside the range becomes the nearest one
    /// inside, with a remark for the client.
    ///
    /// # Errors
    /// If the value is not of this type; the error is a message.
    pub fn read(&self, value: Option<&str>) -> Result<Read, String> {
        let refusal = |wanted: &str| {
            let found = value.map_or("none".to_owned(), |value| format!("'{}'", excerpt(value)));
            format!("{} expects {wanted}, but the value is {found}", self.name)
        };
        let plain = |value| Ok((value, None));
        match self.kind {
            OptionKind::Check { .. } => {
                let value = value.and_then(|value| value.to_ascii_lowercase().parse().ok());
                plain(OptionValue::Check(
                    value.ok_or_else(|| refusal("true or false"))?,
                ))
            }
            OptionKind::Spin { least, most, .. } => {
                let wanted = format!("a number from {least} to {most}");
                let number: i64 = value
                    .and_then(|value| value.parse().ok())
                    .ok_or_else(|| refusal(&wanted))?;
                // The nearest valid value is closer to what was meant than the old value.
                let nearest = number.clamp(least, most);
                let remark = || format!("{}: it is now {nearest}", refusal(&wanted));
                Ok((OptionValue::Spin(nearest), (nearest != number).then(remark)))
            }
            OptionKind::Decimal { least, most, .. } => {
                let wanted = format!(
                    "a number from {} to {}",
                    Thousandths(least),
                    Thousandths(most)
                );
                let number: f64 = value
                    .and_then(|value| value.parse().ok())
                    .filter(|number: &f64| number.is_finite())
                    .ok_or_else(|| refusal(&wanted))?;
                let thousandths = (number * 1000.0).round();
                let nearest = (thousandths as i64).clamp(least, most);
                let remark = || format!("{}: it is now {}", refusal(&wanted), Thousandths(nearest));
                let is_other = nearest as f64 != thousandths;
                Ok((OptionValue::Decimal(nearest), is_other.then(remark)))
            }
            OptionKind::Combo { words } => {
                let is_meant =
                    |word: &&str| value.is_some_and(|value| value.eq_ignore_ascii_case(word));
                let number = words.iter().position(is_meant);
                let wanted = || refusal(&format!("one of {}", words.join(", ")));
                plain(OptionValue::Combo(number.ok_or_else(wanted)?))
            }
            OptionKind::Text => {
                let is_text = |value: &&str| !value.is_empty() && *value != EMPTY;
                plain(OptionValue::Text(value.filter(is_text).map(str::to_owned)))
            }
            OptionKind::Button => plain(OptionValue::Pressed),
        }
    }
}

impl fmt::Display for Declaration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "option name {} type ", self.name)?;
        match self.kind {
            OptionKind::Check { default } => write!(f, "check default {default}"),
            OptionKind::Spin {
                default,
                least,
                most,
            } => write!(f, "spin default {default} min {least} max {most}"),
            OptionKind::Decimal { default, .. } => {
                write!(f, "string default {}", Thousandths(default))
            }
            OptionKind::Combo { words } => {
                write!(f, "combo default {}", words.first().unwrap_or(&EMPTY))?;
                words.iter().try_for_each(|word| write!(f, " var {word}"))
            }
            OptionKind::Text => write!(f, "string default {EMPTY}"),
            OptionKind::Button => f.write_str("button"),
        }
    }
}

/// A number in thousandths, written without trailing zeros.
struct Thousandths(i64);

impl fmt::Display for Thousandths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0 as f64 / 1000.0)
    }
}

/// The declaration of this name, in any case.
pub fn find(declarations: &[Declaration], name: &str) -> Option<Declaration> {
    let is_meant = |declaration: &&Declaration| declaration.name.eq_ignore_ascii_case(name);
    declarations.iter().find(is_meant).copied()
}

/// An option of an engine with settings of the type `S`: its declaration, and what setting it
/// changes.
pub struct Definition<S: 'static> {
    /// How it is declared to a client.
    pub declaration: Declaration,
    effect: Effect<S>,
}

/// What setting an option changes.
enum Effect<S> {
    Check(fn(&mut S, bool)),
    Spin(fn(&mut S, i64)),
    Decimal(fn(&mut S, f32)),
    Combo(fn(&mut S, usize)),
    Text(fn(&mut S, Option<&str>)),
    Button(fn(&mut S)),
    /// Nothing in the engine: the UCI front handles it.
    None,
}

impl<S> Definition<S> {
    /// An option that is true or false.
    pub const fn check(name: &'static str, default: bool, effect: fn(&mut S, bool)) -> Self {
        Self::new(name, OptionKind::Check { default }, Effect::Check(effect))
    }

    /// An integer with its default and its range.
    pub const fn spin(
        name: &'static str,
        default: i64,
        [least, most]: [i64; 2],
        effect: fn(&mut S, i64),
    ) -> Self {
        let kind = OptionKind::Spin {
            default,
            least,
            most,
        };
        Self::new(name, kind, Effect::Spin(effect))
    }

    /// A number with decimals: its default and its range, all in thousandths.
    pub const fn decimal(
        name: &'static str,
        default: i64,
        [least, most]: [i64; 2],
        effect: fn(&mut S, f32),
    ) -> Self {
        let kind = OptionKind::Decimal {
            default,
            least,
            most,
        };
        Self::new(name, kind, Effect::Decimal(effect))
    }

    /// One of several values, the default first.
    pub const fn combo(
        name: &'static str,
        words: &'static [&'static str],
        effect: fn(&mut S, usize),
    ) -> Self {
        Self::new(name, OptionKind::Combo { words }, Effect::Combo(effect))
    }

    /// A text.
    pub const fn text(name: &'static str, effect: fn(&mut S, Option<&str>)) -> Self {
        Self::new(name, OptionKind::Text, Effect::Text(effect))
    }

    /// An action.
    pub const fn button(name: &'static str, effect: fn(&mut S)) -> Self {
        Self::new(name, OptionKind::Button, Effect::Button(effect))
    }

    /// An option that the UCI front handles; the engine only places it among its own.
    pub const fn of_front(declaration: Declaration) -> Self {
        Definition {
            declaration,
            effect: Effect::None,
        }
    }

    const fn new(name: &'static str, kind: OptionKind, effect: Effect<S>) -> Self {
        Definition {
            declaration: Declaration { name, kind },
            effect,
        }
    }

    /// Changes the settings by a value that its declaration has parsed.
    pub fn set(&self, settings: &mut S, value: &OptionValue) {
        match (&self.effect, value) {
            (Effect::Check(set), OptionValue::Check(value)) => set(settings, *value),
            (Effect::Spin(set), OptionValue::Spin(value)) => set(settings, *value),
            (Effect::Decimal(set), OptionValue::Decimal(value)) => {
                set(settings, (*value as f64 / 1000.0) as f32);
            }
            (Effect::Combo(set), OptionValue::Combo(value)) => set(settings, *value),
            (Effect::Text(set), OptionValue::Text(value)) => set(settings, value.as_deref()),
            (Effect::Button(press), OptionValue::Pressed) => press(settings),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: Declaration = Declaration {
        name: "Size",
        kind: OptionKind::Spin {
            default: 10,
            least: 4,
            most: 20,
        },
    };
    const RULE: Declaration = Declaration {
        name: "Rule",
        kind: OptionKind::Combo {
            words: &["guarded", "published"],
        },
    };

    #[test]
    fn numbers_outside_a_range_become_the_nearest_inside() {
        for (value, nearest) in [("3", 4), ("-7", 4), ("21", 20)] {
            let (number, remark) = SIZE.read(Some(value)).expect("a number");
            assert_eq!(number, OptionValue::Spin(nearest));
            let remark = remark.expect("the client hears of it");
            assert!(
                remark.ends_with(&format!("it is now {nearest}")),
                "{remark}"
            );
        }
        assert_eq!(SIZE.read(Some("20")), Ok((OptionValue::Spin(20), None)));
    }

    #[test]
    fn decimals_are_read_to_thousandths() {
        let weight = Declaration {
            name: "Weight",
            kind: OptionKind::Decimal {
                default: 1_600,
                least: 0,
                most: 100_000,
            },
        };
        assert_eq!(
            weight.to_string(),
            "option name Weight type string default 1.6"
        );
        for (text, value) in [("1.25", 1_250), ("3", 3_000), (".1234", 123)] {
            let (read, _) = weight.read(Some(text)).expect(text);
            assert_eq!(read, OptionValue::Decimal(value));
        }
        assert_eq!(
            weight.read(Some("2.5")),
            Ok((OptionValue::Decimal(2_500), None))
        );
        let (nearest, remark) = weight.read(Some("-1")).expect("a number");
        assert_eq!(nearest, OptionValue::Decimal(0));
        let remark = remark.expect("the client hears of it");
        assert!(
            remark.ends_with("from 0 to 100, but the value is '-1': it is now 0"),
            "{remark}"
        );
        for text in [Some("NaN"), Some("inf"), Some("much"), Some(""), None] {
            assert!(weight.read(text).is_err(), "{text:?}");
        }
    }

    #[test]
    fn wrong_values_are_refused() {
        for value in [Some("many"), None, Some("99999999999999999999"), Some("")] {
            assert!(SIZE.read(value).is_err(), "{value:?}");
        }
        let refusal = RULE.read(Some("other")).expect_err("no such word");
        assert_eq!(
            refusal,
            "Rule expects one of guarded, published, but the value is 'other'"
        );
    }

    #[test]
    fn words_are_read_in_any_case() {
        assert_eq!(
            RULE.read(Some("Published")),
            Ok((OptionValue::Combo(1), None))
        );
        assert_eq!(
            RULE.to_string(),
            "option name Rule type combo default guarded var guarded var published"
        );
        assert_eq!(find(&[SIZE, RULE], "rule"), Some(RULE));
        assert_eq!(find(&[SIZE, RULE], "Skill Level"), None);
    }

    #[test]
    fn empty_texts_are_none() {
        let text = Declaration {
            name: "Path",
            kind: OptionKind::Text,
        };
        for (value, read) in [
            (Some("/a b"), Some("/a b")),
            (Some(EMPTY), None),
            (Some(""), None),
            (None, None),
        ] {
            let read = OptionValue::Text(read.map(str::to_owned));
            assert_eq!(text.read(value), Ok((read, None)), "{value:?}");
        }
    }
}
