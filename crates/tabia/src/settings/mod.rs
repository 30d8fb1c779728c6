//! Settings in TOML: a preset, a file on top of it, and overrides from options, read as one;
//! `problem` reports what is wrong with them, and where.
//!
//! It must not know what is set.

mod problem;

use crate::exit::WrongInput;
use crate::kind;
use clap::Args;
use lab::settings::put;
use problem::{Layer, Layers};
use serde::de::DeserializeOwned;
use std::ops::Range;
use std::path::Path;
use toml::Spanned;
use toml::de::{DeTable, Deserializer, Error};

/// Options that override keys of a settings file.
#[derive(Args, Default)]
pub(crate) struct SetOptions {
    /// Override a key of the file, such as net.hidden=64; may be repeated
    #[arg(long = "set", value_name = "KEY=VALUE")]
    set: Vec<String>,
}

impl SetOptions {
    /// The overrides as the user gave them.
    pub(crate) fn list(&self) -> &[String] {
        &self.set
    }

    /// The overrides as lines of TOML.
    pub(crate) fn text(&self) -> Result<String, WrongInput> {
        Ok(Layers::new(self.layers()?).texts().join("\n"))
    }

    fn layers(&self) -> Result<Vec<Layer>, WrongInput> {
        let layer = |text: &String| {
            let wrong = || WrongInput::new(format!("--set {text}: give KEY=VALUE, such as seed=3"));
            let (key, value) = text.split_once('=').ok_or_else(wrong)?;
            assignment(format!("--set {text}"), key.trim(), value.trim())
        };
        self.set.iter().map(layer).collect()
    }
}

/// The kind of a settings file, for error messages.
const SETTINGS: &str = "a TOML file of settings";

/// A mistake in a table: the message and its position.
pub(crate) type Mistake = (String, Option<Range<usize>>);

/// The name and the text of a preset, which settings may build on.
pub(crate) type Preset = (&'static str, &'static str);

/// Reads a settings file; errors are reported with their lines.
pub(crate) fn read<T: DeserializeOwned>(path: &Path) -> Result<T, WrongInput> {
    read_with(path, &SetOptions::default(), None, &[], |table, place| {
        filled(table, place).map_err(|error| (error.message().to_owned(), error.span()))
    })
}

/// Reads a file with overrides from options, on top of a preset if the file or an option names one.
/// `make` converts the whole table; a missing key is reported at the position it is given.
pub(crate) fn read_with<T>(
    path: &Path,
    options: &SetOptions,
    preset: Option<&str>,
    presets: &[Preset],
    make: impl FnOnce(DeTable<'_>, usize) -> Result<T, Mistake>,
) -> Result<T, WrongInput> {
    let mut list = vec![file(path)?];
    if let Some(name) = preset {
        list.push(assignment(format!("--preset {name}"), "preset", name)?);
    }
    list.extend(options.layers()?);
    let mut layers = Layers::new(list);
    let below = chosen(&layers, presets)?;
    let has_preset = below.is_some();
    layers.put_below(below);
    let texts = layers.texts();
    let mut table = joined(&texts).map_err(|error| layers.explain(&error))?;
    if !presets.is_empty() {
        table.remove("preset");
    }
    let place = layers.begin(usize::from(has_preset));
    make(table, place).map_err(|(words, span)| layers.reword(&words, span))
}

/// Reads a named text with overrides from options. `make` converts the whole table.
pub(crate) fn read_table<T>(
    name: &str,
    text: &str,
    options: &SetOptions,
    make: impl FnOnce(DeTable<'_>) -> Result<T, Mistake>,
) -> Result<T, WrongInput> {
    let mut list = vec![Layer::file(name.to_owned(), text.to_owned())];
    list.extend(options.layers()?);
    let layers = Layers::new(list);
    let texts = layers.texts();
    let table = joined(&texts).map_err(|error| layers.explain(&error))?;
    make(table).map_err(|(words, span)| layers.reword(&words, span))
}

/// The preset that the settings name.
fn chosen(layers: &Layers, presets: &[Preset]) -> Result<Option<Layer>, WrongInput> {
    let texts = layers.texts();
    let table = joined(&texts).map_err(|error| layers.explain(&error))?;
    let Some(named) = table.get("preset").filter(|_| !presets.is_empty()) else {
        return Ok(None);
    };
    let name = named.get_ref().as_str().unwrap_or_default();
    let text = look_up(name, presets).map_err(|words| layers.tell(&words, named.span()))?;
    let name = format!("preset {name}");
    Ok(Some(Layer::file(name, text.to_owned())))
}

/// The text of a preset.
pub(crate) fn find(name: &str, presets: &[Preset]) -> Result<&'static str, WrongInput> {
    look_up(name, presets).map_err(WrongInput::new)
}

fn look_up(name: &str, presets: &[Preset]) -> Result<&'static str, String> {
    let found = presets.iter().find(|(known, _)| *known == name);
    found.map(|(_, text)| *text).ok_or_else(|| {
        let known: Vec<&str> = presets.iter().map(|(known, _)| *known).collect();
        problem::unknown(name, &known)
    })
}

/// The override of an option: a TOML value, or else a bare word, which becomes a string.
fn assignment(name: String, key: &str, value: &str) -> Result<Layer, WrongInput> {
    let plain = format!("{key} = {value}");
    if !value.contains('\n') && DeTable::parse(&plain).is_ok() {
        return Ok(Layer::option(name, plain));
    }
    // A JSON string is a TOML string, too.
    let quoted = format!("{key} = {}", serde_json::Value::from(value));
    match DeTable::parse(&quoted) {
        Ok(_) => Ok(Layer::option(name, quoted)),
        Err(_) => Err(WrongInput::new(format!(
            "{name}: `{key}` is not a key, such as seed or net.hidden"
        ))),
    }
}

fn file(path: &Path) -> Result<Layer, WrongInput> {
    let name = path.display().to_string();
    Ok(Layer::file(name, text_of(path)?))
}

/// The text of a settings file.
pub(crate) fn text_of(path: &Path) -> Result<String, WrongInput> {
    let read = data::file::read_settings(path).map_err(|error| {
        kind::or_other(path, SETTINGS, &[], || {
            WrongInput::new(format!("cannot read {}: {error}", path.display()))
        })
    })?;
    match DeTable::parse(&read) {
        // Its errors are reported with their lines, unless it is a file of another kind.
        Err(_) => match kind::other(path, SETTINGS, &[]) {
            Some(problem) => Err(problem),
            None => Ok(read),
        },
        Ok(_) => Ok(read),
    }
}

/// All layers as one table, in which later layers take precedence.
fn joined(texts: &[String]) -> Result<DeTable<'_>, Error> {
    let mut all = DeTable::new();
    for text in texts {
        put(&mut all, DeTable::parse(text)?.into_inner());
    }
    Ok(all)
}

/// The settings of a table; a missing key is reported at `place`.
pub(crate) fn filled<T: DeserializeOwned>(table: DeTable<'_>, place: usize) -> Result<T, Error> {
    T::deserialize(Deserializer::from(Spanned::new(place..place, table)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads layers, each given as a text, as one table.
    fn read_all(texts: &[&str]) -> toml::Table {
        let texts: Vec<String> = texts.iter().map(|&text| text.to_owned()).collect();
        filled(joined(&texts).expect("tables"), 0).expect("any table")
    }

    #[test]
    fn the_last_word_counts() {
        let read = read_all(&[
            "seed = 1\nepochs = 9\n[net]\nhidden = 32\nshape = 'sfnn'",
            "epochs = 3\n[net]\nhidden = 64",
            "net.hidden = 128",
        ]);
        let expected = "seed = 1\nepochs = 3\nnet = { hidden = 128, shape = 'sfnn' }";
        assert_eq!(read, toml::from_str(expected).expect("a table"));
    }

    #[test]
    fn a_table_with_a_kind_stands_for_itself() {
        let step = "rate = { kind = 'step', from = 1, factor = 0.5 }";
        let linear = "rate = { kind = 'linear', from = 2, to = 0 }";
        assert_eq!(read_all(&[step, linear]), read_all(&[linear]));
        assert_eq!(read_all(&[step, "rate = 3"]), read_all(&["rate = 3"]));
        let changed = "rate = { kind = 'step', from = 7, factor = 0.5 }";
        assert_eq!(read_all(&[step, "rate.from = 7"]), read_all(&[changed]));
    }

    #[test]
    fn bare_words_are_texts() {
        for (value, expected) in [
            ("64", "key = 64"),
            ("[1, 2]", "key = [1, 2]"),
            ("crelu", "key = 'crelu'"),
            ("'true'", "key = 'true'"),
            ("nets/a \"b\".nnue", "key = 'nets/a \"b\".nnue'"),
            ("1\nother = 2", "key = \"1\\nother = 2\""),
        ] {
            let layer = assignment("--set".to_owned(), "key", value).expect("a key");
            let texts = Layers::new(vec![layer]).texts();
            let read: toml::Table = filled(joined(&texts).expect("a table"), 0).expect("any");
            assert_eq!(read, toml::from_str(expected).expect("a table"), "{value}");
        }
    }
}
