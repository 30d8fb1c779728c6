//! Processes that work on runs: started for visitors, waited for, and what they say. It must
//! not know what a visitor may ask for.

use crate::answer::Problem;
use lab::catalog::LOG_FILE;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::{Duration, Instant};

/// How long a process may take until its run has begun.
const PATIENCE: Duration = Duration::from_secs(20);
/// How much of a log is shown.
const LOG_TAIL: u64 = 32 << 10;
/// Processes that this server has started and that still run.
const MOST_STARTED: usize = 4;

pub(crate) fn unusable(error: std::io::Error) -> Problem {
    Problem::conflict(format!("the folder cannot be used: {error}"))
}

/// Processes that this server has started.
#[derive(Default)]
pub(crate) struct Processes {
    running: Arc<AtomicUsize>,
}

impl Processes {
    /// Starts a process that belongs to nobody: signals for the server do not reach it, and
    /// what it says goes to a file. Returns when it works on its folder, or has ended.
    pub(crate) fn start(&self, command: &mut Command, folder: &Path) -> Result<(), Problem> {
        if self.running.load(Ordering::Relaxed) >= MOST_STARTED {
            return Err(Problem::busy(
                "too many runs are running; wait until one ends",
            ));
        }
        let path = folder.join(LOG_FILE);
        if path.is_symlink() {
            return Err(Problem::conflict("the log of this run is a link"));
        }
        let log = File::options().create(true).append(true).open(&path);
        let log = log.map_err(unusable)?;
        let copy = log.try_clone().map_err(unusable)?;
        command.stdin(Stdio::null()).stdout(log).stderr(copy);
        #[cfg(unix)]
        {
            use std::os::unix::process::CommandExt;
            command.process_group(0);
        }
        let mut child = command
            .spawn()
            .map_err(|error| Problem::conflict(format!("the run cannot be started: {error}")))?;
        let running = Arc::clone(&self.running);
        running.fetch_add(1, Ordering::Relaxed);
        let (sender, ended) = mpsc::channel();
        // Somebody has to hear of its end, or the system keeps it.
        thread::spawn(move || {
            let is_good = child.wait().is_ok_and(|status| status.success());
            running.fetch_sub(1, Ordering::Relaxed);
            let _ = sender.send(is_good);
        });
        await_begin(&ended, folder)
    }
}

/// Waits until a process works on a folder.
fn await_begin(ended: &mpsc::Receiver<bool>, folder: &Path) -> Result<(), Problem> {
    let begin = Instant::now();
    while begin.elapsed() < PATIENCE {
        match ended.recv_timeout(Duration::from_millis(50)) {
            Ok(true) => return Ok(()),
            Ok(false) => {
                let said = log_of(folder);
                let last = said.lines().rev().find(|line| line.starts_with("error:"));
                let words = last.unwrap_or("the run exited immediately; see its log");
                return Err(Problem::wrong(
                    words.replace(&folder.display().to_string(), ""),
                ));
            }
            Err(_) if lab::catalog::is_begun(folder) => return Ok(()),
            Err(_) => {}
        }
    }
    Ok(())
}

/// What the process of a folder said last; nothing if its log is a link.
pub(crate) fn log_of(folder: &Path) -> String {
    let path = folder.join(LOG_FILE);
    match path.is_symlink() {
        true => String::new(),
        false => tail(&path).unwrap_or_default(),
    }
}

/// The end of a text.
fn tail(path: &Path) -> std::io::Result<String> {
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(LOG_TAIL)))?;
    let mut bytes = Vec::new();
    file.take(LOG_TAIL).read_to_end(&mut bytes)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}
