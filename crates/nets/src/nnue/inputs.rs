//! The inputs of a net: the only place that numbers them.
//!
//! Each side sees the board from its own edge: Black's view is flipped
//! vertically, and with mirroring the board is flipped horizontally if the own
//! king stands on the files a to d. The king's square then chooses a bucket, and
//! each man is one input of this bucket. Engine, exporter and trainer all take
//! indices from [`View::feature`]; nothing here knows weights.

use chess::{Board, Color, Piece, PieceKind, Square};

/// Squares of the board.
const SQUARES: usize = 64;
/// XORed to a square, flips it vertically, as in Black's view.
const TURNED: u8 = 56;
/// XORed to a square, mirrors it horizontally.
const MIRRORED: u8 = 7;
/// The most inputs that can be active at once: one for each man.
pub const MOST_ACTIVE: usize = 32;

/// The inputs of a net, as data.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Inputs {
    /// The king bucket of each square, as seen from the own side and after mirroring.
    buckets: [u8; SQUARES],
    bucket_count: usize,
    mirrored: bool,
    /// Whether own and enemy king share one plane.
    shares_king_plane: bool,
}

/// Why a map of king buckets is invalid.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BucketError {
    /// A number has no square although a larger number has one.
    #[error("no square has the king bucket {0}, although a higher one is used")]
    Unused(u8),
    /// More buckets than squares.
    #[error("the king bucket {0} is not below 64")]
    TooMany(u8),
}

impl Inputs {
    /// Stockfish's HalfKAv2_hm: 32 king buckets, mirrored, one plane for both
    /// kings; 22,528 inputs.
    pub fn half_ka() -> Inputs {
        let mut buckets = [0; SQUARES];
        for square in Square::all() {
            let from_corner = 7 - square.file().index().max(4);
            buckets[square.index()] = (4 * (7 - square.rank().index()) + from_corner) as u8;
        }
        Inputs {
            buckets,
            bucket_count: 32,
            mirrored: true,
            shares_king_plane: true,
        }
    }

    /// One input for each piece and square: 768 for each king bucket. The map gives
    /// the bucket for the own king's square; with mirroring only its files e to h
    /// count.
    ///
    /// # Errors
    /// If the numbers of the buckets have a gap or are too large.
    pub fn piece_square(buckets: [u8; SQUARES], mirrored: bool) -> Result<Inputs, BucketError> {
        let seen = |square: &Square| !mirrored || square.file().index() >= 4;
        let used = || Square::all().filter(seen).map(|sq| buckets[sq.index()]);
        let last = used().max().unwrap_or(0);
        if usize::from(last) >= SQUARES {
            return Err(BucketError::TooMany(last));
        }
        if let Some(gap) = (0..last).find(|&bucket| used().all(|other| other != bucket)) {
            return Err(BucketError::Unused(gap));
        }
        Ok(Inputs {
            buckets,
            bucket_count: usize::from(last) + 1,
            mirrored,
            shares_king_plane: false,
        })
    }

    /// How many inputs there are.
    pub fn count(&self) -> usize {
        self.bucket_count * self.bucket_size()
    }

    /// How many king buckets there are.
    pub fn bucket_count(&self) -> usize {
        self.bucket_count
    }

    /// How many inputs one king bucket has.
    pub fn bucket_size(&self) -> usize {
        self.planes() * SQUARES
    }

    /// How many planes a king bucket has: one for each kind of man of each side, with
    /// one for both kings if they share it.
    pub fn planes(&self) -> usize {
        12 - usize::from(self.shares_king_plane)
    }

    /// Whether the board is mirrored depending on the own king's wing.
    pub fn is_mirrored(&self) -> bool {
        self.mirrored
    }

    /// The bucket of each square.
    pub fn buckets(&self) -> &[u8; SQUARES] {
        &self.buckets
    }

    /// How many factored inputs there are, which do not depend on the king bucket.
    pub fn factor_count(&self) -> usize {
        12 * SQUARES
    }

    /// The factored input of this input, whose weights a trainer shares between all
    /// king buckets. Own and enemy king always have different ones.
    pub fn factor(&self, feature: usize) -> usize {
        let (bucket, within) = (feature / self.bucket_size(), feature % self.bucket_size());
        let (plane, square) = (within / SQUARES, within % SQUARES);
        if !self.shares_king_plane || plane < 2 * PieceKind::King.index() {
            return within;
        }
        // In a shared plane, only the own king can stand on a square of this bucket.
        let is_own = square & 4 != 0 && usize::from(self.buckets[square]) == bucket;
        within + SQUARES * usize::from(!is_own)
    }

    /// How many different views one side can have.
    pub fn view_count(&self) -> usize {
        self.bucket_count << usize::from(self.mirrored)
    }

    /// How a side whose king stands on `king` sees the board.
    #[inline]
    pub fn view(&self, perspective: Color, king: Square) -> View {
        let mut flip = match perspective {
            Color::White => 0,
            Color::Black => TURNED,
        };
        let is_mirrored = self.mirrored && king.file().index() < 4;
        if is_mirrored {
            flip ^= MIRRORED;
        }
        let bucket = usize::from(self.buckets[king.index() ^ usize::from(flip)]);
        View {
            first: (bucket * self.bucket_size()) as u32,
            number: (bucket << usize::from(self.mirrored) | usize::from(is_mirrored)) as u8,
            flip,
            perspective,
            shares_king_plane: self.shares_king_plane,
        }
    }

    /// The active inputs of a board for one side.
    pub fn active(&self, board: &Board, perspective: Color) -> impl Iterator<Item = usize> {
        let view = self.view(perspective, board.king(perspective));
        board.occupied().into_iter().filter_map(move |square| {
            let piece = board.piece_at(square)?;
            Some(view.feature(piece, square))
        })
    }
}

/// How one side sees the board; it stays the same until its king changes it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct View {
    /// The first input of the king's bucket.
    first: u32,
    number: u8,
    flip: u8,
    perspective: Color,
    shares_king_plane: bool,
}

impl View {
    /// The index of the input for a man on a square.
    #[inline(always)]
    pub fn feature(&self, piece: Piece, square: Square) -> usize {
        let is_enemy = piece.color != self.perspective
            && !(self.shares_king_plane && piece.kind == PieceKind::King);
        let plane = 2 * piece.kind.index() + usize::from(is_enemy);
        self.first as usize + plane * SQUARES + (square.index() ^ usize::from(self.flip))
    }

    /// The number of this view among all views of this side, below [`Inputs::view_count`].
    #[inline(always)]
    pub fn number(&self) -> usize {
        usize::from(self.number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::{File, Rank};

    fn square(name: &str) -> Square {
        let name = name.as_bytes();
        Square::from_ascii(name[0], name[1]).expect("a square")
    }

    const WHITE_PAWN: Piece = Piece::new(Color::White, PieceKind::Pawn);
    const BLACK_KING: Piece = Piece::new(Color::Black, PieceKind::King);

    #[test]
    fn half_ka_has_its_known_buckets() {
        let inputs = Inputs::half_ka();
        assert_eq!(inputs.count(), 22_528);
        let first = |king| inputs.view(Color::White, square(king)).first / 704;
        assert_eq!([first("h8"), first("e1"), first("h1")], [0, 31, 28]);
        // The queen's wing is the mirror image.
        assert_eq!([first("a8"), first("d1"), first("a1")], [0, 31, 28]);
        assert_eq!(inputs.view_count(), 64);
    }

    #[test]
    fn half_ka_numbers_known_inputs() {
        let inputs = Inputs::half_ka();
        let white = inputs.view(Color::White, square("e1"));
        assert_eq!(white.feature(WHITE_PAWN, square("a2")), 31 * 704 + 8);
        assert_eq!(white.feature(BLACK_KING, square("e8")), 31 * 704 + 640 + 60);
        // Black sees the same board upside down, and White's pawns as the enemy's.
        let black = inputs.view(Color::Black, square("e8"));
        assert_eq!(black.feature(WHITE_PAWN, square("a2")), 31 * 704 + 64 + 48);
        assert_eq!(black.feature(BLACK_KING, square("e8")), 31 * 704 + 640 + 4);
        let mirrored = inputs.view(Color::White, square("d1"));
        assert_eq!(mirrored.feature(WHITE_PAWN, square("a2")), 31 * 704 + 15);
    }

    #[test]
    fn piece_square_maps_may_be_any() {
        let plain = Inputs::piece_square([0; 64], false).expect("one bucket");
        assert_eq!([plain.count(), plain.view_count()], [768, 1]);
        let view = plain.view(Color::Black, square("b8"));
        assert_eq!(view.feature(BLACK_KING, square("b8")), 640 + 1);
        assert_eq!(
            view.feature(Piece::new(Color::White, PieceKind::King), square("g1")),
            640 + 64 + 62
        );

        let mut buckets = [0; 64];
        buckets[Square::new(File::G, Rank::First).index()] = 1;
        buckets[Square::new(File::B, Rank::First).index()] = 9;
        let mirrored = Inputs::piece_square(buckets, true).expect("file b is never looked at");
        assert_eq!([mirrored.count(), mirrored.view_count()], [1536, 4]);
        assert_eq!(mirrored.view(Color::White, square("b1")).first, 768);
        assert_eq!(
            Inputs::piece_square(buckets, false),
            Err(BucketError::Unused(2))
        );
        assert_eq!(
            Inputs::piece_square([64; 64], false),
            Err(BucketError::TooMany(64))
        );
    }

    #[test]
    fn factors_do_not_depend_on_the_bucket() {
        let half_ka = Inputs::half_ka();
        let by_square = std::array::from_fn(|index| index as u8);
        let plain = Inputs::piece_square([0; 64], false).expect("one bucket");
        let many = Inputs::piece_square(by_square, false).expect("64 buckets");
        let mut random = crate::nnue::Random::new(5);
        for _ in 0..2_000 {
            let mut any = || Square::from_index((random.number() % 64) as u8);
            let (king, place) = (any(), any());
            for kind in PieceKind::ALL {
                for color in Color::ALL {
                    let is_own_king = kind == PieceKind::King && color == Color::White;
                    let is_enemy_king = kind == PieceKind::King && color == Color::Black;
                    if is_enemy_king && place == king {
                        continue;
                    }
                    let place = if is_own_king { king } else { place };
                    let piece = Piece::new(color, kind);
                    let expected = plain.view(Color::White, king).feature(piece, place);
                    let feature = many.view(Color::White, king).feature(piece, place);
                    assert_eq!(many.factor(feature), expected);
                    let feature = half_ka.view(Color::White, king).feature(piece, place);
                    let flip = if king.file().index() < 4 { 7 } else { 0 };
                    let mirrored = expected / 64 * 64 + ((expected % 64) ^ flip);
                    assert_eq!(half_ka.factor(feature), mirrored, "{king:?} {place:?}");
                }
            }
        }
    }

    #[test]
    fn every_input_lies_within_the_count_and_views_have_numbers() {
        let by_square = std::array::from_fn(|index| index as u8);
        for inputs in [
            Inputs::half_ka(),
            Inputs::piece_square([0; 64], true).expect("one bucket"),
            Inputs::piece_square(by_square, false).expect("64 buckets"),
        ] {
            let mut numbers = vec![false; inputs.view_count()];
            for (color, king) in Color::ALL
                .into_iter()
                .flat_map(|color| Square::all().map(move |king| (color, king)))
            {
                let view = inputs.view(color, king);
                numbers[view.number()] = true;
                let mut seen = vec![false; inputs.count()];
                for piece_color in Color::ALL {
                    for kind in PieceKind::ALL {
                        for square in Square::all() {
                            seen[view.feature(Piece::new(piece_color, kind), square)] = true;
                        }
                    }
                }
                let used = seen.iter().filter(|&&seen| seen).count();
                assert_eq!(used, inputs.bucket_size());
            }
            assert!(numbers.iter().all(|&used| used));
        }
    }

    #[test]
    fn a_board_and_its_mirror_image_look_alike() {
        let board =
            Board::from_fen("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w - - 0 1")
                .expect("a position");
        let turned =
            Board::from_fen("r3k2r/pppbbppp/2n2q1P/1P2p3/3pn3/BN2PNP1/P1PPQPB1/R3K2R b - - 0 1")
                .expect("the same with colours swapped");
        let sorted = |inputs: &Inputs, board: &Board, color| {
            let mut active: Vec<_> = inputs.active(board, color).collect();
            active.sort_unstable();
            active
        };
        let half_ka = Inputs::half_ka();
        for color in Color::ALL {
            let own = sorted(&half_ka, &board, color);
            assert_eq!(own, sorted(&half_ka, &turned, !color));
            assert_eq!(own.len(), 32);
        }
    }
}
