//! Reads Lichess puzzles: a CSV file whose lines have a position, the opponent's last move, the
//! solution with the replies, and a rating.
//!
//! This module must not know how an answer is found.

use super::puzzle::{Puzzle, PuzzleError};
use chess::{Fen, Game, Move};

/// The required columns, by their names in the header.
const COLUMNS: [&str; 4] = ["PuzzleId", "FEN", "Moves", "Rating"];

/// Whether a text is such a file: it begins with this header.
pub(super) fn is_one(text: &[u8]) -> bool {
    text.starts_with(COLUMNS[0].as_bytes())
}

/// Reads all puzzles; a line that cannot be parsed is an error.
pub(super) fn read(text: &[u8]) -> Result<Vec<Puzzle>, PuzzleError> {
    let text = String::from_utf8_lossy(text);
    let mut lines = text.lines().enumerate();
    let header = lines.next().map_or("", |(_, line)| line);
    let columns = columns(header).map_err(|problem| PuzzleError { number: 1, problem })?;
    let mut puzzles = Vec::new();
    for (index, line) in lines {
        let number = index + 1;
        if line.trim().is_empty() {
            continue;
        }
        let puzzle = read_line(number, line.trim_end(), columns);
        puzzles.push(puzzle.map_err(|problem| PuzzleError { number, problem })?);
    }
    Ok(puzzles)
}

/// The index of each required column.
fn columns(header: &str) -> Result<[usize; 4], String> {
    let names: Vec<&str> = header.trim_end().split(',').collect();
    let mut places = [0; 4];
    for (place, wanted) in places.iter_mut().zip(COLUMNS) {
        let found = names.iter().position(|name| *name == wanted);
        *place = found.ok_or_else(|| format!("the header has no column {wanted}"))?;
    }
    Ok(places)
}

fn read_line(number: usize, line: &str, columns: [usize; 4]) -> Result<Puzzle, String> {
    // These columns never contain a comma or a quotation mark.
    let fields: Vec<&str> = line.split(',').collect();
    let field = |at: usize| {
        let text = fields.get(columns[at]).copied();
        text.ok_or_else(|| format!("the column {} is missing", COLUMNS[at]))
    };
    let fen: Fen = field(1)?.parse().map_err(|error| format!("{error}"))?;
    let rating = field(3)?;
    let rating: u16 = rating
        .parse()
        .map_err(|_| format!("the rating '{rating}' is not a number"))?;
    let mut game = Game::new(fen.board);
    let mut after = game.clone();
    let mut solution: Vec<Move> = Vec::new();
    for (index, text) in field(2)?.split_whitespace().enumerate() {
        let board = after.board();
        let mv = board
            .parse_uci(text)
            .map_err(|problem| format!("the move '{text}': {problem}"))?;
        after
            .play(mv)
            .map_err(|problem| format!("the move '{text}': {problem}"))?;
        match index {
            0 => game = after.clone(),
            _ => solution.push(mv),
        }
    }
    if solution.is_empty() {
        return Err("the column Moves must have the opponent's move and the solution".to_owned());
    }
    let board = *game.board();
    Ok(Puzzle {
        number,
        board,
        id: Some(field(0)?.to_owned()),
        best: Some(vec![solution[0]]),
        avoid: None,
        mate: None,
        expected: format!("bm {}", board.san(solution[0])),
        game,
        solution,
        rating: Some(rating),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEADER: &str = "PuzzleId,FEN,Moves,Rating,RatingDeviation,Themes";
    const MATE: &str =
        "00QOp,4r3/pp2rkp1/2p5/P2p2pP/R4bP1/2NQ4/1PP2P2/3Kq2R w - - 3 25,h1e1 e7e1,399,91,mate";

    #[test]
    fn the_opponent_moves_first() {
        let text = format!("{HEADER}\r\n{MATE}\r\n\r\n");
        assert!(is_one(text.as_bytes()));
        let puzzles = read(text.as_bytes()).expect("puzzles");
        let [puzzle] = &puzzles[..] else {
            panic!("one puzzle");
        };
        assert_eq!(puzzle.number, 2);
        assert_eq!(puzzle.rating, Some(399));
        assert_eq!(puzzle.id.as_deref(), Some("00QOp"));
        assert_eq!(puzzle.expected, "bm Rxe1#");
        assert_eq!(puzzle.solution.len(), 1);
        assert_eq!(puzzle.game.moves().len(), 1);
    }

    #[test]
    fn what_cannot_be_understood_is_named() {
        for (text, problem) in [
            ("PuzzleId,FEN,Moves".to_owned(), "no column Rating"),
            (format!("{HEADER}\nx,8/8 w - -,e2e4 e7e5,1,2,3"), "ranks"),
            (
                format!("{HEADER}\n{}", MATE.replace("e7e1", "e7h1")),
                "'e7h1'",
            ),
            (
                format!("{HEADER}\n{}", MATE.replace(" e7e1", "")),
                "solution",
            ),
            (format!("{HEADER}\n{}", MATE.replace("399", "low")), "'low'"),
            (format!("{HEADER}\nx"), "column FEN is missing"),
        ] {
            let error = read(text.as_bytes()).expect_err(&text);
            assert!(error.to_string().contains(problem), "{error}");
        }
    }
}
