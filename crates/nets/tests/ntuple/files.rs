//! Files of n-tuple networks: written, read back, refused if invalid.

use crate::{named, published};
use chess::Board;
use nets::classical::{FEATURES, Groups};
use nets::nnue::Random;
use nets::ntuple::{LARGEST_WEIGHT, NTupleError, NTupleWeights, Tuple};
use nets::{Model, ModelKind, Provenance};

const CHECKSUM: usize = 32;
const PREFIX: usize = 20;

/// A small network with something in every field.
fn example() -> NTupleWeights {
    let mut weights = named(&["Nq", "K"], 3, 100);
    weights.linear.set(3, -17, 44);
    weights.groups = Groups::LINEAR;
    weights.endgame_functions = false;
    weights.description = "for a test".to_owned();
    weights.provenance = Provenance {
        run: Some("test".to_owned()),
        seed: Some(3),
        ..Provenance::default()
    };
    weights
}

fn bytes_of(weights: &NTupleWeights) -> Vec<u8> {
    weights.to_bytes().expect("within bounds")
}

fn complaint(bytes: &[u8]) -> String {
    match Model::from_bytes(bytes) {
        Ok(_) => "none".to_owned(),
        Err(error) => error.to_string(),
    }
}

/// The bytes with a checksum that fits.
fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    let end = bytes.len() - CHECKSUM;
    let checksum = blake3::hash(&bytes[..end]);
    bytes[end..].copy_from_slice(checksum.as_bytes());
    bytes
}

/// The file with another header.
fn with_header(change: impl Fn(String) -> String) -> Vec<u8> {
    let bytes = bytes_of(&example());
    let length = u32::from_le_bytes(bytes[12..16].try_into().expect("four bytes")) as usize;
    let header = String::from_utf8(bytes[PREFIX..PREFIX + length].to_vec()).expect("a text");
    let header = change(header);
    let mut changed = bytes[..PREFIX].to_vec();
    changed[12..16].copy_from_slice(&(header.len() as u32).to_le_bytes());
    changed.extend_from_slice(header.as_bytes());
    changed.extend_from_slice(&bytes[PREFIX + length..]);
    sealed(changed)
}

#[test]
fn what_is_written_is_read_back() {
    let weights = example();
    let bytes = bytes_of(&weights);
    let read = NTupleWeights::read(&bytes).expect("a network");
    assert_eq!(read.tables(), weights.tables());
    for index in 0..FEATURES {
        assert_eq!(read.linear.get(index), weights.linear.get(index));
    }
    assert_eq!(read.linear.get(3), (-17, 44));
    assert_eq!(read.groups, weights.groups);
    assert!(!read.endgame_functions);
    assert_eq!(read.description, "for a test");
    assert_eq!(read.provenance, weights.provenance);
    assert_eq!(bytes_of(&read), bytes);
}

#[test]
fn a_file_is_a_model() {
    let bytes = bytes_of(&published(1, 9));
    let model = Model::from_bytes(&bytes).expect("a model");
    assert_eq!(model.kind(), ModelKind::NTuple);
    assert_eq!(model.kind().to_string(), "ntuple");
    assert_eq!(model.extension(), "ntuple");
    assert_eq!(model.name(), format!("nt-{}.ntuple", &model.hash()[..12]));
    assert_eq!(model.size(), bytes.len() as u64);
    assert_eq!(model.provenance(), Some(&Provenance::default()));
    assert_eq!(
        model.description(),
        "n-tuple network, 72 tuples, 145152 places"
    );
    assert!(
        model
            .explain(&Board::start())
            .contains("combinations of men")
    );
    assert_eq!(model, Model::from_bytes(&bytes).expect("a model"));
    let other = Model::from_bytes(&bytes_of(&published(2, 9))).expect("a model");
    assert_ne!(model, other);
}

#[test]
fn broken_files_are_refused() {
    let good = bytes_of(&example());
    let length = good.len();
    let mut newer = good.clone();
    newer[8] = 2;
    let complaints = [
        (
            newer,
            "the n-tuple network has version 2, but this program reads 1".to_owned(),
        ),
        (
            good[..10].to_vec(),
            "the file ends within the beginning: at byte 8 4 more bytes are needed, 2 are left"
                .to_owned(),
        ),
        (
            [&good[..], b"xy"].concat(),
            format!("the n-tuple network ends at byte {length}, but the file has 2 more"),
        ),
    ];
    for (bytes, words) in complaints {
        assert_eq!(complaint(&bytes), words);
    }
    let mut damaged = good.clone();
    damaged[length - 100] ^= 1;
    assert_eq!(
        complaint(&damaged),
        "the checksum is wrong: the file is damaged"
    );
    for end in (8..length).step_by(37).chain([length - 1]) {
        let words = complaint(&good[..end]);
        assert!(words.starts_with("the file ends within "), "{end}: {words}");
    }
}

#[test]
fn wrong_headers_are_refused() {
    for (from, to, words) in [
        (
            "\"Nq\"",
            "\"nq\"",
            "the header at byte 20: \"nq\" is not a tuple: expected 1 to 3 of",
        ),
        (
            "pieces",
            "pieced",
            "the header at byte 20: no group of terms is named",
        ),
        (
            "description",
            "descriptions",
            "the header at byte 20: unknown field",
        ),
        ("{", "[", "the header at byte 20: "),
        ("\"K\"", "\"K\",\"P\"", "the file ends within the tables: "),
    ] {
        let found = complaint(&with_header(|header| header.replacen(from, to, 1)));
        assert!(found.starts_with(words), "{found}");
        assert!(!found.contains('\n'), "{found}");
    }
    let tuples = vec!["Nq".parse::<Tuple>().expect("a tuple"); 2];
    let error = NTupleWeights::zeros(tuples).expect_err("twice");
    assert_eq!(error.to_string(), "the tuple Nq has two tables");
}

#[test]
fn weights_that_are_too_large_are_refused() {
    let mut weights = example();
    weights.tables_mut()[0].weights_mut()[1][1] = -LARGEST_WEIGHT - 1;
    let name = "Nq.a1.c1".to_owned();
    let expected = NTupleError::OutOfRange { name, value: -512 };
    assert_eq!(weights.to_bytes(), Err(expected.clone()));
    assert_eq!(
        expected.to_string(),
        "Nq.a1.c1: -512 is out of range; weights must be from -511 to 511"
    );
    let mut bytes = bytes_of(&example());
    // The table of K is the last one, so its last weight precedes the checksum.
    let end = bytes.len() - CHECKSUM;
    bytes[end - 2..end].copy_from_slice(&i16::MIN.to_le_bytes());
    assert_eq!(
        complaint(&sealed(bytes)),
        "K.d8: -32768 is out of range; weights must be from -511 to 511"
    );
}

#[test]
fn no_bytes_break_the_reader() {
    let good = bytes_of(&example());
    let mut random = Random::new(11);
    let mut accepted = 0;
    for round in 0..3_000 {
        let mut bytes = good.clone();
        // Mostly near the beginning, which has the structure.
        let reach = [64, 700, bytes.len()][round % 3];
        for _ in 0..=random.number() % 4 {
            let place = (random.number() % reach as u64) as usize;
            bytes[place] = random.number() as u8;
        }
        let bytes = if round % 2 == 0 { sealed(bytes) } else { bytes };
        if let Ok(weights) = NTupleWeights::read(&bytes) {
            accepted += 1;
            let again = NTupleWeights::read(&bytes_of(&weights)).expect("a network");
            assert_eq!(again.tables(), weights.tables());
        } else {
            assert!(!complaint(&bytes).contains('\n'));
        }
    }
    // Changes of free text and small changes of weights are valid.
    assert!(accepted > 10, "{accepted}");
}

#[test]
fn the_text_has_every_weight_that_is_not_zero() {
    let mut weights = named(&["Nq", "K"], 0, 0);
    weights.tables_mut()[0].weights_mut()[0] = [3, -4];
    weights.tables_mut()[1].weights_mut()[31] = [0, 5];
    let text = weights.to_text();
    let tables = text.split_once("# groups: ").expect("the groups").1;
    assert_eq!(
        tables,
        "piece-squares, pieces, threats, pawns, imbalance, king, passed, space, initiative\n\
         # endgame functions: on\n\
         # tuple Nq, 2016 places\n\
         Nq.a1.b1 = [3, -4]\n\
         # tuple K, 32 places\n\
         K.d8 = [0, 5]\n"
    );
    assert!(text.contains("pieces.bishop-pair = ["));
}
