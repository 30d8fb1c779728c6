//! ResNets as ONNX: onnxruntime computes the same results as the inference here.

use chess::{Board, Line};
use nets::policy::resnet::{PolicyKind, ResNetBatch, ResNetShape, ResNetWeights};
use nets::policy::resnet::{TensorKind, ValueKind};
use nets::policy::{MoveIndex, Planes, PolicyValue, Scene, View, Wanted};
use serde_json::{Value, json};
use std::path::Path;
use std::process::Command;

const POSITIONS: [&str; 5] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq c6 0 2",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 3 9",
    "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 40 60",
];

/// Reproducible weights whose batch norms are not the identity.
fn weights(shape: &ResNetShape) -> ResNetWeights {
    let mut weights = ResNetWeights::initialised(shape.clone(), 5);
    for (tensor, values) in shape.tensors().iter().zip(weights.tensors_mut()) {
        for (place, value) in values.iter_mut().enumerate() {
            let unit = (place * 37 % 101) as f32 / 101.0;
            match tensor.kind {
                TensorKind::Gain => *value = 0.8 + 0.4 * unit,
                TensorKind::Variance => *value = 0.5 + unit,
                TensorKind::Mean | TensorKind::Offset | TensorKind::Bias => *value = unit - 0.5,
                TensorKind::Convolution | TensorKind::Linear => {}
            }
        }
    }
    weights
}

/// The outputs of the inference here for the positions, with their input planes.
fn expected(weights: &ResNetWeights) -> Value {
    let shape = weights.shape();
    let lines = POSITIONS.map(|fen| Line::new(Board::from_fen(fen).expect(fen)));
    let mut batch = ResNetBatch::of(weights);
    let mut planes = Vec::new();
    for line in &lines {
        batch.put(line, Wanted::Both(&line.board().legal_moves()));
        let mut own = vec![0.0; 64 * shape.planes.count()];
        shape.planes.write_planes(&Scene::of(line), &mut own);
        planes.extend(own);
    }
    batch.run();
    let position = |(number, line): (usize, &Line)| {
        let turned = shape.planes.turns(line.board().side_to_move());
        let moves = line.board().legal_moves();
        let places = moves.iter().map(|&mv| shape.moves.of(mv, turned));
        let (rows, offsets): (Vec<usize>, Vec<f32>) = places.unzip();
        let logits = batch.logits(number).iter().zip(offsets);
        let logits: Vec<f32> = logits.map(|(logit, offset)| logit - offset).collect();
        let chances = batch.chances(number);
        let value = match shape.value {
            ValueKind::Wdl => vec![chances.win, chances.draw, chances.loss],
            ValueKind::Tanh => vec![chances.value()],
        };
        json!({ "rows": rows, "logits": logits, "value": value })
    };
    let positions: Vec<Value> = lines.iter().enumerate().map(position).collect();
    let value = match shape.value {
        ValueKind::Wdl => "wdl",
        ValueKind::Tanh => "value",
    };
    json!({ "planes": planes, "positions": positions, "value": value })
}

#[test]
#[ignore = "wants onnxruntime, its Python in TABIA_PYTHON; `make test` runs it"]
fn onnxruntime_agrees_on_resnets() {
    let folder = tempfile::tempdir().expect("a folder");
    let published = Planes {
        view: View::White,
        counters: false,
        ..Planes::default()
    };
    let mut count = 0;
    for (policy, value, moves, planes) in [
        (
            PolicyKind::Flat,
            ValueKind::Wdl,
            MoveIndex::FromTo,
            Planes::default(),
        ),
        (
            PolicyKind::Flat,
            ValueKind::Tanh,
            MoveIndex::FromPlane,
            Planes::default(),
        ),
        (
            PolicyKind::Factored,
            ValueKind::Wdl,
            MoveIndex::FromPlane,
            Planes::default(),
        ),
        (
            PolicyKind::Factored,
            ValueKind::Tanh,
            MoveIndex::FromTo,
            published,
        ),
    ] {
        let shape = ResNetShape {
            planes,
            channels: 8,
            blocks: 2,
            head_channels: 4,
            value_hidden: 16,
            policy,
            value,
            moves,
        };
        let weights = weights(&shape);
        let write = |ending: &str, bytes: &[u8]| {
            let path = folder.path().join(format!("{count}.{ending}"));
            std::fs::write(path, bytes).expect("written");
        };
        write("onnx", &weights.to_onnx());
        write("json", expected(&weights).to_string().as_bytes());
        count += 1;
    }
    let python = std::env::var_os("TABIA_PYTHON").unwrap_or("python3".into());
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/onnx_outputs.py");
    let output = Command::new(python)
        .arg(script)
        .arg(folder.path())
        .output()
        .expect("Python starts");
    let said = String::from_utf8_lossy(&output.stdout);
    let complaints = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}{complaints}");
    assert_eq!(said.trim(), format!("nets that agree: {count}"));
}
