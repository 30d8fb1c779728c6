//! Which model plays, and how: what a visitor may ask for, within bounds.

use crate::answer::{Answer, Problem, answer};
use crate::run_index::{RunIndex, held};
use crate::summaries::kind_word;
use axum::Router;
use axum::extract::{Query, State};
use axum::routing::get;
use engines::Limits;
use engines::alphabeta::AlphaBetaEngine;
use engines::options::{self, OptionKind};
use engines::recipe::{PlayerSettings, Recipe, RecipeKind};
use engines::sequence::SequenceEngine;
use nets::Model;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

/// Models that stay open for the next request.
const MOST_OPEN: usize = 8;
/// The bytes of all of them.
const MOST_BYTES: u64 = 1 << 30;
/// The largest file that is opened for a visitor.
const LARGEST_MODEL: u64 = 512 << 20;
/// What a visitor's search may take at most.
const MOST_NODES: u64 = 20_000_000;
const MOST_TIME: Duration = Duration::from_secs(30);
/// Mebibytes of a visitor's table.
const HASH: u32 = 32;
/// Lines of an analysis.
const MOST_LINES: u32 = 5;

/// A model: one of some work, or one that came with the program.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Deserialize, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct ModelName {
    /// The work that has it; none if it came with the program.
    pub(crate) work: Option<String>,
    /// Its file in that work, or its word.
    pub(crate) file: String,
}

/// A player.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct PlayerName {
    pub(crate) model: ModelName,
    /// alphabeta, mcts or sequence; what fits the model by default.
    pub(crate) kind: Option<String>,
    pub(crate) nodes: Option<u64>,
    pub(crate) milliseconds: Option<u64>,
    /// The strength as people know it, where the player has that option.
    pub(crate) elo: Option<u32>,
    /// How many lines an analysis shows.
    pub(crate) lines: Option<u32>,
}

/// A model that can be chosen.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Choice {
    model: ModelName,
    /// What it is called in a list.
    name: String,
    /// The work that it belongs to, or what came with the program.
    group: String,
}

/// The words for models that came with the program.
const BUILT_IN: [(&str, &str); 5] = [
    ("default", "built-in net (alpha-beta)"),
    ("policy", "built-in policy net (tree search)"),
    ("sequence", "model of human games, if built in"),
    ("classical", "hand-written evaluation"),
    ("heuristic", "hand-written policy (tree search)"),
];

async fn list(State(models): State<Arc<Models>>) -> Answer<Vec<Choice>> {
    answer(move || {
        let mut choices: Vec<Choice> = BUILT_IN
            .iter()
            .map(|(word, name)| Choice {
                model: ModelName {
                    work: None,
                    file: (*word).to_owned(),
                },
                name: (*name).to_owned(),
                group: "with this program".to_owned(),
            })
            .collect();
        for work in lab::catalog::find(models.index.root())? {
            let group = format!("{} {}", kind_word(work.kind), work.id);
            for held in lab::catalog::contents(&work).models {
                choices.push(Choice {
                    name: held.file.clone(),
                    model: ModelName {
                        work: Some(work.id.clone()),
                        file: held.file,
                    },
                    group: group.clone(),
                });
            }
        }
        Ok(choices)
    })
    .await
}

/// Open models, the latest last.
pub(crate) struct Models {
    index: Arc<RunIndex>,
    open: Mutex<Vec<(PathBuf, SystemTime, Model)>>,
}

impl Models {
    /// Nothing is open yet.
    pub(crate) fn new(index: Arc<RunIndex>) -> Models {
        Models {
            index,
            open: Mutex::default(),
        }
    }

    /// Opens a model, or finds it open.
    pub(crate) fn open(&self, name: &ModelName) -> Result<Model, Problem> {
        let Some(id) = &name.work else {
            return match name.file.as_str() {
                "default" => Ok(Model::default()),
                "policy" => Ok(Model::default_of_tree_search()),
                Model::SEQUENCE => Ok(Model::default_of_sequences()),
                Model::CLASSICAL => Ok(Model::classical()),
                Model::HEURISTIC => Ok(Model::Heuristic),
                _ => Err(Problem::missing("there is no such model")),
            };
        };
        let work = self.index.find(id)?;
        let path = held(&work, &lab::catalog::contents(&work).models, &name.file)?;
        self.open_file(&path, &name.file)
    }

    fn open_file(&self, path: &Path, name: &str) -> Result<Model, Problem> {
        let gone = |error| Problem::missing(format!("{name}: {error}"));
        let metadata = std::fs::metadata(path).map_err(gone)?;
        if metadata.len() > LARGEST_MODEL {
            return Err(Problem::wrong(format!(
                "{name} is too large to be opened by the server"
            )));
        }
        let changed = metadata.modified().map_err(gone)?;
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let known = open
            .iter()
            .position(|(known, at, _)| known == path && *at == changed);
        if let Some(at) = known {
            let entry = open.remove(at);
            let model = entry.2.clone();
            open.push(entry);
            return Ok(model);
        }
        drop(open);
        let model =
            Model::open(path).map_err(|error| Problem::wrong(format!("{name}: {error}")))?;
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.push((path.to_owned(), changed, model.clone()));
        let bytes = |open: &[(PathBuf, SystemTime, Model)]| -> u64 {
            open.iter().map(|(.., model)| model.size()).sum()
        };
        while open.len() > MOST_OPEN || open.len() > 1 && bytes(&open) > MOST_BYTES {
            open.remove(0);
        }
        Ok(model)
    }
}

impl PlayerName {
    /// How it plays.
    pub(crate) fn recipe(&self, model: Model) -> Result<Recipe, Problem> {
        let kind = match self.kind.as_deref() {
            None => RecipeKind::of(&model),
            Some(word) => named_kind(word)?,
        };
        let mut words = format!("{kind}");
        if kind != RecipeKind::Sequence {
            words += &format!(" hash={HASH}");
        }
        if let Some(lines) = self.lines {
            words += &format!(" option.MultiPV={}", lines.clamp(1, MOST_LINES));
        }
        if self.elo.is_some() && kind == RecipeKind::Mcts {
            let remedy = "a tree search cannot be limited to an Elo; choose nodes or seconds";
            return Err(Problem::wrong(remedy));
        }
        if let Some(elo) = self.elo {
            words += &format!(" option.UCI_LimitStrength=true option.UCI_Elo={elo}");
        }
        let settings = PlayerSettings::from_words(&words)
            .map_err(|error| Problem::wrong(error.to_string()))?;
        settings
            .recipe_with(model)
            .map_err(|error| Problem::wrong(error.to_string()))
    }

    /// What bounds its search: what was asked for, and never more than is allowed.
    pub(crate) fn limits(&self) -> Limits {
        let time = self.milliseconds.map(Duration::from_millis);
        Limits {
            nodes: Some(self.nodes.unwrap_or(MOST_NODES).clamp(1, MOST_NODES)),
            move_time: Some(time.unwrap_or(MOST_TIME).min(MOST_TIME)),
            ..Limits::default()
        }
    }
}

/// A request for how strong a player can be.
#[derive(Deserialize)]
struct AskedStrength {
    id: Option<String>,
    file: String,
    kind: Option<String>,
}

/// How strong a player can be.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct StrengthRange {
    /// The least and the most Elo; nothing if it cannot be limited to an Elo.
    elo: Option<[i64; 2]>,
}

async fn strength(
    State(models): State<Arc<Models>>,
    Query(asked): Query<AskedStrength>,
) -> Answer<StrengthRange> {
    answer(move || {
        let kind = match asked.kind.filter(|kind| !kind.is_empty()) {
            Some(word) => named_kind(&word)?,
            None => RecipeKind::of(&models.open(&ModelName {
                work: asked.id.filter(|id| !id.is_empty()),
                file: asked.file,
            })?),
        };
        let declared = match kind {
            RecipeKind::AlphaBeta => AlphaBetaEngine::declarations(),
            RecipeKind::Sequence => SequenceEngine::declarations(),
            _ => Vec::new(),
        };
        let found = options::find(&declared, "UCI_Elo");
        Ok(StrengthRange {
            elo: found.and_then(|option| match option.kind {
                OptionKind::Spin { least, most, .. } => Some([least, most]),
                _ => None,
            }),
        })
    })
    .await
}

/// The kinds that can be asked for; other programs are not among them.
fn named_kind(word: &str) -> Result<RecipeKind, Problem> {
    match word {
        "alphabeta" => Ok(RecipeKind::AlphaBeta),
        "mcts" => Ok(RecipeKind::Mcts),
        "sequence" => Ok(RecipeKind::Sequence),
        _ => Err(Problem::wrong("a player is alphabeta, mcts or sequence")),
    }
}

/// The list of all models, and what they can do.
pub(crate) fn routes(models: Arc<Models>) -> Router {
    Router::new()
        .route("/models", get(list))
        .route("/strength", get(strength))
        .with_state(models)
}
