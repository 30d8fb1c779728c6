//! Nothing of a game is lost: whoever takes away what was added has the game again.

use analysis::{Finding, Findings, FoundLine, Review, Value, annotated};
use chess::{Board, Move};
use data::pgn::{Game, GameResult, PlayedMove, Salvaged, Tags, Variation, salvage};
use proptest::prelude::*;

/// Chooses everything from a stream of random numbers.
struct Choices<'a>(std::slice::Iter<'a, u16>);

impl Choices<'_> {
    fn below(&mut self, bound: usize) -> usize {
        self.0
            .next()
            .map_or(0, |&number| usize::from(number) % bound)
    }

    fn comments(&mut self) -> Vec<String> {
        const TEXTS: [&str; 5] = [
            "good",
            "[%eval 0.3] [%clk 0:01:00]",
            "a } brace",
            "[%pv e4] Blunder. e4 was best.",
            "(not a line) $4 1-0 \"quoted\" ; and so on, for longer than a line of text may be",
        ];
        (0..[0, 0, 0, 1, 2][self.below(5)])
            .map(|_| TEXTS[self.below(5)].to_owned())
            .collect()
    }

    fn line(&mut self, mut board: Board, length: usize, depth: usize) -> Variation {
        let mut line = Variation {
            comments: self.comments(),
            moves: Vec::new(),
        };
        for _ in 0..length {
            let legal = board.legal_moves();
            if legal.is_empty() {
                break;
            }
            let mut played = PlayedMove::new(Some(legal[self.below(legal.len())]));
            played.nags = (0..[0, 0, 1, 2][self.below(4)])
                .map(|_| self.below(20) as u8)
                .collect();
            played.comments = self.comments();
            if depth > 0 && self.below(6) == 5 {
                let length = 1 + self.below(4);
                played.variations.push(self.line(board, length, depth - 1));
            }
            if let Some(mv) = played.mv {
                board.make(mv);
            }
            line.moves.push(played);
        }
        line
    }

    fn findings(&mut self, game: &Game) -> Findings {
        let mut board = *game.start();
        let mut findings = vec![self.finding(&board)];
        for played in &game.moves.moves {
            if let Some(mv) = played.mv {
                board.make(mv);
            }
            findings.push(self.finding(&board));
        }
        Findings(findings)
    }

    fn finding(&mut self, board: &Board) -> Finding {
        let legal = board.legal_moves();
        let count = legal.len().min(1 + self.below(3));
        let lines = (0..count).map(|rank| {
            let value = match self.below(8) {
                0 => Value::Mate(self.below(9) as i32 - 9),
                _ => Value::Centipawns(self.below(1200) as i32 - 600),
            };
            let mut moves: Vec<Move> = vec![legal[rank]];
            moves.extend(board.after(legal[rank]).legal_moves().first());
            FoundLine { value, moves }
        });
        Finding {
            depth: 1,
            nodes: 1,
            lines: lines.collect(),
        }
    }
}

fn any_game() -> impl Strategy<Value = (Game, Findings)> {
    let numbers = prop::collection::vec(any::<u16>(), 0..500);
    let result = prop::sample::select(&GameResult::ALL[..]);
    (numbers, result, any::<bool>()).prop_map(|(numbers, result, is_named)| {
        let mut choices = Choices(numbers.iter());
        let mut tags: Tags = [("Event", "e"), ("Site", "s"), ("Date", "d"), ("Round", "1")]
            .into_iter()
            .chain([("White", "a"), ("Black", "b"), ("Result", result.as_str())])
            .collect();
        if is_named {
            tags.set("Annotator", "me");
        }
        let length = choices.below(40);
        let mut game = Game::new(Board::start(), tags);
        game.moves = choices.line(Board::start(), length, 2);
        game.result = result;
        let findings = choices.findings(&game);
        (game, findings)
    })
}

/// Takes away what was added, as the documentation says where it stands.
fn stripped(mut game: Game, original: &Game, review: &Review) -> Game {
    let mut tags = game.tags().clone();
    if original.tags().get("Annotator").is_none() {
        tags.remove("Annotator");
    }
    game.moves.comments.remove(0);
    for ((played, judged), before) in game
        .moves
        .moves
        .iter_mut()
        .zip(&review.moves)
        .zip(&original.moves.moves)
    {
        if judged.value.evaluation().is_some() {
            played.comments.remove(0);
        }
        let was_marked = before.nags.iter().any(|nag| (1..=6).contains(nag));
        if judged.judgement.is_some() && !was_marked {
            played.nags.pop();
        }
        let lines = played.variations.len() - judged.better().count();
        played.variations.truncate(lines);
    }
    let mut plain = Game::new(*game.start(), tags);
    plain.moves = game.moves;
    plain.result = game.result;
    plain
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..Default::default() })]

    #[test]
    fn what_was_there_is_still_there((game, findings) in any_game()) {
        let salvaged = Salvaged { game, damage: None };
        let review = Review::new(1, &salvaged, &findings, None);
        let text = annotated(&salvaged, &review, "me");
        let mut read = salvage(text.as_bytes());
        prop_assert_eq!(read.len(), 1);
        prop_assert_eq!(&read[0].damage, &None);
        let plain = stripped(read.remove(0).game, &salvaged.game, &review);
        prop_assert_eq!(plain, salvaged.game);
    }
}
