//! The parts of JSON Schema that the schemas of settings use.

use serde_json::Value;

/// The first violation in a value, with its path.
pub(super) fn problem(root: &Value, schema: &Value, value: &Value, path: &str) -> Option<String> {
    let wrong = |words: String| Some(format!("{path}: {words}"));
    for (keyword, rule) in schema.as_object().into_iter().flatten() {
        let found = match (keyword.as_str(), rule) {
            ("$ref", Value::String(place)) => {
                let definition = root.pointer(place.trim_start_matches('#'));
                let Some(definition) = definition else {
                    return wrong(format!("there is no {place}"));
                };
                problem(root, definition, value, path)
            }
            ("allOf", Value::Array(all)) => all
                .iter()
                .find_map(|schema| problem(root, schema, value, path)),
            ("anyOf" | "oneOf", Value::Array(choices)) => {
                let all: Vec<Option<String>> = choices
                    .iter()
                    .map(|schema| problem(root, schema, value, path))
                    .collect();
                let fitting = all.iter().filter(|problem| problem.is_none()).count();
                match (keyword.as_str(), fitting) {
                    ("anyOf", 1..) | ("oneOf", 1) => None,
                    _ => wrong(format!("{fitting} choices fit: {all:?}")),
                }
            }
            ("type", kind) if !has_type(kind, value) => wrong(format!("{value} is no {kind}")),
            ("const", expected) if expected != value => wrong(format!("is not {expected}")),
            ("enum", Value::Array(list)) if !list.contains(value) => {
                wrong(format!("{value} is none of {list:?}"))
            }
            ("propertyNames", _) => None,
            _ => in_range(keyword, rule, value)
                .or_else(|| in_table(root, schema, keyword, value, path))
                .or_else(|| in_list(root, keyword, rule, value, path)),
        };
        if found.is_some() {
            return found;
        }
    }
    None
}

fn has_type(kind: &Value, value: &Value) -> bool {
    match kind {
        Value::Array(kinds) => kinds.iter().any(|kind| has_type(kind, value)),
        _ => match kind.as_str().unwrap_or_default() {
            "object" => value.is_object(),
            "array" => value.is_array(),
            "string" => value.is_string(),
            "boolean" => value.is_boolean(),
            "number" => value.is_number(),
            "integer" => value.is_i64() || value.is_u64(),
            other => panic!("the type {other} is not understood"),
        },
    }
}

fn in_range(keyword: &str, rule: &Value, value: &Value) -> Option<String> {
    let (number, end) = (value.as_f64()?, rule.as_f64()?);
    let is_right = match keyword {
        "minimum" => number >= end,
        "maximum" => number <= end,
        "exclusiveMinimum" => number > end,
        "exclusiveMaximum" => number < end,
        "multipleOf" => number % end == 0.0,
        _ => true,
    };
    (!is_right).then(|| format!("{number} is refused by {keyword} {end}"))
}

fn in_table(
    root: &Value,
    schema: &Value,
    keyword: &str,
    value: &Value,
    path: &str,
) -> Option<String> {
    let table = value.as_object()?;
    let rule = &schema[keyword];
    match keyword {
        "required" => {
            let mut keys = rule.as_array()?.iter().filter_map(Value::as_str);
            let missing = keys.find(|key| !table.contains_key(*key))?;
            Some(format!("{path}: {missing} is missing"))
        }
        "minProperties" => {
            (table.len() < rule.as_u64()? as usize).then(|| format!("{path}: too few keys"))
        }
        "properties" => rule.as_object()?.iter().find_map(|(key, schema)| {
            let value = table.get(key)?;
            problem(root, schema, value, &format!("{path}.{key}"))
        }),
        "patternProperties" => rule.as_object()?.iter().find_map(|(pattern, schema)| {
            let pattern = regex::Regex::new(pattern).expect("a pattern");
            let mut fitting = table.iter().filter(|(key, _)| pattern.is_match(key));
            fitting.find_map(|(key, value)| problem(root, schema, value, &format!("{path}.{key}")))
        }),
        "additionalProperties" => {
            let own = schema.get("properties").and_then(Value::as_object);
            let patterns = schema.get("patternProperties").and_then(Value::as_object);
            let is_known = |key: &str| {
                let mut patterns = patterns.into_iter().flat_map(|table| table.keys());
                own.is_some_and(|own| own.contains_key(key))
                    || patterns.any(|it| regex::Regex::new(it).is_ok_and(|it| it.is_match(key)))
            };
            let mut more = table.iter().filter(|(key, _)| !is_known(key));
            match rule {
                Value::Bool(false) => more
                    .next()
                    .map(|(key, _)| format!("{path}: {key} is unknown")),
                schema => more.find_map(|(key, value)| {
                    problem(root, schema, value, &format!("{path}.{key}"))
                }),
            }
        }
        _ => None,
    }
}

fn in_list(root: &Value, keyword: &str, rule: &Value, value: &Value, path: &str) -> Option<String> {
    let list = value.as_array()?;
    match (keyword, rule) {
        ("items", Value::Array(schemas)) => schemas
            .iter()
            .zip(list)
            .find_map(|(schema, value)| problem(root, schema, value, path)),
        ("items", schema) => list
            .iter()
            .find_map(|value| problem(root, schema, value, &format!("{path}[]"))),
        ("minItems", _) => {
            (list.len() < rule.as_u64()? as usize).then(|| format!("{path}: too short"))
        }
        ("maxItems", _) => {
            (list.len() > rule.as_u64()? as usize).then(|| format!("{path}: too long"))
        }
        _ => None,
    }
}
