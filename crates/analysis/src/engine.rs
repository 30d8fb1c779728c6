//! The engine that judges: a player of any recipe, asked for several lines.

use engines::external::{External, ProgramOptions, StartError};
use engines::options::OptionValue;
use engines::recipe::{AlphaBetaRecipe, MctsRecipe, ProgramRecipe, Recipe, SequenceRecipe};
use engines::{Engine, Failure, Player};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::{MAIN_SEPARATOR, Path, PathBuf};

/// What must be known of an engine to reproduce its judgements. Files are named without their
/// folders, which differ between machines.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct EngineFacts {
    /// Its name.
    pub name: String,
    /// The name of the model, for a player of this program.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<String>,
    /// The hash of that model, or of an external program's file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hash: Option<String>,
    /// The command line of an external program.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub command: Vec<String>,
    /// Its options.
    pub options: BTreeMap<String, String>,
}

/// An engine at work.
pub(crate) enum Analyst {
    Inside(Box<dyn Engine>),
    Program(Box<External>),
}

/// Describes the engine for an analysis with this many lines, and lists what is odd about it; an
/// external program is started once for that.
///
/// # Errors
/// If the program cannot be started, or is not a UCI engine.
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

/// The options, with files named without their folders.
fn named(options: impl IntoIterator<Item = (String, String)>) -> BTreeMap<String, String> {
    let options = options.into_iter();
    let named = options.map(|(name, value)| (name, without_folders(&value)));
    named.collect()
}

/// A word, or a setting such as `model=nets/my.nnue`, with every path in it reduced to its last
/// component.
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

    /// Restarts the engine after a failure.
    pub(crate) fn restart(&mut self, failure: Failure) -> Result<(), String> {
        match self {
            Analyst::Inside(_) => Err(failure.to_string()),
            Analyst::Program(program) => program.restart().map_err(|error| error.to_string()),
        }
    }
}

/// The UCI option for the number of lines.
const MULTI_PV: &str = "MultiPV";

/// The options of a program that is to find this many lines.
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
