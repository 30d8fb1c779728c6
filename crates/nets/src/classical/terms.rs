//! The list of all terms that are features: their groups, names and indices.
//!
//! A term is one weight or a row of weights. The order of this list is the order of
//! the features. New terms go to the end of their part; weights are stored by name.
//! This module must not know the weights or the patterns.

use super::groups::{Group, Groups};
use chess::{File, PieceKind, Rank, Square};

/// How the weights of a term are labelled.
#[derive(Clone, Copy)]
enum Labels {
    /// One weight without a label.
    Single,
    /// By numbers from 0.
    Numbered(usize),
    /// By kind of piece, pawn first.
    Kinds(usize),
    /// By kind of piece and square, with the right half of the board folded onto the left.
    KindSquares,
}

/// How many files the folded board has.
const FOLDED_FILES: usize = 4;
/// How many squares the folded board has.
const FOLDED_SQUARES: usize = 8 * FOLDED_FILES;

impl Labels {
    const fn count(self) -> usize {
        match self {
            Labels::Single => 1,
            Labels::Numbered(count) | Labels::Kinds(count) => count,
            Labels::KindSquares => 6 * FOLDED_SQUARES,
        }
    }

    fn label(self, offset: usize) -> String {
        match self {
            Labels::Single => String::new(),
            Labels::Numbered(_) => format!(".{offset}"),
            Labels::Kinds(_) => format!(".{}", kind_name(offset)),
            Labels::KindSquares => {
                let kind = kind_name(offset / FOLDED_SQUARES);
                let file = File::from_index((offset % FOLDED_FILES) as u8);
                let rank = Rank::from_index((offset / FOLDED_FILES) as u8);
                format!(".{kind}.{}", Square::new(file, rank))
            }
        }
    }
}

fn kind_name(index: usize) -> &'static str {
    const NAMES: [&str; 6] = ["pawn", "knight", "bishop", "rook", "queen", "king"];
    NAMES.get(index).copied().unwrap_or("none")
}

/// A row of weights: where it starts among all features.
#[derive(Clone, Copy)]
pub(super) struct Term {
    start: usize,
}

impl Term {
    const fn at(place: usize) -> Term {
        let mut start = 0;
        let mut index = 0;
        while index < place {
            start += DEFINITIONS[index].labels.count();
            index += 1;
        }
        Term { start }
    }

    /// The index of a weight of the row.
    #[inline(always)]
    pub(super) const fn feature(self, offset: usize) -> usize {
        self.start + offset
    }
}

struct Definition {
    group: Group,
    name: &'static str,
    labels: Labels,
}

macro_rules! define_terms {
    ($($group:ident { $($constant:ident $name:literal $labels:expr;)* })*) => {
        #[allow(non_camel_case_types, clippy::upper_case_acronyms)]
        enum Place { $($($constant,)*)* }

        const DEFINITIONS: &[Definition] = &[
            $($(Definition { group: Group::$group, name: $name, labels: $labels },)*)*
        ];

        $($(pub(super) const $constant: Term = Term::at(Place::$constant as usize);)*)*
    };
}

use Labels::{KindSquares, Kinds, Numbered, Single};

define_terms! {
    PieceSquares {
        MATERIAL "material" Kinds(5);
        SQUARES "square" KindSquares;
    }
    Pieces {
        MOBILITY_KNIGHT "mobility.knight" Numbered(9);
        MOBILITY_BISHOP "mobility.bishop" Numbered(14);
        MOBILITY_ROOK "mobility.rook" Numbered(15);
        MOBILITY_QUEEN "mobility.queen" Numbered(28);
        BISHOP_PAIR "bishop-pair" Single;
        BISHOP_PAWNS "bishop-pawns" Single;
        BISHOP_BLOCKED_PAWNS "bishop-blocked-pawns" Single;
        BISHOP_XRAY_PAWNS "bishop-xray-pawns" Single;
        BISHOP_LONG_DIAGONAL "bishop-long-diagonal" Single;
        BISHOP_TRAPPED "bishop-trapped" Single;
        OUTPOST_KNIGHT "outpost.knight" Numbered(2);
        OUTPOST_BISHOP "outpost.bishop" Numbered(2);
        OUTPOST_REACHABLE "outpost.reachable" Single;
        BEHIND_PAWN_KNIGHT "behind-pawn.knight" Single;
        BEHIND_PAWN_BISHOP "behind-pawn.bishop" Single;
        KING_DISTANCE_KNIGHT "king-distance.knight" Single;
        KING_DISTANCE_BISHOP "king-distance.bishop" Single;
        ROOK_OPEN_FILE "rook-file.open" Single;
        ROOK_HALF_OPEN_FILE "rook-file.half-open" Single;
        ROOK_CLOSED_FILE "rook-file.closed" Single;
        ROOK_QUEEN_FILE "rook-file.with-queen" Single;
        ROOK_SEVENTH "rook-seventh" Single;
        ROOK_TRAPPED "rook-trapped" Numbered(2);
        QUEEN_EXPOSED "queen-exposed" Single;
    }
    Threats {
        THREAT_BY_PAWN "by-pawn" Kinds(5);
        THREAT_BY_MINOR "by-minor" Kinds(5);
        THREAT_BY_ROOK "by-rook" Kinds(5);
        THREAT_BY_KING "by-king" Single;
        HANGING "hanging" Single;
        DEFENDED_BY_QUEEN_ONLY "defended-by-queen-only" Single;
        RESTRICTED "restricted" Single;
        PAWN_PUSH "pawn-push" Single;
        KNIGHT_ON_QUEEN "knight-on-queen" Single;
        SLIDER_ON_QUEEN "slider-on-queen" Single;
    }
    Pawns {
        PAWN_ISOLATED "isolated" Numbered(4);
        PAWN_BACKWARD "backward" Single;
        PAWN_WEAK_UNOPPOSED "weak-unopposed" Single;
        PAWN_DOUBLED "doubled" Single;
        PAWN_DOUBLED_UNSUPPORTED "doubled-unsupported" Single;
        PAWN_DOUBLY_ATTACKED "doubly-attacked" Single;
        PAWN_PHALANX "phalanx" Numbered(8);
        PAWN_SUPPORTED "supported" Numbered(8);
        PAWN_CONNECTED_OPPOSED "connected-opposed" Numbered(8);
        PAWN_CANDIDATE "candidate" Numbered(8);
        PAWN_BLOCKED "blocked" Numbered(8);
        PAWN_ISLAND "island" Single;
    }
    Passed {
        PASSED_RANK "rank" Numbered(8);
        PASSED_FILE "file" Numbered(4);
        PASSED_PROTECTED "protected" Numbered(8);
        PASSED_OWN_KING "own-king" Numbered(8);
        PASSED_ENEMY_KING "enemy-king" Numbered(8);
        PASSED_SAFE_SPAN "safe-span" Numbered(8);
        PASSED_SAFE_PATH "safe-path" Numbered(8);
        PASSED_SAFE_STEP "safe-step" Numbered(8);
        PASSED_DEFENDED_STEP "defended-step" Numbered(8);
        PASSED_BLOCKED "blocked" Numbered(8);
        PASSED_ROOK_BEHIND "rook-behind" Single;
        PASSED_ENEMY_ROOK_BEHIND "enemy-rook-behind" Single;
        PASSED_UNSTOPPABLE "unstoppable" Single;
    }
}

/// How many features there are, including those of passed pawns.
pub const FEATURES: usize = Term::at(DEFINITIONS.len()).start;

/// How many features the linear groups have; they come first.
pub const LINEAR_FEATURES: usize = PASSED_RANK.start;

/// The groups whose terms are features: the linear ones and passed pawns, whose value is
/// also a dot product but which the published sources leave out of training.
pub const FEATURE_GROUPS: Groups = Groups::LINEAR.with(Group::Passed);

/// The feature of a man's material; `None` for the king, who has none.
pub const fn material_feature(kind: PieceKind) -> Option<usize> {
    match kind {
        PieceKind::King => None,
        kind => Some(MATERIAL.feature(kind.index())),
    }
}

/// The offset of a folded square in the row of `KindSquares`.
#[inline(always)]
pub(super) const fn kind_square(kind: PieceKind, square: Square) -> usize {
    let file = square.file() as usize;
    let rank = square.rank() as usize;
    kind.index() * FOLDED_SQUARES + rank * FOLDED_FILES + fold_file(file)
}

/// The distance of a file from the nearer edge, 0 to 3.
#[inline(always)]
pub(super) const fn fold_file(file: usize) -> usize {
    if file < FOLDED_FILES { file } else { 7 - file }
}

/// The name of a feature, such as `pieces.mobility.knight.3`; `None` past the last one.
pub fn feature_name(index: usize) -> Option<String> {
    let (definition, offset) = definition_of(index)?;
    let label = definition.labels.label(offset);
    Some(format!("{}.{}{label}", definition.group, definition.name))
}

/// The group of a feature; `None` past the last one.
pub fn feature_group(index: usize) -> Option<Group> {
    definition_of(index).map(|(definition, _)| definition.group)
}

fn definition_of(index: usize) -> Option<(&'static Definition, usize)> {
    let mut offset = index;
    for definition in DEFINITIONS {
        if offset < definition.labels.count() {
            return Some((definition, offset));
        }
        offset -= definition.labels.count();
    }
    None
}

/// For each term its full name, the index of its first feature and how many it has.
pub(super) fn rows() -> impl Iterator<Item = (String, usize, usize)> {
    DEFINITIONS.iter().enumerate().map(|(place, definition)| {
        let name = format!("{}.{}", definition.group, definition.name);
        (name, Term::at(place).start, definition.labels.count())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn names_are_unique_and_well_formed() {
        let names: Vec<_> = (0..FEATURES).filter_map(feature_name).collect();
        assert_eq!(names.len(), FEATURES);
        assert_eq!(names.iter().collect::<HashSet<_>>().len(), FEATURES);
        assert_eq!(feature_name(FEATURES), None);
        assert_eq!(names[MATERIAL.feature(1)], "piece-squares.material.knight");
        assert_eq!(
            names[MOBILITY_KNIGHT.feature(3)],
            "pieces.mobility.knight.3"
        );
        let knight = kind_square(PieceKind::Knight, chess::squares::F3);
        assert_eq!(
            names[SQUARES.feature(knight)],
            "piece-squares.square.knight.c3"
        );
    }

    #[test]
    fn linear_groups_come_first() {
        for index in 0..FEATURES {
            let group = feature_group(index).unwrap();
            assert_eq!(index < LINEAR_FEATURES, Groups::LINEAR.contains(group));
        }
    }
}
