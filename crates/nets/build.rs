//! Embeds nets in the program, which uses them by default: the project's own, or those that
//! TABIA_EMBED_NET, TABIA_EMBED_POLICY and TABIA_EMBED_SEQUENCE name.

use std::env;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// A net that can be embedded in the program.
struct Carried {
    /// The variable that names another one.
    variable: &'static str,
    /// The project's own net, relative to this crate; `nets/README.md` says how it was made.
    own: &'static str,
    /// The value of the variable for a program without such a net.
    none: &'static str,
    /// The signatures of such files.
    beginnings: &'static [&'static [u8]],
    /// The cfg flag that is set if there is one.
    flag: &'static str,
    /// The environment variable with its path at compile time.
    path: &'static str,
}

const CARRIED: [Carried; 3] = [
    Carried {
        variable: "TABIA_EMBED_NET",
        own: "../../nets/nn-b7474910e454.tabianet",
        none: "classical",
        beginnings: &[b"\x20\x2F\xF3\x7A", b"TABIANET"],
        flag: "embedded_net",
        path: "TABIA_EMBEDDED_NET",
    },
    Carried {
        variable: "TABIA_EMBED_POLICY",
        own: "../../nets/pv-3fb326c99d56.tabianet",
        none: "none",
        beginnings: &[b"TABIAPOL"],
        flag: "embedded_policy",
        path: "TABIA_EMBEDDED_POLICY",
    },
    Carried {
        variable: "TABIA_EMBED_SEQUENCE",
        own: "../../nets/sq-92ad387bbcd7.tabianet",
        none: "none",
        beginnings: &[b"TABIAHST"],
        flag: "embedded_sequence",
        path: "TABIA_EMBEDDED_SEQUENCE",
    },
];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    CARRIED.iter().for_each(carry);
}

fn carry(carried: &Carried) {
    let Carried {
        variable,
        none,
        flag,
        path: name,
        ..
    } = carried;
    println!("cargo::rerun-if-env-changed={variable}");
    println!("cargo::rustc-check-cfg=cfg({flag})");
    let path = match env::var_os(variable).filter(|net| !net.is_empty()) {
        Some(net) if net == *none => return,
        Some(net) => PathBuf::from(net),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join(carried.own),
    };
    // Paths are relative to where cargo was called, which is not where this script runs.
    match path.canonicalize() {
        Ok(path) if begins_as_one(&path, carried.beginnings) => {
            println!("cargo::rerun-if-changed={}", path.display());
            println!("cargo::rustc-cfg={flag}");
            println!("cargo::rustc-env={name}={}", path.display());
        }
        _ => println!(
            "cargo::error={} is not such a net: set {variable} to the full path of one, or to \
             {none}",
            path.display()
        ),
    }
}

/// Whether a file has one of the signatures. The rest is checked when the net is used, and by
/// the tests of such a build.
fn begins_as_one(path: &Path, beginnings: &[&[u8]]) -> bool {
    let mut beginning = [0; 8];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut beginning));
    read.is_ok() && beginnings.iter().any(|known| beginning.starts_with(known))
}
