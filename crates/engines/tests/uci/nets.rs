//! Nets and weights through the option EvalFile.

use crate::client::Client;
use nets::nnue::sfnn::{Compression, SfnnWeights};
use nets::nnue::{SfnnRanges, SfnnShape};
use nets::ntuple::{NTupleWeights, Tuple};
use std::path::PathBuf;

/// The file of a random net.
fn net(name: &str, seed: u64) -> PathBuf {
    let shape = SfnnShape::new(128).expect("a width");
    let mut weights = SfnnWeights::zeros(shape).expect("memory");
    weights.fill_randomly(seed, SfnnRanges::USUAL);
    let mut bytes = Vec::new();
    weights
        .write(Compression::Leb128, &mut bytes)
        .expect("within bounds");
    let path = std::env::temp_dir().join(format!("tabia-uci-{}-{name}.nnue", std::process::id()));
    std::fs::write(&path, bytes).expect("written");
    path
}

fn set(client: &mut Client, value: &str) -> String {
    client.send(&format!("setoption name EvalFile value {value}"));
    let lines = client.receive_until("info string");
    lines.last().expect("a line").clone()
}

/// The move and the nodes of a search.
fn search(client: &mut Client) -> Vec<String> {
    client.send("ucinewgame");
    client.send("position startpos moves e2e4 c7c5");
    client.send("go depth 6");
    let lines = client.receive_until("bestmove");
    let counts = lines.iter().map(|line| match line.split_once(" nodes ") {
        Some((_, rest)) => rest.split(' ').next().unwrap_or_default().to_owned(),
        None => line.clone(),
    });
    counts.collect()
}

#[test]
fn a_net_is_loaded_and_a_wrong_one_changes_nothing() {
    let (first, second) = (net("first", 1), net("second", 2));
    let mut client = Client::start();
    let classical = search(&mut client);
    let told = set(&mut client, &first.display().to_string());
    assert!(
        told.starts_with("info string model is nn-") && told.contains("2 x 128"),
        "{told}"
    );
    let with_first = search(&mut client);
    assert_ne!(with_first, classical);

    // Neither a missing file nor a damaged one.
    let told = set(&mut client, "/nowhere/a net.nnue");
    assert!(
        told.starts_with("info string EvalFile /nowhere/a net.nnue: No such file")
            && told.contains("nnue is kept"),
        "{told}"
    );
    let mut bytes = std::fs::read(&second).expect("the net");
    bytes[4] ^= 1;
    std::fs::write(&second, &bytes).expect("written");
    let told = set(&mut client, &second.display().to_string());
    assert!(
        told.contains("belongs to no known shape") && told.contains("is kept"),
        "{told}"
    );
    assert_eq!(search(&mut client), with_first);
    // A file that was mended is read when it is named again, not before.
    bytes[4] ^= 1;
    std::fs::write(&second, &bytes).expect("written");
    client.send("setoption name Hash value 2");
    assert_eq!(search(&mut client), with_first);
    let told = set(&mut client, &second.display().to_string());
    assert!(told.starts_with("info string model is nn-"), "{told}");

    for name in ["<empty>", &first.display().to_string(), "classical"] {
        let told = set(&mut client, name);
        let is_classical = told.starts_with("info string model is classical");
        assert_eq!(is_classical, search(&mut client) == classical, "{told}");
        assert_eq!(is_classical, !name.ends_with("nnue"), "{told}");
    }
    client.send("quit");
    for path in [first, second] {
        let _ = std::fs::remove_file(path);
    }
}

/// What was set before is in force for what is asked after, even by a client that
/// does not wait.
#[test]
fn an_explanation_is_of_the_net_that_was_set_before() {
    let path = net("explained", 3);
    let mut client = Client::start();
    client.send(&format!("setoption name EvalFile value {}", path.display()));
    client.send("eval");
    client.send("eval");
    client.send("quit");
    for _ in 0..2 {
        let lines = client.receive_until("for the search");
        assert!(
            lines.iter().any(|line| line.contains("<- counts")),
            "{lines:?}"
        );
    }
    let _ = std::fs::remove_file(path);
}

#[test]
fn weights_of_the_hand_written_evaluation_are_loaded() {
    let path = std::env::temp_dir().join(format!("tabia-uci-{}.weights", std::process::id()));
    let mut client = Client::start();
    let usual = search(&mut client);

    // The usual weights by another name are the same evaluation.
    std::fs::write(&path, nets::classical::Weights::default().write()).expect("written");
    let told = set(&mut client, &path.display().to_string());
    assert!(
        told.starts_with("info string model is classical: the hand-written evaluation"),
        "{told}"
    );
    assert_eq!(search(&mut client), usual);

    set(&mut client, "<empty>");
    std::fs::write(&path, "piece-squares.material.knight = [90, 90]\n").expect("written");
    set(&mut client, &path.display().to_string());
    assert_ne!(search(&mut client), usual);

    set(&mut client, "<empty>");
    std::fs::write(&path, "pieces.bishop = [90, 90]\n").expect("written");
    let told = set(&mut client, &path.display().to_string());
    assert!(
        told.contains("line 1: there is no weight 'pieces.bishop'; did you mean")
            && told.ends_with("classical is kept"),
        "{told}"
    );
    std::fs::remove_file(path).expect("removed");
}

#[test]
fn an_n_tuple_network_is_loaded() {
    let path = std::env::temp_dir().join(format!("tabia-uci-{}.ntuple", std::process::id()));
    let mut weights = NTupleWeights::zeros(Tuple::published()).expect("different tuples");
    let mut client = Client::start();
    let classical = search(&mut client);

    // Tables of zeros add nothing: the same nodes are searched.
    std::fs::write(&path, weights.to_bytes().expect("within bounds")).expect("written");
    let told = set(&mut client, &path.display().to_string());
    assert!(
        told.starts_with("info string model is nt-") && told.contains("72 tuples, 145152 places"),
        "{told}"
    );
    assert_eq!(search(&mut client), classical);

    set(&mut client, "<empty>");
    weights.fill_randomly(1, 20);
    let mut bytes = weights.to_bytes().expect("within bounds");
    std::fs::write(&path, &bytes).expect("written");
    set(&mut client, &path.display().to_string());
    let random = search(&mut client);
    assert_ne!(random, classical);

    set(&mut client, "<empty>");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&path, &bytes).expect("written");
    let told = set(&mut client, &path.display().to_string());
    assert!(
        told.ends_with("the checksum is wrong: the file is damaged; classical is kept"),
        "{told}"
    );
    client.send("quit");
    std::fs::remove_file(path).expect("removed");
}
