//! Another program as a player: a process that speaks UCI through pipes.
//!
//! `program` says which program and how it is run. `process` starts and ends it, `child_processes`
//! ensures that nothing is left behind, and `hurry` that nobody waits long at the end.
//! `conversation` exchanges lines with it, `lines` splits its output. `handshake` and `declared`
//! read its options, `position` and `go` write the commands, `answer` and `info` read the answers.
//! Each move is one command and one answer; of the lines in between only the last score is read. It
//! must not know what games are for, nor judge whether a move came too late.

mod answer;
#[cfg(unix)]
#[cfg_attr(not(target_os = "linux"), path = "no_child_processes.rs")]
mod child_processes;
pub mod conformity;
#[cfg_attr(not(unix), path = "no_conversation.rs")]
mod conversation;
mod declared;
mod error;
#[cfg(test)]
mod garbage;
mod go;
mod handshake;
mod hurry;
mod info;
#[cfg(unix)]
mod lines;
mod node_limit;
mod position;
#[cfg(unix)]
mod process;
mod program;

pub use declared::{DeclaredOption, OptionKind};
pub use error::StartError;
pub use hurry::hurry;
pub use node_limit::{NodeLimit, obeys_node_limit};
pub use program::ProgramOptions;

use crate::{Answer, Failure, Limits, Player, Report, StopSignal};
use answer::{Heard, STOP_PATIENCE, await_answer};
use chess::{Board, CastlingStyle, Game};
use conversation::{Conversation, Silence};
use handshake::Handshake;
use info::Info;
use position::PositionText;
use std::time::{Duration, Instant};

/// Another program that plays. It is started once and kept for many games; a failure ends it, and
/// [`restart`](External::restart) starts it anew.
///
/// A search without a limit ends only by its [`StopSignal`]. The program never ponders. Its last
/// score, or more if [`asked to`](External::listen_to_lines), is reported once, before the answer;
/// without a score there is no report, and the score of the answer is meaningless.
pub struct External {
    options: ProgramOptions,
    /// `None` after a failure.
    conversation: Option<Conversation>,
    handshake: Handshake,
    warnings: Vec<String>,
    position: PositionText,
    /// Whether the program now expects castling in Chess960 notation.
    in_chess960: bool,
    /// Whether the user wants that notation in every game.
    always_chess960: bool,
    /// The last lines with scores.
    heard: Heard,
}

impl External {
    /// Starts a program, performs the handshake and sets the options.
    ///
    /// # Errors
    /// If it does not start, does not speak UCI, or does not accept an option.
    pub fn start(options: ProgramOptions) -> Result<External, StartError> {
        let mut conversation = Conversation::start(&options)?;
        let until = options.until();
        let handshake = match Handshake::ask(&mut conversation, until) {
            Ok(handshake) => handshake,
            Err(silence) => return Err(mute(&options, conversation, "uci", silence)),
        };
        let mut warnings = handshake.faults.clone();
        let settings = handshake.settings(&options, &mut |warning| warnings.push(warning))?;
        let until = options.until();
        let ready = conversation
            .send(&settings, until)
            .and_then(|()| ask_ready(&mut conversation, "isready\n", until));
        if let Err(silence) = ready {
            return Err(mute(&options, conversation, "isready", silence));
        }
        let is_wanted = |(name, value): &(String, String)| {
            name.trim().eq_ignore_ascii_case(CHESS960) && value.trim().eq_ignore_ascii_case("true")
        };
        let always_chess960 =
            handshake.option(CHESS960).is_some() && options.settings.iter().any(is_wanted);
        Ok(External {
            options,
            conversation: Some(conversation),
            handshake,
            warnings,
            position: PositionText::default(),
            in_chess960: always_chess960,
            always_chess960,
            heard: Heard::default(),
        })
    }

    /// Ends the program if it still runs, and starts it again with the same options.
    ///
    /// # Errors
    /// As [`start`](External::start); the player then stays without a program.
    pub fn restart(&mut self) -> Result<(), StartError> {
        if let Some(conversation) = self.conversation.take() {
            conversation.kill();
        }
        let heard = std::mem::take(&mut self.heard);
        *self = External::start(self.options.clone())?;
        self.heard = heard;
        Ok(())
    }

    /// From now on reports this many lines instead of only the last score: for each, the last exact
    /// score that the program prints. How many lines it searches is set by its own option, MultiPV.
    pub fn listen_to_lines(&mut self, lines: usize) {
        self.heard = Heard::of_lines(lines);
    }

    /// The name that the program gives itself, or else the name of its file.
    pub fn name(&self) -> &str {
        match &self.handshake.name {
            Some(name) => name,
            None => {
                let name = self.options.program.file_stem();
                name.and_then(|name| name.to_str()).unwrap_or("engine")
            }
        }
    }

    /// The author that the program names, if any.
    pub fn author(&self) -> Option<&str> {
        self.handshake.author.as_deref()
    }

    /// The options that it declares.
    pub fn options(&self) -> &[DeclaredOption] {
        &self.handshake.options
    }

    /// Warnings for the user before the first game, one line each: options that the program does
    /// not have, declarations that cannot be parsed.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Whether it declares that it plays Chess960.
    pub fn plays_chess960(&self) -> bool {
        self.handshake.option(CHESS960).is_some()
    }

    /// Asks for a move; returns the words after `bestmove`.
    fn search(
        &mut self,
        game: &Game,
        limits: &Limits,
        stop: &StopSignal,
    ) -> Result<String, Failure> {
        let castling = self.prepare(&game.line().boards()[0])?;
        let Some(conversation) = &mut self.conversation else {
            return Err(ended_before());
        };
        conversation.forget();
        let text = self.position.of(game, castling);
        let length = text.len();
        text.push('\n');
        go::write(text, limits, game.board(), castling);
        let patience = go::patience(limits, &self.options, Instant::now());
        let until = patience.map(|(_, until)| until);
        let sent = conversation.send(text, until.or_else(|| self.options.until()));
        text.truncate(length);
        let mut patience = patience.map_or(self.options.patience, |(patience, _)| patience);
        self.heard.forget();
        let answered = sent.and_then(|()| await_answer(conversation, &mut self.heard, stop, until));
        if answered.is_err() && stop.is_stopped() {
            patience = STOP_PATIENCE;
        }
        answered.map_err(|silence| self.fail(silence, patience))
    }

    /// Sets the castling notation that a game from this start needs.
    fn prepare(&mut self, start: &Board) -> Result<CastlingStyle, Failure> {
        let chess960 = self.always_chess960 || position::is_chess960(start);
        if chess960 != self.in_chess960 {
            self.in_chess960 = chess960;
            if self.plays_chess960() {
                self.tell(&format!("setoption name {CHESS960} value {chess960}\n"))?;
            }
        }
        Ok(if chess960 {
            CastlingStyle::Chess960
        } else {
            CastlingStyle::Standard
        })
    }

    fn tell(&mut self, text: &str) -> Result<(), Failure> {
        let until = self.options.until();
        let conversation = self.conversation.as_mut().ok_or_else(ended_before)?;
        conversation
            .send(text, until)
            .map_err(|silence| self.fail(silence, self.options.patience))
    }

    /// Ends the program and returns the reason as a failure.
    fn fail(&mut self, silence: Silence, patience: Duration) -> Failure {
        let Some(conversation) = self.conversation.take() else {
            return ended_before();
        };
        match silence {
            Silence::TimedOut => {
                conversation.kill();
                Failure::Stalled(patience)
            }
            Silence::Ended => Failure::Crashed(conversation.autopsy()),
        }
    }
}

/// The option that switches a program to Chess960.
const CHESS960: &str = "UCI_Chess960";

impl Player for External {
    fn new_game(&mut self, _seed: u64) -> Result<(), Failure> {
        let until = self.options.until();
        let conversation = self.conversation.as_mut().ok_or_else(ended_before)?;
        ask_ready(conversation, "ucinewgame\nisready\n", until)
            .map_err(|silence| self.fail(silence, self.options.patience))
    }

    fn choose(
        &mut self,
        game: &Game,
        limits: &Limits,
        stop: &StopSignal,
        report: &mut dyn FnMut(&Report),
    ) -> Result<Answer, Failure> {
        let words = self.search(game, limits, stop)?;
        let mut best = None;
        for told in self.heard.words() {
            let told = Info::read(&told).report(game.board());
            report(&told);
            best.get_or_insert(told);
        }
        answer::read(&words, game.board(), best.as_ref())
    }
}

/// Sends text that ends with `isready`, and waits for `readyok`.
fn ask_ready(
    conversation: &mut Conversation,
    text: &str,
    until: Option<Instant>,
) -> Result<(), Silence> {
    conversation.send(text, until)?;
    while conversation.receive(until)? != b"readyok" {}
    Ok(())
}

/// The error for a program that does not answer.
fn mute(
    options: &ProgramOptions,
    conversation: Conversation,
    command: &'static str,
    silence: Silence,
) -> StartError {
    let program = options.name_of_program();
    match silence {
        Silence::TimedOut => {
            conversation.kill();
            StartError::Silent {
                program,
                command,
                patience: options.patience,
            }
        }
        Silence::Ended => StartError::Ended {
            program,
            command,
            how: conversation.autopsy(),
        },
    }
}

fn ended_before() -> Failure {
    Failure::Crashed("it has ended and was not restarted".to_owned())
}
