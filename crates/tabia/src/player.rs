//! Players and models as users name them: one grammar, one way to open them, one kind of error
//! message.
//!
//! It must not know what a player is for.

use crate::exit::WrongInput;
use crate::kind;
use clap::Args;
use engines::recipe::{PlayerSettings, Recipe};
use nets::Model;
use nets::nnue::NetFile;
use std::path::{Path, PathBuf};

/// The option for a model.
#[derive(Args)]
pub(crate) struct ModelOption {
    /// The model: classical, heuristic, sequence, or a file [default: the built-in net]
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,
}

impl ModelOption {
    /// Opens the model.
    pub(crate) fn open(&self) -> Result<Model, WrongInput> {
        match &self.model {
            Some(name) => model(name),
            None => Ok(Model::default()),
        }
    }
}

/// The options for a player.
#[derive(Args)]
pub(crate) struct PlayerOptions {
    /// The player, as for `tabia match`, such as "hash=64 option.MultiPV=2"
    #[arg(long, value_name = "WORDS", conflicts_with = "model")]
    #[arg(value_parser = PlayerSettings::from_words)]
    player: Option<PlayerSettings>,
    #[command(flatten)]
    model: ModelOption,
}

impl PlayerOptions {
    /// The player's recipe; defaults come from the words of `inside`, or of `program` for an
    /// external program.
    pub(crate) fn recipe(&self, inside: &str, program: &str) -> anyhow::Result<Recipe> {
        let said = self.player.clone().unwrap_or_default();
        let usual = match said.is_program() {
            true => PlayerSettings::from_words(program)?,
            false => PlayerSettings::from_words(inside)?,
        };
        let settings = said.or(&usual);
        let recipe = match &self.model.model {
            Some(name) => settings.recipe_with(model(name)?),
            None => settings.recipe(),
        };
        Ok(recipe.map_err(|error| WrongInput::new(error.to_string()))?)
    }

    /// The same for commands that cannot use an external program.
    pub(crate) fn inside(&self, usual: &str) -> anyhow::Result<Recipe> {
        match self.recipe(usual, "")? {
            Recipe::Program(_) => {
                let words = "--player: an external program cannot be used here; leave out cmd";
                Err(WrongInput::new(words).into())
            }
            recipe => Ok(recipe),
        }
    }
}

/// Opens a model by its name: classical, heuristic, sequence, or a file.
pub(crate) fn model(name: &Path) -> Result<Model, WrongInput> {
    Model::named(name).map_err(|error| {
        kind::or_other(name, "a model", &["net", "model"], || {
            WrongInput::new(format!("{}: {error}", name.display()))
        })
    })
}

/// Opens the file of a net.
pub(crate) fn net(path: &Path) -> Result<NetFile, WrongInput> {
    match model(path)? {
        Model::Nnue(file) => Ok(file),
        other => {
            let (path, kind) = (path.display(), other.kind());
            Err(WrongInput::new(format!(
                "{path} is a model of kind {kind}, but a net is needed here"
            )))
        }
    }
}
