//! The dialogue: the user types, the player answers, until the game ends.

use super::game::Played;
use super::words::{HELP, Word};
use crate::exit::WrongInput;
use crate::output::{Output, excerpt};
use chess::render::{Letters, board_text};
use chess::{Color, Move};
use engines::recipe::Recipe;
use engines::score::Score;
use engines::{Limits, Player, StopSignal};
use std::io::BufRead;
use std::time::Duration;

/// How a session ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum End {
    Finished,
    Interrupted,
}

pub(super) struct Session<'a> {
    pub(super) game: Played,
    pub(super) opponent: Box<dyn Player>,
    pub(super) opponent_name: String,
    /// The player that gives hints: the same one without limited strength.
    pub(super) adviser: Recipe,
    pub(super) limits: Limits,
    pub(super) seed: u64,
    pub(super) stop: &'a StopSignal,
    /// The side at the bottom of the board.
    pub(super) below: Color,
    /// Whether input comes from a terminal; a script gets no prompts.
    pub(super) is_terminal: bool,
    pub(super) output: &'a Output,
}

impl Session<'_> {
    pub(super) fn play(&mut self, mut input: impl BufRead) -> anyhow::Result<End> {
        self.opponent.new_game(self.seed)?;
        self.output.note(format_args!(
            "You play {} against {}. Type a move, such as e4 or e2e4, or help.",
            name_of(self.game.side),
            self.opponent_name
        ));
        self.show_board()?;
        loop {
            if let Some((result, words)) = self.game.end() {
                self.output.data(&format!("{result}: {words}\n"))?;
                return Ok(End::Finished);
            }
            if self.stop.is_stopped() {
                return Ok(End::Interrupted);
            }
            if !self.game.is_persons_turn() {
                self.answer()?;
                continue;
            }
            self.prompt()?;
            let mut line = String::new();
            let read = input.read_line(&mut line);
            if self.stop.is_stopped() {
                return Ok(End::Interrupted);
            }
            if read? == 0 {
                return Ok(End::Finished);
            }
            if !self.obey(&line)? {
                return Ok(End::Finished);
            }
        }
    }

    /// Executes a line of input; returns whether the session continues.
    fn obey(&mut self, line: &str) -> anyhow::Result<bool> {
        match Word::read(line) {
            Word::Nothing => {}
            Word::Move(text) => self.try_move(text)?,
            Word::Hint => self.hint()?,
            Word::TakeBack => match self.game.take_back() {
                true => self.show_board()?,
                false => self.say("there is no move to take back")?,
            },
            Word::Switch => {
                self.game.side = !self.game.side;
                self.below = self.game.side;
                self.say(&format!("you play {} now", name_of(self.game.side)))?;
            }
            Word::Flip => {
                self.below = !self.below;
                self.show_board()?;
            }
            Word::Board => self.show_board()?,
            Word::Moves => self.list_moves()?,
            Word::Fen => self
                .output
                .data(&format!("{}\n", self.game.board().fen()))?,
            Word::Pgn => self.output.data(&format!("{}\n", self.game.pgn()))?,
            Word::Resign => self.game.resign(),
            Word::Quit => return Ok(false),
            Word::Help => self.output.data(HELP)?,
        }
        Ok(true)
    }

    fn try_move(&mut self, text: &str) -> anyhow::Result<()> {
        match self.game.read(text) {
            Ok(mv) => Ok(self.game.play(mv)?),
            Err(problem) => self.say(&format!(
                "'{}' is not a legal move here: {problem}; type help for the commands",
                excerpt(text)
            )),
        }
    }

    /// Plays the player's move.
    fn answer(&mut self) -> anyhow::Result<()> {
        let game = self.game.game();
        let chosen = self
            .opponent
            .choose(game, &self.limits, self.stop, &mut |_| {});
        let answer = chosen.map_err(|failure| anyhow::anyhow!("the player {failure}"))?;
        if self.stop.is_stopped() {
            return Ok(());
        }
        let Some(mv) = answer.best else {
            return Ok(());
        };
        let (number, san) = (self.game.move_number(), self.san(mv));
        let mover = self.game.board().side_to_move();
        self.game.play(mv)?;
        self.show_board()?;
        self.say(&format!("{number} {san}  {}", told(answer.score, mover)))
    }

    /// Shows the move that the player would make for the user.
    fn hint(&mut self) -> anyhow::Result<()> {
        let adviser = self.adviser.player(Duration::ZERO);
        let mut adviser = adviser.map_err(|error| WrongInput::new(error.to_string()))?;
        adviser.new_game(self.seed)?;
        let chosen = adviser.choose(self.game.game(), &self.limits, self.stop, &mut |_| {});
        let answer = chosen.map_err(|failure| anyhow::anyhow!("the player {failure}"))?;
        match answer.best {
            Some(mv) => {
                let mover = self.game.board().side_to_move();
                self.say(&format!("{}  {}", self.san(mv), told(answer.score, mover)))
            }
            None => Ok(()),
        }
    }

    fn list_moves(&self) -> anyhow::Result<()> {
        let moves = self.game.board().legal_moves();
        let names: Vec<String> = moves.iter().map(|&mv| self.san(mv)).collect();
        self.say(&names.join(" "))
    }

    fn san(&self, mv: Move) -> String {
        self.game.board().san(mv).to_string()
    }

    fn show_board(&self) -> anyhow::Result<()> {
        let letters = match self.is_terminal {
            true => Letters::Figurines,
            false => Letters::Ascii,
        };
        let board = board_text(self.game.board(), self.below, letters);
        self.output.data(&format!("\n{board}\n"))
    }

    fn prompt(&self) -> anyhow::Result<()> {
        match self.is_terminal {
            true => self.output.data(&format!("{} ", self.game.move_number())),
            false => Ok(()),
        }
    }

    fn say(&self, words: &str) -> anyhow::Result<()> {
        self.output.show(&format!("{words}\n"))
    }
}

fn name_of(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}

/// A score of the side that moved, in words.
fn told(score: Score, mover: Color) -> String {
    match score {
        Score::Centipawns(value) => {
            let pawns = f64::from(value) / 100.0;
            format!("({pawns:+.2} for {})", name_of(mover))
        }
        Score::Mate(moves) if moves > 0 => format!("(mate in {moves})"),
        Score::Mate(moves) => format!("(mated in {})", -moves),
    }
}
