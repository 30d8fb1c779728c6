//! Requests that make no sense, or want too much: each gets a clear no.

use super::{Site, asked};
use axum::body::Body;
use axum::http::{Method, StatusCode};

const READS: [&str; 16] = [
    "/api/work",
    "/api/cluster",
    "/api/metrics",
    "/api/curve",
    "/api/match",
    "/api/games",
    "/api/game",
    "/api/model",
    "/api/strength",
    "/api/boards",
    "/api/shard",
    "/api/positions",
    "/api/log",
    "/api/export",
    "/api/nothing",
    "/api/work/more",
];

const CHANGES: [&str; 10] = [
    "/api/belief",
    "/api/position",
    "/api/answer",
    "/api/analyse",
    "/api/analyse/stop",
    "/api/run/start",
    "/api/run/stop",
    "/api/run/resume",
    "/api/run/delete",
    "/api/run/tags",
];

const NAMES: [&str; 14] = [
    "",
    "..",
    "../..",
    "../../etc/passwd",
    "/etc/passwd",
    "%2e%2e%2f%2e%2e%2fetc",
    "runs/../..",
    "a%00b",
    "%ff%fe",
    "....//....//",
    "C:%5Cwindows",
    "%E2%80%AE",
    "a/b/c/d/e",
    "*",
];

#[tokio::test]
async fn no_name_leads_out_of_the_folder() {
    let site = Site::own();
    let secret = site
        .folder
        .path()
        .parent()
        .expect("a folder")
        .join("tabia-secret.toml");
    let _ = std::fs::write(&secret, "secret");
    for path in READS {
        for name in NAMES {
            for words in [
                format!("id={name}&file={name}"),
                format!("id={name}&file=classical&number=1&metric=rating&sheet=squares"),
                format!("file={name}&sheet={name}&set=1"),
            ] {
                let came = site.get(&format!("{path}?{words}")).await;
                let is_model = matches!(path, "/api/model" | "/api/boards" | "/api/strength");
                let is_fine = came.status.is_client_error() || is_model && came.status.is_success();
                assert!(is_fine, "{path}?{words}: {}", came.status);
                assert!(!came.text.contains("root:") && !came.text.contains("secret"));
            }
        }
    }
    for path in [
        "/../Cargo.toml",
        "/..%2f..%2fCargo.toml",
        "/dist/../../Cargo.toml",
        "/.git/config",
    ] {
        let came = site.get(path).await;
        assert!(
            !came.text.contains("[package]") && !came.text.contains("[core]"),
            "{path}"
        );
    }
    no_settings_lead_out(&site).await;
    let _ = std::fs::remove_file(secret);
}

/// Settings of runs that name files elsewhere, or other programs.
async fn no_settings_lead_out(site: &Site) {
    let named = [
        "selfplay.book=\"/etc/passwd\"",
        "selfplay.book=/etc/passwd",
        "selfplay.book=../tabia-secret.toml",
        "gate.book = '/etc/passwd'",
        "generation_0.model=/etc/passwd",
        "generation_0={data='/etc/passwd'}",
        "arms.control.selfplay.book=Cargo.toml",
        "arms.control.train.data=[\"/etc/passwd\"]",
        "player.option.SyzygyPath=/etc:/usr",
        "player.option.EvalFile=/etc/passwd",
        "gate.option.WeightsFile=/etc/passwd",
        "title = 'x'\nselfplay.book = '/etc/passwd'",
        "player.cmd=/bin/sh",
        "player.arg=['-c', 'true']",
        "player.dir=/",
        "train.unknown=/etc/passwd",
    ];
    for words in named {
        let start = |text: Option<&str>, set: &[&str]| {
            let preset = text.is_none().then_some("quickstart");
            let asked = serde_json::json!({
                "name": "a", "preset": preset, "text": text, "set": set, "concurrency": null,
            });
            asked.to_string()
        };
        let (key, value) = words.split_once('=').expect("a setting");
        let quoted = match value.trim().starts_with(['"', '\'', '[', '{']) {
            true => words.to_owned(),
            false => format!("{key} = \"{value}\""),
        };
        let mut ways = vec![start(Some(&quoted), &[]), start(Some(""), &[&quoted])];
        if !words.contains('\n') {
            ways.push(start(None, &[words]));
        }
        for way in ways {
            let came = site.post("/api/run/start", &way).await;
            assert_eq!(came.status, StatusCode::BAD_REQUEST, "{way}: {}", came.text);
            let is_told = [
                "only files in the folder",
                "other programs",
                "must have the form",
            ]
            .iter()
            .any(|told| came.text.contains(told));
            assert!(is_told, "{way}: {}", came.text);
            assert!(!came.text.contains("root:"), "{way}: {}", came.text);
        }
    }
    assert!(!site.folder.path().join("runs").exists());
}

#[cfg(unix)]
#[tokio::test]
async fn links_in_the_folder_of_a_run_are_not_followed() {
    use std::os::unix::fs::symlink;
    let site = Site::own();
    let secret = tempfile::tempdir().expect("a folder");
    let secret = secret.path().join("secret.toml");
    std::fs::write(&secret, "title = 'secret'").expect("room");
    for name in ["run.toml", "page.log", "state.jsonl", "tags.json"] {
        let folder = site.folder.path().join("runs").join(name);
        std::fs::create_dir_all(&folder).expect("a folder");
        std::fs::write(folder.join("run.toml"), "").expect("room");
        let _ = std::fs::remove_file(folder.join(name));
        symlink(&secret, folder.join(name)).expect("a link");
    }
    for path in READS {
        for name in ["run.toml", "page.log", "state.jsonl", "tags.json"] {
            let came = site
                .get(&format!("{path}?id=runs/{name}&file=page.log"))
                .await;
            assert!(
                !came.text.contains("secret"),
                "{path} {name}: {}",
                came.text
            );
        }
    }
    // A link that was planted after the run was found.
    let folder = site.folder.path().join("runs/late");
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join("run.toml"), "").expect("room");
    site.index.refresh(&|_| {}).expect("a folder");
    symlink(&secret, folder.join("page.log")).expect("a link");
    let came = site.get("/api/log?id=runs/late").await;
    assert_eq!(
        (came.status, came.json()["text"].as_str()),
        (StatusCode::OK, Some(""))
    );
    let came = site.post("/api/run/resume", "{\"id\":\"runs/late\"}").await;
    assert_eq!(came.status, StatusCode::CONFLICT, "{}", came.text);
    assert_eq!(std::fs::read(&secret).expect("a file"), b"title = 'secret'");
}

#[tokio::test]
async fn nonsense_is_refused_and_breaks_nothing() {
    let site = Site::own();
    let bodies = [
        "",
        "{",
        "null",
        "[]",
        "{}",
        "\"x\"",
        "1e999",
        "{\"id\":7}",
        "{\"id\":\"../..\",\"confirm\":\"../..\",\"tags\":[]}",
        "{\"game\":{\"start\":\"x\",\"moves\":[]}}",
        "{\"game\":{\"start\":null,\"moves\":[\"e2e5\"]}}",
        "{\"job\":\"\"}",
        "{\"name\":\"../up\",\"preset\":\"quickstart\",\"text\":null,\"set\":[],\"concurrency\":null}",
        "{\"name\":\"a\",\"preset\":\"none\",\"text\":null,\"set\":[],\"concurrency\":null}",
        "{\"name\":\"a\",\"preset\":\"quickstart\",\"text\":null,\"set\":[\"--out\"],\"concurrency\":null}",
        "{\"model\":{\"work\":null,\"file\":\"nothing\"},\"fen\":\"8/8/8/8/8/8/8/8 w - - 0 1\"}",
        "{\"model\":{\"work\":\"../..\",\"file\":\"x\"},\"fen\":\"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\"}",
        "\u{0}\u{1}\u{2}",
        "{\"id\":\"\\ud800\"}",
        "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[",
    ];
    let methods = [
        Method::POST,
        Method::PUT,
        Method::DELETE,
        Method::PATCH,
        Method::OPTIONS,
    ];
    let mut asked_so_far = 0;
    for path in CHANGES.into_iter().chain(READS) {
        for method in &methods {
            for body in bodies {
                let request = asked(method.clone(), path).body(Body::from(body));
                let came = site.send(request.expect("a request")).await;
                let stops_nothing = path == "/api/analyse/stop" && body.contains("job");
                assert!(
                    came.status.is_client_error() || stops_nothing,
                    "{method} {path} {body}: {} {}",
                    came.status,
                    came.text
                );
                asked_so_far += 1;
            }
        }
    }
    assert!(asked_so_far > 1000);
    // Everything still works.
    assert_eq!(site.get("/api/works").await.status, StatusCode::OK);
    assert_eq!(
        std::fs::read_dir(site.folder.path())
            .expect("a folder")
            .count(),
        0
    );
}

#[tokio::test]
async fn too_much_is_refused() {
    let site = Site::own();
    let large = "x".repeat(300 << 10);
    let came = site
        .post("/api/position", &format!("{{\"game\":\"{large}\"}}"))
        .await;
    assert_eq!(came.status, StatusCode::PAYLOAD_TOO_LARGE);
    let came = site
        .get(&format!("/api/work?id={}", "x".repeat(20 << 10)))
        .await;
    assert_eq!(came.status, StatusCode::URI_TOO_LONG);
    let moves = vec!["\"g1f3\",\"g8f6\",\"f3g1\",\"f6g8\""; 600].join(",");
    let came = site
        .post(
            "/api/position",
            &format!("{{\"game\":{{\"start\":null,\"moves\":[{moves}]}}}}"),
        )
        .await;
    assert_eq!(came.status, StatusCode::BAD_REQUEST);
    assert_eq!(came.json()["problem"], "the game is too long");
}
