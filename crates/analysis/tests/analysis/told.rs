//! Findings as a test wants them, without a search.

use analysis::{
    AnalysisError, Conditions, EcoTable, EngineFacts, Finding, Findings, FoundLine, Games, Judged,
    Limit, Story, Survey, Value,
};
use chess::{Board, Move};
use data::pgn::{Salvaged, Source, salvage};
use engines::StopSignal;
use std::io::{Cursor, Write};

/// A game in which both sides go wrong, with a comment, a variation and a clock.
pub(crate) const GAME: &str = "[Event \"A <b>cup</b>\"]\n[White \"Ann & Al\"]\n[Black \"Bob\"]\n\
    [WhiteElo \"1500\"]\n[Result \"1-0\"]\n\n\
    1. e4 {king's pawn} e5 2. Qh5 $1 {[%clk 0:01:00]} Nc6 (2... Nf6 3. Qxe5+) 3. Bc4 Nf6 4. Qxf7# 1-0\n";

/// What is found in its positions: values and lines.
const FOUND: [(Value, &str); 7] = [
    (Value::Centipawns(30), "e4 e5"),
    (Value::Centipawns(25), "c5 Nf3"),
    (Value::Centipawns(40), "Nf3 Nc6 Bb5"),
    (Value::Centipawns(-60), "Nc6 Bc4"),
    (Value::Centipawns(-20), "Bc4 g6"),
    (Value::Centipawns(-10), "g6 Qf3 Nf6"),
    (Value::Mate(1), "Qxf7#"),
];

pub(crate) fn conditions(text: &str) -> Conditions {
    Conditions {
        program: "0.0.0 (test)".to_owned(),
        engine: EngineFacts {
            name: "Teller".to_owned(),
            model: Some("told".to_owned()),
            hash: Some("abc".to_owned()),
            command: Vec::new(),
            options: [("Hash".to_owned(), "1".to_owned())].into(),
        },
        limit: Limit::Nodes(1000),
        multipv: 1,
        games: survey(&games_of(text, StopSignal::new())).hash,
    }
}

/// The games of a text.
pub(crate) fn games_of(text: &str, stop: StopSignal) -> Games {
    let text = Cursor::new(text.as_bytes().to_vec());
    let source = Source::from_reader("game.pgn", text).expect("readable");
    Games::of_stream(source, stop).expect("copied")
}

pub(crate) fn survey(games: &Games) -> Survey {
    games.survey(&mut |_, _| {}).expect("readable")
}

pub(crate) fn line(board: &Board, value: Value, words: &str) -> FoundLine {
    let mut board = *board;
    let moves: Vec<Move> = words
        .split(' ')
        .map(|word| {
            let mv = board.parse_san(word).expect("a legal move");
            board.make(mv);
            mv
        })
        .collect();
    FoundLine { value, moves }
}

/// The game, and what is found in it.
pub(crate) fn told() -> (Vec<Salvaged>, Findings) {
    let games = salvage(GAME.as_bytes());
    let mut board = Board::start();
    let mut findings = Vec::new();
    for ((value, words), played) in FOUND.iter().zip(&games[0].game.moves.moves) {
        findings.push(Finding {
            depth: 9,
            nodes: 1000,
            lines: vec![line(&board, *value, words)],
        });
        board.make(played.mv.expect("a move"));
    }
    findings.push(Finding::default());
    (games, Findings(findings))
}

/// Tells the story of a text with one game.
pub(crate) fn with_story<T>(
    text: &str,
    findings: &Findings,
    openings: Option<&EcoTable>,
    tell: impl FnOnce(&Story<'_>) -> T,
) -> T {
    let games = games_of(text, StopSignal::new());
    let judged = Judged {
        games: &games,
        count: 1,
        findings: &|_, _| Ok(findings.clone()),
        openings,
    };
    tell(&Story {
        conditions: &conditions(text),
        command: "tabia analyze game.pgn",
        openings: None,
        judged: &judged,
        summary: &judged.summary(None).expect("judged"),
    })
}

/// What is written, as a text.
pub(crate) fn written(write: impl FnOnce(&mut dyn Write) -> Result<(), AnalysisError>) -> String {
    let mut bytes = Vec::new();
    write(&mut bytes).expect("written");
    String::from_utf8(bytes).expect("UTF-8")
}

pub(crate) fn annotated(story: &Story<'_>) -> String {
    written(|out| story.write_annotated(out))
}

pub(crate) fn json(story: &Story<'_>) -> String {
    written(|out| story.write_json(out))
}

pub(crate) fn page(story: &Story<'_>) -> String {
    written(|out| story.write_page(out))
}

/// The told game, judged.
pub(crate) fn told_story<T>(tell: impl FnOnce(&Story<'_>) -> T) -> T {
    with_story(GAME, &told().1, None, tell)
}
