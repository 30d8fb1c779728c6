//! Nets on the command line.

use crate::program::{folder, run_in, tabia, transcript};
use insta::assert_snapshot;
use nets::Provenance;
use nets::nnue::sfnn::{Compression, SfnnWeights};
use nets::nnue::simple::SimpleWeights;
use nets::nnue::{Activation, Inputs, SfnnRanges, SfnnShape, SimpleScales, SimpleShape};
use std::fs;
use std::path::Path;

pub(crate) fn simple(path: &Path) {
    let shape = SimpleShape {
        inputs: Inputs::piece_square([0; 64], true).expect("one bucket"),
        hidden: 32,
        activation: Activation::Screlu,
        output_buckets: 2,
        scales: SimpleScales::EIGHT_BITS,
    };
    let mut weights = SimpleWeights::zeros(shape).expect("memory");
    weights.fill_randomly(3, 200, 127);
    weights.description = "a net of the tests".to_owned();
    weights.provenance = Provenance {
        run: Some("first".to_owned()),
        seed: Some(7),
        data: None,
        parent: None,
    };
    let mut bytes = Vec::new();
    weights.write(&mut bytes).expect("within bounds");
    fs::write(path, bytes).expect("written");
}

pub(crate) fn stockfish_shaped(path: &Path) {
    let shape = SfnnShape::new(128).expect("a width");
    let mut weights = SfnnWeights::zeros(shape).expect("memory");
    weights.fill_randomly(5, SfnnRanges::USUAL);
    weights.description = b"random".to_vec();
    let mut bytes = Vec::new();
    weights
        .write(Compression::Raw, &mut bytes)
        .expect("within bounds");
    fs::write(path, bytes).expect("written");
}

#[test]
fn a_net_of_our_own_tells_everything() {
    let folder = folder("net_info_simple");
    simple(&folder.join("a.tabianet"));
    assert_snapshot!(run_in(&folder, "net info a.tabianet"));
}

#[test]
fn a_net_of_stockfishs_shape_tells_everything() {
    let folder = folder("net_info_sfnn");
    stockfish_shaped(&folder.join("a.nnue"));
    assert_snapshot!(run_in(&folder, "net info a.nnue"));
    let output = tabia(&["net", "info", "--json", "a.nnue"])
        .current_dir(&folder)
        .output()
        .expect("the program runs");
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(report["inputs"], 22_528);
    assert_eq!(report["stored"], "raw");
    assert_eq!(report["layers"].as_array().map(Vec::len), Some(5));
}

#[test]
fn nets_are_converted_there_and_back() {
    let folder = folder("net_convert");
    stockfish_shaped(&folder.join("a.nnue"));
    let there = run_in(&folder, "net convert a.nnue -o b.nnue --store leb128");
    assert!(there.starts_with("exit 0"), "{there}");
    fs::create_dir(folder.join("nets")).expect("a folder");
    let back = run_in(&folder, "net convert b.nnue -o nets --store raw");
    assert!(back.contains("wrote nets/nn-"), "{back}");
    let named = fs::read_dir(folder.join("nets")).expect("a folder").next();
    let named = named.expect("a file").expect("a file").path();
    let original = fs::read(folder.join("a.nnue")).expect("the net");
    assert!(fs::read(&named).expect("the net") == original);
    let hash = run_in(&folder, "net hash a.nnue");
    let name = named.file_name().and_then(|name| name.to_str());
    assert!(hash.contains(name.expect("a name")), "{hash}");
    let same = run_in(&folder, "net convert a.nnue -o c.nnue");
    assert!(same.contains("unchanged"), "{same}");
    assert!(fs::read(folder.join("b.nnue")).expect("the net").len() < original.len());

    simple(&folder.join("d.tabianet"));
    let refused = run_in(&folder, "net convert d.tabianet -o e --store raw");
    assert!(
        refused.starts_with("exit 2") && !folder.join("e").exists(),
        "{refused}"
    );
    // A name must not promise another format.
    for (from, to) in [
        ("d.tabianet", "f.nnue"),
        ("a.nnue", "f.tabianet"),
        ("d.tabianet", "f.onnx"),
        ("a.nnue", "f.safetensors"),
        ("d.tabianet", "f.foo"),
    ] {
        let refused = run_in(&folder, &format!("net convert {from} -o {to}"));
        assert!(
            refused.starts_with("exit 2") && !folder.join(to).exists(),
            "{refused}"
        );
    }
    let described = run_in(&folder, "net convert d.tabianet -o e --description other");
    assert!(described.starts_with("exit 0"), "{described}");
    assert!(run_in(&folder, "net info e").contains("description  other\n"));
}

#[test]
fn files_that_are_no_nets_are_wrong_input() {
    let folder = folder("net_wrong");
    stockfish_shaped(&folder.join("a.nnue"));
    let mut bytes = fs::read(folder.join("a.nnue")).expect("the net");
    fs::write(folder.join("short.nnue"), &bytes[..bytes.len() - 7]).expect("written");
    bytes[18] ^= 1;
    fs::write(folder.join("hash.nnue"), &bytes).expect("written");
    fs::write(folder.join("text.nnue"), "a text\n").expect("written");
    fs::write(folder.join("empty.nnue"), "").expect("written");
    let mut all = String::new();
    for file in [
        "none.nnue",
        "empty.nnue",
        "text.nnue",
        "hash.nnue",
        "short.nnue",
        ".",
    ] {
        all += &run_in(&folder, &format!("net info {file}"));
    }
    assert_snapshot!(all);
}

#[test]
fn a_net_explains_its_value() {
    let folder = folder("net_eval");
    simple(&folder.join("a.tabianet"));
    let fen = "4k3/4p3/8/8/8/8/4P3/R3K3 w Q - 0 1";
    let explain = |more: &[&str]| {
        let mut words = vec!["eval", "--model", "a.tabianet", fen];
        words.extend(more);
        let mut command = tabia(&words);
        command.current_dir(&folder);
        command
    };
    assert_snapshot!(transcript(&mut explain(&[])));
    let output = explain(&["--json"]).output().expect("the program runs");
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let bucket = report["bucket"].as_u64().expect("a number") as usize;
    assert_eq!(bucket, 0);
    assert_eq!(report["buckets"][bucket]["value"], report["value"]);
    assert_eq!(report["men"].as_array().map(Vec::len), Some(3));
}

#[test]
fn a_net_plays() {
    let folder = folder("net_plays");
    simple(&folder.join("a.tabianet"));
    let signature = || run_in(&folder, "bench --depth 2 --model a.tabianet");
    let line = |text: &str| text.split(" nodes").next().map(str::to_owned);
    assert_eq!(line(&signature()), line(&signature()));
    let transcript = transcript(
        tabia(&[
            "match",
            "--player",
            "name=net model=a.tabianet",
            "--player",
            "name=old model=classical",
            "--each",
            "nodes=200",
            "--games",
            "2",
            "--out",
            "m",
            "--no-progress",
        ])
        .current_dir(&folder),
    );
    assert!(transcript.starts_with("exit 0"), "{transcript}");
    let missing = run_in(
        &folder,
        "match --player model=b.tabianet --player name=a --each nodes=1 --games 2",
    );
    assert!(
        missing.contains("'b.tabianet' is not the file of a model"),
        "{missing}"
    );
}

#[test]
fn suites_and_new_scores_take_any_evaluation() {
    let folder = folder("net_searches");
    simple(&folder.join("a.tabianet"));
    let epd = "r1bqkb1r/pppp1ppp/2n2n2/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R w KQkq - bm O-O;\n";
    fs::write(folder.join("a.epd"), epd).expect("written");
    let game = "1. e4 e5 2. Nf3 Nc6 3. Bc4 Nf6 4. O-O Nxe4 5. Re1 d5 1-0\n";
    fs::write(folder.join("a.pgn"), game).expect("written");
    let outcome = |net: &str| {
        let suite = run_in(
            &folder,
            &format!("suite a.epd --depth 6 --json --model {net}"),
        );
        let report = suite.lines().find(|line| line.starts_with('{'));
        let report: serde_json::Value = serde_json::from_str(report.expect("JSON")).expect("JSON");
        let rescore = format!("data rescore a.pgn -o {net}.binpack --nodes 300 --model {net}");
        assert!(run_in(&folder, &rescore).starts_with("exit 0"));
        let scores = fs::read(folder.join(format!("{net}.binpack")));
        (
            report["nodes"].as_u64().expect("nodes"),
            scores.expect("scores"),
        )
    };
    let (net, classical) = (outcome("a.tabianet"), outcome("classical"));
    assert!(net.0 != classical.0 && net.1 != classical.1);
    let wrong = run_in(&folder, "suite a.epd --model b.tabianet");
    assert!(wrong.contains("error: b.tabianet: No such file"), "{wrong}");
}

/// The nets that the repository keeps.
fn own_nets() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../nets");
    let names = fs::read_dir(folder).expect("the folder of nets");
    let names = names.map(|entry| entry.expect("an entry").file_name().into_string());
    let mut names: Vec<_> = names.map(|name| name.expect("a usual name")).collect();
    // Beside it lies the policy net of the tree search.
    names.retain(|name| name.starts_with("nn-") && name.ends_with(".tabianet"));
    names
}

/// Unless another was asked for when the program was built.
#[test]
fn the_net_of_the_repository_comes_with_the_program() {
    if option_env!("TABIA_EMBED_NET").is_some_and(|net| !net.is_empty()) {
        return;
    }
    let folder = folder("net_own");
    let [own] = &own_nets()[..] else {
        panic!("one net, and one only, belongs into the folder of nets");
    };
    let info = run_in(&folder, "net info");
    let has = |line: &str| info.lines().any(|it| it.trim_start() == line);
    assert!(has(&format!("name         {own}")), "{info}");
    for provenance in ["\nrun ", "\nseed ", "\ndata ", "\nparent "] {
        assert!(info.contains(provenance), "{info}");
    }
    let version = run_in(&folder, "--version");
    assert!(version.contains(own.as_str()), "{version}");
    // It is what plays: another evaluation searches another tree.
    let nodes = |options: &str| {
        let said = run_in(&folder, &format!("bench --depth 3{options}"));
        said.split(" nodes").next().map(str::to_owned)
    };
    let file = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../nets")
        .join(own);
    assert_eq!(nodes(""), nodes(&format!(" --model {}", file.display())));
    assert_ne!(nodes(""), nodes(" --model classical"));
}

/// Writes a net with a few weights changed.
fn changed(path: &Path, original: &Path) {
    let bytes = fs::read(original).expect("the net");
    let mut weights = SimpleWeights::read(&bytes).expect("a net");
    for weight in weights.transformer.weights.iter_mut().step_by(1000) {
        *weight += 40;
    }
    weights.output_biases[1] -= 255 * 255 * 64 / 4;
    let mut bytes = Vec::new();
    weights.write(&mut bytes).expect("within bounds");
    fs::write(path, bytes).expect("written");
}

#[test]
fn nets_are_compared() {
    let folder = folder("net_compare");
    let net = folder.join("a.tabianet");
    simple(&net);
    changed(&folder.join("b.tabianet"), &net);
    stockfish_shaped(&folder.join("c.nnue"));
    let positions = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - id \"start\";\n\n\
                     4k3/4p3/8/8/8/8/4P3/R3K3 w Q -\n";
    fs::write(folder.join("some.epd"), positions).expect("written");
    assert_snapshot!(run_in(&folder, "net compare a.tabianet b.tabianet"));
    let with_positions = run_in(
        &folder,
        "net compare a.tabianet c.nnue --positions some.epd",
    );
    assert_snapshot!(with_positions);
    let same = run_in(&folder, "net compare --json a.tabianet a.tabianet");
    let json = same.split_once("stdout\n").expect("data").1;
    let report: serde_json::Value = serde_json::from_str(json).expect("JSON");
    assert_eq!(report["layers"][0]["different"], 0);
    assert_eq!(report["values"]["spread"], 0.0);
    assert_eq!(report["values"]["correlation"], 1.0);
    assert_eq!(
        report["values"]["largest"].as_array().map(Vec::len),
        Some(10)
    );
    fs::write(folder.join("wrong.epd"), "no position\n").expect("written");
    fs::write(folder.join("empty.epd"), "\n").expect("written");
    let all: String = ["none.binpack", "wrong.epd", "empty.epd", "a.tabianet"]
        .map(|file| {
            run_in(
                &folder,
                &format!("net compare a.tabianet b.tabianet --positions {file}"),
            )
        })
        .concat();
    assert_snapshot!(all);
}
