//! ResNets and what they learn from, on the command line.

use crate::program::{folder, run_in, tabia};
use insta::assert_snapshot;
use nets::policy::resnet::{ResNetShape, ResNetWeights};
use std::fs;
use std::path::Path;

/// A net that knows nothing: all moves alike, all results alike.
fn written(path: &Path) {
    let shape = ResNetShape {
        channels: 4,
        blocks: 1,
        head_channels: 1,
        value_hidden: 2,
        ..ResNetShape::default()
    };
    let mut weights = ResNetWeights::new(shape);
    weights.description = "a net of the tests".to_owned();
    weights.provenance.seed = Some(3);
    fs::write(path, weights.to_bytes().expect("finite")).expect("written");
}

#[test]
fn a_resnet_tells_its_shape_and_its_opinion() {
    let folder = folder("resnet_info");
    written(&folder.join("a.tabianet"));
    assert_snapshot!(run_in(&folder, "net info a.tabianet"));
    let fen = "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1";
    assert_snapshot!(run_in(&folder, &format!("eval --model a.tabianet {fen}")));
    let output = tabia(&["eval", "--json", "--model", "a.tabianet", fen])
        .current_dir(&folder)
        .output()
        .expect("the program runs");
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(report["priors"].as_object().map(|it| it.len()), Some(16));
    let told = run_in(&folder, "net hash a.tabianet");
    assert!(told.contains("rn-") && told.contains(".tabianet"), "{told}");
}

#[test]
fn a_resnet_goes_to_other_programs_and_back() {
    let folder = folder("resnet_convert");
    written(&folder.join("a.tabianet"));
    for command in [
        "net convert a.tabianet -o a.safetensors",
        "net convert a.safetensors -o b.tabianet",
        "net convert a.tabianet -o a.onnx",
    ] {
        let told = run_in(&folder, command);
        assert!(told.starts_with("exit 0"), "{told}");
    }
    let bytes = |name: &str| fs::read(folder.join(name)).expect("a file");
    assert!(bytes("a.tabianet") == bytes("b.tabianet"));
    assert!(bytes("a.onnx").len() > 200_000);
    fs::write(folder.join("broken.safetensors"), b"not tensors").expect("written");
    assert_snapshot!(run_in(
        &folder,
        "net convert broken.safetensors -o c.tabianet"
    ));
    fs::write(
        folder.join("broken.tabianet"),
        &bytes("a.tabianet")[..5_000],
    )
    .expect("written");
    assert_snapshot!(run_in(
        &folder,
        "eval --model broken.tabianet 4k3/8/8/8/8/8/8/R3K3 w - - 0 1"
    ));
}

#[test]
fn positions_become_shards_and_arrays() {
    let folder = folder("resnet_data");
    let plain = "fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\nmove e2e4\nscore 20\nply 0\nresult 1\ne\n\
                 fen rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\nmove c7c5\nscore -20\nply 1\nresult -1\ne\n";
    fs::write(folder.join("a.plain"), plain).expect("written");
    assert_snapshot!(run_in(&folder, "data convert a.plain -o a.policy"));
    for command in [
        "data convert a.policy -o a.npz",
        "data convert a.npz -o b.policy",
        "data convert b.policy -o b.npz",
        "data convert a.plain -o c.npz",
    ] {
        let told = run_in(&folder, command);
        assert!(told.starts_with("exit 0"), "{told}");
    }
    let bytes = |name: &str| fs::read(folder.join(name)).expect("a file");
    assert!(bytes("a.npz") == bytes("b.npz") && bytes("a.npz") == bytes("c.npz"));
    assert_snapshot!(run_in(&folder, "data convert a.policy -o a.binpack"));
    fs::write(folder.join("torn.policy"), &bytes("a.policy")[..100]).expect("written");
    assert_snapshot!(run_in(&folder, "data convert torn.policy -o d.npz"));
}
