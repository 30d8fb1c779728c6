//! Lists of games, with filters, and the names of their openings.

use super::{Games, each_game, file};
use crate::answer::{Answer, Problem, answer};
use axum::extract::{Query, State};
use chess::Board;
use lab::games::KeptGame;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

/// Games of a file that are listed.
const MOST_GAMES: usize = 50_000;
/// Games of one answer.
const MOST_SHOWN: usize = 200;
/// Files whose lists are remembered.
const MOST_REMEMBERED: usize = 6;
/// Plies of an opening in a list.
const OPENING: usize = 8;
/// No opening has its name from a later ply.
const DEEPEST_OPENING: usize = 40;
/// Openings that are offered.
const MOST_OPENINGS: usize = 60;

/// Says how an opening is called, by its positions: its code and its name.
type Name = dyn Fn(&[Board]) -> Option<[String; 2]> + Send + Sync;

/// How openings are called, by those who know a table of them.
#[derive(Clone)]
pub struct Openings(Arc<Name>);

impl Openings {
    /// The positions of a game's beginning are given to `name`, which says the code and the
    /// name of the opening.
    pub fn new(name: impl Fn(&[Board]) -> Option<[String; 2]> + Send + Sync + 'static) -> Openings {
        Openings(Arc::new(name))
    }

    fn name(&self, boards: &[Board]) -> Option<[String; 2]> {
        (self.0)(boards)
    }
}

impl fmt::Debug for Openings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Openings")
    }
}

/// A game in a list.
#[derive(Clone, Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct ListedGame {
    number: usize,
    white: String,
    black: String,
    result: String,
    reason: Option<String>,
    plies: usize,
    /// Its first moves.
    opening: String,
    /// The code of its opening and its name, if it has one.
    eco: Option<String>,
    name: Option<String>,
    /// What is left on the board at the end.
    material: String,
}

/// A part of a list of games.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct GameList {
    /// All games of the file.
    all: usize,
    /// Those that the filter lets through.
    found: usize,
    /// How games end here.
    reasons: Vec<String>,
    /// The openings that occur most often here, as they can be asked for.
    openings: Vec<String>,
    games: Vec<ListedGame>,
}

/// Lists of files that did not change since.
#[derive(Default)]
pub(super) struct Lists {
    remembered: Mutex<Vec<Remembered>>,
}

/// A file, what changes with it, and its list.
type Remembered = (PathBuf, Stamp, Arc<Vec<ListedGame>>);
type Stamp = (u64, Option<SystemTime>);

fn stamp(path: &Path) -> Stamp {
    let metadata = std::fs::metadata(path).ok();
    let length = metadata.as_ref().map_or(0, std::fs::Metadata::len);
    (
        length,
        metadata.and_then(|metadata| metadata.modified().ok()),
    )
}

impl Lists {
    fn of(&self, path: &Path, openings: &Openings) -> Result<Arc<Vec<ListedGame>>, Problem> {
        let now = stamp(path);
        let lock = || {
            self.remembered
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
        };
        let known = |(known, at, _): &&Remembered| known == path && *at == now;
        if let Some((.., list)) = lock().iter().find(known) {
            return Ok(Arc::clone(list));
        }
        let mut list = Vec::new();
        each_game(path, &mut |game| {
            if list.len() < MOST_GAMES {
                list.push(listed(&game, openings));
            }
        })?;
        let list = Arc::new(list);
        let mut remembered = lock();
        remembered.retain(|(known, ..)| known != path);
        remembered.push((path.to_owned(), now, Arc::clone(&list)));
        if remembered.len() > MOST_REMEMBERED {
            remembered.remove(0);
        }
        Ok(list)
    }
}

fn listed(game: &KeptGame, openings: &Openings) -> ListedGame {
    let [eco, name] = match openings.name(&game.first_boards(DEEPEST_OPENING)) {
        Some(named) => named.map(Some),
        None => [None, None],
    };
    ListedGame {
        number: game.number,
        white: game.white.clone(),
        black: game.black.clone(),
        result: game.result.to_string(),
        reason: game.reason.clone(),
        plies: game.moves.len(),
        opening: game.first_moves(OPENING),
        eco,
        name,
        material: game.last_material(),
    }
}

/// Which games are asked for.
#[derive(Deserialize)]
pub(super) struct Asked {
    id: String,
    file: String,
    /// 1-0, 0-1 or 1/2-1/2.
    result: Option<String>,
    /// The least and the most plies.
    least: Option<usize>,
    most: Option<usize>,
    /// A part of the opening's moves or name, the beginning of its code in capital letters,
    /// or a part of a player's name.
    opening: Option<String>,
    /// A part of how it ended, or what was left.
    ending: Option<String>,
    skip: Option<usize>,
    count: Option<usize>,
}

impl Asked {
    /// The code of an opening that is asked for, or its beginning, and what follows it. A
    /// small letter begins a move.
    fn code(&self) -> Option<(&str, &str)> {
        let asked = self.opening.as_deref()?.trim();
        let (code, rest) = asked.split_once(' ').unwrap_or((asked, ""));
        let digits = code.strip_prefix(|letter| ('A'..='E').contains(&letter))?;
        let is_code = digits.bytes().all(|letter| letter.is_ascii_digit());
        is_code.then_some((code, rest))
    }

    fn wants(&self, game: &ListedGame) -> bool {
        let holds = |asked: &Option<String>, texts: &[&str]| {
            let asked = asked.as_deref().unwrap_or_default().to_lowercase();
            asked.is_empty()
                || texts
                    .iter()
                    .any(|text| text.to_lowercase().contains(&asked))
        };
        let name = game.name.as_deref().unwrap_or_default();
        let result = self.result.as_deref().unwrap_or_default();
        (result.is_empty() || game.result == result)
            && self.least.is_none_or(|least| game.plies >= least)
            && self.most.is_none_or(|most| game.plies <= most)
            && match self.code() {
                Some((code, rest)) => {
                    let eco = game.eco.as_deref().unwrap_or_default();
                    eco.starts_with(code) && name.contains(rest)
                }
                None => {
                    let texts = [&game.opening, name, &game.white, &game.black];
                    holds(&self.opening, &texts)
                }
            }
            && holds(
                &self.ending,
                &[game.reason.as_deref().unwrap_or_default(), &game.material],
            )
    }
}

pub(super) async fn list(
    State(games): State<Arc<Games>>,
    Query(asked): Query<Asked>,
) -> Answer<GameList> {
    answer(move || {
        let work = games.index.find(&asked.id)?;
        let path = file(&work, &lab::catalog::contents(&work), &asked.file)?;
        let all = games.lists.of(&path, &games.openings)?;
        // The newest come first.
        let wanted: Vec<&ListedGame> = all.iter().rev().filter(|game| asked.wants(game)).collect();
        let count = asked.count.unwrap_or(50).min(MOST_SHOWN);
        let skip = asked.skip.unwrap_or(0);
        let mut reasons: Vec<String> = all.iter().filter_map(|game| game.reason.clone()).collect();
        reasons.sort();
        reasons.dedup();
        reasons.truncate(40);
        Ok(GameList {
            all: all.len(),
            found: wanted.len(),
            reasons,
            openings: most_frequent(&all),
            games: wanted.into_iter().skip(skip).take(count).cloned().collect(),
        })
    })
    .await
}

/// The openings of these games as they can be asked for, the most frequent first.
fn most_frequent(games: &[ListedGame]) -> Vec<String> {
    let mut counts: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for game in games {
        if let (Some(eco), Some(name)) = (&game.eco, &game.name) {
            *counts.entry((eco, name)).or_default() += 1;
        }
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_key(|&(_, count)| std::cmp::Reverse(count));
    let shown = counts.into_iter().take(MOST_OPENINGS);
    shown
        .map(|((eco, name), _)| format!("{eco} {name}"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(eco: Option<&str>, name: Option<&str>, opening: &str) -> ListedGame {
        ListedGame {
            number: 0,
            white: "one".to_owned(),
            black: "two".to_owned(),
            result: "1-0".to_owned(),
            reason: None,
            plies: 30,
            opening: opening.to_owned(),
            eco: eco.map(str::to_owned),
            name: name.map(str::to_owned),
            material: "KvK".to_owned(),
        }
    }

    fn wants(opening: &str, game: &ListedGame) -> bool {
        let asked = Asked {
            id: String::new(),
            file: String::new(),
            result: None,
            least: None,
            most: None,
            opening: Some(opening.to_owned()),
            ending: None,
            skip: None,
            count: None,
        };
        asked.wants(game)
    }

    #[test]
    fn openings_are_found_by_code_name_and_moves() {
        let najdorf = game(
            Some("B90"),
            Some("Sicilian Defence, Najdorf"),
            "1. e4 c5 2. Nf3",
        );
        for opening in [
            "",
            "B",
            "B9",
            "B90",
            "najdorf",
            "B90 Sicilian Defence, Najdorf",
            "e4 c5",
        ] {
            assert!(wants(opening, &najdorf), "{opening}");
        }
        for opening in [
            "B91",
            "A",
            "C20 Open Game",
            "B90 Sicilian Defence, Dragon",
            "d4",
            "é",
        ] {
            assert!(!wants(opening, &najdorf), "{opening}");
        }
        // A small letter is that of a square, not of a code.
        let nimzo = game(Some("E40"), Some("Nimzo-Indian Defence"), "1. d4 Nf6");
        assert!(!wants("e4", &nimzo) && wants("E4", &nimzo));
        let nameless = game(None, None, "1. a3 a6");
        assert!(!wants("A00", &nameless) && wants("a3", &nameless));
    }

    #[test]
    fn frequent_openings_come_first() {
        let games = [
            game(Some("A00"), Some("Rare"), ""),
            game(Some("C20"), Some("Open Game"), ""),
            game(None, None, ""),
            game(Some("C20"), Some("Open Game"), ""),
        ];
        assert_eq!(most_frequent(&games), ["C20 Open Game", "A00 Rare"]);
    }
}
