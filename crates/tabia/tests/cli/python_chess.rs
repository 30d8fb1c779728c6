//! Games through python-chess, a reader of UCI that shares no code with us.

use std::process::Command;

#[test]
#[ignore = "wants python-chess, its Python in TABIA_PYTHON; `make test` runs it"]
fn python_chess_has_no_complaints() {
    let python = std::env::var_os("TABIA_PYTHON").unwrap_or("python3".into());
    let output = Command::new(python)
        .args(["-W", "error"])
        .arg(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/tests/python_chess.py"
        ))
        .arg(env!("CARGO_BIN_EXE_tabia"))
        .output()
        .expect("Python starts");
    let said = String::from_utf8_lossy(&output.stdout);
    let complaints = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}{complaints}");
    assert!(said.ends_with("no complaints\n"), "{said}{complaints}");
}
