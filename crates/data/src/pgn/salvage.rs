//! Salvages games: every game of a text as far as it can be played, and the rest of it as
//! text, so that no game is lost because of one wrong word.

use super::{
    batches::{Batch, Batches},
    builder::GameBuilder,
    game::Game,
    games::Games,
    problem::{BrokenGame, Place, Problem},
    reader::ReadError,
    reading::Counted,
    replay::{Replayer, Stop},
    source::Source,
    text::{LineFinder, count_lines, decode},
};

/// A game as far as it can be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Salvaged {
    /// The game, up to the damage.
    pub game: Game,
    /// What is wrong with it, if anything.
    pub damage: Option<Damage>,
}

/// Why a game ends early.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    /// The game, and the line of the problem.
    pub place: Place,
    /// What is wrong.
    pub problem: Problem,
    /// The text from the problem on; the text of the whole game if even its first position
    /// is unknown.
    pub rest: String,
    /// Whether the first position is known.
    pub is_playable: bool,
}

/// A part of a text, and the games in it.
pub type SalvagedBatch<'a> = (&'a [u8], Vec<Salvaged>);

/// The games of a file, a batch at a time.
pub struct Salvager {
    batches: Batches,
    batch: Batch,
    counted: Counted,
}

impl Salvager {
    /// Reads from the beginning of a file.
    pub fn new(source: Source) -> Self {
        Self {
            batches: Batches::up_to_large_game(source),
            batch: Batch::default(),
            counted: Counted::default(),
        }
    }

    /// The next part of the text, and the games in it; `None` at the end.
    ///
    /// # Errors
    /// If the file cannot be read, or a game is too large.
    pub fn next_batch(&mut self) -> Result<Option<SalvagedBatch<'_>>, ReadError> {
        if !self.batches.next(&mut self.batch)? {
            return Ok(None);
        }
        if let Some(passed_over) = self.batch.passed_over() {
            return Err(ReadError::Game(BrokenGame {
                place: self.counted.place(Place { game: 1, line: 1 }),
                problem: Problem::TooLarge(passed_over.limit),
            }));
        }
        let text = self.batch.bytes();
        let mut games = salvage(text);
        for damage in games.iter_mut().filter_map(|game| game.damage.as_mut()) {
            damage.place = self.counted.place(damage.place);
        }
        self.counted.games += games.len() as u64;
        self.counted.lines += count_lines(text);
        Ok(Some((text, games)))
    }
}

/// The games of a text.
///
/// ```
/// let games = data::pgn::salvage(b"1. e4 e5 2. Ke3 Nc6 1-0");
/// assert_eq!(games[0].game.moves.moves.len(), 2);
/// assert_eq!(games[0].damage.as_ref().unwrap().rest, "Ke3 Nc6 1-0");
/// ```
pub fn salvage(text: &[u8]) -> Vec<Salvaged> {
    let mut games = Games::new(text);
    let mut lines = LineFinder::new(text);
    let mut replayer = Replayer::default();
    let mut salvaged = Vec::new();
    while let Some(begin) = games.clone().next_game() {
        let mut builder = GameBuilder::new();
        let number = salvaged.len() as u64 + 1;
        match replayer.next_game(&mut games, &mut builder) {
            None => break,
            Some(Err(Stop::Nothing | Stop::LeftOut)) => {}
            Some(Ok(_)) => {
                salvaged.extend(builder.finish().map(|game| Salvaged { game, damage: None }))
            }
            Some(Err(Stop::Broken { offset, problem })) => {
                while games.next_token().is_some() {}
                let (game, is_playable) = builder.salvage();
                let from = if is_playable { offset } else { begin };
                let rest = decode(text[from..games.position().max(from)].trim_ascii());
                let place = Place {
                    game: number,
                    line: lines.line_of(offset),
                };
                let damage = Some(Damage {
                    place,
                    problem,
                    rest: rest.into_owned(),
                    is_playable,
                });
                salvaged.push(Salvaged { game, damage });
            }
        }
    }
    salvaged
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::GameResult;
    use std::io::Read;

    #[test]
    fn what_stands_before_and_after_a_wrong_move_is_kept() {
        let text =
            b"[White \"a\"]\n[Result \"0-1\"]\n\n1. e4 {good} e5 2. Qh6 {?} Nc6\n3. d4 0-1\n\n\
            [White \"b\"]\n\n1. d4 *\n";
        let games = salvage(text);
        assert_eq!(games.len(), 2);
        let damage = games[0].damage.as_ref().expect("a wrong move");
        assert_eq!(damage.rest, "Qh6 {?} Nc6\n3. d4 0-1");
        assert_eq!((damage.place.game, damage.place.line), (1, 4));
        assert!(damage.is_playable);
        let game = &games[0].game;
        assert_eq!(game.result, GameResult::BlackWins);
        assert_eq!(game.moves.moves.len(), 2);
        assert_eq!(game.moves.moves[0].comments, ["good"]);
        assert_eq!(games[1].game.tags().get("White"), Some("b"));
        assert_eq!(games[1].damage, None);
    }

    #[test]
    fn batches_hold_what_the_whole_text_does() {
        let game = "[White \"a\"]\n\n1. e4 e5 2. Ke3 Nc6 1-0\n\n[White \"b\"]\n\n1. d4 {x} *\n\n";
        // More than one batch.
        let text = game.repeat(10_000);
        let mut salvager = Salvager::new(source(text.as_bytes()));
        let (mut pieces, mut games, mut batches) = (Vec::new(), Vec::new(), 0);
        while let Some((piece, some)) = salvager.next_batch().expect("readable") {
            pieces.extend_from_slice(piece);
            games.extend(some);
            batches += 1;
        }
        assert!(batches > 1);
        assert!(pieces == text.as_bytes());
        assert!(games == salvage(text.as_bytes()));
    }

    #[test]
    fn a_game_without_end_is_named_at_once() {
        let begin = b"[White \"a\"]\n\n1. e4 *\n\n[White \"b\"]\n\n1. d4 { ".as_slice();
        let endless = Source::from_reader("test", begin.chain(std::io::repeat(b'x')));
        let mut salvager = Salvager::new(endless.expect("readable"));
        let (_, games) = salvager.next_batch().expect("a game").expect("a game");
        assert_eq!(games.len(), 1);
        let error = salvager.next_batch().expect_err("too large").to_string();
        assert_eq!(error, "line 5: game 2: the game is larger than 16 MiB");
        assert!(salvager.next_batch().expect("the end").is_none());
    }

    fn source(text: &[u8]) -> Source {
        Source::from_reader("test", std::io::Cursor::new(text.to_vec())).expect("readable")
    }

    #[test]
    fn a_broken_variation_ends_the_game_before_it() {
        let games = salvage(b"1. e4 (1. d4 d5 2. Kd7) e5 *");
        let moves = &games[0].game.moves.moves;
        assert_eq!(moves.len(), 1);
        assert_eq!(moves[0].variations[0].moves.len(), 2);
        assert_eq!(games[0].damage.as_ref().unwrap().rest, "Kd7) e5 *");
    }

    #[test]
    fn a_game_without_a_position_is_kept_as_text() {
        let text = "[White \"x\"]\n[FEN \"none\"]\n\n1. e4 *";
        let games = salvage(format!("{text}\n\n").as_bytes());
        let damage = games[0].damage.as_ref().expect("no position");
        assert!(!damage.is_playable);
        assert_eq!(damage.rest, text);
        assert_eq!(games[0].game.tags().get("White"), Some("x"));
    }
}
