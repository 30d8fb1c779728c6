//! Trainings in the list: how far they are, by what their folders say.

use super::Site;
use lab::catalog::Status;
use serde_json::{Value, json};

/// A training with some epochs.
fn make(site: &Site, name: &str, epochs: u64, status: Option<Status>) {
    let folder = site.folder.path().join("trainings").join(name);
    std::fs::create_dir_all(&folder).expect("a folder");
    let line = |epoch| {
        let losses = "\"loss\":0.5,\"validation_loss\":0.25,\"mrr\":0.125";
        format!("{{\"epoch\":{epoch},{losses},\"net\":\"a\"}}\n")
    };
    if epochs > 0 {
        let lines: String = (1..=epochs).map(line).collect();
        std::fs::write(folder.join("metrics.jsonl"), lines).expect("room");
    }
    if let Some(status) = status {
        status.write(&folder).expect("room");
    }
}

#[tokio::test]
async fn trainings_say_how_far_they_are() {
    let site = Site::own();
    let status = |seconds, finished| {
        Some(Status {
            epochs: 4000,
            seconds,
            finished,
        })
    };
    make(&site, "done", 3, status(Some(7.5), true));
    make(&site, "failed", 0, status(Some(1.0), false));
    make(&site, "older", 2, None);
    make(&site, "resumed", 2, status(None, false));
    make(&site, "stopped", 57, status(Some(60.0), false));
    site.index.refresh(&|_| {}).expect("a folder");
    let works = site.get("/api/works").await.json();
    let works = works.as_array().expect("a list").iter();
    let seen: Vec<Value> = works
        .map(|item| {
            json!([
                item["name"],
                item["standing"],
                item["done"],
                item["of"],
                item["seconds"]
            ])
        })
        .collect();
    assert_eq!(
        seen,
        [
            json!(["done", "finished", 3, 4000, 7.5]),
            json!(["failed", "interrupted", 0, 4000, 1.0]),
            json!(["older", "unknown", 2, 0, null]),
            json!(["resumed", "interrupted", 2, 4000, null]),
            json!(["stopped", "interrupted", 57, 4000, 60.0]),
        ]
    );
}
