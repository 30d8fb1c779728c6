//! The kinds of recipes, each with all that is needed to recreate its player.

use super::mcts::MctsRecipe;
use super::pace::Seconds;
use super::sequence::SequenceRecipe;
use crate::Engine;
use crate::alphabeta::{AlphaBetaEngine, Options};
use crate::excerpt::excerpt;
use crate::external::ProgramOptions;
use crate::mcts::MctsEngine;
use crate::options::{self, Declaration, OptionValue};
use crate::sequence::SequenceEngine;
use crate::words::{meant, written};
use nets::Model;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

/// How a model plays, or which other program does. Equal recipes make players that play alike.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Recipe {
    /// The alpha-beta search of this program.
    AlphaBeta(AlphaBetaRecipe),
    /// The Monte-Carlo tree search of this program.
    Mcts(MctsRecipe),
    /// A policy and a value with little search or none.
    Sequence(SequenceRecipe),
    /// Another program that speaks UCI.
    Program(ProgramRecipe),
}

/// The kinds of recipes, by the names that users write.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RecipeKind {
    /// See [`Recipe::AlphaBeta`].
    AlphaBeta,
    /// See [`Recipe::Mcts`].
    Mcts,
    /// See [`Recipe::Sequence`].
    Sequence,
    /// See [`Recipe::Program`].
    Program,
}

impl RecipeKind {
    const ALL: [RecipeKind; 4] = [
        RecipeKind::AlphaBeta,
        RecipeKind::Mcts,
        RecipeKind::Sequence,
        RecipeKind::Program,
    ];

    /// All names.
    pub(super) fn names() -> [String; 4] {
        RecipeKind::ALL.map(|kind| kind.to_string())
    }

    /// The default kind for a model.
    pub fn of(model: &Model) -> RecipeKind {
        match model {
            Model::Heuristic | Model::Policy(_) | Model::ResNet(_) => RecipeKind::Mcts,
            Model::Sequence(_) => RecipeKind::Sequence,
            Model::Classical(_) | Model::Nnue(_) | Model::NTuple(_) => RecipeKind::AlphaBeta,
        }
    }

    /// The default model of this kind.
    pub fn default_model(self) -> Model {
        match self {
            RecipeKind::Mcts => Model::default_of_tree_search(),
            RecipeKind::Sequence => Model::default_of_sequences(),
            RecipeKind::AlphaBeta | RecipeKind::Program => Model::default(),
        }
    }
}

impl fmt::Display for RecipeKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            RecipeKind::AlphaBeta => "alphabeta",
            RecipeKind::Mcts => "mcts",
            RecipeKind::Sequence => "sequence",
            RecipeKind::Program => "program",
        })
    }
}

impl FromStr for RecipeKind {
    type Err = String;

    fn from_str(text: &str) -> Result<RecipeKind, String> {
        let found = RecipeKind::ALL
            .into_iter()
            .find(|kind| kind.to_string() == text);
        found.ok_or_else(|| {
            let names = RecipeKind::names();
            match meant(text, names.iter().map(String::as_str)) {
                Some(kind) => {
                    format!("there is no kind of player '{text}'; did you mean '{kind}'?")
                }
                None => {
                    let kinds = names.join(", ");
                    format!(
                        "'{text}' is neither a kind of player ({kinds}) nor of the form key=value"
                    )
                }
            }
        })
    }
}

/// A model with the alpha-beta search.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct AlphaBetaRecipe {
    /// The model that evaluates positions.
    #[serde(serialize_with = "written")]
    pub model: Model,
    /// The size of its transposition table in mebibytes.
    pub hash: usize,
    /// Its number of threads.
    pub threads: usize,
    /// UCI options of the player that differ from the defaults, by name.
    #[serde(rename = "option", skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<String, String>,
    /// The constants of its search that differ from the defaults.
    #[serde(rename = "param", skip_serializing_if = "BTreeMap::is_empty")]
    pub parameters: BTreeMap<String, i32>,
}

impl AlphaBetaRecipe {
    /// A model with a table of `hash` mebibytes, and defaults otherwise.
    pub fn new(model: Model, hash: usize) -> AlphaBetaRecipe {
        AlphaBetaRecipe {
            model,
            hash,
            threads: 1,
            options: BTreeMap::new(),
            parameters: BTreeMap::new(),
        }
    }

    /// The player. Options and constants were checked when the recipe was read; unknown ones in the
    /// maps have no effect.
    pub fn engine(&self) -> AlphaBetaEngine {
        let mut search = Options {
            hash: self.hash,
            threads: self.threads,
            ..Options::default()
        };
        for (name, &value) in &self.parameters {
            let _ = search.parameters.set(name, value);
        }
        let mut engine = AlphaBetaEngine::new(self.model.clone(), search);
        for (name, value) in &self.options {
            if let Ok((name, value)) = read_option(&AlphaBetaEngine::declarations(), name, value) {
                engine.set_option(name, &value, &mut |_| {});
            }
        }
        engine
    }
}

/// The value of an option of a player inside this program, with its name as declared.
///
/// # Errors
/// If there is no such option, if it does not accept the value, or if a key of the grammar stands
/// for it; the error is a message.
pub(super) fn read_option(
    declarations: &[Declaration],
    name: &str,
    value: &str,
) -> Result<(&'static str, OptionValue), String> {
    /// The options that have keys of their own in the grammar.
    const KEYS: [(&str, &str); 4] = [
        ("Hash", "hash"),
        ("Threads", "threads"),
        ("EvalFile", "model"),
        ("WeightsFile", "model"),
    ];
    if let Some((option, key)) = KEYS
        .iter()
        .find(|(option, _)| option.eq_ignore_ascii_case(name))
    {
        return Err(format!("use {key}={value} instead of option.{option}"));
    }
    let declaration = options::find(declarations, name)
        .filter(|found| !options::FRONT.contains(found))
        .ok_or_else(|| {
            let names = declarations.iter().map(|declaration| declaration.name);
            let suggestion = meant(name, names).map(|meant| format!("; did you mean '{meant}'?"));
            format!(
                "there is no option '{}'{}",
                excerpt(name),
                suggestion.unwrap_or_default()
            )
        })?;
    match declaration.read(Some(value))? {
        (value, None) => Ok((declaration.name, value)),
        (_, Some(remark)) => Err(remark.split(": ").next().unwrap_or_default().to_owned()),
    }
}

/// Another program that speaks UCI.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ProgramRecipe {
    /// The program, by path or by name.
    pub cmd: PathBuf,
    /// Its arguments.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub arg: Vec<String>,
    /// The folder in which it runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dir: Option<PathBuf>,
    /// Its UCI options.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub option: BTreeMap<String, String>,
    /// How long it may think about a move without a time limit.
    #[serde(serialize_with = "written")]
    pub patience: Seconds,
}

impl ProgramRecipe {
    /// The default patience.
    pub const PATIENCE: Seconds = Seconds(Duration::from_secs(60));

    /// How the program is started and run.
    pub fn options(&self) -> ProgramOptions {
        ProgramOptions {
            arguments: self.arg.clone(),
            directory: self.dir.clone(),
            settings: self.option.clone().into_iter().collect(),
            search_patience: self.patience.0,
            ..ProgramOptions::new(&self.cmd)
        }
    }
}

impl Recipe {
    /// The model that plays, if it plays inside this program.
    pub fn model(&self) -> Option<&Model> {
        match self {
            Recipe::AlphaBeta(recipe) => Some(&recipe.model),
            Recipe::Mcts(recipe) => Some(&recipe.model),
            Recipe::Sequence(recipe) => Some(&recipe.model),
            Recipe::Program(_) => None,
        }
    }

    /// The same recipe with another model; a program is unchanged.
    pub fn with_model(mut self, model: Model) -> Recipe {
        match &mut self {
            Recipe::AlphaBeta(recipe) => recipe.model = model,
            Recipe::Mcts(recipe) => recipe.model = model,
            Recipe::Sequence(recipe) => recipe.model = model,
            Recipe::Program(_) => {}
        }
        self
    }

    /// The same recipe with more UCI options, which override its own.
    pub fn with_options(mut self, more: &BTreeMap<String, String>) -> Recipe {
        let options = match &mut self {
            Recipe::AlphaBeta(recipe) => &mut recipe.options,
            Recipe::Mcts(recipe) => &mut recipe.options,
            Recipe::Sequence(recipe) => &mut recipe.options,
            Recipe::Program(program) => &mut program.option,
        };
        options.extend(more.clone());
        self
    }

    /// What is wrong with the first invalid one of these options, for players inside this program.
    pub fn problem_with(&self, options: &BTreeMap<String, String>) -> Option<String> {
        let declarations = match self {
            Recipe::AlphaBeta(_) => AlphaBetaEngine::declarations(),
            Recipe::Mcts(_) => MctsEngine::declarations(),
            Recipe::Sequence(_) => SequenceEngine::declarations(),
            Recipe::Program(_) => return None,
        };
        (options.iter()).find_map(|(name, value)| read_option(&declarations, name, value).err())
    }

    /// How many threads it uses, as far as its options tell.
    pub fn threads(&self) -> usize {
        match self {
            Recipe::AlphaBeta(recipe) => recipe.threads,
            Recipe::Mcts(recipe) => recipe.threads,
            Recipe::Sequence(_) => 1,
            Recipe::Program(program) => program
                .option
                .get("Threads")
                .and_then(|threads| threads.parse().ok())
                .unwrap_or(1)
                .max(1),
        }
    }

    /// Whether its games can be repeated move by move, provided that no clock limits them.
    pub fn is_repeatable(&self) -> bool {
        match self {
            Recipe::AlphaBeta(_) | Recipe::Mcts(_) | Recipe::Sequence(_) => self.threads() == 1,
            Recipe::Program(_) => false,
        }
    }
}

/// Written in the grammar of recipes.
impl fmt::Display for Recipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let options = match self {
            Recipe::AlphaBeta(recipe) => {
                let AlphaBetaRecipe {
                    model,
                    hash,
                    threads,
                    ..
                } = recipe;
                write!(f, "model={model} hash={hash} threads={threads}")?;
                for (constant, value) in &recipe.parameters {
                    write!(f, " param.{constant}={value}")?;
                }
                &recipe.options
            }
            Recipe::Mcts(recipe) => {
                write!(f, "kind=mcts {recipe}")?;
                &recipe.options
            }
            Recipe::Sequence(recipe) => {
                let SequenceRecipe { model, hash, .. } = recipe;
                write!(f, "kind=sequence model={model} hash={hash}")?;
                &recipe.options
            }
            Recipe::Program(program) => {
                write!(f, "cmd={}", program.cmd.display())?;
                for argument in &program.arg {
                    write!(f, " arg={argument}")?;
                }
                &program.option
            }
        };
        for (option, value) in options {
            write!(f, " option.{option}={value}")?;
        }
        Ok(())
    }
}
