//! Which files the settings of a visitor may name: those in the folder that is served. It
//! must not know what files are named for.

use crate::answer::Problem;
use lab::settings::NamedFiles;
use std::path::{Component, Path, PathBuf};

/// The folder that visitors' settings do not leave.
pub(crate) struct Bounds {
    /// Where relative names begin, as for the program that is started.
    base: PathBuf,
    root: PathBuf,
}

impl Bounds {
    /// The bounds of a folder that is served by this process.
    pub(crate) fn of(root: &Path) -> Bounds {
        Bounds {
            base: std::env::current_dir().unwrap_or_default(),
            root: root.to_owned(),
        }
    }

    /// Refuses programs, and files that lie elsewhere or are not there.
    pub(crate) fn check(&self, named: &NamedFiles) -> Result<(), Problem> {
        if let Some(key) = named.programs.first() {
            return Err(Problem::wrong(format!(
                "{key}: a run that starts other programs is started in a terminal"
            )));
        }
        match named.files.iter().find(|(_, file)| !self.holds(file)) {
            // Of what lies elsewhere not even its existence is told.
            Some((key, _)) => Err(Problem::wrong(format!(
                "{key}: only files in the folder of this page can be named, relative to where \
                 its server was started, and none that is hidden"
            ))),
            None => Ok(()),
        }
    }

    /// Whether a name is that of something in the folder, also when all links are followed.
    fn holds(&self, file: &str) -> bool {
        let path = Path::new(file);
        let stays = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
        let is_hidden = |part: Component<'_>| part.as_os_str().as_encoded_bytes().starts_with(b".");
        let full = self.base.join(path).canonicalize();
        let (Ok(full), Ok(root)) = (full, self.root.canonicalize()) else {
            return false;
        };
        let below = full.strip_prefix(&root);
        path.components().all(stays) && below.is_ok_and(|below| !below.components().any(is_hidden))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_lies_in_the_folder_can_be_named() {
        let base = tempfile::tempdir().expect("a folder");
        let root = base.path().join("served");
        std::fs::create_dir_all(root.join("books/.hidden")).expect("a folder");
        for name in ["served/books/a.epd", "served/.secret", "outside"] {
            std::fs::write(base.path().join(name), "x").expect("room");
        }
        let bounds = Bounds {
            base: base.path().to_owned(),
            root: root.clone(),
        };
        #[cfg(unix)]
        for (to, name) in [
            ("../outside", "away"),
            ("books/a.epd", "near"),
            (".secret", "in"),
        ] {
            std::os::unix::fs::symlink(to, root.join(name)).expect("a link");
        }
        for good in ["served/books/a.epd", "./served/books", "served/near"] {
            assert!(bounds.holds(good) || cfg!(windows), "{good}");
        }
        let absolute = root.join("books/a.epd").display().to_string();
        for bad in [
            "",
            "/etc/passwd",
            "outside",
            "served/../outside",
            "served/books/../../outside",
            "served/away",
            "served/in",
            "served/.secret",
            "served/books/.hidden",
            "served/nothing",
            "a\0b",
            &absolute,
        ] {
            assert!(!bounds.holds(bad), "{bad}");
        }
    }
}
