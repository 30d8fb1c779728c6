//! The output files of an analysis, and whether they may be written.

use super::Options;
use crate::exit::WrongInput;
use crate::output::Json;
use analysis::{AnalysisError, Story, is_package, write_file, write_package};
use anyhow::Context;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

/// The file name of the journal in a package.
const JOURNAL: &str = ".journal";

/// The output files; there is at least one.
pub(super) struct Outputs {
    package: Option<PathBuf>,
    pgn: Option<PathBuf>,
    html: Option<PathBuf>,
    json: Option<PathBuf>,
    overwrite: bool,
}

impl Outputs {
    pub(super) fn new(options: &Options) -> anyhow::Result<Outputs> {
        let json = match &options.json {
            Some(Json::File(path)) => Some(path.clone()),
            _ => None,
        };
        let mut outputs = Outputs {
            package: options.package.clone(),
            pgn: options.out.clone(),
            html: options.html.clone(),
            json,
            overwrite: options.overwrite,
        };
        if outputs.files().is_empty() {
            outputs.pgn = Some(usual_output(&options.games)?);
        }
        let games = options.games.canonicalize().ok();
        for file in outputs.files() {
            if games.is_some() && file.canonicalize().ok() == games {
                let problem = format!(
                    "{} is the input file; give another name for the output",
                    file.display()
                );
                return Err(WrongInput::new(problem).into());
            }
        }
        outputs.check()?;
        Ok(outputs)
    }

    /// All outputs, the most important one first.
    pub(super) fn files(&self) -> Vec<&Path> {
        let all = [&self.package, &self.pgn, &self.html, &self.json];
        all.into_iter().flatten().map(PathBuf::as_path).collect()
    }

    /// The journal of unfinished work, next to the most important output.
    pub(super) fn journal(&self) -> PathBuf {
        if let Some(package) = &self.package {
            return package.join(JOURNAL);
        }
        let file = self
            .files()
            .first()
            .copied()
            .unwrap_or(Path::new("analysis"));
        let mut name = OsString::from(file);
        name.push(".journal");
        name.into()
    }

    /// Checks that everything can be written before hours are spent. The folder of a package must
    /// not contain anything else.
    fn check(&self) -> Result<(), WrongInput> {
        for file in [&self.pgn, &self.html, &self.json].into_iter().flatten() {
            let folder = file
                .parent()
                .filter(|folder| !folder.as_os_str().is_empty());
            if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
                let problem = format!(
                    "the folder {} for {} does not exist",
                    folder.display(),
                    file.display()
                );
                return Err(WrongInput::new(problem));
            }
            // An output replaces an existing file, but nothing else.
            if file.metadata().is_ok_and(|there| !there.is_file()) {
                let problem = format!(
                    "{} is not a regular file; give another name",
                    file.display()
                );
                return Err(WrongInput::new(problem));
            }
        }
        let Some(folder) = self.package.as_deref().filter(|folder| folder.exists()) else {
            return Ok(());
        };
        let is_empty = fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_none());
        if is_empty || self.journal().exists() {
            return Ok(());
        }
        let shown = folder.display();
        let is_package = is_package(folder);
        if is_package && self.overwrite {
            return Ok(());
        }
        Err(WrongInput::new(match folder.is_dir() {
            true if is_package => format!(
                "{shown} already holds an analysis; use --overwrite to replace it, or give \
                 another folder"
            ),
            true => format!("the folder {shown} is not empty; delete it, or give another folder"),
            false => format!("{shown} is not a folder; delete it, or give another name"),
        }))
    }

    /// Creates the folder of a package; files of an earlier package are removed.
    pub(super) fn make_folder(&self) -> anyhow::Result<()> {
        let Some(folder) = &self.package else {
            return Ok(());
        };
        if self.overwrite && is_package(folder) && !self.journal().exists() {
            // Without its index, the folder is no longer a package.
            for file in ["index.html", "games"] {
                remove(&folder.join(file))?;
            }
        }
        fs::create_dir_all(folder)
            .with_context(|| format!("cannot make the folder {}", folder.display()))
    }

    pub(super) fn write(&self, story: &Story<'_>) -> Result<(), AnalysisError> {
        if let Some(path) = &self.pgn {
            write_file(path, |out| story.write_annotated(out))?;
        }
        if let Some(path) = &self.html {
            write_file(path, |out| story.write_page(out))?;
        }
        if let Some(path) = &self.json {
            write_file(path, |out| story.write_json(out))?;
        }
        if let Some(folder) = &self.package {
            write_package(folder, story)?;
        }
        Ok(())
    }
}

/// Removes a file or a folder.
fn remove(path: &Path) -> anyhow::Result<()> {
    let removed = match path.is_dir() {
        true => fs::remove_dir_all(path),
        false => fs::remove_file(path),
    };
    removed.with_context(|| format!("cannot remove {}", path.display()))
}

/// `games-annotated.pgn` for `games.pgn.zst`, in the current folder.
fn usual_output(games: &Path) -> anyhow::Result<PathBuf> {
    let name = games.file_name().and_then(|name| name.to_str());
    let Some(name) = name.filter(|name| *name != "-") else {
        return Err(WrongInput::new(
            "no name for the annotated games can be derived from the \
            input; give one with -o",
        )
        .into());
    };
    let name = [".zst", ".gz", ".xz"]
        .iter()
        .find_map(|end| name.strip_suffix(end))
        .unwrap_or(name);
    let name = name.strip_suffix(".pgn").unwrap_or(name);
    Ok(format!("{name}-annotated.pgn").into())
}
