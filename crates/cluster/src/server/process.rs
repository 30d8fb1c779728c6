//! A nats-server on this machine, as long as somebody wants it.

use super::files::{CONFIG_FILE, STORE_FOLDER};
use super::version::ServerVersion;
use crate::error::ClusterError;
use std::fs;
use std::io;
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};

/// Where the server writes what it says, in the folder of the group.
const LOG_FILE: &str = "nats-server.log";
/// The program.
const PROGRAM: &str = "nats-server";
/// What to do if it is missing.
const REMEDY: &str = "install it: apt-get install nats-server, brew install nats-server, or \
                      download it from https://github.com/nats-io/nats-server/releases";

/// A setting that old versions do not know.
const SYNC: &str = "sync_interval: always";

/// A running nats-server.
#[derive(Debug)]
pub struct Server {
    child: Child,
    /// Where it writes what it says.
    log: PathBuf,
    port: u16,
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

    /// Starts the server of a group. What it says goes to a file in the folder.
    ///
    /// # Errors
    /// If the folder holds no group, or the program cannot be started.
    pub fn start(folder: &Path) -> Result<Server, ClusterError> {
        let config = folder.join(CONFIG_FILE);
        let settings = fs::read_to_string(&config).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => ClusterError::file(
                &config,
                "it is missing; tabia cluster init FOLDER writes it",
            ),
            io::ErrorKind::NotADirectory => ClusterError::file(
                folder,
                "it is not a folder; tabia cluster init FOLDER makes one",
            ),
            _ => ClusterError::file(&config, error),
        })?;
        check_version(&config, &settings)?;
        let port = port(&settings).ok_or_else(|| {
            ClusterError::file(
                &config,
                "it has no line that sets the port, such as port: 4222",
            )
        })?;
        if listens(port) {
            return Err(ClusterError::Server(format!(
                "port {port} is in use: stop the program that listens there, or change the port \
                 in {}",
                config.display()
            )));
        }
        let store = folder.join(STORE_FOLDER);
        fs::create_dir_all(&store).map_err(|error| ClusterError::file(&store, error))?;
        // Paths in the settings are relative to the folder.
        let child = Command::new(PROGRAM)
            .args(["-c", CONFIG_FILE, "-l", LOG_FILE])
            .current_dir(folder)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| missing(&error))?;
        Ok(Server {
            child,
            log: folder.join(LOG_FILE),
            port,
        })
    }

    /// The port on which it listens.
    pub fn port(&self) -> u16 {
        self.port
    }

    /// Whether somebody listens there.
    pub fn is_ready(&self) -> bool {
        listens(self.port)
    }

    /// The last thing that it said, which is why it ended.
    pub fn last_words(&self) -> String {
        let log = fs::read_to_string(&self.log).unwrap_or_default();
        // What is fatal to it has a mark, unless its settings are wrong.
        let fatal = log.lines().rev().find(|line| line.contains("[FTL]"));
        match fatal.or(log.lines().last()) {
            Some(line) => format!("{line} ({})", self.log.display()),
            None => "it printed nothing".to_owned(),
        }
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

/// Whether somebody listens on this port of this machine.
fn listens(port: u16) -> bool {
    TcpStream::connect(("127.0.0.1", port)).is_ok()
}

/// Refuses settings for a newer server than the one that is installed.
fn check_version(config: &Path, settings: &str) -> Result<(), ClusterError> {
    let version = Server::installed()?;
    let wants_sync = settings.lines().any(|line| line.trim().starts_with(SYNC));
    match wants_sync && !version.can_sync_always() {
        true => Err(ClusterError::file(
            config,
            format!(
                "nats-server {version} does not support '{SYNC}': install {} or newer, or comment \
                 out that line",
                ServerVersion::RECOMMENDED
            ),
        )),
        false => Ok(()),
    }
}

/// The port in the settings.
fn port(settings: &str) -> Option<u16> {
    let mut lines = settings.lines();
    lines.find_map(|line| line.strip_prefix("port:")?.trim().parse().ok())
}

fn missing(error: &io::Error) -> ClusterError {
    ClusterError::Server(match error.kind() {
        io::ErrorKind::NotFound => format!("{PROGRAM} is not installed here; {REMEDY}"),
        _ => format!("{PROGRAM} cannot be started: {error}"),
    })
}
