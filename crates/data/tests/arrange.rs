//! Reordering, splitting and rescoring files.

mod common;

use std::{
    fs,
    ops::ControlFlow,
    path::{Path, PathBuf},
};

use data::{
    arrange::{Split, interleave},
    binpack::{Appender, Chains, ChunkWriter, Encoder, Positions, read_chunk, scan},
    position::{Labels, Position},
    relabel::{Unit, Units},
};

fn encode(positions: &[Position]) -> Chains {
    let mut encoder = Encoder::new();
    for position in positions {
        encoder.push(position).expect("an ordinary position");
    }
    encoder.finish().clone()
}

/// Writes a chunk for each game.
fn write(path: &Path, games: std::ops::Range<u64>) {
    let mut bytes = Vec::new();
    for seed in games {
        let mut writer = ChunkWriter::new(Vec::new());
        writer
            .add(&encode(&common::game(seed, 60)))
            .expect("written");
        bytes.extend(writer.finish().expect("written"));
    }
    fs::write(path, bytes).expect("written");
}

/// The chunks of a file.
fn chunks(path: &Path) -> Vec<Vec<u8>> {
    let file = fs::File::open(path).expect("a file");
    let (places, outcome) = scan(path, &file);
    outcome.expect("whole");
    let read = |place| {
        let mut payload = Vec::new();
        read_chunk(&file, place, &mut payload).expect("readable");
        payload
    };
    places.into_iter().map(read).collect()
}

#[test]
fn interleaved_files_keep_the_order_of_each() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let paths: Vec<PathBuf> = ["a", "b", "c"]
        .map(|name| folder.path().join(name))
        .to_vec();
    write(&paths[0], 0..30);
    write(&paths[1], 30..40);
    write(&paths[2], 40..80);
    let mixed = |seed| {
        let output = folder.path().join("mixed.binpack");
        let follow = |_| ControlFlow::Continue(());
        let count = interleave(&paths, &output, seed, follow).expect("mixed");
        assert_eq!(count, 80);
        chunks(&output)
    };
    let one = mixed(1);
    assert_eq!(one, mixed(1));
    assert_ne!(one, mixed(2));
    for path in &paths {
        let all = chunks(path);
        let kept: Vec<_> = one.iter().filter(|chunk| all.contains(chunk)).collect();
        assert!(kept.into_iter().eq(&all));
    }
    // The files do not simply follow each other.
    let joined: Vec<_> = paths.iter().flat_map(|path| chunks(path)).collect();
    assert_ne!(one, joined);
    // Nothing is left of a run that was stopped.
    let output = folder.path().join("stopped.binpack");
    let stopped = interleave(&paths, &output, 1, |_| ControlFlow::Break(()));
    assert_eq!(stopped.expect_err("stopped").to_string(), "stopped");
    assert!(!output.exists());
}

#[test]
fn a_split_keeps_games_whole() {
    let games: Vec<Vec<Position>> = (0..400).map(|seed| common::game(seed * 5, 40)).collect();
    let sides = |seed| {
        let mut split = Split::new(0.25, seed, 7);
        let side = |game: &Vec<Position>| {
            let first = split.holds_out(&game[0]);
            assert!(game[1..].iter().all(|each| split.holds_out(each) == first));
            first
        };
        games.iter().map(side).collect::<Vec<bool>>()
    };
    let held_out = sides(1).into_iter().filter(|&side| side).count();
    // Within four standard deviations of a quarter.
    assert!(held_out.abs_diff(100) < 35, "{held_out}");
    assert_eq!(sides(1), sides(1));
    assert_ne!(sides(1), sides(2));
}

fn units(files: &[PathBuf], done: u64, most: usize) -> Vec<Unit> {
    let units = Units {
        files,
        labels: Labels::SideToMove,
        done,
    };
    let taken = units.give(|units| units.take(most).collect());
    taken.expect("readable")
}

#[test]
fn units_are_whole_chains_in_the_order_of_the_files() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let paths = vec![folder.path().join("a"), folder.path().join("b")];
    write(&paths[0], 0..30);
    write(&paths[1], 30..60);
    let expected = units(&paths, 0, usize::MAX);
    assert!(expected.len() > 5);
    let games: Vec<Position> = (0..60).flat_map(|seed| common::game(seed, 60)).collect();
    let all = expected.iter().flat_map(|unit| &unit.positions);
    assert!(all.map(|(position, _)| *position).eq(games));
    for unit in &expected[..expected.len() - 1] {
        let length = unit.positions.len();
        assert!((256..256 + 60).contains(&length), "{length}");
        assert!(unit.positions[0].1);
        assert!(Unit::from_bytes(&unit.to_bytes()).as_ref() == Some(unit));
    }
    // Work is stopped at any unit and continued.
    for done in 1..expected.len() {
        let mut both = units(&paths, 0, done);
        both.extend(units(&paths, done as u64, usize::MAX));
        assert!(both == expected, "after {done}");
    }
}

#[test]
fn a_file_that_breaks_off_is_told_after_its_units() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let path = folder.path().join("a");
    write(&path, 0..30);
    let bytes = fs::read(&path).expect("readable");
    fs::write(&path, &bytes[..bytes.len() - 1]).expect("written");
    let files = [path];
    let units = Units {
        files: &files,
        labels: Labels::SideToMove,
        done: 0,
    };
    let mut count = 0;
    let outcome = units.give(|units| count = units.count());
    assert!(outcome.expect_err("torn").is_torn());
    assert!(count > 3);
}

#[test]
fn appended_units_are_a_file() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let path = folder.path().join("x.part");
    let games: Vec<Vec<Position>> = (0..5).map(|seed| common::game(seed, 30)).collect();
    let mut appender = Appender::open(&path).expect("open");
    for game in &games {
        appender.append(encode(game).bytes()).expect("appended");
    }
    for (payload, game) in chunks(&path).iter().zip(&games) {
        let mut positions = Positions::new(payload);
        for expected in game {
            assert_eq!(positions.next().expect("whole"), Some(expected));
        }
    }
}
