//! N-tuple networks on the command line.

use crate::program::{folder, run_in, tabia};
use insta::assert_snapshot;
use nets::ntuple::{NTupleWeights, Tuple};
use std::fs;
use std::path::Path;

const FEN: &str = "4k3/4p3/8/8/8/5N2/4P3/R3K3 w Q - 0 1";

/// A network of three tables with four weights that are not 0.
fn network() -> NTupleWeights {
    let tuples: Vec<Tuple> = ["K", "NP", "Rk"]
        .map(|name| name.parse().expect("a tuple"))
        .to_vec();
    let mut weights = NTupleWeights::zeros(tuples).expect("all differ");
    weights.description = "a network of the tests".to_owned();
    let mut set = |table: usize, squares: &[chess::Square], weight| {
        weights.tables_mut()[table].weights_mut()[Tuple::place(squares)] = weight;
    };
    let square = |name: &str| name.parse().expect("a square");
    set(0, &[square("e1")], [9, -20]);
    set(1, &[square("f3"), square("e2")], [31, 5]);
    set(2, &[square("a1"), square("e8")], [-7, 12]);
    set(2, &[square("b1"), square("e8")], [100, 200]);
    weights
}

fn written(path: &Path) {
    fs::write(path, network().to_bytes().expect("within bounds")).expect("written");
}

#[test]
fn a_network_tells_its_tables_and_its_largest_weights() {
    let folder = folder("ntuple_info");
    written(&folder.join("a.ntuple"));
    let told = run_in(&folder, "net info a.ntuple");
    // Name, hash and size change with the weights of the program.
    let (_, told) = told.split_once("description").expect("a description");
    assert_snapshot!(told);
    let output = tabia(&["net", "info", "--json", "a.ntuple"])
        .current_dir(&folder)
        .output()
        .expect("the program runs");
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(report["places"], 32 + 2 * 32 * 63);
    assert_eq!(
        (&report["used"], &report["saturated"]),
        (&4.into(), &0.into())
    );
    assert_eq!(report["strongest"][0]["place"], "Rk.b1.e8");
    assert_eq!(report["strongest"][0]["endgame"], 200);
}

#[test]
fn the_pairs_that_count_most_are_named() {
    let folder = folder("ntuple_eval");
    written(&folder.join("a.ntuple"));
    assert_snapshot!(run_in(&folder, &format!("eval --model a.ntuple {FEN}")));
    let output = tabia(&["eval", "--json", "--model", "a.ntuple", FEN])
        .current_dir(&folder)
        .output()
        .expect("the program runs");
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let men: Vec<_> = report["combinations"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|combination| combination["men"].to_string())
        .collect();
    // The black king stands as the white one does, so that both cancel out: each is
    // named alone.
    let expected = [
        r#"["Ke1"]"#,
        r#"["ke8"]"#,
        r#"["Ra1","ke8"]"#,
        r#"["Pe2","Nf3"]"#,
    ];
    assert_eq!(men, expected);
}

#[test]
fn a_network_is_written_as_text() {
    let folder = folder("ntuple_text");
    written(&folder.join("a.ntuple"));
    let told = run_in(&folder, "net convert a.ntuple -o a.txt");
    assert!(told.starts_with("exit 0"), "{told}");
    let text = fs::read_to_string(folder.join("a.txt")).expect("a text");
    for line in [
        "K.d1 = [9, -20]",
        "NP.c3.d2 = [31, 5]",
        "Rk.a1.e8 = [-7, 12]",
        "# groups: piece-squares, pieces, threats, pawns, imbalance, king, passed, space, initiative",
    ] {
        assert!(text.lines().any(|found| found == line), "{line}");
    }
    let described = run_in(
        &folder,
        "net convert a.ntuple -o b.ntuple --description other",
    );
    assert!(described.starts_with("exit 0"), "{described}");
    assert!(run_in(&folder, "net info b.ntuple").contains("description  other\n"));
    for refused in [
        "net convert a.ntuple -o a.nnue",
        "net convert a.ntuple -o b --store raw",
    ] {
        let told = run_in(&folder, refused);
        assert!(told.starts_with("exit 2"), "{told}");
    }
    assert!(!folder.join("a.nnue").exists() && !folder.join("b").exists());
}

#[test]
fn broken_networks_are_refused_in_one_line() {
    let folder = folder("ntuple_broken");
    let bytes = network().to_bytes().expect("within bounds");
    let mut damaged = bytes.clone();
    let middle = bytes.len() / 2;
    damaged[middle] ^= 1;
    let mut newer = bytes.clone();
    newer[8] = 9;
    let mut longer = bytes.clone();
    longer.push(0);
    let mut all = String::new();
    for (name, bytes) in [
        ("short.ntuple", &bytes[..bytes.len() - 7]),
        ("damaged.ntuple", &damaged[..]),
        ("newer.ntuple", &newer[..]),
        ("longer.ntuple", &longer[..]),
    ] {
        fs::write(folder.join(name), bytes).expect("written");
        all += &run_in(&folder, &format!("net info {name}"));
    }
    assert_snapshot!(all);
}
