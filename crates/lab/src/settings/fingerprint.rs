//! A short text that is unique to some settings.
//!
//! Only what differs from the defaults is included: a new key in a later version does not change
//! the fingerprints of unfinished runs.

use serde_json::{Map, Value};

/// The fingerprint of settings, given the defaults.
pub(crate) fn fingerprint(settings: &Value, defaults: &Value) -> String {
    let text = match differing(settings, defaults) {
        Some(value) => value.to_string(),
        None => "nothing differs from the defaults".to_owned(),
    };
    blake3::hash(text.as_bytes()).to_hex()[..16].to_owned()
}

/// The part of a value that differs from the default.
fn differing(value: &Value, usual: &Value) -> Option<Value> {
    let (Value::Object(table), Value::Object(defaults)) = (value, usual) else {
        return (value != usual).then(|| value.clone());
    };
    let nothing = Value::Null;
    let mut part = Map::new();
    for (key, value) in table {
        if let Some(value) = differing(value, defaults.get(key).unwrap_or(&nothing)) {
            part.insert(key.clone(), value);
        }
    }
    for key in defaults.keys().filter(|key| !table.contains_key(*key)) {
        part.insert(key.clone(), Value::Null);
    }
    (!part.is_empty()).then_some(Value::Object(part))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_what_differs_counts() {
        let defaults = json!({"a": 1, "b": {"c": 2, "d": [3]}});
        assert_eq!(differing(&defaults, &defaults), None);
        let settings = json!({"a": 1, "b": {"c": 5, "d": [3]}});
        assert_eq!(
            differing(&settings, &defaults),
            Some(json!({"b": {"c": 5}}))
        );
        let more = |mut value: Value| {
            value["b"]["new"] = json!(7);
            value
        };
        // A new key with its default value changes nothing.
        assert_eq!(
            fingerprint(&settings, &defaults),
            fingerprint(&more(settings.clone()), &more(defaults.clone()))
        );
        assert_ne!(
            fingerprint(&settings, &defaults),
            fingerprint(&defaults, &defaults)
        );
        // A missing value is not the same as a default one.
        let less = json!({"b": {"c": 2, "d": [3]}});
        assert_ne!(
            fingerprint(&less, &defaults),
            fingerprint(&defaults, &defaults)
        );
    }
}
