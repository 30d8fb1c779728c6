//! Programs that break every promise of UCI, for the tests of those who must
//! survive it.
//!
//! This crate is for tests only; nothing that users run may depend on it.

use std::path::{Path, PathBuf};
use std::process::Command;

/// The program `badengine`, beside the programs of the test that asks. `cargo
/// test --workspace` builds it; a test of one crate alone may have to.
///
/// # Panics
/// If it is not there and cannot be built.
pub fn badengine() -> PathBuf {
    let test = std::env::current_exe().expect("the path of the test");
    // Tests lie in `deps`, programs in the folder above.
    let deps = test.parent().expect("a folder");
    let folder = if deps.ends_with("deps") {
        deps.parent().expect("a folder above")
    } else {
        deps
    };
    let program = folder.join("badengine");
    if !program.is_file() {
        build(folder);
    }
    assert!(program.is_file(), "{} is missing", program.display());
    program
}

fn build(folder: &Path) {
    let profile = match folder.file_name().and_then(|name| name.to_str()) {
        None | Some("debug") => "dev",
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
