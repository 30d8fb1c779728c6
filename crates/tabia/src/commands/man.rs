//! `tabia man`: manual pages, generated from the definition of the command line.

use crate::exit::Exit;
use crate::output::Output;
use crate::version;
use anyhow::Context;
use clap::{Args, Command};
use clap_mangen::Man;
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
  tabia man | man -l -                   read the page of tabia itself
  tabia man ~/.local/share/man/man1      install the pages of all commands";

/// Print the manual page, or write the manual pages of all commands
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Options {
    /// Write one page per command to this folder, which is created if necessary
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
}

pub(crate) fn run(options: &Options, definition: Command, output: &Output) -> anyhow::Result<Exit> {
    // A page must not depend on the CPU that printed it, as `--version` does.
    let mut command = definition
        .disable_help_subcommand(true)
        .long_version(version::short());
    command.build();
    match &options.folder {
        Some(folder) => write_pages(command, folder, output)?,
        None => output.data(&page(command)?)?,
    }
    Ok(Exit::Good)
}

fn page(command: Command) -> anyhow::Result<String> {
    let mut page = Vec::new();
    Man::new(command).render(&mut page)?;
    Ok(String::from_utf8(page)?)
}

fn write_pages(command: Command, folder: &Path, output: &Output) -> anyhow::Result<()> {
    std::fs::create_dir_all(folder)
        .with_context(|| format!("cannot make the folder {}", folder.display()))?;
    let pages = with_subcommands(command);
    output.note(format_args!(
        "writing {} pages into {}",
        pages.len(),
        folder.display()
    ));
    for page in pages {
        let man = Man::new(page);
        let written = man.generate_to(folder);
        let file = written.with_context(|| {
            format!("cannot write {}", folder.join(man.get_filename()).display())
        })?;
        output.detail(file.display());
    }
    Ok(())
}

fn with_subcommands(command: Command) -> Vec<Command> {
    let subcommands: Vec<_> = command.get_subcommands().cloned().collect();
    let mut pages = vec![command];
    pages.extend(subcommands.into_iter().flat_map(with_subcommands));
    pages
}
