//! The options of a sequential test.

use crate::exit::WrongInput;
use arena::statistics::{Model, Sprt};
use clap::{Args, ValueEnum};
use serde::Serialize;
use std::fmt;

/// A sequential test, if one is asked for.
#[derive(Args)]
#[command(next_help_heading = "Sequential test")]
pub(crate) struct TestOptions {
    /// The lower hypothesis
    #[arg(
        long,
        value_name = "ELO",
        requires = "elo1",
        allow_negative_numbers = true
    )]
    elo0: Option<f64>,
    /// The upper hypothesis
    #[arg(
        long,
        value_name = "ELO",
        requires = "elo0",
        allow_negative_numbers = true
    )]
    elo1: Option<f64>,
    /// The risk of accepting elo1 although elo0 is true
    #[arg(long, value_name = "RISK", default_value_t = 0.05, requires = "elo0")]
    alpha: f64,
    /// The risk of accepting elo0 although elo1 is true
    #[arg(long, value_name = "RISK", default_value_t = 0.05, requires = "elo0")]
    beta: f64,
    /// The scale of elo0 and elo1
    #[arg(long, value_enum, default_value_t = Scale::Normalized, requires = "elo0")]
    model: Scale,
}

/// The scale of hypotheses.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Scale {
    /// Normalized Elo
    Normalized,
    /// Elo
    Logistic,
    /// Elo, with draws counted as half a win and half a loss
    Binomial,
}

impl From<Scale> for Model {
    fn from(scale: Scale) -> Model {
        match scale {
            Scale::Normalized => Model::Normalized,
            Scale::Logistic => Model::Logistic,
            Scale::Binomial => Model::Binomial,
        }
    }
}

impl TestOptions {
    /// Whether a test is asked for.
    pub(crate) fn are_given(&self) -> bool {
        self.elo0.is_some()
    }

    /// The test, if one is asked for.
    pub(crate) fn sprt(&self) -> Result<Option<Sprt>, WrongInput> {
        let (Some(elo0), Some(elo1)) = (self.elo0, self.elo1) else {
            return Ok(None);
        };
        Sprt::new(elo0, elo1, self.alpha, self.beta, self.model.into())
            .map(Some)
            .map_err(|error| WrongInput::new(format!("invalid test: {error}")))
    }
}

/// A test in words and in JSON.
#[derive(Serialize)]
#[serde(transparent)]
pub(crate) struct Described(pub(crate) Sprt);

impl fmt::Display for Described {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Described(sprt) = self;
        let model = match sprt.model() {
            Model::Normalized => "normalized",
            Model::Logistic => "logistic",
            Model::Binomial => "binomial",
        };
        let ([elo0, elo1], [alpha, beta]) = (sprt.hypotheses(), sprt.risks());
        write!(f, "{model} [{elo0}, {elo1}], alpha {alpha}, beta {beta}")
    }
}
