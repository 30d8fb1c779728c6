//! Files of fast nets: written and read back unchanged, refused if invalid; and the outputs of
//! nets through the interface for tree searches.

use chess::{Board, Line};
use nets::nnue::{Activation, Inputs, SimpleScales, SimpleShape};
use nets::policy::sparse::PolicyShape;
use nets::policy::{PolicyWeights, Wanted};
use nets::{Model, ModelKind, Provenance};

fn weights() -> PolicyWeights {
    let shape = PolicyShape {
        hidden: 128,
        value: SimpleShape {
            inputs: Inputs::piece_square([0; 64], true).expect("one bucket"),
            hidden: 32,
            activation: Activation::Screlu,
            output_buckets: 6,
            scales: SimpleScales::default(),
        },
    };
    let mut weights = PolicyWeights::zeros(shape).expect("memory");
    weights.fill_randomly(3);
    weights.description = "tests".to_owned();
    weights.provenance = Provenance {
        run: None,
        seed: Some(7),
        data: Some("abc".to_owned()),
        parent: None,
    };
    weights
}

fn written() -> Vec<u8> {
    weights().to_bytes().expect("within bounds")
}

/// The same file with another header of the same length and a correct checksum.
fn with_header(change: impl Fn(String) -> String) -> Vec<u8> {
    let mut bytes = written();
    let length = u32::from_le_bytes(bytes[12..16].try_into().expect("four bytes")) as usize;
    let header = String::from_utf8(bytes[16..16 + length].to_vec()).expect("JSON");
    let header = change(header);
    bytes.splice(16..16 + length, header.bytes());
    bytes[12..16].copy_from_slice(&(header.len() as u32).to_le_bytes());
    let end = bytes.len() - 32;
    let checksum = blake3::hash(&bytes[..end]);
    bytes[end..].copy_from_slice(checksum.as_bytes());
    bytes
}

fn refusal(bytes: &[u8]) -> String {
    match Model::from_bytes(bytes) {
        Ok(_) => panic!("it was accepted"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn everything_reads_back() {
    let (weights, bytes) = (weights(), written());
    let again = PolicyWeights::read(&bytes).expect("what was written");
    assert_eq!(again.shape(), weights.shape());
    assert_eq!(again.description, weights.description);
    assert_eq!(again.provenance, weights.provenance);
    assert_eq!(again.policy.inputs[..], weights.policy.inputs[..]);
    assert_eq!(again.policy.moves[..], weights.policy.moves[..]);
    assert_eq!(again.value.output_weights, weights.value.output_weights);
    assert_eq!(again.to_bytes().expect("within bounds"), bytes);

    let model = Model::from_bytes(&bytes).expect("a net");
    assert_eq!(model.kind(), ModelKind::Policy);
    assert_eq!(model.name(), format!("pv-{}.tabianet", &model.hash()[..12]));
    assert_eq!(model.size(), bytes.len() as u64);
    assert_eq!(model.provenance(), Some(&weights.provenance));
    assert!(
        model.description().starts_with(
            "policy 3072, 128 pairwise, 7752 rows; value 768 mirrored, 2 x 32 screlu, \
             win-draw-loss, 2 buckets"
        ),
        "{}",
        model.description()
    );
}

#[test]
fn every_damage_is_found() {
    let bytes = written();
    for at in (0..bytes.len()).step_by(9_973).chain(0..40) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x10;
        refusal(&damaged);
    }
    for length in (0..bytes.len()).step_by(9_973).chain(0..40) {
        refusal(&bytes[..length]);
    }
    let longer = [&bytes[..], &[0]].concat();
    assert!(refusal(&longer).ends_with("but the file has 1 more"));
    let mut newer = bytes.clone();
    newer[8] = 2;
    assert_eq!(
        refusal(&newer),
        "Tabia's policy net has version 0x00000002, but this program reads 0x00000001"
    );
}

#[test]
fn headers_are_checked() {
    let told = |from: &str, to: &str| refusal(&with_header(|header| header.replace(from, to)));
    let place = "the header at byte 16: ";
    assert_eq!(
        told("\"rows\":7752", "\"rows\":7000"),
        format!(
            "{place}a policy of 3072 inputs and 7000 rows, but this program supports 3072 and 7752"
        )
    );
    assert_eq!(
        told("\"hidden\":128", "\"hidden\":100"),
        format!("{place}100 hidden values of the policy: must be a multiple of 128, at most 2048")
    );
    assert_eq!(
        told("\"output_buckets\":6", "\"output_buckets\":7"),
        format!("{place}the value: 7 outputs: must be three for each of 1 to 8 buckets")
    );
    assert!(
        told("\"hidden\":128", "\"hidden\":2048").starts_with("the file ends within the weights")
    );
    assert!(told("description", "describtion").starts_with(place));
}

#[test]
fn weights_that_could_overflow_are_refused() {
    let mut large = weights();
    large.policy.inputs[128 * 77 + 5] = 1_100;
    let words = large.to_bytes().expect_err("beyond 16 bits").to_string();
    let expected = "value 5 of the policy's first layer can reach";
    assert!(
        words.starts_with(expected) && words.ends_with("weight 1100 of input 77"),
        "{words}"
    );
    let mut large = weights();
    large.policy.move_biases[9] = i32::MAX;
    let words = large.to_bytes().expect_err("beyond 31 bits").to_string();
    assert!(words.starts_with("output 9 of moves"), "{words}");
}

#[test]
fn a_search_gets_chances_and_logits() {
    let model = Model::from_bytes(&written()).expect("a net");
    let mut net = model.policy_value();
    let mut line = Line::new(Board::start());
    let moves = line.board().legal_moves();
    net.put(&line, Wanted::Both(&moves));
    net.run();
    let (chances, logits) = (net.chances(0), net.logits(0).to_vec());
    assert_eq!(logits.len(), 20);
    // The same position again, after another one.
    line.push(moves[3]);
    net.put(&line, Wanted::Value);
    net.run();
    assert_ne!(net.chances(0), chances);
    line.pop();
    net.put(&line, Wanted::Both(&moves));
    net.run();
    assert_eq!((net.chances(0), net.logits(0)), (chances, &logits[..]));
}

#[test]
fn a_position_is_explained() {
    let model = Model::from_bytes(&written()).expect("a net");
    let text = model.explain(&Board::start());
    assert!(text.starts_with("value for the side to move  "), "{text}");
    assert_eq!(text.lines().count(), 21);
    // Without a legal move there are no priors.
    let mate = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3";
    let text = model.explain(&Board::from_fen(mate).expect("a position"));
    assert_eq!(text.lines().count(), 1, "{text}");
}
