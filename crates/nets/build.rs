//! Hands a net to the compiler, so that the program carries it and plays with it
//! unless told otherwise: the project's own, or what TABIA_EMBED_NET names.

use std::env;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// The project's own net, seen from this crate; `nets/README.md` says how it was made.
const OWN: &str = "../../nets/nn-b7474910e454.tabianet";
/// What TABIA_EMBED_NET says for a program that carries none.
const NONE: &str = "classical";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=TABIA_EMBED_NET");
    println!("cargo::rustc-check-cfg=cfg(embedded_net)");
    let path = match env::var_os("TABIA_EMBED_NET").filter(|net| !net.is_empty()) {
        Some(net) if net == NONE => return,
        Some(net) => PathBuf::from(net),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join(OWN),
    };
    // Relative to where cargo was called, which is not where this script runs.
    match path.canonicalize() {
        Ok(path) if begins_as_a_net(&path) => {
            println!("cargo::rerun-if-changed={}", path.display());
            println!("cargo::rustc-cfg=embedded_net");
            println!("cargo::rustc-env=TABIA_EMBEDDED_NET={}", path.display());
        }
        _ => println!(
            "cargo::error={} is no net: give TABIA_EMBED_NET the whole path of one, or {NONE}",
            path.display()
        ),
    }
}

/// The rest is checked when the net is used, and by the tests of such a build.
fn begins_as_a_net(path: &Path) -> bool {
    let mut beginning = [0; 8];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut beginning));
    read.is_ok() && (beginning.starts_with(b"\x20\x2F\xF3\x7A") || beginning == *b"TABIANET")
}
