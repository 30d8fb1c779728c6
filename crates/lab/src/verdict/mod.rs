//! What the runs of an experiment prove, by a rule that was written before.
//!
//! The unit of evidence is the training run: a match of two nets, however long,
//! says which of these two is stronger, not which way of learning is better. So
//! each seed gives one number, and the spread between seeds gives the interval.
//! `rule` reads what was written, `conclusion` applies it. It must not know files.

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
