//! The course of a match: its Elo and its sequential test, pair by pair.

use crate::error::LabError;
use arena::journal;
use arena::statistics::{Estimate, Pentanomial, Strength};
use chess::Color;
use std::collections::BTreeMap;
use std::path::Path;

pub use arena::statistics::Sprt;

/// The state of a match after some pairs.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Standing {
    /// The number of games counted so far.
    pub games: u64,
    /// The Elo of the first player above the second.
    pub elo: Estimate,
    /// The log-likelihood ratio, if there is a test.
    pub llr: Option<f64>,
}

/// The course of a match.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Course {
    /// The players; results are from the first one's point of view.
    pub players: [String; 2],
    /// The state after each pair, up to the first unfinished one.
    pub standings: Vec<Standing>,
}

/// The course of a match between two players, from its journal; empty if more than two met.
///
/// # Errors
/// If the file cannot be read, or is damaged.
pub fn course(path: &Path, sprt: Option<&Sprt>) -> Result<Course, LabError> {
    // The points of the player who has White in the first game, in half points.
    let mut halves: BTreeMap<usize, [Option<u32>; 2]> = BTreeMap::new();
    let mut names: Option<[String; 2]> = None;
    let mut is_duel = true;
    journal::look(path, &mut |line| {
        let is_first = line.index % 2 == 0;
        let [own, other] = match is_first {
            true => [&line.white, &line.black],
            false => [&line.black, &line.white],
        };
        let known = names.get_or_insert_with(|| [own.clone(), other.clone()]);
        is_duel &= [&known[0], &known[1]] == [own, other];
        let own_color = if is_first { Color::White } else { Color::Black };
        let points = match line.result.winner() {
            None => 1,
            Some(winner) => 2 * u32::from(winner == own_color),
        };
        halves.entry(line.index / 2).or_default()[line.index % 2] = Some(points);
    })?;
    let Some(players) = names.filter(|_| is_duel) else {
        return Ok(Course::default());
    };
    let mut counts = Pentanomial::default();
    let mut standings = Vec::new();
    for (pair, (number, points)) in halves.into_iter().enumerate() {
        let [Some(first), Some(second)] = points else {
            break;
        };
        if number != pair {
            break;
        }
        *match (first + second, first == 1) {
            (0, _) => &mut counts.loss_loss,
            (1, _) => &mut counts.loss_draw,
            (2, true) => &mut counts.draw_draw,
            (2, false) => &mut counts.win_loss,
            (3, _) => &mut counts.win_draw,
            _ => &mut counts.win_win,
        } += 1;
        standings.push(Standing {
            games: 2 * (pair as u64 + 1),
            elo: Strength::of(&counts).elo,
            llr: sprt.map(|sprt| sprt.judge(&counts).llr),
        });
    }
    Ok(Course { players, standings })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn journal(lines: &[(usize, &str)]) -> tempfile::NamedTempFile {
        let mut text =
            "{\"fingerprint\":\"f\",\"format\":1,\"kind\":\"plan\",\"plan\":{}}\n".to_owned();
        for (index, result) in lines {
            let [white, black] = match index % 2 {
                0 => ["new", "old"],
                _ => ["old", "new"],
            };
            text += &format!(
                "{{\"kind\":\"game\",\"index\":{index},\"pair\":{},\"round\":0,\"white\":\"{white}\",\
                 \"black\":\"{black}\",\"result\":\"{result}\",\"reason\":\"checkmate\",\"book\":0,\
                 \"plies\":0,\"moves\":\"\",\"scores\":[],\"depths\":[],\"nodes\":[],\
                 \"started\":\"2026-01-01T00:00:00Z\",\"milliseconds\":1,\"times\":[]}}\n",
                index / 2
            );
        }
        let file = tempfile::NamedTempFile::new().expect("a file");
        std::fs::write(file.path(), text).expect("room");
        file
    }

    #[test]
    fn pairs_count_as_far_as_none_is_missing() {
        // Two wins of the new model, then one win each, then a pair with a missing game.
        let file = journal(&[(1, "0-1"), (0, "1-0"), (2, "1-0"), (3, "1-0"), (5, "0-1")]);
        let sprt: Sprt = serde_json::from_str("{\"elo0\":0,\"elo1\":50}").expect("a test");
        let course = course(file.path(), Some(&sprt)).expect("a match");
        assert_eq!(course.players, ["new", "old"]);
        let games: Vec<u64> = course.standings.iter().map(|at| at.games).collect();
        assert_eq!(games, [2, 4]);
        assert!(course.standings[0].elo.value > course.standings[1].elo.value);
        assert!(course.standings[1].llr.is_some_and(|llr| llr > 0.0));
    }
}
