//! Where two JSON values differ, for messages about two plans that are not the same.

use std::fmt;

use serde_json::{Map, Value};

/// A place in which two JSON values differ.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// Where, such as `players[1].nodes`; empty if they differ as a whole.
    pub place: String,
    /// The contents of the first value, in words.
    pub first: String,
    /// The contents of the second value, in words.
    pub second: String,
}

/// Such as `players[1].nodes is 5 there and 6 here`; the first value is "there".
impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = match self.place.as_str() {
            "" => "it",
            place => place,
        };
        write!(
            f,
            "{place} is {} there and {} here",
            self.first, self.second
        )
    }
}

/// The first place in which two JSON values differ.
pub fn difference(first: &Value, second: &Value) -> Option<Difference> {
    if first == second {
        return None;
    }
    match (first, second) {
        (Value::Object(one), Value::Object(other)) => one
            .keys()
            .chain(other.keys())
            .find_map(|key| Some(difference(at(one, key), at(other, key))?.below(key))),
        (Value::Array(one), Value::Array(other)) if one.len() == other.len() => {
            let mut pairs = one.iter().zip(other).enumerate();
            pairs.find_map(|(index, (one, other))| {
                Some(difference(one, other)?.below(&format!("[{index}]")))
            })
        }
        (Value::Array(one), Value::Array(other)) => Some(Difference {
            place: String::new(),
            first: format!("{} of them", one.len()),
            second: format!("{} of them", other.len()),
        }),
        _ => Some(Difference {
            place: String::new(),
            first: in_words(first),
            second: in_words(second),
        }),
    }
}

fn at<'a>(map: &'a Map<String, Value>, key: &str) -> &'a Value {
    map.get(key).unwrap_or(&Value::Null)
}

impl Difference {
    /// The same difference with `name` before its place, as seen from one level higher.
    fn below(self, name: &str) -> Difference {
        let dot = match self.place.is_empty() || self.place.starts_with('[') {
            true => "",
            false => ".",
        };
        Difference {
            place: format!("{name}{dot}{}", self.place),
            ..self
        }
    }
}

fn in_words(value: &Value) -> String {
    match value {
        Value::Null => "nothing".to_owned(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_first_difference_is_named() {
        let plan = json!({"games": 4, "players": [{"name": "a"}, {"name": "b", "nodes": 5}]});
        let differs = |other: Value| difference(&plan, &other).map(|words| words.to_string());
        assert_eq!(differs(plan.clone()), None);
        let mut other = plan.clone();
        other["players"][1]["nodes"] = json!(6);
        assert_eq!(
            differs(other).as_deref(),
            Some("players[1].nodes is 5 there and 6 here")
        );
        let mut other = plan.clone();
        other["players"][0]["hash"] = json!(16);
        assert_eq!(
            differs(other).as_deref(),
            Some("players[0].hash is nothing there and 16 here")
        );
        let mut other = plan.clone();
        other["players"] = json!([1]);
        assert_eq!(
            differs(other).as_deref(),
            Some("players is 2 of them there and 1 of them here")
        );
        let mut other = plan.clone();
        other["games"] = json!("4");
        assert_eq!(
            differs(other).as_deref(),
            Some("games is 4 there and 4 here")
        );
        assert_eq!(
            differs(json!(7)).as_deref().map(|words| &words[..6]),
            Some("it is ")
        );
    }
}
