//! Servers and connections that fail.

use crate::harness::{
    TestCoordinator, TestServer, TestWorker, essences, expected, settings, wait_until,
};
use crate::proxy::Proxy;
use crate::toy::Toy;
use cluster::{Access, CoordinatorEvent, Settings};
use std::fs;
use std::ops::ControlFlow;
use std::thread;
use std::time::Duration;
use work::StopSignal;

/// Works, and does something after so many results.
fn work_and(
    coordinator: &TestCoordinator,
    job: &Toy,
    pieces: u64,
    after: usize,
    mut act: impl FnMut(),
) -> std::collections::BTreeMap<u64, Vec<u8>> {
    let mut all = std::collections::BTreeMap::new();
    coordinator
        .work_with(job, 0..pieces, &StopSignal::new(), &mut |number, result| {
            assert_eq!(all.insert(number, result), None, "{number} came twice");
            if all.len() == after {
                act();
            }
            ControlFlow::Continue(())
        })
        .expect("done");
    all
}

#[test]
#[ignore = "wants nats-server"]
fn cluster_survives_a_kill_of_the_server() {
    let mut server = TestServer::start();
    let coordinator = TestCoordinator::connect(&server.access());
    let _workers: Vec<TestWorker> = (0..3).map(|_| TestWorker::start(server.access())).collect();
    let job = Toy::new(10);
    let results = work_and(&coordinator, &job, 400, 60, || {
        server.kill();
        thread::sleep(Duration::from_millis(700));
        server.restart();
    });
    assert_eq!(essences(results), expected(&job, 400));
    assert!(coordinator.has_news(|event| *event == CoordinatorEvent::Disconnected));
}

#[test]
#[ignore = "wants nats-server"]
fn cluster_survives_a_server_that_forgot_everything() {
    let mut server = TestServer::start();
    let quick = Settings {
        lease: Duration::from_millis(500),
        ..settings()
    };
    let coordinator = TestCoordinator::with(&server.access(), quick);
    let _workers: Vec<TestWorker> = (0..2).map(|_| TestWorker::start(server.access())).collect();
    let job = Toy::new(10);
    let results = work_and(&coordinator, &job, 200, 40, || {
        server.kill();
        fs::remove_dir_all(server.folder.path().join("store")).expect("removed");
        server.restart();
    });
    assert_eq!(essences(results), expected(&job, 200));
}

#[test]
#[ignore = "wants nats-server"]
fn cluster_does_not_wait_for_a_stalled_worker() {
    let server = TestServer::start();
    let proxy = Proxy::before(server.port);
    let coordinator = TestCoordinator::connect(&server.access());
    let far = Access {
        url: format!("nats://127.0.0.1:{}", proxy.port),
        credentials: None,
    };
    let stalled = TestWorker::start(far);
    wait_until("it has come", || {
        coordinator.has_news(|event| matches!(event, CoordinatorEvent::Joined { .. }))
    });
    // It is alone until it has taken something that it cannot hand in.
    let job = Toy::new(30);
    let mut near = None;
    let results = work_and(&coordinator, &job, 150, 20, || {
        proxy.stall(true);
        near = Some(TestWorker::start(server.access()));
    });
    assert_eq!(essences(results), expected(&job, 150));
    wait_until("it is missed", || {
        coordinator.has_news(|event| matches!(event, CoordinatorEvent::Left { .. }))
    });
    // What it hands in now changes nothing, and it is of use again.
    proxy.stall(false);
    let results = coordinator.work(&job, 60).expect("done");
    assert_eq!(essences(results), expected(&job, 60));
    drop(near);
    let results = coordinator.work(&job, 20).expect("done by the other");
    assert_eq!(essences(results), expected(&job, 20));
    stalled.stop().expect("a good end");
}

#[test]
#[ignore = "wants nats-server"]
fn cluster_workers_wait_while_the_coordinator_is_slow() {
    let server = TestServer::start();
    // Room for few results.
    let narrow = Settings {
        result_bytes: 4 << 20,
        ..settings()
    };
    let coordinator = TestCoordinator::with(&server.access(), narrow);
    let _workers: Vec<TestWorker> = (0..3).map(|_| TestWorker::start(server.access())).collect();
    let mut job = Toy::new(1);
    job.ballast = 100_000;
    let mut all = std::collections::BTreeMap::new();
    coordinator
        .work_with(&job, 0..120, &StopSignal::new(), &mut |number, result| {
            thread::sleep(Duration::from_millis(10));
            assert_eq!(all.insert(number, result), None, "{number} came twice");
            ControlFlow::Continue(())
        })
        .expect("done");
    assert!(essences(all) == expected(&job, 120));
}
