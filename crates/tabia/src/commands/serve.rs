//! `tabia serve`: a web page to watch runs, inspect models and play against them.

use crate::exit::{Exit, WrongInput};
use crate::interruption;
use crate::output::Output;
use crate::version;
use analysis::{EcoTable, Opening};
use anyhow::Context;
use clap::Args;
use lab::runs;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use web::{Openings, ServeError, Server};

const EXAMPLES: &str = "\
Examples:
  tabia serve                      this folder's runs on http://127.0.0.1:8470
  tabia serve runs --open          and open a browser
  tabia serve --port 0             on any free port
  tabia serve --address 0.0.0.0    for other machines; the URL has a token
  tabia serve --eco openings.tsv   with your own opening names

The page shows runs, selections, studies and trainings in FOLDER and its
subfolders, live or finished: curves, games, model evaluations, data; you can
play against every model, and start, stop and resume runs. Runs are separate
processes: they continue when the server stops, and vice versa. Everything is
read from the files of their folders.";

/// Serve a web page to watch runs, inspect models and play against them
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Options {
    /// The folder that contains runs, directly or in subfolders
    #[arg(value_name = "FOLDER", default_value = ".")]
    folder: PathBuf,
    /// The port; 0 for any free port
    #[arg(long, value_name = "PORT", default_value_t = 8470)]
    port: u16,
    /// The address to listen on; if other machines can reach it, a token is required
    #[arg(long, value_name = "IP", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    address: IpAddr,
    /// Opening names: a TSV table with the columns eco, name and pgn, or a folder of such tables
    /// [default: the main openings]
    #[arg(long, value_name = "FILE")]
    eco: Option<PathBuf>,
    /// Open the page in the default browser
    #[arg(long)]
    open: bool,
}

pub(crate) fn run(options: &Options, output: &Output) -> anyhow::Result<Exit> {
    let folder = &options.folder;
    if !folder.is_dir() {
        let folder = folder.display();
        return Err(
            WrongInput::new(format!("{folder} is not a folder; give an existing one")).into(),
        );
    }
    let root = folder
        .canonicalize()
        .with_context(|| format!("cannot use the folder {}", folder.display()))?;
    let openings = match &options.eco {
        Some(path) => EcoTable::open(path).map_err(|error| WrongInput::new(error.to_string()))?,
        None => EcoTable::main(),
    };
    let server = Server::bind(web::Options {
        root,
        address: SocketAddr::new(options.address, options.port),
        program: std::env::current_exe().context("cannot find this program")?,
        version: version::short(),
        look: |path| runs::look(path, &train::learners()),
        openings: Openings::new(move |boards| {
            let Opening { eco, name } = openings.last_known(boards)?.clone();
            Some([eco, name])
        }),
    });
    let server = server.map_err(told)?;
    interruption::listen()?;
    let url = server.url();
    output.data(&format!("{url}\n"))?;
    if !Server::has_page() {
        output.warn(
            "this program was built without the page and only serves JSON; build the page \
            with make web",
        );
    }
    output.note("press Ctrl-C to stop the server; runs continue");
    if options.open {
        open(&url, output);
    }
    server.run(interruption::requested).map_err(told)?;
    Ok(Exit::Good)
}

/// An address that cannot be used is wrong input.
fn told(error: ServeError) -> anyhow::Error {
    match error {
        ServeError::Listen { .. } => WrongInput::new(error.to_string()).into(),
        error => error.into(),
    }
}

/// Opens a browser, if this system has a way to do so.
fn open(url: &str, output: &Output) {
    let program = if cfg!(target_os = "macos") {
        "open"
    } else if cfg!(windows) {
        "explorer"
    } else {
        "xdg-open"
    };
    let mut command = Command::new(program);
    command
        .arg(url)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    if command.spawn().is_err() {
        output.warn(format_args!(
            "cannot open a browser: {program} is missing; open {url}"
        ));
    }
}
