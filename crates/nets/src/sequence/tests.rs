//! What must hold for any model, whatever its weights.

use super::*;
use crate::kernels::Precision;
use chess::{Board, Move};

/// Pseudo-random weights.
pub(super) fn filled(shape: SequenceShape, seed: u64) -> SequenceWeights {
    let mut weights = SequenceWeights::zeros(shape).expect("a shape");
    let mut state = seed;
    for tensor in weights.tensors_mut() {
        for weight in tensor {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            *weight = ((state >> 40) as f32 / (1 << 23) as f32 - 1.0) * 0.3;
        }
    }
    weights
}

pub(super) fn small() -> SequenceShape {
    SequenceShape {
        width: 32,
        layers: 2,
        heads: 2,
        ..SequenceShape::named("tiny").expect("a name")
    }
}

/// The events of a game whose moves are chosen by a number.
fn events(net: &SequenceNet, choice: usize, plies: usize) -> Vec<Event> {
    let mut board = Board::start();
    let mut previous: Option<Move> = None;
    let mut events = vec![Event::default()];
    net.encoder().start(&mut events[0]);
    for ply in 0..plies {
        let mut event = Event::default();
        let facts = GameFacts::default();
        net.encoder()
            .position(&board, previous, &facts, None, &mut event);
        events.push(event);
        let moves = board.legal_moves();
        let mv = moves[(choice + 7 * ply) % moves.len()];
        board.make(mv);
        previous = Some(mv);
    }
    events
}

/// The states of all events of a game, computed one by one.
fn states(net: &SequenceNet, events: &[Event]) -> Vec<Vec<f32>> {
    let mut memory = Memory::new(net.shape());
    let mut parent = None;
    let mut states = Vec::new();
    for event in events {
        let node = memory.add(parent);
        net.compute(&mut memory, &[(node, event)]);
        parent = Some(node);
        states.push(memory.state(node).to_vec());
    }
    states
}

#[test]
fn company_in_a_batch_changes_nothing() {
    let squares = SequenceShape {
        board: BoardInput::SquareAttention,
        ..small()
    };
    for (shape, precision) in [
        (small(), Precision::F32),
        (small(), Precision::Bf16),
        (squares, Precision::Bf16),
    ] {
        let net = SequenceNet::new(&filled(shape, 1), precision);
        let games: Vec<Vec<Event>> = (0..3).map(|choice| events(&net, choice, 12)).collect();
        let alone: Vec<_> = games.iter().map(|game| states(&net, game)).collect();
        let mut memory = Memory::new(net.shape());
        let mut parents = [None; 3];
        for ply in 0..13 {
            let nodes = parents.map(|parent| memory.add(parent));
            let batch: Vec<_> = (0..3)
                .map(|game| (nodes[game], &games[game][ply]))
                .collect();
            net.compute(&mut memory, &batch);
            for game in 0..3 {
                assert_eq!(memory.state(nodes[game]), alone[game][ply]);
            }
            parents = nodes.map(Some);
        }
        // The whole game in one batch.
        let mut memory = Memory::new(net.shape());
        let mut parent = None;
        let batch: Vec<_> = games[0]
            .iter()
            .map(|event| {
                let node = memory.add(parent);
                parent = Some(node);
                (node, event)
            })
            .collect();
        net.compute(&mut memory, &batch);
        for ((node, _), alone) in batch.iter().zip(&alone[0]) {
            assert_eq!(memory.state(*node), alone);
        }
    }
}

#[test]
fn a_changed_future_changes_nothing_in_the_past_and_the_past_matters() {
    let net = SequenceNet::new(&filled(small(), 2), Precision::F32);
    let (first, second) = (events(&net, 0, 20), events(&net, 5, 20));
    let mut mixed = first.clone();
    mixed[10..].clone_from_slice(&second[10..]);
    let (whole, changed) = (states(&net, &first), states(&net, &mixed));
    assert_eq!(whole[..10], changed[..10]);
    assert_ne!(whole[10..], changed[10..]);
    // The same event with another past has another state.
    assert_ne!(states(&net, &second)[15], changed[15]);
}

#[test]
fn branches_share_what_lies_before_them() {
    let net = SequenceNet::new(&filled(small(), 3), Precision::F32);
    let game = events(&net, 1, 8);
    let mut memory = Memory::new(net.shape());
    let mut parent = None;
    for event in &game[..8] {
        let node = memory.add(parent);
        net.compute(&mut memory, &[(node, event)]);
        parent = Some(node);
    }
    let other = events(&net, 3, 8);
    let [first, second] = [memory.add(parent), memory.add(parent)];
    net.compute(&mut memory, &[(first, &game[8]), (second, &other[8])]);
    assert_eq!(memory.state(first), states(&net, &game)[8]);
    let mut branched = game[..8].to_vec();
    branched.push(other[8].clone());
    let expected = &states(&net, &branched)[8];
    assert_eq!(memory.state(second), expected);
    assert_eq!(memory.len(), 10);
    let moved = memory.retain(|node| node != first);
    assert_eq!((moved[first.index()], memory.len()), (None, 9));
    let second = moved[second.index()].expect("it was kept");
    assert_eq!(memory.state(second), expected);
    memory.truncate(8);
    let again = memory.add(parent);
    net.compute(&mut memory, &[(again, &game[8])]);
    assert_eq!(memory.state(again), states(&net, &game)[8]);
}

#[test]
fn outputs_are_chances_and_logits() {
    let net = SequenceNet::new(&filled(small(), 4), Precision::F32);
    let state = states(&net, &events(&net, 0, 5)).pop().expect("a state");
    let chances = net.chances(&state);
    let sum = chances.win + chances.draw + chances.loss;
    assert!((sum - 1.0).abs() < 1e-5, "{sum}");
    assert!(net.plies_left(&state) >= 0.0);
    let (mut some, mut all) = (Vec::new(), Vec::new());
    let every: Vec<u32> = (0..vocabulary::MOVES as u32).collect();
    net.logits(&state, &every, &mut all);
    net.logits(&state, &[7, 1_967, 300], &mut some);
    let listed = [all[7], all[1_967], all[300]];
    let is_near = some.iter().zip(listed).all(|(a, b)| (a - b).abs() < 1e-4);
    assert!(is_near, "{some:?} {listed:?}");
}

#[test]
fn files_come_back_and_damage_is_noticed() {
    let mut weights = filled(small(), 5).rounded();
    weights.description = "a test".to_owned();
    let bytes = weights.to_bytes().expect("a file");
    assert_eq!(SequenceWeights::read(&bytes).expect("a model"), weights);
    let complaint = |bytes: &[u8]| SequenceWeights::read(bytes).expect_err("damage");
    assert_eq!(complaint(b"TABIATUP"), SequenceModelError::Foreign);
    for at in [0, 8, 12, 16, 20, 400, bytes.len() - 1] {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1;
        complaint(&damaged);
        complaint(&bytes[..at]);
    }
    weights.tensors_mut().last().expect("a tensor")[0] = f32::NAN;
    let error = weights.to_bytes().expect_err("no number");
    assert_eq!(
        error.to_string(),
        "the tensor moves_left_bias has a weight that is not a finite number"
    );
}

#[test]
fn shapes_have_the_sizes_that_are_said() {
    let sizes: Vec<usize> = SequenceShape::NAMES
        .iter()
        .map(|name| SequenceShape::named(name).expect("a name").weights())
        .collect();
    assert!(sizes.is_sorted(), "{sizes:?}");
    let joint = SequenceShape {
        board: BoardInput::Joint,
        ..SequenceShape::named("small").expect("a name")
    };
    assert!(
        (1_900_000..2_300_000).contains(&joint.weights()),
        "{}",
        joint.weights()
    );
    let wrong = SequenceShape { heads: 5, ..joint };
    let error = wrong.check().expect_err("no such heads");
    assert_eq!(error.to_string(), "heads = 5: they must divide the width");
}
