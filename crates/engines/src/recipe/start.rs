//! Turns recipes into players, and tries programs out before the first game.

use super::kinds::{ProgramRecipe, Recipe};
use super::pace::Pace;
use super::spec::PlayerSpec;
use crate::external::{External, NodeLimit, StartError, obeys_node_limit};
use crate::{Engine, Player};
use std::time::Duration;

/// How long after the margin to wait for a late move: the player has lost the game, but its program
/// need not be killed.
const GRACE: Duration = Duration::from_millis(200);

/// The highest node limit that is tried out.
const TRIAL_NODES: u64 = 20_000;

impl Recipe {
    /// The player with its options; `None` for another program.
    pub fn engine(&self) -> Option<Box<dyn Engine>> {
        match self {
            Recipe::AlphaBeta(recipe) => Some(Box::new(recipe.engine())),
            Recipe::Mcts(recipe) => Some(Box::new(recipe.engine())),
            Recipe::Sequence(recipe) => Some(Box::new(recipe.engine())),
            Recipe::Program(_) => None,
        }
    }

    /// A player whose moves may be late by `margin`.
    ///
    /// # Errors
    /// If a program cannot be started, or does not speak UCI.
    pub fn player(&self, margin: Duration) -> Result<Box<dyn Player>, StartError> {
        match self {
            Recipe::AlphaBeta(recipe) => Ok(Box::new(recipe.engine())),
            Recipe::Mcts(recipe) => Ok(Box::new(recipe.engine())),
            Recipe::Sequence(recipe) => Ok(Box::new(recipe.engine())),
            Recipe::Program(program) => Ok(Box::new(start(program, margin)?)),
        }
    }
}

impl PlayerSpec {
    /// A player.
    ///
    /// # Errors
    /// If a program cannot be started, or does not speak UCI.
    pub fn player(&self) -> Result<Box<dyn Player>, StartError> {
        self.recipe.player(self.pace.margin.0)
    }

    /// Starts a program once to see whether it works, and returns warnings about it. Built-in
    /// players need no trial.
    ///
    /// # Errors
    /// If it cannot be started, or does not speak UCI.
    pub fn try_out(&self) -> Result<Vec<String>, StartError> {
        let Recipe::Program(program) = &self.recipe else {
            return Ok(Vec::new());
        };
        let mut player = start(program, self.pace.margin.0)?;
        let mut warnings = player.warnings().to_vec();
        warnings.extend(try_node_limit(&self.pace, &mut player));
        let name = &self.name;
        Ok(warnings
            .into_iter()
            .map(|warning| format!("player '{name}': {warning}"))
            .collect())
    }
}

fn start(program: &ProgramRecipe, margin: Duration) -> Result<External, StartError> {
    let mut options = program.options();
    options.margin = margin + GRACE;
    External::start(options)
}

/// A warning about how a player obeys its node limit, if that is its only limit.
fn try_node_limit(pace: &Pace, player: &mut External) -> Option<String> {
    if pace.is_timed() || pace.depth.is_some() {
        return None;
    }
    let nodes = pace.nodes?.min(TRIAL_NODES);
    let remedy = "the match would not be fair; use a time control or a depth";
    match obeys_node_limit(player, nodes) {
        Ok(NodeLimit::Obeyed { .. } | NodeLimit::Unknown) => None,
        Ok(NodeLimit::Exceeded { used } | NodeLimit::FellShort { used }) => Some(format!(
            "it used {used} nodes although the limit is {nodes}: {remedy}"
        )),
        Ok(NodeLimit::Ignored) => Some(format!("it ignores the node limit: {remedy}")),
        Err(failure) => Some(format!("it {failure} in a test search")),
    }
}
