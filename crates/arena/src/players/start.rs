//! Starts players.

use super::pace::Pace;
use super::spec::{Engine, Evaluation, Inside, PlayerSpec};
use crate::workers::Contestant;
use engines::Player;
use engines::alphabeta::{self, AlphaBeta};
use nets::Classical;

impl Contestant for PlayerSpec {
    fn pace(&self) -> &Pace {
        &self.pace
    }

    fn start(&self) -> Result<Box<dyn Player>, String> {
        match &self.engine {
            Engine::Inside(inside) => start_inside(inside),
            Engine::Program(_) => Err("programs cannot play yet".to_owned()),
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
    match inside.eval {
        Evaluation::Classical => Ok(Box::new(AlphaBeta::new(Classical::default(), options))),
    }
}
