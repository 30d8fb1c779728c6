//! The program as its users meet it: run as a process, judged by its exit code,
//! its standard output and its standard error.

mod color;
mod generated;
mod pipes;
mod program;
mod usage;
