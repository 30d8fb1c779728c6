//! Tabia's own files: written and read back unchanged, refused if invalid.

use nets::Provenance;
use nets::nnue::simple::SimpleWeights;
use nets::nnue::{Activation, Inputs, Net, NetFile, SimpleScales, SimpleShape};

fn net() -> SimpleWeights {
    scaled(SimpleScales::default(), 900)
}

/// A net with output weights up to `output`.
fn scaled(scales: SimpleScales, output: i32) -> SimpleWeights {
    let shape = SimpleShape {
        inputs: Inputs::piece_square([0; 64], true).expect("one bucket"),
        hidden: 32,
        activation: Activation::Screlu,
        output_buckets: 2,
        scales,
    };
    let mut weights = SimpleWeights::zeros(shape).expect("memory");
    weights.fill_randomly(3, 900, output);
    weights.description = "tests".to_owned();
    weights.provenance = Provenance {
        run: Some("first".to_owned()),
        seed: Some(7),
        data: Some("abc".to_owned()),
        parent: None,
    };
    weights
}

fn written(weights: &SimpleWeights) -> Vec<u8> {
    let mut bytes = Vec::new();
    weights.write(&mut bytes).expect("within bounds");
    bytes
}

fn refusal(bytes: &[u8]) -> String {
    match NetFile::from_bytes(bytes) {
        Ok(_) => panic!("it was accepted"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn everything_reads_back() {
    let weights = net();
    let bytes = written(&weights);
    let again = SimpleWeights::read(&bytes).expect("what was written");
    assert_eq!(again.shape(), weights.shape());
    assert_eq!(again.provenance, weights.provenance);
    assert_eq!(again.description, weights.description);
    assert_eq!(
        &again.transformer.weights[..],
        &weights.transformer.weights[..]
    );
    assert_eq!(again.output_weights, weights.output_weights);
    assert_eq!(written(&again), bytes);
    let file = NetFile::from_bytes(&bytes).expect("a net");
    assert!(matches!(file.net, Net::Simple(_)));
    assert_eq!(
        file.net.to_string(),
        "768 mirrored, 2 x 32 screlu, 2 buckets"
    );
    assert_eq!(
        file.usual_name(),
        format!("nn-{}.tabianet", &file.hash()[..12])
    );
}

#[test]
fn every_damage_is_found() {
    let bytes = written(&net());
    for at in (0..bytes.len()).step_by(997).chain(0..40) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x10;
        refusal(&damaged);
    }
    for length in [0, 7, 8, 15, 16, 100, 5_000, bytes.len() - 1] {
        let error = refusal(&bytes[..length]);
        assert!(
            error.contains("ends within") || error.contains("not a net"),
            "{error}"
        );
    }
    let mut longer = bytes.clone();
    longer.push(0);
    assert!(refusal(&longer).contains("the file has 1 more"));
    let mut damaged = bytes.clone();
    let middle = bytes.len() / 2;
    damaged[middle] ^= 1;
    assert_eq!(
        refusal(&damaged),
        "the checksum is wrong: the file is damaged"
    );
}

/// Files with 8 bits do not say so, like files from before there was a choice; their weights
/// take a byte each.
#[test]
fn output_weights_have_8_or_16_bits() {
    let [narrow, wide] = [
        scaled(SimpleScales::EIGHT_BITS, 127),
        scaled(SimpleScales::default(), 32_767),
    ];
    for weights in [&narrow, &wide] {
        let again = SimpleWeights::read(&written(weights)).expect("what was written");
        assert_eq!(again.output_weights, weights.output_weights);
        assert_eq!(again.shape(), weights.shape());
    }
    let header = |weights: &SimpleWeights| {
        String::from_utf8_lossy(&written(weights)[16..1000]).contains("\"output_bits\":16")
    };
    assert_eq!([header(&narrow), header(&wide)], [false, true]);
    assert!(wide.output_weights.iter().any(|weight| weight.abs() > 127));
    let extra = "\"output_bits\":16,".len() - "64".len() + "1024".len();
    let numbers = written(&wide).len() - written(&narrow).len();
    assert_eq!(numbers, narrow.output_weights.len() + extra);
}

/// A header that claims large sizes is refused before memory is allocated.
#[test]
fn headers_are_checked() {
    let bytes = written(&net());
    let length = u32::from_le_bytes(bytes[12..16].try_into().expect("four bytes")) as usize;
    let header = std::str::from_utf8(&bytes[16..16 + length]).expect("JSON");
    for (from, to, words) in [
        (
            "\"hidden\":32",
            "\"hidden\":8192",
            "ends within the weights",
        ),
        ("\"hidden\":32", "\"hidden\":33", "multiple of 32"),
        (
            "\"hidden\":32",
            "\"hidden\":18446744073709551615",
            "multiple of 32",
        ),
        ("\"output_buckets\":2", "\"output_buckets\":9", "1 to 8"),
        ("\"one\":181", "\"one\":182", "from 1 to 181"),
        ("\"seed\":7", "\"sead\":7", "unknown field"),
        ("screlu", "relu", "unknown variant"),
        ("[0,", "[", "64 numbers"),
        ("[0,", "[9,", "no square has the king bucket"),
    ] {
        let changed = header.replacen(from, to, 1);
        let changed = if to == "[9," {
            changed.replace("true", "false")
        } else {
            changed
        };
        assert_ne!(changed, header);
        let mut damaged = bytes[..12].to_vec();
        damaged.extend_from_slice(&(changed.len() as u32).to_le_bytes());
        damaged.extend_from_slice(changed.as_bytes());
        damaged.extend_from_slice(&bytes[16 + length..]);
        let error = refusal(&damaged);
        assert!(error.contains(words), "{to}: {error}");
    }
    let mut damaged = bytes.clone();
    damaged[12..16].copy_from_slice(&u32::MAX.to_le_bytes());
    assert!(refusal(&damaged).contains("more than the maximum of 65536"));
    let mut damaged = bytes;
    damaged[8] = 2;
    assert!(refusal(&damaged).contains("version 0x00000002"));
}
