//! The parameters of the groups that are not linear.

use crate::classical::score::Score;

/// The parameters of the groups that are not linear.
#[derive(Clone, Debug)]
pub struct Parameters {
    /// Group `king`.
    pub king: KingParameters,
    /// Group `imbalance`.
    pub imbalance: ImbalanceParameters,
    /// Group `space`.
    pub space: SpaceParameters,
    /// Group `initiative`.
    pub initiative: InitiativeParameters,
    /// The bonus for the side to move, in centipawns.
    pub tempo: i32,
}

impl Default for Parameters {
    fn default() -> Parameters {
        Parameters {
            king: KingParameters::default(),
            imbalance: ImbalanceParameters::default(),
            space: SpaceParameters::default(),
            initiative: InitiativeParameters::default(),
            tempo: 14,
        }
    }
}

/// King safety: pawns and flanks are in centipawns, attacks in units of danger.
#[derive(Clone, Debug)]
pub struct KingParameters {
    /// Own pawns, by distance of the file from the edge and by rank; rank 0 is for no pawn.
    pub shelter: [[i32; 8]; 4],
    /// Enemy pawns, likewise, with ranks counted from the king's side.
    pub storm: [[i32; 8]; 4],
    /// Enemy pawns that an own pawn blocks, by rank.
    pub blocked_storm: [Score; 8],
    /// For each step to the nearest own pawn.
    pub pawn_distance: Score,
    /// For a flank without any pawn.
    pub pawnless_flank: Score,
    /// For each attack on the king's flank.
    pub flank_attack: Score,
    /// Danger of an attacker of the ring by kind, times the number of attackers.
    pub attacker: [i32; 5],
    /// Danger of a weakly guarded square of the ring.
    pub weak_ring_square: i32,
    /// Danger of an attack on a square next to the king.
    pub adjacent_attack: i32,
    /// Danger of a pinned man.
    pub pinned: i32,
    /// Danger of no, one, or several safe checks by knight, bishop, rook, queen.
    pub safe_check: [[i32; 3]; 4],
    /// Danger of a check on a guarded square.
    pub unsafe_check: i32,
    /// Danger of the squared attacks on the flank, in sixteenths.
    pub flank_attacks_squared: i32,
    /// Reduction of danger for each guarded square of the flank.
    pub flank_defence: i32,
    /// Reduction of danger if the enemy has no queen.
    pub no_queen: i32,
    /// Reduction of danger for a knight that guards the ring.
    pub knight_guard: i32,
    /// Reduction of danger for each centipawn of shelter, in sixteenths.
    pub shelter_calm: i32,
    /// Danger that is always there.
    pub base: i32,
}

impl Default for KingParameters {
    #[rustfmt::skip]
    fn default() -> KingParameters {
        KingParameters {
            shelter: [
                [-2, 38, 42, 27, 18, 8, 11, 0],
                [-20, 29, 16, -22, -13, -5, -28, 0],
                [-4, 35, 11, -1, 14, 1, -20, 0],
                [-18, -5, -13, -24, -22, -30, -75, 0],
            ],
            storm: [
                [-42, 0, -78, -44, -25, -20, -22, 0],
                [-21, 0, -57, -24, -18, 4, -10, 0],
                [-3, 0, -76, -16, -1, 4, 7, 0],
                [7, 0, -45, -50, -5, 2, 10, 0],
            ],
            blocked_storm: [
                Score::ZERO, Score::ZERO, Score::new(-36, -36), Score::new(6, -5),
                Score::new(4, -4), Score::new(3, -2), Score::new(2, -1), Score::ZERO,
            ],
            pawn_distance: Score::new(0, -8),
            pawnless_flank: Score::new(-8, -44),
            flank_attack: Score::new(-4, 0),
            attacker: [0, 78, 54, 46, 14],
            weak_ring_square: 180,
            adjacent_attack: 70,
            pinned: 95,
            safe_check: [
                [0, 800, 1200], // knight
                [0, 620, 920], // bishop
                [0, 1050, 1650], // rook
                [0, 740, 1080], // queen
            ],
            unsafe_check: 140,
            flank_attacks_squared: 6,
            flank_defence: 4,
            no_queen: 860,
            knight_guard: 90,
            shelter_calm: 26,
            base: 20,
        }
    }
}

/// Imbalance: values of pairs of pieces, in fractions of a centipawn.
#[derive(Clone, Debug)]
pub struct ImbalanceParameters {
    /// For each pair of own pieces, the more valuable kind first.
    pub own: [[i32; 5]; 5],
    /// For each pair of an own piece and an enemy's.
    pub enemy: [[i32; 5]; 5],
    /// Subtracted from the number of own pawns in pairs, so that material keeps its meaning.
    pub usual_pawns: i32,
    /// How many fractions a centipawn has.
    pub unit: i32,
}

impl Default for ImbalanceParameters {
    #[rustfmt::skip]
    fn default() -> ImbalanceParameters {
        ImbalanceParameters {
            // Knights gain by many own pawns, rooks by few; a second rook, or a queen
            // beside rooks, is partly redundant.
            own: [
                [0, 0, 0, 0, 0],
                [80, -60, 0, 0, 0],
                [10, 0, 0, 0, 0],
                [-110, -20, 20, -200, 0],
                [0, 60, 0, -150, -100],
            ],
            // Rooks and queens lose value against many minor pieces, which restrict them.
            enemy: [
                [0, 0, 0, 0, 0],
                [0, 0, 0, 0, 0],
                [10, 0, 0, 0, 0],
                [0, -40, -40, 0, 0],
                [0, -60, -60, 40, 0],
            ],
            usual_pawns: 5,
            unit: 16,
        }
    }
}

/// Space: room times the square of the number of men that need it.
#[derive(Clone, Debug)]
pub struct SpaceParameters {
    /// With less non-pawn material of both sides than this, space counts nothing.
    pub least_material: i32,
    /// How many men need no room.
    pub men_offset: i32,
    /// The most blocked pawns that count.
    pub most_locked: i32,
    /// Room times need squared, divided by this, is the value in centipawns.
    pub divisor: i32,
}

impl Default for SpaceParameters {
    fn default() -> SpaceParameters {
        SpaceParameters {
            least_material: 5_800,
            men_offset: 3,
            most_locked: 4,
            divisor: 52,
        }
    }
}

/// Initiative: corrections of the endgame value, in centipawns.
#[derive(Clone, Debug)]
pub struct InitiativeParameters {
    /// For each passed pawn.
    pub passed: i32,
    /// For each pawn.
    pub pawn: i32,
    /// For each file between the kings and each rank by which they have passed each other.
    pub outflanking: i32,
    /// For pawns on both wings.
    pub both_flanks: i32,
    /// For a king in the enemy half.
    pub infiltration: i32,
    /// For an endgame of pawns only.
    pub pawns_only: i32,
    /// Subtracted if the kings have not outflanked each other and all pawns are on one wing.
    pub hard_to_win: i32,
    /// Subtracted always.
    pub base: i32,
    /// Added in the opening, where the correction can only reduce an advantage.
    pub opening_offset: i32,
}

impl Default for InitiativeParameters {
    fn default() -> InitiativeParameters {
        InitiativeParameters {
            passed: 4,
            pawn: 5,
            outflanking: 4,
            both_flanks: 10,
            infiltration: 11,
            pawns_only: 24,
            hard_to_win: 20,
            base: 48,
            opening_offset: 24,
        }
    }
}
