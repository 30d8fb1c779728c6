//! The finished units of a relabelling: one chunk per unit in a file next to the new one, with the
//! plan of the work.

use super::Request;
use crate::exit::WrongInput;
use crate::relabelling::Task;
use anyhow::Context;
use data::binpack::{self, Appender, BinpackError, ChainProblem, ChunkWriter, Positions};
use data::journal::{Author, Build};
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

/// Everything that determines the new labels.
#[derive(Serialize, Deserialize, PartialEq, Eq)]
pub(super) struct Plan {
    /// The builds that have searched, in order of their first unit.
    builds: Vec<Build>,
    /// The files with the hashes of their contents.
    files: Vec<(String, String)>,
    nodes: Option<u64>,
    depth: Option<u32>,
    task: Task,
    /// The player's settings as one line.
    player: String,
}

impl Plan {
    pub(super) fn new(files: &[PathBuf], request: &Request) -> anyhow::Result<Self> {
        let hashed = |path: &PathBuf| -> Result<(String, String), WrongInput> {
            if path.exists() && !path.is_file() {
                let problem = "is not a regular file; its content is read twice, so give a \
                    regular file";
                return Err(WrongInput::new(format!("{} {problem}", path.display())));
            }
            let hash = data::file::hash(path).map_err(|error| {
                WrongInput::new(format!("cannot open {}: {error}", path.display()))
            })?;
            Ok((path.display().to_string(), hash))
        };
        Ok(Self {
            builds: Vec::new(),
            files: files.iter().map(hashed).collect::<Result<_, _>>()?,
            nodes: request.nodes,
            depth: request.depth,
            task: request.task,
            player: request.player.to_string(),
        })
    }
}

impl Plan {
    /// Adopts the builds of the plan with which the work was begun; refuses it if it is another
    /// plan, or if it is of another build that is not accepted.
    fn continues(
        &mut self,
        bytes: &[u8],
        author: &Author,
        part: &Path,
        plan_path: &Path,
    ) -> Result<(), WrongInput> {
        let (part, plan_path) = (part.display(), plan_path.display());
        if let Ok(begun) = serde_json::from_slice::<Plan>(bytes) {
            self.builds = begun.builds.clone();
            if begun != *self {
                self.builds.clear();
            }
        }
        if self.builds.is_empty() {
            return Err(WrongInput::new(format!(
                "{part} was started with other files or settings; use those again, or remove it \
                 together with {plan_path}"
            )));
        }
        if author.accepts_others || self.builds.contains(&author.build) {
            return Ok(());
        }
        let theirs: Vec<String> = self.builds.iter().map(Build::to_string).collect();
        Err(WrongInput::new(format!(
            "{part} was started by another build ({}; this one has {}), and scores of both would \
             be mixed: continue with that build, remove the file together with {plan_path}, or \
             accept the mix with --accept-build",
            theirs.join("; "),
            author.build
        )))
    }
}

/// The file of finished units.
pub(super) struct Unfinished {
    part: PathBuf,
    plan: PathBuf,
    appender: Appender,
    builds: Vec<Build>,
    positions: u64,
}

impl Unfinished {
    /// Creates the file, or continues an existing one.
    pub(super) fn open(output: &Path, mut plan: Plan, author: &Author) -> anyhow::Result<Self> {
        let part = with_end(output, ".part");
        let plan_path = with_end(output, ".part.json");
        // Locked from here on, since two processes would write one file.
        let appender = Appender::open(&part).map_err(|error| match error {
            BinpackError::InUse(_) => WrongInput::new(error.to_string()).into(),
            error => anyhow::Error::from(error),
        })?;
        let is_new = appender.chunks().is_empty();
        match fs::read(&plan_path) {
            Ok(bytes) => plan.continues(&bytes, author, &part, &plan_path)?,
            Err(error) if error.kind() == io::ErrorKind::NotFound && is_new => {}
            Err(error) => {
                return Err(WrongInput::new(format!(
                    "{} exists, but its plan {} cannot be read ({error}); remove it",
                    part.display(),
                    plan_path.display()
                ))
                .into());
            }
        }
        if !plan.builds.contains(&author.build) {
            plan.builds.push(author.build.clone());
            let text = serde_json::to_vec_pretty(&plan)?;
            data::file::write(&plan_path, &text)
                .with_context(|| format!("cannot write {}", plan_path.display()))?;
        }
        let mut unfinished = Self {
            part,
            plan: plan_path,
            appender,
            builds: plan.builds,
            positions: 0,
        };
        unfinished.positions = unfinished.count_all()?;
        Ok(unfinished)
    }

    /// The builds that have searched, in order of their first unit.
    pub(super) fn builds(&self) -> &[Build] {
        &self.builds
    }

    /// The number of finished units.
    pub(super) fn units(&self) -> u64 {
        self.appender.chunks().len() as u64
    }

    /// The number of finished positions.
    pub(super) fn positions(&self) -> u64 {
        self.positions
    }

    /// Appends the chains of a unit; returns the number of its positions.
    pub(super) fn append(&mut self, chains: &[u8]) -> anyhow::Result<u64> {
        let positions = count(chains)?;
        self.appender.append(chains)?;
        self.positions += positions;
        Ok(positions)
    }

    /// Removes all units but the first ones; returns the number of positions removed.
    pub(super) fn cut(&mut self, units: u64) -> anyhow::Result<u64> {
        let before = self.positions;
        self.appender.truncate(units as usize)?;
        self.positions = self.count_all()?;
        Ok(before - self.positions)
    }

    /// Makes the new file from all units; returns the number of positions.
    pub(super) fn finish(self, output: &Path) -> io::Result<u64> {
        let part = File::open(&self.part)?;
        data::file::write_with(output, |file| -> io::Result<()> {
            let mut writer = ChunkWriter::new(file);
            let mut payload = Vec::new();
            for &place in self.appender.chunks() {
                binpack::read_chunk(&part, place, &mut payload)?;
                writer.add_bytes(&payload)?;
            }
            writer.finish().map(drop)
        })?;
        fs::remove_file(&self.part)?;
        fs::remove_file(&self.plan)?;
        Ok(self.positions)
    }

    fn count_all(&self) -> anyhow::Result<u64> {
        let part = File::open(&self.part)?;
        let mut payload = Vec::new();
        let mut all = 0;
        for &place in self.appender.chunks() {
            binpack::read_chunk(&part, place, &mut payload)?;
            all += count(&payload)?;
        }
        Ok(all)
    }
}

/// The number of positions in chains.
fn count(chains: &[u8]) -> Result<u64, ChainProblem> {
    let mut positions = Positions::new(chains);
    let mut count = 0;
    while positions.advance()? {
        count += 1;
    }
    Ok(count)
}

fn with_end(path: &Path, end: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(end);
    name.into()
}
