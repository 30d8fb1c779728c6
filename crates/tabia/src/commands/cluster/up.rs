//! `tabia cluster up`: runs the server of a cluster on this machine.

use crate::exit::{Exit, Interrupted, WrongInput};
use crate::group::refused;
use crate::interruption;
use crate::output::Output;
use anyhow::bail;
use clap::Args;
use cluster::Server;
use engines::StopSignal;
use std::path::PathBuf;
use std::time::Duration;

const EXAMPLES: &str = "\
Examples:
  tabia cluster init group && tabia cluster up group

The server runs until Ctrl-C. It stores everything in the folder, so that work
continues once it is restarted. Its log is nats-server.log in the folder. To
run it as a service, start `nats-server -c nats-server.conf` in the folder
instead.";

/// Run the server of a cluster on this machine, until Ctrl-C
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Options {
    /// The folder written by `tabia cluster init`
    folder: PathBuf,
}

/// The interval at which the server process is checked.
const ATTENTION: Duration = Duration::from_millis(100);

pub(super) fn run(options: &Options, output: &Output) -> anyhow::Result<Exit> {
    let stop = StopSignal::new();
    interruption::listen_for(&stop)?;
    let version = Server::installed().map_err(|error| WrongInput::new(error.to_string()))?;
    if let Some(warning) = version.warning() {
        output.warn(warning);
    }
    let mut server = Server::start(&options.folder).map_err(refused)?;
    let mut is_ready = false;
    loop {
        let ended = server.ended()?;
        // Ctrl-C in a terminal reaches the server, too, and may reach it first.
        if ended.is_some() {
            std::thread::sleep(ATTENTION);
        }
        if stop.is_stopped() {
            output.note("the server has stopped; to restart it, repeat the command");
            return Err(Interrupted.into());
        }
        if let Some(status) = ended {
            bail!("nats-server ended ({status}): {}", server.last_words());
        }
        if !is_ready && server.is_ready() {
            is_ready = true;
            let port = server.port();
            output.note(format_args!(
                "nats-server {version} listening on port {port}; stop it with Ctrl-C"
            ));
        }
        std::thread::sleep(ATTENTION);
    }
}
