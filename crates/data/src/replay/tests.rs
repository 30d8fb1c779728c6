use std::path::Path;

use chess::Board;

use super::*;
use crate::{
    binpack::{ChunkWriter, Encoder},
    file,
    position::{Labels, Outcome, Position},
    shard::{Format, Shard, read},
};

/// A game in which knights move to and fro, identified by its scores.
fn game(number: i16, plies: u16, result: Outcome) -> Vec<u8> {
    let mut encoder = Encoder::new();
    let mut board = Board::start();
    let mut result = result;
    for ply in 0..plies {
        let mv = ["g1f3", "g8f6", "f3g1", "f6g8"][usize::from(ply % 4)];
        let mv = board.parse_uci(mv).expect("a legal move");
        let position = Position {
            board,
            mv: Some(mv),
            score: number,
            result,
            ply,
        };
        encoder.push(&position).expect("a position");
        board.make(mv);
        result = result.reversed();
    }
    encoder.finish().bytes().to_vec()
}

fn write(path: &Path, games: &[Vec<u8>]) {
    file::write_with(path, |file| -> io::Result<()> {
        let mut writer = ChunkWriter::new(file);
        for game in games {
            writer.add_bytes(game)?;
        }
        writer.finish().map(drop)
    })
    .expect("room");
}

/// The number and the length of each chain of a shard.
fn chains(path: &Path) -> Vec<(i16, usize)> {
    assert_eq!(
        Shard::open(path).expect("a shard").format(),
        Format::Binpack
    );
    let mut chains: Vec<(i16, usize)> = Vec::new();
    let shard = Shard::open(path).expect("a shard");
    read(
        shard,
        Labels::SideToMove,
        1,
        |reading| {
            let mut chains = Vec::new();
            reading.for_each(|position, begins| match begins {
                true => chains.push((position.score, 1)),
                false => chains
                    .last_mut()
                    .into_iter()
                    .for_each(|(_, count)| *count += 1),
            });
            chains
        },
        |read| {
            assert!(read.problem.is_none());
            chains.extend(read.made);
            std::ops::ControlFlow::Continue(())
        },
    )
    .expect("a whole shard");
    chains
}

const AS_THEY_COME: Balance = Balance {
    decisive: None,
    rebalance: Rebalance::WholeGames,
};

fn balance(share: f64, rebalance: Rebalance) -> Balance {
    Balance {
        decisive: Some(share),
        rebalance,
    }
}

struct Bench {
    folder: tempfile::TempDir,
    sources: Vec<Source>,
}

impl Bench {
    /// Two generations: games 1 to 3 and 4 to 6, of which 2 and 5 are decisive.
    fn new() -> Bench {
        let folder = tempfile::tempdir().expect("a folder");
        let paths = ["a", "b"].map(|name| folder.path().join(name));
        let (draw, win) = (Outcome::Draw, Outcome::Win);
        write(
            &paths[0],
            &[game(1, 10, draw), game(2, 4, win), game(3, 6, draw)],
        );
        write(
            &paths[1],
            &[game(4, 20, draw), game(5, 8, win), game(6, 2, draw)],
        );
        let [a, b] = paths;
        Bench {
            folder,
            sources: vec![Source { path: a, seed: 3 }, Source { path: b, seed: 4 }],
        }
    }

    fn made(&self, most: u64, held_out: f64, balance: &Balance) -> Made {
        let buffer = Buffer::read(&self.sources, most, held_out).expect("shards");
        let paths = ["training", "validation"].map(|name| self.folder.path().join(name));
        let chosen = buffer.write(balance, &paths).expect("room");
        let [training, validation] = paths.map(|path| chains(&path));
        Made {
            chosen,
            training,
            validation,
        }
    }
}

struct Made {
    chosen: Chosen,
    training: Vec<(i16, usize)>,
    validation: Vec<(i16, usize)>,
}

#[test]
fn the_oldest_games_leave_first_and_as_a_whole() {
    let bench = Bench::new();
    let numbers = |most| -> Vec<i16> {
        let made = bench.made(most, 0.0, &AS_THEY_COME);
        assert_eq!(made.chosen.games + made.chosen.forgotten, 6);
        assert!(made.chosen.positions <= most);
        made.training.iter().map(|(number, _)| *number).collect()
    };
    assert_eq!(numbers(50), [1, 2, 3, 4, 5, 6]);
    assert_eq!(numbers(49), [2, 3, 4, 5, 6]);
    assert_eq!(numbers(40), [2, 3, 4, 5, 6]);
    assert_eq!(numbers(39), [3, 4, 5, 6]);
    assert_eq!(numbers(2), [6]);
}

#[test]
fn decisive_games_are_repeated_as_a_whole() {
    let bench = Bench::new();
    let made = bench.made(1000, 0.0, &balance(0.5, Rebalance::WholeGames));
    // 12 of 50 positions are decisive; each round adds 4 and 8, and 38 are drawn.
    let again = made.training[6..].to_vec();
    assert_eq!(again, [(2, 4), (5, 8), (2, 4), (5, 8), (2, 4)]);
    assert_eq!(made.chosen.training_positions, 50 + 28);
    assert_eq!(made.chosen.decisive_positions, 40);
    // The share is exceeded from the start.
    let made = bench.made(1000, 0.0, &balance(0.24, Rebalance::WholeGames));
    assert_eq!(made.training.len(), 6);
}

#[test]
fn the_published_rule_keeps_the_number_of_positions() {
    let bench = Bench::new();
    let made = bench.made(1000, 0.0, &balance(0.5, Rebalance::Published));
    assert_eq!(
        made.training,
        [
            (2, 4),
            (5, 8),
            (2, 4),
            (5, 8),
            (2, 1),
            (1, 10),
            (3, 6),
            (4, 9)
        ]
    );
    assert_eq!(made.chosen.training_positions, 50);
    // Fewer decisive positions than there are: the newest are left out.
    let made = bench.made(1000, 0.0, &balance(0.1, Rebalance::Published));
    let decisive = [(2, 4), (5, 1)];
    assert_eq!(made.training[..2], decisive);
    assert_eq!(made.chosen.decisive_positions, 5);
    assert_eq!(
        made.training[2..],
        [(1, 10), (3, 6), (4, 20), (6, 2), (1, 7)]
    );
}

#[test]
fn without_decisive_games_nothing_changes() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a");
    write(
        &path,
        &[game(1, 5, Outcome::Draw), game(2, 5, Outcome::Draw)],
    );
    let bench = Bench {
        folder,
        sources: vec![Source { path, seed: 3 }],
    };
    for rule in [Rebalance::WholeGames, Rebalance::Published] {
        let made = bench.made(1000, 0.0, &balance(0.8, rule));
        assert_eq!(made.training, [(1, 5), (2, 5)]);
    }
}

#[test]
fn games_are_held_out_for_good() {
    let bench = Bench::new();
    for share in [0.01, 0.4] {
        let made = bench.made(1000, share, &AS_THEY_COME);
        assert_eq!(made.training.len() + made.validation.len(), 6);
        assert!(!made.validation.is_empty());
        // With fewer games in the buffer, the same ones are held out.
        let later = bench.made(40, share, &AS_THEY_COME);
        let left = |list: &[(i16, usize)]| -> Vec<(i16, usize)> {
            list.iter()
                .filter(|(number, _)| *number > 1)
                .copied()
                .collect()
        };
        assert_eq!(later.validation, left(&made.validation));
        assert_eq!(later.training, left(&made.training));
    }
    // Nothing is held out: validation uses the training games.
    let made = bench.made(1000, 0.0, &balance(0.5, Rebalance::WholeGames));
    assert_eq!(made.validation, made.training);
}

#[test]
fn a_damaged_shard_is_named() {
    let bench = Bench::new();
    let path = &bench.sources[1].path;
    let mut bytes = std::fs::read(path).expect("a shard");
    bytes.truncate(bytes.len() - 3);
    std::fs::write(path, bytes).expect("room");
    let error = Buffer::read(&bench.sources, 1000, 0.0).expect_err("torn");
    assert!(error.to_string().contains("is truncated"), "{error}");
}
