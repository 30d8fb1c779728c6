//! Tests that arbitrary output of a program never causes a panic, and that all moves and scores
//! read from it are legal.

use super::answer;
use super::declared::DeclaredOption;
use super::handshake::Handshake;
use super::info::Info;
use super::lines::Lines;
use chess::Board;

/// Reproducible pseudo-random numbers.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as usize % bound
    }
}

/// Words of the protocol, and some that mean nothing.
const WORDS: [&str; 40] = [
    "info",
    "depth",
    "seldepth",
    "multipv",
    "score",
    "cp",
    "mate",
    "lowerbound",
    "wdl",
    "nodes",
    "nps",
    "time",
    "hashfull",
    "tbhits",
    "currmove",
    "refutation",
    "pv",
    "string",
    "e2e4",
    "e7e5",
    "g1f3",
    "a1h7",
    "e7e8q",
    "0000",
    "(none)",
    "ponder",
    "-1",
    "99999999999999999999",
    "12",
    "1.5",
    "name",
    "type",
    "spin",
    "default",
    "min",
    "max",
    "combo",
    "var",
    "\u{1b}",
    "\u{fffd}é",
];

fn line(random: &mut Random) -> String {
    let count = random.below(14);
    let words = (0..count).map(|_| WORDS[random.below(WORDS.len())]);
    words.collect::<Vec<_>>().join(" ")
}

#[test]
fn lines_in_any_order_of_words_are_survived() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let start = Board::start();
    let mut handshake = Handshake::default();
    let mut answers = 0;
    for _ in 0..200_000 {
        let line = line(&mut random);
        let report = Info::read(&line).report(&start);
        let mut board = start;
        for mv in report.line {
            assert!(board.is_legal(mv), "{line}");
            board.make(mv);
        }
        if let Ok(answer) = answer::read(&line, &start, None) {
            answers += 1;
            assert!(answer.best.is_some_and(|mv| start.is_legal(mv)), "{line}");
        }
        if let Ok(option) = DeclaredOption::read(&line)
            && let Ok(setting) = option.setting("12")
        {
            assert_eq!(setting.lines().count(), 1, "{line}");
        }
        handshake.hear(&format!("option {line}"));
    }
    assert!(answers > 1000, "{answers}");
}

#[test]
fn lines_are_the_same_however_they_arrive() {
    let mut random = Random(7);
    let mut text = Vec::new();
    for _ in 0..20_000 {
        text.extend_from_slice(line(&mut random).as_bytes());
        text.push(b'\n');
    }
    let expected: Vec<_> = text
        .split(|&byte| byte == b'\n')
        .map(<[u8]>::trim_ascii)
        .collect();
    let mut lines = Lines::new();
    let mut found = Vec::new();
    let mut rest = &text[..];
    while !rest.is_empty() {
        let space = lines.space();
        let count = (1 + random.below(3000)).min(space.len()).min(rest.len());
        space[..count].copy_from_slice(&rest[..count]);
        lines.add(count);
        rest = &rest[count..];
        while let Some(line) = lines.take() {
            found.push(lines.at(line).to_vec());
        }
    }
    assert_eq!(found.len(), 20_000);
    assert!(
        found
            .iter()
            .zip(&expected)
            .all(|(found, expected)| found == expected)
    );
}
