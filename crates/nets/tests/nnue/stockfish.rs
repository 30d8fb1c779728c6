//! Compares with Stockfish 15.1: what it prints for its own net and for the nets made here
//! equals the values computed here.

use crate::judge::{Stockfish, TestFile, compare_all};
use crate::positions::quiet;
use chess::Board;
use nets::nnue::sfnn::{Compression, SfnnWeights};
use nets::nnue::{Net, NetFile, SfnnRanges, SfnnShape};

fn exported() -> (TestFile, Vec<u8>) {
    let file = TestFile::new("exported.nnue");
    let mut stockfish = Stockfish::start();
    stockfish.send(&format!("export_net {}", file.0.display()));
    stockfish
        .lines_until("Network saved successfully")
        .expect("it exports its net");
    let bytes = std::fs::read(&file.0).expect("the net");
    (file, bytes)
}

#[test]
#[ignore = "wants the Debian package stockfish; `make test` runs it"]
fn stockfish_agrees_on_its_own_net() {
    let (_file, bytes) = exported();
    assert_eq!(bytes.len(), 47_001_499);
    let (weights, compression) = SfnnWeights::read(&bytes).expect("its net");
    assert_eq!(compression, Compression::Raw);
    let mut again = Vec::new();
    weights
        .write(compression, &mut again)
        .expect("its net again");
    assert!(again == bytes, "it is not written as it was read");
    let file = NetFile::from_bytes(&bytes).expect("its net");
    assert_eq!(file.usual_name(), "nn-ad9b42354671.nnue");
    let compared = compare_all(&mut Stockfish::start(), &file.net, &quiet(2_000));
    assert_eq!(compared, 2_000 * 25);
}

fn random_net(ranges: SfnnRanges, adjust: impl Fn(&mut SfnnWeights)) -> (TestFile, Net) {
    let shape = SfnnShape::new(1024).expect("a width");
    let mut weights = SfnnWeights::zeros(shape).expect("memory");
    weights.fill_randomly(11, ranges);
    adjust(&mut weights);
    assert_eq!(weights.check_skip(), Ok(()));
    let mut bytes = Vec::new();
    weights
        .write(Compression::Raw, &mut bytes)
        .expect("within bounds");
    let file = TestFile::new(&format!("random-{}.nnue", ranges.psqt));
    std::fs::write(&file.0, &bytes).expect("written");
    let net = NetFile::from_bytes(&bytes).expect("a net").net;
    (file, net)
}

/// Tests weights up to the bounds; then weights with which one unit of any activation
/// changes the printed digits.
#[test]
#[ignore = "wants the Debian package stockfish; `make test` runs it"]
fn stockfish_agrees_on_our_nets() {
    let boards = quiet(400);
    let (file, extreme) = random_net(SfnnRanges::EXTREME, |_| {});
    let mut stockfish = Stockfish::start();
    stockfish.use_net(&file.0);
    compare_all(&mut stockfish, &extreme, &boards);

    let ranges = SfnnRanges {
        transformer: 100,
        psqt: 200_000,
        first: 6,
        ..SfnnRanges::EXTREME
    };
    let (file, visible) = random_net(ranges, |weights| {
        // A unit of an input then changes the output by at least one unit, and a unit of
        // the last inputs the value by four: more than a hundredth of a pawn.
        for stack in &mut weights.stacks {
            for layer in &mut stack.layers[1..] {
                for weight in layer.weights.iter_mut().filter(|weight| **weight != 0) {
                    *weight |= 64;
                }
            }
        }
    });
    stockfish.use_net(&file.0);
    compare_all(&mut stockfish, &visible, &boards);
}

/// Both refuse a hash with one wrong byte.
#[test]
#[ignore = "wants the Debian package stockfish; `make test` runs it"]
fn stockfish_refuses_what_we_refuse() {
    let (_file, bytes) = exported();
    let transformer = 12 + 75;
    let first_stack = 12 + 75 + 4 + 2 * 1024 + 45_056 * 1024 + 720_896;
    let last_stack = first_stack + 7 * (1256 + 16 * 1024);
    for at in [5, transformer, first_stack + 1, last_stack + 2] {
        let mut wrong = bytes.clone();
        wrong[at] ^= 0x01;
        assert!(NetFile::from_bytes(&wrong).is_err(), "byte {at}");
        let file = TestFile::new("wrong.nnue");
        std::fs::write(&file.0, &wrong).expect("written");
        let mut stockfish = Stockfish::start();
        stockfish.use_net(&file.0);
        assert_eq!(stockfish.evaluate(&Board::start()), None, "byte {at}");
    }
}
