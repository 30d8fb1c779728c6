//! Programs that break every promise of UCI, for the tests of those who must
//! survive it.
//!
//! This crate is for tests only; nothing that users run may depend on it.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

/// The folder of the sources of `badengine`.
const SOURCES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/badengine");

/// The program `badengine`, beside the programs of the test that asks. `cargo
/// test --workspace` builds it; for a test of one crate alone it may have to be
/// built here.
///
/// # Panics
/// If it cannot be built.
pub fn badengine() -> PathBuf {
    let test = std::env::current_exe().expect("the path of the test");
    // Tests lie in `deps`, programs in the folder above.
    let folder = test
        .ancestors()
        .skip(1)
        .find(|folder| !folder.ends_with("deps"))
        .expect("a folder");
    let program = folder.join("badengine");
    if changed(&program) < newest(Path::new(SOURCES)) {
        build(folder);
    }
    assert!(program.is_file(), "{} is missing", program.display());
    program
}

/// When a file was changed; none if it is not there.
fn changed(file: &Path) -> Option<SystemTime> {
    fs::metadata(file).and_then(|data| data.modified()).ok()
}

/// When the newest file of a folder was changed.
fn newest(folder: &Path) -> Option<SystemTime> {
    let files = fs::read_dir(folder).expect("the sources");
    files
        .flatten()
        .filter_map(|file| changed(&file.path()))
        .max()
}

fn build(folder: &Path) {
    let profile = match folder.file_name().and_then(|name| name.to_str()) {
        // As the tests are.
        None | Some("debug") => "test",
        Some(name) => name,
    };
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command
        .args(["build", "--quiet", "--offline", "--bin", "badengine"])
        .args(["--package", "tabia-test-engines", "--profile", profile])
        .current_dir(env!("CARGO_MANIFEST_DIR"));
    if let Some(target) = folder.parent() {
        command.arg("--target-dir").arg(target);
    }
    let status = command.status().expect("cargo runs");
    assert!(status.success(), "cannot build badengine: {status}");
}
