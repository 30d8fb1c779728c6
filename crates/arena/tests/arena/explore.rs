//! Exploration: what it writes depends on nothing but settings, model and seed, and each
//! setting changes what it says.

use arena::selfplay::explore::{ExploreSettings, ExploreTally, ExportPaths, GameSummary};
use arena::selfplay::{Amount, News, SelfPlay, Settings, Totals};
use chess::Board;
use data::policy::{PolicyReader, PolicyRecord};
use engines::StopSignal;
use engines::recipe::{MctsRecipe, Recipe};
use nets::Model;
use nets::policy::resnet::{ResNetShape, ResNetWeights};
use std::fs;
use std::path::Path;
use work::Threads;

const GAMES: Amount = Amount::Games(8);

fn settings(text: &str) -> Settings {
    toml::from_str(text).expect("settings")
}

/// Short games from the usual position.
fn short() -> Settings {
    settings("book = 'start'\nrandom_plies = 3\nhorizon = 30")
}

/// Short searches, and something more.
fn explore(more: &str) -> ExploreSettings {
    let text = format!("simulations = 12\ncheap_simulations = 4\npolicy_plies = 2\n{more}");
    toml::from_str(&text).expect("settings")
}

/// A net that is computed in batches.
fn resnet() -> Model {
    let shape = ResNetShape {
        channels: 8,
        blocks: 1,
        head_channels: 4,
        value_hidden: 8,
        ..ResNetShape::default()
    };
    let bytes = ResNetWeights::initialised(shape, 3).to_bytes();
    Model::from_bytes(&bytes.expect("a file")).expect("a net")
}

struct Way<'a> {
    model: &'a Model,
    settings: Settings,
    explore: ExploreSettings,
    amount: Amount,
    threads: usize,
    stop_after: u64,
}

impl Way<'_> {
    fn of(model: &Model, explore: ExploreSettings) -> Way<'_> {
        Way {
            model,
            settings: short(),
            explore,
            amount: GAMES,
            threads: 2,
            stop_after: u64::MAX,
        }
    }

    /// Does something with the work.
    fn selfplay<T>(
        &self,
        shard: &Path,
        dispatcher: &Threads,
        act: impl FnOnce(&SelfPlay<'_>) -> T,
    ) -> T {
        act(&SelfPlay {
            settings: &self.settings,
            explore: Some(&self.explore),
            generation: 1,
            player: &Recipe::Mcts(MctsRecipe::new(self.model.clone(), 1)),
            seed: 11,
            amount: self.amount,
            shard,
            author: None,
            dispatcher,
        })
    }

    fn play(&self, shard: &Path) -> Option<Totals> {
        let stop = StopSignal::new();
        let played = self.selfplay(shard, &Threads::new(self.threads), |selfplay| {
            selfplay.play(&stop, &mut |news| {
                if let News::Finished(totals) = news
                    && totals.games >= self.stop_after
                {
                    stop.stop();
                }
            })
        });
        played.expect("games")
    }

    /// What comes of it, and the bytes of its shard.
    fn made(&self) -> (Totals, Vec<u8>) {
        let folder = tempfile::tempdir().expect("a folder");
        let shard = folder.path().join("a.policy");
        let totals = self.play(&shard).expect("all games");
        (totals, fs::read(shard).expect("a shard"))
    }

    /// What comes of it, and the records of its shard.
    fn records(&self) -> (Totals, Vec<PolicyRecord>) {
        let folder = tempfile::tempdir().expect("a folder");
        let shard = folder.path().join("a.policy");
        let totals = self.play(&shard).expect("all games");
        let mut reader = PolicyReader::open(&shard).expect("a shard");
        let mut records = Vec::new();
        while let Some(mut block) = reader.next_block().expect("whole blocks") {
            records.append(&mut block);
        }
        (totals, records)
    }
}

fn tally(totals: &Totals) -> &ExploreTally {
    totals.explored.as_ref().expect("a tally")
}

fn taught(records: &[PolicyRecord]) -> usize {
    (records.iter())
        .filter(|record| record.policy_weight > 0.0)
        .count()
}

#[test]
fn neither_threads_nor_company_matter() {
    for model in [resnet(), Model::Heuristic] {
        for amount in [GAMES, Amount::Positions(100)] {
            let mut way = Way::of(&model, explore("games_at_once = 1"));
            (way.amount, way.threads) = (amount, 1);
            let (totals, shard) = way.made();
            for (threads, at_once) in [(1, 5), (2, 3), (3, 16)] {
                (way.threads, way.explore.games_at_once) = (threads, at_once);
                let (other_totals, other) = way.made();
                assert_eq!(other_totals.explored, totals.explored);
                assert!(
                    other == shard,
                    "{amount:?}, {threads} threads, {at_once} games"
                );
            }
        }
    }
}

#[test]
fn stopped_work_goes_on_to_the_same_bytes() {
    let model = resnet();
    let mut way = Way::of(&model, explore("games_at_once = 2"));
    let (_, whole) = way.made();
    let folder = tempfile::tempdir().expect("a folder");
    let shard = folder.path().join("a.policy");
    for stop_after in 1..=4 {
        way.stop_after = stop_after;
        if way.play(&shard).is_some() {
            break;
        }
        // As a kill in the middle of a line would leave it.
        let record = folder.path().join("a.policy.games");
        let bytes = fs::read(&record).expect("a record");
        fs::write(&record, &bytes[..bytes.len() - 7]).expect("room");
    }
    way.stop_after = u64::MAX;
    way.play(&shard).expect("all games");
    assert!(fs::read(&shard).expect("a shard") == whole);
}

#[test]
fn policies_learn_from_full_searches_alone() {
    let heuristic = Model::Heuristic;
    let (totals, records) = Way::of(&heuristic, explore("full_share = 0.25")).records();
    let learned = taught(&records);
    assert_eq!(records.len() as u64, totals.positions);
    assert_eq!(tally(&totals).full_rows, learned as u64);
    let share = learned as f64 / records.len() as f64;
    assert!((0.12..0.4).contains(&share), "{share}");
    for record in &records {
        assert_eq!(record.policy_weight > 0.0, !record.moves.is_empty());
    }
    let count = |more: &str| {
        let (_, records) = Way::of(&heuristic, explore(more)).records();
        (taught(&records), records.len())
    };
    // A mate in one is known without a search.
    let (cheap, _) = count("full_share = 0.0\nmate_in_one = false");
    assert_eq!(cheap, 0);
    let (learned, all) = count("full_share = 0.0\nlearn_cheap = true");
    assert!(learned > all / 2 && learned < all, "{learned} of {all}");
    // As published: also where the policy alone chose.
    let (learned, all) = count("searched_share = 0.0\nlearn_unsearched = true");
    assert_eq!(learned, all);
    let (learned, _) = count("searched_share = 0.0");
    assert_eq!(learned, 0);
}

#[test]
fn surprising_moves_count_more_but_not_all_together() {
    let heuristic = Model::Heuristic;
    let weights = |more: &str| {
        let mut way = Way::of(&heuristic, explore(more));
        way.amount = Amount::Games(1);
        let (_, records) = way.records();
        let weights = records.iter().map(|record| record.policy_weight);
        weights.filter(|weight| *weight > 0.0).collect::<Vec<f32>>()
    };
    let plain = weights("full_share = 1.0\nsurprise = 0.0");
    assert!(plain.iter().all(|&weight| weight == 1.0));
    let shared_out = weights("full_share = 1.0\nsurprise = 0.5");
    let mean = shared_out.iter().sum::<f32>() / shared_out.len() as f32;
    assert!((mean - 1.0).abs() < 1e-3, "{mean}");
    assert!(shared_out.iter().all(|&weight| weight >= 0.499));
    assert!(shared_out.iter().any(|&weight| weight > 1.2));
}

#[test]
fn games_begin_where_the_settings_say() {
    let heuristic = Model::Heuristic;
    let mut way = Way::of(&heuristic, explore("book_share = 0.0"));
    way.settings = settings("random_plies = 0\nhorizon = 6");
    let first = |records: &[PolicyRecord]| -> Vec<Board> {
        let begins = records.iter().filter(|record| record.ply == 0);
        begins.map(|record| record.board).collect()
    };
    let (_, records) = way.records();
    assert_eq!(first(&records), vec![Board::start(); 8]);
    way.explore.book_share = 1.0;
    let (_, records) = way.records();
    let boards = first(&records);
    assert_eq!(boards.len(), 8);
    assert!(boards.iter().all(|board| *board != Board::start()));
    way.explore.book_share = 0.5;
    let (_, records) = way.records();
    let usual = first(&records)
        .iter()
        .filter(|board| **board == Board::start())
        .count();
    assert!((1..8).contains(&usual), "{usual}");
}

#[test]
fn resignations_end_games_or_are_watched() {
    let heuristic = Model::Heuristic;
    let play = |resign: &str| {
        let mut way = Way::of(&heuristic, explore(resign));
        way.settings = settings("book = 'start'\nrandom_plies = 4\nhorizon = 120");
        way.amount = Amount::Games(12);
        way.records().0
    };
    let rule = "value = 0.4, moves = 2, from_ply = 10";
    let ended = play(&format!("resign = {{ {rule}, play_through = 0.0 }}"));
    let resigned = ended.reasons.get("resignation").copied().unwrap_or(0);
    assert!(resigned > 2, "{:?}", ended.reasons);
    assert_eq!(tally(&ended).resigned, resigned);
    assert_eq!(tally(&ended).false_share(), None);
    let watched = play(&format!("resign = {{ {rule}, play_through = 1.0 }}"));
    assert_eq!(watched.reasons.get("resignation"), None);
    let found = tally(&watched);
    assert_eq!(found.played_on, found.resigned);
    assert!(found.resigned > 2 && found.false_share().is_some());
    // The published count needs bad values for both sides in a row.
    let every = play(&format!(
        "resign = {{ {rule}, play_through = 0.0, counts = 'every-ply' }}"
    ));
    let fewer = every.reasons.get("resignation").copied().unwrap_or(0);
    assert!(fewer < resigned, "{fewer} and {resigned}");
}

#[test]
fn quiet_games_are_drawn_early_and_late_positions_left_out() {
    let heuristic = Model::Heuristic;
    let play = |more: &str| {
        let mut way = Way::of(&heuristic, explore(more));
        way.settings = settings("book = 'start'\nrandom_plies = 4\nhorizon = 60");
        way.records()
    };
    let (totals, _) = play("quick_draw = 5");
    assert!(
        totals
            .reasons
            .get("quick-draw")
            .is_some_and(|games| *games > 4)
    );
    let (all, records) = play("");
    assert!(
        records
            .iter()
            .any(|record| record.board.halfmove_clock() >= 4)
    );
    let (some, records) = play("below_clock = 4");
    assert!(
        records
            .iter()
            .all(|record| record.board.halfmove_clock() < 4)
    );
    assert_eq!(some.plies, all.plies);
    assert!(some.positions < all.positions);
    let (some, _) = play("most_rows = 7");
    assert_eq!((some.positions, some.plies), (7 * 8, all.plies));
}

#[test]
fn noise_temperature_and_the_root_change_the_games() {
    let heuristic = Model::Heuristic;
    let shards = [
        "",
        "temperature = 0.0",
        "gumbel_moves = 0",
        "gumbel_moves = 0\ntemperature = 0.0",
        "gumbel_moves = 0\nnoise = { alpha = 0.3, epsilon = 0.5 }",
        "gumbel_moves = 0\noption = { CPuct = 4.0 }",
        "policy_temperature = 3.0",
        "uniform_share = 1.0",
        "full_share = 1.0",
        "temperature_factor = 0.2",
        "gumbel_moves = 0\noption = { PublishedBackup = true }",
        "mate_in_one = false\nsurprise = 0.1",
    ]
    .map(|more| Way::of(&heuristic, explore(more)).made().1);
    for (index, shard) in shards.iter().enumerate() {
        let same = shards[..index].iter().position(|other| other == shard);
        assert_eq!(same, None, "{index}");
    }
}

/// A backend plays whatever the player has learned.
#[test]
fn the_heuristic_can_play_for_a_net() {
    let (net, heuristic) = (resnet(), Model::Heuristic);
    let by = |model, more: &str| Way::of(model, explore(more)).made().1;
    let wanted = by(&heuristic, "");
    assert!(by(&net, "backend = 'heuristic'") == wanted);
    assert!(by(&net, "") != wanted);
}

/// Lines and PGN have the games of the shard, and the same bytes for any threads.
#[test]
fn games_are_written_for_people_and_programs() {
    let heuristic = Model::Heuristic;
    let resign = "resign = { value = 0.1, moves = 1, from_ply = 4, play_through = 0.5 }";
    let written = |threads: usize| {
        let folder = tempfile::tempdir().expect("a folder");
        let shard = folder.path().join("a.policy");
        let way = Way {
            threads,
            ..Way::of(&heuristic, explore(resign))
        };
        let totals = way.play(&shard).expect("all games");
        let [lines, pgn] = ["games.jsonl", "games.pgn"].map(|name| folder.path().join(name));
        way.selfplay(&shard, &Threads::new(threads), |selfplay| {
            selfplay.export(&ExportPaths {
                lines: &lines,
                pgn: &pgn,
                event: "test",
            })
        })
        .expect("files");
        (
            totals,
            [lines, pgn].map(|path| fs::read_to_string(path).expect("a file")),
        )
    };
    let (totals, texts) = written(1);
    let games: Vec<GameSummary> = (texts[0].lines())
        .map(|line| serde_json::from_str(line).expect("a game"))
        .collect();
    assert_eq!(games.len() as u64, totals.games);
    let positions: u64 = games.iter().map(|game| game.positions).sum();
    assert_eq!(positions, totals.positions);
    let resigned = games.iter().filter(|game| game.resignation.is_some());
    assert_eq!(resigned.count() as u64, tally(&totals).resigned);
    let numbers: Vec<u64> = games.iter().map(|game| game.game).collect();
    assert!(numbers.is_sorted());
    assert_eq!(texts[1].matches("[Event \"test\"]").count(), games.len());
    assert_eq!(written(3).1, texts);
}

#[test]
fn values_are_held_against_results() {
    let heuristic = Model::Heuristic;
    let (totals, records) = Way::of(&heuristic, explore("")).records();
    let calibration = &tally(&totals).calibration;
    assert_eq!(calibration.positions(), taught(&records) as u64);
    assert!(
        calibration
            .error()
            .is_some_and(|error| (0.0..=1.0).contains(&error))
    );
}

#[test]
fn wrong_settings_are_named() {
    for (text, problem) in [
        (
            "full_share = 1.5",
            "full_share: it is 1.5, but must be from 0 to 1",
        ),
        ("simulations = 0", "simulations: must be at least 1"),
        (
            "temperature = [[3, 1.0], [3, 0.0]]",
            "temperature: plies must be increasing",
        ),
        (
            "searched_share = []",
            "searched_share: give at least one number",
        ),
        (
            "resign = { value = 0 }",
            "resign.value: it is 0, but must be above 0, at most 1",
        ),
    ] {
        let settings: ExploreSettings = toml::from_str(text).expect(text);
        assert_eq!(settings.check().expect_err(text).to_string(), problem);
    }
}
