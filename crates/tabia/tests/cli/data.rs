//! `tabia data`, on small files of these tests' own.

use crate::program::{folder, run, tabia, transcript};
use insta::assert_snapshot;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;

/// Two short games.
const PLAIN: &str = "\
fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
move e2e4
score 20
ply 0
result 1
e
fen rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1
move d7d5
score -30
ply 1
result -1
e
fen rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2
move e4d5
score 45
ply 2
result 1
e
fen 7k/5Q2/6K1/8/8/8/8/8 w - - 8 60
move f7g7
score 31999
ply 118
result 1
e
";

const GAMES: &str = "\
[White \"A\"]
[Black \"B\"]
[Result \"1-0\"]

1. e4 {+0.20/9 500 0.01s} d5 {-0.30/9 500 0.01s} 2. exd5 {+0.45/9 500 0.01s} 1-0

[Result \"*\"]

1. d4 {+0.10/9} *

[Result \"1-0\"]

1. e4 { [%eval 0.3] } e5 { [%eval -0.1] } 2. Ke3 1-0

";

/// A folder with the games as plain text.
fn games(name: &str) -> PathBuf {
    let folder = folder(&format!("data/{name}"));
    fs::write(folder.join("games.plain"), PLAIN).unwrap();
    folder
}

/// Runs the program in a folder and replaces what differs from run to run.
fn run_in(folder: &Path, arguments: &str) -> String {
    let words: Vec<_> = arguments.split(' ').collect();
    let mut text = transcript(tabia(&words).current_dir(folder));
    for (pattern, replacement) in [
        (r"positions/s +[\d,]+", "positions/s [SPEED]"),
        (r#""seconds":[-.e\d]+"#, r#""seconds":[TIME]"#),
        (r#"at path "[^"]+""#, "at path [PATH]"),
    ] {
        let pattern = regex::Regex::new(pattern).expect("a pattern");
        text = pattern.replace_all(&text, replacement).into_owned();
    }
    text
}

fn make(folder: &Path, arguments: &str) {
    let said = run_in(folder, arguments);
    assert!(said.starts_with("exit 0\n"), "{said}");
}

#[test]
fn formats_are_converted_there_and_back() {
    let folder = games("converted");
    assert_snapshot!(run_in(&folder, "data convert games.plain -o games.binpack"), @r"
    exit 0
    --- stdout
    positions  4
    bytes      80
    file       games.binpack
    ");
    make(&folder, "data convert games.binpack -o again.plain");
    assert_eq!(
        fs::read_to_string(folder.join("again.plain")).unwrap(),
        PLAIN
    );
    make(
        &folder,
        "data convert again.plain games.binpack -o both.binpack",
    );
    let info = run_in(&folder, "data info --json both.binpack");
    assert!(
        info.contains(r#""chains":4,"games":2,"positions":8,"marked":0"#),
        "{info}"
    );
}

#[test]
fn info_tells_what_a_file_holds() {
    let folder = games("info");
    assert_snapshot!(run_in(&folder, "data info games.plain"), @r"
    exit 0
    --- stdout
    games.plain: plain
      bytes                         376
      chunks                          1
      chains                          2
      games                           1
      positions                       4
      marked                          0
      bytes per position          94.00
    positions/s [SPEED]
    ");
}

#[test]
fn games_give_positions_with_their_scores() {
    let folder = games("pgn");
    fs::write(folder.join("games.pgn"), GAMES).unwrap();
    let said = run_in(&folder, "data convert games.pgn -o games.binpack");
    assert_snapshot!(said, @r"
    exit 0
    --- stdout
    positions  3
    bytes      46
    file       games.binpack
    --- stderr
    games.pgn:13: game 3: 2. Ke3: not a legal move here, in rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2
    ");
    let first = PLAIN.split("fen 7k").next().unwrap();
    let shown = run_in(&folder, "data view --plain games.binpack");
    assert_eq!(shown, format!("exit 0\n--- stdout\n{first}"));
}

#[test]
fn view_pages_through_positions() {
    let folder = games("view");
    assert_snapshot!(run_in(&folder, "data view games.plain --skip 1 --count 1"), @r"
    exit 0
    --- stdout
    position 1, ply 1
    8  r n b q k b n r    Black to move
    7  p p p p p p p p    move    d5
    6  . . . . . . . .    score   -0.30 (-30)
    5  . . . . . . . .    result  loss
    4  . . . . P . . .
    3  . . . . . . . .
    2  P P P P . P P P
    1  R N B Q K B N R
       a b c d e f g h
    rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1
    ");
    assert_snapshot!(run_in(&folder, "data view --fen games.plain --skip 3"), @r"
    exit 0
    --- stdout
    7k/5Q2/6K1/8/8/8/8/8 w - - 8 60 | f7g7 | 31999 | 118 | 1
    ");
    assert_snapshot!(run_in(&folder, "data view --json games.plain --skip 3"), @r#"
    exit 0
    --- stdout
    {"number":3,"fen":"7k/5Q2/6K1/8/8/8/8/8 w - - 8 60","move":"f7g7","score":31999,"score_in_words":"+M1","result":1,"ply":118,"begins_chain":true}
    "#);
    assert_snapshot!(run_in(&folder, "data view games.plain --skip 9"), @r"
    exit 0
    --- stderr
    the file has only 4 positions
    ");
}

#[test]
fn stats_count_and_draw() {
    let folder = games("stats");
    assert_snapshot!(run_in(
        &folder,
        "data stats games.plain games.plain --svg all.svg"
    ));
    let picture = fs::read_to_string(folder.join("all.svg")).unwrap();
    assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>\n"));
    assert!(picture.contains(">men</text>"));
    let json = run_in(&folder, "data stats --json --memory 0 games.plain");
    assert!(
        json.contains(r#""duplicates":null,"white_to_move":3"#),
        "{json}"
    );
}

#[test]
fn filters_tell_what_they_removed() {
    let folder = games("filter");
    let arguments = "data filter games.plain -o few.plain --remove captures --remove score=..3000";
    assert_snapshot!(run_in(&folder, arguments), @r"
    exit 0
    --- stdout
    positions                       4
    marked                          0    0.00 %
    score                           1   25.00 %
    captures                        1   25.00 %
    kept                            2   50.00 %
    few.plain: 2 positions, 198 bytes
    ");
    let arguments = "data filter games.plain -o marked.plain --mark --remove early=1";
    make(&folder, arguments);
    let marked = fs::read_to_string(folder.join("marked.plain")).unwrap();
    let expected = PLAIN.replace("score 20\n", "score 32002\n");
    assert_eq!(marked, expected.replace("score -30\n", "score 32002\n"));
    let twice = "data filter games.plain games.plain -o once.plain --remove duplicates";
    make(&folder, twice);
    assert_eq!(
        fs::read_to_string(folder.join("once.plain")).unwrap(),
        PLAIN
    );
}

#[test]
fn labels_from_whites_view_are_put_right() {
    let folder = games("labels");
    make(
        &folder,
        "data convert games.plain --labels white -o published.plain",
    );
    let published = fs::read_to_string(folder.join("published.plain")).unwrap();
    let expected = PLAIN.replace("score -30\nply 1\nresult -1", "score 30\nply 1\nresult 1");
    assert_eq!(published, expected);
    make(
        &folder,
        "data convert published.plain --labels white -o right.plain",
    );
    assert_eq!(
        fs::read_to_string(folder.join("right.plain")).unwrap(),
        PLAIN
    );
}

/// Games that differ.
fn many_games() -> String {
    let game = |number: usize| {
        let result = [-1, 0, 1][number % 3];
        let files = ["a", "b", "c", "d", "e", "f", "g", "h"];
        let file = files[number % 8];
        format!(
            "fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n\
             move {file}2{file}3\nscore {number}\nply 0\nresult {result}\ne\n"
        )
    };
    (0..200).map(game).collect()
}

#[test]
fn files_are_shuffled_and_split_by_games() {
    let folder = games("shuffled");
    fs::write(folder.join("many.plain"), many_games()).unwrap();
    make(
        &folder,
        "data shuffle many.plain -o one.binpack --seed 3 --threads 1",
    );
    make(
        &folder,
        "data shuffle many.plain -o other.binpack --seed 3 --threads 3",
    );
    let bytes = |name: &str| fs::read(folder.join(name)).unwrap();
    assert_eq!(bytes("one.binpack"), bytes("other.binpack"));
    make(&folder, "data convert many.plain -o many.binpack");
    assert_ne!(bytes("one.binpack"), bytes("many.binpack"));
    assert_eq!(bytes("one.binpack").len(), bytes("many.binpack").len());
    let arguments = "data split many.plain --train t.plain --valid v.binpack --share 0.2 --json";
    let said = run_in(&folder, arguments);
    let number = regex::Regex::new(r#""positions":(\d+)"#).expect("a pattern");
    let counts: Vec<u64> = number
        .captures_iter(&said)
        .map(|found| found[1].parse().unwrap())
        .collect();
    assert_eq!(counts.iter().sum::<u64>(), 200);
    assert!((20..60).contains(&counts[1]), "{said}");
    make(
        &folder,
        "data interleave one.binpack many.binpack -o mixed.binpack",
    );
    assert_eq!(bytes("mixed.binpack").len(), 2 * bytes("one.binpack").len());
}

#[test]
fn validation_names_what_is_damaged() {
    let folder = games("validated");
    make(&folder, "data convert games.plain -o good.binpack");
    assert_snapshot!(run_in(&folder, "data validate good.binpack"), @r"
    exit 0
    --- stdout
    positions                                         4
    chains                                            2
    broken chunks                                     0
    odd: mate score contradicts result                0
    odd: counter above 100                            0
    odd: side does not fit the ply                    0
    odd: no move                                      0
    ");
    let good = fs::read(folder.join("good.binpack")).unwrap();
    let mut bad = good.clone();
    bad[30] ^= 0xFF;
    fs::write(
        folder.join("bad.binpack"),
        [&bad[..], &good, &good[..40]].concat(),
    )
    .unwrap();
    assert_snapshot!(run_in(&folder, "data validate bad.binpack"), @r"
    exit 1
    --- stdout
    positions                                         4
    chains                                            2
    broken chunks                                     2
    odd: mate score contradicts result                0
    odd: counter above 100                            0
    odd: side does not fit the ply                    0
    odd: no move                                      0
    --- stderr
    error: bad.binpack is damaged in the chain at byte 8: a chain begins with an invalid position: White has 2 kings, not one
    error: bad.binpack is truncated in the chunk at byte 160, which lacks 40 bytes; the 160 bytes before it are intact; --skip-torn skips the truncated part
    ");
}

#[test]
fn files_that_cannot_be_used_are_named() {
    let folder = games("refused");
    make(&folder, "data convert games.plain -o good.binpack");
    let good = fs::read(folder.join("good.binpack")).unwrap();
    fs::write(
        folder.join("torn.binpack"),
        [&good[..], &good[..50]].concat(),
    )
    .unwrap();
    fs::write(folder.join("empty.binpack"), b"").unwrap();
    fs::write(folder.join("strange.binpack"), b"\x7FELF").unwrap();
    fs::write(folder.join("torn.plain"), &PLAIN[..PLAIN.len() - 2]).unwrap();
    let chess960 = "fen 1r2k1r1/6p1/8/8/8/8/6P1/1R2K1R1 w GBgb - 0 9\nscore 1\nresult 0\ne\n";
    fs::write(folder.join("960.plain"), chess960).unwrap();
    let mut all = String::new();
    for arguments in [
        "data info missing.binpack",
        "data info empty.binpack",
        "data info strange.binpack",
        "data info torn.binpack",
        "data info torn.plain",
        "data convert 960.plain -o 960.binpack",
        "data convert good.binpack -o good.binpack",
        "data convert good.binpack -o good.bin",
        "data convert good.binpack -o no/folder/x.binpack",
        "data shuffle good.binpack -o x.plain",
        "data split good.binpack --train x.plain --valid x.plain",
        "data interleave games.plain -o x.binpack",
        "data rescore good.binpack -o x.plain --nodes 10",
        "data label good.binpack -o x.binpack",
        "data label good.binpack -o x.binpack --human --nodes 10",
        "data filter good.binpack -o x.plain --remove capture",
    ] {
        all += &format!("> {arguments}\n{}", run_in(&folder, arguments));
    }
    assert_snapshot!(all);
    let said = run_in(
        &folder,
        "data convert torn.binpack -o whole.binpack --skip-torn",
    );
    assert!(
        said.starts_with("exit 0\n--- stdout\npositions  4\n"),
        "{said}"
    );
    assert!(
        said.contains("warning: torn.binpack is truncated in the chunk at byte 80"),
        "{said}"
    );
    assert_eq!(fs::read(folder.join("whole.binpack")).unwrap(), good);
}

/// Begins a rescoring or labelling and kills it when a part of it is done.
fn kill_relabelling(folder: &Path, part: &Path, words: &str) {
    let words: Vec<_> = words.split(' ').collect();
    let mut child = tabia(&words)
        .current_dir(folder)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    while fs::metadata(part).map_or(0, |metadata| metadata.len()) == 0 {
        if child.try_wait().expect("a child").is_some() {
            return;
        }
        std::thread::yield_now();
    }
    child.kill().expect("killed");
    child.wait().expect("ended");
}

#[test]
fn a_rescoring_is_the_same_for_any_number_of_threads_and_after_a_kill() {
    let folder = games("rescored");
    fs::write(folder.join("many.plain"), many_games().repeat(6)).unwrap();
    make(
        &folder,
        "data rescore many.plain -o one.binpack --nodes 400 --threads 1",
    );
    make(
        &folder,
        "data rescore many.plain -o two.binpack --nodes 400 --threads 2",
    );
    let one = fs::read(folder.join("one.binpack")).unwrap();
    assert!(one == fs::read(folder.join("two.binpack")).unwrap());
    let part = folder.join("killed.binpack.part");
    // On a busy machine it may be over before it is killed.
    let is_killed = (0..10).any(|_| {
        let words = "data rescore many.plain -o killed.binpack --nodes 400 --threads 1";
        kill_relabelling(&folder, &part, words);
        part.exists()
    });
    assert!(is_killed);
    let other = run_in(
        &folder,
        "data rescore many.plain -o killed.binpack --nodes 401",
    );
    assert!(
        other.contains("killed.binpack.part was started with other files or settings"),
        "{other}"
    );
    let same = "data rescore many.plain -o killed.binpack --nodes 400 --threads 2";
    // Another input of the same length is another input.
    let input = fs::read_to_string(folder.join("many.plain")).unwrap();
    let changed = input.replacen("result 1", "result 0", 1);
    assert!(changed != input && changed.len() == input.len());
    fs::write(folder.join("many.plain"), changed).unwrap();
    let other = run_in(&folder, same);
    assert!(
        other.contains("killed.binpack.part was started with other files or settings"),
        "{other}"
    );
    fs::write(folder.join("many.plain"), input).unwrap();
    // Scores of two builds do not mix.
    let plan = folder.join("killed.binpack.part.json");
    let own = fs::read_to_string(&plan).unwrap();
    fs::write(&plan, own.replace("\"signature\": ", "\"signature\": 1")).unwrap();
    let refused = run_in(&folder, same);
    assert!(
        refused.starts_with("exit 2")
            && refused.contains("killed.binpack.part was started by another build"),
        "{refused}"
    );
    fs::write(&plan, own).unwrap();
    // Two processes do not write one file.
    let lock = fs::File::open(&part).unwrap();
    lock.lock().unwrap();
    let refused = run_in(&folder, same);
    assert!(
        refused.starts_with("exit 2")
            && refused.contains("killed.binpack.part: another process is writing this file"),
        "{refused}"
    );
    drop(lock);
    make(&folder, same);
    assert!(one == fs::read(folder.join("killed.binpack")).unwrap());
    assert!(!part.exists() && !folder.join("killed.binpack.part.json").exists());
}

#[test]
fn labels_are_the_same_for_any_number_of_threads_and_after_a_kill() {
    let folder = games("labelled");
    fs::write(folder.join("many.plain"), many_games().repeat(6)).unwrap();
    let command = |output: &str, more: &str| {
        format!("data label many.plain -o {output}.binpack --nodes 300 --every 2 --threads {more}")
    };
    make(&folder, &command("one", "1"));
    make(&folder, &command("two", "2"));
    let one = fs::read(folder.join("one.binpack")).unwrap();
    assert!(one == fs::read(folder.join("two.binpack")).unwrap());
    let part = folder.join("killed.binpack.part");
    let is_killed = (0..10).any(|_| {
        kill_relabelling(&folder, &part, &command("killed", "1"));
        part.exists()
    });
    assert!(is_killed);
    let other = run_in(&folder, "data label many.plain -o killed.binpack --human");
    assert!(
        other.contains("killed.binpack.part was started with other files or settings"),
        "{other}"
    );
    make(&folder, &command("killed", "2"));
    assert!(one == fs::read(folder.join("killed.binpack")).unwrap());
    assert!(!part.exists() && !folder.join("killed.binpack.part.json").exists());
}

#[test]
fn positions_get_the_move_that_should_be_found() {
    let folder = games("desired");
    fs::write(
        folder.join("games.pgn"),
        "1. f3 {+0.20/3} e5 2. g4 d6 3. Nh3 Qh4+ 1/2-1/2\n",
    )
    .unwrap();
    make(&folder, "data label games.pgn -o found.binpack --depth 4");
    make(&folder, "data label games.pgn -o played.binpack --human");
    make(
        &folder,
        "data label games.pgn -o some.binpack --human --every 3",
    );
    let lines = |name: &str| -> Vec<String> {
        let shown = run_in(&folder, &format!("data view --fen {name}.binpack"));
        let rows = shown.lines().filter(|line| line.contains(" | "));
        rows.map(str::to_owned).collect()
    };
    let found = lines("found");
    assert_eq!(found.len(), 6, "{found:?}");
    // Black mates at once, and knows it.
    assert!(found[3].contains("| d8h4 | 31999 |"), "{found:?}");
    let played = lines("played");
    assert!(played[3].contains("| d7d6 | 0 |"), "{played:?}");
    assert!(played[0].contains("| f2f3 | 20 |"), "{played:?}");
    assert_eq!(lines("some"), [played[0].clone(), played[3].clone()]);
}

#[test]
fn positions_of_games_get_scores_by_searching() {
    let folder = games("searched");
    fs::write(
        folder.join("games.pgn"),
        "1. f3 e5 2. g4 {-0.10/5} Qh4# 0-1\n",
    )
    .unwrap();
    let arguments = "data rescore games.pgn -o games.binpack --depth 4 --marked";
    make(&folder, arguments);
    let shown = run_in(&folder, "data view --fen games.binpack");
    let scores: Vec<&str> = shown
        .lines()
        .filter_map(|line| line.split(" | ").nth(2))
        .collect();
    // The third had a score; the fourth mates.
    assert_eq!(scores[2..], ["-10", "31999"]);
    assert!(!scores.contains(&"32002"), "{shown}");
}

#[test]
fn data_alone_explains_itself() {
    let said = run(&["data"]);
    assert!(
        said.starts_with("exit 2\n--- stderr\nInspect, convert, filter"),
        "{said}"
    );
}
