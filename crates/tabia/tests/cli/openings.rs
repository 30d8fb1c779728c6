//! `tabia openings make`.

use crate::program::{folder, run, run_in, tabia};
use std::fs;
use std::path::Path;
use std::process::Stdio;

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder");
    let name = |entry: std::io::Result<fs::DirEntry>| {
        let name = entry.expect("an entry").file_name();
        name.to_string_lossy().into_owned()
    };
    entries.map(name).collect()
}

#[test]
fn the_same_seed_gives_the_same_file() {
    let folder = folder("openings/same");
    let make = "openings make --count 30 --seed 2 --nodes 300";
    let said = run_in(&folder, &format!("{make} --threads 1 -o one.epd"));
    assert!(
        said.starts_with("exit 0\n--- stdout\nopenings  30\ntried     "),
        "{said}"
    );
    let said = run_in(&folder, &format!("{make} --threads 2 --json -o two.epd"));
    assert!(
        said.contains("{\"file\":\"two.epd\",\"openings\":30,\"tried\":"),
        "{said}"
    );
    let one = fs::read_to_string(folder.join("one.epd")).expect("a book");
    assert_eq!(
        fs::read_to_string(folder.join("two.epd")).expect("a book"),
        one
    );
    assert_eq!(one.lines().count(), 30);
    assert!(one.lines().all(|line| line.ends_with(" fmvn 5;")), "{one}");
}

#[test]
fn windows_and_chess960_are_obeyed() {
    let folder = folder("openings/wishes");
    let make = "openings make --count 5 --seed 2 --nodes 300 --plies 3";
    let said = run_in(
        &folder,
        &format!("{make} --chess960 --window 0.5..0.9 -o x.epd"),
    );
    assert!(said.starts_with("exit 0\n"), "{said}");
    let arguments =
        "openings make --count 21 --seed 1 --plies 1 --nodes 50 --window 0..900 -o y.epd";
    let said = run_in(&folder, arguments);
    assert_eq!(
        said,
        "exit 2\n--- stderr\nerror: only 20 openings were found, and 10000 further tries found none; widen the window or play more plies\n"
    );
    assert_eq!(names(&folder), ["x.epd"]);
}

#[test]
fn wrong_wishes_are_wrong_usage() {
    for (arguments, complaint) in [
        ("--count 0 --seed 1 -o x.epd", "--count <N>"),
        ("--count 1 --seed 1", "--out <FILE>"),
        (
            "--count 1 --seed 1 -o x.epd --window 5",
            "not a window of values",
        ),
        (
            "--count 1 --seed 1 -o x.epd --window 9..5",
            "the window from 9 to 5",
        ),
    ] {
        let words = format!("openings make {arguments}");
        let said = run(&words.split(' ').collect::<Vec<_>>());
        assert!(said.starts_with("exit 2\n--- stderr\nerror: "), "{said}");
        assert!(said.contains(complaint), "{said}");
    }
}

#[test]
fn an_interrupted_book_leaves_no_file() {
    let folder = folder("openings/interrupted");
    let arguments = "openings make --count 4000000 --seed 1 --nodes 100 -v -o book.epd";
    let words: Vec<_> = arguments.split(' ').collect();
    let mut child = tabia(&words)
        .current_dir(&folder)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stderr = std::io::BufReader::new(child.stderr.take().expect("its words"));
    let mut line = String::new();
    // Only from here on does the program listen.
    std::io::BufRead::read_line(&mut stderr, &mut line).expect("text");
    assert!(line.starts_with("threads: "), "{line}");
    let killed = std::process::Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(killed.expect("kill starts").success());
    assert_eq!(child.wait().expect("the program ends").code(), Some(130));
    assert_eq!(names(&folder), [""; 0]);
}
