//! The tags of a game, in their order.
//!
//! This module knows which tags every game must have, but not what the others mean.

/// The tags that every game in export format has, in this order, with their values if
/// they are unknown.
pub(crate) const ROSTER: [(&str, &str); 7] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("White", "?"),
    ("Black", "?"),
    ("Result", "*"),
];

/// Names and values of a game's tags. Each name occurs once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tags {
    pairs: Vec<(String, String)>,
}

impl Tags {
    /// No tags.
    pub fn new() -> Self {
        Self::default()
    }

    /// The value of a tag.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.pairs
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, value)| value.as_str())
    }

    /// Sets the value of a tag; a new tag goes to the end.
    pub fn set(&mut self, name: impl Into<String>, value: impl Into<String>) {
        let (name, value) = (name.into(), value.into());
        match self.pairs.iter_mut().find(|(known, _)| *known == name) {
            Some((_, known)) => *known = value,
            None => self.pairs.push((name, value)),
        }
    }

    /// Removes a tag.
    pub fn remove(&mut self, name: &str) {
        self.pairs.retain(|(known, _)| known != name);
    }

    /// Names and values, in their order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.pairs
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// The tags in the order of the export format: the seven of the roster,
    /// known or not, and then the others.
    pub fn in_export_order(&self) -> impl Iterator<Item = (&str, &str)> {
        let roster = ROSTER
            .iter()
            .map(|&(name, unknown)| (name, self.get(name).unwrap_or(unknown)));
        let others = self
            .iter()
            .filter(|(name, _)| ROSTER.iter().all(|(known, _)| known != name));
        roster.chain(others)
    }
}

impl<N: Into<String>, V: Into<String>> FromIterator<(N, V)> for Tags {
    fn from_iter<T: IntoIterator<Item = (N, V)>>(pairs: T) -> Self {
        let mut tags = Tags::new();
        for (name, value) in pairs {
            tags.set(name, value);
        }
        tags
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_name_stands_once() {
        let mut tags: Tags = [("White", "a"), ("ECO", "B12"), ("White", "b")]
            .into_iter()
            .collect();
        assert_eq!(
            tags.iter().collect::<Vec<_>>(),
            [("White", "b"), ("ECO", "B12")]
        );
        tags.remove("White");
        assert_eq!(tags.get("White"), None);
    }

    #[test]
    fn the_roster_comes_first() {
        let tags: Tags = [("ECO", "B12"), ("Black", "b"), ("Event", "e")]
            .into_iter()
            .collect();
        let names: Vec<_> = tags.in_export_order().map(|(name, _)| name).collect();
        assert_eq!(
            names,
            [
                "Event", "Site", "Date", "Round", "White", "Black", "Result", "ECO"
            ]
        );
        assert_eq!(tags.in_export_order().nth(2), Some(("Date", "????.??.??")));
    }
}
