//! A schema as a Markdown page: a section for the file, and one for each table and each kind of
//! value that its keys refer to.

use super::values::{are_words, choices, code, description, one_line, reference, values};
use serde_json::{Map, Value};
use std::fmt::Write;

/// The page of a file.
pub(super) fn page(title: &str, schema: &Value) -> String {
    let none = Map::new();
    let definitions = schema
        .get("definitions")
        .and_then(Value::as_object)
        .unwrap_or(&none);
    let mut page = Page {
        text: format!(
            "# {title}\n\nGenerated from the program: `tabia settings` prints this page and the \
             JSON Schema beside it.\n"
        ),
        definitions,
        places: Vec::new(),
    };
    page.body(schema, "");
    let mut next = 0;
    while let Some(place) = page.places.get(next).cloned() {
        if let Some(definition) = definitions.get(&place.name) {
            page.section(&place, definition);
        }
        next += 1;
    }
    page.text
}

/// A definition, and the key where the file first uses it.
#[derive(Clone)]
struct Place {
    name: String,
    path: String,
}

struct Page<'a> {
    text: String,
    definitions: &'a Map<String, Value>,
    /// The definitions that get a section, in the order of their first use.
    places: Vec<Place>,
}

impl Page<'_> {
    fn section(&mut self, place: &Place, definition: &Value) {
        self.line(&format!("\n## {}", place.name));
        if !place.path.is_empty() {
            self.line(&format!("\nFirst used at `{}`.", place.path));
        }
        if !description(definition).is_empty() {
            self.line(&format!("\n{}", one_line(description(definition))));
        }
        self.body(definition, &place.path);
    }

    /// The keys of a table, or the possible values.
    fn body(&mut self, schema: &Value, path: &str) {
        if schema.get("properties").is_some() {
            return self.keys(schema, path);
        }
        self.line(match path {
            "" => "\nThe file is one of:\n",
            _ => "\nOne of:\n",
        });
        for choice in choices(schema) {
            let about = one_line(description(choice));
            match choice.get("properties") {
                Some(_) => {
                    self.line(&format!("- a table: {about}"));
                    self.keys(choice, path);
                    self.line("");
                }
                None => {
                    let what = values(choice, self.definitions);
                    let about = match about.is_empty() {
                        true => String::new(),
                        false => format!(": {about}"),
                    };
                    self.line(&format!("- {what}{about}"));
                    self.meet(choice, path);
                }
            }
        }
    }

    fn keys(&mut self, schema: &Value, path: &str) {
        self.line("\n| Key | Meaning | Default | Values |");
        self.line("|---|---|---|---|");
        let required: Vec<&str> = schema
            .get("required")
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(Value::as_str)
            .collect();
        let keys = schema.get("properties").and_then(Value::as_object);
        for (key, property) in keys.into_iter().flatten() {
            let meaning = one_line(description(property));
            let default = match property.get("default") {
                _ if required.contains(&key.as_str()) => "required".to_owned(),
                Some(default) if !is_table(default) => code(default),
                Some(_) => "its keys".to_owned(),
                None if meaning.contains("default:") => "see meaning".to_owned(),
                None => "none".to_owned(),
            };
            let what = match property.get("const") {
                Some(word) => code(word),
                None => values(property, self.definitions),
            };
            let cells = [format!("`{key}`"), meaning, default, what];
            let cells = cells.map(|cell| cell.replace('|', "\\|"));
            self.line(&format!("| {} |", cells.join(" | ")));
            let below = match path {
                "" => key.clone(),
                path => format!("{path}.{key}"),
            };
            self.meet(property, &below);
        }
    }

    /// Adds the definitions that a schema refers to.
    fn meet(&mut self, schema: &Value, path: &str) {
        if let Some(name) = reference(schema) {
            let is_known = self.places.iter().any(|place| place.name == name);
            let has_section = self
                .definitions
                .get(name)
                .is_some_and(|definition| !are_words(definition));
            if !is_known && has_section {
                self.places.push(Place {
                    name: name.to_owned(),
                    path: path.to_owned(),
                });
            }
            return;
        }
        for choice in choices(schema) {
            self.meet(choice, path);
        }
        if let Some(items) = schema.get("items") {
            self.meet(items, path);
        }
        if let Some(inner) = schema.get("additionalProperties") {
            self.meet(inner, &format!("{path}.NAME"));
        }
    }

    fn line(&mut self, line: &str) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.text, "{line}");
    }
}

/// Whether a default value is a table whose keys show their own defaults.
fn is_table(value: &Value) -> bool {
    value
        .as_object()
        .is_some_and(|table| !table.contains_key("kind"))
}
