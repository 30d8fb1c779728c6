//! The state machine of a session: what the client sent, what is in progress, and what may be sent
//! when.
//!
//! One thread reads, one plays, and this one owns everything else, so that lines are never mixed
//! and every command is answered at once. It must not know how a move is found.

use super::go::GoWords;
use super::info::Style;
use super::job::{Event, Job, Worker};
use super::lines::read_line;
use super::parse::{COMMANDS, Command, parse};
use super::tasks::{Hold, Tasks};
use super::{go, info, position};
use crate::excerpt::excerpt;
use crate::options::{self, Declaration};
use crate::{Engine, STACK_BYTES, StopSignal, bench};
use chess::{Board, Game};
use nets::Model;
use std::io::{self, BufRead, Write};
use std::sync::mpsc::{self, Receiver, Sender, SyncSender};
use std::thread;
use std::time::Instant;

/// How many events may be queued: a client that floods has to wait.
const EVENTS: usize = 256;

/// How the engine identifies itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Identity {
    /// Name and version.
    pub name: String,
    /// The author.
    pub author: String,
}

/// Serves a client until it quits, its input ends or it closes our output. Any engine can play; its
/// options are declared and set.
///
/// # Errors
/// If a thread cannot be started, or writing fails for any reason but a closed output.
pub fn run(
    identity: &Identity,
    player: Box<dyn Engine>,
    input: impl BufRead + Send + 'static,
    output: impl Write,
) -> io::Result<()> {
    let (events, received) = mpsc::sync_channel(EVENTS);
    let (jobs, queue) = mpsc::channel();
    let (declarations, model) = (player.declarations(), player.model().clone());
    let worker = Worker::new(player, events.clone());
    let playing = thread::Builder::new()
        .name("player".to_owned())
        .stack_size(STACK_BYTES)
        .spawn(move || worker.run(&queue))?;
    thread::Builder::new()
        .name("input".to_owned())
        .spawn(move || read(input, &events))?;
    let mut session = Session {
        identity,
        declarations,
        model,
        style: Style::default(),
        game: Game::new(Board::start()),
        tasks: Tasks::default(),
        changes: 0,
        in_force: 0,
        promises: 0,
        jobs,
        output,
    };
    let served = session.serve(&received);
    session.tasks.stop();
    // Without the sender of jobs the player's thread ends; without the receiver of events it cannot
    // block.
    drop((session, received));
    let _ = playing.join();
    match served {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        served => served,
    }
}

/// Forwards lines until the input ends or the session is over.
fn read(mut input: impl BufRead, events: &SyncSender<Event>) {
    // An error while reading ends the input.
    while let Ok(Some(line)) = read_line(&mut input) {
        if events.send(Event::Input(line, Instant::now())).is_err() {
            return;
        }
    }
    let _ = events.send(Event::InputEnded);
}

enum Flow {
    Continue,
    Quit,
}

struct Session<'a, W> {
    identity: &'a Identity,
    /// The options that can be set.
    declarations: Vec<Declaration>,
    /// The model that the player uses, as far as is known here.
    model: Model,
    style: Style,
    game: Game,
    tasks: Tasks,
    /// How many changes were sent to the player's thread.
    changes: u64,
    /// How many of them have certainly taken effect.
    in_force: u64,
    /// How many `readyok` are still owed until they have.
    promises: usize,
    jobs: Sender<Job>,
    output: W,
}

impl<W: Write> Session<'_, W> {
    fn serve(&mut self, events: &Receiver<Event>) -> io::Result<()> {
        let mut ends = false;
        while !(ends && self.tasks.is_empty() && self.promises == 0) {
            let Ok(event) = events.recv() else {
                return Ok(());
            };
            match event {
                // After the end, events matter only for the tasks in progress.
                Event::Input(..) if ends => {}
                Event::Input(line, time) => ends = matches!(self.obey(&line, time)?, Flow::Quit),
                Event::InputEnded => ends = true,
                Event::Line(line) => self.tell(&line)?,
                Event::Model(model) => self.model = model,
                Event::Ready(changes) => {
                    self.in_force = changes;
                    self.promises -= 1;
                    self.tell("readyok")?;
                }
                Event::Done(line) => self.tasks.end(line),
            }
            if ends {
                self.tasks.stop();
            }
            while let Some(line) = self.tasks.take_ended() {
                self.tell(&line)?;
            }
        }
        Ok(())
    }

    fn obey(&mut self, line: &str, received: Instant) -> io::Result<Flow> {
        match parse(line) {
            Command::Nothing => {}
            Command::Uci => self.introduce()?,
            Command::IsReady => self.confirm()?,
            Command::NewGame => {
                self.tasks.stop();
                self.change(Job::NewGame);
            }
            Command::Position(words) => match position::set_up(&words) {
                Ok(game) => self.game = game,
                Err(problem) => self.remark(&problem)?,
            },
            Command::Go(words) => self.go(&words, received)?,
            Command::Stop => self.tasks.stop(),
            Command::PonderHit => self.tasks.ponder_hit(),
            Command::SetOption { name, value } => self.set_option(&name, value.as_deref())?,
            Command::Display => {
                let board = self.game.board();
                self.tell(&info::board_lines(board, board.termination()))?;
            }
            Command::Evaluate => {
                self.explain()?;
            }
            Command::Bench { depth } => self.bench(depth),
            Command::Help => self.help()?,
            Command::Quit => return Ok(Flow::Quit),
            Command::Refused(problem) => self.remark(&problem)?,
        }
        Ok(Flow::Continue)
    }

    fn introduce(&mut self) -> io::Result<()> {
        let Identity { name, author } = self.identity;
        self.tell(&format!("id name {name}\nid author {author}"))?;
        for declaration in self.declarations.clone() {
            self.tell(&declaration.to_string())?;
        }
        self.tell("uciok")
    }

    /// Answers at once during a search, otherwise when all earlier changes have taken effect.
    fn confirm(&mut self) -> io::Result<()> {
        if self.in_force == self.changes || !self.tasks.is_empty() {
            return self.tell("readyok");
        }
        self.promises += 1;
        self.send(Job::Ping(self.changes));
        Ok(())
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) -> io::Result<()> {
        let Some(declaration) = options::find(&self.declarations, name) else {
            return self.remark(&format!("there is no option '{}'", excerpt(name)));
        };
        match declaration.read(value) {
            Ok((value, remark)) => {
                if !self.style.set(declaration, &value) {
                    self.change(Job::Set(declaration.name, value));
                }
                remark.map_or(Ok(()), |remark| self.remark(&remark))
            }
            Err(problem) => self.remark(&problem),
        }
    }

    fn go(&mut self, words: &GoWords, received: Instant) -> io::Result<()> {
        // Tasks in progress end first, and are answered first.
        self.tasks.stop();
        let board = *self.game.board();
        let (limits, remarks) = go::limits(words, &board, received);
        for remark in remarks {
            self.remark(&remark)?;
        }
        let signal = StopSignal::new();
        signal.set_pondering(words.ponder);
        let style = self.style;
        let job = match words.perft {
            Some(depth) => Job::Perft {
                board,
                depth: depth.clamp(1, 99) as u32,
                style,
                signal: signal.clone(),
            },
            None => Job::Search {
                game: self.game.clone(),
                limits,
                style,
                signal: signal.clone(),
            },
        };
        let hold = match words {
            GoWords { perft: Some(_), .. } => Hold::No,
            GoWords { infinite: true, .. } => Hold::UntilStop,
            GoWords { ponder: true, .. } => Hold::UntilPonderHit,
            _ => Hold::No,
        };
        self.tasks.begin(signal, hold);
        self.send(job);
        Ok(())
    }

    fn bench(&mut self, depth: Option<u32>) {
        self.tasks.stop();
        let signal = StopSignal::new();
        let job = Job::Bench {
            depth: depth.unwrap_or(bench::DEPTH),
            signal: signal.clone(),
        };
        self.tasks.begin(signal, Hold::No);
        self.send(job);
    }

    /// Answers at once during a search, otherwise when all earlier changes have taken effect, and
    /// after earlier explanations.
    fn explain(&mut self) -> io::Result<()> {
        let board = *self.game.board();
        if self.tasks.is_long() {
            let lines = self.model.explain(&board);
            return self.tell(lines.trim_end());
        }
        self.tasks.begin_moment();
        self.send(Job::Explain(board));
        Ok(())
    }

    fn help(&mut self) -> io::Result<()> {
        for (word, meaning) in COMMANDS {
            self.tell(&format!("{word:12}{meaning}"))?;
        }
        Ok(())
    }

    /// Sends a job that changes the player.
    fn change(&mut self, job: Job) {
        self.changes += 1;
        self.send(job);
    }

    fn send(&self, job: Job) {
        // The player's thread ends only after this session, so it still receives.
        let _ = self.jobs.send(job);
    }

    fn remark(&mut self, words: &str) -> io::Result<()> {
        self.tell(&format!("info string {words}"))
    }

    /// Sends the client a line, without leaving it in a buffer.
    fn tell(&mut self, line: &str) -> io::Result<()> {
        self.output.write_all(line.as_bytes())?;
        self.output.write_all(b"\n")?;
        self.output.flush()
    }
}
