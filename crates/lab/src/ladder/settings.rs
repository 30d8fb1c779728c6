//! The settings file of a ladder.

use super::levels;
use crate::ranges;
use crate::selection::GameSettings;
use crate::settings::{SettingsError, Wrong, check_games, filled, locate, within, wrong};
use engines::recipe::{PlayerSettings, PlayerSpec, resolve};
use serde::{Deserialize, Serialize};
use toml::de::DeTable;

/// A ladder.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Settings {
    /// What it is called in reports.
    pub title: Option<String>,
    /// The question that the ladder should answer.
    pub question: Option<String>,
    /// The seed of the openings.
    pub seed: u64,
    /// The players to be rated.
    pub players: Vec<PlayerSpec>,
    /// Levels of Stockfish with their nominal ratings, lowest first.
    pub levels: Vec<(u16, PlayerSpec)>,
    /// Fixed players as rungs, weakest first.
    pub anchors: Vec<PlayerSpec>,
    /// Games on each rung to find the deciding rungs.
    pub find_games: u64,
    /// Games on each deciding rung.
    pub decide_games: u64,
    /// Number of deciding rungs.
    pub deciding: usize,
    /// A player that scores less than this on a rung does not meet higher ones.
    pub climb_above: f64,
    /// How games begin and end.
    pub games: GameSettings,
}

/// Levels of Stockfish.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields, default)]
#[schemars(rename = "stockfish")]
pub struct StockfishSettings {
    /// The program.
    pub cmd: String,
    /// Values of its option UCI_Elo, in any order.
    pub levels: Vec<u16>,
    /// Nodes per move; default: enough to complete the depth of each level.
    pub nodes: Option<u64>,
}

impl Default for StockfishSettings {
    fn default() -> StockfishSettings {
        StockfishSettings {
            cmd: "stockfish".to_owned(),
            levels: Vec::new(),
            nodes: None,
        }
    }
}

impl StockfishSettings {
    /// Its levels as players' settings, lowest first.
    fn players(&self) -> Vec<(u16, String)> {
        let mut levels = self.levels.clone();
        levels.sort_unstable();
        levels.dedup();
        let words = |elo: u16| {
            let nodes = self.nodes.unwrap_or_else(|| levels::nodes(elo));
            let cmd = shlex::try_quote(&self.cmd).map_or_else(|_| self.cmd.clone(), Into::into);
            format!(
                "name=stockfish-{elo} cmd={cmd} nodes={nodes} option.UCI_LimitStrength=true \
                 option.UCI_Elo={elo}"
            )
        };
        levels.into_iter().map(|elo| (elo, words(elo))).collect()
    }
}

impl Settings {
    /// All rungs: levels, then anchors.
    pub fn rungs(&self) -> impl Iterator<Item = &PlayerSpec> {
        let levels = self.levels.iter().map(|(_, level)| level);
        levels.chain(&self.anchors)
    }

    /// The smallest and the largest possible number of games.
    pub fn all_games(&self) -> [u64; 2] {
        let players = self.players.len() as u64;
        let rungs = self.rungs().count() as u64;
        let lists = [!self.levels.is_empty(), !self.anchors.is_empty()];
        let lists = lists.iter().filter(|is_there| **is_there).count() as u64;
        let decided = |tried: u64| (self.deciding as u64).min(tried) * self.decide_games;
        [lists, rungs].map(|tried| players * (tried * self.find_games + decided(tried)))
    }
}

/// Reads the settings file of a ladder.
///
/// # Errors
/// The first mistake in it.
pub fn read(text: &str) -> Result<Settings, SettingsError> {
    from_table(DeTable::parse(text)?.into_inner())
}

/// The schema of such a file.
pub fn schema() -> serde_json::Value {
    data::schema::of::<File>("A ladder of Tabia")
}

/// Reads the table of such a file, which may be joined from several texts.
///
/// # Errors
/// The first mistake in it.
pub fn from_table(table: DeTable<'_>) -> Result<Settings, SettingsError> {
    let file: File = filled(table.clone())?;
    let place = |wrong: Wrong| SettingsError::new(&wrong, locate(&table, &wrong.path));
    let settings = file.settings().map_err(place)?;
    check(&settings).map_err(place)?;
    Ok(settings)
}

/// The settings of a ladder.
#[derive(Deserialize, schemars::JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "ladder")]
struct File {
    /// The title of reports.
    title: Option<String>,
    /// The question that the ladder should answer.
    question: Option<String>,
    /// The random seed of the openings.
    #[serde(default)]
    seed: u64,
    /// The players to rate, each as a line such as `name=greedy kind=sequence nodes=1`.
    #[serde(default)]
    players: Vec<String>,
    /// Default settings of all players, as a line like those of `players`.
    #[serde(default)]
    each: String,
    /// Levels of Stockfish as rungs.
    #[serde(default)]
    stockfish: StockfishSettings,
    /// Fixed players as rungs, weakest first, each as a line like those of `players`.
    #[serde(default)]
    anchors: Vec<String>,
    /// Games on each rung to find the deciding rungs.
    #[serde(default = "usual_find")]
    #[schemars(transform = ranges::SOME_GAMES.schema(), extend("multipleOf" = 2))]
    find_games: u64,
    /// Games on each deciding rung.
    #[serde(default = "usual_decide")]
    #[schemars(transform = ranges::GAMES.schema(), extend("multipleOf" = 2))]
    decide_games: u64,
    /// Number of deciding rungs.
    #[serde(default = "usual_deciding")]
    #[schemars(transform = ranges::RUNGS.schema())]
    deciding: usize,
    /// A player that scores less than this on a rung does not meet higher ones.
    #[serde(default = "usual_climb")]
    #[schemars(transform = ranges::SHARE.schema())]
    climb_above: f64,
    /// How games begin and end.
    #[serde(default)]
    games: GameSettings,
}

fn usual_find() -> u64 {
    40
}

fn usual_decide() -> u64 {
    400
}

fn usual_deciding() -> usize {
    2
}

fn usual_climb() -> f64 {
    0.1
}

impl File {
    fn settings(self) -> Result<Settings, Wrong> {
        let each = words("each", &self.each)?;
        let players = all_words("players", &self.players)?;
        let anchors = all_words("anchors", &self.anchors)?;
        let levels = self.stockfish.players();
        let level_words: Vec<String> = levels.iter().map(|(_, words)| words.clone()).collect();
        let of_levels = all_words("stockfish", &level_words)?;
        let none = PlayerSettings::default();
        // All at once, so that no two have the same name.
        let all: Vec<PlayerSettings> = [
            players.iter().map(|it| it.clone().or(&each)).collect(),
            of_levels,
            anchors,
        ]
        .concat();
        let mut all = resolve(all, &none)
            .map_err(|error| wrong("players", error))?
            .into_iter();
        Ok(Settings {
            title: self.title,
            question: self.question,
            seed: self.seed,
            players: all.by_ref().take(players.len()).collect(),
            levels: levels
                .into_iter()
                .map(|(elo, _)| elo)
                .zip(all.by_ref())
                .collect(),
            anchors: all.collect(),
            find_games: self.find_games,
            decide_games: self.decide_games,
            deciding: self.deciding,
            climb_above: self.climb_above,
            games: self.games,
        })
    }
}

fn words(key: &str, line: &str) -> Result<PlayerSettings, Wrong> {
    PlayerSettings::from_words(line).map_err(|error| wrong(key, error))
}

fn all_words(key: &str, lines: &[String]) -> Result<Vec<PlayerSettings>, Wrong> {
    lines.iter().map(|line| words(key, line)).collect()
}

fn check(settings: &Settings) -> Result<(), Wrong> {
    if settings.players.is_empty() {
        let problem = "give at least one, such as [\"name=greedy kind=sequence nodes=1\"]";
        return Err(wrong("players", problem));
    }
    if settings.rungs().next().is_none() {
        let problem = "there are no rungs: set stockfish.levels or anchors";
        return Err(wrong("anchors", problem));
    }
    settings.games.check()?;
    check_games("find_games", settings.find_games, 2)?;
    check_games("decide_games", settings.decide_games, 0)?;
    let deciding = settings.deciding as f64;
    within("deciding", deciding, ranges::RUNGS)?;
    within("climb_above", settings.climb_above, ranges::SHARE)
}
