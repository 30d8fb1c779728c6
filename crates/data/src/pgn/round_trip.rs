//! Every game that can be represented can be written and read back.

use std::io::Cursor;

use chess::Board;
use proptest::prelude::*;

use super::{
    Batches, Game, GameResult, PlayedMove, Reader, Source, Tags, Variation, properties::any_text,
    salvage, text::comment_text,
};

/// Chooses everything about a game from a stream of random numbers.
struct Choices<'a> {
    numbers: std::slice::Iter<'a, u16>,
    texts: &'a [String],
}

impl Choices<'_> {
    /// A number below `bound`; 0 when the stream is used up.
    fn below(&mut self, bound: usize) -> usize {
        self.numbers
            .next()
            .map_or(0, |&number| usize::from(number) % bound)
    }

    fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == count - 1
    }

    fn comments(&mut self) -> Vec<String> {
        let count = if self.one_in(5) { 1 + self.below(2) } else { 0 };
        let texts = (0..count).map(|_| self.texts[self.below(self.texts.len())].clone());
        texts.filter(|text| !text.is_empty()).collect()
    }

    fn line(&mut self, mut board: Board, length: usize, depth: usize) -> Variation {
        let mut line = Variation {
            comments: self.comments(),
            moves: Vec::new(),
        };
        while line.moves.len() < length {
            let legal = board.legal_moves();
            let passes = !board.in_check() && self.one_in(50);
            if legal.is_empty() {
                break;
            }
            let mv = (!passes).then(|| legal[self.below(legal.len())]);
            line.moves.push(self.played(mv, board, depth));
            match mv {
                Some(mv) => board.make(mv),
                None => board.make_null(),
            }
        }
        line
    }

    fn played(&mut self, mv: Option<chess::Move>, board: Board, depth: usize) -> PlayedMove {
        let mut played = PlayedMove::new(mv);
        if self.one_in(6) {
            played.nags = (0..1 + self.below(2))
                .map(|_| self.below(256) as u8)
                .collect();
        }
        played.comments = self.comments();
        while depth > 0 && self.one_in(8) {
            let length = 1 + self.below(8);
            played.variations.push(self.line(board, length, depth - 1));
        }
        played
    }
}

fn any_game() -> impl Strategy<Value = Game> {
    let start = prop_oneof![
        Just(Board::start()),
        (0..960_u16).prop_map(|number| Board::chess960(number).unwrap_or_else(Board::start)),
    ];
    let tags = prop::collection::vec(("[A-Z][a-zA-Z0-9_]{0,8}", "\\PC{0,30}"), 0..6);
    let texts = prop::collection::vec("\\PC{0,120}|([a-z\\[\\]%};]{1,9}  ? ?){1,30}", 1..4);
    let numbers = prop::collection::vec(any::<u16>(), 0..600);
    let result = prop::sample::select(&GameResult::ALL[..]);
    (start, tags, texts, numbers, result).prop_map(|(start, tags, texts, numbers, result)| {
        let tags: Tags = tags.into_iter().filter(|(name, _)| name != "FEN").collect();
        let texts: Vec<String> = texts
            .iter()
            .map(|text| comment_text(text.as_bytes()))
            .collect();
        let mut choices = Choices {
            numbers: numbers.iter(),
            texts: &texts,
        };
        let length = choices.below(60);
        let mut game = Game::new(start, tags);
        game.moves = choices.line(start, length, 3);
        game.result = result;
        game
    })
}

/// The game with the tags that writing adds.
fn with_roster(game: &Game) -> Game {
    let mut tags: Tags = game.tags().in_export_order().collect();
    if game.tags().get("Result").is_none() {
        tags.set("Result", game.result.as_str());
    }
    let mut complete = Game::new(*game.start(), tags);
    complete.moves = game.moves.clone();
    complete.result = game.result;
    complete
}

fn read(text: Vec<u8>) -> Vec<Game> {
    let source = Source::from_reader("test", Cursor::new(text)).expect("plain text");
    Reader::new(Batches::new(source))
        .filter_map(Result::ok)
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..Default::default() })]

    #[test]
    fn games_are_read_as_they_were_written(games in prop::collection::vec(any_game(), 1..4)) {
        let text: String = games.iter().map(Game::to_string).collect();
        let expected: Vec<Game> = games.iter().map(with_roster).collect();
        prop_assert_eq!(read(text.into_bytes()), expected);
    }

    #[test]
    fn whole_games_are_salvaged_as_they_are_read(text in any_text()) {
        let text = [b" ", &text[..]].concat();
        let salvaged = salvage(&text).into_iter().filter(|game| game.damage.is_none());
        let salvaged: Vec<Game> = salvaged.map(|game| game.game).collect();
        prop_assert_eq!(salvaged, read(text));
    }

    #[test]
    fn what_can_be_read_can_be_written(text in any_text()) {
        let games = read([b" ", &text[..]].concat());
        let written: String = games.iter().map(Game::to_string).collect();
        let expected: Vec<Game> = games.iter().map(with_roster).collect();
        prop_assert_eq!(read(written.into_bytes()), expected);
    }
}
