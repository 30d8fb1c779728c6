//! What a ply of another program costs us, beside a bare pipe, in one
//! interleaved run.
//!
//! `cargo bench -p tabia-engines --bench pipe -- [GAMES] [ROUNDS]` lets Debian's
//! Stockfish play itself with 100 nodes a move, two games at once, in rounds of
//! so many games. Ours is the whole loop of a match without its records:
//! `External` as both players, every move checked and played, every end found.
//! After each game the bare pipe sends the same lines to programs of the same
//! kind and looks for `bestmove`, without any chess. What counts is the processor
//! time of the thread that does it; neither has another one.

use chess::{Board, Game};
use engines::external::{External, ProgramOptions};
use engines::{Limits, Player, StopSignal};
use rustix::time::{ClockId, clock_gettime};
use std::env;
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

const NODES: u64 = 100;
const AT_ONCE: usize = 2;
/// Plies played at random, so that no two games are the same.
const OPENING: usize = 8;
/// A mebibyte of hash each: clearing more would be all that is measured.
const HASH: &str = "1";

fn main() {
    let Some(program) = find_stockfish() else {
        println!("Stockfish is not installed (Debian package stockfish): nothing is measured");
        return;
    };
    // Cargo passes `--bench`.
    let mut numbers = env::args().filter_map(|word| word.parse().ok());
    let games = numbers
        .next()
        .unwrap_or(100_usize)
        .next_multiple_of(AT_ONCE);
    let rounds = numbers.next().unwrap_or(5_usize).max(1);
    let mut tables: Vec<_> = (0..AT_ONCE).map(|_| Table::new(&program)).collect();
    println!(
        "{} with {NODES} nodes a move, {AT_ONCE} games at once, {rounds} rounds of {games} games\n",
        program.display()
    );
    println!("{:>18}{:>26}{:>26}", "", "ours", "bare pipe");
    println!(
        "{:>6}{:>12}{:>12}{:>14}{:>12}{:>14}{:>8}",
        "round", "plies/game", "games/s", "CPU ms/game", "games/s", "CPU ms/game", "ratio"
    );
    let ratios = (0..rounds).map(|round| measure(round, games, &mut tables));
    let mut ratios: Vec<f64> = ratios.collect();
    ratios.sort_by(f64::total_cmp);
    println!(
        "\nmedian ratio of processor time: {:.2}",
        ratios[rounds / 2]
    );
}

/// Four programs, of which two play at a time.
struct Table {
    ours: [External; 2],
    bare: [Bare; 2],
}

/// What some games cost.
#[derive(Clone, Copy, Default)]
struct Cost {
    time: Duration,
    processor: Duration,
}

#[derive(Default)]
struct Costs {
    plies: usize,
    ours: Cost,
    bare: Cost,
}

/// Plays a round at all tables at once, prints what it cost and gives the ratio.
fn measure(round: usize, games: usize, tables: &mut [Table]) -> f64 {
    let costs: Vec<Costs> = thread::scope(|scope| {
        let threads = tables.iter_mut().enumerate().map(|(index, table)| {
            let seeds = (round * games + index) as u64..((round + 1) * games) as u64;
            scope.spawn(move || table.play(seeds.step_by(AT_ONCE)))
        });
        let threads: Vec<_> = threads.collect();
        let ended = threads.into_iter().map(|thread| thread.join());
        ended.map(|costs| costs.expect("no panic")).collect()
    });
    let plies: usize = costs.iter().map(|costs| costs.plies).sum();
    print!("{:>6}{:>12.1}", round + 1, plies as f64 / games as f64);
    let sides: [fn(&Costs) -> Cost; 2] = [|costs| costs.ours, |costs| costs.bare];
    let [ours, bare] = sides.map(|side| {
        let seconds: f64 = costs
            .iter()
            .map(|costs| side(costs).time.as_secs_f64())
            .sum();
        let speed = (games * AT_ONCE) as f64 / seconds;
        let processor: Duration = costs.iter().map(|costs| side(costs).processor).sum();
        let milliseconds = processor.as_secs_f64() * 1e3 / games as f64;
        print!("{speed:>12.1}{milliseconds:>14.3}");
        milliseconds
    });
    println!("{:>8.2}", ours / bare);
    ours / bare
}

impl Table {
    fn new(program: &Path) -> Table {
        Table {
            ours: [(); 2].map(|()| ours(program)),
            bare: [(); 2].map(|()| Bare::start(program)),
        }
    }

    /// Plays games, and each once more through bare pipes.
    fn play(&mut self, seeds: impl Iterator<Item = u64>) -> Costs {
        let mut costs = Costs::default();
        for seed in seeds {
            let game = costs.ours.of(|| play(&mut self.ours, seed));
            let lines = lines_of(&game);
            costs.bare.of(|| replay(&mut self.bare, &lines));
            costs.plies += lines.len();
        }
        costs
    }
}

impl Cost {
    /// Does something and adds what it cost.
    fn of<T>(&mut self, work: impl FnOnce() -> T) -> T {
        let begin = Instant::now();
        let processor = processor_time();
        let done = work();
        self.processor += processor_time() - processor;
        self.time += begin.elapsed();
        done
    }
}

fn processor_time() -> Duration {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

fn ours(program: &Path) -> External {
    let mut options = ProgramOptions::new(program);
    options.settings = vec![("Hash".to_owned(), HASH.to_owned())];
    External::start(options).expect("Stockfish starts")
}

/// A whole game as a match plays it.
fn play(players: &mut [External; 2], seed: u64) -> Game {
    let mut game = opening(seed);
    let limits = Limits::nodes(NODES);
    let stop = StopSignal::new();
    for player in players.iter_mut() {
        player.new_game(0).expect("it is ready");
    }
    while game.termination().is_none() {
        let player = &mut players[game.moves().len() % 2];
        let answer = player.choose(&game, &limits, &stop, &mut |_| {});
        let best = answer.expect("it answers").best.expect("a move");
        game.play(best).expect("a legal move");
    }
    game
}

fn opening(seed: u64) -> Game {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    loop {
        let mut game = Game::new(Board::start());
        while game.moves().len() < OPENING && game.termination().is_none() {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            let moves = game.board().legal_moves();
            let mv = moves[(state >> 33) as usize % moves.len()];
            game.play(mv).expect("a legal move");
        }
        if game.termination().is_none() {
            return game;
        }
    }
}

/// What was sent for each move of a game.
fn lines_of(game: &Game) -> Vec<String> {
    let mut position = "position startpos moves".to_owned();
    let mut lines = Vec::new();
    let boards = game.line().boards();
    for (index, (board, &mv)) in boards.iter().zip(game.moves()).enumerate() {
        if index >= OPENING {
            lines.push(format!("{position}\ngo nodes {NODES}\n"));
        }
        let _ = write!(position, " {}", board.uci(mv, Default::default()));
    }
    lines
}

/// A program behind nothing but its pipes.
struct Bare {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    line: Vec<u8>,
}

impl Bare {
    fn start(program: &Path) -> Bare {
        let mut process = Command::new(program)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("Stockfish starts");
        let input = process.stdin.take().expect("its input");
        let output = BufReader::new(process.stdout.take().expect("its output"));
        let mut bare = Bare {
            process,
            input,
            output,
            line: Vec::new(),
        };
        let setting = format!("setoption name Hash value {HASH}\nisready\n");
        bare.ask(&setting, b"readyok");
        bare
    }

    /// Says something and waits for the line that begins so.
    fn ask(&mut self, text: &str, beginning: &[u8]) {
        self.input.write_all(text.as_bytes()).expect("it listens");
        self.line.clear();
        while !self.line.starts_with(beginning) {
            self.line.clear();
            let count = self.output.read_until(b'\n', &mut self.line);
            assert!(count.expect("it speaks") > 0, "it ended");
        }
    }
}

impl Drop for Bare {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn replay(engines: &mut [Bare; 2], lines: &[String]) {
    for engine in engines.iter_mut() {
        engine.ask("ucinewgame\nisready\n", b"readyok");
    }
    for (index, line) in lines.iter().enumerate() {
        engines[index % 2].ask(line, b"bestmove");
    }
}

/// Debian keeps chess engines in a folder that is not on root's PATH.
fn find_stockfish() -> Option<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path)
        .chain([PathBuf::from("/usr/games")])
        .map(|folder| folder.join("stockfish"))
        .find(|program| program.is_file())
}
