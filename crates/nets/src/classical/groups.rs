//! The groups of terms, each of which can be switched off by name.

use std::fmt;
use std::str::FromStr;

/// A group of terms of the evaluation.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(u8)]
pub enum Group {
    /// Material and the places of the pieces.
    PieceSquares,
    /// Mobility and patterns of pieces.
    Pieces,
    /// Threats: which men attack which.
    Threats,
    /// Pawn structure.
    Pawns,
    /// How kinds of pieces work together and against each other.
    Imbalance,
    /// Safety of the kings.
    King,
    /// Passed pawns.
    Passed,
    /// Space behind the own pawns.
    Space,
    /// How hard it is to turn an advantage into a win.
    Initiative,
}

impl Group {
    /// Every group, the linear ones first.
    pub const ALL: [Group; 9] = [
        Group::PieceSquares,
        Group::Pieces,
        Group::Threats,
        Group::Pawns,
        Group::Imbalance,
        Group::King,
        Group::Passed,
        Group::Space,
        Group::Initiative,
    ];

    /// The name in options and tables.
    pub const fn name(self) -> &'static str {
        match self {
            Group::PieceSquares => "piece-squares",
            Group::Pieces => "pieces",
            Group::Threats => "threats",
            Group::Pawns => "pawns",
            Group::Imbalance => "imbalance",
            Group::King => "king",
            Group::Passed => "passed",
            Group::Space => "space",
            Group::Initiative => "initiative",
        }
    }
}

impl fmt::Display for Group {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The text is not the name of a group.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownGroup(pub String);

impl fmt::Display for UnknownGroup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no group of terms is named {:?}; there are", self.0)?;
        Group::ALL
            .iter()
            .try_for_each(|group| write!(f, " {group}"))
    }
}

impl std::error::Error for UnknownGroup {}

impl FromStr for Group {
    type Err = UnknownGroup;

    fn from_str(text: &str) -> Result<Group, UnknownGroup> {
        Group::ALL
            .into_iter()
            .find(|group| group.name() == text)
            .ok_or_else(|| UnknownGroup(text.to_owned()))
    }
}

/// A set of groups.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Groups(u16);

impl Groups {
    /// No group.
    pub const NONE: Groups = Groups(0);
    /// Every group.
    pub const ALL: Groups = Groups((1 << Group::ALL.len()) - 1);
    /// The groups whose value is a dot product of weights and features.
    pub const LINEAR: Groups = Groups::NONE
        .with(Group::PieceSquares)
        .with(Group::Pieces)
        .with(Group::Threats)
        .with(Group::Pawns);

    /// The set with one more group.
    pub const fn with(self, group: Group) -> Groups {
        Groups(self.0 | 1 << group as u8)
    }

    /// The set without one group.
    pub const fn without(self, group: Group) -> Groups {
        Groups(self.0 & !(1 << group as u8))
    }

    /// The groups that are in both sets.
    #[must_use]
    pub const fn and(self, other: Groups) -> Groups {
        Groups(self.0 & other.0)
    }

    /// Whether the group is in the set.
    #[inline(always)]
    pub const fn contains(self, group: Group) -> bool {
        self.0 >> group as u8 & 1 == 1
    }

    /// The groups of the set in their order.
    pub fn iter(self) -> impl Iterator<Item = Group> {
        Group::ALL
            .into_iter()
            .filter(move |&group| self.contains(group))
    }
}

impl Default for Groups {
    fn default() -> Groups {
        Groups::ALL
    }
}

/// Reads names separated by commas or blanks; `all` and `linear` stand for sets.
impl FromStr for Groups {
    type Err = UnknownGroup;

    fn from_str(text: &str) -> Result<Groups, UnknownGroup> {
        let names = text.split([',', ' ']).filter(|name| !name.is_empty());
        names.into_iter().try_fold(Groups::NONE, |set, name| {
            Ok(match name {
                "all" => Groups::ALL,
                "linear" => Groups(set.0 | Groups::LINEAR.0),
                name => set.with(name.parse()?),
            })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for group in Group::ALL {
            assert_eq!(group.name().parse(), Ok(group));
        }
        assert_eq!(
            "pieces, king".parse(),
            Ok(Groups::NONE.with(Group::Pieces).with(Group::King))
        );
        assert_eq!("linear".parse(), Ok(Groups::LINEAR));
        let error = "pieces,kings".parse::<Groups>().unwrap_err();
        assert!(
            error
                .to_string()
                .starts_with("no group of terms is named \"kings\"")
        );
    }
}
