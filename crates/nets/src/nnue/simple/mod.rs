//! Simple nets: `weights` has the contents of a file, `container` reads and writes
//! files, and `net` is packed for evaluation.
//!
//! Nothing here knows how a net is trained or searched.

mod container;
mod net;
mod weights;

pub(super) use container::MAGIC;
pub(crate) use container::{ShapeHeader, weight_bytes};
pub use net::Simple;
pub use weights::SimpleWeights;
