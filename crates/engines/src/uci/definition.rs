//! What an option is: its kinds, how the client hears of it, how it is set.
//!
//! It must not know which options there are.

use super::options::Settings;
use crate::excerpt::excerpt;
use std::fmt;

/// One option. Its `Display` is the line that tells the client.
pub(super) struct Definition {
    pub(super) name: &'static str,
    pub(super) kind: Kind,
}

pub(super) enum Kind {
    Check {
        default: bool,
        set: fn(&mut Settings, bool),
    },
    Spin {
        default: i64,
        least: i64,
        most: i64,
        set: fn(&mut Settings, i64),
    },
    Text {
        /// What stands for no text.
        default: &'static str,
        set: fn(&mut Settings, Option<&str>),
    },
    Button {
        press: fn(&mut Settings),
    },
}

/// The word that clients send for an empty text.
pub(super) const EMPTY: &str = "<empty>";

pub(super) const fn check(
    name: &'static str,
    default: bool,
    set: fn(&mut Settings, bool),
) -> Definition {
    let kind = Kind::Check { default, set };
    Definition { name, kind }
}

pub(super) const fn spin(
    name: &'static str,
    default: i64,
    least: i64,
    most: i64,
    set: fn(&mut Settings, i64),
) -> Definition {
    let kind = Kind::Spin {
        default,
        least,
        most,
        set,
    };
    Definition { name, kind }
}

pub(super) const fn text(
    name: &'static str,
    default: &'static str,
    set: fn(&mut Settings, Option<&str>),
) -> Definition {
    let kind = Kind::Text { default, set };
    Definition { name, kind }
}

pub(super) const fn button(name: &'static str, press: fn(&mut Settings)) -> Definition {
    let kind = Kind::Button { press };
    Definition { name, kind }
}

impl Definition {
    /// Sets the option. A remark tells the client what it may not expect.
    pub(super) fn set(
        &self,
        settings: &mut Settings,
        value: Option<&str>,
    ) -> Result<Option<String>, String> {
        let refusal = |wanted: &str| {
            let found = value.map_or("none".to_owned(), |value| format!("'{}'", excerpt(value)));
            format!("{} wants {wanted}, but the value is {found}", self.name)
        };
        match self.kind {
            Kind::Check { set, .. } => {
                let value = value.and_then(|value| value.to_ascii_lowercase().parse().ok());
                set(settings, value.ok_or_else(|| refusal("true or false"))?);
                Ok(None)
            }
            Kind::Spin {
                least, most, set, ..
            } => {
                let wanted = format!("a number from {least} to {most}");
                let number: i64 = value
                    .and_then(|value| value.parse().ok())
                    .ok_or_else(|| refusal(&wanted))?;
                // The nearest possible is nearer to what was meant than the
                // value before.
                let nearest = number.clamp(least, most);
                set(settings, nearest);
                Ok((nearest != number)
                    .then(|| format!("{}: it is now {nearest}", refusal(&wanted))))
            }
            Kind::Text { set, .. } => {
                let is_text = |value: &&str| !value.is_empty() && *value != EMPTY;
                set(settings, value.filter(is_text));
                Ok(None)
            }
            Kind::Button { press } => {
                press(settings);
                Ok(None)
            }
        }
    }

    pub(super) fn set_default(&self, settings: &mut Settings) {
        match self.kind {
            Kind::Check { default, set } => set(settings, default),
            Kind::Spin { default, set, .. } => set(settings, default),
            Kind::Text { .. } | Kind::Button { .. } => {}
        }
    }
}

impl fmt::Display for Definition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "option name {} type ", self.name)?;
        match self.kind {
            Kind::Check { default, .. } => write!(f, "check default {default}"),
            Kind::Spin {
                default,
                least,
                most,
                ..
            } => write!(f, "spin default {default} min {least} max {most}"),
            Kind::Text { default, .. } => write!(f, "string default {default}"),
            Kind::Button { .. } => f.write_str("button"),
        }
    }
}
