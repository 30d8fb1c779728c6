//! JSON schemas of settings files, for TOML editors.
//!
//! Types describe themselves; this module has what all schemas have in common. TOML has no
//! null: an optional key is simply left out. It must not know what is being set.

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Map, Value};

/// A generator for the draft of JSON Schema that TOML editors understand.
pub fn generator() -> SchemaGenerator {
    SchemaSettings::draft07().into_generator()
}

/// The schema of files with a value of this type.
pub fn of<T: JsonSchema>(title: &str) -> Value {
    let mut generator = generator();
    let root = T::json_schema(&mut generator);
    finished(title, root, generator)
}

/// Completes a schema with all definitions that it refers to.
pub fn finished(title: &str, mut root: Schema, mut generator: SchemaGenerator) -> Value {
    root.insert("$schema".to_owned(), DRAFT.into());
    root.insert("title".to_owned(), title.into());
    let definitions = generator.take_definitions(true);
    root.insert("definitions".to_owned(), definitions.into());
    let mut value = root.to_value();
    tidy(&mut value);
    value
}

const DRAFT: &str = "http://json-schema.org/draft-07/schema#";

/// The properties of a table.
pub fn properties(schema: &mut Schema) -> Option<&mut Map<String, Value>> {
    schema.get_mut("properties").and_then(Value::as_object_mut)
}

/// Adds the values of a table to its schema as defaults.
pub fn set_defaults(schema: &mut Schema, values: &Value) {
    for (key, property) in properties(schema).into_iter().flatten() {
        let Some(property) = property.as_object_mut() else {
            continue;
        };
        match values.get(key) {
            Some(value) => property.insert("default".to_owned(), value.clone()),
            None => property.remove("default"),
        };
    }
}

fn tidy(value: &mut Value) {
    match value {
        Value::Array(list) => list.iter_mut().for_each(tidy),
        Value::Object(table) => tidy_table(table),
        _ => {}
    }
}

fn tidy_table(table: &mut Map<String, Value>) {
    for (key, value) in table.iter_mut() {
        match key.as_str() {
            "default" => shorten(value),
            _ => tidy(value),
        }
    }
    // The draft does not define the names of number formats.
    if table.get("format").is_some_and(Value::is_string) {
        table.remove("format");
    }
    if table.get("default").is_some_and(Value::is_null) {
        table.remove("default");
    }
    if let Some(Value::Array(kinds)) = table.get_mut("type") {
        kinds.retain(|kind| kind != "null");
        if let [kind] = &kinds[..] {
            let kind = kind.clone();
            table.insert("type".to_owned(), kind);
        }
    }
    if let Some(Value::Array(choices)) = table.get_mut("anyOf") {
        choices.retain(|choice| choice.get("type").is_none_or(|kind| kind != "null"));
        if let [_] = &choices[..] {
            let only = table.remove("anyOf");
            table.extend(only.map(|only| ("allOf".to_owned(), only)));
        }
    }
    // In this draft, everything beside a reference is ignored.
    if table.len() > 1
        && let Some(reference) = table.remove("$ref")
    {
        let reference = serde_json::json!([{ "$ref": reference }]);
        table.insert("allOf".to_owned(), reference);
    }
}

/// Shortens numbers of single precision to the way people write them.
fn shorten(value: &mut Value) {
    match value {
        Value::Array(list) => list.iter_mut().for_each(shorten),
        Value::Object(table) => {
            table.retain(|_, value| !value.is_null());
            table.values_mut().for_each(shorten);
        }
        Value::Number(number) if number.is_f64() => {
            let number = number.as_f64().unwrap_or_default();
            let single = number as f32;
            let short = match f64::from(single) == number {
                true => single.to_string().parse().unwrap_or(number),
                false => number,
            };
            *value = match short.fract() == 0.0 && short.abs() < 1e15 {
                true => Value::from(short as i64),
                false => Value::from(short),
            };
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[derive(JsonSchema, serde::Serialize)]
    #[serde(default)]
    struct Table {
        /// How fast.
        rate: f32,
        /// How many.
        count: Option<u64>,
    }

    impl Default for Table {
        fn default() -> Table {
            Table {
                rate: 0.01,
                count: None,
            }
        }
    }

    #[test]
    fn what_toml_cannot_say_is_no_part_of_a_schema() {
        let properties = of::<Table>("A table")["properties"].take();
        let expected = json!({
            "rate": { "description": "How fast.", "type": "number", "default": 0.01 },
            "count": { "description": "How many.", "type": "integer", "minimum": 0 },
        });
        assert_eq!(properties, expected);
    }
}
