//! A real miniature run, asked about in all its parts.

use super::{Came, Site};
use axum::http::StatusCode;
use data::journal::{Author, Build};
use lab::{Laboratory, Means, Program};
use work::Threads;

const RUN: &str = r#"
title = "<b>A</b> run"
generations = 2
seeds = [1]
[net]
hidden = 32
[selfplay]
nodes = 30
games = 6
random_plies = 6
[train]
positions = 600
batch = 32
[gate]
games = 4
nodes = 20
sprt = { elo0 = 0, elo1 = 50 }
[verdict]
games = 4
[arms.one.selfplay]
horizon = 60
[arms.two.selfplay]
horizon = 80
"#;

/// Makes the run in the folder of a server.
fn run(site: &Site) {
    let author = Author {
        build: Build {
            signature: 1,
            arithmetic: "test".to_owned(),
            format: 1,
        },
        accepts_others: false,
    };
    let program = Program {
        version: "test".to_owned(),
        author,
    };
    let folder = site.folder.path().join("runs/mini");
    let begun = Laboratory::begin(&folder, RUN, program, &train::learners());
    let dispatcher = Threads::new(1);
    let means = Means {
        dispatcher: &dispatcher,
        threads: 1,
    };
    let ending = begun
        .expect("a run")
        .run(&means, &engines::StopSignal::new(), &mut |_| {});
    ending.expect("the end");
    site.index.refresh(&|_| {}).expect("a folder");
}

fn good(came: &Came) -> serde_json::Value {
    assert_eq!(came.status, StatusCode::OK, "{}", came.text);
    came.json()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_is_shown_in_all_its_parts() {
    let site = Site::own();
    run(&site);
    let works = good(&site.get("/api/works").await);
    let item = &works[0];
    assert_eq!(
        (&item["id"], &item["standing"]),
        (&"runs/mini".into(), &"finished".into())
    );
    assert_eq!((&item["done"], &item["of"]), (&4.into(), &4.into()));
    assert!(item["elo"].is_object() && item["bytes"].as_u64() > Some(1000));
    // Names from files are text: whoever shows them makes no markup of them.
    assert_eq!(item["title"], "<b>A</b> run");

    let detail = good(&site.get("/api/work?id=runs/mini").await);
    assert_eq!(detail["rows"].as_array().map(Vec::len), Some(4));
    assert!(detail["meetings"].as_array().map(Vec::len) >= Some(8));
    assert!(detail["models"].as_array().map(Vec::len) >= Some(5));

    curves(&site).await;
    games(&site, &detail).await;
    models(&site, &detail).await;
    shards(&site, &detail).await;
    changes(&site).await;
}

async fn curves(site: &Site) {
    let metrics = good(&site.get("/api/metrics?id=runs/mini").await);
    for metric in metrics.as_array().expect("metrics") {
        let name = metric["name"].as_str().expect("a name");
        let curve = good(
            &site
                .get(&format!("/api/curve?id=runs/mini&metric={name}"))
                .await,
        );
        assert_eq!(curve["metric"]["name"], name);
        assert!(
            !curve["lines"].as_array().expect("lines").is_empty(),
            "{name}"
        );
    }
    let names: Vec<&str> = (metrics.as_array().into_iter().flatten())
        .filter_map(|metric| metric["name"].as_str())
        .collect();
    let unique: std::collections::BTreeSet<&str> = names.iter().copied().collect();
    assert_eq!(unique.len(), names.len(), "{names:?}");
    for name in [
        "running-loss",
        "lesson-decisive",
        "previous.wins",
        "selfplay_seconds",
        "elapsed",
    ] {
        assert!(names.contains(&name), "{name}: {names:?}");
    }
    let loss = good(
        &site
            .get("/api/curve?id=runs/mini&metric=loss&from=2&to=2")
            .await,
    );
    assert_eq!(loss["lines"][0]["x"], serde_json::json!([2.0]));
    let missing = site.get("/api/curve?id=runs/mini&metric=nothing").await;
    assert_eq!(missing.status, StatusCode::NOT_FOUND);
}

async fn games(site: &Site, detail: &serde_json::Value) {
    let files = &detail["files"];
    for (list, word) in [("matches", "match"), ("shards", "self-play")] {
        let file = files[list][0]["file"].as_str().expect(word);
        let found = good(
            &site
                .get(&format!("/api/games?id=runs/mini&file={file}"))
                .await,
        );
        let first = &found["games"][0];
        let number = &first["number"];
        let game = good(
            &site
                .get(&format!(
                    "/api/game?id=runs/mini&file={file}&number={number}"
                ))
                .await,
        );
        let plies = game["plies"].as_array().expect("plies").len();
        assert_eq!(
            game["fens"].as_array().map(Vec::len),
            Some(plies + 1),
            "{word}"
        );
        assert!(
            game["pgn"]
                .as_str()
                .is_some_and(|pgn| pgn.contains("[Result "))
        );
        let nothing = site
            .get(&format!("/api/games?id=runs/mini&file={file}&least=9999"))
            .await;
        assert_eq!(good(&nothing)["found"], 0);
        // The names of openings are said by whoever starts the server.
        assert_eq!(found["openings"][0], "B90 Test <b>Opening</b>");
        for (opening, is_found) in [("B9", true), ("test", true), ("B91", false)] {
            let path = format!("/api/games?id=runs/mini&file={file}&opening={opening}");
            let named = good(&site.get(&path).await);
            assert_eq!(named["found"].as_u64() > Some(0), is_found, "{opening}");
        }
    }
    let gate = files["matches"].as_array().expect("matches").iter();
    let gate = gate
        .filter_map(|held| held["file"].as_str())
        .find(|file| file.contains("previous"));
    let course = format!("/api/match?id=runs/mini&file={}", gate.expect("a gate"));
    let course = good(&site.get(&course).await);
    assert_eq!(course["hypotheses"], serde_json::json!([0.0, 50.0]));
    assert_eq!(
        course["llr"].as_array().map(Vec::len),
        course["games"].as_array().map(Vec::len)
    );
}

async fn models(site: &Site, detail: &serde_json::Value) {
    let file = detail["files"]["models"][0]["file"]
        .as_str()
        .expect("a model");
    let about = good(
        &site
            .get(&format!("/api/model?id=runs/mini&file={file}"))
            .await,
    );
    assert_eq!(about["kind"], "nnue");
    assert_eq!(about["neurons"][0]["count"], 32);
    for sheet in about["sheets"].as_array().expect("sheets") {
        let name = sheet["name"].as_str().expect("a name");
        let path = format!("/api/boards?id=runs/mini&file={file}&sheet={name}&set=0");
        let boards = good(&site.get(&path).await);
        assert_eq!(boards[0]["numbers"].as_array().map(Vec::len), Some(64));
    }
    let model = format!("{{\"work\":\"runs/mini\",\"file\":\"{file}\"}}");
    let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let belief = good(
        &site
            .post(
                "/api/belief",
                &format!("{{\"model\":{model},\"fen\":\"{fen}\"}}"),
            )
            .await,
    );
    assert_eq!(belief["men"].as_array().map(Vec::len), Some(30));
    assert_eq!(belief["in_pawns"], true);
    let player = format!(
        "{{\"model\":{model},\"kind\":null,\"nodes\":50,\"milliseconds\":null,\"elo\":null,\"lines\":null}}"
    );
    let asked = format!(
        "{{\"game\":{{\"start\":null,\"moves\":[\"e2e4\"]}},\"player\":{player},\"seed\":1}}"
    );
    let reply = good(&site.post("/api/answer", &asked).await);
    assert!(reply["uci"].as_str().is_some_and(|mv| mv.len() >= 4));
    for (file, kind) in [
        ("policy", "mcts"),
        ("classical", "alphabeta"),
        ("heuristic", "sequence"),
    ] {
        let player = format!(
            "{{\"model\":{{\"work\":null,\"file\":\"{file}\"}},\"kind\":\"{kind}\",\"nodes\":30,\"milliseconds\":null,\"elo\":null,\"lines\":null}}"
        );
        let asked =
            format!("{{\"game\":{{\"start\":null,\"moves\":[]}},\"player\":{player},\"seed\":1}}");
        let reply = good(&site.post("/api/answer", &asked).await);
        assert!(reply["san"].is_string(), "{file}");
        let body = format!("{{\"model\":{{\"work\":null,\"file\":\"{file}\"}},\"fen\":\"{fen}\"}}");
        let belief = good(&site.post("/api/belief", &body).await);
        assert!(belief["centipawns"].is_i64(), "{file}");
        assert_eq!(belief["men"].as_array().map(Vec::len), Some(30), "{file}");
        assert_eq!(belief["in_pawns"], file == "classical", "{file}");
        let path = format!("/api/strength?file={file}&kind=");
        let usual = good(&site.get(&path).await);
        let given = good(&site.get(&(path + kind)).await);
        let expected = match kind {
            "alphabeta" => serde_json::json!([1320, 2800]),
            "sequence" => serde_json::json!([800, 3000]),
            _ => serde_json::Value::Null,
        };
        assert_eq!(given["elo"], expected, "{file}");
        assert_eq!(usual["elo"].is_null(), file != "classical", "{file}");
    }
    // A policy has two layers with neurons.
    let about = good(&site.get("/api/model?file=policy").await);
    let layers = about["neurons"].as_array().expect("layers");
    let is_policy = about["kind"] == "policy";
    assert_eq!(layers.len(), if is_policy { 2 } else { 0 });
    for layer in layers {
        assert!(layer["dead"].as_u64() < layer["count"].as_u64(), "{layer}");
    }
    let mated = "{\"game\":{\"start\":null,\"moves\":[\"f2f3\",\"e7e5\",\"g2g4\",\"d8h4\"]},\"white\":\"<script>\",\"black\":null,\"resigned\":null}";
    let position = good(&site.post("/api/position", mated).await);
    assert_eq!(position["end"]["result"], "0-1");
    assert_eq!(position["legal"].as_array().map(Vec::len), Some(0));
    assert!(
        position["pgn"]
            .as_str()
            .is_some_and(|pgn| pgn.contains("2. g4 Qh4#"))
    );
}

async fn shards(site: &Site, detail: &serde_json::Value) {
    let file = detail["files"]["shards"][0]["file"]
        .as_str()
        .expect("a shard");
    let counts = good(
        &site
            .get(&format!("/api/shard?id=runs/mini&file={file}"))
            .await,
    );
    let positions = counts["positions"].as_u64().expect("a number");
    assert!(positions > 20 && counts["games"].as_u64() >= Some(4));
    let shown = good(
        &site
            .get(&format!(
                "/api/positions?id=runs/mini&file={file}&skip=3&count=5"
            ))
            .await,
    );
    assert_eq!(shown.as_array().map(Vec::len), Some(5));
    assert_eq!(shown[0]["number"], 3);
}

async fn changes(site: &Site) {
    let tags = r#"{"id":"runs/mini","tags":["base line","<i>"]}"#;
    good(&site.post("/api/run/tags", tags).await);
    site.index.refresh(&|_| {}).expect("a folder");
    let works = good(&site.get("/api/works").await);
    assert_eq!(works[0]["tags"], serde_json::json!(["base line", "<i>"]));
    let archive = site.get("/api/export?id=runs/mini").await;
    assert_eq!(archive.status, StatusCode::OK);
    assert_eq!(
        archive.headers["content-disposition"],
        "attachment; filename=\"runs-mini.tar.gz\""
    );
    // Nobody works on it, and its program is missing.
    let stopped = site.post("/api/run/stop", r#"{"id":"runs/mini"}"#).await;
    assert_eq!(stopped.status, StatusCode::CONFLICT);
    let started = r#"{"name":"other","preset":"quickstart","text":null,"set":[],"concurrency":1}"#;
    assert_eq!(
        site.post("/api/run/start", started).await.status,
        StatusCode::CONFLICT
    );
    assert!(!site.folder.path().join("runs/other").exists());
    let taken = r#"{"name":"mini","preset":"quickstart","text":null,"set":[],"concurrency":1}"#;
    assert_eq!(
        site.post("/api/run/start", taken).await.status,
        StatusCode::CONFLICT
    );
    let unsure = site
        .post("/api/run/delete", r#"{"id":"runs/mini","confirm":"mini"}"#)
        .await;
    assert_eq!(unsure.status, StatusCode::BAD_REQUEST);
    assert!(site.folder.path().join("runs/mini/run.toml").exists());
    good(
        &site
            .post(
                "/api/run/delete",
                r#"{"id":"runs/mini","confirm":"runs/mini"}"#,
            )
            .await,
    );
    assert!(!site.folder.path().join("runs/mini").exists());
}
