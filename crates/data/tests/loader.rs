//! The loader: every batch depends only on the seed, the epoch and its number.

mod common;

use std::{
    collections::{HashMap, HashSet},
    fs,
    path::{Path, PathBuf},
};

use data::{
    binpack::{Chains, ChunkWriter, Encoder},
    filter::{Filter, FilterKind, Filters},
    loader::{Batch, Loader, LoaderError, Part, Point, Sample, Settings, load},
    packed::PackedPosition,
    position::{Labels, Position},
    score,
};

/// Writes games into a file, a chunk for every five of them.
fn write(path: &Path, games: std::ops::Range<u64>) -> Vec<Position> {
    let games: Vec<Vec<Position>> = games.map(|seed| common::game(seed, 90)).collect();
    let mut bytes = Vec::new();
    for games in games.chunks(5) {
        let mut writer = ChunkWriter::new(Vec::new());
        writer.add(&encode(&games.concat())).expect("written");
        bytes.extend(writer.finish().expect("written"));
    }
    fs::write(path, bytes).expect("written");
    games.concat()
}

fn encode(positions: &[Position]) -> Chains {
    let mut encoder = Encoder::new();
    for position in positions {
        encoder.push(position).expect("an ordinary position");
    }
    encoder.finish().clone()
}

struct Files {
    _folder: tempfile::TempDir,
    settings: Settings,
    positions: Vec<Position>,
}

fn files() -> Files {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let paths: Vec<PathBuf> = ["a", "b", "c"]
        .iter()
        .map(|name| folder.path().join(format!("{name}.binpack")))
        .collect();
    let mut positions = write(&paths[0], 0..52);
    positions.extend(write(&paths[1], 60..71));
    positions.extend(write(&paths[2], 80..103));
    let settings = Settings {
        batch: 700,
        seed: 5,
        window: 3,
        ..Settings::new(paths)
    };
    Files {
        _folder: folder,
        settings,
        positions,
    }
}

fn filters(words: &[&str]) -> Filters {
    words
        .iter()
        .map(|word| word.parse::<Filter>().expect("a filter"))
        .collect()
}

/// Batches, and where each begins.
fn batches<S: Sample>(loader: &mut Loader<S>, count: usize) -> Vec<(Point, Batch<S>)> {
    let next = |_| {
        let point = loader.point();
        let mut batch = Batch::default();
        loader.next(&mut batch).expect("a batch");
        (point, batch)
    };
    (0..count).map(next).collect()
}

/// How often each position occurs.
fn counts(positions: impl IntoIterator<Item = PackedPosition>) -> HashMap<String, u32> {
    let mut counts = HashMap::new();
    for position in positions {
        *counts.entry(format!("{position:?}")).or_insert(0) += 1;
    }
    counts
}

fn learnable(positions: &[Position]) -> Vec<PackedPosition> {
    positions
        .iter()
        .filter(|position| !position.is_marked())
        .map(PackedPosition::from)
        .collect()
}

#[test]
fn an_epoch_has_every_position_once() {
    let files = files();
    let all = learnable(&files.positions);
    let mut loader = Loader::open(files.settings.clone()).expect("files");
    let in_epoch = all.len().div_ceil(700);
    let batches = batches(&mut loader, in_epoch * 2);
    let epoch = |number: u64| {
        let of_epoch = batches
            .iter()
            .filter(move |(_, batch)| batch.epoch == number);
        of_epoch.flat_map(|(_, batch)| batch.positions.clone())
    };
    assert!(counts(epoch(0)) == counts(all.iter().copied()));
    assert!(counts(epoch(1)) == counts(all.iter().copied()));
    assert!(!epoch(0).eq(epoch(1)));
    assert!(!epoch(0).eq(all.iter().copied()));
    for (number, (_, batch)) in batches.iter().enumerate() {
        assert_eq!(batch.index, (number % in_epoch) as u64);
        let is_last = batch.index as usize == in_epoch - 1;
        let expected = if is_last { all.len() % 700 } else { 700 };
        assert_eq!(batch.positions.len(), expected);
    }
    let counts = loader.counts();
    assert_eq!(counts.kept, 2 * all.len() as u64);
    let marked = files
        .positions
        .iter()
        .filter(|each| each.score == score::MARK);
    assert_eq!(
        counts.removed(FilterKind::Marked),
        2 * marked.count() as u64
    );
}

#[test]
fn threads_do_not_matter() {
    let files = files();
    let words = [
        "random=2",
        "captures",
        "result",
        "pieces=1,2,1",
        "duplicates=1",
    ];
    let run = |threads, seed| {
        let settings = Settings {
            threads,
            seed,
            filters: filters(&words),
            ..files.settings.clone()
        };
        let packed = batches::<PackedPosition>(&mut Loader::open(settings.clone()).unwrap(), 12);
        let trails = batches::<Trail>(&mut Loader::open(settings).unwrap(), 12);
        (packed, trails)
    };
    let expected = run(1, 5);
    assert!(expected.0.iter().any(|(_, batch)| batch.epoch > 1));
    for threads in [2, 4, 7] {
        assert!(run(threads, 5) == expected, "{threads} threads");
    }
    assert!(run(2, 6).0 != expected.0);
}

/// A position with some of those before it.
#[derive(Clone, Debug, PartialEq)]
struct Trail(Vec<Position>);

impl Sample for Trail {
    const BEFORE: usize = 7;

    fn new(position: &Position, before: &[Position]) -> Self {
        Trail([before, &[*position]].concat())
    }
}

#[test]
fn a_full_sample_has_everything_in_the_same_order() {
    let files = files();
    let settings = Settings {
        filters: filters(&["random=1", "duplicates=1", "pieces=1,2,1"]),
        ..files.settings.clone()
    };
    let full: Vec<Position> = load(settings.clone(), usize::MAX).expect("positions");
    let packed: Vec<PackedPosition> = load(settings, usize::MAX).expect("positions");
    assert!(full.iter().map(PackedPosition::from).eq(packed));
    let known: HashSet<String> = files.positions.iter().map(|p| format!("{p:?}")).collect();
    assert!(full.iter().all(|p| known.contains(&format!("{p:?}"))));
    // Without filters, every position is there as it was written.
    let all: Vec<Position> = load(files.settings, usize::MAX).expect("positions");
    let sorted = |positions: Vec<&Position>| {
        let mut words: Vec<String> = positions.iter().map(|p| format!("{p:?}")).collect();
        words.sort();
        words
    };
    let written = files.positions.iter().filter(|p| !p.is_marked());
    assert!(sorted(all.iter().collect()) == sorted(written.collect()));
    // The games have details that packed positions lack.
    assert!(all.iter().any(|p| p.board.en_passant().is_some()));
    assert!(all.iter().any(|p| p.mv.is_some_and(|mv| mv.is_castling())));
}

#[test]
fn a_sample_sees_the_positions_before_it_whatever_is_filtered() {
    let files = files();
    let games: Vec<Vec<Position>> = [0..52, 60..71, 80..103]
        .into_iter()
        .flatten()
        .map(|seed| common::game(seed, 90))
        .collect();
    let mut trails: HashSet<String> = HashSet::new();
    for game in &games {
        for last in 0..game.len() {
            let first = last.saturating_sub(Trail::BEFORE);
            trails.insert(format!("{:?}", &game[first..=last]));
        }
    }
    for words in [&[][..], &["random=2", "captures"]] {
        let settings = Settings {
            filters: filters(words),
            part: Part::Training(0.25),
            ..files.settings.clone()
        };
        let samples: Vec<Trail> = load(settings.clone(), usize::MAX).expect("positions");
        let packed: Vec<PackedPosition> = load(settings, usize::MAX).expect("positions");
        let last = |Trail(trail): &Trail| trail.last().map(PackedPosition::from);
        assert!(samples.iter().filter_map(last).eq(packed));
        assert!(samples.len() > 500);
        for Trail(trail) in &samples {
            assert!(trails.contains(&format!("{trail:?}")));
        }
    }
}

#[test]
fn a_loader_goes_on_where_another_stood() {
    let files = files();
    let settings = Settings {
        filters: filters(&["random=1", "duplicates=1"]),
        threads: 2,
        ..files.settings.clone()
    };
    let expected =
        batches::<PackedPosition>(&mut Loader::open(settings.clone()).expect("files"), 30);
    assert!(expected.iter().any(|(_, batch)| batch.epoch == 3));
    let mut loader = Loader::open(settings.clone()).expect("files");
    for (number, (point, _)) in expected.iter().enumerate().rev() {
        loader.go_to(*point).expect("the same data");
        assert!(
            batches(&mut loader, 30 - number) == expected[number..],
            "batch {number}"
        );
    }
    let other = Settings {
        seed: 6,
        ..settings
    };
    let outcome = Loader::<PackedPosition>::open(other)
        .expect("files")
        .go_to(expected[0].0);
    assert!(matches!(outcome, Err(LoaderError::OtherData)));
}

#[test]
fn held_out_games_are_whole_and_the_rest_is_the_rest() {
    let files = files();
    let part = |part, seed| {
        let settings = Settings {
            part,
            seed,
            ..files.settings.clone()
        };
        load(settings, usize::MAX).expect("positions")
    };
    let training = part(Part::Training(0.25), 1);
    let validation = part(Part::Validation(0.25), 2);
    let both = counts(training.iter().chain(&validation).copied());
    assert!(both == counts(learnable(&files.positions)));
    let share = validation.len() as f64 / files.positions.len() as f64;
    assert!((0.1..0.4).contains(&share), "{share}");
    // The games are the same whatever the seed.
    assert!(counts(part(Part::Validation(0.25), 9)) == counts(validation.iter().copied()));
    // A game is entirely on one side of the split.
    for game in (0..52).map(|seed| learnable(&common::game(seed, 90))) {
        let known = counts(validation.iter().copied());
        let there = counts(game.iter().copied());
        let found = there.keys().filter(|key| known.contains_key(*key)).count();
        assert!(
            // The starts of random games are often the same.
            found < 5 || found > there.len() / 2,
            "{found} of {}",
            there.len()
        );
    }
}

#[test]
fn duplicates_of_a_window_are_removed() {
    let files = files();
    let mut settings = files.settings.clone();
    settings.files = vec![settings.files[1].clone(), settings.files[1].clone()];
    settings.window = 100;
    let load = load::<PackedPosition>;
    let all = load(settings.clone(), usize::MAX).expect("positions").len();
    settings.filters = filters(&["duplicates"]);
    let mut loader: Loader = Loader::open(settings.clone()).expect("files");
    let mut batch = Batch::default();
    loader.next(&mut batch).expect("a batch");
    let counts = *loader.counts();
    assert_eq!(
        counts.seen(),
        counts.removed(FilterKind::Marked) + all as u64
    );
    assert!(counts.removed(FilterKind::Duplicates) >= all as u64 / 2);
    assert!(counts.kept > all as u64 / 4);
    // With separate windows, duplicates are not recognised across files.
    settings.window = 1;
    let apart = load(settings, usize::MAX).expect("positions").len();
    assert!(apart > counts.kept as usize);
}

#[test]
fn white_labels_are_turned() {
    let files = files();
    let settings = Settings {
        labels: Labels::White,
        ..files.settings.clone()
    };
    let turned: Vec<Position> = files
        .positions
        .iter()
        .map(|position| Labels::White.turned(position))
        .collect();
    let loaded = load(settings, usize::MAX).expect("positions");
    assert!(counts(loaded) == counts(learnable(&turned)));
}

#[test]
fn a_set_can_be_cut() {
    let files = files();
    let cut: Vec<PackedPosition> = load(files.settings.clone(), 1000).expect("positions");
    let all = load(files.settings, usize::MAX).expect("positions");
    assert_eq!(cut, all[..1000]);
}

#[test]
fn what_cannot_be_loaded_is_named() {
    let files = files();
    let folder = files.settings.files[0]
        .parent()
        .expect("a folder")
        .to_owned();
    let complaint = |name: &str, bytes: Option<&[u8]>| {
        let path = folder.join(name);
        if let Some(bytes) = bytes {
            fs::write(&path, bytes).expect("written");
        }
        let settings = Settings::new(vec![path]);
        let outcome = Loader::<PackedPosition>::open(settings)
            .and_then(|mut loader| loader.next(&mut Batch::default()));
        let words = outcome.expect_err("an error").to_string();
        words.replace(&format!("{}/", folder.display()), "")
    };
    let whole = fs::read(&files.settings.files[0]).expect("readable");
    assert_eq!(
        complaint("none", None),
        "cannot open none: No such file or directory (os error 2)"
    );
    assert_eq!(
        complaint("x", Some(b"")),
        "x is empty: it contains no positions"
    );
    assert_eq!(
        complaint("x", Some(b"fen 8/8")),
        "x is not a binpack file; convert it with: tabia data convert x -o x.binpack"
    );
    let torn = complaint("x", Some(&whole[..whole.len() - 1]));
    assert!(
        torn.starts_with("x is truncated in the chunk at byte "),
        "{torn}"
    );
    let mut damaged = whole.clone();
    damaged[8..16].fill(0);
    let damaged = complaint("x", Some(&damaged));
    assert_eq!(
        damaged,
        "x is damaged in the chain at byte 8: a chain begins with an invalid position: White has no king"
    );
    let strict = Settings {
        filters: filters(&["early=65535"]),
        ..files.settings.clone()
    };
    let error = load::<PackedPosition>(strict, 10).expect_err("nothing");
    assert_eq!(
        error.to_string(),
        "the filters remove all positions of the files"
    );
    let error = Loader::<Position>::open(Settings::new(Vec::new()))
        .err()
        .expect("nothing");
    assert_eq!(error.to_string(), "there are no data files");
}
