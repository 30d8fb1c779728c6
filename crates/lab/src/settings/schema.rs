//! The schema of run files.
//!
//! An arm has the tables of the file and those of the learners. A table that belongs to several
//! learners may be that of any of them: which learner is meant may be set in another table.

use super::AmountSettings;
use super::read::{Frame, Parts, TRAIN};
use arena::selfplay;
use data::schema::properties;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use train::Learners;
use train::settings::name_kind;

/// The schema of run files that use these learners.
pub fn schema(learners: &Learners) -> Value {
    let mut generator = data::schema::generator();
    let mut keys = parts(&mut generator);
    keys.extend(tables(&mut generator, learners));
    let arm = json_schema!({
        "description": "The settings that differ in this arm.",
        "type": "object",
        "properties": keys,
        "additionalProperties": false,
    });
    let arm = define(&mut generator, "arm", arm);
    let mut root = Frame::json_schema(&mut generator);
    if let Some(own) = properties(&mut root) {
        own.extend(keys);
        let arms = json!({
            "description": "The ways of learning that are compared, by name. A table of an arm \
                            overrides keys of the table of the same name outside.",
            "type": "object",
            "minProperties": 1,
            "propertyNames": { "pattern": "^[A-Za-z0-9_][A-Za-z0-9_-]*$" },
            "additionalProperties": arm,
        });
        own.insert("arms".to_owned(), arms);
    }
    data::schema::finished("A run of Tabia", root, generator)
}

/// The tables of an arm that no learner owns.
fn parts(generator: &mut SchemaGenerator) -> Map<String, Value> {
    let mut parts = Parts::json_schema(generator);
    let mut keys = properties(&mut parts)
        .map(std::mem::take)
        .unwrap_or_default();
    // The keys of the amount are in the same table.
    let mut selfplay = selfplay::Settings::json_schema(generator);
    let mut amount = AmountSettings::json_schema(generator);
    let amounts = properties(&mut amount).map(std::mem::take);
    if let Some(own) = properties(&mut selfplay) {
        own.extend(amounts.unwrap_or_default());
    }
    let reference = define(generator, &selfplay::Settings::schema_name(), selfplay);
    if let Some(table) = keys.get_mut("selfplay").and_then(Value::as_object_mut) {
        table.extend(reference.as_object().cloned().unwrap_or_default());
        table.remove("default");
    }
    keys
}

/// The tables of learners.
fn tables(generator: &mut SchemaGenerator, learners: &Learners) -> Map<String, Value> {
    let mut choices: BTreeMap<&str, Vec<Value>> = BTreeMap::new();
    for (place, kind) in learners.iter().enumerate() {
        for (table, mut schema) in kind.schemas(generator) {
            if table == TRAIN {
                name_kind(&mut schema, kind.name(), place == 0);
                let name = format!("{}-learning", kind.name());
                let reference = define(generator, &name, schema);
                choices.entry(table).or_default().push(reference);
            } else {
                // Its other properties are added below.
                schema.remove("default");
                schema.remove("description");
                choices.entry(table).or_default().push(schema.to_value());
            }
        }
    }
    let described = choices.into_iter().map(|(table, choices)| {
        let about = match table {
            TRAIN => "How models are trained; `kind` selects the kind of model.",
            _ => "The architecture of the model.",
        };
        let key = if choices.len() == 1 { "allOf" } else { "anyOf" };
        let schema = json!({"description": about, key: choices});
        (table.to_owned(), schema)
    });
    described.collect()
}

fn define(generator: &mut SchemaGenerator, name: &str, schema: Schema) -> Value {
    (generator.definitions_mut()).insert(name.to_owned(), schema.to_value());
    json!({"$ref": format!("#/definitions/{name}")})
}
