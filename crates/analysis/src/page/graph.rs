//! The graph of White's winning chance over a game.
//!
//! The picture is stretched to the available width, so it must not contain letters or circles:
//! marks are strokes of zero length, which stay round.

use crate::chance::winning_chance;
use crate::review::Review;
use std::fmt::Write;

/// The picture: White's share is light, Black's dark; bad moves are marked.
pub(super) fn svg(review: &Review) -> String {
    let mut svg = open(review, "graph");
    for (index, judged) in review.moves.iter().enumerate() {
        if let Some(judgement) = judged.judgement {
            let height = 100.0 - winning_chance(judged.value);
            // Writing to a string cannot fail.
            let _ = writeln!(
                svg,
                "<path class=\"dot {}\" d=\"M{} {height:.1}h0\"/>",
                judgement.name().to_ascii_lowercase(),
                index + 1
            );
        }
    }
    svg + "<line class=\"cursor\" x1=\"0\" x2=\"0\" y1=\"0\" y2=\"100\"/>\n</svg>\n"
}

/// The same, small and without marks.
pub(super) fn small_svg(review: &Review) -> String {
    open(review, "spark") + "</svg>"
}

/// The numbers of moves below the picture.
pub(super) fn ticks(review: &Review) -> String {
    let moves = review.moves.len();
    let full_moves = moves.div_ceil(2);
    let step = if full_moves > 60 { 20 } else { 10 };
    let mut html = String::from("<div class=\"ticks\" aria-hidden=\"true\">");
    for (index, judged) in review.moves.iter().enumerate() {
        let number = judged.before.fullmove_number();
        let is_first_ply = judged.color() == chess::Color::White;
        if is_first_ply && number % step == 0 {
            let left = 100.0 * (index + 1) as f64 / moves as f64;
            let _ = write!(html, "<span style=\"left:{left:.1}%\">{number}</span>");
        }
    }
    html + "</div>\n"
}

fn open(review: &Review, class: &str) -> String {
    let moves = review.moves.len().max(1);
    let values =
        std::iter::once(review.start).chain(review.moves.iter().map(|judged| judged.value));
    let mut area = String::from("M0 100");
    for (index, value) in values.enumerate() {
        let _ = write!(area, "L{index} {:.1}", 100.0 - winning_chance(value));
    }
    let _ = write!(area, "L{moves} 100Z");
    format!(
        "<svg class=\"{class}\" viewBox=\"0 0 {moves} 100\" preserveAspectRatio=\"none\" role=\"img\" \
         aria-label=\"White's winning chances, move by move\">\n\
         <path class=\"white\" d=\"{area}\"/>\n\
         <line class=\"even\" x1=\"0\" x2=\"{moves}\" y1=\"50\" y2=\"50\"/>\n"
    )
}
