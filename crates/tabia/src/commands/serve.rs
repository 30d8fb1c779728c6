//! `tabia serve`: the page on which runs are watched, models looked into and played against.

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
  tabia serve                                  the runs of this folder, on http://127.0.0.1:8470
  tabia serve runs --open                      and open a browser
  tabia serve --port 0                         any port that is free
  tabia serve --address 0.0.0.0                for other machines, too; the address has a token
  tabia serve --eco openings.tsv               with names of openings of your own

The page shows runs, selections, studies and trainings in FOLDER and in the folders below it,
live or finished: curves, games, what models believe, data; one can play against every model,
and start, stop and resume runs. Runs are processes of their own: they go on when the page
ends, and the reverse. Everything is read from the files of their folders.";

/// Serve a page to watch runs, look into models and play against them
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Options {
    /// The folder in which runs lie, or folders of them
    #[arg(value_name = "FOLDER", default_value = ".")]
    folder: PathBuf,
    /// The port; 0 is any that is free
    #[arg(long, value_name = "PORT", default_value_t = 8470)]
    port: u16,
    /// The address to listen on; one that other machines can reach asks for a token
    #[arg(long, value_name = "IP", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    address: IpAddr,
    /// Names of openings: a table with the columns eco, name and pgn, or a folder of them
    /// [default: the main openings]
    #[arg(long, value_name = "FILE")]
    eco: Option<PathBuf>,
    /// Open the page in a browser
    #[arg(long)]
    open: bool,
}

pub(crate) fn run(options: &Options, output: &Output) -> anyhow::Result<Exit> {
    let folder = &options.folder;
    if !folder.is_dir() {
        let folder = folder.display();
        return Err(
            WrongInput::new(format!("{folder} is not a folder; name one that is there")).into(),
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
        output.warn("this program was built without the page; JSON is answered (make web)");
    }
    output.note("press Ctrl-C to end; runs keep working");
    if options.open {
        open(&url, output);
    }
    server.run(interruption::requested).map_err(told)?;
    Ok(Exit::Good)
}

/// An address that cannot be used can be put right by whoever chose it.
fn told(error: ServeError) -> anyhow::Error {
    match error {
        ServeError::Listen { .. } => WrongInput::new(error.to_string()).into(),
        error => error.into(),
    }
}

/// Opens a browser, if this system says how.
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
            "no browser could be opened: {program} is missing; open {url}"
        ));
    }
}
