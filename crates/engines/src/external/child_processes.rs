//! The processes that we have started, and the processes that these leave behind.
//!
//! A program must not outlive us, even if we are killed: the system ends it together with the
//! thread that started it, so one thread that lives as long as we do starts all of them. Nor may
//! its children outlive it: we adopt those that lose their parent, and end them with the program.
//! This module must not know what the programs are for.

use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, getpgid, getpid, getppid, kill_process,
    set_child_subreaper, set_parent_process_death_signal, waitid,
};
use std::io;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command};
use std::sync::mpsc::{self, Sender};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;

/// How often orphans are looked for at most: ending one may create others.
const MOST_SWEEPS: usize = 32;

/// A task for the starting thread.
type Errand = Box<dyn FnOnce() + Send>;

/// The running programs. The lock is held while one is started and while orphans are looked for, so
/// that a program that was just started is not taken for an orphan.
static RUNNING: Mutex<Vec<Pid>> = Mutex::new(Vec::new());

fn running() -> MutexGuard<'static, Vec<Pid>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts a program that ends with us. `bind` wraps the start, for settings that the program
/// inherits from the starting thread.
pub(super) fn start(
    mut command: Command,
    bind: impl FnOnce(&mut dyn FnMut() -> io::Result<Child>) -> io::Result<Child> + Send + 'static,
) -> io::Result<Child> {
    let (sender, receiver) = mpsc::channel();
    let errand: Errand = Box::new(move || {
        end_with_us(&mut command);
        let mut running = running();
        let started = bind(&mut || command.spawn());
        if let Ok(child) = &started {
            running.push(Pid::from_child(child));
        }
        drop(running);
        let _ = sender.send(started);
    });
    let gone = |_| io::Error::other("the thread that starts programs has ended");
    starter()?.send(errand).map_err(|_| gone(()))?;
    receiver.recv().map_err(|_| gone(()))?
}

/// The queue of the thread that starts programs.
fn starter() -> io::Result<&'static Sender<Errand>> {
    static STARTER: OnceLock<Sender<Errand>> = OnceLock::new();
    if let Some(starter) = STARTER.get() {
        return Ok(starter);
    }
    let (sender, errands) = mpsc::channel::<Errand>();
    thread::Builder::new()
        .name("starter".to_owned())
        .spawn(move || errands.into_iter().for_each(|errand| errand()))?;
    // Without adoption orphans are not found, but nothing else breaks.
    let _ = set_child_subreaper(Some(getpid()));
    // If another thread was quicker, ours ends when its sender is dropped.
    Ok(STARTER.get_or_init(|| sender))
}

/// Makes the system end the program when we end.
fn end_with_us(command: &mut Command) {
    let us = getpid();
    let prepare = move || {
        set_parent_process_death_signal(Some(Signal::KILL))?;
        match getppid() == Some(us) {
            true => Ok(()),
            // We had ended before the system was told.
            false => Err(io::ErrorKind::NotFound.into()),
        }
    };
    // SAFETY: between fork and exec only what is safe in signal handlers may be done:
    // the closure makes two system calls and allocates nothing.
    unsafe {
        command.pre_exec(prepare);
    }
}

/// Ends what programs that no longer run have left behind. To be called after the program was
/// ended, with its process id.
pub(super) fn end_orphans_of(program: Pid) {
    let mut running = running();
    running.retain(|own| *own != program);
    for _ in 0..MOST_SWEEPS {
        let orphans: Vec<Pid> = (children().into_iter())
            .filter(|child| !running.contains(child))
            // A process in the group of a running program still belongs to that program.
            .filter(|child| !getpgid(Some(*child)).is_ok_and(|group| running.contains(&group)))
            .collect();
        if orphans.is_empty() {
            return;
        }
        for orphan in orphans {
            let _ = kill_process(orphan, Signal::KILL);
            let _ = waitid(WaitId::Pid(orphan), WaitIdOptions::EXITED);
        }
    }
}

/// Our children, as far as the system lists them.
fn children() -> Vec<Pid> {
    let Ok(threads) = std::fs::read_dir("/proc/self/task") else {
        return Vec::new();
    };
    let lists = threads
        .flatten()
        .filter_map(|thread| std::fs::read_to_string(thread.path().join("children")).ok());
    lists
        .flat_map(|list| {
            let numbers = list.split_whitespace().map(|number| number.parse().ok());
            numbers
                .map(|number| Pid::from_raw(number?))
                .collect::<Vec<_>>()
        })
        .flatten()
        .collect()
}
