//! The possible values of a key in words: types, ranges and choices of a schema.

use serde_json::{Map, Value};

/// The definition that a schema refers to, if the schema is only a reference.
pub(super) fn reference(schema: &Value) -> Option<&str> {
    let direct = schema.get("$ref");
    let wrapped = || match schema.get("allOf")?.as_array()?.as_slice() {
        [only] => only.get("$ref"),
        _ => None,
    };
    let path = direct.or_else(wrapped)?.as_str()?;
    path.rsplit('/').next()
}

/// The choices of a schema.
pub(super) fn choices(schema: &Value) -> &[Value] {
    let list = schema.get("anyOf").or(schema.get("oneOf"));
    list.and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

/// Whether a schema allows only a choice of words.
pub(super) fn are_words(schema: &Value) -> bool {
    let is_word = |choice: &Value| choice.get("const").is_some_and(Value::is_string);
    let list = choices(schema);
    schema.get("enum").is_some() || !list.is_empty() && list.iter().all(is_word)
}

/// The possible values; definitions with their own section are linked.
pub(super) fn values(schema: &Value, definitions: &Map<String, Value>) -> String {
    if let Some(words) = schema.get("x-values").and_then(Value::as_str) {
        return words.to_owned();
    }
    if let Some(name) = reference(schema) {
        return match definitions.get(name) {
            Some(definition) if are_words(definition) => values(definition, definitions),
            _ => {
                let kind = schema.get("minimum").or(schema.get("exclusiveMinimum"));
                let range = kind.map(|_| format!(", {}", range(schema).trim()));
                format!("[{name}](#{name}){}", range.unwrap_or_default())
            }
        };
    }
    if let Some(list) = schema.get("enum").and_then(Value::as_array) {
        let words: Vec<String> = list.iter().map(code).collect();
        return words.join(", ");
    }
    if let Some(word) = schema.get("const") {
        return match description(schema) {
            "" => code(word),
            about => format!("{}: {}", code(word), one_line(about).trim_end_matches('.')),
        };
    }
    let list = choices(schema);
    if !list.is_empty() {
        let all: Vec<String> = list
            .iter()
            .map(|choice| values(choice, definitions))
            .collect();
        let between = if are_words(schema) { "; " } else { " or " };
        return all.join(between);
    }
    match schema.get("type") {
        Some(Value::Array(kinds)) => {
            let kinds: Vec<&str> = kinds.iter().filter_map(Value::as_str).map(named).collect();
            kinds.join(" or ")
        }
        Some(Value::String(kind)) => of_type(kind, schema, definitions),
        _ => "any value".to_owned(),
    }
}

fn of_type(kind: &str, schema: &Value, definitions: &Map<String, Value>) -> String {
    match kind {
        "array" => {
            let items = match schema.get("items") {
                Some(Value::Array(parts)) => {
                    let parts: Vec<String> = (parts.iter())
                        .map(|part| values(part, definitions))
                        .collect();
                    parts.join(" and ")
                }
                Some(items) => values(items, definitions),
                None => "values".to_owned(),
            };
            format!("list: {items}")
        }
        "object" => match schema.get("additionalProperties") {
            Some(inner @ Value::Object(_)) => {
                format!("table, by name: {}", values(inner, definitions))
            }
            _ => "table".to_owned(),
        },
        _ => {
            let (kind, range) = (named(kind), range(schema));
            match schema.get("multipleOf").and_then(Value::as_u64) {
                Some(2) => format!("even {kind}{range}"),
                Some(factor) => format!("{kind}{range}, a multiple of {factor}"),
                None => format!("{kind}{range}"),
            }
        }
    }
}

fn named(kind: &str) -> &str {
    match kind {
        "integer" => "whole number",
        "boolean" => "true or false",
        "string" => "text",
        other => other,
    }
}

/// The range of a number, with a leading space.
fn range(schema: &Value) -> String {
    let end = |key: &str| schema.get(key).map(number);
    let low = end("minimum").map(|low| format!("from {low}"));
    let low = low.or(end("exclusiveMinimum").map(|low| format!("above {low}")));
    let [up_to, below] = match (schema.get("minimum"), schema.get("exclusiveMinimum")) {
        (Some(_), _) => ["to", "to below"],
        (None, Some(_)) => ["and up to", "and below"],
        (None, None) => ["up to", "below"],
    };
    let high = end("maximum").map(|high| format!(" {up_to} {high}"));
    let high = high.or(end("exclusiveMaximum").map(|high| format!(" {below} {high}")));
    match (low, high) {
        (Some(low), high) => format!(" {low}{}", high.unwrap_or_default()),
        (None, Some(high)) => high,
        (None, None) => String::new(),
    }
}

/// A number formatted for people.
fn number(value: &Value) -> String {
    let text = value.to_string();
    let digits = text.trim_start_matches('-');
    if digits.len() <= 4 || !digits.chars().all(|digit| digit.is_ascii_digit()) {
        return text;
    }
    let mut grouped = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    match text.starts_with('-') {
        true => format!("-{grouped}"),
        false => grouped,
    }
}

/// The description of a schema.
pub(super) fn description(schema: &Value) -> &str {
    schema
        .get("description")
        .and_then(Value::as_str)
        .unwrap_or_default()
}

/// A text without line breaks.
pub(super) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A value in the notation of TOML.
pub(super) fn code(value: &Value) -> String {
    format!("`{}`", toml_text(value))
}

fn toml_text(value: &Value) -> String {
    match value {
        Value::Array(list) => {
            let parts: Vec<String> = list.iter().map(toml_text).collect();
            format!("[{}]", parts.join(", "))
        }
        Value::Object(table) => {
            let parts: Vec<String> = table
                .iter()
                .map(|(key, value)| format!("{key} = {}", toml_text(value)))
                .collect();
            format!("{{ {} }}", parts.join(", "))
        }
        plain => plain.to_string(),
    }
}
