//! Positions as planes of 8x8 numbers, the input of a ResNet.
//!
//! The first 18 planes are the published ones; optional ones follow without changing
//! these. Rows go from the near back rank to the far one: the near one is White's in
//! White's view, and the mover's in the mover's view. This module knows nothing of nets.

use chess::{Board, Color, File, Line, PieceKind, Square, Wing};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Planes of men, side to move, castling and en passant.
const BASE: usize = 18;
const SIDE: usize = 12;
const CASTLING: usize = 13;
const EN_PASSANT: usize = 17;
/// Planes of counters: the clock of the fifty-move rule, repetitions, plies.
const COUNTERS: usize = 3;
/// Planes of men for each position.
const MEN: usize = 12;
/// Counters are capped at these numbers and divided by them.
const MOST_CLOCK: u32 = 100;
const MOST_REPETITIONS: u32 = 2;
const MOST_PLIES: u32 = 200;
/// The most earlier positions that a net can see.
const MOST_HISTORY: usize = 16;

/// From whose point of view the board is seen.
#[derive(
    Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, schemars::JsonSchema,
)]
#[serde(rename_all = "lowercase")]
#[schemars(rename = "PlanesView")]
pub enum View {
    /// The side to move: its men come first and move up the board, so that a net need not learn
    /// everything twice.
    #[default]
    Mover,
    /// White, as published.
    White,
}

/// The input planes of a net.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "planes")]
pub struct Planes {
    /// The point of view.
    pub view: View,
    /// Whether there are planes 18 to 20: the fifty-move clock, repetitions, plies.
    pub counters: bool,
    /// Number of earlier positions, each with 12 planes of men. For play only: `tabia train`
    /// refuses other numbers than 0.
    #[schemars(range(max = MOST_HISTORY))]
    pub history: usize,
}

impl Default for Planes {
    fn default() -> Planes {
        Planes {
            view: View::Mover,
            counters: true,
            history: 0,
        }
    }
}

/// A position with what its planes need to know about the game before it.
#[derive(Clone, Copy, Debug)]
pub struct Scene<'a> {
    /// The position.
    pub board: &'a Board,
    /// The positions before it, the latest last.
    pub earlier: &'a [Board],
    /// How often it occurred before.
    pub occurrences: usize,
    /// The file on which a pawn has just moved two squares, if that is known.
    pub double_step: Option<File>,
}

impl<'a> Scene<'a> {
    /// The last position of a line.
    pub fn of(line: &'a Line) -> Scene<'a> {
        let boards = line.boards();
        let (board, earlier) = (line.board(), &boards[..boards.len() - 1]);
        Scene {
            board,
            earlier,
            occurrences: line.earlier_occurrences(),
            double_step: match earlier.last() {
                Some(before) => double_step(before, board),
                None => board.en_passant().map(Square::file),
            },
        }
    }
}

/// The file on which a pawn moved two squares from one board to the next.
pub fn double_step(before: &Board, after: &Board) -> Option<File> {
    let mover = before.side_to_move();
    let pawns = |board: &Board| board.pieces(mover, PieceKind::Pawn);
    let [gone, come] = [pawns(before) & !pawns(after), pawns(after) & !pawns(before)];
    if gone.count() != 1 || come.count() != 1 {
        return None;
    }
    let (from, to) = (gone.first(), come.first());
    (from.index().abs_diff(to.index()) == 16).then(|| to.file())
}

impl Planes {
    /// The 18 planes as published.
    pub const PUBLISHED: Planes = Planes {
        view: View::White,
        counters: false,
        history: 0,
    };

    /// How many planes there are.
    pub fn count(&self) -> usize {
        BASE + if self.counters { COUNTERS } else { 0 } + MEN * self.history
    }

    /// What each plane shows, for people.
    pub fn names(&self) -> Vec<String> {
        let sides = match self.view {
            View::Mover => ["own", "enemy"],
            View::White => ["White's", "Black's"],
        };
        let men = |before: &str| men_names(sides).map(|name| format!("{before}{name}"));
        let mut names = men("").to_vec();
        names.push("White to move".to_owned());
        for side in sides {
            names.push(format!("{side} castling, king's side"));
            names.push(format!("{side} castling, queen's side"));
        }
        names.push("en passant".to_owned());
        if self.counters {
            let counters = ["fifty-move clock", "repetitions", "plies"];
            names.extend(counters.map(str::to_owned));
        }
        for back in 1..=self.history {
            names.extend(men(&format!("{back} back: ")));
        }
        names
    }

    /// Whether these settings are valid.
    pub(crate) fn is_sensible(&self) -> bool {
        self.history <= MOST_HISTORY
    }

    /// Writes a position square by square with all planes of each, as the convolutions
    /// read it.
    ///
    /// # Panics
    /// If the target's length is not 64 times [`count`](Planes::count).
    pub fn write_squares(&self, scene: &Scene<'_>, target: &mut [f32]) {
        let count = self.count();
        assert_eq!(target.len(), 64 * count, "places for all planes");
        target.fill(0.0);
        self.each(scene, |plane, square, value| {
            target[square * count + plane] = value;
        });
    }

    /// Writes a position plane by plane, as array files have it.
    ///
    /// # Panics
    /// As [`write_squares`](Planes::write_squares).
    pub fn write_planes(&self, scene: &Scene<'_>, target: &mut [f32]) {
        assert_eq!(target.len(), 64 * self.count(), "places for all planes");
        target.fill(0.0);
        self.each(scene, |plane, square, value| {
            target[plane * 64 + square] = value;
        });
    }

    /// Whether the board is flipped vertically when this side is to move.
    pub fn turns(&self, side: Color) -> bool {
        self.view == View::Mover && side == Color::Black
    }

    /// Calls `set` with plane, square and value for every value that is not zero.
    fn each(&self, scene: &Scene<'_>, mut set: impl FnMut(usize, usize, f32)) {
        let board = scene.board;
        let side = board.side_to_move();
        let near = match self.view {
            View::Mover => side,
            View::White => Color::White,
        };
        let turn = if near == Color::Black { 56 } else { 0 };
        let mut first = 0;
        put_men(board, near, turn, first, &mut set);
        let mut fill = |plane: usize, value: f32| {
            if value != 0.0 {
                (0..64).for_each(|square| set(plane, square, value));
            }
        };
        fill(SIDE, f32::from(side == Color::White));
        for (place, color) in [near, !near].into_iter().enumerate() {
            let king = board.king(color);
            for (wing_place, wing) in Wing::ALL.into_iter().enumerate() {
                let may = board.castling().rook(color, wing, king).is_some();
                fill(CASTLING + 2 * place + wing_place, f32::from(may));
            }
        }
        if self.counters {
            let plies = 2 * u32::from(board.fullmove_number().saturating_sub(1))
                + u32::from(side == Color::Black);
            let counters = [
                (u32::from(board.halfmove_clock()), MOST_CLOCK),
                (scene.occurrences as u32, MOST_REPETITIONS),
                (plies, MOST_PLIES),
            ];
            for (place, (count, most)) in counters.into_iter().enumerate() {
                fill(BASE + place, count.min(most) as f32 / most as f32);
            }
            first += COUNTERS;
        }
        if let Some(file) = self.marked_file(scene) {
            (0..8).for_each(|rank| set(EN_PASSANT, 8 * rank + file.index(), 1.0));
        }
        first += BASE;
        for (place, board) in scene.earlier.iter().rev().take(self.history).enumerate() {
            put_men(board, near, turn, first + MEN * place, &mut set);
        }
    }

    /// The file of the en-passant plane. White's view marks every double step, as
    /// published; the mover's view only a pawn that can be captured, which needs no
    /// history.
    fn marked_file(&self, scene: &Scene<'_>) -> Option<File> {
        match self.view {
            View::White => scene.double_step,
            View::Mover => scene.board.en_passant().map(Square::file),
        }
    }
}

/// The names of the planes of men.
pub(crate) fn men_names(sides: [&str; 2]) -> [String; MEN] {
    std::array::from_fn(|at| {
        let kind = format!("{:?}", PieceKind::ALL[at % 6]).to_lowercase();
        format!("{} {kind}", sides[at / 6])
    })
}

fn put_men(
    board: &Board,
    near: Color,
    turn: usize,
    first: usize,
    set: &mut impl FnMut(usize, usize, f32),
) {
    for (place, color) in [near, !near].into_iter().enumerate() {
        for kind in PieceKind::ALL {
            for square in board.pieces(color, kind) {
                set(first + 6 * place + kind.index(), square.index() ^ turn, 1.0);
            }
        }
    }
}

/// A description such as `21 planes of the mover`.
impl fmt::Display for Planes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let view = match self.view {
            View::Mover => "the mover",
            View::White => "White",
        };
        write!(f, "{} planes of {view}", self.count())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(moves: &[&str]) -> Line {
        let mut line = Line::new(Board::start());
        for text in moves {
            let mv = line.board().parse_uci(text).expect("a move");
            line.push(mv);
        }
        line
    }

    fn written(planes: Planes, line: &Line) -> Vec<Vec<f32>> {
        let mut values = vec![7.0; 64 * planes.count()];
        planes.write_planes(&Scene::of(line), &mut values);
        values.chunks(64).map(<[f32]>::to_vec).collect()
    }

    /// The published example: after 1.e4 c5, White to move, en passant on the c-file,
    /// all castling rights.
    #[test]
    fn the_published_example() {
        let planes = written(Planes::PUBLISHED, &line(&["e2e4", "c7c5"]));
        assert_eq!(planes.len(), 18);
        let squares = |plane: usize| -> Vec<usize> {
            (0..64)
                .filter(|&square| planes[plane][square] == 1.0)
                .collect()
        };
        assert_eq!(squares(0), [8, 9, 10, 11, 13, 14, 15, 28]);
        assert_eq!(squares(1), [1, 6]);
        assert_eq!(squares(2), [2, 5]);
        assert_eq!(squares(3), [0, 7]);
        assert_eq!((squares(4), squares(5)), (vec![3], vec![4]));
        assert_eq!(squares(6), [34, 48, 49, 51, 52, 53, 54, 55]);
        assert_eq!(squares(7), [57, 62]);
        assert_eq!(squares(8), [58, 61]);
        assert_eq!(squares(9), [56, 63]);
        assert_eq!((squares(10), squares(11)), (vec![59], vec![60]));
        assert!(planes[12..17].iter().all(|plane| plane == &[1.0; 64]));
        assert_eq!(squares(17), [2, 10, 18, 26, 34, 42, 50, 58]);
        let men = |square: usize| planes[..12].iter().map(|plane| plane[square]).sum::<f32>();
        assert!((0..64).all(|square| men(square) <= 1.0));
        assert!(
            planes
                .iter()
                .flatten()
                .all(|&value| value == 0.0 || value == 1.0)
        );
    }

    /// The same position with colours exchanged.
    fn exchanged(fen: &str) -> String {
        let swap = |text: &str| -> String {
            let other = |letter: char| match letter.is_ascii_uppercase() {
                true => letter.to_ascii_lowercase(),
                false => letter.to_ascii_uppercase(),
            };
            text.chars().map(other).collect()
        };
        let fields: Vec<&str> = fen.split(' ').collect();
        let ranks: Vec<String> = fields[0].split('/').rev().map(swap).collect();
        let side = if fields[1] == "w" { "b" } else { "w" };
        let passed = fields[3].replace('6', "3");
        let rights = swap(fields[2]);
        format!(
            "{} {side} {rights} {passed} {} {}",
            ranks.join("/"),
            fields[4],
            fields[5]
        )
    }

    #[test]
    fn both_sides_look_alike_to_the_mover() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQq - 17 20",
            "rnbqkb1r/ppp1pppp/5n2/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3",
        ] {
            let seen = |fen: &str| {
                let line = Line::new(Board::from_fen(fen).expect("a position"));
                written(Planes::default(), &line)
            };
            let (mut white, black) = (seen(fen), seen(&exchanged(fen)));
            assert_eq!(white.len(), 21);
            assert_eq!((white[12][9], black[12][9]), (1.0, 0.0));
            white[12].fill(0.0);
            // The game is one ply longer.
            assert!((black[20][0] - white[20][0] - 1.0 / 200.0).abs() < 1e-6);
            white[20].clone_from(&black[20]);
            assert_eq!(white, black);
        }
    }

    #[test]
    fn every_plane_has_its_name() {
        let planes = Planes {
            history: 2,
            ..Planes::default()
        };
        let names = planes.names();
        assert_eq!(names.len(), planes.count());
        let told = [0, 11, 12, 14, 17, 20, 33].map(|plane| names[plane].as_str());
        let expected = [
            "own pawn",
            "enemy king",
            "White to move",
            "own castling, queen's side",
            "en passant",
            "plies",
            "2 back: own pawn",
        ];
        assert_eq!(told, expected);
        assert_eq!(Planes::PUBLISHED.names()[6], "Black's pawn");
    }

    #[test]
    fn counters_count() {
        let seen = written(Planes::default(), &line(&["g1f3", "b8c6", "f3g1", "c6b8"]));
        assert_eq!([seen[18][5], seen[19][5], seen[20][5]], [0.04, 0.5, 0.02]);
    }

    #[test]
    fn only_legal_en_passant_is_marked_for_the_mover() {
        let quiet = line(&["e2e4", "c7c5"]);
        assert!(
            written(Planes::default(), &quiet)[17]
                .iter()
                .all(|&it| it == 0.0)
        );
        let sharp = line(&["e2e4", "g8f6", "e4e5", "d7d5"]);
        let marked = written(Planes::default(), &sharp);
        assert_eq!(marked[17][3], 1.0);
        assert_eq!(marked[17].iter().sum::<f32>(), 8.0);
    }

    #[test]
    fn history_shows_earlier_men() {
        let planes = Planes {
            history: 2,
            ..Planes::default()
        };
        let seen = written(planes, &line(&["e2e4", "c7c5", "g1f3"]));
        assert_eq!(seen.len(), 45);
        // Black moves: its knights are the near ones, and White's e-pawn stands on row 4.
        assert_eq!((seen[0][26], seen[6][36], seen[7][45]), (1.0, 1.0, 1.0));
        assert_eq!((seen[21][26], seen[27][36], seen[28][62]), (1.0, 1.0, 1.0));
        assert_eq!((seen[33][10], seen[39][36]), (1.0, 1.0));
        let alone = written(planes, &Line::new(Board::start()));
        assert!(alone[21..].iter().flatten().all(|&value| value == 0.0));
    }

    #[test]
    fn both_layouts_hold_the_same() {
        let (planes, line) = (Planes::default(), line(&["e2e4", "c7c5", "g1f3"]));
        let count = planes.count();
        let mut squares = vec![7.0; 64 * count];
        planes.write_squares(&Scene::of(&line), &mut squares);
        for (plane, values) in written(planes, &line).iter().enumerate() {
            for (square, &value) in values.iter().enumerate() {
                assert_eq!(squares[square * count + plane], value);
            }
        }
    }
}
