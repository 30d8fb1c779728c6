//! Files of another kind than the one that is wanted are named as what they are.

use crate::program::{folder, run_in};
use std::fs;

#[test]
fn files_of_another_kind_are_named() {
    let folder = folder("kinds");
    let game = "[White \"a\"]\n[Black \"b\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n";
    fs::write(folder.join("games.pgn"), game).expect("room");
    let position = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1;\n";
    fs::write(folder.join("positions.epd"), position).expect("room");
    for (command, file, told) in [
        ("suite", "games.pgn", "a PGN file of games, not a suite"),
        (
            "perft --suite",
            "games.pgn",
            "a PGN file of games, not a suite",
        ),
        ("net info", "games.pgn", "a PGN file of games, not a model"),
        ("run", "games.pgn", "a PGN file of games, not a TOML file"),
        ("train", "games.pgn", "a PGN file of games, not a TOML file"),
        ("match", "games.pgn", "a PGN file of games, not a TOML file"),
        (
            "data info",
            "positions.epd",
            "an EPD file of positions, not",
        ),
        (
            "pgn check",
            "positions.epd",
            "an EPD file of positions, not",
        ),
        (
            "pgn convert -o a.pgn",
            "positions.epd",
            "an EPD file of positions, not",
        ),
    ] {
        let transcript = run_in(&folder, &format!("{command} {file}"));
        let expected = format!("exit 2\n--- stderr\nerror: {file} is {told}");
        assert!(transcript.starts_with(&expected), "{command}: {transcript}");
    }
}

#[test]
fn what_is_not_there_is_told_with_what_is() {
    let folder = folder("kinds-missing");
    let transcript = run_in(&folder, "runs list nowhere");
    assert_eq!(
        transcript,
        "exit 2\n--- stderr\nerror: nowhere is not a folder\n"
    );
    for name in ["first", "second"] {
        fs::create_dir_all(folder.join("selections").join(name)).expect("room");
    }
    let transcript = run_in(&folder, "select --resume nothing");
    assert!(
        transcript.contains(
            "neither selections/nothing nor nothing is a folder; selections holds first, second"
        ),
        "{transcript}"
    );
    let transcript = run_in(&folder, "select --resume frist");
    assert!(transcript.contains("did you mean 'first'?"), "{transcript}");
}

#[test]
fn a_game_is_not_played_that_cannot_be_kept() {
    let folder = folder("kinds-play");
    let transcript = run_in(&folder, "play --nodes 1 --out no/folder/a.pgn");
    assert_eq!(
        transcript,
        "exit 2\n--- stderr\nerror: the folder no/folder for no/folder/a.pgn does not exist\n"
    );
}
