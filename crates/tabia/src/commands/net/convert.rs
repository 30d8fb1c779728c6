//! `tabia net convert`: writes a net with another format, storage or description.

mod ntuple;
mod policy;
mod resnet;

use crate::exit::{Exit, WrongInput};
use crate::output::Output;
use crate::player;
use anyhow::Context;
use clap::{Args, ValueEnum};
use nets::Model;
use nets::nnue::sfnn::{Compression, SfnnWeights};
use nets::nnue::simple::SimpleWeights;
use nets::nnue::{Net, NetFile};
use serde::Serialize;
use std::fmt::{self, Display};
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
  tabia net convert net.nnue -o small.nnue --store leb128   Stockfish 16-17.1
  tabia net convert small.nnue -o net.nnue --store raw      Stockfish 15.1
  tabia net convert net.nnue -o nets/ --description 'my first net'
  tabia net convert pairs.ntuple -o pairs.txt     all weights as text
  tabia net convert a.tabianet -o a.safetensors   a ResNet for PyTorch
  tabia net convert a.safetensors -o a.tabianet   and back
  tabia net convert a.tabianet -o a.onnx          for other runtimes

Without --store and --description the output is byte for byte identical. If
the output is a folder, the file is named by its hash.";

/// Convert a net, or change its storage format or description
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Options {
    /// A net file
    #[arg(value_name = "FILE")]
    input: PathBuf,
    /// The output file, or a folder
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
    /// Storage of arrays in Stockfish's format
    #[arg(long, value_name = "HOW")]
    store: Option<Store>,
    /// Replace the description
    #[arg(long, value_name = "TEXT")]
    description: Option<String>,
}

#[derive(Clone, Copy, ValueEnum)]
enum Store {
    /// Uncompressed, as read by Stockfish 15.1
    Raw,
    /// LEB128-compressed, as read by Stockfish 16 to 17.1
    Leb128,
}

pub(crate) fn run(options: &Options, output: &Output) -> anyhow::Result<Exit> {
    if resnet::ending(&options.input) == Some(resnet::TENSORS) {
        return resnet::run_tensors(options, output);
    }
    let file = match player::model(&options.input)? {
        Model::NTuple(file) => return ntuple::run(options, &file, output),
        Model::Policy(_) => return policy::run(options, output),
        Model::ResNet(file) => return resnet::run(options, &file, output),
        _ => player::net(&options.input)?,
    };
    let original = std::fs::read(&options.input)
        .with_context(|| format!("cannot read {}", options.input.display()))?;
    let bytes = converted(options, &file, &original)?;
    let written = NetFile::from_bytes(&bytes).context("the converted net cannot be read back")?;
    let path = target(&options.out, written.usual_name());
    check_extension(&path, &[written.extension()])?;
    warn_of_skip(&written.net, output);
    write(&path, &bytes)?;
    output.report(&Report {
        file: path.display().to_string(),
        name: written.usual_name(),
        sha256: written.hash(),
        bytes: bytes.len(),
        same: bytes == original,
    })?;
    Ok(Exit::Good)
}

/// The path to write; in a folder, the file is named by its hash.
fn target(output: &Path, usual_name: String) -> PathBuf {
    match output.is_dir() {
        true => output.join(usual_name),
        false => output.to_owned(),
    }
}

/// Refuses an extension that stands for another format than the possible ones. A name without an
/// extension is accepted.
fn check_extension(path: &Path, possible: &[&str]) -> Result<(), WrongInput> {
    let Some(extension) = path.extension() else {
        return Ok(());
    };
    if possible.iter().any(|known| *known == extension) {
        return Ok(());
    }
    Err(WrongInput::new(format!(
        "{}: this model cannot be stored as a .{} file; end the name with .{}",
        path.display(),
        extension.display(),
        possible.join(" or .")
    )))
}

fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    data::file::write(path, bytes).with_context(|| format!("cannot write {}", path.display()))
}

fn converted(options: &Options, file: &NetFile, original: &[u8]) -> anyhow::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    match file.net {
        Net::Sfnn(_) => {
            let (mut weights, compression) = SfnnWeights::read(original)?;
            if let Some(text) = &options.description {
                weights.description = text.clone().into_bytes();
            }
            let compression = match options.store {
                None => compression,
                Some(Store::Raw) => Compression::Raw,
                Some(Store::Leb128) => Compression::Leb128,
            };
            weights.write(compression, &mut bytes)?;
        }
        Net::Simple(_) => {
            refuse_store(options)?;
            let mut weights = SimpleWeights::read(original)?;
            if let Some(text) = &options.description {
                weights.description.clone_from(text);
            }
            weights.write(&mut bytes)?;
        }
    }
    Ok(bytes)
}

/// Refuses the option `store` for formats that have no such choice.
fn refuse_store(options: &Options) -> Result<(), WrongInput> {
    match options.store {
        None => Ok(()),
        Some(_) => {
            let path = options.input.display();
            Err(WrongInput::new(format!(
                "{path} has Tabia's own format, which has only one kind of storage: leave out \
                 --store"
            )))
        }
    }
}

/// Warns of nets whose value in Stockfish may differ.
pub(super) fn warn_of_skip(net: &Net, output: &Output) {
    if let Net::Sfnn(net) = net
        && let Err(bound) = net.weights().check_skip()
    {
        output.note(format_args!(
            "note: with all inputs at their maximum, {bound}: Stockfish's 32-bit product would \
             overflow there (Tabia uses 64 bits)"
        ));
    }
}

#[derive(Serialize)]
struct Report {
    file: String,
    name: String,
    sha256: String,
    bytes: usize,
    /// Whether it is byte for byte the same as the input.
    same: bool,
}

impl Display for Report {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Report {
            file, name, bytes, ..
        } = self;
        let same = if self.same { ", unchanged" } else { "" };
        writeln!(formatter, "wrote {file}: {name}, {bytes} bytes{same}")
    }
}
