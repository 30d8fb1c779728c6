//! Players described for another process, which has none of our files: models are named by their
//! hashes, and their bytes are sent along.
//!
//! A recipe is read back through the same grammar as everything that users write, so input from
//! elsewhere passes the same checks.

use super::kinds::Recipe;
use super::pace::Pace;
use super::settings::PlayerSettings;
use super::spec::PlayerSpec;
use nets::Model;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use work::Repeatable;

/// The key under which a recipe names its model.
const MODEL: &str = "model";

/// The option that refers to files which other machines may not have.
const TABLES: &str = "SyzygyPath";

/// A recipe in a form that can be sent.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PortableRecipe(Value);

/// A player in a form that can be sent.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct PortablePlayer {
    name: String,
    recipe: PortableRecipe,
    pace: Pace,
}

impl Recipe {
    /// The recipe in a form for another process.
    ///
    /// # Errors
    /// If another program plays: what a machine executes is not for others to decide. The error is
    /// a message.
    pub fn to_portable(&self) -> Result<PortableRecipe, String> {
        let Some(model) = self.model() else {
            return Err(format!(
                "'{self}' is an external program, but only built-in players can play on other \
                 machines"
            ));
        };
        let mut value = serde_json::to_value(self).map_err(|error| error.to_string())?;
        if value["option"].get(TABLES).is_some() {
            return Err(format!(
                "'{self}' uses tablebases, which other machines may not have"
            ));
        }
        value[MODEL] = blob_name(model).unwrap_or_else(|| model.name()).into();
        Ok(PortableRecipe(value))
    }
}

/// The name under which the bytes of a model are sent; `None` for a model without bytes.
pub fn blob_name(model: &Model) -> Option<String> {
    match model {
        Model::Heuristic => None,
        model => Some(model.hash()),
    }
}

/// Where these recipes give the same result when a piece is repeated without a clock: an alpha-beta
/// search calculates in integers and gives it everywhere, floats do not.
pub fn repeatable<'a>(recipes: impl Iterator<Item = &'a Recipe>) -> Repeatable {
    let mut repeatable = Repeatable::Everywhere;
    for recipe in recipes {
        if !recipe.is_repeatable() {
            return Repeatable::Nowhere;
        }
        if !matches!(recipe, Recipe::AlphaBeta(_)) {
            repeatable = Repeatable::WithSameArithmetic;
        }
    }
    repeatable
}

/// The bytes of one of these models, by the name under which they are sent.
///
/// # Errors
/// If there is no such model, or it cannot be written; the error is a message.
pub fn blob_of_model<'a>(
    mut models: impl Iterator<Item = &'a Model>,
    name: &str,
) -> Result<Vec<u8>, String> {
    let model = models.find(|model| blob_name(model).as_deref() == Some(name));
    let model = model.ok_or_else(|| format!("there is no model {name}"))?;
    model.to_bytes().map_err(|error| error.to_string())
}

impl PortableRecipe {
    /// The recipe; `blob` returns the bytes of models, by the names of [`blob_name`].
    ///
    /// # Errors
    /// If something is missing or invalid; the error is a message.
    pub fn recipe<'a>(&self, blob: impl Fn(&str) -> Option<&'a [u8]>) -> Result<Recipe, String> {
        let mut value = self.0.clone();
        let name = value
            .as_object_mut()
            .and_then(|table| table.remove(MODEL))
            .ok_or("the player has no model")?;
        let name = name.as_str().unwrap_or_default();
        let model = match name {
            Model::HEURISTIC => Model::Heuristic,
            _ => {
                let bytes = blob(name).ok_or_else(|| format!("the model {name} is missing"))?;
                Model::from_bytes(bytes).map_err(|error| format!("the model {name}: {error}"))?
            }
        };
        let settings: PlayerSettings =
            serde_json::from_value(value).map_err(|error| error.to_string())?;
        settings
            .recipe_with(model)
            .map_err(|error| error.to_string())
    }
}

impl PlayerSpec {
    /// The player in a form for another process.
    ///
    /// # Errors
    /// As [`Recipe::to_portable`].
    pub fn to_portable(&self) -> Result<PortablePlayer, String> {
        Ok(PortablePlayer {
            name: self.name.clone(),
            recipe: self.recipe.to_portable()?,
            pace: self.pace.clone(),
        })
    }
}

impl PortablePlayer {
    /// The player; `blob` returns the bytes of models.
    ///
    /// # Errors
    /// As [`PortableRecipe::recipe`].
    pub fn player<'a>(
        &self,
        blob: impl Fn(&str) -> Option<&'a [u8]>,
    ) -> Result<PlayerSpec, String> {
        Ok(PlayerSpec {
            name: self.name.clone(),
            recipe: self.recipe.recipe(blob)?,
            pace: self.pace.clone(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recipe::{ProgramRecipe, resolve};
    use std::collections::BTreeMap;

    fn player(line: &str) -> PlayerSpec {
        let settings = PlayerSettings::from_words(line).expect(line);
        let specs = resolve(vec![settings], &PlayerSettings::default());
        specs.expect(line).remove(0)
    }

    fn again(spec: &PlayerSpec) -> Result<PlayerSpec, String> {
        let text = serde_json::to_string(&spec.to_portable()?).expect("JSON");
        let portable: PortablePlayer = serde_json::from_str(&text).expect("JSON");
        let mut blobs = BTreeMap::new();
        if let Some(model) = spec.recipe.model() {
            blobs.extend(blob_name(model).map(|name| (name, model.to_bytes().expect("bytes"))));
        }
        portable.player(|name| blobs.get(name).map(Vec::as_slice))
    }

    #[test]
    fn a_player_survives() {
        for line in [
            "name=new nodes=5000",
            "name='two words' model=classical depth=6 hash=3 threads=2",
            "nodes=1 param.razor_base=30000 param.bonus_base=-5 option.StabilityTermination=false",
            "tc=40/1:00+0.1 margin=50ms",
            "st=0.5 model=classical",
            "mcts nodes=800 option.cpuct=2.5 option.TreeReuse=false",
            "model=heuristic nodes=800",
            "mcts model=classical nodes=1",
        ] {
            let mut spec = player(line);
            assert_eq!(again(&spec).as_ref(), Ok(&spec), "{line}");
            spec.pace.soft_nodes = Some(7);
            assert_eq!(again(&spec), Ok(spec), "{line}");
        }
    }

    #[test]
    fn programs_stay_at_home() {
        let mut spec = player("name=a nodes=1");
        spec.recipe = Recipe::Program(ProgramRecipe {
            cmd: "stockfish".into(),
            arg: Vec::new(),
            dir: None,
            option: BTreeMap::new(),
            patience: ProgramRecipe::PATIENCE,
        });
        let refusal = spec.to_portable().expect_err("a program");
        assert!(
            refusal.starts_with("'cmd=stockfish' is an external program"),
            "{refusal}"
        );
        let refusal = player("nodes=1 option.SyzygyPath=tables").to_portable();
        assert!(refusal.expect_err("files").contains("uses tablebases"));
    }

    #[test]
    fn what_comes_from_elsewhere_is_checked() {
        let recipe = |json: &str| {
            let portable: PortableRecipe = serde_json::from_str(json).expect("JSON");
            portable.recipe(|_| None).expect_err("no recipe")
        };
        for (json, words) in [
            (r#"{"kind":"alphabeta"}"#, "the player has no model"),
            (r#"{"model":"abc"}"#, "the model abc is missing"),
            (
                r#"{"model":"heuristic","hash":0}"#,
                "'0' is not a whole number from 1",
            ),
            (
                r#"{"model":"heuristic","cmd":"rm"}"#,
                "cmd and model are mutually exclusive",
            ),
            (r#"{"model":"heuristic","joy":1}"#, "unknown field `joy`"),
            ("7", "the player has no model"),
        ] {
            let problem = recipe(json);
            assert!(problem.contains(words), "{json}: {problem}");
        }
    }
}
