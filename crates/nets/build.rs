//! Hands the net named by TABIA_EMBED_NET to the compiler, so that the program
//! carries it and plays with it unless told otherwise.

use std::fs::File;
use std::io::Read;
use std::path::Path;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=TABIA_EMBED_NET");
    println!("cargo::rustc-check-cfg=cfg(embedded_net)");
    let Some(net) = std::env::var_os("TABIA_EMBED_NET").filter(|net| !net.is_empty()) else {
        return;
    };
    // Relative to where cargo was called, which is not where this script runs.
    let path = Path::new(&net);
    match path.canonicalize() {
        Ok(path) if begins_as_a_net(&path) => {
            println!("cargo::rerun-if-changed={}", path.display());
            println!("cargo::rustc-cfg=embedded_net");
            println!("cargo::rustc-env=TABIA_EMBEDDED_NET={}", path.display());
        }
        _ => println!(
            "cargo::error=TABIA_EMBED_NET={} is no net: give the whole path of one",
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
