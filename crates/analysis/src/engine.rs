//! Who judges: a player of any recipe, asked for several lines.

use engines::external::{External, ProgramOptions, StartError};
use engines::options::OptionValue;
use engines::recipe::{AlphaBetaRecipe, MctsRecipe, ProgramRecipe, Recipe, SequenceRecipe};
use engines::{Engine, Failure, Player};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{MAIN_SEPARATOR, Path, PathBuf};

/// What is to be known of an engine so that its judgement can be repeated. Files are named
/// without their folders, which are others elsewhere.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct EngineFacts {
    /// Its name.
    pub name: String,
    /// The name of the model with which a player inside plays.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The hash of that model, or of the file of the program.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hash: Option<String>,
    /// The command line of a program.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub command: Vec<String>,
    /// What is set.
    pub options: BTreeMap<String, String>,
}

/// An engine at work.
pub(crate) enum Analyst {
    Inside(Box<dyn Engine>),
    Program(Box<External>),
}

/// Finds out what is to be known, and what is odd, when so many lines are wanted; a
/// program is started once for that.
///
/// # Errors
/// If the program cannot be started, or is no UCI engine.
pub fn introduce(
    player: &Recipe,
    version: &str,
    lines: usize,
) -> Result<(EngineFacts, Vec<String>), StartError> {
    match player {
        Recipe::AlphaBeta(AlphaBetaRecipe {
            model,
            hash,
            options,
            ..
        })
        | Recipe::Mcts(MctsRecipe {
            model,
            hash,
            options,
            ..
        })
        | Recipe::Sequence(SequenceRecipe {
            model,
            hash,
            options,
        }) => {
            let mut options = named(options.clone());
            options.insert("Hash".to_owned(), hash.to_string());
            let facts = EngineFacts {
                name: format!("Tabia {version}"),
                model: Some(model.name()),
                hash: Some(model.hash()),
                command: Vec::new(),
                options,
            };
            Ok((facts, Vec::new()))
        }
        Recipe::Program(program) => {
            let options = looking_for(program, lines);
            let program = External::start(options.clone())?;
            let facts = EngineFacts {
                name: program.name().to_owned(),
                model: None,
                hash: hash_of_program(&options.program),
                command: std::iter::once(options.program.display().to_string())
                    .chain(options.arguments.iter().cloned())
                    .map(|word| without_folders(&word))
                    .collect(),
                options: named(options.settings),
            };
            Ok((facts, program.warnings().to_vec()))
        }
    }
}

/// Options with files named without their folders.
fn named(options: impl IntoIterator<Item = (String, String)>) -> BTreeMap<String, String> {
    let options = options.into_iter();
    let named = options.map(|(name, value)| (name, without_folders(&value)));
    named.collect()
}

/// A word, or the value of a word such as `model=nets/my.nnue`, with only the last name of
/// each path that stands in it.
pub fn without_folders(word: &str) -> String {
    let is_name = |key: &str| !key.contains(MAIN_SEPARATOR);
    if let Some((key, value)) = word.split_once('=').filter(|(key, _)| is_name(key)) {
        return format!("{key}={}", without_folders(value));
    }
    if is_name(word) {
        return word.to_owned();
    }
    let paths = std::env::split_paths(word).map(|path| match path.file_name() {
        Some(name) => name.to_os_string(),
        None => path.into_os_string(),
    });
    let names: Vec<_> = paths.collect();
    match std::env::join_paths(names) {
        Ok(joined) => joined.to_string_lossy().into_owned(),
        Err(_) => word.to_owned(),
    }
}

/// How messages name a player.
pub(crate) fn name_of(player: &Recipe) -> String {
    match player {
        Recipe::AlphaBeta(recipe) => recipe.model.name(),
        Recipe::Mcts(recipe) => recipe.model.name(),
        Recipe::Sequence(recipe) => recipe.model.name(),
        Recipe::Program(program) => program.cmd.display().to_string(),
    }
}

impl Analyst {
    pub(crate) fn start(player: &Recipe, lines: usize) -> Result<Analyst, StartError> {
        match player {
            Recipe::AlphaBeta(recipe) => Ok(Analyst::inside(Box::new(recipe.engine()), lines)),
            Recipe::Mcts(recipe) => Ok(Analyst::inside(Box::new(recipe.engine()), lines)),
            Recipe::Sequence(recipe) => Ok(Analyst::inside(Box::new(recipe.engine()), lines)),
            Recipe::Program(program) => {
                let mut program = External::start(looking_for(program, lines))?;
                program.listen_to_lines(lines);
                Ok(Analyst::Program(Box::new(program)))
            }
        }
    }

    fn inside(mut engine: Box<dyn Engine>, lines: usize) -> Analyst {
        engine.set_option(MULTI_PV, &OptionValue::Spin(lines as i64), &mut |_| {});
        Analyst::Inside(engine)
    }

    pub(crate) fn player(&mut self) -> &mut dyn Player {
        match self {
            Analyst::Inside(player) => player.as_mut(),
            Analyst::Program(program) => program.as_mut(),
        }
    }

    /// Begins anew after a failure.
    pub(crate) fn restart(&mut self, failure: Failure) -> Result<(), String> {
        match self {
            Analyst::Inside(_) => Err(failure.to_string()),
            Analyst::Program(program) => program.restart().map_err(|error| error.to_string()),
        }
    }
}

/// The UCI option that says how many lines are looked for.
const MULTI_PV: &str = "MultiPV";

/// A program that is told how many lines to look for.
fn looking_for(program: &ProgramRecipe, lines: usize) -> ProgramOptions {
    let mut options = program.options();
    if lines > 1 {
        let setting = (MULTI_PV.to_owned(), lines.to_string());
        options.settings.push(setting);
    }
    options
}

/// The hash of a program's file, if it can be found and read.
fn hash_of_program(program: &Path) -> Option<String> {
    let file = match program.components().count() {
        1 => std::env::split_paths(&std::env::var_os("PATH")?)
            .map(|folder| folder.join(program))
            .find(|path| path.is_file())?,
        _ => PathBuf::from(program),
    };
    data::file::hash(&file).ok()
}
