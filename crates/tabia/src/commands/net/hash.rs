//! `tabia net hash`: the hash of nets, and their names derived from it.

use crate::exit::Exit;
use crate::output::Output;
use crate::player;
use clap::Args;
use serde::Serialize;
use std::fmt::{self, Display};
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  tabia net hash net.nnue
  mv net.nnue $(tabia net hash --json net.nnue | jq -r '.nets[0].name')

The name follows the convention of Stockfish's nets: nn- and the first 12
digits of the file's SHA-256.";

/// Show the hash of nets and their conventional name
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Options {
    /// The net files
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
}

pub(crate) fn run(options: &Options, output: &Output) -> anyhow::Result<Exit> {
    let mut nets = Vec::new();
    for path in &options.files {
        let model = player::model(path)?;
        nets.push(Row {
            file: path.display().to_string(),
            sha256: model.hash(),
            name: model.name(),
        });
    }
    output.report(&Report { nets })?;
    Ok(Exit::Good)
}

#[derive(Serialize)]
struct Report {
    nets: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    file: String,
    sha256: String,
    name: String,
}

impl Display for Report {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for Row { file, sha256, name } in &self.nets {
            writeln!(formatter, "{sha256}  {name}  {file}")?;
        }
        Ok(())
    }
}
