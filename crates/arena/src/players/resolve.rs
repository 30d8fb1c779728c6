//! From what a user says to what it means: defaults, conflicts, names.

use super::pace::Pace;
use super::settings::PlayerSettings;
use super::spec::{Engine, Evaluation, Inside, PlayerSpec, Program};
use engines::alphabeta::{Parameters, UnknownParameter};
use std::collections::BTreeMap;

/// Why settings are no player.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PlayerError {
    /// Nothing ends its thinking.
    #[error(
        "player '{0}' has no limit: give it tc, st, nodes or depth, or give one to all with each"
    )]
    NoLimit(String),
    /// Two keys that cannot stand together.
    #[error("player '{name}': {first} and {second} exclude each other")]
    Conflict {
        /// The player.
        name: String,
        /// One key.
        first: &'static str,
        /// The other.
        second: &'static str,
    },
    /// A key for programs, said of a player inside.
    #[error("player '{name}': {key} is for programs, and it has no cmd")]
    OnlyForPrograms {
        /// The player.
        name: String,
        /// The key.
        key: &'static str,
    },
    /// A key for players inside, said of a program.
    #[error("player '{0}': param is for players inside, and it has a cmd")]
    OnlyInside(String),
    /// A search constant that does not exist.
    #[error("player '{name}': {problem}")]
    Parameter {
        /// The player.
        name: String,
        /// What is wrong.
        problem: UnknownParameter,
    },
    /// A name that cannot be shown.
    #[error("a player's name must have letters, and nothing that a terminal obeys: '{0}'")]
    Name(String),
    /// Two players with one name.
    #[error("two players are called '{0}': give each its own name")]
    SameName(String),
}

/// The players of a match: what is said of each, and of all.
pub fn resolve(
    players: Vec<PlayerSettings>,
    each: &PlayerSettings,
) -> Result<Vec<PlayerSpec>, PlayerError> {
    let mut specs: Vec<PlayerSpec> = players
        .into_iter()
        .map(|player| player.or(each).resolve())
        .collect::<Result<_, _>>()?;
    share_nets(&mut specs);
    for (index, spec) in specs.iter().enumerate() {
        if specs[..index].iter().any(|other| other.name == spec.name) {
            return Err(PlayerError::SameName(spec.name.clone()));
        }
    }
    Ok(specs)
}

/// Players with the same net use the same memory: two copies would drive each
/// other out of the caches.
fn share_nets(specs: &mut [PlayerSpec]) {
    for index in 1..specs.len() {
        let (before, rest) = specs.split_at_mut(index);
        let Engine::Inside(inside) = &mut rest[0].engine else {
            continue;
        };
        let same = before.iter().find_map(|spec| match &spec.engine {
            Engine::Inside(other) if other.eval == inside.eval => Some(&other.eval),
            _ => None,
        });
        if let Some(same) = same {
            inside.eval = same.clone();
        }
    }
}

impl PlayerSettings {
    /// The player of this name that plays inside with this evaluation, and otherwise
    /// as these settings say.
    pub fn player(mut self, name: &str, eval: Evaluation) -> Result<PlayerSpec, PlayerError> {
        self.name = Some(name.to_owned());
        self.eval = Some(eval);
        self.resolve()
    }

    fn resolve(self) -> Result<PlayerSpec, PlayerError> {
        let name = self.own_name()?;
        let conflict = |first, second| PlayerError::Conflict {
            name: name.clone(),
            first,
            second,
        };
        if self.tc.is_some() && self.st.is_some() {
            return Err(conflict("tc", "st"));
        }
        if self.cmd.is_some() && self.eval.is_some() {
            return Err(conflict("cmd", "eval"));
        }
        let pace = self.pace();
        if pace.to_string().is_empty() {
            return Err(PlayerError::NoLimit(name));
        }
        let engine = match self.cmd {
            Some(_) => Engine::Program(self.program(&name)?),
            None => Engine::Inside(self.inside(&name, &pace)?),
        };
        Ok(PlayerSpec { name, engine, pace })
    }

    fn own_name(&self) -> Result<String, PlayerError> {
        let file_name = || self.cmd.as_ref()?.file_name()?.to_str().map(str::to_owned);
        let name = self
            .name
            .clone()
            .or_else(file_name)
            .unwrap_or_else(|| self.eval.clone().unwrap_or_default().to_string());
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

    fn inside(self, name: &str, pace: &Pace) -> Result<Inside, PlayerError> {
        let only_for_programs = [
            (!self.arg.is_empty(), "arg"),
            (self.dir.is_some(), "dir"),
            (self.patience.is_some(), "patience"),
            (!self.option.is_empty(), "option"),
        ];
        if let Some(&(_, key)) = only_for_programs.iter().find(|(is_said, _)| *is_said) {
            return Err(PlayerError::OnlyForPrograms {
                name: name.to_owned(),
                key,
            });
        }
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
        Ok(Inside {
            eval: self.eval.unwrap_or_default(),
            hash: self
                .hash
                .map_or_else(|| fitting_hash(pace), |count| count.0 as usize),
            threads: self.threads.map_or(1, |count| count.0 as usize),
            parameters,
        })
    }

    /// `hash` and `threads` are the options of these names: what is said of all
    /// players must not depend on where they run.
    fn program(self, name: &str) -> Result<Program, PlayerError> {
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
                return Err(PlayerError::Conflict {
                    name: name.to_owned(),
                    first: key,
                    second: "the option of this name",
                });
            }
        }
        Ok(Program {
            cmd: self.cmd.unwrap_or_default(),
            arg: self.arg,
            dir: self.dir,
            option,
            patience: self.patience.unwrap_or(Program::PATIENCE),
        })
    }
}

/// Mebibytes of a table that a game of this pace does not fill. It is emptied
/// before every game, so it should not be larger.
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

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
