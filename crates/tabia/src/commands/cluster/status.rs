//! `tabia cluster status`: the workers of a cluster, and the progress of its work.

use crate::exit::Exit;
use crate::group::{AccessOptions, Role, refused};
use crate::output::{Output, counted};
use clap::Args;
use cluster::{SessionStatus, Status, WorkerStatus};
use serde::Serialize;
use std::fmt;
use std::time::Duration;

const EXAMPLES: &str = "\
Examples:
  tabia cluster status --cluster tls://localhost:4222 \\
      --creds group/credentials/coordinator.toml
  tabia cluster status --cluster tls://localhost:4222 --creds FILE --json

Queries all workers, with a timeout of three seconds. Needs the coordinator's
credentials. Speed is nodes per second on one thread, as measured by the
worker.";

/// Show the workers of a cluster with their speed and results, and the work queue
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Options {
    #[command(flatten)]
    access: AccessOptions,
}

/// How long to wait for answers.
const PATIENCE: Duration = Duration::from_secs(3);

pub(super) fn run(options: &Options, output: &Output) -> anyhow::Result<Exit> {
    let access = options.access.access(Role::Coordinator)?;
    let status = cluster::status(&access, PATIENCE).map_err(refused)?;
    output.report(&Report(status))?;
    Ok(Exit::Good)
}

#[derive(Serialize)]
#[serde(transparent)]
struct Report(Status);

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Status {
            server,
            sessions,
            workers,
        } = &self.0;
        let threads: usize = workers.iter().map(|(_, threads, _)| threads).sum();
        writeln!(f, "server   nats-server {server}")?;
        let threads = counted(threads as u64, "thread");
        writeln!(f, "workers  {}, {threads}", workers.len())?;
        let width = workers.iter().map(|(name, ..)| name.len()).max();
        let width = width.unwrap_or_default();
        for (name, threads, speed) in workers {
            let s = if *threads == 1 { " " } else { "s" };
            writeln!(
                f,
                "  {name:width$}  {threads:>4} thread{s} {speed:>10} nodes/s"
            )?;
        }
        match sessions.is_empty() {
            true => writeln!(f, "work     none"),
            false => sessions.iter().try_for_each(|session| work(f, session)),
        }
    }
}

/// Writes the work of one coordinator.
fn work(f: &mut fmt::Formatter<'_>, session: &SessionStatus) -> fmt::Result {
    let SessionStatus {
        version,
        kinds,
        queued,
        open,
        summary,
        ..
    } = session;
    let kinds = match kinds.is_empty() {
        true => "idle".to_owned(),
        false => kinds.join(", "),
    };
    writeln!(f, "work     {kinds}, for tabia {version}")?;
    writeln!(f, "  units    {open} open, {queued} of them queued")?;
    writeln!(
        f,
        "  results  {}, {} verified, {}, {}",
        counted(summary.pieces, "piece"),
        counted(summary.confirmed, "unit"),
        counted(summary.duplicates, "duplicate"),
        counted(summary.lost, "lost unit")
    )?;
    let workers = session.workers.iter();
    let width = workers.clone().map(|worker| worker.name.len()).max();
    for worker in workers {
        contribution(f, worker, width.unwrap_or_default())?;
    }
    Ok(())
}

fn contribution(f: &mut fmt::Formatter<'_>, worker: &WorkerStatus, width: usize) -> fmt::Result {
    let WorkerStatus {
        name,
        units,
        pieces,
        seconds,
        confirmed,
        failures,
        troubles,
        ..
    } = worker;
    let rate = match *seconds > 0.0 {
        true => *pieces as f64 / seconds,
        false => 0.0,
    };
    let s = if *pieces == 1 { "" } else { "s" };
    write!(
        f,
        "  {name:width$}  {pieces:>8} piece{s}, {rate:.2} per second and thread, {} in progress, \
         {confirmed} verified, {}, {}",
        counted(*units as u64, "unit"),
        counted(*failures, "failure"),
        counted(*troubles, "error")
    )?;
    match &worker.objection {
        Some(objection) => writeln!(f, "; banned: {objection}"),
        None if worker.threads == 0 => writeln!(f, "; gone"),
        None => writeln!(f),
    }
}
