//! The nats-server of a group: the files that it needs, a process on this machine, and
//! what its version means.

mod files;
mod process;
mod version;

pub use files::ServerFiles;
pub use process::Server;
pub use version::ServerVersion;
