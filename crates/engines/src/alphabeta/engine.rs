//! The alpha-beta player with its options, each defined once: its declaration for a client, its
//! range, and what setting it changes.

use super::searcher::{Searcher, searcher};
use super::{Options, StabilityRule, Strength};
use crate::excerpt::excerpt;
use crate::options::{CHESS960, Declaration, Definition, OptionValue, PONDER, SHOW_WDL};
use crate::tablebase::ChosenTables;
use crate::{Answer, Engine, Failure, Limits, Player, Report, StopSignal};
use chess::Game;
use nets::Model;
use std::path::Path;
use std::time::Duration;

/// An alpha-beta player for any model, with options.
pub struct AlphaBetaEngine {
    player: Box<dyn Searcher>,
    model: Model,
    /// The model used when none is named.
    default_model: Model,
    settings: Settings,
    /// The model in use, as the client named it.
    eval_file: Option<String>,
    /// The size in mebibytes that was last asked for, even if there was no memory for it.
    wanted_hash: usize,
    /// The folders and the probe limit of the tablebases in use.
    tablebases: ChosenTables,
}

/// The values of all options.
struct Settings {
    search: Options,
    analyses: bool,
    /// Whether to play weaker; `elo` says how strong.
    limits_strength: bool,
    elo: i32,
    /// The name of a model; `None` for the default.
    eval_file: Option<String>,
    /// A model was named since the last change; one that failed to load is tried again.
    names_model: bool,
    /// Folders of tablebases, as the client wrote them.
    syzygy_path: Option<String>,
    /// Positions with more men are not looked up.
    syzygy_probe_limit: u32,
    /// The table is to be cleared.
    clears_table: bool,
}

impl Settings {
    /// The options in the form that the search takes.
    fn search_options(&self) -> Options {
        let mut options = self.search.clone();
        // An analysis should use all the time it was given.
        options.stability.enabled &= !self.analyses;
        options.strength = self.limits_strength.then(|| Strength::new(self.elo));
        options
    }
}

/// The number of men of the largest Syzygy tables.
const MOST_MEN: u32 = 7;

/// A club player, for clients that ask for a weaker opponent without saying how weak.
const DEFAULT_ELO: i32 = 1500;

/// All options, in the order in which they are declared to a client.
const DEFINITIONS: &[Definition<Settings>] = &[
    Definition::spin("Hash", 16, [1, 1 << 25], |settings, value| {
        settings.search.hash = value as usize;
    }),
    Definition::spin("Threads", 1, [1, 256], |settings, value| {
        settings.search.threads = value as usize;
    }),
    Definition::button("Clear Hash", |settings| settings.clears_table = true),
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
    Definition::check("UCI_LimitStrength", false, |settings, value| {
        settings.limits_strength = value;
    }),
    Definition::spin(
        "UCI_Elo",
        DEFAULT_ELO as i64,
        [Strength::RANGE[0] as i64, Strength::RANGE[1] as i64],
        |settings, value| settings.elo = value as i32,
    ),
    Definition::check("UCI_AnalyseMode", false, |settings, value| {
        settings.analyses = value;
    }),
    Definition::text("EvalFile", |settings, value| {
        settings.eval_file = value.map(str::to_owned);
        settings.names_model = true;
    }),
    Definition::check("StabilityTermination", true, |settings, value| {
        settings.search.stability.enabled = value;
    }),
    Definition::combo(
        "StabilityRule",
        &["guarded", "published"],
        |settings, value| {
            settings.search.stability.rule = match value {
                0 => StabilityRule::Guarded,
                _ => StabilityRule::Published,
            };
        },
    ),
    Definition::spin("StabilityThreshold", 15, [1, 100], |settings, value| {
        settings.search.stability.threshold = value as i32;
    }),
    Definition::spin("StabilityMinDepth", 10, [4, 20], |settings, value| {
        settings.search.stability.min_depth = value as i32;
    }),
];

impl AlphaBetaEngine {
    /// A player with this model; options that are not set keep their values in `options`.
    pub fn new(model: Model, options: Options) -> AlphaBetaEngine {
        AlphaBetaEngine {
            player: searcher(&model, options.clone()),
            default_model: model.clone(),
            wanted_hash: options.hash,
            model,
            settings: Settings {
                search: options,
                analyses: false,
                limits_strength: false,
                elo: DEFAULT_ELO,
                eval_file: None,
                names_model: false,
                syzygy_path: None,
                syzygy_probe_limit: MOST_MEN,
                clears_table: false,
            },
            eval_file: None,
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

    /// The one place where changed settings reach the player.
    fn apply(&mut self, tell: &mut dyn FnMut(String)) {
        if std::mem::take(&mut self.settings.names_model) {
            self.choose_model(tell);
        }
        let options = self.settings.search_options();
        let wanted = options.hash;
        let is_new_size = wanted != std::mem::replace(&mut self.wanted_hash, wanted);
        self.player.set_options(options);
        let size = self.player.table_size();
        if is_new_size && size < wanted {
            tell(format!(
                "not enough memory for Hash {wanted}: it is now {size}"
            ));
        }
        if std::mem::take(&mut self.settings.clears_table) {
            self.player.clear_table();
        }
        self.open_tablebases(tell);
    }

    /// Loads the model that the client named; if that fails, the model in use is kept.
    fn choose_model(&mut self, tell: &mut dyn FnMut(String)) {
        let named = self.settings.eval_file.clone();
        if named == self.eval_file {
            return;
        }
        let model = match &named {
            None => self.default_model.clone(),
            Some(path) => match Model::named(Path::new(path)) {
                Ok(model) => model,
                Err(error) => {
                    let path = excerpt(path);
                    tell(format!("EvalFile {path}: {error}; {} is kept", self.model));
                    return;
                }
            },
        };
        self.eval_file = named;
        // Freed first: two tables may not fit.
        self.player.set_options(Options {
            hash: 1,
            ..self.settings.search_options()
        });
        self.player = searcher(&model, self.settings.search_options());
        self.tablebases = ChosenTables::default();
        tell(format!("model is {model}: {}", model.description()));
        self.model = model;
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

impl Player for AlphaBetaEngine {
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

impl Engine for AlphaBetaEngine {
    fn declarations(&self) -> Vec<Declaration> {
        AlphaBetaEngine::declarations()
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::{OptionKind, find};

    fn engine() -> AlphaBetaEngine {
        AlphaBetaEngine::new(Model::classical(), Options::default())
    }

    fn set(engine: &mut AlphaBetaEngine, name: &str, value: &str) -> Vec<String> {
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
                OptionKind::Combo { .. } => OptionValue::Combo(0),
                OptionKind::Decimal { default, .. } => OptionValue::Decimal(default),
                OptionKind::Text | OptionKind::Button => continue,
            };
            definition.set(&mut engine.settings, &value);
        }
        assert_eq!(engine.settings.search_options(), Options::default());
        assert_eq!(engine.settings.syzygy_probe_limit, MOST_MEN);
    }

    #[test]
    fn an_option_reaches_the_search() {
        let mut engine = engine();
        assert!(set(&mut engine, "move overhead", "25").is_empty());
        let overhead = engine.settings.search_options().move_overhead;
        assert_eq!(overhead, Duration::from_millis(25));
        assert!(set(&mut engine, "Hash", "2").is_empty());
        assert_eq!(engine.player.table_size(), 2);
    }

    #[test]
    fn analysis_never_ends_early() {
        let mut engine = engine();
        assert!(engine.settings.search_options().stability.enabled);
        set(&mut engine, "UCI_AnalyseMode", "true");
        assert!(!engine.settings.search_options().stability.enabled);
    }

    #[test]
    fn a_limited_player_plays_weaker_in_his_own_way_in_every_game() {
        let mut engine = engine();
        set(&mut engine, "UCI_Elo", "1400");
        assert_eq!(engine.settings.search_options().strength, None);
        set(&mut engine, "UCI_LimitStrength", "true");
        let strength = Strength::new(1400);
        assert_eq!(engine.settings.search_options().strength, Some(strength));
        let mut scores = Vec::new();
        for seed in [1, 2, 1] {
            engine.new_game(seed).expect("a game");
            let (game, limits) = (Game::new(chess::Board::start()), Limits::default());
            let answer = engine.choose(&game, &limits, &StopSignal::new(), &mut |_| {});
            let answer = answer.expect("a move");
            assert!(answer.nodes <= strength.nodes(), "{}", answer.nodes);
            scores.push((answer.best, answer.score));
        }
        assert_eq!(scores[0], scores[2]);
        assert_ne!(scores[0], scores[1]);
    }

    #[test]
    fn a_model_that_cannot_be_used_changes_nothing() {
        let mut engine = engine();
        for _ in 0..2 {
            let lines = set(&mut engine, "EvalFile", "no such file");
            assert_eq!(lines.len(), 1);
            assert!(lines[0].starts_with("EvalFile no such file: "), "{lines:?}");
            assert!(lines[0].ends_with("; classical is kept"), "{lines:?}");
        }
        assert_eq!(engine.model(), &Model::classical());
    }
}
