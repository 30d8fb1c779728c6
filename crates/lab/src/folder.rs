//! The files of a run: their paths, and whether they have changed.

use crate::error::LabError;
use crate::state::Place;
use data::file::FolderLock;
use nets::Model;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::fs::TryLockError;
use std::fs::{self, File, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use train::{Learned, Learner};

/// A file that a step made.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct FileRecord {
    /// Its path, relative to the folder of the run.
    pub path: String,
    /// Its BLAKE3 hash, in hexadecimal digits.
    pub blake3: String,
    /// Its size in bytes.
    pub bytes: u64,
}

/// A model that a step made.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ModelRecord {
    /// Its file.
    pub file: FileRecord,
    /// Its name, which is derived from its SHA-256.
    pub name: String,
}

/// The folder of a run.
#[derive(Clone, Debug)]
pub(crate) struct Folder {
    root: PathBuf,
}

impl Folder {
    /// Opens an existing folder. Its path is made absolute, because checkpoints store paths.
    pub(crate) fn open(path: &Path) -> Result<Folder, LabError> {
        let root = fs::canonicalize(path).map_err(|cause| LabError::file(path, cause))?;
        Ok(Folder { root })
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    /// The folder of an arm and a seed, for the files of its learner.
    pub(crate) fn lane(&self, arm: &str, seed: u64, learner: &dyn Learner) -> Lane {
        Lane {
            root: self.root.join(arm).join(format!("seed-{seed}")),
            extension: learner.extension(),
            of_data: match learner.learns_from() {
                Learned::Positions | Learned::OwnGames => "binpack",
                Learned::Searches => "policy",
            },
        }
    }

    /// The folder for the games of a final match that follow the first `earlier` pairs.
    pub(crate) fn final_match(&self, place: &Place, earlier: u64) -> PathBuf {
        let Place {
            arm,
            seed,
            generation,
            other,
            ..
        } = place;
        let other = other.as_deref().unwrap_or("generation-0");
        let name = format!("seed-{seed}-generation-{generation}-{arm}-against-{other}");
        let finals = self.root.join("finals");
        match earlier {
            0 => finals.join(name),
            pairs => finals.join(format!("{name}-from-pair-{}", pairs + 1)),
        }
    }

    /// Removes partial files left by a kill.
    pub(crate) fn sweep(&self) -> Result<(), LabError> {
        let parts = files_below(&self.root).into_iter();
        parts
            .filter(|path| data::file::is_part(path))
            .try_for_each(|path| remove(&path))
    }

    /// The record of a file that was written.
    pub(crate) fn record(&self, path: &Path) -> Result<FileRecord, LabError> {
        let (blake3, bytes) = hash(path).map_err(|cause| LabError::file(path, cause))?;
        let below = path.strip_prefix(&self.root).unwrap_or(path);
        Ok(FileRecord {
            path: below.display().to_string(),
            blake3,
            bytes,
        })
    }

    /// The path of a recorded file, if the file has not changed.
    pub(crate) fn find(&self, record: &FileRecord) -> Result<PathBuf, LabError> {
        let path = self.root.join(&record.path);
        match hash(&path) {
            Ok((blake3, _)) if blake3 == record.blake3 => Ok(path),
            Ok(_) => Err(LabError::Damaged(path)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Err(LabError::Missing(path)),
            Err(cause) => Err(LabError::file(path, cause)),
        }
    }

    /// Opens a recorded model, if its file has not changed.
    pub(crate) fn open_model(&self, record: &ModelRecord) -> Result<Model, LabError> {
        let path = self.find(&record.file)?;
        Model::open(&path).map_err(|cause| LabError::Net { path, cause })
    }

    /// Writes a model and returns its record.
    pub(crate) fn write_model(&self, path: &Path, bytes: &[u8]) -> Result<ModelRecord, LabError> {
        let model = Model::from_bytes(bytes).map_err(|cause| LabError::Net {
            path: path.to_owned(),
            cause,
        })?;
        make_parent(path)?;
        data::file::write(path, bytes).map_err(|cause| LabError::file(path, cause))?;
        Ok(ModelRecord {
            file: self.record(path)?,
            name: model.name(),
        })
    }

    /// The same model under another name, with the extension of its file; a hard link where
    /// possible, so that it takes no more space.
    pub(crate) fn same_model(
        &self,
        model: &ModelRecord,
        name: &Path,
    ) -> Result<ModelRecord, LabError> {
        let source = self.find(&model.file)?;
        let path = &name.with_extension(source.extension().unwrap_or_default());
        let wrong = |cause| LabError::file(path, cause);
        let part = path.with_extension("part");
        let _ = fs::remove_file(&part);
        let linked = fs::hard_link(&source, &part);
        linked
            .or_else(|_| fs::copy(&source, &part).map(drop))
            .map_err(wrong)?;
        // Renaming one hard link over another to the same file does nothing.
        let _ = fs::remove_file(path);
        fs::rename(&part, path).map_err(wrong)?;
        data::file::sync_folder_of(path).map_err(wrong)?;
        Ok(ModelRecord {
            file: self.record(path)?,
            name: model.name.clone(),
        })
    }
}

/// The files of one arm with one seed.
#[derive(Clone, Debug)]
pub(crate) struct Lane {
    root: PathBuf,
    /// The extension of its models.
    extension: &'static str,
    /// The extension of its training data.
    of_data: &'static str,
}

impl Lane {
    pub(crate) fn shard(&self, generation: u32) -> PathBuf {
        let ending = self.of_data;
        self.root
            .join(format!("shards/generation-{generation}.{ending}"))
    }

    pub(crate) fn candidate(&self, generation: u32) -> PathBuf {
        let ending = self.extension;
        self.root
            .join(format!("nets/candidate-{generation}.{ending}"))
    }

    pub(crate) fn version(&self, generation: u32) -> PathBuf {
        let ending = self.extension;
        self.root
            .join(format!("nets/version-{generation}.{ending}"))
    }

    /// The folder of a generation's training.
    pub(crate) fn training(&self, generation: u32) -> PathBuf {
        self.root.join(format!("trainings/generation-{generation}"))
    }

    /// The model of a training's epoch.
    pub(crate) fn epoch(&self, generation: u32, epoch: u64) -> PathBuf {
        let name = format!("epoch-{epoch:03}.{}", self.extension);
        self.training(generation).join(name)
    }

    pub(crate) fn checkpoint(&self, generation: u32) -> PathBuf {
        self.training(generation).join("checkpoint")
    }

    /// The files with the training data and the validation data.
    pub(crate) fn lesson(&self, generation: u32) -> [PathBuf; 2] {
        let folder = self.training(generation);
        ["training", "validation"].map(|name| folder.join(format!("{name}.{}", self.of_data)))
    }

    /// The folder of a candidate's match with an opponent of this name.
    pub(crate) fn match_folder(&self, generation: u32, opponent: &str) -> PathBuf {
        self.root.join(format!(
            "matches/generation-{generation}-against-{opponent}"
        ))
    }

    /// The folder of a generation's evaluation games.
    pub(crate) fn evaluation(&self, generation: u32) -> PathBuf {
        self.root
            .join(format!("evaluations/generation-{generation}"))
    }

    /// The exported games of a generation's exploration, with this extension.
    pub(crate) fn explored(&self, generation: u32, ending: &str) -> PathBuf {
        self.root
            .join(format!("games/generation-{generation}.{ending}"))
    }

    /// The table of all matches that candidates have played.
    pub(crate) fn arena(&self) -> PathBuf {
        self.root.join("arena.csv")
    }

    pub(crate) fn log(&self) -> PathBuf {
        self.root.join("training_log.csv")
    }
}

/// Creates the folder of a file.
pub(crate) fn make_parent(path: &Path) -> Result<(), LabError> {
    match path.parent() {
        Some(parent) => fs::create_dir_all(parent).map_err(|cause| LabError::file(parent, cause)),
        None => Ok(()),
    }
}

/// Removes a file or folder if it exists.
pub(crate) fn remove(path: &Path) -> Result<(), LabError> {
    let removed = match path.is_dir() {
        true => fs::remove_dir_all(path),
        false => fs::remove_file(path),
    };
    match removed {
        Err(cause) if cause.kind() != io::ErrorKind::NotFound => Err(LabError::file(path, cause)),
        _ => Ok(()),
    }
}

/// Begins work in a folder that has none, by writing its settings file. If several processes try at
/// once, one succeeds.
pub(crate) fn begin(folder: &Path, name: &str, text: &str) -> Result<(), LabError> {
    let wrong = |cause| LabError::file(folder, cause);
    std::fs::create_dir_all(folder).map_err(wrong)?;
    let lock = FolderLock::take(folder).map_err(|error| match error {
        TryLockError::WouldBlock => LabError::Exists(folder.to_owned()),
        TryLockError::Error(cause) => wrong(cause),
    })?;
    let file = folder.join(name);
    let written = match file.exists() {
        true => Err(LabError::Exists(folder.to_owned())),
        false => {
            data::file::write(&file, text.as_bytes()).map_err(|cause| LabError::file(&file, cause))
        }
    };
    // From now on other processes see the file, with or without a lock.
    drop(lock);
    let _ = std::fs::remove_file(folder.join(FolderLock::NAME));
    written
}

/// The size of all files below a folder; several links to one file count once.
pub(crate) fn size(path: &Path) -> u64 {
    let mut seen = HashSet::new();
    files_below(path)
        .iter()
        .filter_map(|path| std::fs::metadata(path).ok())
        .filter(|metadata| number(metadata).is_none_or(|number| seen.insert(number)))
        .map(|metadata| metadata.len())
        .sum()
}

/// The number that all links to a file share, if the system has one.
#[cfg(unix)]
fn number(metadata: &Metadata) -> Option<u64> {
    Some(std::os::unix::fs::MetadataExt::ino(metadata))
}

/// The number that all links to a file share, if the system has one.
#[cfg(not(unix))]
fn number(_metadata: &Metadata) -> Option<u64> {
    None
}

/// The size of a file; 0 if it does not exist.
pub(crate) fn file_size(path: &Path) -> u64 {
    std::fs::metadata(path).map_or(0, |metadata| metadata.len())
}

/// All files below a folder that can be listed.
pub(crate) fn files_below(path: &Path) -> Vec<PathBuf> {
    let mut folders = vec![path.to_owned()];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => folders.push(entry.path()),
                _ => files.push(entry.path()),
            }
        }
    }
    files
}

fn hash(path: &Path) -> io::Result<(String, u64)> {
    let mut hasher = blake3::Hasher::new();
    let bytes = io::copy(&mut File::open(path)?, &mut hasher)?;
    Ok((hasher.finalize().to_hex().to_string(), bytes))
}
