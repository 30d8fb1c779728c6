//! Starts players, and tries them out before the first game.

use super::pace::Pace;
use super::spec::{Engine, Inside, PlayerSpec, Program};
use crate::workers::Contestant;
use engines::Player;
use engines::alphabeta;
use engines::external::{External, NodeLimit, ProgramOptions, StartError, obeys_node_limit};
use std::time::Duration;

/// How long after the margin a late move is awaited: who answers late has lost
/// the game, but need not be killed.
const GRACE: Duration = Duration::from_millis(200);

/// The most nodes for which a program is tried out.
const TRIAL_NODES: u64 = 20_000;

impl Contestant for PlayerSpec {
    fn name(&self) -> &str {
        &self.name
    }

    fn pace(&self) -> &Pace {
        &self.pace
    }

    fn start(&self) -> Result<Box<dyn Player>, String> {
        match &self.engine {
            Engine::Inside(inside) => start_inside(inside),
            Engine::Program(program) => start_program(program, &self.pace)
                .map(|player| Box::new(player) as Box<dyn Player>)
                .map_err(|error| error.to_string()),
        }
    }
}

impl PlayerSpec {
    /// Starts a program once to see whether it can, and tells what is odd about
    /// it. Players inside this program need no trial.
    ///
    /// # Errors
    /// If it cannot be started, or does not speak UCI.
    pub fn try_out(&self) -> Result<Vec<String>, StartError> {
        let Engine::Program(program) = &self.engine else {
            return Ok(Vec::new());
        };
        let mut player = start_program(program, &self.pace)?;
        let mut warnings = player.warnings().to_vec();
        warnings.extend(self.try_node_limit(&mut player));
        let name = &self.name;
        Ok(warnings
            .into_iter()
            .map(|warning| format!("player '{name}': {warning}"))
            .collect())
    }

    /// What is odd about the nodes of a player whom only nodes limit.
    fn try_node_limit(&self, player: &mut External) -> Option<String> {
        if self.pace.is_timed() || self.pace.depth.is_some() {
            return None;
        }
        let nodes = self.pace.nodes?.min(TRIAL_NODES);
        let remedy = "the match is not fair; use a clock or a depth";
        match obeys_node_limit(player, nodes) {
            Ok(NodeLimit::Obeyed { .. } | NodeLimit::Unknown) => None,
            Ok(NodeLimit::Exceeded { used } | NodeLimit::FellShort { used }) => Some(format!(
                "it used {used} nodes where {nodes} are allowed: {remedy}"
            )),
            Ok(NodeLimit::Ignored) => Some(format!("it ignores the limit of nodes: {remedy}")),
            Err(failure) => Some(format!("it {failure} when it was tried out")),
        }
    }
}

fn start_inside(inside: &Inside) -> Result<Box<dyn Player>, String> {
    let mut options = alphabeta::Options {
        hash: inside.hash,
        threads: inside.threads,
        ..alphabeta::Options::default()
    };
    for (name, &value) in &inside.parameters {
        let set = options.parameters.set(name, value);
        set.map_err(|error| error.to_string())?;
    }
    Ok(inside.eval.0.player(options))
}

fn start_program(program: &Program, pace: &Pace) -> Result<External, StartError> {
    External::start(ProgramOptions {
        arguments: program.arg.clone(),
        directory: program.dir.clone(),
        settings: program.option.clone().into_iter().collect(),
        search_patience: program.patience.0,
        margin: pace.margin.0 + GRACE,
        ..ProgramOptions::new(&program.cmd)
    })
}
