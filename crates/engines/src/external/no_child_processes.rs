//! Stand-in for `child_processes` on systems that cannot end a program together with us; see there
//! for Linux.

use rustix::process::Pid;
use std::io;
use std::process::{Child, Command};

pub(super) fn start(
    mut command: Command,
    bind: impl FnOnce(&mut dyn FnMut() -> io::Result<Child>) -> io::Result<Child>,
) -> io::Result<Child> {
    bind(&mut || command.spawn())
}

pub(super) fn end_orphans_of(_program: Pid) {}
