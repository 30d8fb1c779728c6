//! `tabia settings`: the reference of settings files, as a page or as a schema.

mod page;
mod values;

use crate::contest;
use crate::exit::Exit;
use crate::output::Output;
use clap::{Args, ValueEnum};
use lab::{ladder, selection, study};
use serde_json::Value;

const EXAMPLES: &str = "\
Examples:
  tabia settings run | less          all keys of a run file
  tabia settings train --schema      its JSON Schema, for an editor

An editor with a TOML language server (taplo, Even Better TOML) completes keys
and marks errors once the first line of a file names the schema:

  tabia settings run --schema > run.schema.json
  #:schema ./run.schema.json         the first line of your run file";

/// Print all keys of a settings file with their meaning, default and range
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Options {
    /// The command that reads the settings file
    #[arg(value_enum)]
    command: Reader,
    /// Print a JSON Schema instead of Markdown
    #[arg(long)]
    schema: bool,
}

/// The commands that read settings files.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
enum Reader {
    /// tabia run: an experiment
    Run,
    /// tabia train: a training
    Train,
    /// tabia match, sprt and tournament
    Match,
    /// tabia select: which of many nets is the best
    Select,
    /// tabia study: claims that matches decide
    Study,
    /// tabia ladder: ratings by opponents of known strength
    Ladder,
    /// tabia tune: constants of the search
    Tune,
}

impl Reader {
    fn title(self) -> &'static str {
        match self {
            Reader::Run => "Settings file of `tabia run`",
            Reader::Train => "Settings file of `tabia train`",
            Reader::Match => "Settings file of `tabia match`, `sprt` and `tournament`",
            Reader::Select => "Settings file of `tabia select`",
            Reader::Study => "Settings file of `tabia study`",
            Reader::Ladder => "Settings file of `tabia ladder`",
            Reader::Tune => "Settings file of `tabia tune`",
        }
    }

    /// The schema of the file; that of tunings is passed in by the command that reads them.
    fn schema(self, of_tunings: fn() -> Value) -> Value {
        match self {
            Reader::Run => lab::settings::schema(&train::learners()),
            Reader::Train => train::schema(),
            Reader::Match => contest::schema(),
            Reader::Select => selection::schema(),
            Reader::Study => study::schema(),
            Reader::Ladder => ladder::schema(),
            Reader::Tune => of_tunings(),
        }
    }
}

pub(crate) fn run(
    options: &Options,
    of_tunings: fn() -> Value,
    output: &Output,
) -> anyhow::Result<Exit> {
    let schema = options.command.schema(of_tunings);
    let text = match options.schema {
        true => serde_json::to_string_pretty(&schema)? + "\n",
        false => page::page(options.command.title(), &schema),
    };
    output.data(&text)?;
    Ok(Exit::Good)
}

#[cfg(test)]
mod tests;
