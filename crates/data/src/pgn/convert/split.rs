//! Splits games into several files by date.

use std::{
    collections::BTreeMap,
    io,
    path::{Path, PathBuf},
};

use super::{date::Date, output::OutputFile};

/// The most files that compress at the same time, as each needs megabytes.
const MOST_ACTIVE: usize = 16;

/// How games are split into files. Games whose date does not decide where they
/// belong go to a separate file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Split {
    /// All games go to one file.
    #[default]
    No,
    /// Games before a date are for training, all others for validation.
    At(Date),
    /// One file for each year.
    Years,
    /// One file for each month.
    Months,
}

impl Split {
    /// What is added to the file's name for a game with this date.
    fn part(self, date: Option<Date>) -> Option<String> {
        const UNDATED: &str = "undated";
        let part = match (self, date) {
            (Split::No, _) => return None,
            (Split::At(first), Some(date)) if date.is_before(first) => "train".to_owned(),
            (Split::At(first), Some(date)) if date.is_not_before(first) => "valid".to_owned(),
            (Split::Years, Some(date)) => format!("{:04}", date.year()),
            (Split::Months, Some(date)) => match date.month() {
                Some(month) => format!("{:04}.{month:02}", date.year()),
                None => UNDATED.to_owned(),
            },
            _ => UNDATED.to_owned(),
        };
        Some(part)
    }
}

/// A file that was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenFile {
    /// Its path.
    pub path: PathBuf,
    /// The games in it.
    pub games: u64,
}

/// The files of one conversion.
pub(super) struct Parts {
    path: PathBuf,
    split: Split,
    files: BTreeMap<Option<String>, Part>,
    /// Counts the games, to find the file that was written to least recently.
    clock: u64,
}

struct Part {
    file: OutputFile,
    games: u64,
    last_used: u64,
}

impl Parts {
    /// Files with names derived from `path`; if there is only one, it is begun at once.
    pub(super) fn create(path: &Path, split: Split) -> io::Result<Self> {
        let mut parts = Self {
            path: path.to_owned(),
            split,
            files: BTreeMap::new(),
            clock: 0,
        };
        if split == Split::No {
            parts.file(None)?;
        }
        Ok(parts)
    }

    /// Writes a game to the file of its date.
    pub(super) fn write(&mut self, date: Option<Date>, text: &str) -> io::Result<()> {
        self.clock += 1;
        let clock = self.clock;
        let part = self.file(self.split.part(date))?;
        part.games += 1;
        part.last_used = clock;
        let was_active = part.file.is_active();
        part.file.write(text.as_bytes())?;
        if was_active { Ok(()) } else { self.rest_idle() }
    }

    /// Completes all files and gives them their names.
    pub(super) fn finish(self) -> io::Result<Vec<WrittenFile>> {
        let finish = |part: Part| {
            let games = part.games;
            part.file.finish().map(|path| WrittenFile { path, games })
        };
        self.files.into_values().map(finish).collect()
    }

    fn file(&mut self, name: Option<String>) -> io::Result<&mut Part> {
        use std::collections::btree_map::Entry;
        Ok(match self.files.entry(name) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => {
                let path = part_path(&self.path, entry.key().as_deref());
                entry.insert(Part {
                    file: OutputFile::create(path)?,
                    games: 0,
                    last_used: 0,
                })
            }
        })
    }

    /// Suspends the least recently used file if too many are active.
    fn rest_idle(&mut self) -> io::Result<()> {
        let active = || self.files.values().filter(|part| part.file.is_active());
        if active().count() <= MOST_ACTIVE {
            return Ok(());
        }
        let idle = self.files.values_mut().filter(|part| part.file.is_active());
        match idle.min_by_key(|part| part.last_used) {
            Some(part) => part.file.rest(),
            None => Ok(()),
        }
    }
}

/// `games.pgn.zst` and `train` make `games-train.pgn.zst`.
fn part_path(path: &Path, part: Option<&str>) -> PathBuf {
    let Some(part) = part else {
        return path.to_owned();
    };
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let stem_length = [".gz", ".zst"]
        .iter()
        .find_map(|extension| name.strip_suffix(extension))
        .map_or(name.len(), str::len);
    let stem = &name[..stem_length];
    let dot = stem
        .rfind('.')
        .filter(|&dot| dot > 0)
        .unwrap_or(stem_length);
    path.with_file_name(format!("{}-{part}{}", &name[..dot], &name[dot..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_have_names() {
        let named = |path, part| part_path(Path::new(path), Some(part)).display().to_string();
        assert_eq!(named("a/games.pgn.zst", "train"), "a/games-train.pgn.zst");
        assert_eq!(named("games.pgn", "2019"), "games-2019.pgn");
        assert_eq!(named("games", "2019.01"), "games-2019.01");
        assert_eq!(named("v1.2/x.gz", "valid"), "v1.2/x-valid.gz");
    }

    #[test]
    fn games_go_where_their_date_says() {
        let part = |split: Split, date: &str| split.part(date.parse().ok()).unwrap_or_default();
        let at = Split::At("2020.06.01".parse().unwrap());
        assert_eq!(part(at, "2020.05.31"), "train");
        assert_eq!(part(at, "2020.06.01"), "valid");
        assert_eq!(part(at, "2020.??.??"), "undated");
        assert_eq!(part(at, "????.??.??"), "undated");
        assert_eq!(part(Split::Years, "2020.??.??"), "2020");
        assert_eq!(part(Split::Months, "2020.06.01"), "2020.06");
        assert_eq!(part(Split::Months, "2020.??.??"), "undated");
        assert_eq!(Split::No.part(None), None);
    }
}
