//! The tree-search player with its options, each defined once: its declaration for a client, its
//! range, and what setting it changes. Names are lc0's where it has the option.

use super::{MOST_MEBIBYTES, Mcts, Models, Options};
use crate::excerpt::excerpt;
use crate::options::{CHESS960, Declaration, Definition, OptionValue, PONDER, SHOW_WDL};
use crate::tablebase::ChosenTables;
use crate::{Answer, Engine, Failure, Limits, Player, Report, StopSignal};
use chess::Game;
use nets::Model;
use std::path::Path;
use std::time::Duration;

/// A tree-search player for any model, with options.
pub struct MctsEngine {
    player: Mcts,
    model: Model,
    /// The model used when none is named.
    default_model: Model,
    settings: Settings,
    /// The model in use, as the client named it.
    weights_file: Option<String>,
    /// The size in mebibytes that was last asked for, even if there was no memory for it.
    wanted_hash: usize,
    /// The folders and the probe limit of the tablebases in use.
    tablebases: ChosenTables,
}

/// The values of all options.
struct Settings {
    search: Options,
    /// The name of a model; `None` for the default.
    weights_file: Option<String>,
    /// A model was named since the last change; one that failed to load is tried again.
    names_model: bool,
    /// Folders of tablebases, as the client wrote them.
    syzygy_path: Option<String>,
    /// Positions with more men are not looked up.
    syzygy_probe_limit: u32,
    /// The tree is to be cleared.
    clears_tree: bool,
}

/// The number of men of the largest Syzygy tables.
const MOST_MEN: u32 = 7;

/// All options, in the order in which they are declared to a client.
const DEFINITIONS: &[Definition<Settings>] = &[
    Definition::spin("Hash", 64, [1, MOST_MEBIBYTES as i64], |settings, value| {
        settings.search.hash = value as usize;
    }),
    Definition::spin("Threads", 1, [1, 256], |settings, value| {
        settings.search.threads = value as usize;
    }),
    Definition::button("Clear Hash", |settings| settings.clears_tree = true),
    Definition::spin("MultiPV", 1, [1, 256], |settings, value| {
        settings.search.lines = value as usize;
    }),
    Definition::of_front(PONDER),
    Definition::spin("Move Overhead", 10, [0, 5_000], |settings, value| {
        settings.search.move_overhead = Duration::from_millis(value as u64);
    }),
    Definition::text("SyzygyPath", |settings, value| {
        settings.syzygy_path = value.map(str::to_owned);
    }),
    Definition::spin(
        "SyzygyProbeLimit",
        MOST_MEN as i64,
        [0, MOST_MEN as i64],
        |settings, value| settings.syzygy_probe_limit = value as u32,
    ),
    Definition::of_front(CHESS960),
    Definition::of_front(SHOW_WDL),
    Definition::text("WeightsFile", |settings, value| {
        settings.weights_file = value.map(str::to_owned);
        settings.names_model = true;
    }),
    Definition::decimal("CPuct", 1_600, [0, 100_000], |settings, value| {
        settings.search.cpuct = value;
    }),
    Definition::decimal(
        "CPuctBase",
        20_000_000,
        [1_000, 1_000_000_000_000],
        |settings, value| {
            settings.search.cpuct_base = value;
        },
    ),
    Definition::decimal("CPuctFactor", 1_600, [0, 1_000_000], |settings, value| {
        settings.search.cpuct_factor = value;
    }),
    Definition::decimal("FpuValue", 250, [-100_000, 100_000], |settings, value| {
        settings.search.fpu = value;
    }),
    Definition::decimal(
        "PolicyTemperature",
        1_300,
        [10, 10_000],
        |settings, value| {
            settings.search.policy_temperature = value;
        },
    ),
    Definition::decimal("DirichletNoiseEpsilon", 0, [0, 1_000], |settings, value| {
        settings.search.noise_epsilon = value;
    }),
    Definition::decimal(
        "DirichletNoiseAlpha",
        300,
        [0, 10_000_000],
        |settings, value| {
            settings.search.noise_alpha = value;
        },
    ),
    Definition::decimal("Temperature", 0, [0, 100_000], |settings, value| {
        settings.search.temperature = value;
    }),
    Definition::spin("TempDecayMoves", 0, [0, 640], |settings, value| {
        settings.search.temperature_decay_moves = value as u32;
    }),
    Definition::spin("TempCutoffMove", 0, [0, 1_000], |settings, value| {
        settings.search.temperature_cutoff_move = value as u32;
    }),
    Definition::decimal("TempEndgame", 0, [0, 100_000], |settings, value| {
        settings.search.temperature_endgame = value;
    }),
    Definition::spin("GumbelMoves", 0, [0, 416], |settings, value| {
        settings.search.gumbel_moves = value as usize;
    }),
    Definition::decimal("GumbelNoise", 1_000, [0, 10_000], |settings, value| {
        settings.search.gumbel_noise = value;
    }),
    Definition::decimal(
        "GumbelVisits",
        50_000,
        [0, 10_000_000],
        |settings, value| {
            settings.search.gumbel_visits = value;
        },
    ),
    Definition::decimal("GumbelScale", 1_000, [0, 1_000_000], |settings, value| {
        settings.search.gumbel_scale = value;
    }),
    Definition::decimal("Widening", 0, [0, 1_000_000], |settings, value| {
        settings.search.widening = value;
    }),
    Definition::decimal("WideningExponent", 500, [0, 1_000], |settings, value| {
        settings.search.widening_exponent = value;
    }),
    Definition::spin("TopK", 0, [0, 416], |settings, value| {
        settings.search.top_k = value as usize;
    }),
    Definition::decimal("PolicyTail", 0, [0, 1_000], |settings, value| {
        settings.search.tail = value;
    }),
    Definition::decimal("RootRepetitionPenalty", 0, [0, 2_000], |settings, value| {
        settings.search.repetition_penalty = value;
    }),
    Definition::check("TreeReuse", true, |settings, value| {
        settings.search.reuses_tree = value;
    }),
    Definition::decimal("EarlyStopShare", 0, [0, 1_000], |settings, value| {
        settings.search.early_stop_share = value;
    }),
    Definition::spin("EarlyStopVisits", 80, [1, 1_000_000], |settings, value| {
        settings.search.early_stop_visits = value as u32;
    }),
    Definition::decimal(
        "SmartPruningFactor",
        1_330,
        [0, 10_000],
        |settings, value| {
            settings.search.smart_pruning_factor = value;
        },
    ),
    Definition::check("DynamicBudget", false, |settings, value| {
        settings.search.dynamic_budget = value;
    }),
    Definition::spin(
        "SimulationBank",
        0,
        [0, 1_000_000_000],
        |settings, value| {
            settings.search.simulation_bank = value as u64;
        },
    ),
    Definition::spin("MinibatchSize", 16, [1, 1_024], |settings, value| {
        settings.search.batch = value as usize;
    }),
    Definition::spin("NNCacheSize", 20_000, [0, 1_000_000], |settings, value| {
        settings.search.cache = value as usize;
    }),
    Definition::check("PublishedBackup", false, |settings, value| {
        settings.search.flaws.leaf_for_root = value;
    }),
    Definition::check("PublishedPerspective", false, |settings, value| {
        settings.search.flaws.turned_for_black = value;
    }),
    Definition::check("PublishedNoise", false, |settings, value| {
        settings.search.flaws.noisy_reuse = value;
    }),
    Definition::check("PublishedCache", false, |settings, value| {
        settings.search.flaws.blind_cache = value;
    }),
    Definition::check("VerboseMoveStats", false, |settings, value| {
        settings.search.verbose = value;
    }),
];

/// Makes policy-value evaluators of a model, one for each thread.
fn models(model: &Model) -> Models {
    let model = model.clone();
    Box::new(move || model.policy_value())
}

impl MctsEngine {
    /// A player with this model; options that are not set keep their values in `options`.
    pub fn new(model: Model, options: Options) -> MctsEngine {
        MctsEngine {
            player: Mcts::new(models(&model), options.clone()),
            default_model: model.clone(),
            wanted_hash: options.hash,
            model,
            settings: Settings {
                search: options,
                weights_file: None,
                names_model: false,
                syzygy_path: None,
                syzygy_probe_limit: MOST_MEN,
                clears_tree: false,
            },
            weights_file: None,
            tablebases: ChosenTables::default(),
        }
    }

    /// The options of such players.
    pub fn declarations() -> Vec<Declaration> {
        DEFINITIONS
            .iter()
            .map(|definition| definition.declaration)
            .collect()
    }

    /// The settings of its search.
    pub fn search_options(&self) -> &Options {
        self.player.options()
    }

    /// The one place where changed settings reach the player.
    fn apply(&mut self, tell: &mut dyn FnMut(String)) {
        if std::mem::take(&mut self.settings.names_model) {
            self.choose_model(tell);
        }
        let wanted = self.settings.search.hash;
        let is_new_size = wanted != std::mem::replace(&mut self.wanted_hash, wanted);
        self.player.set_options(self.settings.search.clone());
        let size = self.player.size();
        if is_new_size && size < wanted {
            tell(format!(
                "not enough memory for Hash {wanted}: it is now {size}"
            ));
        }
        if std::mem::take(&mut self.settings.clears_tree) {
            self.player.forget();
        }
        self.open_tablebases(tell);
    }

    /// Loads the model that the client named; if that fails, the model in use is kept.
    fn choose_model(&mut self, tell: &mut dyn FnMut(String)) {
        let named = self.settings.weights_file.clone();
        if named == self.weights_file {
            return;
        }
        let model = match &named {
            None => Ok(self.default_model.clone()),
            Some(path) => Model::named(Path::new(path)).map_err(|error| error.to_string()),
        };
        match model {
            Ok(model) => {
                self.weights_file = named;
                self.player.set_models(models(&model));
                tell(format!("model is {model}: {}", model.description()));
                self.model = model;
            }
            Err(problem) => {
                let path = excerpt(named.as_deref().unwrap_or_default());
                tell(format!(
                    "WeightsFile {path}: {problem}; {} is kept",
                    self.model
                ));
            }
        }
    }

    fn open_tablebases(&mut self, tell: &mut dyn FnMut(String)) {
        let settings = &self.settings;
        self.tablebases.choose(
            settings.syzygy_path.as_deref(),
            settings.syzygy_probe_limit,
            &mut |tablebases| self.player.set_tablebases(tablebases),
            tell,
        );
    }
}

impl Player for MctsEngine {
    fn new_game(&mut self, seed: u64) -> Result<(), Failure> {
        self.player.new_game(seed)
    }

    fn choose(
        &mut self,
        game: &Game,
        limits: &Limits,
        stop: &StopSignal,
        report: &mut dyn FnMut(&Report),
    ) -> Result<Answer, Failure> {
        self.player.choose(game, limits, stop, report)
    }
}

impl Engine for MctsEngine {
    fn declarations(&self) -> Vec<Declaration> {
        MctsEngine::declarations()
    }

    fn set_option(&mut self, name: &str, value: &OptionValue, tell: &mut dyn FnMut(String)) {
        let is_meant = |definition: &&Definition<Settings>| definition.declaration.name == name;
        if let Some(definition) = DEFINITIONS.iter().find(is_meant) {
            definition.set(&mut self.settings, value);
            self.apply(tell);
        }
    }

    fn model(&self) -> &Model {
        &self.model
    }

    fn take_remarks(&mut self) -> Vec<String> {
        self.player.take_remarks()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::{OptionKind, find};

    fn engine() -> MctsEngine {
        let options = Options {
            hash: 1,
            ..Options::default()
        };
        MctsEngine::new(Model::Heuristic, options)
    }

    fn set(engine: &mut MctsEngine, name: &str, value: &str) -> Vec<String> {
        let declaration = find(&Engine::declarations(engine), name).expect(name);
        let (value, _) = declaration.read(Some(value)).expect("a value");
        let mut lines = Vec::new();
        engine.set_option(declaration.name, &value, &mut |line| lines.push(line));
        lines
    }

    #[test]
    fn defaults_are_those_of_the_search_and_lie_within_their_ranges() {
        let mut engine = engine();
        for definition in DEFINITIONS {
            let value = match definition.declaration.kind {
                OptionKind::Check { default } => OptionValue::Check(default),
                OptionKind::Spin {
                    default,
                    least,
                    most,
                } => {
                    assert!(
                        (least..=most).contains(&default),
                        "{}",
                        definition.declaration
                    );
                    OptionValue::Spin(default)
                }
                OptionKind::Decimal {
                    default,
                    least,
                    most,
                } => {
                    assert!(
                        (least..=most).contains(&default),
                        "{}",
                        definition.declaration
                    );
                    OptionValue::Decimal(default)
                }
                OptionKind::Combo { .. } => OptionValue::Combo(0),
                OptionKind::Text | OptionKind::Button => continue,
            };
            definition.set(&mut engine.settings, &value);
        }
        assert_eq!(engine.settings.search, Options::default());
        assert_eq!(engine.settings.syzygy_probe_limit, MOST_MEN);
    }

    #[test]
    fn an_option_reaches_the_search() {
        let mut engine = engine();
        assert!(set(&mut engine, "cpuct", "2.5").is_empty());
        assert_eq!(engine.player.options().cpuct, 2.5);
        assert!(set(&mut engine, "Hash", "2").is_empty());
        assert_eq!(engine.player.size(), 2);
    }

    #[test]
    fn a_model_that_cannot_be_used_changes_nothing() {
        let mut engine = engine();
        let lines = set(&mut engine, "WeightsFile", "no such file");
        assert!(lines.len() == 1, "{lines:?}");
        assert!(
            lines[0].starts_with("WeightsFile no such file: "),
            "{lines:?}"
        );
        assert!(lines[0].ends_with("; heuristic is kept"), "{lines:?}");
        assert_eq!(engine.model(), &Model::Heuristic);
        let lines = set(&mut engine, "WeightsFile", "classical");
        assert_eq!(lines, ["model is classical: the hand-written evaluation"]);
        assert_eq!(engine.model(), &Model::classical());
    }
}
