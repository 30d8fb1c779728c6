//! Who judges: a player inside this program, or another program.

use engines::alphabeta::{Evaluation, Options, Searcher};
use engines::external::{External, ProgramOptions, StartError};
use engines::{Failure, Player};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

/// Who judges.
#[derive(Clone, Debug)]
pub enum Engine {
    /// A player inside this program.
    Inside {
        /// With what it values positions.
        evaluation: Evaluation,
        /// Mebibytes of its table.
        hash: usize,
    },
    /// Another program.
    Program(ProgramOptions),
}

/// What is to be known of an engine so that its judgement can be repeated.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct EngineFacts {
    /// Its name.
    pub name: String,
    /// With what a player inside values positions: `classical`, or the name of a net.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evaluation: Option<String>,
    /// The hash of that net, or of the file of the program.
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
    Inside(Box<dyn Searcher>),
    Program(Box<External>),
}

impl Engine {
    /// Finds out what is to be known, and what is odd, when so many lines are wanted; a
    /// program is started once for that.
    ///
    /// # Errors
    /// If the program cannot be started, or is no UCI engine.
    pub fn introduce(
        &self,
        version: &str,
        lines: usize,
    ) -> Result<(EngineFacts, Vec<String>), StartError> {
        match self {
            Engine::Inside { evaluation, hash } => {
                let facts = EngineFacts {
                    name: format!("Tabia {version}"),
                    evaluation: Some(evaluation.to_string()),
                    hash: hash_of(evaluation),
                    command: Vec::new(),
                    options: [("Hash".to_owned(), hash.to_string())].into(),
                };
                Ok((facts, Vec::new()))
            }
            Engine::Program(options) => {
                let options = looking_for(options, lines);
                let program = External::start(options.clone())?;
                let facts = EngineFacts {
                    name: program.name().to_owned(),
                    evaluation: None,
                    hash: hash_of_program(&options.program),
                    command: std::iter::once(options.program.display().to_string())
                        .chain(options.arguments.iter().cloned())
                        .collect(),
                    options: options.settings.iter().cloned().collect(),
                };
                Ok((facts, program.warnings().to_vec()))
            }
        }
    }

    pub(crate) fn start(&self, lines: usize) -> Result<Analyst, StartError> {
        match self {
            Engine::Inside { evaluation, hash } => {
                let options = Options {
                    hash: *hash,
                    lines,
                    ..Options::default()
                };
                Ok(Analyst::Inside(evaluation.player(options)))
            }
            Engine::Program(options) => {
                let mut program = External::start(looking_for(options, lines))?;
                program.listen_to_lines(lines);
                Ok(Analyst::Program(Box::new(program)))
            }
        }
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Engine::Inside { evaluation, .. } => evaluation.fmt(f),
            Engine::Program(options) => options.program.display().fmt(f),
        }
    }
}

impl Analyst {
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

/// A program that is told how many lines to look for.
fn looking_for(options: &ProgramOptions, lines: usize) -> ProgramOptions {
    let mut options = options.clone();
    if lines > 1 {
        let setting = ("MultiPV".to_owned(), lines.to_string());
        options.settings.push(setting);
    }
    options
}

fn hash_of(evaluation: &Evaluation) -> Option<String> {
    match evaluation {
        Evaluation::Classical => None,
        Evaluation::Weights(file) => Some(file.hash()),
        Evaluation::Net(file) => Some(file.hash()),
    }
}

/// The hash of a program's file, if it can be found and read.
fn hash_of_program(program: &Path) -> Option<String> {
    let file = match program.components().count() {
        1 => std::env::split_paths(&std::env::var_os("PATH")?)
            .map(|folder| folder.join(program))
            .find(|path| path.is_file())?,
        _ => PathBuf::from(program),
    };
    let bytes = std::fs::read(file).ok()?;
    Some(blake3::hash(&bytes).to_hex().to_string())
}
