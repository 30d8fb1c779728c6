//! A running program and its end: started once, never left behind.
//!
//! It must not know what is said to the program.

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

/// How often one looks whether a program that should end has ended.
const STEP: Duration = Duration::from_millis(1);

/// A program in a process group of its own, so that what it starts ends with
/// it, and a Ctrl-C for us is none for it.
pub(super) struct Process {
    child: Child,
    group: Pid,
    /// How it ended, once its end was waited for.
    status: Option<ExitStatus>,
}

impl Process {
    /// Starts a program. Its pipes are to be taken from [`Process::child`].
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

    /// Waits until the program has ended by itself, and says whether it has.
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

    /// Whether the program has ended; how stays to be asked, and its number
    /// stays its own.
    fn has_ended(&self) -> bool {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        self.status.is_some()
            || waitid(WaitId::Pid(self.group), options).is_ok_and(|status| status.is_some())
    }

    /// Ends the program and whatever it started, at once.
    pub(super) fn kill(&mut self) -> Option<ExitStatus> {
        if self.status.is_none() {
            // The number of the group cannot be another's: the program is not
            // waited for yet. Errors say that it is gone already.
            let _ = kill_process_group(self.group, Signal::KILL);
            // A program may have left its group.
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

/// A path of several parts is meant from here, not from the folder in which
/// the program will run; a bare name is looked up in the PATH.
fn absolute(program: &Path) -> PathBuf {
    if program.components().count() < 2 {
        return program.to_owned();
    }
    std::path::absolute(program).unwrap_or_else(|_| program.to_owned())
}

/// Some processors as the system wants them.
fn cpu_set(processors: &[usize]) -> io::Result<CpuSet> {
    let mut set = CpuSet::new();
    for &processor in processors {
        if processor >= CpuSet::MAX_CPU {
            return Err(io::ErrorKind::InvalidInput.into());
        }
        set.set(processor);
    }
    // Only the system knows which there are; a thread that may use none of them is
    // refused here, before anything is started.
    let before = sched_getaffinity(None)?;
    sched_setaffinity(None, &set)?;
    let _ = sched_setaffinity(None, &before);
    Ok(set)
}

/// Does something while this thread is bound to some processors: what it starts
/// is bound to them from its first instruction on.
fn on_processors<T>(
    processors: &CpuSet,
    start: &mut dyn FnMut() -> io::Result<T>,
) -> io::Result<T> {
    let before = sched_getaffinity(None)?;
    sched_setaffinity(None, processors)?;
    let started = start();
    // The processors of before cannot be refused; and what has started, has.
    let _ = sched_setaffinity(None, &before);
    started
}
