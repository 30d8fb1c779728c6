//! Pages and packages.

use crate::told::{GAME, annotated, json, page, told_story};
use analysis::write_package;
use insta::assert_snapshot;
use std::fs;

/// What stands between two marks of a page.
fn part<'a>(page: &'a str, begin: &str, end: &str) -> &'a str {
    let from = page.find(begin).expect("the begin");
    let length = page[from..].find(end).expect("the end");
    &page[from..from + length]
}

#[test]
fn a_page_has_everything_in_it() {
    let page = told_story(page);
    assert_snapshot!("list", part(&page, "<main>", "<details"));
    assert_snapshot!("game", part(&page, "<details", "</details>"));
    // No text of a game becomes markup, and nothing is fetched.
    assert!(!page.contains("<b>cup"));
    for foreign in ["http:", "src=", "@import", "url("] {
        let found = page.replace("http://www.w3.org/2000/svg", "");
        assert!(!found.contains(foreign), "{foreign}");
    }
}

#[test]
fn a_package_is_a_folder_to_hand_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path().join("package");
    told_story(|story| write_package(&folder, story)).expect("written");
    let read = |name: &str| fs::read_to_string(folder.join(name)).expect(name);
    assert_eq!(read("original.pgn"), GAME);
    assert_eq!(read("annotated.pgn"), told_story(annotated));
    assert_eq!(read("analysis.json"), told_story(json));
    assert!(read("index.html").contains("<a href=\"games/1.html\">"));
    assert!(read("games/1.html").contains("<a href=\"../index.html\">"));
    let settings: serde_json::Value = serde_json::from_str(&read("settings.json")).expect("JSON");
    assert_eq!(settings["command"], "tabia analyze game.pgn");
    assert_eq!(settings["conditions"]["engine"]["hash"], "abc");
}
