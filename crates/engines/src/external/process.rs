//! A running program and its end: started once, never left behind.
//!
//! It must not know what is sent to the program.

use super::StartError;
use super::child_processes;
use super::program::ProgramOptions;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
use std::io;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// How often to check whether a program that should exit has done so.
const STEP: Duration = Duration::from_millis(1);

/// A program in its own process group, so that whatever it starts ends with it, and our Ctrl-C does
/// not reach it.
pub(super) struct Process {
    child: Child,
    group: Pid,
    /// Its exit status, once its end was waited for.
    status: Option<ExitStatus>,
}

impl Process {
    /// Starts a program. Its pipes are then taken from [`Process::child`].
    pub(super) fn start(options: &ProgramOptions) -> Result<Process, StartError> {
        let program = options.name_of_program();
        let mut command = Command::new(absolute(&options.program));
        command
            .args(&options.arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0);
        if let Some(directory) = &options.directory {
            if !directory.is_dir() {
                let directory = directory.display().to_string();
                return Err(StartError::Directory { program, directory });
            }
            command.current_dir(directory);
        }
        let spawned = match options.processors.clone() {
            None => child_processes::start(command, |spawn| spawn()),
            Some(processors) => {
                let set = cpu_set(&processors)
                    .map_err(|problem| StartError::processors(&program, &processors, &problem))?;
                child_processes::start(command, move |spawn| on_processors(&set, spawn))
            }
        };
        let child = spawned.map_err(|error| StartError::spawn(&program, &error))?;
        Ok(Process {
            group: Pid::from_child(&child),
            child,
            status: None,
        })
    }

    pub(super) fn child(&mut self) -> &mut Child {
        &mut self.child
    }

    /// Waits until the program ends by itself; false if it does not within `patience`.
    pub(super) fn waits_for_end(&self, patience: Duration) -> bool {
        let begin = Instant::now();
        while !self.has_ended() {
            if begin.elapsed() >= patience {
                return false;
            }
            thread::sleep(STEP);
        }
        true
    }

    /// Whether the program has ended. Does not reap it, so its exit status remains available and
    /// its process id is not reused.
    fn has_ended(&self) -> bool {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        self.status.is_some()
            || waitid(WaitId::Pid(self.group), options).is_ok_and(|status| status.is_some())
    }

    /// Kills the program and whatever it started.
    pub(super) fn kill(&mut self) -> Option<ExitStatus> {
        if self.status.is_none() {
            // The group id cannot have been reused, because the program was not reaped yet. An
            // error means that the group is gone already.
            let _ = kill_process_group(self.group, Signal::KILL);
            // The program may have left its group.
            let _ = self.child.kill();
            self.status = self.child.wait().ok();
            child_processes::end_orphans_of(self.group);
        }
        self.status
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

/// A relative path of several parts refers to our working directory, not to the folder in which the
/// program will run; a bare name is looked up in the PATH.
fn absolute(program: &Path) -> PathBuf {
    if program.components().count() < 2 {
        return program.to_owned();
    }
    std::path::absolute(program).unwrap_or_else(|_| program.to_owned())
}

/// A set of processors in the form that the system takes.
fn cpu_set(processors: &[usize]) -> io::Result<CpuSet> {
    let mut set = CpuSet::new();
    for &processor in processors {
        if processor >= CpuSet::MAX_CPU {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        set.set(processor);
    }
    // Only the system knows which processors exist: a set without a usable one is refused here,
    // before anything is started.
    let before = sched_getaffinity(None)?;
    sched_setaffinity(None, &set)?;
    let _ = sched_setaffinity(None, &before);
    Ok(set)
}

/// Runs a function while this thread is bound to some processors: what it starts is bound to them
/// from its first instruction on.
fn on_processors<T>(
    processors: &CpuSet,
    start: &mut dyn FnMut() -> io::Result<T>,
) -> io::Result<T> {
    let before = sched_getaffinity(None)?;
    sched_setaffinity(None, processors)?;
    let started = start();
    // Restoring the old processors cannot fail; and what was started, runs.
    let _ = sched_setaffinity(None, &before);
    started
}
