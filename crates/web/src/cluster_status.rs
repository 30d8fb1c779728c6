//! The cluster that works for a run: its queue and workers, as its coordinator noted them
//! last.

use crate::answer::{Answer, answer};
use crate::run_index::RunIndex;
use crate::summaries::Standing;
use axum::Router;
use axum::extract::{Query, State};
use axum::routing::get;
use jiff::Timestamp;
use lab::cluster_status::{self, Worker};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::Duration;

/// A coordinator notes every few seconds; one that was silent for so long is gone.
const PATIENCE: Duration = Duration::from_secs(20);

/// How the work of a cluster stands, or stood.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct ClusterStatus {
    /// Whether it is so now; else it was so when it was noted.
    live: bool,
    /// In milliseconds since 1970.
    begun: f64,
    noted: f64,
    kinds: Vec<String>,
    /// Units that wait for a worker.
    queued: u64,
    /// Units that are not done.
    open: u64,
    pieces: u64,
    /// Units that were done twice and were equal.
    confirmed: u64,
    /// Results that came a second time and were ignored.
    duplicates: u64,
    /// Units that were lost on the way and given out again.
    lost: u64,
    /// All who were ever there.
    known: usize,
    /// Those who are there.
    present: usize,
    threads: usize,
    /// Who has done most comes first.
    workers: Vec<ClusterWorker>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct ClusterWorker {
    name: String,
    /// None if it is gone.
    threads: usize,
    /// Nodes a second of one thread.
    speed: u64,
    /// Units that it holds.
    units: usize,
    pieces: u64,
    /// Seconds of its threads for them.
    seconds: f64,
    confirmed: u64,
    failures: u64,
    troubles: u64,
    /// Why nothing is taken from it.
    objection: Option<String>,
}

/// Which work is asked about.
#[derive(Deserialize)]
struct Asked {
    id: String,
}

async fn cluster(
    State(index): State<Arc<RunIndex>>,
    Query(asked): Query<Asked>,
) -> Answer<Option<ClusterStatus>> {
    answer(move || {
        let work = index.find(&asked.id)?;
        let is_running = index.item(&work).standing == Standing::Running;
        let noted = cluster_status::ClusterStatus::read(&work.folder);
        Ok(noted.map(|noted| shown(noted, is_running, Timestamp::now())))
    })
    .await
}

fn shown(noted: cluster_status::ClusterStatus, is_running: bool, now: Timestamp) -> ClusterStatus {
    let is_recent = now.duration_since(noted.noted).unsigned_abs() < PATIENCE;
    ClusterStatus {
        live: is_running && is_recent && !noted.ended,
        begun: noted.begun.as_millisecond() as f64,
        noted: noted.noted.as_millisecond() as f64,
        kinds: noted.kinds,
        queued: noted.queued,
        open: noted.open,
        pieces: noted.pieces,
        confirmed: noted.confirmed,
        duplicates: noted.duplicates,
        lost: noted.lost,
        known: noted.known,
        present: noted.present,
        threads: noted.threads,
        workers: noted.workers.into_iter().map(worker).collect(),
    }
}

fn worker(worker: Worker) -> ClusterWorker {
    ClusterWorker {
        name: worker.name,
        threads: worker.threads,
        speed: worker.speed,
        units: worker.units,
        pieces: worker.pieces,
        seconds: worker.seconds,
        confirmed: worker.confirmed,
        failures: worker.failures,
        troubles: worker.troubles,
        objection: worker.objection,
    }
}

/// What can be asked of the cluster of some work.
pub(crate) fn routes(index: Arc<RunIndex>) -> Router {
    Router::new()
        .route("/cluster", get(cluster))
        .with_state(index)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    fn noted(at: i64, ended: bool) -> cluster_status::ClusterStatus {
        let text = format!(
            r#"{{"begun":"1970-01-01T00:00:00Z","noted":"{}","ended":{ended},"kinds":["games"],
            "queued":3,"open":5,"pieces":70,"confirmed":2,"duplicates":0,"lost":1,"known":2,
            "present":1,"threads":4,"workers":[{{"name":"<b>one</b>","threads":4,"speed":900000,
            "units":2,"pieces":70,"seconds":7.0,"confirmed":2,"failures":0,"troubles":0,
            "objection":null}}]}}"#,
            Timestamp::from_second(at).expect("a time")
        );
        serde_json::from_str(&text).expect("a note")
    }

    #[test]
    fn what_was_noted_long_ago_or_at_the_end_is_not_live() {
        let now = Timestamp::from_second(1000).expect("a time");
        assert!(shown(noted(995, false), true, now).live);
        assert!(!shown(noted(995, true), true, now).live, "it has ended");
        assert!(!shown(noted(995, false), false, now).live, "no workers");
        assert!(!shown(noted(900, false), true, now).live, "it was killed");
    }

    #[tokio::test]
    async fn a_note_is_answered_and_told_when_it_changes() {
        let site = crate::tests::Site::own();
        let folder = site.folder.path().join("a");
        std::fs::create_dir(&folder).expect("room");
        // A training is the least work that is found.
        std::fs::write(folder.join("metrics.jsonl"), "").expect("room");
        let told = std::cell::RefCell::new(Vec::new());
        let tell = |news: &crate::event_stream::ServerEvent| {
            told.borrow_mut()
                .push(serde_json::to_value(news).expect("JSON"));
        };
        let nothing = site.get("/api/cluster?id=a").await;
        assert_eq!(nothing.json(), serde_json::Value::Null);
        let write = |path: &Path| noted(995, true).note(path).expect("room");
        write(&folder);
        let came = site.get("/api/cluster?id=a").await.json();
        assert_eq!(
            (&came["live"], &came["pieces"]),
            (&false.into(), &70.into())
        );
        assert_eq!(came["workers"][0]["name"], "<b>one</b>");
        site.index.refresh(&tell).expect("a folder");
        let told = told.into_inner();
        let cluster = told.iter().filter(|news| news["news"] == "cluster");
        assert_eq!(cluster.count(), 1, "{told:?}");
    }
}
