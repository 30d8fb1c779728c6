//! Tells the program which commit it was built from.
//!
//! A build without git, or outside the project's own repository (an unpacked
//! archive, `cargo install`), is no error: the commit is then "unknown".

use std::path::Path;
use std::process::Command;

fn main() {
    // Of the run, not of the compilation: checkouts may share a target folder.
    let crate_folder = std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default();
    let root = Path::new(&crate_folder).join("../..");
    println!("cargo::rerun-if-changed=build.rs");
    let commit = commit(&root).unwrap_or_else(|| "unknown".to_owned());
    println!("cargo::rustc-env=TABIA_COMMIT={commit}");
}

/// The abbreviated commit, marked when the compiled sources differ from it.
fn commit(root: &Path) -> Option<String> {
    if !is_own_repository(root) {
        return None;
    }
    let commit = git(root, &["rev-parse", "--short=12", "HEAD"])?;
    let sources = sources(root);
    watch(root, &sources);
    let mut status = vec!["status", "--porcelain", "--"];
    status.extend(sources.iter().map(String::as_str));
    match git(root, &status) {
        Some(changes) if changes.is_empty() => Some(commit),
        _ => Some(format!("{commit}, with local changes")),
    }
}

/// Guards against naming the commit of some other repository that happens to
/// contain these sources.
fn is_own_repository(root: &Path) -> bool {
    let top = git(root, &["rev-parse", "--show-toplevel"]);
    let Some(top) = top.and_then(|top| Path::new(&top).canonicalize().ok()) else {
        return false;
    };
    root.canonicalize().is_ok_and(|root| root == top)
}

/// Everything that ends up in the binary, relative to the root.
fn sources(root: &Path) -> Vec<String> {
    let mut sources = vec!["Cargo.toml".to_owned(), "Cargo.lock".to_owned()];
    for entry in root
        .join("crates")
        .read_dir()
        .into_iter()
        .flatten()
        .flatten()
    {
        let name = entry.file_name().to_string_lossy().into_owned();
        sources.push(format!("crates/{name}/src"));
        sources.push(format!("crates/{name}/Cargo.toml"));
    }
    sources.retain(|path| root.join(path).exists());
    sources
}

/// Asks cargo to run this script again when the answer may have changed.
fn watch(root: &Path, sources: &[String]) {
    for path in sources {
        println!("cargo::rerun-if-changed={}", root.join(path).display());
    }
    let branch = git(root, &["symbolic-ref", "--quiet", "HEAD"]);
    let names = ["HEAD", "logs/HEAD", "packed-refs"];
    for name in names.into_iter().chain(branch.as_deref()) {
        // A path that does not exist would make cargo run this every time.
        let path = git(root, &["rev-parse", "--git-path", name]).map(|path| root.join(path));
        if let Some(path) = path.filter(|path| path.exists()) {
            println!("cargo::rerun-if-changed={}", path.display());
        }
    }
}

fn git(root: &Path, arguments: &[&str]) -> Option<String> {
    let output = Command::new("git")
        // `status` would otherwise refresh the index and disturb a git command
        // that runs at the same time.
        .arg("--no-optional-locks")
        .args(arguments)
        .current_dir(root)
        .output()
        .ok()
        .filter(|output| output.status.success())?;
    Some(String::from_utf8(output.stdout).ok()?.trim().to_owned())
}
