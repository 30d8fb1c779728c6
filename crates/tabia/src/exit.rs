//! How the program ends: its exit codes, and which error leads to which code.
//!
//! It must not know any command. On wrong usage, the parser of the command line ends the program
//! itself, with the same code 2.

use crate::output::{self, OutputClosed};
use data::journal::JournalError;
use std::io;
use std::panic::{self, AssertUnwindSafe, PanicHookInfo};
use std::process::ExitCode;
use work::DispatchError;

/// The program's exit codes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Exit {
    Good = 0,
    Failure = 1,
    WrongInput = 2,
    /// A test was played, and it rejected its candidate.
    Rejected = 3,
    /// A test was played, and ended without a decision.
    Undecided = 4,
    Interrupted = 130,
}

/// Something that the user gave cannot be used. The message names it, its place and the remedy.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct WrongInput(String);

impl WrongInput {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self(message.into())
    }
}

/// The error for a journal that cannot be used: wrong input, unless it is a problem of the disk.
pub(crate) fn unfit(error: JournalError) -> anyhow::Error {
    match &error {
        JournalError::File { cause, .. } if !is_wrong_path(cause) => error.into(),
        _ => WrongInput::new(error.to_string()).into(),
    }
}

/// The error for work that was not done: wrong input if it is work that other machines cannot do.
pub(crate) fn undone(error: DispatchError) -> anyhow::Error {
    match error {
        DispatchError::NotPortable(_) => WrongInput::new(error.to_string()).into(),
        error => error.into(),
    }
}

fn is_wrong_path(error: &io::Error) -> bool {
    use io::ErrorKind as Kind;
    matches!(
        error.kind(),
        Kind::NotFound
            | Kind::NotADirectory
            | Kind::IsADirectory
            | Kind::PermissionDenied
            | Kind::InvalidFilename
    )
}

/// Long work was interrupted.
#[derive(Debug, thiserror::Error)]
#[error("interrupted")]
pub(crate) struct Interrupted;

/// Runs the program, prints an error in one line and returns the exit code.
pub(crate) fn guard(run: impl FnOnce() -> anyhow::Result<Exit>) -> ExitCode {
    let exit = match panic::catch_unwind(AssertUnwindSafe(run)) {
        Ok(Ok(exit)) => exit,
        Ok(Err(error)) => {
            let exit = exit_of(&error);
            match exit {
                Exit::Good => {}
                Exit::Interrupted => output::print_words(error),
                // `{:#}` joins the error and its causes in one line.
                _ => output::print_error(format_args!("{error:#}")),
            }
            exit
        }
        // The panic hook has already printed the message.
        Err(_) => Exit::Failure,
    };
    ExitCode::from(exit as u8)
}

fn exit_of(error: &anyhow::Error) -> Exit {
    if error.is::<OutputClosed>() {
        Exit::Good
    } else if error.is::<WrongInput>() {
        Exit::WrongInput
    } else if error.is::<Interrupted>() {
        Exit::Interrupted
    } else {
        Exit::Failure
    }
}

/// Prints panics as one readable line, unless the user asks for a backtrace.
pub(crate) fn report_panics_in_one_line() {
    if std::env::var_os("RUST_BACKTRACE").is_none_or(|value| value == "0") {
        panic::set_hook(Box::new(|info| output::print_error(describe_panic(info))));
    }
}

fn describe_panic(info: &PanicHookInfo<'_>) -> String {
    let place = info.location().map_or_else(
        || "an unknown place".to_owned(),
        |location| format!("{}:{}", location.file(), location.line()),
    );
    let cause = info.payload_as_str().unwrap_or("no message");
    format!("internal error at {place}: {cause}; please report this line and the command")
}
