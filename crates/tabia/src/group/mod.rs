//! Work on many machines, as commands meet it: how a cluster is named, who gives out
//! work, what this program is to the others, and which jobs it can do for them.
//!
//! It must not know what is worked on, nor how anything travels.

mod dispatcher;
mod options;
mod program;
mod status_file;

pub(crate) use dispatcher::{WorkDispatcher, refused};
pub(crate) use options::{AccessOptions, ClusterOptions, Role};
pub(crate) use program::{kinds, measured};
