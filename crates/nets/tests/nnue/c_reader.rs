//! The C program in the description of `.tabianet` files reads every simple net and computes the
//! same values.

use chess::Board;
use nets::nnue::simple::SimpleWeights;
use nets::nnue::{Activation, Inputs, NetFile, SimpleScales, SimpleShape};
use std::path::Path;
use std::process::Command;

const FENS: [&str; 6] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "2kr3r/ppp2ppp/2n1b3/8/8/2N1B3/PPP2PPP/2KR3R b - - 4 12",
    "4k3/8/8/8/8/8/4P3/4K3 b - - 0 1",
    "q2r1r2/1q1q4/3k4/8/8/1K6/4Q1Q1/Q6Q w - - 0 1",
];

fn shapes() -> Vec<SimpleShape> {
    let one_bucket = Inputs::piece_square([0; 64], false).expect("one bucket");
    let mirrored = Inputs::piece_square([0; 64], true).expect("one bucket");
    let by_rank = std::array::from_fn(|square| u8::from(square >= 8) + u8::from(square >= 32));
    let buckets = Inputs::piece_square(by_rank, true).expect("three buckets");
    let shape = |inputs: &Inputs, activation, output_buckets, scales| SimpleShape {
        inputs: inputs.clone(),
        hidden: 64,
        activation,
        output_buckets,
        scales,
    };
    let (narrow, wide) = (SimpleScales::EIGHT_BITS, SimpleScales::default());
    vec![
        shape(&one_bucket, Activation::Screlu, 1, narrow),
        shape(&mirrored, Activation::Screlu, 8, wide),
        shape(&buckets, Activation::Crelu, 4, wide),
        shape(&buckets, Activation::Pairwise, 2, narrow),
        shape(&mirrored, Activation::Pairwise, 8, wide),
    ]
}

fn compile(folder: &Path) -> std::path::PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/formats/tabianet.c");
    let program = folder.join("tabianet");
    // Linking Rust programs needs a C compiler, so there is one.
    let output = Command::new("cc")
        .args(["-std=c99", "-O1", "-Wall", "-Wextra", "-Werror"])
        .arg(&source)
        .arg("-o")
        .arg(&program)
        .output()
        .expect("a C compiler");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    program
}

#[test]
fn a_program_in_c_gives_the_same_values() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = compile(folder.path());
    for (number, shape) in shapes().into_iter().enumerate() {
        let mut weights = SimpleWeights::zeros(shape.clone()).expect("memory");
        let largest = shape.scales.output_bits.largest_weight().min(3_000);
        weights.fill_randomly(number as u64, 100, largest);
        weights.description = "its \"value\": none".to_owned();
        let path = folder.path().join(format!("{number}.tabianet"));
        let mut bytes = Vec::new();
        weights.write(&mut bytes).expect("within bounds");
        std::fs::write(&path, &bytes).expect("written");
        let net = NetFile::from_bytes(&bytes).expect("a net").net;
        let expected = FENS.map(|fen| {
            let board = Board::from_fen(fen).expect("a position");
            format!("{}\n", net.explain(&board).value)
        });
        let output = Command::new(&program).arg(&path).args(FENS).output();
        let output = output.expect("it runs");
        assert_eq!(
            String::from_utf8_lossy(&output.stdout),
            expected.concat(),
            "{shape}: {}",
            String::from_utf8_lossy(&output.stderr)
        );
    }
}
