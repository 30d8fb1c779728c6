//! Pictures of evaluations: piece-square weights as coloured boards, and pairs of men on boards.
//!
//! This module must not know how the weights were trained.

use chess::{PieceKind, Square};
use nets::Model;
use nets::classical::{FEATURES, Weights, feature_name};
use nets::ntuple::{NTupleFile, NTupleWeights};
use std::ffi::OsStr;
use std::fmt::Write;
use std::path::Path;

/// The side of a square.
const SIDE: usize = 20;
const BOARD: usize = 8 * SIDE;
const GAP: usize = 18;
/// The height of a board's title.
const TITLE: usize = 18;
/// The number of boards in a row.
const COLUMNS: usize = 4;
/// The number of pairs that are drawn, strongest first.
const DRAWN_PAIRS: usize = 12;

/// A picture to which boards are added one by one.
struct Boards {
    svg: String,
    count: usize,
}

impl Boards {
    fn new() -> Boards {
        Boards {
            svg: String::new(),
            count: 0,
        }
    }

    /// Adds a board; `square` gives the colour and the text of each square.
    fn add(&mut self, title: &str, square: impl Fn(Square) -> (String, String)) {
        let left = GAP + self.count % COLUMNS * (BOARD + GAP);
        let top = GAP + self.count / COLUMNS * (BOARD + TITLE + GAP) + TITLE;
        self.count += 1;
        // Writing to a string cannot fail.
        let _ = writeln!(
            self.svg,
            "<text x=\"{left}\" y=\"{}\">{title}</text>",
            top - 5
        );
        for at in Square::all() {
            let (colour, text) = square(at);
            let x = left + at.file().index() * SIDE;
            let y = top + (7 - at.rank().index()) * SIDE;
            let _ = writeln!(
                self.svg,
                "<rect x=\"{x}\" y=\"{y}\" width=\"{SIDE}\" height=\"{SIDE}\" fill=\"{colour}\"/>"
            );
            if !text.is_empty() {
                let (x, y) = (x + SIDE / 2, y + SIDE * 7 / 10);
                let _ = writeln!(
                    self.svg,
                    "<text x=\"{x}\" y=\"{y}\" text-anchor=\"middle\" font-size=\"9\">{text}</text>"
                );
            }
        }
    }

    fn finish(self) -> String {
        let rows = self.count.div_ceil(COLUMNS);
        let width = GAP + COLUMNS * (BOARD + GAP);
        let height = GAP + rows * (BOARD + TITLE + GAP);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
             width=\"{width}\" font-family=\"sans-serif\" font-size=\"12\">\n\
             <rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n{}</svg>\n",
            self.svg
        )
    }
}

/// Blue for good and orange for bad squares; the stronger, the more saturated.
fn colour(share: f64) -> String {
    let strength = share.abs().min(1.0);
    let mixed = |full: f64| (255.0 + (full - 255.0) * strength).round() as u8;
    let [red, green, blue] = match share >= 0.0 {
        true => [mixed(40.0), mixed(120.0), mixed(200.0)],
        false => [mixed(225.0), mixed(115.0), mixed(20.0)],
    };
    format!("#{red:02x}{green:02x}{blue:02x}")
}

fn plain(square: Square) -> String {
    let is_dark = (square.file().index() + square.rank().index()).is_multiple_of(2);
    if is_dark { "#d8dee4" } else { "#f4f6f8" }.to_owned()
}

/// The extensions of files with such weights; other files, which may be large, are not read.
const EXTENSIONS: [&str; 2] = ["weights", NTupleFile::EXTENSION];

/// The pictures of a model's file, each with its name; empty if it has neither piece-square weights
/// nor pairs.
pub fn pictures(path: &Path) -> Vec<(&'static str, String)> {
    let extension = path.extension().and_then(OsStr::to_str);
    if extension.is_none_or(|extension| !EXTENSIONS.contains(&extension)) {
        return Vec::new();
    }
    let (squares, pairs) = match Model::open(path) {
        Ok(Model::Classical(file)) => (piece_squares(&file.weights), None),
        Ok(Model::NTuple(file)) => {
            let weights = file.network.weights();
            let pairs = strongest_pairs(weights, DRAWN_PAIRS);
            (piece_squares(&weights.linear), pairs)
        }
        _ => return Vec::new(),
    };
    let pairs = pairs.map(|svg| ("pairs", svg));
    std::iter::once(("squares", squares)).chain(pairs).collect()
}

/// The piece-square weights, with a board for each kind of man and each stage: their differences
/// from the mean of the kind, in centipawns.
fn piece_squares(weights: &Weights) -> String {
    let mut boards = Boards::new();
    for kind in PieceKind::ALL {
        let values = square_values(weights, kind);
        for (stage, name) in ["opening", "endgame"].into_iter().enumerate() {
            let value = |square: Square| f64::from(values[folded(square)][stage]);
            let count = Square::all().count() as f64;
            let mean = Square::all().map(value).sum::<f64>() / count;
            let largest = Square::all()
                .map(|square| (value(square) - mean).abs())
                .fold(1.0, f64::max);
            boards.add(&format!("{kind:?}, {name}"), |square| {
                let above = value(square) - mean;
                (colour(above / largest), format!("{above:.0}"))
            });
        }
    }
    boards.finish()
}

/// The index of a square on a board whose files are mirrored left to right.
fn folded(square: Square) -> usize {
    let file = square.file().index();
    square.rank().index() * 4 + file.min(7 - file)
}

/// The opening and endgame weights of a kind of man on the mirrored board.
fn square_values(weights: &Weights, kind: PieceKind) -> Vec<[i32; 2]> {
    let word = format!("{kind:?}").to_lowercase();
    let first = format!("piece-squares.square.{word}.a1");
    let begin = (0..FEATURES).find(|&index| feature_name(index).as_deref() == Some(&first));
    let begin = begin.unwrap_or_default();
    (begin..begin + 32)
        .map(|index| {
            let (opening, endgame) = weights.get(index);
            [opening, endgame]
        })
        .collect()
}

/// The pairs of men with the largest weights, each on a board, with own men in capital letters;
/// `None` if there are no tables with weights.
fn strongest_pairs(weights: &NTupleWeights, most: usize) -> Option<String> {
    let mut all = Vec::new();
    for table in weights.tables() {
        for (place, weight) in table.weights().iter().enumerate() {
            let size = weight.iter().map(|it| i32::from(*it).abs()).max();
            if let Some(size) = size.filter(|&size| size > 0) {
                all.push((size, table, place));
            }
        }
    }
    // The sort is stable: ties stay in order.
    all.sort_by_key(|(size, ..)| -size);
    if all.is_empty() {
        return None;
    }
    let mut boards = Boards::new();
    for (_, table, place) in all.into_iter().take(most) {
        let [opening, endgame] = table.weights()[place];
        let squares = table.tuple().squares(place);
        let title = format!("{} {opening:+}, {endgame:+}", table.tuple());
        boards.add(&title, |square| {
            match squares.iter().position(|&taken| taken == square) {
                None => (plain(square), String::new()),
                Some(man) => {
                    let value = f64::from(opening) + f64::from(endgame);
                    let piece = table.tuple().men()[man];
                    (colour(value.signum() * 0.6), piece.letter().to_string())
                }
            }
        });
    }
    Some(boards.finish())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_has_two_boards() {
        let svg = piece_squares(&Weights::default());
        assert_eq!(svg.matches(", opening</text>").count(), 6);
        assert_eq!(svg.matches("<rect x=").count(), 12 * 64);
        assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
        // A knight in the corner, -133 in the opening, is the worst of its board.
        assert!(svg.contains(&colour(-1.0)));
    }

    #[test]
    fn the_largest_weights_come_first() {
        let tuples = ["Nq", "KP"].map(|name| name.parse().expect("a tuple"));
        let mut weights = NTupleWeights::zeros(tuples.to_vec()).expect("tables");
        assert_eq!(strongest_pairs(&weights, 3), None);
        weights.tables_mut()[0].weights_mut()[5] = [7, -3];
        weights.tables_mut()[1].weights_mut()[9] = [-2, -90];
        let svg = strongest_pairs(&weights, 3).expect("pairs");
        let [first, second] = ["KP -2, -90", "Nq +7, -3"].map(|title| svg.find(title));
        assert!(first.is_some() && first < second);
        assert_eq!(
            [0, 7, 56, 63].map(|at| folded(Square::from_index(at))),
            [0, 0, 28, 28]
        );
    }
}
