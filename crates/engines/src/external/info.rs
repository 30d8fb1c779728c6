//! Parses `info` lines, word by word.
//!
//! It must not know when they were received.

use crate::excerpt::excerpt;
use crate::score::{Score, win_draw_loss};
use crate::{Report, ScoreBound};
use chess::{Board, Move};
use std::str::{FromStr, SplitAsciiWhitespace};
use std::time::Duration;

/// The fields of an `info` line; those not given are `None`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Info<'a> {
    pub(super) depth: Option<u32>,
    pub(super) selective_depth: Option<u32>,
    pub(super) rank: Option<usize>,
    pub(super) score: Option<Score>,
    pub(super) bound: Option<ScoreBound>,
    pub(super) wdl: Option<[u32; 3]>,
    pub(super) nodes: Option<u64>,
    pub(super) nodes_per_second: Option<u64>,
    pub(super) time: Option<u64>,
    pub(super) table_fill: Option<u32>,
    pub(super) tablebase_hits: Option<u64>,
    /// The words of the principal variation.
    pub(super) line: Vec<&'a str>,
    /// What is malformed, as messages.
    pub(super) faults: Vec<String>,
}

/// Whether a word begins a field of an `info` line, so that it is not a move.
fn is_key(word: &str) -> bool {
    matches!(
        word,
        "depth"
            | "seldepth"
            | "multipv"
            | "score"
            | "cp"
            | "mate"
            | "lowerbound"
            | "upperbound"
            | "wdl"
            | "nodes"
            | "nps"
            | "time"
            | "hashfull"
            | "tbhits"
            | "sbhits"
            | "cpuload"
            | "currmove"
            | "currmovenumber"
            | "currline"
            | "refutation"
            | "pv"
            | "string"
    )
}

impl<'a> Info<'a> {
    /// Parses the words after `info`.
    pub(super) fn read(words: &'a str) -> Info<'a> {
        let mut info = Info::default();
        let mut words = words.split_ascii_whitespace();
        let mut next = words.next();
        while let Some(key) = next {
            next = match key {
                // The rest is a message for people.
                "string" => None,
                "pv" | "refutation" | "currline" => {
                    let mut last = None;
                    let moves = words.by_ref().take_while(|&word| {
                        last = Some(word).filter(|word| is_key(word));
                        last.is_none()
                    });
                    let moves: Vec<_> = moves.collect();
                    if key == "pv" {
                        info.line = moves;
                    }
                    last
                }
                _ => {
                    info.read_value(key, &mut words);
                    words.next()
                }
            };
        }
        info
    }

    fn read_value(&mut self, key: &str, words: &mut SplitAsciiWhitespace<'a>) {
        let faults = &mut self.faults;
        match key {
            "depth" => self.depth = number(key, words.next(), faults),
            "seldepth" => self.selective_depth = number(key, words.next(), faults),
            "multipv" => self.rank = number(key, words.next(), faults),
            "nodes" => self.nodes = number(key, words.next(), faults),
            "nps" => self.nodes_per_second = number(key, words.next(), faults),
            "time" => self.time = number(key, words.next(), faults),
            "hashfull" => self.table_fill = number(key, words.next(), faults),
            "tbhits" => self.tablebase_hits = number(key, words.next(), faults),
            "sbhits" | "cpuload" | "currmovenumber" => {
                number::<u64>(key, words.next(), faults);
            }
            "currmove" => drop(words.next()),
            // Most programs write `score` before `cp` or `mate`, some do not.
            "score" => {}
            "cp" => self.score = number(key, words.next(), faults).map(Score::Centipawns),
            "mate" => self.score = number(key, words.next(), faults).map(Score::Mate),
            "lowerbound" => self.bound = Some(ScoreBound::Lower),
            "upperbound" => self.bound = Some(ScoreBound::Upper),
            "wdl" => {
                let mut next = || number(key, words.next(), faults);
                if let (Some(win), Some(draw), Some(loss)) = (next(), next(), next()) {
                    self.wdl = Some([win, draw, loss]);
                }
            }
            _ => faults.push(format!("the unknown word '{}'", excerpt(key))),
        }
    }

    /// The same information in the form of our own players' reports.
    pub(super) fn report(&self, board: &Board) -> Report {
        let score = self.score.unwrap_or(Score::Centipawns(0));
        Report {
            depth: self.depth.unwrap_or(0),
            selective_depth: self.selective_depth.or(self.depth).unwrap_or(0),
            rank: self.rank.unwrap_or(1),
            score,
            bound: self.bound.unwrap_or(ScoreBound::Exact),
            wdl: self.wdl.unwrap_or_else(|| chances(score)),
            nodes: self.nodes.unwrap_or(0),
            time: Duration::from_millis(self.time.unwrap_or(0)),
            table_fill: self.table_fill.unwrap_or(0),
            tablebase_hits: self.tablebase_hits.unwrap_or(0),
            line: legal_beginning(board, &self.line),
        }
    }
}

fn number<T: FromStr>(key: &str, word: Option<&str>, faults: &mut Vec<String>) -> Option<T> {
    let number = word.and_then(|word| word.parse().ok());
    if number.is_none() {
        let found = excerpt(word.unwrap_or("nothing"));
        faults.push(format!("'{key} {found}' is not a number"));
    }
    number
}

fn chances(score: Score) -> [u32; 3] {
    match score {
        Score::Mate(moves) if moves > 0 => [1000, 0, 0],
        Score::Mate(_) => [0, 0, 1000],
        Score::Centipawns(value) => win_draw_loss(value),
    }
}

/// The moves of a variation up to the first illegal one.
pub(super) fn legal_beginning(board: &Board, words: &[&str]) -> Vec<Move> {
    let mut board = *board;
    let mut moves = Vec::with_capacity(words.len());
    for word in words {
        let Ok(mv) = board.parse_uci(word) else {
            break;
        };
        board.make(mv);
        moves.push(mv);
    }
    moves
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_read() {
        let info = Info::read(
            "depth 9 seldepth 14 multipv 2 score cp -31 lowerbound wdl 100 700 200 nodes 5000 \
             nps 250000 hashfull 3 tbhits 1 time 20 pv e2e4 e7e5",
        );
        assert_eq!(info.nodes_per_second, Some(250_000));
        assert!(info.faults.is_empty(), "{:?}", info.faults);
        let report = info.report(&Board::start());
        let words: Vec<_> = report.line.iter().map(|mv| format!("{mv:?}")).collect();
        assert_eq!(words, ["e2e4", "e7e5"]);
        assert_eq!(
            report,
            Report {
                depth: 9,
                selective_depth: 14,
                rank: 2,
                score: Score::Centipawns(-31),
                bound: ScoreBound::Lower,
                wdl: [100, 700, 200],
                nodes: 5000,
                time: Duration::from_millis(20),
                table_fill: 3,
                tablebase_hits: 1,
                line: report.line.clone(),
            }
        );
    }

    #[test]
    fn a_variation_may_stand_anywhere() {
        let info = Info::read("pv e2e4 e7e5 score mate -3 refutation d2d4 d7d5 depth 4");
        assert_eq!(info.line, ["e2e4", "e7e5"]);
        assert_eq!(info.score, Some(Score::Mate(-3)));
        assert_eq!(info.depth, Some(4));
        assert_eq!(info.report(&Board::start()).wdl, [0, 0, 1000]);
        assert!(info.faults.is_empty(), "{:?}", info.faults);
    }

    #[test]
    fn an_illegal_move_ends_a_variation() {
        let info = Info::read("score cp 1 pv e2e4 e2e4 e7e5");
        assert_eq!(info.report(&Board::start()).line.len(), 1);
    }

    #[test]
    fn what_people_should_read_is_not_read() {
        let info = Info::read("depth 3 string score cp 9 nonsense");
        assert_eq!(info.score, None);
        assert!(info.faults.is_empty(), "{:?}", info.faults);
    }

    #[test]
    fn faults_are_named() {
        let info = Info::read("depth x nodes -1 score cp 1.5 wdl 1 2 best time");
        assert_eq!(
            info.faults,
            [
                "'depth x' is not a number",
                "'nodes -1' is not a number",
                "'cp 1.5' is not a number",
                "'wdl best' is not a number",
                "'time nothing' is not a number"
            ]
        );
        assert_eq!(info.report(&Board::start()).score, Score::Centipawns(0));
        assert_eq!(Info::read("best 1").faults[0], "the unknown word 'best'");
    }
}
