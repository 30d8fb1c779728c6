//! Compares the settings of a checkpoint with the present ones.

use serde_json::Value;

/// The differences between two serialised settings.
pub(crate) fn differences(old: &str, new: &str) -> String {
    let [old, new] = [old, new].map(serde_json::from_str);
    let [old, new] = [old, new].map(Result::unwrap_or_default);
    let mut list = Vec::new();
    compare("", &old, &new, &mut list);
    list.join("; ")
}

/// Lists the keys whose values differ.
fn compare(key: &str, old: &Value, new: &Value, list: &mut Vec<String>) {
    match (old, new) {
        // A schedule counts as one value.
        (Value::Object(old), Value::Object(new)) if key.is_empty() || !new.contains_key("kind") => {
            let keys = old
                .keys()
                .chain(new.keys().filter(|&key| !old.contains_key(key)));
            for name in keys {
                let [old, new] = [old, new].map(|table| table.get(name).unwrap_or(&Value::Null));
                let key = match key {
                    "" => name.clone(),
                    key => format!("{key}.{name}"),
                };
                compare(&key, old, new, list);
            }
        }
        _ if old == new => {}
        _ => list.push(format!("{key} was {} and is {}", said(old), said(new))),
    }
}

fn said(value: &Value) -> String {
    match value {
        Value::Null => "not given".to_owned(),
        value => value.to_string(),
    }
}
