//! What a run is started and continued with.

#![cfg(unix)]

use super::{OWN, Site};
use axum::http::StatusCode;
use std::os::unix::fs::PermissionsExt;

/// A program that notes its arguments in the folder that the last of them names.
const PROGRAM: &str = "#!/bin/sh
for last; do :; done
echo '' > \"$last/run.toml\"
echo \"$@\" >> \"$last/arguments\"
";

#[tokio::test]
async fn a_run_goes_on_with_the_threads_it_was_started_with() {
    let folder = tempfile::tempdir().expect("a folder");
    let program = folder.path().join("program");
    std::fs::write(&program, PROGRAM).expect("room");
    std::fs::set_permissions(&program, PermissionsExt::from_mode(0o755)).expect("a program");
    for (threads, words) in [("1", Some("--concurrency 1 --threads 1")), ("null", None)] {
        let site = Site::starting(OWN, None, &program);
        let start = format!(
            "{{\"name\":\"a\",\"preset\":\"quickstart\",\"text\":null,\"set\":[],\
             \"concurrency\":{threads}}}"
        );
        let came = site.post("/api/run/start", &start).await;
        assert_eq!(came.status, StatusCode::OK, "{}", came.text);
        let came = site.post("/api/run/resume", "{\"id\":\"runs/a\"}").await;
        assert_eq!(came.status, StatusCode::OK, "{}", came.text);
        let noted = std::fs::read_to_string(site.folder.path().join("runs/a/arguments"));
        let noted = noted.expect("arguments");
        let lines: Vec<&str> = noted.lines().collect();
        assert!(
            lines[0].contains("--out") && lines[1].contains("--resume"),
            "{noted}"
        );
        for line in lines {
            assert_eq!(line.contains("--threads"), words.is_some(), "{line}");
            assert!(line.contains(words.unwrap_or_default()), "{line}");
        }
    }
}
