//! Checks that the ranges in schemas are those of the readers: a number just outside a range is
//! refused by both, and one at its end by neither.

use super::super::Reader;
use super::super::values::{choices, reference};
use super::{readers, schema};
use serde_json::{Map, Value, json};

/// A key with a range, and other keys that the file needs.
struct Ranged {
    path: Vec<String>,
    beside: Vec<(Vec<String>, Value)>,
    /// The lowest and the highest number, and whether each is included.
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
        let is_whole = reference(schema)
            .is_none_or(|name| name.starts_with("count-") || name == "horizon")
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
        let value = match key {
            // `elo1` is the upper hypothesis of a test.
            "elo1" => json!(2),
            _ => some_value(&keys[key]),
        };
        beside.push((place, value));
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

/// Some valid value for a key.
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
    /// A settings file with this value for the key.
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

    /// Numbers outside the range, at its ends, and inside.
    fn probes(&self) -> [Vec<f64>; 3] {
        let (mut outside, mut at_ends, mut inside) = (Vec::new(), Vec::new(), Vec::new());
        for (end, outward) in self.ends.into_iter().zip([-1.0, 1.0]) {
            let Some((number, is_closed)) = end else {
                continue;
            };
            let step = match self.is_whole {
                true => self.factor,
                false => 1e-3 * number.abs().max(1.0),
            };
            inside.push(number - outward * step);
            match is_closed {
                true => {
                    outside.push(number + outward * step);
                    at_ends.push(number);
                }
                false => outside.push(number),
            }
        }
        [outside, at_ends, inside]
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

/// Keys whose range depends on another key.
const DEPENDENT: [&str; 1] = ["selfplay.random_moves"];

const PATIENCE: &str = "patience";

/// Probes every range of a file; each key must be accepted on top of one of these base files.
fn probe(reader: Reader, bases: &[&str]) -> usize {
    let schema = schema(reader);
    let mut found = Vec::new();
    collect(&schema, &schema, &[], &[], &mut found);
    // An arm has the same tables again; `patience` applies to external programs only, which these
    // files do not have.
    found.retain(|ranged| ranged.path[0] != "arms" && !ranged.path.ends_with(&[PATIENCE.into()]));
    let mut mistakes = Vec::new();
    for ranged in &found {
        let path = ranged.path.join(".");
        let read = |value: f64, base: &str| readers::read(reader, &ranged.file(value, base));
        let [outside, at_ends, inside] = ranged.probes();
        let all = [&at_ends[..], &inside].concat();
        let is_fit = |base: &&&str| all.iter().any(|&value| read(value, base).is_ok());
        let Some(base) = bases.iter().find(is_fit) else {
            let told = read(all[0], bases[0]);
            mistakes.push(format!("{path}: none of {all:?} is accepted: {told:?}"));
            continue;
        };
        for value in outside {
            if read(value, base).is_ok() {
                mistakes.push(format!("{path} = {value} is accepted"));
            }
        }
        for value in at_ends {
            let told = read(value, base).err().unwrap_or_default();
            let key = ranged.path.last().cloned().unwrap_or_default();
            if told.contains(&format!("{key}: it is")) && !DEPENDENT.contains(&path.as_str()) {
                mistakes.push(format!("{path} = {value} is refused: {told}"));
            }
        }
    }
    assert!(mistakes.is_empty(), "{}", mistakes.join("\n"));
    found.len()
}

#[test]
fn ranges_in_schemas_are_those_of_the_readers() {
    let learners = [
        "",
        "[train]\nkind = 'treestrap'",
        "[train]\nkind = 'policy'",
        "[train]\nkind = 'resnet'",
        "[train]\nkind = 'sequence'\ndata = ['x']",
    ];
    let ladder = "players = ['name=a nodes=1']\nanchors = ['name=b nodes=1']";
    for (reader, bases, at_least) in [
        (Reader::Run, &learners[..], 100),
        (Reader::Train, &["data = ['x']"], 80),
        (Reader::Select, &[""], 8),
        (Reader::Ladder, &[ladder], 5),
        (Reader::Tune, &[""], 4),
    ] {
        let found = probe(reader, bases);
        assert!(found >= at_least, "{reader:?} has {found} ranges");
    }
}
