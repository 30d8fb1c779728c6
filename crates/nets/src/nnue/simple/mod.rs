//! Simple nets: `weights` is what a file holds, `container` the file, `net` what
//! is evaluated.
//!
//! Nothing here knows how a net is trained or searched.

mod container;
mod net;
mod weights;

pub(super) use container::MAGIC;
pub(crate) use container::{ShapeHeader, weight_bytes};
pub use net::Simple;
pub use weights::SimpleWeights;
