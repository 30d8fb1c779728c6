//! JSON Schemas of training files.

use super::CourseSettings;
use super::read::KindSettings;
use data::schema::{properties, set_defaults};
use schemars::transform::Transform;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Map, Value, json};

/// The keys of one kind of training with those that all share, each with its default in this kind.
pub(crate) fn of_kind<S: KindSettings>(generator: &mut SchemaGenerator) -> Schema {
    let mut schema = S::json_schema(generator);
    let mut course = CourseSettings::json_schema(generator);
    let shared = properties(&mut course).map(std::mem::take);
    if let Some(own) = properties(&mut schema) {
        own.extend(shared.unwrap_or_default());
        if let Some(Value::Object(batch)) = own.remove("batch") {
            let mut batch = Schema::from(batch);
            S::BATCH.schema().transform(&mut batch);
            own.insert("batch".to_owned(), batch.to_value());
        }
    }
    set_defaults(&mut schema, &json!(S::default()));
    schema
}

/// Adds the key `kind` to a table; the default kind may omit it.
pub fn name(schema: &mut Schema, kind: &str, is_usual: bool) {
    let mut key = Map::new();
    key.insert("description".to_owned(), "What is trained.".into());
    key.insert("const".to_owned(), kind.into());
    if is_usual {
        key.insert("default".to_owned(), kind.into());
    }
    if let Some(own) = properties(schema) {
        own.insert("kind".to_owned(), key.into());
    }
}
