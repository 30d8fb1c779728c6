//! Group `king`: how safe the kings are.
//!
//! It is not linear: threats to a king are added up to a danger, and the penalty grows
//! with the square of the danger, because attackers help each other.

mod shelter;

pub(super) use shelter::{Shelter, shelter_of};

use super::masks;
use super::score::Score;
use super::view::View;
use super::weights::KingParameters;
use chess::{Bitboard, Color, PieceKind, attacks};

/// Up to this danger there is no penalty.
const HARMLESS: i32 = 100;
/// The most danger that is counted: beyond it the king is lost anyway.
const MAX_DANGER: i32 = 4000;
/// The opening penalty is the square of the danger divided by this.
const OPENING_DIVISOR: i32 = 8192;
/// The endgame penalty is the danger divided by this.
const ENDGAME_DIVISOR: i32 = 32;
/// The unit of the weights that are fractions.
const FRACTION: i32 = 16;

/// The value of a side's king safety.
#[inline(always)]
pub(super) fn value(view: &View<'_>, color: Color) -> Score {
    let weights = &view.weights.parameters.king;
    let flank = Flank::new(view, color);
    let danger = danger(view, color, &flank, weights);
    let mut score = view.pawns.shelter(color).total() - price(danger);
    score += weights.flank_attack * flank.attacks;
    if flank.pawnless {
        score += weights.pawnless_flank;
    }
    score
}

#[inline(always)]
fn price(danger: i32) -> Score {
    if danger <= HARMLESS {
        return Score::ZERO;
    }
    let danger = danger.min(MAX_DANGER);
    Score::new(danger * danger / OPENING_DIVISOR, danger / ENDGAME_DIVISOR)
}

/// Attacks and pawns on the king's flank.
struct Flank {
    attacks: i32,
    defences: i32,
    pawnless: bool,
}

impl Flank {
    /// The king's half of the board and one more rank.
    const CAMP: Bitboard = Bitboard(0x0000_00ff_ffff_ffff);

    #[inline(always)]
    fn new(view: &View<'_>, color: Color) -> Flank {
        let (us, them) = (color.index(), (!color).index());
        let files = masks::flank(view.board.king(color));
        let camp = files & masks::relative(color, Flank::CAMP);
        let once = view.maps.any[them] & camp;
        let twice = once & view.maps.twice[them];
        Flank {
            attacks: (once.count() + twice.count()) as i32,
            defences: (view.maps.any[us] & camp).count() as i32,
            pawnless: !view.board.kind(PieceKind::Pawn).meets(files),
        }
    }
}

#[inline(always)]
fn danger(view: &View<'_>, color: Color, flank: &Flank, weights: &KingParameters) -> i32 {
    let maps = &view.maps;
    let (us, them) = (color.index(), (!color).index());
    let assault = &maps.assault[them];
    let attackers: i32 = assault.attackers.iter().sum();
    let weight: i32 = assault
        .attackers
        .iter()
        .zip(weights.attacker)
        .map(|(count, weight)| count * weight)
        .sum();

    let queen = maps.by(color, PieceKind::Queen);
    let royal = maps.by(color, PieceKind::King) | queen;
    // Attacked, not guarded twice, and guarded at most by the king or queen.
    let weak = maps.any[them].without(maps.twice[us]) & (royal | !maps.any[us]);
    let checks = Checks::new(view, color, weak);
    let ring = maps.ring[us];
    let knight_guard = ring.meets(maps.by(color, PieceKind::Knight));
    let queenless = view.board.pieces(!color, PieceKind::Queen).is_empty();

    attackers * weight
        + weights.weak_ring_square * (ring & weak).count() as i32
        + weights.adjacent_attack * assault.adjacent
        + weights.pinned * maps.pinned[us].count() as i32
        + checks.danger(weights)
        + weights.flank_attacks_squared * flank.attacks * flank.attacks / FRACTION
        - weights.flank_defence * flank.defences
        - weights.no_queen * queenless as i32
        - weights.knight_guard * knight_guard as i32
        - weights.shelter_calm * view.pawns.shelter(color).opening() / FRACTION
        + weights.base
}

/// Squares from which the enemy could check, by kind.
struct Checks {
    /// Safe checks by knight, bishop, rook and queen.
    safe: [Bitboard; 4],
    /// Squares of checks that are guarded.
    unsafe_squares: Bitboard,
}

impl Checks {
    #[inline(always)]
    fn new(view: &View<'_>, color: Color, weak: Bitboard) -> Checks {
        let maps = &view.maps;
        let (us, them) = (color.index(), (!color).index());
        let king = view.board.king(color);
        // The own queen does not block checks: it would have to move or be lost.
        let occupied = view
            .board
            .occupied()
            .without(view.board.pieces(color, PieceKind::Queen));
        let lines = attacks::rook_attacks(king, occupied);
        let diagonals = attacks::bishop_attacks(king, occupied);
        let free = !view.board.color(!color);
        let safe = free & (!maps.any[us] | (weak & maps.twice[them]));

        let knight = attacks::knight_attacks(king) & maps.by(!color, PieceKind::Knight);
        let bishop = diagonals & maps.by(!color, PieceKind::Bishop);
        let rook = lines & maps.by(!color, PieceKind::Rook);
        let queen = (lines | diagonals) & maps.by(!color, PieceKind::Queen);
        let safe_rook = rook & safe;
        // A queen's check counts where no rook can check safely and the queen cannot be traded.
        let safe_queen = (queen & safe)
            .without(maps.by(color, PieceKind::Queen))
            .without(safe_rook);
        let safe_bishop = (bishop & safe).without(safe_queen);
        let safe_knight = knight & safe;
        let guarded = (knight | bishop | rook).without(safe) & free & maps.area[them];
        Checks {
            safe: [safe_knight, safe_bishop, safe_rook, safe_queen],
            unsafe_squares: guarded,
        }
    }

    #[inline(always)]
    fn danger(&self, weights: &KingParameters) -> i32 {
        let mut danger = weights.unsafe_check * self.unsafe_squares.count() as i32;
        for (set, weight) in self.safe.iter().zip(weights.safe_check) {
            let grade = set.any() as usize + set.several() as usize;
            danger += weight[grade];
        }
        danger
    }
}
