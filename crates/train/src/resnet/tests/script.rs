//! Checks that `scripts/train-resnet.py`, which trains the same net with PyTorch, computes the same
//! losses.

use super::*;
use crate::records::DrawSettings;
use crate::resnet::example::{Aim, Example};
use crate::resnet::judge::judge;
use chess::Board;
use data::policy::{PolicyRecord, read_npz, write_npz};
use data::position::Outcome;
use std::process::Command;

/// The script's losses of policy and value for the net and the positions below, with torch 2.15.
const GOLDEN: [f64; 2] = [3.411381, 0.342122];

/// The only kind of net that the script supports.
fn shape() -> ResNetShape {
    ResNetShape {
        planes: ResNetShape::published().planes,
        channels: 4,
        blocks: 1,
        head_channels: 16,
        value_hidden: 128,
        policy: PolicyKind::Flat,
        value: ValueKind::Tanh,
        moves: MoveIndex::FromTo,
    }
}

/// Positions of an artificial game with artificial visits and values.
fn records() -> Vec<PolicyRecord> {
    let mut board = Board::start();
    let mut records = Vec::new();
    for ply in 0..40_usize {
        let moves = board.legal_moves();
        let visits = |at: usize| (1_000.0 * made(2_000 + ply, at).abs()) as u32;
        let win = 0.5 * (1.0 + made(2_100, ply));
        records.push(PolicyRecord {
            board,
            double_step: None,
            occurrences: 0,
            moves: moves
                .iter()
                .enumerate()
                .map(|(at, &mv)| (mv, visits(at)))
                .collect(),
            chances: [win, 0.0, 1.0 - win],
            result: Outcome::Draw,
            weight: 1.0,
            policy_weight: 1.0,
            ply: ply as u16,
            final_balance: 0,
        });
        let choice = 0.5 * (1.0 + made(2_200, ply)) * moves.len() as f32;
        board.make(moves[(choice as usize).min(moves.len() - 1)]);
    }
    records
}

/// Our losses on the arrays that the script reads.
fn ours(arrays: &[u8]) -> [f64; 2] {
    let aim = Aim {
        lambda: 1.0,
        smoothing: 0.0,
        target_power: 1.0,
        draws: DrawSettings::default(),
        score_offset: 0.0,
        score_scaling: 1.0,
    };
    let records = read_npz(arrays).expect("arrays");
    let examples: Vec<Example> = records
        .iter()
        .filter_map(|record| Example::of_record(record, &aim))
        .collect();
    assert_eq!(examples.len(), 40);
    let goal = Goal {
        value: ValueKind::Tanh,
        policy: PolicyLoss::Joint,
        scalar: ScalarLoss::Mse,
        huber_delta: 1.0,
        of_moves: 1.0,
        of_values: 1.0,
    };
    let judged = judge(&weights(&shape()), &examples, &goal, 1.0);
    ["policy_loss", "value_loss"].map(|name| {
        let found = judged.numbers.iter().find(|(known, _)| *known == name);
        found.expect("a loss").1
    })
}

fn close(found: [f64; 2], expected: [f64; 2]) {
    for (found, expected) in found.into_iter().zip(expected) {
        assert!((found - expected).abs() < 1e-4, "{found} {expected}");
    }
}

#[test]
fn losses_on_a_golden_batch_equal_those_of_the_script() {
    let arrays = write_npz(&records(), 1.0).expect("arrays");
    close(ours(&arrays), GOLDEN);
}

#[test]
#[ignore = "wants torch in the python3 that TABIA_TORCH names"]
fn the_script_says_what_it_said() {
    let python = std::env::var("TABIA_TORCH").unwrap_or_else(|_| "python3".to_owned());
    let folder = tempfile::tempdir().expect("a folder");
    let arrays = write_npz(&records(), 1.0).expect("arrays");
    let [shard, net] = ["a.npz", "a.safetensors"].map(|name| folder.path().join(name));
    std::fs::write(&shard, &arrays).expect("written");
    let tensors = weights(&shape()).to_safetensors().expect("tensors");
    std::fs::write(&net, tensors).expect("written");
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scripts/train-resnet.py");
    let output = Command::new(python)
        .args([script, "--judge"])
        .args([&net, &shard])
        .output()
        .expect("python3 runs");
    let words = String::from_utf8_lossy(&output.stdout).into_owned();
    let numbers: Vec<f64> = words
        .split([' ', ',', '\n'])
        .filter_map(|word| word.parse().ok())
        .collect();
    let said = <[f64; 2]>::try_from(numbers).unwrap_or_else(|_| panic!("{output:?}"));
    close(said, GOLDEN);
    close(ours(&arrays), said);
}
