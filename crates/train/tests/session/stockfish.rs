//! Trained nets in Stockfish.

#[path = "../../../nets/tests/nnue/judge.rs"]
#[allow(dead_code)]
mod judge;
#[path = "../../../nets/tests/nnue/positions.rs"]
#[allow(dead_code)]
mod positions;

use crate::made::{folder_with_data, settings};
use judge::{Stockfish, TestFile, compare_all};
use nets::nnue::NetFile;
use nets::nnue::sfnn::Compression;
use train::Training;
use train::nnue::{Exported, Session};

/// A few steps, so that no weight is what chance made it.
#[test]
#[ignore = "wants the Debian package stockfish; `make test` runs it"]
fn stockfish_agrees_on_a_trained_net() {
    let (_folder, data) = folder_with_data();
    let shape = "[net]\nshape = \"sfnn\"\nhidden = 1024\nfactored = true\nshared = true\n";
    let mut session = Session::begin(settings(data, shape), 1).expect("a session");
    for _ in 0..12 {
        session.step().expect("a step");
    }
    let Exported::Sfnn(weights) = session.export().expect("a net") else {
        panic!("another shape was asked for");
    };
    let mut bytes = Vec::new();
    weights
        .write(Compression::Raw, &mut bytes)
        .expect("within bounds");
    let file = TestFile::new("trained.nnue");
    std::fs::write(&file.0, &bytes).expect("written");
    let net = NetFile::from_bytes(&bytes).expect("a net").net;
    let check = session.check_export(&net);
    assert!(check.mean < 8.0, "{check:?}");
    let mut stockfish = Stockfish::start();
    stockfish.use_net(&file.0);
    let compared = compare_all(&mut stockfish, &net, &positions::quiet(200));
    assert_eq!(compared, 200 * 25);
}
