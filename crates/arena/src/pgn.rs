//! Games of the journal as PGN.
//!
//! Every move of a player has a comment with its score for the side that moved, depth, nodes and
//! time: `{+0.31/12 1234 0.050s}`. This module must not know files.

use crate::game::Thought;
use crate::journal::GameLine;
use crate::plan::Plan;
use chess::{Board, Color, File};
use data::pgn::{Game, GameResult, PlayedMove, Tags};
use engines::recipe::Pace;
use engines::score::Score;

/// The game of a line; `None` if its moves are not legal.
pub fn game(line: &GameLine, plan: &Plan, event: &str) -> Option<Game> {
    let start = line.start()?;
    let mut game = Game::new(start, tags(line, plan, event, &start));
    game.result = match line.result.winner() {
        Some(Color::White) => GameResult::WhiteWins,
        Some(Color::Black) => GameResult::BlackWins,
        None => GameResult::Draw,
    };
    for (mv, thought) in line.moves().ok()? {
        let mut played = PlayedMove::new(Some(mv));
        played.comments.push(comment(thought));
        game.moves.moves.push(played);
    }
    let end = line.end_in_words();
    match game.moves.moves.last_mut() {
        Some(last) => last.comments.push(end),
        None => game.moves.comments.push(end),
    }
    Some(game)
}

fn tags(line: &GameLine, plan: &Plan, event: &str, start: &Board) -> Tags {
    let began = format!("{:.0}", line.started);
    // A timestamp begins with the date: 2024-05-01T12:00:00Z.
    let date = began.get(..10).unwrap_or("????.??.??").replace('-', ".");
    let mut tags: Tags = [
        ("Event", event.to_owned()),
        ("Date", date),
        (
            "Round",
            format!("{}.{}", line.round + 1, line.index % 2 + 1),
        ),
        ("White", line.white.clone()),
        ("Black", line.black.clone()),
        ("Result", line.result.to_string()),
    ]
    .into_iter()
    .collect();
    if is_chess960(start) {
        tags.set("Variant", "Chess960");
    }
    let pace = |name: &str| {
        let player = plan.players.iter().find(|player| player.name == name);
        player.map(|player| &player.pace)
    };
    for (name, value) in limits(pace(&line.white), pace(&line.black)) {
        tags.set(name, value);
    }
    tags.set("GameStartTime", began);
    tags.set("GameDuration", duration(line.milliseconds));
    tags.set("PlyCount", line.plies.to_string());
    tags.set("Termination", line.reason.pgn_termination());
    tags
}

/// The tags for the limits of both players; one tag if the limits are equal.
fn limits(white: Option<&Pace>, black: Option<&Pace>) -> Vec<(&'static str, String)> {
    let (Some(white), Some(black)) = (white, black) else {
        return Vec::new();
    };
    let mut tags = Vec::new();
    if time_control(white) == time_control(black) {
        tags.push(("TimeControl", time_control(white)));
    } else {
        tags.push(("WhiteTimeControl", time_control(white)));
        tags.push(("BlackTimeControl", time_control(black)));
    }
    tags.push(("WhiteLimits", white.to_string()));
    tags.push(("BlackLimits", black.to_string()));
    tags
}

/// In the format of the PGN standard; a dash if there is no time limit.
fn time_control(pace: &Pace) -> String {
    match (pace.clock, pace.move_time) {
        (Some(control), _) => control.to_string(),
        (None, Some(time)) => format!("1/{time}"),
        (None, None) => "-".to_owned(),
    }
}

fn duration(milliseconds: u64) -> String {
    let seconds = milliseconds / 1000;
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    format!("{hours:02}:{minutes:02}:{:02}", seconds % 60)
}

fn comment(thought: Option<Thought>) -> String {
    let Some(thought) = thought else {
        return "book".to_owned();
    };
    let time = format!("{:.3}s", thought.time.as_secs_f64());
    match thought.score {
        Some(score) => format!(
            "{}/{} {} {time}",
            score_in_pawns(score),
            thought.depth,
            thought.nodes
        ),
        None => time,
    }
}

fn score_in_pawns(score: Score) -> String {
    match score {
        Score::Centipawns(value) => format!("{:+.2}", f64::from(value) / 100.0),
        Score::Mate(moves) if moves > 0 => format!("+M{moves}"),
        Score::Mate(moves) => format!("-M{}", -moves),
    }
}

/// Whether the castling rights are those of Chess960 only.
fn is_chess960(board: &Board) -> bool {
    Color::ALL.into_iter().any(|color| {
        let rooks = board.castling().rooks(color);
        let is_usual = |file: File| matches!(file, File::A | File::H);
        rooks.any()
            && (board.king(color).file() != File::E
                || rooks.into_iter().any(|rook| !is_usual(rook.file())))
    })
}
