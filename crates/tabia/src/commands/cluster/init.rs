//! `tabia cluster init`: writes the files of a cluster.

use crate::exit::{Exit, WrongInput};
use crate::output::Output;
use clap::Args;
use cluster::{Server, ServerFiles, ServerVersion};
use serde::Serialize;
use std::fmt;
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
  tabia cluster init group                    for workers on this machine
  tabia cluster init group --host lab.example.org --workers 40
  tabia cluster init group --host 192.168.1.7 --worker anna --worker bob

Writes the configuration of a NATS server, its TLS certificate, and a
credentials file for the coordinator and for each worker. Copy each worker's
file to its machine only: it identifies the worker, and only allows it to take
work and deliver results.

The server is a separate program, nats-server; `tabia cluster up FOLDER`
starts the installed one. Version 2.12 or newer is recommended.";

/// Write the server configuration of a cluster, and credentials for all its machines
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Options {
    /// The folder to write; it must not already hold a cluster
    folder: PathBuf,
    /// Host name or address of the server; repeatable, the first one is used in the printed
    /// commands
    #[arg(long = "host", value_name = "HOST", default_value = "localhost")]
    hosts: Vec<String>,
    /// Port of the server
    #[arg(long, value_name = "PORT", default_value_t = 4222)]
    #[arg(value_parser = clap::value_parser!(u16).range(1..))]
    port: u16,
    /// Number of workers to create credentials for, named worker-1, worker-2 and so on
    #[arg(long, value_name = "N", default_value_t = 4, conflicts_with = "names")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=100_000))]
    workers: u32,
    /// Name of a worker to create credentials for; may be repeated
    #[arg(id = "names", long = "worker", value_name = "NAME")]
    names: Vec<String>,
    /// Disk limit of the server, in gigabytes
    #[arg(long, value_name = "GB", default_value_t = 20)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=100_000))]
    store: u64,
}

pub(super) fn run(options: &Options, output: &Output) -> anyhow::Result<Exit> {
    let installed = Server::installed();
    let files = ServerFiles {
        folder: options.folder.clone(),
        hosts: options.hosts(),
        port: options.port,
        workers: options.names(),
        store_bytes: options.store << 30,
        version: *installed.as_ref().unwrap_or(&ServerVersion::RECOMMENDED),
    };
    files
        .write()
        .map_err(|error| WrongInput::new(error.to_string()))?;
    match installed {
        Err(error) => output.warn(error),
        Ok(version) => {
            if let Some(warning) = version.warning() {
                output.warn(warning);
            }
        }
    }
    output.report(&Report::new(&files))?;
    Ok(Exit::Good)
}

impl Options {
    /// The hosts of the server; this machine can always reach it by these, too.
    fn hosts(&self) -> Vec<String> {
        let mut hosts = self.hosts.clone();
        for own in ["localhost", "127.0.0.1"] {
            if !hosts.iter().any(|host| host == own) {
                hosts.push(own.to_owned());
            }
        }
        hosts
    }

    fn names(&self) -> Vec<String> {
        match self.names.is_empty() {
            true => (1..=self.workers)
                .map(|number| format!("worker-{number}"))
                .collect(),
            false => self.names.clone(),
        }
    }
}

/// The files that were written, and the commands to type next.
#[derive(Serialize)]
struct Report {
    folder: PathBuf,
    url: String,
    coordinator: PathBuf,
    workers: Vec<PathBuf>,
}

impl Report {
    fn new(files: &ServerFiles) -> Report {
        Report {
            folder: files.folder.clone(),
            url: files.url(),
            coordinator: files.coordinator(),
            workers: (files.workers.iter())
                .map(|name| files.credentials_of(name))
                .collect(),
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report { url, workers, .. } = self;
        let (first, count) = (workers.first(), workers.len());
        writeln!(f, "written     {}", self.folder.display())?;
        writeln!(f, "credentials {count} workers and the coordinator")?;
        writeln!(f, "server      tabia cluster up {}", quoted(&self.folder))?;
        if let Some(first) = first {
            let first = quoted(first);
            writeln!(
                f,
                "worker      tabia worker --cluster {url} --creds {first}"
            )?;
        }
        let coordinator = quoted(&self.coordinator);
        writeln!(
            f,
            "work        tabia run quickstart --cluster {url} --creds {coordinator}"
        )
    }
}

/// A path quoted for a shell.
fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    match shlex::try_quote(&text) {
        Ok(quoted) => quoted.into_owned(),
        Err(_) => text,
    }
}
