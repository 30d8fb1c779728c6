//! The command as it is recorded in results: what determines them, and nothing that differs from
//! machine to machine.

use super::{LimitOptions, Options};
use analysis::without_folders;
use std::path::Path;

/// The command without outputs, threads and folders.
pub(super) fn recorded(options: &Options, arguments: &[String]) -> String {
    let mut words = vec!["tabia".to_owned(), "analyze".to_owned()];
    words.push(file_name(&options.games));
    let mut add = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            words.extend([name.to_owned(), value]);
        }
    };
    let LimitOptions {
        nodes,
        depth,
        movetime,
    } = options.limit;
    add("--nodes", nodes.map(|nodes| nodes.to_string()));
    add("--depth", depth.map(|depth| depth.to_string()));
    add("--movetime", movetime.map(|time| time.to_string()));
    let multipv = (options.multipv != 1).then(|| options.multipv.to_string());
    add("--multipv", multipv);
    add("--player", given(arguments, "--player").map(player));
    let model = given(arguments, "--model");
    add("--model", model.map(|model| without_folders(&model)));
    add("--me", options.me.clone());
    add("--eco", options.eco.as_deref().map(file_name));
    joined(&words)
}

/// The file name of a path.
pub(super) fn file_name(path: &Path) -> String {
    let name = path.file_name().unwrap_or(path.as_os_str());
    name.to_string_lossy().into_owned()
}

/// The value of an option, as the user gave it.
fn given(arguments: &[String], name: &str) -> Option<String> {
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        match argument.strip_prefix(name) {
            Some("") => return arguments.next().cloned(),
            Some(rest) if rest.starts_with('=') => return Some(rest[1..].to_owned()),
            _ => {}
        }
    }
    None
}

/// The words that describe a player, with files named without their folders. Words are quoted only
/// where necessary, since the whole is quoted again.
fn player(words: String) -> String {
    let Some(split) = shlex::split(&words) else {
        return words;
    };
    let named = split.iter().map(|word| {
        let word = without_folders(word);
        match word.contains(|letter: char| letter.is_whitespace() || "'\"\\".contains(letter)) {
            true => joined(&[word]),
            false => word,
        }
    });
    named.collect::<Vec<String>>().join(" ")
}

fn joined(words: &[String]) -> String {
    shlex::try_join(words.iter().map(String::as_str)).unwrap_or_else(|_| words.join(" "))
}
