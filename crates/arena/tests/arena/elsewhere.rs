//! Jobs that are made again from their descriptions, as another process would: they
//! give the same bytes. And results that turn out to be wrong: they leave no trace.

use arena::game::{Endings, Rules};
use arena::openings::{Openings, Order};
use arena::plan::{OpeningsPlan, Plan};
use arena::run::{Conclusion, PGN_FILE, Run};
use arena::schedule::Format;
use arena::selfplay::explore::{self, ExploreSettings};
use arena::selfplay::{self, Amount, SelfPlay, Settings};
use arena::workers;
use engines::StopSignal;
use engines::recipe::{AlphaBetaRecipe, MctsRecipe, PlayerSettings, PlayerSpec, Recipe, resolve};
use nets::Model;
use std::collections::HashMap;
use std::fs;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use work::{
    Assignment, Care, DispatchError, Dispatcher, Done, Kind, Piece, Portable, Receive, Stopping,
    Threads,
};

const KINDS: [Kind; 3] = [workers::KIND, selfplay::KIND, explore::KIND];

/// Does all work with a job that was made from its description, and checks results as
/// one would who does not trust them.
struct Elsewhere;

impl Dispatcher for Elsewhere {
    fn at_once(&self) -> usize {
        2
    }

    fn dispatch(
        &self,
        assignment: Assignment<'_>,
        receive: &mut Receive<'_>,
    ) -> Result<(), DispatchError> {
        let portable = assignment.job.portable().expect("a job for others");
        let description = portable.description().expect("a description");
        let kind = KINDS.iter().find(|kind| kind.name == description.kind);
        let blobs = description.blobs.iter().map(|name| {
            let blob = portable.blob(name).expect("a blob");
            (name.clone(), blob)
        });
        let make = kind.expect("a kind").make;
        let job = make(&description.settings, &blobs.collect()).expect("a job");
        let pieces = Mutex::new(HashMap::new());
        let mut given = assignment.pieces.inspect(|piece| {
            let mut pieces = pieces.lock().expect("no panic");
            pieces.insert(piece.number, piece.clone());
        });
        let assignment = Assignment {
            job: job.as_ref(),
            pieces: &mut given,
            ..assignment
        };
        Threads::new(2).dispatch(assignment, &mut |done| {
            if let Some(done) = &done {
                let piece = pieces.lock().expect("no panic").remove(&done.number);
                examine(portable, &piece.expect("asked for once"), &done.result);
            }
            receive(done)
        })
    }
}

/// A true result passes, and changed ones do not.
fn examine(portable: &dyn Portable, piece: &Piece, result: &[u8]) {
    assert_eq!(portable.check(piece, result, Care::Thorough), Ok(()));
    assert!(portable.class(&[result]).is_some());
    let essence = portable.essence(result);
    assert_eq!(portable.check(piece, &essence, Care::Thorough), Ok(()));
    assert_eq!(portable.essence(&essence), essence);
    let other = Piece {
        number: piece.number + 1,
        payload: piece.payload.clone(),
    };
    assert!(portable.check(&other, result, Care::Usual).is_err());
    for wrong in [&b""[..], b"{}", &result[..result.len() / 2]] {
        assert!(portable.check(piece, wrong, Care::Usual).is_err());
    }
    // One move less, or one digit of a position less.
    let text = String::from_utf8(result.to_vec()).expect("text");
    let lists = [
        ("\"moves\":\"", '"'),
        ("\"chains\":\"", '"'),
        ("\"rows\":\"", '"'),
    ];
    for (begin, end) in lists {
        let Some(place) = text.find(begin) else {
            continue;
        };
        let from = place + begin.len();
        let to = from + text[from..].find(end).expect("an end");
        let shorter = format!("{}{}", &text[..to - 4], &text[to..]);
        let checked = portable.check(piece, shorter.as_bytes(), Care::Thorough);
        assert!(checked.is_err(), "{shorter}");
    }
}

/// Gives every third result wrongly, finds it out after some, and then works well.
struct Fooled {
    dispatches: AtomicUsize,
    wrong: fn(&mut Done),
}

impl Fooled {
    fn new(wrong: fn(&mut Done)) -> Fooled {
        Fooled {
            dispatches: AtomicUsize::new(0),
            wrong,
        }
    }
}

impl Dispatcher for Fooled {
    fn at_once(&self) -> usize {
        1
    }

    fn dispatch(
        &self,
        assignment: Assignment<'_>,
        receive: &mut Receive<'_>,
    ) -> Result<(), DispatchError> {
        let is_fooled = self.dispatches.fetch_add(1, Ordering::Relaxed) == 0;
        let mut numbers = Vec::new();
        let mut received = 0;
        Threads::new(1).dispatch(assignment, &mut |done| {
            let mut done = done;
            if let Some(done) = &mut done {
                received += 1;
                if is_fooled && done.number % 3 == 1 {
                    (self.wrong)(done);
                    numbers.push(done.number);
                }
            }
            match receive(done) {
                ControlFlow::Continue(()) if is_fooled && received == 6 => ControlFlow::Break(()),
                flow => flow,
            }
        })?;
        match numbers.is_empty() {
            true => Ok(()),
            false => Err(DispatchError::Withdrawn {
                worker: "liar".to_owned(),
                reason: "test".to_owned(),
                numbers,
            }),
        }
    }
}

fn settings() -> Settings {
    toml::from_str("nodes = 60\nrandom_plies = 2\nhorizon = 24\nat_horizon = 'material'")
        .expect("settings")
}

fn selfplay_with(
    settings: &Settings,
    player: &Recipe,
    dispatcher: &dyn Dispatcher,
) -> Result<Vec<u8>, String> {
    shard_of(settings, None, player, dispatcher)
}

fn shard_of(
    settings: &Settings,
    explore: Option<&ExploreSettings>,
    player: &Recipe,
    dispatcher: &dyn Dispatcher,
) -> Result<Vec<u8>, String> {
    let folder = tempfile::tempdir().expect("a folder");
    let shard = folder.path().join("shard.binpack");
    let selfplay = SelfPlay {
        explore,
        settings,
        generation: 2,
        player,
        seed: 7,
        amount: Amount::Positions(150),
        shard: &shard,
        author: None,
        dispatcher,
    };
    selfplay
        .play(&StopSignal::new(), &mut |_| {})
        .map_err(|error| error.to_string())?;
    Ok(fs::read(shard).expect("a shard"))
}

fn classical() -> Recipe {
    Recipe::AlphaBeta(AlphaBetaRecipe::new(Model::classical(), 1))
}

#[test]
fn selfplay_elsewhere_makes_the_same_shard() {
    let folder = tempfile::tempdir().expect("a folder");
    let book = folder.path().join("book.pgn");
    fs::write(&book, "1. e4 c5 *\n\n1. d4 d5 2. c4 *\n").expect("written");
    let mut with_book = settings();
    with_book.book = selfplay::Book::File(book);
    let tree = Recipe::Mcts(MctsRecipe::new(Model::default_of_tree_search(), 1));
    let mut tuned = AlphaBetaRecipe::new(Model::default(), 2);
    tuned.parameters.insert("razor_base".to_owned(), 300);
    for (settings, player) in [
        (settings(), classical()),
        (with_book, classical()),
        (settings(), tree),
        (settings(), Recipe::AlphaBeta(tuned)),
    ] {
        let here = selfplay_with(&settings, &player, &Threads::new(2)).expect("a shard");
        let there = selfplay_with(&settings, &player, &Elsewhere).expect("a shard");
        assert!(here == there, "{player}");
    }
}

#[test]
fn exploration_elsewhere_makes_the_same_shard() {
    let folder = tempfile::tempdir().expect("a folder");
    let book = folder.path().join("book.pgn");
    fs::write(&book, "1. e4 c5 *\n\n1. d4 d5 2. c4 *\n").expect("written");
    let mut with_book = settings();
    with_book.book = selfplay::Book::File(book);
    let explore: ExploreSettings =
        toml::from_str("simulations = 8\ngames_at_once = 4").expect("settings");
    let tree = Recipe::Mcts(MctsRecipe::new(Model::default_of_tree_search(), 1));
    for settings in [settings(), with_book] {
        let shard = |dispatcher: &dyn Dispatcher| {
            shard_of(&settings, Some(&explore), &tree, dispatcher).expect("a shard")
        };
        assert!(shard(&Threads::new(2)) == shard(&Elsewhere));
    }
}

#[test]
fn withdrawn_games_of_selfplay_are_played_again() {
    let here = selfplay_with(&settings(), &classical(), &Threads::new(2)).expect("a shard");
    let fooled = Fooled::new(|done| {
        let text = String::from_utf8(done.result.clone()).expect("text");
        let wrong = text.replace("\"result\":\"1-0\"", "\"result\":\"0-1\"");
        done.result = wrong.replace("\"plies\":", "\"plies\":1").into_bytes();
    });
    let again = selfplay_with(&settings(), &classical(), &fooled).expect("a shard");
    assert_eq!(fooled.dispatches.load(Ordering::Relaxed), 2);
    assert!(here == again);
}

fn players(lines: &[&str]) -> Vec<PlayerSpec> {
    let players = lines.iter().map(|line| PlayerSettings::from_words(line));
    let players = players.collect::<Result<_, _>>().expect("settings");
    resolve(players, &PlayerSettings::default()).expect("players")
}

fn match_with(folder: &Path, players: &[PlayerSpec], dispatcher: &dyn Dispatcher) -> Conclusion {
    let openings = Openings::built_in().arranged(Order::Shuffled { seed: 3 }, 0);
    let endings = Endings {
        horizon: Some(40),
        ..Endings::default()
    };
    let plan = Plan::new(
        players.to_vec(),
        Format::RoundRobin,
        8,
        OpeningsPlan::new("built in".to_owned(), &openings),
        endings.clone(),
    );
    let run = Run {
        plan: &plan,
        contestants: &plan.players,
        opening: &|round| openings.get(round).game(),
        rules: &Rules {
            endings,
            oracle: None,
        },
        folder,
        event: "test",
        author: None,
        dispatcher,
        most_failures: 1,
        prepare: &|_| {},
        stopping: Stopping::Finish,
    };
    let conclusion = run.play(&StopSignal::new(), &mut |_, _| {});
    conclusion.expect("a match")
}

/// The words of all games but for their times.
fn games(folder: &Path) -> Vec<String> {
    let text = fs::read_to_string(folder.join(PGN_FILE)).expect("games");
    let is_time =
        |word: &&str| word.ends_with('s') && word.starts_with(|c: char| c.is_ascii_digit());
    let moves = text.lines().filter(|line| !line.starts_with('['));
    moves
        .flat_map(str::split_whitespace)
        .filter(|word| !is_time(word))
        .map(str::to_owned)
        .collect()
}

#[test]
fn a_match_elsewhere_has_the_same_games() {
    let players = players(&[
        "name=a nodes=60 model=classical",
        "name=b nodes=40",
        "name=c kind=mcts nodes=20",
    ]);
    let folders = [(); 2].map(|()| tempfile::tempdir().expect("a folder"));
    let here = match_with(folders[0].path(), &players, &Threads::new(2));
    let there = match_with(folders[1].path(), &players, &Elsewhere);
    assert_eq!(here.ledger.meetings(), there.ledger.meetings());
    assert_eq!(here.verdict, there.verdict);
    assert_eq!(games(folders[0].path()), games(folders[1].path()));
}

#[test]
fn withdrawn_games_of_a_match_are_played_again() {
    let players = players(&["name=a nodes=60 model=classical", "name=b nodes=40"]);
    let folders = [(); 2].map(|()| tempfile::tempdir().expect("a folder"));
    let here = match_with(folders[0].path(), &players, &Threads::new(2));
    let fooled = Fooled::new(|done| {
        let text = String::from_utf8(done.result.clone()).expect("text");
        let line: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        let said = line["result"].to_string();
        done.result = text.replace(&said, "\"1-0\"").into_bytes();
    });
    let again = match_with(folders[1].path(), &players, &fooled);
    assert_eq!(fooled.dispatches.load(Ordering::Relaxed), 2);
    assert_eq!(here.ledger.meetings(), again.ledger.meetings());
    assert_eq!(games(folders[0].path()), games(folders[1].path()));
}
