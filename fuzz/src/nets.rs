//! What must hold of any bytes as the file of a net.
//!
//! A net is larger than what a fuzzer likes to invent, so its inputs are taken
//! twice: as a file, and as changes of a good one.

use crate::check_message;
use chess::Board;
use nets::classical::Weights;
use nets::nnue::sfnn::{Compression, SfnnWeights};
use nets::nnue::simple::SimpleWeights;
use nets::nnue::{Activation, Inputs, Net, NetFile, SfnnShape, SimpleScales, SimpleShape};
use nets::ntuple::{NTuple, NTupleWeights};
use nets::policy::sparse::PolicyShape;
use nets::policy::{PolicyFile, PolicyWeights};
use std::sync::OnceLock;

/// Any bytes as a net of Stockfish's shape.
pub fn check_nnue(data: &[u8]) {
    static GOOD: OnceLock<Vec<u8>> = OnceLock::new();
    let good = GOOD.get_or_init(|| {
        let shape = SfnnShape::new(128).expect("a width");
        let weights = SfnnWeights::zeros(shape).expect("memory");
        let mut bytes = Vec::new();
        let written = weights.write(Compression::Leb128, &mut bytes);
        written.expect("zeros are within bounds");
        bytes
    });
    check_net(data);
    check_net(&changed(good, data));
}

/// A text of weights is refused in clear words, or says the same when it is
/// written and read again.
pub fn check_weights(text: &str) {
    match Weights::read(text) {
        Ok(weights) => {
            let again = Weights::read(&weights.write()).expect("it was written by us");
            assert_eq!(again.write(), weights.write());
        }
        Err(error) => check_message(&error.to_string()),
    }
}

/// Any bytes as a net of our own.
pub fn check_tabianet(data: &[u8]) {
    static GOOD: OnceLock<Vec<u8>> = OnceLock::new();
    let good = GOOD.get_or_init(|| {
        let shape = SimpleShape {
            inputs: Inputs::piece_square([0; 64], false).expect("one bucket"),
            hidden: 32,
            activation: Activation::Screlu,
            output_buckets: 1,
            scales: SimpleScales::default(),
        };
        let mut bytes = Vec::new();
        let weights = SimpleWeights::zeros(shape).expect("memory");
        weights.write(&mut bytes).expect("zeros are within bounds");
        bytes
    });
    check_net(data);
    let bytes = changed(good, data);
    check_net(&bytes);
    check_net(&sealed(bytes));
}

/// Any bytes as a policy net.
pub fn check_policy(data: &[u8]) {
    static GOOD: OnceLock<Vec<u8>> = OnceLock::new();
    let good = GOOD.get_or_init(|| {
        let shape = PolicyShape {
            hidden: 128,
            value: SimpleShape {
                inputs: Inputs::piece_square([0; 64], true).expect("one bucket"),
                hidden: 32,
                activation: Activation::Screlu,
                output_buckets: 3,
                scales: SimpleScales::default(),
            },
        };
        let weights = PolicyWeights::zeros(shape).expect("memory");
        weights.to_bytes().expect("zeros are within bounds")
    });
    check_policy_net(data);
    let bytes = changed(good, data);
    check_policy_net(&bytes);
    check_policy_net(&sealed(bytes));
}

/// Any bytes as an n-tuple network.
pub fn check_ntuple(data: &[u8]) {
    static GOOD: OnceLock<Vec<u8>> = OnceLock::new();
    let good = GOOD.get_or_init(|| {
        let tuples = ["P", "NP"].map(|name| name.parse().expect("a tuple"));
        let weights = NTupleWeights::zeros(tuples.to_vec()).expect("memory");
        weights.to_bytes().expect("zeros are within bounds")
    });
    check_network(data);
    let bytes = changed(good, data);
    check_network(&bytes);
    check_network(&sealed(bytes));
}

/// The file with a right checksum at its end: what is behind the checksum must hold
/// without its help.
pub(crate) fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    if let Some(end) = bytes.len().checked_sub(blake3::OUT_LEN) {
        let checksum = blake3::hash(&bytes[..end]);
        bytes[end..].copy_from_slice(checksum.as_bytes());
    }
    bytes
}

/// A file is refused in clear words, or can be evaluated, written and read again.
fn check_network(bytes: &[u8]) {
    let network = match NTupleWeights::read(bytes).and_then(NTuple::new) {
        Ok(network) => network,
        Err(error) => return check_message(&error.to_string()),
    };
    let written = network
        .weights()
        .to_bytes()
        .expect("what was read is within bounds");
    let again = NTupleWeights::read(&written).expect("what was written");
    assert_eq!(again.sum(&Board::start()), network.sum(&Board::start()));
}

/// A file is refused in clear words, or can be evaluated, written and read again.
fn check_policy_net(bytes: &[u8]) {
    let file = match PolicyFile::from_bytes(bytes) {
        Ok(file) => file,
        Err(error) => return check_message(&error.to_string()),
    };
    let explanation = file.net.explain(&Board::start());
    let weights = PolicyWeights::read(bytes).expect("it was read before");
    let written = weights.to_bytes().expect("what was read is within bounds");
    let again = PolicyFile::from_bytes(&written).expect("what was written");
    assert_eq!(again.net.explain(&Board::start()), explanation);
}

/// The file with changes: six bytes each say where and what; the last few cut the
/// file or make it longer.
pub(crate) fn changed(good: &[u8], data: &[u8]) -> Vec<u8> {
    let mut bytes = good.to_vec();
    let (changes, rest) = data.as_chunks::<6>();
    for &[a, b, c, d, byte, near] in changes {
        let at = u32::from_le_bytes([a, b, c, d]) as usize;
        // Most of what can be wrong stands near the beginning.
        let within = if near % 4 == 0 { bytes.len() } else { 600 };
        let at = at % within.min(bytes.len());
        bytes[at] = byte;
    }
    match rest {
        [0, rest @ ..] => bytes.extend_from_slice(rest),
        [1, a, b, ..] => {
            let missing = usize::from(u16::from_le_bytes([*a, *b]));
            bytes.truncate(bytes.len().saturating_sub(missing));
        }
        _ => {}
    }
    bytes
}

/// A file is refused in clear words, or can be evaluated, written and read again.
fn check_net(bytes: &[u8]) {
    let file = match NetFile::from_bytes(bytes) {
        Ok(file) => file,
        Err(error) => return check_message(&error.to_string()),
    };
    let explanation = file.net.explain(&Board::start());
    let mut written = Vec::new();
    match &file.net {
        Net::Sfnn(net) => {
            let compression = file.compression.expect("it has one");
            let write = net.weights().write(compression, &mut written);
            write.expect("what was read is within bounds");
        }
        Net::Simple(net) => {
            let write = net.weights().write(&mut written);
            write.expect("what was read is within bounds");
        }
    }
    let again = NetFile::from_bytes(&written).expect("what was written");
    assert_eq!(again.net.explain(&Board::start()), explanation);
}
