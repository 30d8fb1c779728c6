//! Inspection of models: shape, heat maps of weights, and evaluation of positions.

use crate::answer::{Answer, Problem, answer};
use crate::models::{ModelName, Models};
use crate::rules::board as board_of;
use crate::summaries::finite;
use axum::extract::{Query, State};
use axum::routing::{get, post};
use axum::{Json, Router};
use chess::{Board, Color};
use engines::score::win_draw_loss;
use nets::maps::{Contribution, FloatLayer};
use nets::nnue::{LayerStatistics, Net, NeuronStatistics};
use nets::policy::{self, Explanation, PolicyEvaluator};
use nets::{Model, classical};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Moves and combinations that are shown.
const MOST_SHOWN: usize = 60;
/// A model that takes longer for one position is not asked about each of its men.
const MOST_FOR_MEN: Duration = Duration::from_millis(200);

/// What a model is.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct AboutModel {
    name: String,
    kind: String,
    description: String,
    hash: String,
    bytes: u64,
    layers: Vec<Layer>,
    neurons: Vec<Neurons>,
    sheets: Vec<Sheet>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Layer {
    name: String,
    weights: usize,
    least: f64,
    most: f64,
    mean_magnitude: f64,
    zeros: f64,
    /// Only integers have a largest value.
    saturated: Option<f64>,
}

/// How the neurons of a layer behave in positions of random games.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Neurons {
    /// Of which layer.
    layer: &'static str,
    count: usize,
    /// Never above 0.
    dead: usize,
    active: f64,
    saturated: f64,
    positions: usize,
}

/// Boards that can be drawn.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Sheet {
    name: String,
    meaning: String,
    /// What a set is of, such as a neuron.
    set: String,
    sets: usize,
}

/// Which model is asked about.
#[derive(Deserialize)]
struct Asked {
    id: Option<String>,
    file: String,
}

impl Asked {
    fn name(&self) -> ModelName {
        ModelName {
            work: self.id.clone().filter(|id| !id.is_empty()),
            file: self.file.clone(),
        }
    }
}

async fn model(
    State(models): State<Arc<Models>>,
    Query(asked): Query<Asked>,
) -> Answer<AboutModel> {
    answer(move || {
        let model = models.open(&asked.name())?;
        let statistics = match &model {
            Model::Nnue(file) => Some(file.net.statistics()),
            _ => None,
        };
        Ok(AboutModel {
            layers: match &statistics {
                Some(statistics) => statistics.layers.iter().map(whole_layer).collect(),
                None => model.float_layers().into_iter().map(float_layer).collect(),
            },
            neurons: match (&model, statistics) {
                (_, Some(statistics)) => vec![neurons("first layer", &statistics.neurons)],
                (Model::Policy(file), _) => {
                    let policy = PolicyEvaluator::new(Arc::clone(&file.net)).neurons();
                    let value = Net::Simple(Arc::clone(file.net.value())).statistics();
                    vec![
                        neurons("policy's hidden layer", &policy),
                        neurons("value's hidden layer", &value.neurons),
                    ]
                }
                _ => Vec::new(),
            },
            sheets: model
                .sheets()
                .into_iter()
                .map(|sheet| Sheet {
                    name: sheet.name.to_owned(),
                    meaning: sheet.meaning.to_owned(),
                    set: sheet.set.to_owned(),
                    sets: sheet.sets,
                })
                .collect(),
            name: model.name(),
            kind: model.kind().to_string(),
            description: model.description(),
            hash: model.hash(),
            bytes: model.size(),
        })
    })
    .await
}

fn neurons(layer: &'static str, seen: &NeuronStatistics) -> Neurons {
    Neurons {
        layer,
        count: seen.count,
        dead: seen.dead,
        active: seen.active_share,
        saturated: seen.saturated_share,
        positions: seen.positions,
    }
}

/// A layer whose weights are whole numbers.
fn whole_layer(layer: &LayerStatistics) -> Layer {
    Layer {
        name: layer.name.to_owned(),
        weights: layer.count,
        least: f64::from(layer.weights[0]),
        most: f64::from(layer.weights[1]),
        mean_magnitude: layer.mean_magnitude,
        zeros: layer.zero_share,
        saturated: Some(layer.saturated_share),
    }
}

fn float_layer(layer: FloatLayer) -> Layer {
    let [least, most] = layer.weights;
    Layer {
        name: layer.name,
        weights: layer.count,
        least,
        most,
        mean_magnitude: layer.mean_magnitude,
        zeros: layer.zero_share,
        saturated: None,
    }
}

/// Which boards are asked for.
#[derive(Deserialize)]
struct Wanted {
    id: Option<String>,
    file: String,
    sheet: String,
    set: Option<usize>,
}

/// Numbers in rows, the lowest first: mostly the squares a1, b1 and so on.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Drawn {
    title: String,
    columns: usize,
    numbers: Vec<Option<f64>>,
}

async fn boards(
    State(models): State<Arc<Models>>,
    Query(wanted): Query<Wanted>,
) -> Answer<Vec<Drawn>> {
    answer(move || {
        let name = Asked {
            id: wanted.id,
            file: wanted.file,
        }
        .name();
        let model = models.open(&name)?;
        let boards = model.boards(&wanted.sheet, wanted.set.unwrap_or(0));
        let boards = boards.ok_or_else(|| Problem::missing("this model has no such heat map"))?;
        let drawn = boards.into_iter().map(|board| Drawn {
            title: board.title,
            columns: board.columns,
            numbers: board.numbers,
        });
        Ok(drawn.collect())
    })
    .await
}

/// A request for a model's belief.
#[derive(Deserialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Question {
    model: ModelName,
    fen: String,
}

/// What a model believes of a position, without any search.
#[derive(Serialize, Default)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Belief {
    /// For White, in centipawns.
    centipawns: Option<i32>,
    /// Chances of White: win, draw and loss, in thousandths.
    wdl: Option<[u32; 3]>,
    /// What each man adds for White; none of a model that is too slow to be asked so often.
    men: Vec<Man>,
    /// Whether that is in pawns, or else in percent of a game.
    in_pawns: bool,
    /// Groups of terms, from White's view in centipawns.
    terms: Vec<Term>,
    /// Moves with their shares, the largest first.
    moves: Vec<Share>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Man {
    square: String,
    piece: String,
    amount: f64,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Term {
    name: String,
    centipawns: i32,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct Share {
    uci: String,
    san: String,
    share: Option<f64>,
}

async fn belief(State(models): State<Arc<Models>>, Json(asked): Json<Question>) -> Answer<Belief> {
    answer(move || {
        let board = board_of(&asked.fen)?;
        let model = models.open(&asked.model)?;
        let begin = Instant::now();
        let belief = belief_of(&model, &board);
        let men = match begin.elapsed() < MOST_FOR_MEN {
            true => model.contributions(&board),
            false => Vec::new(),
        };
        Ok(Belief {
            men: men.iter().map(man).collect(),
            in_pawns: model.is_in_pawns(),
            ..belief
        })
    })
    .await
}

fn man(man: &Contribution) -> Man {
    Man {
        square: man.square.to_string(),
        piece: man.piece.letter().to_string(),
        amount: man.amount,
    }
}

fn belief_of(model: &Model, board: &Board) -> Belief {
    match model {
        Model::Nnue(file) => {
            let explained = file.net.explain(board);
            valued(for_white(board, explained.centipawns))
        }
        Model::Classical(file) => {
            let groups = classical::Groups::default();
            let explained = classical::explain(board, &file.weights, groups);
            Belief {
                terms: terms(&explained),
                ..valued(explained.value)
            }
        }
        Model::NTuple(file) => {
            let explained = file.network.explain(board);
            let combinations = explained
                .combinations
                .iter()
                .take(12)
                .map(|combination| Term {
                    name: (combination.men.iter())
                        .map(|(piece, square)| format!("{}{square}", piece.letter()))
                        .collect::<Vec<_>>()
                        .join(" with "),
                    centipawns: combination.tapered,
                });
            Belief {
                terms: terms(&explained.groups)
                    .into_iter()
                    .chain(combinations)
                    .collect(),
                ..valued(explained.groups.value)
            }
        }
        Model::Policy(_) | Model::ResNet(_) | Model::Sequence(_) | Model::Heuristic => {
            shared(board, &policy::explain(&mut *model.policy_value(), board))
        }
    }
}

fn for_white(board: &Board, value: i32) -> i32 {
    match board.side_to_move() {
        Color::White => value,
        Color::Black => -value,
    }
}

fn valued(centipawns: i32) -> Belief {
    Belief {
        centipawns: Some(centipawns),
        wdl: Some(win_draw_loss(centipawns)),
        ..Belief::default()
    }
}

fn terms(explained: &classical::Explanation) -> Vec<Term> {
    let rows = explained.rows.iter().map(|row| Term {
        name: format!("{}", row.group),
        centipawns: explained.tapered(row.total),
    });
    let tuples = explained.tuples.map(|score| Term {
        name: "tables".to_owned(),
        centipawns: explained.tapered(score),
    });
    rows.chain(tuples).collect()
}

fn shared(board: &Board, explained: &Explanation) -> Belief {
    let chances = explained.chances;
    let [win, draw, loss] =
        [chances.win, chances.draw, chances.loss].map(|share| (1000.0 * share).round() as u32);
    let value = engines::score::centipawns(chances.value());
    let moves = explained
        .priors
        .iter()
        .take(MOST_SHOWN)
        .map(|(word, share)| Share {
            san: (board.parse_uci(word))
                .map_or_else(|_| word.clone(), |mv| board.san(mv).to_string()),
            uci: word.clone(),
            share: finite(f64::from(*share)),
        });
    Belief {
        centipawns: Some(for_white(board, value)),
        wdl: Some(match board.side_to_move() {
            Color::White => [win, draw, loss],
            Color::Black => [loss, draw, win],
        }),
        moves: moves.collect(),
        ..Belief::default()
    }
}

/// What can be asked of models.
pub(crate) fn routes(models: Arc<Models>) -> Router {
    Router::new()
        .route("/model", get(model))
        .route("/boards", get(boards))
        .route("/belief", post(belief))
        .with_state(models)
}
