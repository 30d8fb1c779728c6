//! A fast net, ready to be evaluated.

use super::container::Parts;
use super::evaluator::PolicyEvaluator;
use super::shape::PolicyShape;
use super::weights::{PolicyLayers, PolicyWeights};
use crate::Provenance;
use crate::nnue::simple::Simple;
use crate::nnue::{BoundError, NetError};
use crate::policy::{self, Explanation};
use chess::Board;
use std::fmt;
use std::sync::Arc;

/// A net that can be evaluated. Its weights cannot be changed.
pub struct PolicyNet {
    pub(super) policy: PolicyLayers,
    pub(super) value: Arc<Simple>,
    /// The factor that turns an integer sum into a logit.
    pub(super) logit: f32,
    description: String,
    provenance: Provenance,
}

impl PolicyNet {
    /// Packs the weights.
    ///
    /// # Errors
    /// If a sum could overflow.
    pub fn new(weights: PolicyWeights) -> Result<PolicyNet, BoundError> {
        weights.check_bounds()?;
        let unit = weights.shape().moves().bias_scale;
        Ok(PolicyNet {
            policy: weights.policy,
            value: Arc::new(Simple::new(weights.value)?),
            logit: (1.0 / unit) as f32,
            description: weights.description,
            provenance: weights.provenance,
        })
    }

    /// The bytes of its file.
    ///
    /// # Errors
    /// If the texts are too long.
    pub fn to_bytes(&self) -> Result<Vec<u8>, NetError> {
        let parts = Parts {
            policy: &self.policy,
            value: self.value.weights(),
            description: &self.description,
            provenance: &self.provenance,
        };
        parts.to_bytes()
    }

    /// The shape.
    pub fn shape(&self) -> PolicyShape {
        PolicyShape {
            hidden: self.policy.hidden(),
            value: self.value.weights().shape().clone(),
        }
    }

    /// The layers of the policy.
    pub fn policy(&self) -> &PolicyLayers {
        &self.policy
    }

    /// The NNUE.
    pub fn value(&self) -> &Arc<Simple> {
        &self.value
    }

    /// The output of the net for a position.
    pub fn explain(self: &Arc<Self>, board: &Board) -> Explanation {
        policy::explain(&mut PolicyEvaluator::new(self.clone()), board)
    }

    /// Free text.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// Where it comes from.
    pub fn provenance(&self) -> &Provenance {
        &self.provenance
    }
}

/// Its [shape](PolicyNet::shape).
impl fmt::Display for PolicyNet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.shape().fmt(f)
    }
}

impl fmt::Debug for PolicyNet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PolicyNet({self})")
    }
}
