//! A thousand random scripts: whatever a client sends, the session lives, and
//! every search is answered exactly once, by a legal move.

use crate::client::{Client, classical, tree_search};
use crate::random::Random;
use chess::{Board, Game};
use engines::Engine;
use std::collections::VecDeque;

const SCRIPTS: u64 = 1000;

const POSITIONS: [&str; 10] = [
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1",
    "R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1",
    "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    "8/8/8/4k3/8/8/4K3/8 w - - 0 1",
    "4k3/P6p/8/8/8/8/p6P/4K3 b - - 99 80",
    "bbnrknqr/pppppppp/8/8/8/8/PPPPPPPP/BBNRKNQR w HDhd - 0 1",
    "Q6k/1Q6/2Q5/3Q4/4Q3/5Q2/6K1/8 b - - 0 1",
];

/// What a line does, as far as the test must know it.
enum Effect {
    None,
    Position(Box<Game>),
    Go { ends_by_itself: bool },
}

struct Script<'a> {
    random: &'a mut Random,
    game: Game,
}

impl Script<'_> {
    fn line(&mut self) -> (String, Effect) {
        match self.random.below(14) {
            0..4 => self.position(),
            4..8 => self.go(),
            8 => (self.option(), Effect::None),
            9 => (self.garbage(), Effect::None),
            10 => ("stop".to_owned(), Effect::None),
            11 => ("ponderhit".to_owned(), Effect::None),
            12 => {
                let plain = [
                    "uci",
                    "isready",
                    "ucinewgame",
                    "d",
                    "eval",
                    "help",
                    "debug on",
                ];
                (self.random.pick(&plain).to_owned(), Effect::None)
            }
            _ => {
                let odd = [
                    "",
                    "  ",
                    "go perft 2",
                    "bench 1",
                    "position",
                    "setoption",
                    "quit now?",
                ];
                match self.random.pick(&odd) {
                    // A session that has ended tests nothing more.
                    "quit now?" => ("quitting".to_owned(), Effect::None),
                    line => (line.to_owned(), Effect::None),
                }
            }
        }
    }

    fn position(&mut self) -> (String, Effect) {
        let (mut line, board) = if self.random.one_in(2) {
            ("position startpos".to_owned(), Board::start())
        } else {
            let fen = self.random.pick(&POSITIONS);
            let board = Board::from_fen(fen).expect(fen);
            (format!("position fen {fen}"), board)
        };
        let mut game = Game::new(board);
        let mut is_legal = true;
        line += " moves";
        for _ in 0..self.random.below(40) {
            let moves = game.board().legal_moves();
            if moves.is_empty() || self.random.one_in(300) {
                is_legal &= moves.is_empty();
                line += if moves.is_empty() { "" } else { " a1a1" };
                break;
            }
            let mv = moves[self.random.below(moves.len())];
            line += &format!(" {}", game.board().uci(mv, chess::CastlingStyle::Chess960));
            game.push(mv);
        }
        if self.random.one_in(10) {
            return (self.broken(&line), Effect::None);
        }
        match is_legal {
            true => (line, Effect::Position(Box::new(game))),
            false => (line, Effect::None),
        }
    }

    /// A line that can no longer be right.
    fn broken(&mut self, line: &str) -> String {
        let word = self
            .random
            .pick(&["z9z9", "\u{fffd}", "-", "e2e4e5", "\u{1}"]);
        format!("{line} {word}")
    }

    fn go(&mut self) -> (String, Effect) {
        let number = self.random.below(6);
        let (words, ends_by_itself) = match self.random.below(12) {
            0 => ("infinite".to_owned(), false),
            1 => ("ponder wtime 50 btime 50".to_owned(), false),
            2 => (String::new(), false),
            3 => (format!("mate {number}"), false),
            4 => (format!("movetime {number}"), true),
            5 => (
                format!("wtime {} btime {} winc {number}", number * 20, number * 7),
                true,
            ),
            6 => (format!("depth {number} searchmoves e2e4 a7a8q x"), true),
            7 => ("nodes -7 joho".to_owned(), true),
            8 => (format!("depth {number}"), true),
            _ => (format!("nodes {}", 1 + number * 400), true),
        };
        (format!("go {words}"), Effect::Go { ends_by_itself })
    }

    fn option(&mut self) -> String {
        let name = self.random.pick(&[
            "Hash",
            "Threads",
            "MultiPV",
            "move overhead",
            "UCI_Chess960",
            "UCI_ShowWDL",
            "Clear Hash",
            "SyzygyPath",
            "EvalFile",
            "StabilityTermination",
            "StabilityMinDepth",
            "WeightsFile",
            "CPuct",
            "GumbelMoves",
            "Temperature",
            "DirichletNoiseEpsilon",
            "TopK",
            "TreeReuse",
            "RootRepetitionPenalty",
            "VerboseMoveStats",
            "Joho",
        ]);
        let value = self
            .random
            .pick(&["1", "2", "3", "true", "false", "-4", "x y", "<empty>"]);
        match self.random.below(5) {
            0 => format!("setoption name {name}"),
            _ => format!("setoption name {name} value {value}"),
        }
    }

    fn garbage(&mut self) -> String {
        let length = self.random.below(60);
        (0..length)
            .map(|_| char::from_u32(self.random.below(0x300) as u32).unwrap_or('?'))
            .map(|letter| if letter == '\n' { ' ' } else { letter })
            .collect()
    }
}

/// Checks the lines of one search, the last of which is its answer.
fn check_search(lines: &[String], game: &Game, script: &str) {
    let board = game.board();
    for line in lines {
        if let Some((_, variation)) = line.split_once(" pv ") {
            let mut board = *board;
            for text in variation.split(' ') {
                let mv = board.parse_uci(text);
                let mv = mv.unwrap_or_else(|error| panic!("{error}: {line}\n{script}"));
                board.make(mv);
            }
        }
    }
    let answer = lines.last().expect("the answer");
    let words: Vec<_> = answer.split(' ').collect();
    match words[1] {
        "(none)" => assert!(!board.has_legal_move(), "{script}"),
        text => {
            let mv = board.parse_uci(text);
            let mv = mv.unwrap_or_else(|error| panic!("{error}: {answer}\n{script}"));
            if let Some(reply) = words.get(3) {
                let reply = board.after(mv).parse_uci(reply);
                assert!(reply.is_ok(), "{answer}\n{script}");
            }
        }
    }
}

/// Plays one script. A patient client waits for the end of each search that
/// ends by itself.
fn play(seed: u64, engine: fn() -> Box<dyn Engine>) {
    let mut random = Random::new(seed);
    let is_patient = random.one_in(2);
    let length = 1 + random.below(25);
    let mut script = Script {
        random: &mut random,
        game: Game::new(Board::start()),
    };
    let mut client = Client::start_with(engine);
    let mut asked = VecDeque::new();
    for _ in 0..length {
        let (line, effect) = script.line();
        client.send(&line);
        match effect {
            Effect::None => {}
            Effect::Position(game) => script.game = *game,
            Effect::Go { ends_by_itself } => {
                asked.push_back(script.game.clone());
                if is_patient && ends_by_itself {
                    for _ in 0..client.missing_answers(asked.len()) {
                        client.receive_until("bestmove");
                    }
                }
            }
        }
    }
    let transcript = if random.one_in(2) {
        client.quit()
    } else {
        client.hang_up();
        client.end()
    };
    assert!(!transcript.contains("internal error"), "{transcript}");
    let said: Vec<String> = transcript
        .lines()
        .filter(|line| !line.starts_with("> "))
        .map(str::to_owned)
        .collect();
    let searches: Vec<_> = said
        .split_inclusive(|line| line.starts_with("bestmove "))
        .filter(|lines| {
            lines
                .last()
                .is_some_and(|line| line.starts_with("bestmove "))
        })
        .collect();
    assert_eq!(searches.len(), asked.len(), "{transcript}");
    for (lines, game) in searches.iter().zip(&asked) {
        check_search(lines, game, &transcript);
    }
}

#[test]
fn random_scripts_are_survived_and_answered() {
    for seed in 1..=SCRIPTS {
        play(seed, classical);
    }
}

#[test]
fn random_scripts_are_survived_and_answered_by_the_tree_search() {
    for seed in 1..=SCRIPTS {
        play(seed, tree_search);
    }
}
