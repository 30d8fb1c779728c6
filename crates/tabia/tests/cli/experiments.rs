//! Miniatures of the experiments with sequence models: what they find means nothing, but every
//! part comes to its summary.

use crate::program::folder;
use crate::train::make;
use nets::sequence::{SequenceShape, SequenceWeights};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n";

const PUZZLES: &str = "\
PuzzleId,FEN,Moves,Rating,RatingDeviation,Themes,Source
one,4r3/pp2rkp1/2p5/P2p2pP/R4bP1/2NQ4/1PP2P2/3Kq2R w - - 3 25,h1e1 e7e1,399,91,mate,x
two,6k1/5ppp/8/8/8/8/7r/RR2K3 b - - 0 1,h2h1 e1f2 h1b1 a1b1,1460,91,quiet,x
";

/// A folder with a model that knows nothing, games with ratings, and puzzles.
fn prepared(name: &str) -> PathBuf {
    let folder = folder(name);
    let shape = SequenceShape {
        width: 16,
        layers: 1,
        heads: 1,
        ..SequenceShape::named("tiny").expect("a name")
    };
    let mut weights = SequenceWeights::zeros(shape).expect("a shape");
    for tensor in weights.tensors_mut() {
        for (number, weight) in tensor.iter_mut().enumerate() {
            *weight = (number * 7_919 % 201) as f32 * 1e-3 - 0.1;
        }
    }
    let bytes = weights.to_bytes().expect("a file");
    fs::write(folder.join("model.tabianet"), bytes).expect("room");
    fs::write(folder.join("puzzles.csv"), PUZZLES).expect("room");
    fs::write(folder.join("start.epd"), START.repeat(8)).expect("room");
    let player = |name: &str| format!("name={name} model=heuristic kind=sequence nodes=1");
    let [one, other] = ["a option.Mode=sampled", "b option.Mode=sampled"].map(player);
    let words = "match --out match --openings start.epd --games 16 --horizon 30";
    let mut words: Vec<&str> = words.split(' ').collect();
    words.extend(["--player", &one, "--player", &other]);
    make(&folder, &words);
    let games = fs::read_to_string(folder.join("match/games.pgn")).expect("games");
    let rated = "[WhiteElo \"1850\"]\n[BlackElo \"1950\"]\n[Result ";
    fs::write(folder.join("games.pgn"), games.replace("[Result ", rated)).expect("room");
    let taken = ["pgn", "sequences", "games.pgn", "-o", "games.sequences"];
    make(&folder, &taken);
    folder
}

/// The summary that a part of the experiments writes, done twice: the second time nothing is
/// left to be done.
fn summary(folder: &Path, part: &str, words: &str) -> String {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scripts/sequence-experiments");
    for _ in 0..2 {
        let output = Command::new("python3")
            .args(["-W", "error"])
            .arg(&script)
            .args([part, "--tabia", env!("CARGO_BIN_EXE_tabia"), "--out", "out"])
            .args(words.split_whitespace())
            .current_dir(folder)
            .output()
            .expect("python3 starts");
        let complaints = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{complaints}");
    }
    let path = folder.join(format!("out/summary-{part}.md"));
    fs::read_to_string(path).expect("a summary")
}

#[test]
#[ignore = "wants python3; `make test` runs it"]
fn experiments_with_sequence_models_learn() {
    let said = summary(
        &prepared("experiments_learn"),
        "learning",
        "--train games.sequences --valid games.sequences --tokens 60 --set batch=60 \
         --set validation_positions=60",
    );
    for name in ["| no-mask |", "| policy-only |", "1800-1999", "legal"] {
        assert!(said.contains(name), "{name}: {said}");
    }
}

#[test]
#[ignore = "wants python3; `make test` runs it"]
fn experiments_with_sequence_models_play() {
    let said = summary(
        &prepared("experiments_play"),
        "players",
        "--model model.tabianet --tiny model.tabianet --games 2 --horizon 6 --ladder small \
         --set find_games=2 --set decide_games=2",
    );
    for name in [
        "| depth2 | depth2-published |",
        "| tiny-greedy |",
        "rerank-k4",
    ] {
        assert!(said.contains(name), "{name}: {said}");
    }
}

#[test]
#[ignore = "wants python3; `make test` runs it"]
fn experiments_with_sequence_models_solve_puzzles() {
    let said = summary(
        &prepared("experiments_puzzles"),
        "puzzles",
        "--model model.tabianet --puzzles puzzles.csv --sample 2",
    );
    assert!(said.contains("| halving-1024 |"), "{said}");
}

#[test]
#[ignore = "wants python3; `make test` runs it"]
fn experiments_with_sequence_models_reinforce() {
    let said = summary(
        &prepared("experiments_reinforce"),
        "reinforcement",
        "--model model.tabianet --train games.sequences --valid games.sequences \
         --puzzles puzzles.csv --sample 2 --games 2 --horizon 6 --set verdict.games=2 \
         --set train.epochs=2 --set train.validation_positions=60 --set train.play.games=8 \
         --set train.play.group=4 --set train.play.most_plies=12 \
         --set arms.policy-gradient.train.steps=1 --set arms.continued.train.steps=1 \
         --set arms.continued.train.batch=60 --set arms.search.train.steps=1 \
         --set arms.search.train.evaluations=2",
    );
    for name in ["| continued |", "people's moves", "\n**"] {
        assert!(said.contains(name), "{name}: {said}");
    }
}
