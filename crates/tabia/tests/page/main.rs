//! The page of `tabia serve` as people use it, in a real browser.

use std::path::Path;
use std::process::Command;

/// Runs `crates/web/page/tests/browser.js`, which says what it looked at, with the program
/// of this build.
#[test]
#[ignore = "wants Node, Chromium and the built page (scripts/need-page)"]
fn the_page_works_in_a_browser() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../web/page");
    let status = Command::new("node")
        .arg("tests/browser.js")
        .current_dir(page)
        .env("TABIA", env!("CARGO_BIN_EXE_tabia"))
        .status()
        .expect("node");
    assert!(status.success(), "the page failed in the browser: {status}");
}
