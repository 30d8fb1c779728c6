//! One game on a page: its tags, the board, the graph and the moves.

use super::{escaped, graph, opening};
use crate::annotate::farewell;
use crate::chance::winning_chance;
use crate::finding::FoundLine;
use crate::review::{JudgedMove, Review, Side, number};
use crate::value::Value;
use chess::{Board, Color, Move, Square, Wing};
use data::pgn::{Annotations, PlayedMove, Salvaged, Tags};
use serde::Serialize;
use std::fmt::Write;

/// Expected lines are cut to this many moves.
const LONGEST_LINE: usize = 6;

/// A position that the board can show.
#[derive(Serialize)]
struct Node {
    /// The piece placement, as in FEN.
    f: String,
    /// The squares of the move that led here.
    #[serde(skip_serializing_if = "Option::is_none")]
    m: Option<[String; 2]>,
    /// The square of a king in check.
    #[serde(skip_serializing_if = "Option::is_none")]
    k: Option<String>,
    /// The previous node; the next one is the node that names this one as its previous.
    p: Option<usize>,
    /// The number of the position in the game, for the graph.
    i: usize,
    /// The text about it.
    t: String,
    /// The expected line.
    #[serde(skip_serializing_if = "String::is_empty")]
    l: String,
    /// White's winning chance.
    c: f64,
}

/// The moves of a game as HTML, with the positions they lead to.
struct Moves {
    nodes: Vec<Node>,
    html: String,
    /// Whether Black's next move must repeat the move number.
    is_broken: bool,
}

/// Everything about a game except its title.
pub(super) fn section(salvaged: &Salvaged, review: &Review) -> String {
    let tags = salvaged.game.tags();
    let moves = Moves::new(salvaged, review);
    format!(
        "{facts}{sides}<div class=\"viewer\">\n<div class=\"stage\">\n\
         <div class=\"bar\" aria-hidden=\"true\"><i></i></div>\n\
         <svg class=\"board\" viewBox=\"0 0 360 360\" role=\"img\" aria-label=\"The board\"></svg>\n\
         <p class=\"now\" aria-live=\"polite\"></p>\n<p class=\"then\"></p>\n\
         <div class=\"buttons\">\
         <button type=\"button\" data-go=\"first\" title=\"First position (Home)\">|◀</button>\
         <button type=\"button\" data-go=\"back\" title=\"Move back (←)\">◀</button>\
         <button type=\"button\" data-go=\"on\" title=\"Move on (→)\">▶</button>\
         <button type=\"button\" data-go=\"last\" title=\"Last position (End)\">▶|</button>\
         <button type=\"button\" data-go=\"bad\" title=\"Next bad move (n)\">?!</button>\
         <button type=\"button\" data-go=\"flip\" title=\"Turn the board (f)\">⇅</button></div>\n\
         <figure>{graph}{ticks}<figcaption>White's winning chances. Click to go to a move.</figcaption></figure>\n</div>\n<div class=\"moves\">{list}</div>\n</div>\n<script type=\"application/json\" class=\"nodes\">{nodes}</script>\n",
        facts = facts(salvaged, review),
        sides = sides(tags, review),
        graph = graph::svg(review),
        ticks = graph::ticks(review),
        list = moves.html,
        nodes = data(&moves.nodes),
    )
}

/// Data in a form that may be embedded in a page.
fn data(nodes: &[Node]) -> String {
    let text = serde_json::to_string(nodes).unwrap_or_default();
    text.replace('<', "\\u003c")
}

fn facts(salvaged: &Salvaged, review: &Review) -> String {
    let tags = salvaged.game.tags();
    let known = |name: &str| {
        tags.get(name)
            .filter(|value| !matches!(*value, "" | "?" | "-" | "????.??.??"))
    };
    let mut facts: Vec<String> = vec![format!("<b>{}</b>", salvaged.game.result)];
    facts.extend(
        ["Event", "Date", "TimeControl", "Termination"]
            .iter()
            .filter_map(|name| known(name))
            .map(escaped),
    );
    facts.extend(opening(tags, review).map(|opening| escaped(&opening)));
    if let Some(site) = known("Site") {
        facts.push(match site.starts_with("https://") {
            true => format!("<a href=\"{0}\">{0}</a>", escaped(site)),
            false => escaped(site),
        });
    }
    format!("<p class=\"facts\">{}</p>\n", facts.join(" · "))
}

fn sides(tags: &Tags, review: &Review) -> String {
    let row = |name: &str, side: &Side| {
        let player = tags.get(name).unwrap_or(name);
        let number = |number: Option<f64>, digits: usize, unit: &str| {
            number.map_or_else(
                || "–".to_owned(),
                |number| format!("{number:.digits$}{unit}"),
            )
        };
        format!(
            "<tr><th scope=\"row\"><i class=\"man {}\"></i>{}</th><td>{}</td><td>{}</td>\
             <td class=\"inaccuracy\">{}</td><td class=\"mistake\">{}</td><td class=\"blunder\">{}</td></tr>\n",
            name.to_ascii_lowercase(),
            escaped(player),
            number(side.accuracy, 1, " %"),
            number(side.average_centipawn_loss, 0, ""),
            side.inaccuracies,
            side.mistakes,
            side.blunders
        )
    };
    format!(
        "<table class=\"sides\">\n<tr><td></td><th scope=\"col\">accuracy</th>\
         <th scope=\"col\">avg. loss</th><th scope=\"col\" title=\"inaccuracies\">?!</th>\
         <th scope=\"col\" title=\"mistakes\">?</th><th scope=\"col\" title=\"blunders\">??</th></tr>\n\
         {}{}</table>\n",
        row("White", &review.white),
        row("Black", &review.black)
    )
}

impl Moves {
    fn new(salvaged: &Salvaged, review: &Review) -> Moves {
        let game = &salvaged.game;
        let words = format!("First position {}", review.start);
        let line = review
            .start_line
            .as_ref()
            .map_or(&[][..], |line| &line.moves);
        let start = node(game.start(), 0, words, review.start).followed_by(game.start(), line);
        let mut moves = Moves {
            nodes: vec![start],
            html: String::new(),
            is_broken: true,
        };
        // The nodes of the game come first, so that their indices are those of the positions.
        for (index, (played, judged)) in game.moves.moves.iter().zip(&review.moves).enumerate() {
            let mut node = of_move(judged, index + 1);
            if let Some(clock) = clock(&played.comments) {
                let _ = write!(node.t, " · clock {clock}");
            }
            moves.nodes.push(node);
        }
        moves.comments(&game.moves.comments);
        for (index, (played, judged)) in game.moves.moves.iter().zip(&review.moves).enumerate() {
            moves.played(index + 1, played, judged);
        }
        if let Some(damage) = &salvaged.damage {
            moves.note("damage", &escaped(&farewell(damage)));
        }
        moves.note("result", &escaped(game.result.as_str()));
        moves
    }

    fn played(&mut self, index: usize, played: &PlayedMove, judged: &JudgedMove) {
        let is_white = judged.color() == Color::White;
        if is_white || self.is_broken {
            let number = judged.before.fullmove_number();
            self.add(format_args!("<span class=\"number\">{number}</span>"));
        }
        if !is_white && self.is_broken {
            self.add("<span class=\"gap\">…</span>");
        }
        self.is_broken = false;
        let class = judged
            .judgement
            .map_or("", |judgement| judgement.name())
            .to_ascii_lowercase();
        let mark = judged.judgement.map_or("", |judgement| judgement.mark());
        self.add(format_args!(
            "<button type=\"button\" class=\"{}\" data-n=\"{index}\">{}{mark} <small>{}{}</small></button>",
            format!("move {class}").trim_end(),
            judged.san(),
            judged.value,
            clock(&played.comments).map_or_else(String::new, |clock| format!(" · {clock}"))
        ));
        if let Some(verdict) = judged.verdict() {
            let lines: String = judged
                .better()
                .map(|line| self.line(judged, index, line))
                .collect();
            self.note(&class, &format!("{}{lines}", escaped(&verdict)));
        }
        self.comments(&played.comments);
    }

    /// A better line, each move of which can be shown on the board.
    fn line(&mut self, judged: &JudgedMove, index: usize, line: &FoundLine) -> String {
        let mut html = format!("<span class=\"line\"><b>{}</b>", line.value);
        let mut board = judged.before;
        let mut before = index - 1;
        for (place, &mv) in line.moves.iter().enumerate() {
            if place == 0 || board.side_to_move() == Color::White {
                let _ = write!(html, " {}", number(&board));
            }
            let (san, words) = (board.san(mv), number(&board));
            let after = board.after(mv);
            let text = format!("{words} {san} – better line, {}", line.value);
            let node = node(&after, index - 1, text, line.value);
            self.nodes.push(node.after(before, Some(mv)));
            before = self.nodes.len() - 1;
            let _ = write!(
                html,
                " <button type=\"button\" data-n=\"{before}\">{san}</button>"
            );
            board = after;
        }
        html + "</span>"
    }

    /// The game's comments, without their commands for programs.
    fn comments(&mut self, comments: &[String]) {
        for comment in comments {
            let text = without_commands(&Annotations::from(comment.as_str()).text);
            if !text.is_empty() {
                self.note("comment", &escaped(&text));
            }
        }
    }

    fn note(&mut self, class: &str, html: &str) {
        self.add(format_args!("<p class=\"note {class}\">{html}</p>"));
        self.is_broken = true;
    }

    fn add(&mut self, html: impl std::fmt::Display) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.html, "{html}");
    }
}

/// The clock after a move.
fn clock(comments: &[String]) -> Option<String> {
    let mut clocks = comments
        .iter()
        .filter_map(|comment| Annotations::from(comment.as_str()).clock);
    let seconds = clocks.next()?.as_secs();
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    Some(match hours {
        0 => format!("{minutes}:{seconds:02}"),
        _ => format!("{hours}:{minutes:02}:{seconds:02}"),
    })
}

fn without_commands(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some(begin) = rest.find("[%") {
        let Some(length) = rest[begin..].find(']') else {
            break;
        };
        plain += &rest[..begin];
        rest = &rest[begin + length + 1..];
    }
    (plain + rest).trim().to_owned()
}

fn of_move(judged: &JudgedMove, index: usize) -> Node {
    let mark = judged.judgement.map_or("", |judgement| judgement.mark());
    let mut text = format!(
        "{} {}{mark} {}",
        judged.number(),
        judged.san(),
        judged.value
    );
    if let Some(verdict) = judged.verdict() {
        let _ = write!(text, " · {verdict}");
    }
    node(&judged.after, index, text, judged.value)
        .after(index - 1, judged.mv)
        .followed_by(&judged.after, &judged.line)
}

/// A position without a previous node.
fn node(board: &Board, index: usize, text: String, value: Value) -> Node {
    let fen = board.fen();
    let in_check = board.in_check().then(|| board.king(board.side_to_move()));
    Node {
        f: fen.split(' ').next().unwrap_or_default().to_owned(),
        m: None,
        k: in_check.map(|king| king.to_string()),
        p: None,
        i: index,
        t: text,
        l: String::new(),
        c: (10.0 * winning_chance(value)).round() / 10.0,
    }
}

impl Node {
    /// The same, reached by a move from the previous node.
    fn after(self, before: usize, mv: Option<Move>) -> Node {
        Node {
            p: Some(before),
            m: mv.map(|mv| [mv.from().to_string(), target(mv).to_string()]),
            ..self
        }
    }

    /// The same, with the expected line.
    fn followed_by(self, board: &Board, line: &[Move]) -> Node {
        Node {
            l: line_text(board, &line[..line.len().min(LONGEST_LINE)]),
            ..self
        }
    }
}

/// A line of play in SAN, with move numbers.
fn line_text(board: &Board, line: &[Move]) -> String {
    let mut board = *board;
    let mut words = Vec::new();
    for (index, &mv) in line.iter().enumerate() {
        if index == 0 || board.side_to_move() == Color::White {
            words.push(number(&board));
        }
        words.push(board.san(mv).to_string());
        board.make(mv);
    }
    words.join(" ")
}

/// The square of a move's piece after the move; for castling, the king's new square.
fn target(mv: Move) -> Square {
    match mv.is_castling() {
        true => Square::new(Wing::of(mv.from(), mv.to()).king_file(), mv.to().rank()),
        false => mv.to(),
    }
}
