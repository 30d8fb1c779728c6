//! The verdict of an experiment, by a rule that was written in advance.
//!
//! The unit of evidence is the training run: a match of two models, however long, shows which of
//! these two is stronger, not which way of learning is better. So each seed gives one number, and
//! the variance between seeds gives the interval. `rule` reads the rule, `conclusion` applies it.
//! This module must not know files.

mod conclusion;
mod rule;
mod settings;

pub(crate) use conclusion::pairs;
pub use conclusion::{
    ArmStrength, Conclusion, Effect, Field, FinalMatch, Meeting, Ruling, bounded_elo, over_seeds,
};
pub use rule::{Condition, Contrast, Rule, RuleError, Side};
pub use settings::VerdictSettings;

#[cfg(test)]
mod tests;
