//! `tabia runs release`: packs a net of a run for others to play with.

use crate::exit::{Exit, WrongInput};
use crate::laboratory::{RUNS, explained};
use crate::output::Output;
use anyhow::Context;
use clap::Args;
use lab::Row;
use lab::runs::{self, Overview};
use nets::Model;
use serde::Serialize;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

/// The files of the run that are included.
const STORY: [&str; 3] = ["run.toml", "manifest.json", "report.md"];

const EXAMPLES: &str = "\
Examples:
  tabia runs release alphazero-zero --out my-net";

/// Pack a net of a run together with this program, ready to play
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Options {
    /// Name or folder of the run
    #[arg(value_name = "NAME")]
    run: PathBuf,
    /// The folder to create
    #[arg(short, long, value_name = "DIR")]
    out: PathBuf,
    /// Arm of the net [default: any]
    #[arg(long)]
    arm: Option<String>,
    /// Seed of the net [default: any]
    #[arg(long)]
    seed: Option<u64>,
    /// Generation of the net [default: the last one]
    #[arg(long, value_name = "N")]
    generation: Option<u32>,
}

pub(super) fn run(options: &Options, output: &Output) -> anyhow::Result<Exit> {
    let folder = RUNS.existing(&options.run)?;
    let run = runs::look(&folder, &train::learners()).map_err(explained)?;
    let row = chosen(options, &run)?;
    let out = &options.out;
    if out.exists() {
        let words = format!("{} already exists: give another folder", out.display());
        return Err(WrongInput::new(words).into());
    }
    let report = pack(&run, row, out)?;
    output.report(&report)?;
    Ok(Exit::Good)
}

fn chosen<'a>(options: &Options, run: &'a Overview) -> anyhow::Result<&'a Row> {
    let is_wanted = |row: &&Row| {
        options.arm.as_ref().is_none_or(|arm| *arm == row.arm)
            && options.seed.is_none_or(|seed| seed == row.seed)
            && options
                .generation
                .is_none_or(|generation| generation == row.generation)
    };
    let rows = run.rows.iter().filter(is_wanted);
    let row = rows.max_by_key(|row| row.generation);
    row.ok_or_else(|| {
        let words = "no finished generation matches this arm, seed and generation; see tabia runs \
            show";
        WrongInput::new(words).into()
    })
}

/// Packs everything under a temporary name first.
fn pack(run: &Overview, row: &Row, out: &Path) -> anyhow::Result<Report> {
    let part = out.with_added_extension("part");
    let _ = fs::remove_dir_all(&part);
    fs::create_dir_all(&part).with_context(|| cannot_write(&part))?;
    let source = run.folder.join(&row.version);
    let model = Model::open(&source).with_context(|| source.display().to_string())?;
    let net = format!("net.{}", model.extension());
    let program = std::env::current_exe().context("cannot find this program's file")?;
    let program_name = format!("tabia{}", std::env::consts::EXE_SUFFIX);
    let copy = |from: &Path, name: &str| {
        let target = part.join(name);
        fs::copy(from, &target)
            .map(drop)
            .with_context(|| cannot_write(&target))
    };
    copy(&program, &program_name)?;
    copy(&source, &net)?;
    for name in STORY {
        let path = run.folder.join(name);
        if path.is_file() {
            copy(&path, name)?;
        }
    }
    let text = readme(run, row, &model, &net, &program_name);
    let path = part.join("README.md");
    data::file::write(&path, text.as_bytes()).with_context(|| cannot_write(&path))?;
    fs::rename(&part, out).with_context(|| cannot_write(out))?;
    Ok(Report {
        folder: out.to_owned(),
        net: out.join(net),
        model: model.name(),
    })
}

fn readme(run: &Overview, row: &Row, model: &Model, net: &str, program: &str) -> String {
    let title = run.experiment.title.as_ref().unwrap_or(&run.name);
    let Row {
        arm,
        seed,
        generation,
        ..
    } = row;
    format!(
        "# {title}\n\n\
         The net of generation {generation} of the arm {arm} with seed {seed}: {name}, \
         {description}.\n\n\
         - To play against it here: `./{program} play --player \"model={net}\"`\n\
         - As a UCI engine for any board: the command `./{program} uci --model {net}`\n\
         - Its evaluation of a position: `./{program} eval --model {net} FEN`\n\n\
         `run.toml` repeats the run, `report.md` has the results, `manifest.json` has \
         the seeds, the program's commit and the hash of every net.\n",
        name = model.name(),
        description = model.description(),
    )
}

fn cannot_write(path: &Path) -> String {
    format!("cannot write {}", path.display())
}

#[derive(Serialize)]
struct Report {
    folder: PathBuf,
    net: PathBuf,
    model: String,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{}: {} with this program",
            self.folder.display(),
            self.model
        )
    }
}
