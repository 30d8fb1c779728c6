//! `tabia worker`: works for a cluster on this machine.

use crate::exit::{Exit, Interrupted, WrongInput};
use crate::group::{AccessOptions, Role, kinds, measured, refused};
use crate::interruption;
use crate::output::Output;
use clap::Args;
use cluster::{Worker, WorkerEvent, WorkerOptions};
use engines::StopSignal;
use serde::Serialize;
use std::fmt;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  tabia worker --cluster tls://lab.example.org:4222 --creds anna.toml
  tabia worker --cluster tls://localhost:4222 \\
      --creds group/credentials/worker-1.toml --threads 2

A worker makes one outgoing connection to the server, so it also works behind
NAT. It first searches a fixed set of positions, to verify the program and to
measure the speed of the machine. Then it takes any available work until
Ctrl-C, which returns unfinished units. If the server does not respond, it
retries.

All machines of a cluster need the same version of the program. Models and
books are cached on disk by hash, so that each is fetched once.";

/// Work for a cluster on this machine, until Ctrl-C
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Options {
    #[command(flatten)]
    access: AccessOptions,
    /// Number of pieces worked on in parallel [default: one per CPU]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// Cache folder for models and books [default: tabia/cluster in the user's cache folder]
    #[arg(long, value_name = "DIR")]
    cache: Option<PathBuf>,
    /// Size limit of the cache, in gigabytes
    #[arg(long, value_name = "GB", default_value_t = 8)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=100_000))]
    cache_size: u64,
}

pub(crate) fn run(options: &Options, output: &Output) -> anyhow::Result<Exit> {
    let access = options.access.access(Role::Worker)?;
    let cache = options.cache()?;
    let threads = match options.threads {
        Some(threads) => usize::from(threads),
        None => std::thread::available_parallelism()?.get(),
    };
    let stop = StopSignal::new();
    interruption::listen_for(&stop)?;
    output.note("measuring this machine");
    let Some(identity) = measured(&stop)? else {
        return Err(Interrupted.into());
    };
    output.note(format_args!(
        "tabia {}, {} nodes/s on one thread, {}",
        identity.version, identity.speed, identity.arithmetic
    ));
    let worker = WorkerOptions {
        access,
        identity,
        kinds: kinds(),
        threads,
        cache,
        cache_bytes: options.cache_size << 30,
    };
    let told = output.clone();
    let worked = Worker::run(worker, &stop, move |event| tell(&told, &event));
    let pieces = worked.map_err(refused)?;
    output.report(&Report { pieces })?;
    Ok(Exit::Good)
}

fn tell(output: &Output, event: &WorkerEvent) {
    match event {
        WorkerEvent::Connected {
            warning: Some(warning),
            ..
        } => {
            output.note(event);
            output.warn(warning);
        }
        WorkerEvent::Unfit { .. } | WorkerEvent::Trouble(_) | WorkerEvent::Disconnected => {
            output.warn(event);
        }
        _ => output.note(event),
    }
}

impl Options {
    /// The cache folder for models and books: as given, or the system's default.
    fn cache(&self) -> Result<PathBuf, WrongInput> {
        if let Some(cache) = &self.cache {
            return Ok(cache.clone());
        }
        let folder = |name| std::env::var_os(name).filter(|value| !value.is_empty());
        let caches = folder("XDG_CACHE_HOME").map(PathBuf::from);
        let caches = caches.or_else(|| Some(PathBuf::from(folder("HOME")?).join(".cache")));
        let caches = caches.or_else(|| folder("LOCALAPPDATA").map(PathBuf::from));
        match caches {
            Some(caches) => Ok(caches.join("tabia").join("cluster")),
            None => Err(WrongInput::new(
                "the user's cache folder is unknown: give one with --cache DIR",
            )),
        }
    }
}

/// The result of the work.
#[derive(Serialize)]
struct Report {
    pieces: u64,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let s = if self.pieces == 1 { "" } else { "s" };
        writeln!(f, "{} piece{s} done", self.pieces)
    }
}
