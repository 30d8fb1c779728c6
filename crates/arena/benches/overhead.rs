//! What a game costs beside the search, in-process.
//!
//! `cargo bench -p tabia-arena --bench overhead` plays games with a player who
//! makes some legal move at once, and with the alpha-beta player at small node
//! limits. Printed are games a second and microseconds a ply: in the search, in
//! preparing the players for a game, in keeping the journal, which waits for
//! the disk now and then, and in the game loop, which is all the rest. In a
//! match, the journal is kept beside the games by a thread of its own; the
//! goal of at most 5 microseconds a ply is for the loop.

use arena::game::{Endings, Rules, Side, play};
use arena::journal::Finished;
use arena::journal::{GameLine, Journal};
use arena::plan::{OpeningsPlan, Plan};
use arena::schedule::Format;
use chess::{Board, Game};
use engines::alphabeta::{self, AlphaBeta};
use engines::recipe::{Pace, PlayerSettings, resolve};
use engines::score::Score;
use engines::{Answer, Failure, Limits, Player, Report, StopSignal};
use nets::Classical;
use std::time::{Duration, Instant, SystemTime};

/// What the arena may cost, in microseconds a ply.
const GOAL: f64 = 5.0;

fn main() {
    println!("microseconds a ply in:");
    println!(
        "player                    games   games/s  plies/game    search  new game   journal      loop   goal {GOAL}"
    );
    measure("some legal move", 20_000, || (SomeMove(1), Pace::nodes(1)));
    for nodes in [50, 500, 5000] {
        let name = format!("alpha-beta, {nodes} nodes");
        let games = (200_000 / nodes).clamp(20, 1000);
        measure(&name, games, || (alpha_beta(), Pace::nodes(nodes)));
    }
}

fn alpha_beta() -> AlphaBeta<Classical> {
    let options = alphabeta::Options {
        hash: 1,
        ..alphabeta::Options::default()
    };
    AlphaBeta::new(Classical::default(), options)
}

/// Plays all games on one thread and prints a line.
fn measure<P: Player>(name: &str, games: u64, make: impl Fn() -> (P, Pace)) {
    let [(mut white, pace), (mut black, _)] = [make(), make()].map(|(player, pace)| {
        let watched = Watched {
            player,
            searching: Duration::ZERO,
            preparing: Duration::ZERO,
        };
        (watched, pace)
    });
    let stop = StopSignal::new();
    let rules = Rules::default();
    let openings = openings();
    let folder = tempfile::tempdir().expect("a folder for the journal");
    let plan = plan(games);
    let schedule = plan.schedule().expect("a schedule");
    let path = folder.path().join("journal.jsonl");
    let mut journal = Journal::open(&path, &plan, &schedule, None, &mut |_| {}).expect("a journal");
    let mut keeping = Duration::ZERO;
    let mut plies = 0;
    let begin = Instant::now();
    for index in 0..games as usize {
        let opening = openings[index % openings.len()].clone();
        let played = play(
            Side {
                player: &mut white,
                pace: &pace,
                seed: 0,
            },
            Side {
                player: &mut black,
                pace: &pace,
                seed: 1,
            },
            opening,
            &rules,
            &stop,
        );
        let finished = Finished {
            fixture: schedule.fixture(index),
            started: SystemTime::now(),
            played: played.expect("nobody stops it"),
        };
        plies += finished.played.thoughts.len();
        let begin = Instant::now();
        let line = GameLine::new(&finished, "white", "black");
        let line = serde_json::to_vec(&line).expect("JSON");
        journal.append(index, line).expect("a journal");
        keeping += begin.elapsed();
    }
    let total = begin.elapsed();
    let micros = |time: Duration| time.as_secs_f64() * 1e6 / plies as f64;
    let searching = white.searching + black.searching;
    let preparing = white.preparing + black.preparing;
    let looping = total.saturating_sub(searching + preparing + keeping);
    println!(
        "{name:<24} {games:>6} {:>9.1} {:>11.1} {:>9.2} {:>9.2} {:>9.2} {:>9.2}   {}",
        games as f64 / total.as_secs_f64(),
        plies as f64 / games as f64,
        micros(searching),
        micros(preparing),
        micros(keeping),
        micros(looping),
        if micros(looping) <= GOAL {
            "met"
        } else {
            "MISSED"
        },
    );
}

/// A plan for the journal; who plays does not matter to it.
fn plan(games: u64) -> Plan {
    let players = ["name=white nodes=1", "name=black nodes=1"]
        .map(|line| PlayerSettings::from_words(line).expect("settings"));
    let players = resolve(players.to_vec(), &PlayerSettings::default()).expect("players");
    let openings = OpeningsPlan {
        source: "two plies".to_owned(),
        count: 400,
        digest: String::new(),
    };
    Plan::new(
        players,
        Format::RoundRobin,
        games,
        openings,
        Endings::default(),
    )
}

/// Every two plies from the start.
fn openings() -> Vec<Game> {
    let start = Board::start();
    let mut openings = Vec::new();
    for &first in start.legal_moves().iter() {
        for &second in start.after(first).legal_moves().iter() {
            let mut game = Game::new(start);
            let played = game.play(first).and_then(|_| game.play(second));
            openings.extend(played.is_ok().then_some(game));
        }
    }
    openings
}

/// A player whose time is measured.
struct Watched<P> {
    player: P,
    searching: Duration,
    preparing: Duration,
}

impl<P: Player> Player for Watched<P> {
    fn new_game(&mut self, seed: u64) -> Result<(), Failure> {
        let begin = Instant::now();
        let ready = self.player.new_game(seed);
        self.preparing += begin.elapsed();
        ready
    }

    fn choose(
        &mut self,
        game: &Game,
        limits: &Limits,
        stop: &StopSignal,
        report: &mut dyn FnMut(&Report),
    ) -> Result<Answer, Failure> {
        let begin = Instant::now();
        let answer = self.player.choose(game, limits, stop, report);
        self.searching += begin.elapsed();
        answer
    }
}

/// A player who does not think: its moves come from a linear congruence.
struct SomeMove(u64);

impl Player for SomeMove {
    fn new_game(&mut self, _seed: u64) -> Result<(), Failure> {
        Ok(())
    }

    fn choose(
        &mut self,
        game: &Game,
        _: &Limits,
        _: &StopSignal,
        _: &mut dyn FnMut(&Report),
    ) -> Result<Answer, Failure> {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        let moves = game.board().legal_moves();
        let index = (self.0 >> 33) as usize % moves.len().max(1);
        Ok(Answer {
            depth: 1,
            nodes: 1,
            ..Answer::new(moves.get(index).copied(), Score::Centipawns(0))
        })
    }
}
