//! Workers that lie: nothing of theirs stays in the results.

use crate::harness::{
    TestCoordinator, TestServer, TestWorker, essences, expected, identity, wait_until,
};
use crate::toy::{self, Toy};
use cluster::CoordinatorEvent;
use std::time::Duration;

#[test]
#[ignore = "wants nats-server"]
fn cluster_finds_a_worker_that_gives_wrong_results() {
    let server = TestServer::start();
    let coordinator = TestCoordinator::connect(&server.access());
    let _honest: Vec<TestWorker> = (0..2).map(|_| TestWorker::start(server.access())).collect();
    let liar = TestWorker::with(server.access(), identity(), 1, vec![toy::LIAR]);
    let job = Toy::new(5);
    let results = coordinator.work_out(&job, 1500);
    assert!(essences(results) == expected(&job, 1500), "a lie is left");
    let summary = coordinator.coordinator.summary();
    assert_eq!(summary.shut_out.len(), 1, "{summary}");
    let (_, reason, again) = &summary.shut_out[0];
    assert!(reason.contains("had a different result"), "{reason}");
    assert!(*again > 0, "{summary}");
    wait_until("the liar is told", || {
        let words = liar.words();
        words.iter().any(|words| words.contains("it was banned"))
    });
    let end = liar.stop().expect_err("it ended itself");
    assert!(end.starts_with("this worker was banned"), "{end}");
    // Nothing is taken from it in the next job either.
    let results = coordinator.work(&job, 100).expect("nothing to withdraw");
    assert_eq!(essences(results), expected(&job, 100));
}

#[test]
#[ignore = "wants nats-server"]
fn cluster_goes_on_where_one_worker_always_fails() {
    let server = TestServer::start();
    let coordinator = TestCoordinator::connect(&server.access());
    let _honest = TestWorker::start(server.access());
    let _failing = TestWorker::with(server.access(), identity(), 1, vec![toy::FAILURE]);
    wait_until("both have come", || {
        work::Dispatcher::at_once(&coordinator.coordinator) == 2
    });
    let job = Toy::new(3);
    let results = coordinator.work_out(&job, 150);
    assert_eq!(essences(results), expected(&job, 150));
}

#[test]
#[ignore = "wants nats-server"]
fn cluster_stops_at_a_piece_that_nobody_can_do() {
    let server = TestServer::start();
    let coordinator = TestCoordinator::connect(&server.access());
    let _failing: Vec<TestWorker> = (0..2)
        .map(|_| TestWorker::with(server.access(), identity(), 1, vec![toy::FAILURE]))
        .collect();
    let mut job = Toy::new(3);
    job.fail = |_| true;
    let error = coordinator.work(&job, 1).expect_err("impossible");
    assert_eq!(error.to_string(), "number 0: it does not want to");
    // Another attempt is made from the beginning.
    let error = coordinator.work(&job, 1).expect_err("still impossible");
    assert_eq!(error.to_string(), "number 0: it does not want to");
}

#[test]
#[ignore = "wants nats-server"]
fn cluster_is_not_impressed_by_garbage() {
    let server = TestServer::start();
    let coordinator = TestCoordinator::connect(&server.access());
    let _honest: Vec<TestWorker> = (0..2).map(|_| TestWorker::start(server.access())).collect();
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let url = server.access().url;
    let eve = runtime.spawn(async move {
        use futures_util::StreamExt;
        let client = async_nats::connect(url).await.expect("connected");
        let mut sessions = client.subscribe("tabia.session.*").await.expect("heard");
        let session = sessions.next().await.expect("a session").subject;
        let session = session.rsplit('.').next().expect("a name").to_owned();
        for number in 0..200_usize {
            let garbage = vec![number as u8; (number * 7919) % 60_000];
            for subject in [
                format!("tabia.result.eve.{session}"),
                format!("tabia.work.{session}.1"),
                format!("tabia.session.{session}"),
                "tabia.worker.eve".to_owned(),
                "tabia.ping".to_owned(),
            ] {
                let mut headers = async_nats::HeaderMap::new();
                headers.insert("Tabia-Worker", "eve");
                let sent = client.publish_with_headers(subject, headers, garbage.clone().into());
                let _ = sent.await;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        let huge = vec![0; 8 << 20];
        let _ = client
            .publish(format!("tabia.result.eve.{session}"), huge.into())
            .await;
    });
    let job = Toy::new(5);
    let results = coordinator.work(&job, 500).expect("done");
    assert_eq!(essences(results), expected(&job, 500));
    let is_shut_out = |event: &CoordinatorEvent| matches!(event, CoordinatorEvent::ShutOut { worker, .. } if worker == "eve");
    assert!(coordinator.has_news(is_shut_out));
    runtime.block_on(eve).expect("no panic");
}
