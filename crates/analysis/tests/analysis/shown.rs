//! What is shown of a judged game: PGN and data.

use crate::told::{GAME, annotated, json, line, page, told, told_story, with_story};
use analysis::{EcoTable, Judgement, Review, Value};
use chess::Board;
use data::pgn::{Annotations, Score, salvage};
use insta::assert_snapshot;

#[test]
fn annotated_games() {
    assert_snapshot!(told_story(annotated));
}

#[test]
fn data_for_programs() {
    let json = told_story(json);
    assert_eq!(json.lines().count(), 1);
    let value: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_snapshot!(serde_json::to_string_pretty(&value).expect("JSON"));
}

#[test]
fn losses_are_judged_by_the_chance_to_win() {
    let (games, findings) = told();
    let review = Review::new(1, &games[0], &findings, None);
    let judgements: Vec<_> = review.moves.iter().map(|judged| judged.judgement).collect();
    let mut expected = vec![None; 7];
    // From +0.40 to -0.60: 53.7 to 44.5 percent.
    expected[2] = Some(Judgement::Inaccuracy);
    expected[5] = Some(Judgement::Blunder);
    assert_eq!(judgements, expected);
    assert_eq!(review.moves[2].centipawn_loss, 100);
    // Mates count as the ceiling: from -0.10 for Black to 10 for White.
    assert_eq!(review.moves[5].centipawn_loss, 1010);
    assert_eq!(review.white.average_centipawn_loss, Some(25.0));
    // The first move is the engine's own: what its value lost is not the player's fault.
    assert_eq!(
        (review.moves[0].chance_loss, review.moves[0].accuracy),
        (0.0, 100.0)
    );
    assert_eq!(review.moves[6].value, Value::Mated(chess::Color::White));
}

#[test]
fn hardly_worse_lines_are_shown_too() {
    let (games, mut findings) = told();
    let board = findings_board(2);
    let lines = &mut findings.0[2].lines;
    lines.push(line(&board, Value::Centipawns(35), "Bc4 Nf6"));
    lines.push(line(&board, Value::Centipawns(-60), "Qh5 Nc6"));
    lines.push(line(&board, Value::Centipawns(-200), "Ba6 bxa6"));
    let review = Review::new(1, &games[0], &findings, None);
    assert_eq!(review.moves[2].better().count(), 2);
    assert_eq!(review.moves[1].better().count(), 0);
}

fn findings_board(plies: usize) -> Board {
    let mut board = Board::start();
    for played in &told().0[0].game.moves.moves[..plies] {
        board.make(played.mv.expect("a move"));
    }
    board
}

#[test]
fn a_table_names_openings_that_have_no_name() {
    let mut table = EcoTable::default();
    table
        .read("eco\tname\tpgn\nC20\tKing's Pawn\t1. e4 e5\n")
        .expect("a table");
    let (_, findings) = told();
    let text = with_story(GAME, &findings, Some(&table), annotated);
    assert!(
        text.contains("[ECO \"C20\"]\n[Opening \"King's Pawn\"]\n"),
        "{text}"
    );
    // What the game says itself stays.
    let named = GAME.replace("[Result", "[Opening \"Mine\"]\n[Result");
    let text = with_story(&named, &findings, Some(&table), annotated);
    assert!(
        text.contains("[Opening \"Mine\"]\n") && text.contains("[ECO \"C20\"]"),
        "{text}"
    );
}

#[test]
fn a_wrong_move_ends_the_analysis_and_is_told() {
    let broken = GAME.replace("Nf6 4. Qxf7#", "Nf9 {why?} 4. Qxf7#");
    let games = salvage(broken.as_bytes());
    assert_eq!(games[0].game.moves.moves.len(), 5);
    let (_, mut findings) = told();
    findings.0.truncate(6);
    let (pgn, json, page) = with_story(&broken, &findings, None, |story| {
        (annotated(story), json(story), page(story))
    });
    let rest = "The rest of the text: Nf9 {why?} 4. Qxf7# 1-0";
    assert!(pgn.contains(rest), "{pgn}");
    assert!(
        pgn.contains("[Result \"1-0\"]") && pgn.trim_end().ends_with("1-0"),
        "{pgn}"
    );
    assert!(page.contains(rest) && page.contains("could only be read in part"));
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(
        json["games"][0]["damage"]["rest"],
        "Nf9 {why?} 4. Qxf7# 1-0"
    );
    assert_eq!(json["summary"]["damaged"], 1);
    // What was written is read without a complaint.
    let again = salvage(pgn.as_bytes());
    assert_eq!((again.len(), &again[0].damage), (1, &None));
}

#[test]
fn a_game_without_a_position_stays_as_it_was() {
    let text = "[White \"x\"]\n[FEN \"8/8/8\"]\n\n1. e4 e5 *";
    let findings = analysis::Findings(vec![Default::default()]);
    let pgn = with_story(text, &findings, None, annotated);
    assert_eq!(pgn, format!("{text}\n\n"));
}

#[test]
fn evaluations_in_pgn_are_those_in_the_data() {
    let (pgn, json) = told_story(|story| (annotated(story), json(story)));
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    let game = &salvage(pgn.as_bytes())[0].game;
    for (index, played) in game.moves.moves.iter().enumerate() {
        let told = &json["games"][0]["moves"][index]["evaluation"];
        let written = played
            .comments
            .first()
            .map(|comment| Annotations::from(&comment[..]));
        match written
            .and_then(|written| written.evaluation)
            .map(|written| written.score)
        {
            Some(Score::Centipawns(value)) => assert_eq!(told["cp"], value),
            Some(Score::Mate(moves)) => assert_eq!(told["mate"], moves),
            None => assert_eq!(told["mated"], "white"),
        }
    }
}
