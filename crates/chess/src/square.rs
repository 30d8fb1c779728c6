//! Squares, files and ranks.

use crate::Color;
use std::fmt;
use std::str::FromStr;

/// A column of the board, `a` to `h`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
#[allow(missing_docs)] // The names say it all.
pub enum File {
    A,
    B,
    C,
    D,
    E,
    F,
    G,
    H,
}

impl File {
    /// The files from `a` to `h`.
    pub const ALL: [File; 8] = [
        File::A,
        File::B,
        File::C,
        File::D,
        File::E,
        File::F,
        File::G,
        File::H,
    ];

    /// 0 for the a-file to 7 for the h-file.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The file with this index modulo 8.
    #[inline(always)]
    pub const fn from_index(index: u8) -> File {
        File::ALL[(index & 7) as usize]
    }

    /// The file of a letter in either case.
    pub const fn from_letter(letter: u8) -> Option<File> {
        match letter.to_ascii_lowercase() {
            lower @ b'a'..=b'h' => Some(File::from_index(lower - b'a')),
            _ => None,
        }
    }

    /// The letter `a` to `h`.
    pub const fn letter(self) -> char {
        (b'a' + self as u8) as char
    }
}

/// A row of the board, first (White's back rank) to eighth.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
#[allow(missing_docs)] // The names say it all.
pub enum Rank {
    First,
    Second,
    Third,
    Fourth,
    Fifth,
    Sixth,
    Seventh,
    Eighth,
}

impl Rank {
    /// The ranks from the first to the eighth.
    pub const ALL: [Rank; 8] = [
        Rank::First,
        Rank::Second,
        Rank::Third,
        Rank::Fourth,
        Rank::Fifth,
        Rank::Sixth,
        Rank::Seventh,
        Rank::Eighth,
    ];

    /// 0 for the first rank to 7 for the eighth.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The rank with this index modulo 8.
    #[inline(always)]
    pub const fn from_index(index: u8) -> Rank {
        Rank::ALL[(index & 7) as usize]
    }

    /// The rank of a digit `1` to `8`.
    pub const fn from_digit(digit: u8) -> Option<Rank> {
        match digit {
            b'1'..=b'8' => Some(Rank::from_index(digit - b'1')),
            _ => None,
        }
    }

    /// The digit `1` to `8`.
    pub const fn digit(self) -> char {
        (b'1' + self as u8) as char
    }

    /// The same rank seen from `color`'s side of the board.
    #[inline(always)]
    pub const fn relative_to(self, color: Color) -> Rank {
        Rank::from_index(self as u8 ^ (7 * color as u8))
    }
}

/// One of the 64 squares, a1 = 0, b1 = 1 to h8 = 63.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Square(u8);

impl Square {
    /// The square with this index modulo 64.
    #[inline(always)]
    pub const fn from_index(index: u8) -> Square {
        Square(index & 63)
    }

    /// The square on this file and rank.
    #[inline(always)]
    pub const fn new(file: File, rank: Rank) -> Square {
        Square(file as u8 | (rank as u8) << 3)
    }

    /// All squares from a1 to h8.
    pub fn all() -> impl DoubleEndedIterator<Item = Square> + ExactSizeIterator {
        (0..64u8).map(Square)
    }

    /// 0 for a1 to 63 for h8.
    #[inline(always)]
    pub const fn index(self) -> usize {
        // The mask costs nothing and lets the compiler drop bounds checks.
        (self.0 & 63) as usize
    }

    /// The column.
    #[inline(always)]
    pub const fn file(self) -> File {
        File::from_index(self.0)
    }

    /// The row.
    #[inline(always)]
    pub const fn rank(self) -> Rank {
        Rank::from_index(self.0 >> 3)
    }

    /// The square as `color` sees it: unchanged for White, mirrored top to bottom for Black.
    #[inline(always)]
    pub const fn relative_to(self, color: Color) -> Square {
        Square(self.0 ^ (56 * color as u8))
    }

    /// The square `files` to the right and `ranks` up, if it is on the board.
    pub const fn offset(self, files: i8, ranks: i8) -> Option<Square> {
        let file = (self.0 & 7) as i8 + files;
        let rank = (self.0 >> 3) as i8 + ranks;
        if file < 0 || file > 7 || rank < 0 || rank > 7 {
            return None;
        }
        Some(Square((rank * 8 + file) as u8))
    }

    /// Whether the square is light; h1 is.
    pub const fn is_light(self) -> bool {
        (self.0 ^ (self.0 >> 3)) & 1 == 1
    }

    /// Reads `e4`, in either case.
    pub const fn from_ascii(file: u8, rank: u8) -> Option<Square> {
        match (File::from_letter(file), Rank::from_digit(rank)) {
            (Some(file), Some(rank)) => Some(Square::new(file, rank)),
            _ => None,
        }
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.file().letter(), self.rank().digit())
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The text is not a square such as `e4`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ParseSquareError;

impl fmt::Display for ParseSquareError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not a square: expected a file a to h and a rank 1 to 8, as in e4")
    }
}

impl std::error::Error for ParseSquareError {}

impl FromStr for Square {
    type Err = ParseSquareError;

    fn from_str(text: &str) -> Result<Square, ParseSquareError> {
        match text.as_bytes() {
            &[file, rank] => Square::from_ascii(file, rank).ok_or(ParseSquareError),
            _ => Err(ParseSquareError),
        }
    }
}

/// A constant for each square, such as `squares::E4`.
pub mod squares {
    use super::Square;

    macro_rules! name_squares {
        ($($name:ident = $index:literal),* $(,)?) => {
            $(#[allow(missing_docs)] pub const $name: Square = Square::from_index($index);)*
        };
    }

    #[rustfmt::skip]
    name_squares! {
        A1 = 0, B1 = 1, C1 = 2, D1 = 3, E1 = 4, F1 = 5, G1 = 6, H1 = 7,
        A2 = 8, B2 = 9, C2 = 10, D2 = 11, E2 = 12, F2 = 13, G2 = 14, H2 = 15,
        A3 = 16, B3 = 17, C3 = 18, D3 = 19, E3 = 20, F3 = 21, G3 = 22, H3 = 23,
        A4 = 24, B4 = 25, C4 = 26, D4 = 27, E4 = 28, F4 = 29, G4 = 30, H4 = 31,
        A5 = 32, B5 = 33, C5 = 34, D5 = 35, E5 = 36, F5 = 37, G5 = 38, H5 = 39,
        A6 = 40, B6 = 41, C6 = 42, D6 = 43, E6 = 44, F6 = 45, G6 = 46, H6 = 47,
        A7 = 48, B7 = 49, C7 = 50, D7 = 51, E7 = 52, F7 = 53, G7 = 54, H7 = 55,
        A8 = 56, B8 = 57, C8 = 58, D8 = 59, E8 = 60, F8 = 61, G8 = 62, H8 = 63,
    }
}
