//! A judged game as PGN: all of the original game, with the engine's findings added.
//!
//! Additions stand before the game's own comments and after its own marks and variations: a comment
//! on each move, with the value as `[%eval]` and the expected line as `[%pv]`; a mark, unless the
//! move already has one; and the better lines for bad moves. A comment before the first move says
//! how both sides played.

use crate::finding::FoundLine;
use crate::review::{JudgedMove, Review, Side, san_words};
use data::pgn::{Damage, Game, PlayedMove, Problem, Salvaged, Variation};

/// The marks that judge a move.
const JUDGEMENTS: std::ops::RangeInclusive<u8> = 1..=6;

/// A judged game as PGN, with the empty line that ends each game.
pub fn annotated(salvaged: &Salvaged, review: &Review, annotator: &str) -> String {
    if let Some(damage) = salvaged
        .damage
        .as_ref()
        .filter(|damage| !damage.is_playable)
    {
        return format!("{}\n\n", damage.rest);
    }
    let original = &salvaged.game;
    let mut tags = original.tags().clone();
    let mut add = |name: &str, value: &str| {
        if tags.get(name).is_none() {
            tags.set(name, value);
        }
    };
    if let Some(opening) = &review.opening {
        add("ECO", &opening.eco);
        add("Opening", &opening.name);
    }
    add("Annotator", annotator);
    let mut game = Game::new(*original.start(), tags);
    game.result = original.result;
    game.moves = original.moves.clone();
    game.moves.comments.insert(0, introduction(review));
    for (played, judged) in game.moves.moves.iter_mut().zip(&review.moves) {
        annotate(played, judged);
    }
    if let Some(damage) = &salvaged.damage {
        let last = game.moves.moves.last_mut();
        let comments = last.map_or(&mut game.moves.comments, |last| &mut last.comments);
        comments.push(farewell(damage));
    }
    game.to_string()
}

fn annotate(played: &mut PlayedMove, judged: &JudgedMove) {
    let mut words = Vec::new();
    words.extend(
        judged
            .value
            .evaluation()
            .map(|value| format!("[%eval {value}]")),
    );
    if !judged.line.is_empty() {
        words.push(format!(
            "[%pv {}]",
            san_words(&judged.after, &judged.line).join(" ")
        ));
    }
    words.extend(judged.verdict());
    if !words.is_empty() {
        played.comments.insert(0, words.join(" "));
    }
    let is_marked = played.nags.iter().any(|nag| JUDGEMENTS.contains(nag));
    if !is_marked {
        played
            .nags
            .extend(judged.judgement.map(|judgement| judgement.nag()));
    }
    played.variations.extend(judged.better().map(variation));
}

fn variation(line: &FoundLine) -> Variation {
    let mut moves: Vec<PlayedMove> = line
        .moves
        .iter()
        .map(|&mv| PlayedMove::new(Some(mv)))
        .collect();
    if let (Some(first), Some(value)) = (moves.first_mut(), line.value.evaluation()) {
        first.comments.push(format!("[%eval {value}]"));
    }
    Variation {
        comments: Vec::new(),
        moves,
    }
}

fn introduction(review: &Review) -> String {
    let value = review.start.evaluation();
    let mut words: Vec<String> = value
        .map(|value| format!("[%eval {value}]"))
        .into_iter()
        .collect();
    for (name, side) in [("White", &review.white), ("Black", &review.black)] {
        words.extend(side_in_words(name, side));
    }
    words.join(" ")
}

fn side_in_words(name: &str, side: &Side) -> Option<String> {
    let (accuracy, loss) = (side.accuracy?, side.average_centipawn_loss?);
    Some(format!(
        "{name}: accuracy {accuracy:.1} %, average loss {loss:.0} centipawns, \
         inaccuracies {}, mistakes {}, blunders {}.",
        side.inaccuracies, side.mistakes, side.blunders
    ))
}

/// Why the analysis of a game ends early, and the text that was not read.
pub(crate) fn farewell(damage: &Damage) -> String {
    // A diagram is next to it, so the full position is not repeated.
    let problem = match &damage.problem {
        Problem::Move {
            word,
            number,
            error,
            ..
        } => format!("{number} {word}: {error}"),
        other => other.to_string(),
    };
    let rest = &damage.rest;
    format!("Analysed up to here: {problem}. The rest of the text: {rest}")
}
