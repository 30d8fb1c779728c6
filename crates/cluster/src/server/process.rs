//! A nats-server on this machine, as long as somebody wants it.

use super::files::{CONFIG_FILE, STORE_FOLDER};
use super::version::ServerVersion;
use crate::error::ClusterError;
use std::io;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};

/// The program.
const PROGRAM: &str = "nats-server";
/// What to do if it is missing.
const REMEDY: &str = "install it: apt-get install nats-server, brew install nats-server, or take \
                      it from https://github.com/nats-io/nats-server/releases";

/// A running nats-server.
#[derive(Debug)]
pub struct Server {
    child: Child,
}

impl Server {
    /// The version of the nats-server that is installed here.
    ///
    /// # Errors
    /// If there is none.
    pub fn installed() -> Result<ServerVersion, ClusterError> {
        let output = Command::new(PROGRAM)
            .arg("--version")
            .stdin(Stdio::null())
            .output()
            .map_err(|error| missing(&error))?;
        // Some versions say it on the one stream, some on the other.
        let words = [output.stdout, output.stderr].concat();
        Ok(ServerVersion::read(&String::from_utf8_lossy(&words)))
    }

    /// Starts the server of a group. What it says goes to our standard error.
    ///
    /// # Errors
    /// If the folder holds no group, or the program cannot be started.
    pub fn start(folder: &Path) -> Result<Server, ClusterError> {
        let config = folder.join(CONFIG_FILE);
        if !config.is_file() {
            let problem = "it is missing; tabia cluster init FOLDER writes it";
            return Err(ClusterError::file(config, problem));
        }
        let store = folder.join(STORE_FOLDER);
        std::fs::create_dir_all(&store).map_err(|error| ClusterError::file(&store, error))?;
        // Paths in the settings are relative to the folder.
        let child = Command::new(PROGRAM)
            .args(["-c", CONFIG_FILE])
            .current_dir(folder)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .spawn()
            .map_err(|error| missing(&error))?;
        Ok(Server { child })
    }

    /// How it ended; nothing as long as it runs.
    ///
    /// # Errors
    /// If the system does not say.
    pub fn ended(&mut self) -> Result<Option<ExitStatus>, ClusterError> {
        self.child
            .try_wait()
            .map_err(|error| ClusterError::Server(error.to_string()))
    }
}

/// Ends the server.
impl Drop for Server {
    fn drop(&mut self) {
        // It keeps its streams whole at any kill.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn missing(error: &io::Error) -> ClusterError {
    ClusterError::Server(match error.kind() {
        io::ErrorKind::NotFound => format!("{PROGRAM} is not installed here; {REMEDY}"),
        _ => format!("{PROGRAM} cannot be started: {error}"),
    })
}
