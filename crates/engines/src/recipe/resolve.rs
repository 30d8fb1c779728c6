//! Turns what a user writes into players: defaults, conflicts, names.

use super::kinds::{AlphaBetaRecipe, ProgramRecipe, Recipe, RecipeKind, read_option};
use super::mcts::MctsRecipe;
use super::pace::Pace;
use super::sequence::SequenceRecipe;
use super::settings::{NamedModel, PlayerSettings};
use super::spec::PlayerSpec;
use crate::alphabeta::{AlphaBetaEngine, Parameters, UnknownParameter};
use crate::mcts::MctsEngine;
use crate::options::Declaration;
use crate::sequence::SequenceEngine;
use nets::Model;
use std::collections::BTreeMap;

/// Why settings do not describe a player.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PlayerError {
    /// It has no limit.
    #[error(
        "player '{0}' has no limit: give it tc, st, nodes or depth, or give one to all players \
         with each"
    )]
    NoLimit(String),
    /// Two keys that exclude each other.
    #[error("player '{name}': {first} and {second} are mutually exclusive")]
    Conflict {
        /// The player.
        name: String,
        /// One key.
        first: &'static str,
        /// The other.
        second: &'static str,
    },
    /// A key for programs, given for a built-in player.
    #[error("player '{name}': {key} is only for external programs, with cmd")]
    OnlyForPrograms {
        /// The player.
        name: String,
        /// The key.
        key: &'static str,
    },
    /// A key for built-in players, given for a program.
    #[error("player '{0}': param is only for built-in players, without cmd")]
    OnlyInside(String),
    /// A key for alpha-beta players, given for another kind.
    #[error(
        "player '{0}': param is only for alpha-beta players; others have options, such as \
         option.CPuct=2 of the tree search"
    )]
    OnlyForAlphaBeta(String),
    /// Several threads for a player that has only one.
    #[error(
        "player '{0}': a player of kind=sequence has one thread; play more games in parallel \
        instead"
    )]
    OneThread(String),
    /// A search constant that does not exist.
    #[error("player '{name}': {problem}")]
    Parameter {
        /// The player.
        name: String,
        /// What is wrong with it.
        problem: UnknownParameter,
    },
    /// A program without a command.
    #[error("player '{0}': a program needs cmd=PROGRAM")]
    NoProgram(String),
    /// An option that does not exist, or does not accept the value.
    #[error("player '{name}': {problem}")]
    Option {
        /// The player.
        name: String,
        /// What is wrong.
        problem: String,
    },
    /// A name that is empty or has control characters.
    #[error("a player's name must not be empty or contain control characters: '{0}'")]
    Name(String),
    /// Two players with the same name.
    #[error("two players are named '{0}': give each its own name")]
    SameName(String),
}

/// Resolves the players of a match, from the settings of each and those for all.
pub fn resolve(
    players: Vec<PlayerSettings>,
    each: &PlayerSettings,
) -> Result<Vec<PlayerSpec>, PlayerError> {
    let mut specs: Vec<PlayerSpec> = players
        .into_iter()
        .map(|player| player.or(each).resolve())
        .collect::<Result<_, _>>()?;
    share_models(&mut specs);
    for (index, spec) in specs.iter().enumerate() {
        if specs[..index].iter().any(|other| other.name == spec.name) {
            return Err(PlayerError::SameName(spec.name.clone()));
        }
    }
    Ok(specs)
}

/// Makes players with the same model share its memory: two copies would evict each other from the
/// CPU caches.
fn share_models(specs: &mut [PlayerSpec]) {
    for index in 1..specs.len() {
        let (before, rest) = specs.split_at_mut(index);
        let shared = before.iter().find_map(|spec| {
            let model = spec.recipe.model()?;
            (rest[0].recipe.model() == Some(model)).then(|| model.clone())
        });
        if let Some(model) = shared {
            rest[0].recipe = rest[0].recipe.clone().with_model(model);
        }
    }
}

impl PlayerSettings {
    /// A built-in player with this name and model; everything else is taken from the settings.
    ///
    /// # Errors
    /// If the settings do not describe such a player.
    pub fn player(mut self, name: &str, model: Model) -> Result<PlayerSpec, PlayerError> {
        self.name = Some(name.to_owned());
        self.model = Some(NamedModel(model));
        self.resolve()
    }

    /// How this model plays, without the limits of its moves.
    ///
    /// # Errors
    /// If the settings do not describe such a player, or name another program.
    pub fn recipe_with(mut self, model: Model) -> Result<Recipe, PlayerError> {
        self.model = Some(NamedModel(model));
        self.recipe()
    }

    /// How it plays, without the limits of its moves.
    ///
    /// # Errors
    /// If the settings do not describe a player.
    pub fn recipe(self) -> Result<Recipe, PlayerError> {
        let name = self.own_name()?;
        let pace = self.pace();
        self.recipe_of(&name, &pace)
    }

    fn resolve(self) -> Result<PlayerSpec, PlayerError> {
        let name = self.own_name()?;
        if self.tc.is_some() && self.st.is_some() {
            return Err(conflict(&name, "tc", "st"));
        }
        let pace = self.pace();
        if pace.to_string().is_empty() {
            return Err(PlayerError::NoLimit(name));
        }
        Ok(PlayerSpec {
            recipe: self.recipe_of(&name, &pace)?,
            name,
            pace,
        })
    }

    fn recipe_of(self, name: &str, pace: &Pace) -> Result<Recipe, PlayerError> {
        if self.cmd.is_some() && self.model.is_some() {
            return Err(conflict(name, "cmd", "model"));
        }
        match self.kind_meant() {
            RecipeKind::Program if self.cmd.is_none() => {
                Err(PlayerError::NoProgram(name.to_owned()))
            }
            RecipeKind::Program => Ok(Recipe::Program(self.program(name)?)),
            RecipeKind::AlphaBeta if self.cmd.is_some() => {
                Err(conflict(name, "cmd", "kind=alphabeta"))
            }
            RecipeKind::Mcts if self.cmd.is_some() => Err(conflict(name, "cmd", "kind=mcts")),
            RecipeKind::Mcts => Ok(Recipe::Mcts(self.mcts(name, pace)?)),
            RecipeKind::Sequence if self.cmd.is_some() => {
                Err(conflict(name, "cmd", "kind=sequence"))
            }
            RecipeKind::Sequence => Ok(Recipe::Sequence(self.sequence(name)?)),
            RecipeKind::AlphaBeta => Ok(Recipe::AlphaBeta(self.alphabeta(name, pace)?)),
        }
    }

    /// The kind that is given, or that follows from the model or the program.
    fn kind_meant(&self) -> RecipeKind {
        let usual = match (&self.cmd, &self.model) {
            (Some(_), _) => RecipeKind::Program,
            (None, Some(NamedModel(model))) => RecipeKind::of(model),
            (None, None) => RecipeKind::AlphaBeta,
        };
        self.kind.unwrap_or(usual)
    }

    fn own_name(&self) -> Result<String, PlayerError> {
        let file_name = || self.cmd.as_ref()?.file_name()?.to_str().map(str::to_owned);
        let name = self
            .name
            .clone()
            .or_else(file_name)
            .unwrap_or_else(|| match &self.model {
                Some(NamedModel(model)) => model.to_string(),
                None => self.kind_meant().default_model().to_string(),
            });
        if name.trim().is_empty() || name.chars().any(char::is_control) {
            return Err(PlayerError::Name(name.escape_debug().to_string()));
        }
        Ok(name)
    }

    fn pace(&self) -> Pace {
        Pace {
            clock: self.tc,
            move_time: self.st,
            nodes: self.nodes.map(|count| count.0),
            soft_nodes: None,
            depth: self.depth.map(|count| count.0 as u32),
            margin: self.margin.unwrap_or(Pace::MARGIN),
        }
    }

    /// Rejects keys that only programs have.
    fn check_inside(&self, name: &str) -> Result<(), PlayerError> {
        let only_for_programs = [
            (!self.arg.is_empty(), "arg"),
            (self.dir.is_some(), "dir"),
            (self.patience.is_some(), "patience"),
        ];
        if let Some(&(_, key)) = only_for_programs.iter().find(|(is_said, _)| *is_said) {
            return Err(PlayerError::OnlyForPrograms {
                name: name.to_owned(),
                key,
            });
        }
        Ok(())
    }

    /// The options, after checking that each is declared.
    fn options_among(
        &self,
        declarations: &[Declaration],
        name: &str,
    ) -> Result<BTreeMap<String, String>, PlayerError> {
        let mut options = BTreeMap::new();
        for (option, value) in &self.option {
            let (option, _) = read_option(declarations, option, &value.0).map_err(|problem| {
                PlayerError::Option {
                    name: name.to_owned(),
                    problem,
                }
            })?;
            options.insert(option.to_owned(), value.0.clone());
        }
        Ok(options)
    }

    fn mcts(self, name: &str, pace: &Pace) -> Result<MctsRecipe, PlayerError> {
        self.check_inside(name)?;
        if !self.param.is_empty() {
            return Err(PlayerError::OnlyForAlphaBeta(name.to_owned()));
        }
        let options = self.options_among(&MctsEngine::declarations(), name)?;
        let hash = self.hash.map(|count| count.0 as usize);
        Ok(MctsRecipe {
            model: self
                .model
                .map_or_else(Model::default_of_tree_search, |named| named.0),
            hash: hash.unwrap_or_else(|| MctsRecipe::fitting_hash(pace)),
            threads: self.threads.map_or(1, |count| count.0 as usize),
            options,
        })
    }

    fn sequence(self, name: &str) -> Result<SequenceRecipe, PlayerError> {
        self.check_inside(name)?;
        if !self.param.is_empty() {
            return Err(PlayerError::OnlyForAlphaBeta(name.to_owned()));
        }
        if self.threads.is_some_and(|threads| threads.0 > 1) {
            return Err(PlayerError::OneThread(name.to_owned()));
        }
        let options = self.options_among(&SequenceEngine::declarations(), name)?;
        let hash = self.hash.map(|count| count.0 as usize);
        let model = self.model.map(|named| named.0);
        Ok(SequenceRecipe {
            model: model.unwrap_or_else(Model::default_of_sequences),
            hash: hash.unwrap_or(SequenceRecipe::HASH),
            options,
        })
    }

    fn alphabeta(self, name: &str, pace: &Pace) -> Result<AlphaBetaRecipe, PlayerError> {
        self.check_inside(name)?;
        let options = self.options_among(&AlphaBetaEngine::declarations(), name)?;
        let mut parameters = BTreeMap::new();
        for (constant, value) in self.param {
            Parameters::default()
                .set(&constant, value.0)
                .map_err(|problem| PlayerError::Parameter {
                    name: name.to_owned(),
                    problem,
                })?;
            parameters.insert(constant, value.0);
        }
        Ok(AlphaBetaRecipe {
            model: self.model.map_or_else(Model::default, |named| named.0),
            hash: self
                .hash
                .map_or_else(|| fitting_hash(pace), |count| count.0 as usize),
            threads: self.threads.map_or(1, |count| count.0 as usize),
            options,
            parameters,
        })
    }

    /// `hash` and `threads` become the options of these names: settings for all players must not
    /// depend on where these run.
    fn program(self, name: &str) -> Result<ProgramRecipe, PlayerError> {
        if !self.param.is_empty() {
            return Err(PlayerError::OnlyInside(name.to_owned()));
        }
        let mut option: BTreeMap<String, String> = self
            .option
            .into_iter()
            .map(|(name, value)| (name, value.0))
            .collect();
        for (key, uci, value) in [
            ("hash", "Hash", self.hash.map(|count| count.0)),
            ("threads", "Threads", self.threads.map(|count| count.0)),
        ] {
            let Some(value) = value else { continue };
            if option.insert(uci.to_owned(), value.to_string()).is_some() {
                return Err(conflict(name, key, "the option of this name"));
            }
        }
        Ok(ProgramRecipe {
            cmd: self.cmd.unwrap_or_default(),
            arg: self.arg,
            dir: self.dir,
            option,
            patience: self.patience.unwrap_or(ProgramRecipe::PATIENCE),
        })
    }
}

fn conflict(name: &str, first: &'static str, second: &'static str) -> PlayerError {
    PlayerError::Conflict {
        name: name.to_owned(),
        first,
        second,
    }
}

/// The size in mebibytes of a table that a game at this pace does not fill. It is cleared before
/// every game, so it should not be larger.
fn fitting_hash(pace: &Pace) -> usize {
    const MOST: u64 = 16;
    const MOVES: u64 = 64;
    const BYTES_A_NODE: u64 = 16;
    let Some(nodes) = pace.nodes else {
        return MOST as usize;
    };
    let bytes = nodes.saturating_mul(MOVES * BYTES_A_NODE);
    bytes.div_ceil(1 << 20).min(MOST).next_power_of_two() as usize
}
