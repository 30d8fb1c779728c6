//! Ranges in schemas are those of the readers: a number just outside of one is refused by
//! both, and one at its end by neither.

use super::super::Reader;
use super::super::values::{choices, reference};
use super::{readers, schema};
use serde_json::{Map, Value, json};

/// A key of a schema with a range, and what must stand in the file beside it.
struct Ranged {
    path: Vec<String>,
    beside: Vec<(Vec<String>, Value)>,
    /// The lowest and the highest number, and whether each is allowed.
    ends: [Option<(f64, bool)>; 2],
    is_whole: bool,
    factor: f64,
}

/// Lists the keys below a schema that have ranges.
fn collect(
    root: &Value,
    schema: &Value,
    path: &[String],
    beside: &[(Vec<String>, Value)],
    found: &mut Vec<Ranged>,
) {
    if path.len() > 4 {
        return;
    }
    let ends = ends(schema);
    if !path.is_empty() && ends.iter().any(Option::is_some) {
        let is_whole = reference(schema).is_none_or(|name| name.starts_with("count-"))
            && schema.get("type").is_none_or(|kind| kind == "integer");
        found.push(Ranged {
            path: path.to_vec(),
            beside: beside.to_vec(),
            ends,
            is_whole,
            factor: schema["multipleOf"].as_f64().unwrap_or(1.0),
        });
        return;
    }
    if let Some(name) = reference(schema) {
        let definition = &root["definitions"][name];
        return collect(root, definition, path, beside, found);
    }
    for choice in choices(schema) {
        collect(root, choice, path, beside, found);
    }
    let Some(keys) = schema.get("properties").and_then(Value::as_object) else {
        return;
    };
    let mut beside = beside.to_vec();
    for key in required(schema) {
        let mut place = path.to_vec();
        place.push(key.to_owned());
        beside.push((place, some_value(&keys[key])));
    }
    if let Some(kind) = keys.get("kind").and_then(|kind| kind.get("const")) {
        let mut place = path.to_vec();
        place.push("kind".to_owned());
        beside.push((place, kind.clone()));
    }
    for (key, schema) in keys {
        let mut place = path.to_vec();
        place.push(key.clone());
        collect(root, schema, &place, &beside, found);
    }
}

fn required(schema: &Value) -> Vec<&str> {
    let list = schema.get("required").and_then(Value::as_array);
    list.into_iter()
        .flatten()
        .filter_map(Value::as_str)
        .collect()
}

/// Something that a key may be.
fn some_value(schema: &Value) -> Value {
    match schema["type"].as_str() {
        Some("array") => json!(["x"]),
        Some("string") => json!("x"),
        _ => schema.get("const").cloned().unwrap_or(json!(1)),
    }
}

fn ends(schema: &Value) -> [Option<(f64, bool)>; 2] {
    let end = |closed: &str, open: &str| {
        let number = |key: &str| schema.get(key).and_then(Value::as_f64);
        let closed = number(closed).map(|end| (end, true));
        closed.or(number(open).map(|end| (end, false)))
    };
    [
        end("minimum", "exclusiveMinimum"),
        end("maximum", "exclusiveMaximum"),
    ]
}

impl Ranged {
    /// A file with this number.
    fn file(&self, value: f64, base: &str) -> String {
        let base: toml::Table = toml::from_str(base).expect("TOML");
        let mut file = serde_json::to_value(base).expect("a table");
        for (path, value) in &self.beside {
            put(&mut file, path, value.clone());
        }
        let number = match self.is_whole {
            true => json!(value as i64),
            false => json!(value),
        };
        put(&mut file, &self.path, number);
        toml::to_string(&file).expect("TOML")
    }

    /// Numbers outside of the range, and numbers at its ends.
    fn probes(&self) -> [Vec<f64>; 2] {
        let (mut outside, mut inside) = (Vec::new(), Vec::new());
        for (end, outward) in self.ends.into_iter().zip([-1.0, 1.0]) {
            let Some((number, is_closed)) = end else {
                continue;
            };
            let step = match self.is_whole {
                true => self.factor,
                false => 1e-3 * number.abs().max(1.0),
            };
            match is_closed {
                true => {
                    outside.push(number + outward * step);
                    inside.push(number);
                }
                false => outside.push(number),
            }
        }
        [outside, inside]
    }
}

fn put(file: &mut Value, path: &[String], value: Value) {
    let Some((last, tables)) = path.split_last() else {
        return;
    };
    let mut table = file;
    for key in tables {
        let below = table.as_object_mut().expect("a table");
        table = below
            .entry(key.clone())
            .or_insert_with(|| Map::new().into());
    }
    table
        .as_object_mut()
        .expect("a table")
        .insert(last.clone(), value);
}

/// Probes every range of a file that says at least this.
fn probe(reader: Reader, base: &str) -> usize {
    let schema = schema(reader);
    let mut found = Vec::new();
    collect(&schema, &schema, &[], &[], &mut found);
    let mut mistakes = Vec::new();
    for ranged in &found {
        let path = ranged.path.join(".");
        // An arm has the same tables again.
        if path.starts_with("arms.") {
            continue;
        }
        let [outside, inside] = ranged.probes();
        for value in outside {
            if readers::read(reader, &ranged.file(value, base)).is_ok() {
                mistakes.push(format!("{path} = {value} is accepted"));
            }
        }
        for value in inside {
            let told = readers::read(reader, &ranged.file(value, base));
            let told = told.err().unwrap_or_default();
            let key = ranged.path.last().cloned().unwrap_or_default();
            if told.contains(&format!("{key}: it is")) {
                mistakes.push(format!("{path} = {value} is refused: {told}"));
            }
        }
    }
    assert!(mistakes.is_empty(), "{}", mistakes.join("\n"));
    found.len()
}

#[test]
fn ranges_in_schemas_are_those_of_the_readers() {
    for (reader, base, at_least) in [
        (Reader::Run, "[train]\ndata = ['x']", 100),
        (Reader::Train, "data = ['x']", 80),
        (Reader::Select, "", 8),
        (
            Reader::Ladder,
            "players = ['name=a nodes=1']\nanchors = ['name=b nodes=1']",
            5,
        ),
        (Reader::Tune, "", 4),
    ] {
        let found = probe(reader, base);
        assert!(found >= at_least, "{reader:?} has {found} ranges");
    }
}
