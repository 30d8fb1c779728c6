//! `badengine MODE [NUMBER]`: a UCI engine that does one thing wrong.
//!
//! It searches nothing: the best move is the first legal one.

mod go;
mod mode;

use chess::{Board, CastlingStyle, Game};
use go::Go;
use mode::{Mode, USAGE};
use rustix::stdio::dup2_stdout;
use std::fs::File;
use std::io::{self, Write};
use std::process::ExitCode;
use std::thread;
use std::time::Duration;

fn main() -> ExitCode {
    let Some(mode) = Mode::read(std::env::args().skip(1)) else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    if let Mode::SlowStart(time) = mode {
        thread::sleep(time);
    }
    let mut engine = Engine {
        mode,
        input: io::stdin().lines(),
        game: Game::new(Board::start()),
        castling: CastlingStyle::Standard,
        moves: 0,
        readies: 0,
    };
    // A client that is gone ends the engine.
    let _ = engine.serve();
    if mode == Mode::Stays {
        hang();
    }
    ExitCode::SUCCESS
}

struct Engine {
    mode: Mode,
    input: io::Lines<io::StdinLock<'static>>,
    game: Game,
    castling: CastlingStyle,
    /// How many moves were asked for.
    moves: u64,
    /// How often it was asked whether it is ready.
    readies: u64,
}

impl Engine {
    fn serve(&mut self) -> io::Result<()> {
        while let Some(line) = self.input.next() {
            if !self.obey(&line?)? {
                break;
            }
        }
        Ok(())
    }

    /// Does what a line asks for; false if it is to end.
    fn obey(&mut self, line: &str) -> io::Result<bool> {
        let (word, rest) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
        match word {
            "uci" => self.introduce()?,
            "isready" => self.confirm()?,
            "setoption" => self.set_option(rest),
            "position" => self.set_up(rest),
            "go" => {
                let go = Go::read(rest, self.game.board());
                self.search(&go)?;
            }
            "quit" => return Ok(false),
            "ucinewgame" | "stop" | "ponderhit" | "debug" | "" => {}
            _ if self.mode == Mode::Fragile => {
                eprintln!("what is '{word}'?");
                std::process::exit(1);
            }
            _ => {}
        }
        Ok(true)
    }

    fn introduce(&self) -> io::Result<()> {
        if self.mode == Mode::HangUci {
            hang();
        }
        if self.mode == Mode::Sloppy {
            say("option name Hash type spin default 16")?;
            say("option name Style type combo default Wild var Calm")?;
            say("id name Sloppy")?;
            return say("uciok");
        }
        say("id name Bad Engine 1.0\nid author the Tabia developers")?;
        say("option name Hash type spin default 16 min 1 max 1024")?;
        say("option name Ponder type check default false")?;
        say("option name Style type combo default Calm var Calm var Very Wild")?;
        say("option name Book type string default <empty>")?;
        say("option name Clear Hash type button")?;
        say("option name UCI_Chess960 type check default false")?;
        say("uciok")
    }

    fn confirm(&mut self) -> io::Result<()> {
        self.readies += 1;
        if self.mode == Mode::HangIsReady(self.readies) {
            hang();
        }
        say("readyok")
    }

    fn set_option(&mut self, words: &str) {
        match words {
            "name UCI_Chess960 value true" => self.castling = CastlingStyle::Chess960,
            "name UCI_Chess960 value false" => self.castling = CastlingStyle::Standard,
            _ => {}
        }
        if self.mode == Mode::Fragile
            && let Some(value) = words.strip_prefix("name Hash value ")
        {
            let number = value.parse::<u32>();
            if !number.is_ok_and(|number| (1..=1024).contains(&number)) {
                eprintln!("what is {value}?");
                std::process::abort();
            }
        }
    }

    fn set_up(&mut self, words: &str) {
        let (start, moves) = words.split_once("moves").unwrap_or((words, ""));
        let board = match start.trim().strip_prefix("fen ") {
            Some(fen) => Board::from_fen(fen).expect("a FEN"),
            None => Board::start(),
        };
        let mut game = Game::new(board);
        for text in moves.split_whitespace() {
            let mv = game.board().parse_uci(text).expect("a legal move");
            let written = game.board().uci(mv, self.castling).to_string();
            assert_eq!(text, written, "castling is written otherwise");
            game.push(mv);
        }
        self.game = game;
    }

    /// Answers a search, in the way of the mode.
    fn search(&mut self, go: &Go) -> io::Result<()> {
        self.moves += 1;
        match self.mode {
            Mode::Crash(at) if at == self.moves => {
                eprintln!("first words\nbadengine crashes as it should\n");
                std::process::abort();
            }
            Mode::Exit(at) if at == self.moves => std::process::exit(3),
            Mode::Close(at) if at == self.moves => {
                close_output()?;
                hang();
            }
            Mode::HangGo => hang(),
            Mode::FloodLines(count) => flood(count, b"info depth 1 currmove e2e4 nodes 1\n")?,
            Mode::FloodLine(count) => {
                flood(count.map(|bytes| bytes / 16), b"info string xxxx")?;
                say("")?;
            }
            Mode::Complain(count) => {
                for line in 0..count {
                    eprintln!("complaint {line}");
                }
            }
            Mode::Late(time) => thread::sleep(time),
            _ => {}
        }
        let ignores_nodes = self.mode == Mode::IgnoresNodes;
        if go.is_endless(ignores_nodes) && !self.wait_for_stop()? {
            return Ok(());
        }
        self.answer(go)
    }

    /// Waits for `stop`, as after `go infinite`; false if it never comes.
    fn wait_for_stop(&mut self) -> io::Result<bool> {
        while let Some(line) = self.input.next() {
            match line?.trim() {
                "isready" => self.confirm()?,
                "stop" if self.mode != Mode::IgnoresStop => return Ok(true),
                "quit" if self.mode != Mode::Stays => std::process::exit(0),
                _ => {}
            }
        }
        Ok(false)
    }

    fn answer(&self, go: &Go) -> io::Result<()> {
        match self.mode {
            Mode::NoMove => return say("bestmove (none)"),
            Mode::Garbage => return say("bestmove \u{1b}[2J!"),
            Mode::Illegal(at) if at == self.moves => return say("bestmove a1h7"),
            _ => {}
        }
        let Some(best) = go.best(self.game.board(), self.castling) else {
            return say("bestmove (none)");
        };
        if self.mode == Mode::Sloppy {
            say("info depth one score cp 1.5 nodes many pv a1h7")?;
            return say(&format!("bestmove {best}"));
        }
        let nodes = match self.mode {
            Mode::ExceedsNodes(times) => go.nodes.unwrap_or(1) * times,
            Mode::IgnoresNodes => 10_000_000,
            _ => go.nodes.unwrap_or(1),
        };
        let depth = go.depth.unwrap_or(1);
        say(&format!(
            "info depth {depth} seldepth {depth} score cp 13 nodes {nodes} nps 1000 time 1 pv {best}"
        ))?;
        if self.mode == Mode::Twice {
            return say(&format!("bestmove {best}\nbestmove {best}"));
        }
        say(&format!("bestmove {best}"))
    }
}

/// Says something at once, and all of it together.
fn say(line: &str) -> io::Result<()> {
    let mut output = io::stdout().lock();
    output.write_all(format!("{line}\n").as_bytes())?;
    output.flush()
}

/// Repeats a text so often, or for ever.
fn flood(count: Option<u64>, text: &[u8]) -> io::Result<()> {
    let many = text.repeat(1000);
    let mut output = io::stdout().lock();
    for _ in 0..count.unwrap_or(u64::MAX) / 1000 {
        output.write_all(&many)?;
    }
    output.flush()
}

/// Closes standard output; what is said later goes nowhere.
fn close_output() -> io::Result<()> {
    Ok(dup2_stdout(File::create("/dev/null")?)?)
}

/// Does nothing, for ever.
fn hang() -> ! {
    loop {
        thread::sleep(Duration::from_secs(3600));
    }
}
