//! Options for the output of commands.

use clap::builder::{BoolValueParser, TypedValueParser};
use clap::{ArgAction, Args, ColorChoice};
use std::path::PathBuf;

/// Options for the output, which every command has.
#[derive(Args)]
#[command(next_help_heading = "Output options")]
pub(crate) struct OutputOptions {
    /// Print data as JSON, one object
    #[arg(long, global = true, action = ArgAction::SetTrue)]
    #[arg(value_parser = BoolValueParser::new().map(Json::of_flag))]
    pub(crate) json: Json,
    /// Print only errors
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    pub(crate) quiet: bool,
    /// Print more details
    #[arg(short, long, global = true, action = ArgAction::Count)]
    pub(crate) verbose: u8,
    /// When to use colors; `auto` respects the environment variable NO_COLOR
    #[arg(long, global = true, value_name = "WHEN", default_value_t = ColorChoice::Auto)]
    pub(crate) color: ColorChoice,
    /// Hide progress
    #[arg(long, global = true)]
    pub(crate) no_progress: bool,
}

/// Where data goes as JSON. A command may redefine the option to take a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Json {
    No,
    Printed,
    File(PathBuf),
}

impl Json {
    fn of_flag(is_given: bool) -> Json {
        if is_given { Json::Printed } else { Json::No }
    }

    /// Parses the name of a file; `-` is standard output.
    pub(crate) fn of_file(name: &str) -> Result<Json, std::convert::Infallible> {
        Ok(match name {
            "-" => Json::Printed,
            _ => Json::File(name.into()),
        })
    }
}
