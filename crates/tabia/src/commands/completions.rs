//! `tabia completions`: completions for a shell, generated from the definition of the command line.

use crate::exit::Exit;
use crate::output::Output;
use clap::{Args, Command};
use clap_complete::Shell;

const EXAMPLES: &str = "\
Examples:
  tabia completions bash > ~/.local/share/bash-completion/completions/tabia
  tabia completions zsh > ~/.zfunc/_tabia
  tabia completions fish > ~/.config/fish/completions/tabia.fish";

/// Print shell completions
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Options {
    /// The shell to complete for
    shell: Shell,
}

pub(crate) fn run(
    options: &Options,
    mut definition: Command,
    output: &Output,
) -> anyhow::Result<Exit> {
    // The generator panics if it cannot write, so it writes to memory.
    let mut script = Vec::new();
    clap_complete::generate(options.shell, &mut definition, "tabia", &mut script);
    output.data(&String::from_utf8(script)?)?;
    Ok(Exit::Good)
}
