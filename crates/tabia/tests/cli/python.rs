//! The program through libraries of Python, which share no code with us: python-chess
//! reads the engine's UCI, and the games that we write and annotate; NumPy reads and
//! writes the arrays that we write and read.

use std::path::Path;
use std::process::Command;

#[test]
#[ignore = "wants python-chess, its Python in TABIA_PYTHON; `make test` runs it"]
fn python_chess_has_no_complaints() {
    run("python_chess.py");
}

#[test]
#[ignore = "wants python-chess, its Python in TABIA_PYTHON; `make test` runs it"]
fn python_chess_reads_the_same_games() {
    run("python_chess_pgn.py");
}

#[test]
#[ignore = "wants python-chess, its Python in TABIA_PYTHON; `make test` runs it"]
fn python_chess_reads_annotated_games() {
    run("python_chess_analyze.py");
}

#[test]
#[ignore = "wants NumPy, its Python in TABIA_PYTHON; `make test` runs it"]
fn numpy_reads_our_arrays() {
    run("numpy_reads.py");
}

#[test]
#[ignore = "wants NumPy, its Python in TABIA_PYTHON; `make test` runs it"]
fn we_read_arrays_of_numpy() {
    run("numpy_writes.py");
}

fn run(script: &str) {
    let python = std::env::var_os("TABIA_PYTHON").unwrap_or("python3".into());
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let output = Command::new(python)
        .args(["-W", "error"])
        .arg(folder.join(script))
        .arg(env!("CARGO_BIN_EXE_tabia"))
        .output()
        .expect("Python starts");
    let said = String::from_utf8_lossy(&output.stdout);
    let complaints = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}{complaints}");
    assert!(said.ends_with("no complaints\n"), "{said}{complaints}");
}
