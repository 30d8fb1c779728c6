//! `tabia fen`.

use crate::program::{run, tabia, transcript};
use insta::assert_snapshot;
use std::path::PathBuf;

#[test]
fn a_position_is_shown_with_what_the_rules_say() {
    assert_snapshot!(run(&["fen", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"]), @r"
    exit 0
    --- stdout
    8  r n b q k b n r
    7  p p p p p p p p
    6  . . . . . . . .
    5  . . . . . . . .
    4  . . . . . . . .
    3  . . . . . . . .
    2  P P P P P P P P
    1  R N B Q K B N R
       a b c d e f g h

    fen      rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
    to move  white
    check    none
    state    in play
    key      4d38c4c05f98ebe6
    moves    20
             Na3 Nc3 Nf3 Nh3 a3 a4 b3 b4 c3 c4 d3 d4 e3 e4 f3 f4 g3 g4 h3 h4
    ");
}

#[test]
fn mate_is_a_state_with_a_check_and_no_moves() {
    let mate = "r1bqkb1r/pppp1Qpp/2n2n2/4p3/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 0 4";
    assert_snapshot!(run(&["fen", mate]), @r"
    exit 0
    --- stdout
    8  r . b q k b . r
    7  p p p p . Q p p
    6  . . n . . n . .
    5  . . . . p . . .
    4  . . B . P . . .
    3  . . . . . . . .
    2  P P P P . P P P
    1  R N B . K . N R
       a b c d e f g h

    fen      r1bqkb1r/pppp1Qpp/2n2n2/4p3/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 0 4
    to move  black
    check    from f7
    state    White mates
    key      5d4f291781b1154b
    moves    0
    ");
    assert_snapshot!(run(&["fen", mate, "--json"]), @r#"
    exit 0
    --- stdout
    {"fen":"r1bqkb1r/pppp1Qpp/2n2n2/4p3/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 0 4","side_to_move":"black","checkers":["f7"],"state":"checkmate","result":"1-0","legal_moves":[],"key":"5d4f291781b1154b"}
    "#);
}

#[test]
fn draws_are_named() {
    for (fen, state) in [
        ("8/8/8/8/8/5k2/5p2/5K2 w - - 0 1", "draw by stalemate"),
        (
            "8/8/8/8/8/5k2/5n2/5K2 w - - 0 1",
            "draw by insufficient material",
        ),
        (
            "8/8/8/8/8/5k2/5r2/5K2 w - - 100 80",
            "draw by the fifty-move rule",
        ),
        (
            "4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/4K3 w - - 0 1",
            "in play, but insufficient material to mate",
        ),
    ] {
        let transcript = run(&["fen", fen]);
        assert!(
            transcript.contains(&format!("\nstate    {state}\n")),
            "{transcript}"
        );
    }
}

#[test]
fn every_man_that_gives_check_is_named() {
    let transcript = run(&["fen", "B6b/8/8/8/2K5/5k2/8/b6B b - - 0 1"]);
    assert!(
        transcript.contains("\ncheck    from h1 and a8\n"),
        "{transcript}"
    );
}

#[test]
fn quotes_may_be_left_out() {
    let words = [
        "fen",
        "4k3/8/8/8/8/8/8/4K2R",
        "w",
        "K",
        "-",
        "0",
        "1",
        "--json",
    ];
    assert_eq!(
        run(&words),
        run(&["--json", "fen", "4k3/8/8/8/8/8/8/4K2R w K - 0 1"])
    );
}

#[test]
fn details_that_do_not_fit_are_dropped_with_a_warning() {
    let transcript = run(&["fen", "4k3/8/8/8/8/8/8/4K3 w K e3 0 1", "--json"]);
    assert_snapshot!(transcript, @r#"
    exit 0
    --- stdout
    {"fen":"4k3/8/8/8/8/8/8/4K3 w - - 0 1","side_to_move":"white","checkers":[],"state":"insufficient-material","result":"1/2-1/2","legal_moves":["Kd1","Kd2","Ke2","Kf1","Kf2"],"key":"f218498c21f3a458"}
    --- stderr
    warning: short castling right of White dropped: king or rook is not in place
    warning: en-passant square e3 dropped: no pawn has just passed it
    "#);
    assert!(!run(&["fen", "-q", "4k3/8/8/8/8/8/8/4K3 w K e3 0 1"]).contains("stderr"));
}

#[test]
fn positions_that_are_none_are_refused_in_one_line() {
    let refusals: String = [
        "",
        "nonsense",
        "8/8/8/8/8/8/8/8 w - - 0 1",
        "4k3/8/8/8/8/8/8/4K3",
        "4k3/8/8/8/8/8/8/4K3 x - - 0 1",
        "4k3/8/8/8/8/8/9/4K3 w - - 0 1",
        "4k3/8/8/8/8/8/4K3 w - - 0 1",
        "4k3/8/8/8/8/8/8/4K2P w - - 0 1",
        "4k3/8/8/8/8/8/8/K3R2K w - - 0 1",
        "4k3/8/8/8/8/8/8/4R2K w - - 0 1",
        "4k3/8/8/8/8/8/8/4K3 w - - 0 1 more",
        "4k3/8/8/8/8/8/8/4K3 w - - -1 1",
        "4k3/8/8/8/8/8/8/4K3 w \u{1b}[31m - 0 1",
    ]
    .map(|fen| {
        let transcript = run(&["fen", "--", fen]);
        let error = transcript.strip_prefix("exit 2\n--- stderr\nerror: ");
        let error = error.unwrap_or_else(|| panic!("{fen}: {transcript}"));
        assert_eq!(error.lines().count(), 1, "{error}");
        error.to_owned()
    })
    .concat();
    assert_snapshot!(refusals);
}

#[test]
fn a_picture_is_drawn() {
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("board.svg");
    let _ = std::fs::remove_file(&file);
    let mut command = tabia(&["fen", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "--svg"]);
    let transcript = transcript(command.arg(&file));
    assert!(transcript.ends_with(&format!("--- stderr\ndrew {}\n", file.display())));
    let svg = std::fs::read_to_string(&file).expect("the picture");
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
}

#[test]
fn a_picture_that_cannot_be_written_is_a_failure() {
    let transcript = run(&[
        "fen",
        "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
        "--svg",
        "/no/such.svg",
    ]);
    assert!(transcript.starts_with("exit 1\n"), "{transcript}");
    assert!(
        transcript.contains("error: cannot write /no/such.svg: No such file"),
        "{transcript}"
    );
}
