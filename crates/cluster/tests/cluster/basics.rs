//! Work that nothing disturbs.

use crate::harness::{
    PATIENCE, TestCoordinator, TestServer, TestWorker, essences, expected, identity, wait_until,
};
use crate::toy::{self, Toy};
use cluster::{CoordinatorEvent, Identity, status};
use std::ops::ControlFlow;
use std::time::{Duration, Instant};
use work::{Dispatcher, StopSignal};

#[test]
#[ignore = "wants nats-server"]
fn cluster_does_every_piece_once() {
    let server = TestServer::start();
    let coordinator = TestCoordinator::connect(&server.access());
    let workers: Vec<TestWorker> = (0..3).map(|_| TestWorker::start(server.access())).collect();
    for (time, pieces) in [(2, 300), (0, 2000), (150, 6)] {
        let mut job = Toy::new(time);
        job.key = format!("key {time}").into_bytes();
        let results = coordinator.work(&job, pieces).expect("done");
        assert_eq!(essences(results), expected(&job, pieces));
        assert!(job.begun.lock().expect("no panic").is_empty(), "none here");
    }
    assert_eq!(coordinator.coordinator.at_once(), 3);
    let summary = coordinator.coordinator.summary();
    assert_eq!(summary.pieces, 2306);
    assert!(summary.confirmed > 0, "{summary}");
    assert!(summary.shut_out.is_empty(), "{summary}");
    let done: u64 = workers
        .into_iter()
        .map(|worker| worker.stop().expect("a good end"))
        .sum();
    assert!(done >= 2306, "some were done twice");
    assert!(
        coordinator.has_news(|event| matches!(event, CoordinatorEvent::Joined { threads: 1, .. }))
    );
}

#[test]
#[ignore = "wants nats-server"]
fn cluster_results_of_any_size_arrive() {
    let server = TestServer::start();
    let coordinator = TestCoordinator::connect(&server.access());
    let _worker = TestWorker::with(server.access(), identity(), 2, vec![toy::KIND]);
    let mut job = Toy::new(1);
    // Several parts, and blobs of several messages.
    job.ballast = 300_000;
    job.key = vec![7; 1_500_000];
    let results = coordinator.work(&job, 12).expect("done");
    assert!(essences(results) == expected(&job, 12));
    // One result that no message can carry is made here.
    job.ballast = 9 << 20;
    let results = coordinator.work(&job, 1).expect("done here");
    assert!(essences(results) == expected(&job, 1));
    assert!(coordinator.has_news(|event| matches!(event, CoordinatorEvent::WrongFailure { .. })));
}

#[test]
#[ignore = "wants nats-server"]
fn cluster_stops_when_it_is_told() {
    let server = TestServer::start();
    let coordinator = TestCoordinator::connect(&server.access());
    let _workers: Vec<TestWorker> = (0..2).map(|_| TestWorker::start(server.access())).collect();
    let job = Toy::new(20);
    let stop = StopSignal::new();
    let mut received = Vec::new();
    let begin = Instant::now();
    coordinator
        .work_with(&job, 0..1_000_000, &stop, &mut |number, _| {
            received.push(number);
            if received.len() == 20 {
                stop.stop();
            }
            ControlFlow::Continue(())
        })
        .expect("stopped in good order");
    assert!(begin.elapsed() < PATIENCE / 2);
    assert!((20..200).contains(&received.len()), "{}", received.len());
    // Enough is enough, too; and then the next job goes on as if nothing had been.
    let mut count = 0;
    coordinator
        .work_with(&job, 0..1_000_000, &StopSignal::new(), &mut |_, _| {
            count += 1;
            match count {
                20 => ControlFlow::Break(()),
                _ => ControlFlow::Continue(()),
            }
        })
        .expect("enough");
    assert_eq!(count, 20);
    assert_eq!(coordinator.coordinator.status().queued, 0, "it is over");
    let results = coordinator.work(&Toy::new(1), 50).expect("done");
    assert_eq!(essences(results), expected(&Toy::new(1), 50));
}

#[test]
#[ignore = "wants nats-server"]
fn cluster_workers_come_when_they_want() {
    let server = TestServer::start();
    // A worker may be there before anybody has work.
    let early = TestWorker::start(server.access());
    wait_until("it is idle", || {
        early
            .words()
            .iter()
            .any(|words| words == "waiting for work")
    });
    let coordinator = TestCoordinator::connect(&server.access());
    let other = Identity {
        build: "8".to_owned(),
        ..identity()
    };
    let unfit = TestWorker::with(server.access(), other, 1, vec![toy::KIND]);
    let job = Toy::new(5);
    let results = coordinator.work(&job, 100).expect("done");
    assert_eq!(essences(results), expected(&job, 100));
    wait_until("the other build is told", || {
        let words = unfit.words();
        words
            .iter()
            .any(|words| words.contains("install tabia test"))
    });
    assert_eq!(unfit.stop(), Ok(0));
    assert!(coordinator.has_news(|event| matches!(event, CoordinatorEvent::Unfit { .. })));
    let status = status(&server.access(), Duration::from_millis(500)).expect("a status");
    assert_eq!(status.sessions.len(), 1);
    assert_eq!(status.sessions[0].summary.pieces, 100);
    assert_eq!(status.workers.len(), 1, "{status:?}");
    // Two coordinators share the workers, and mix nothing up.
    let second = TestCoordinator::connect(&server.access());
    let mut other_job = Toy::new(5);
    other_job.key = b"another".to_vec();
    std::thread::scope(|scope| {
        let one = scope.spawn(|| coordinator.work(&job, 80));
        let two = scope.spawn(|| second.work(&other_job, 80));
        let results = one.join().expect("no panic").expect("done");
        assert_eq!(essences(results), expected(&job, 80));
        let results = two.join().expect("no panic").expect("done");
        assert_eq!(essences(results), expected(&other_job, 80));
    });
}

#[test]
#[ignore = "wants nats-server"]
fn cluster_clocks_want_equal_machines() {
    let server = TestServer::start();
    let coordinator = TestCoordinator::connect(&server.access());
    let with_speed = |speed| {
        let identity = Identity {
            speed,
            ..identity()
        };
        TestWorker::with(server.access(), identity, 1, vec![toy::KIND])
    };
    let _first = with_speed(1000);
    let mut job = Toy::new(1);
    job.is_timed = true;
    let results = coordinator
        .work(&job, 20)
        .expect("one machine is like itself");
    assert_eq!(essences(results), expected(&job, 20));
    let slow = with_speed(700);
    wait_until("it has come", || coordinator.coordinator.at_once() == 2);
    let error = coordinator.work(&job, 20).expect_err("too different");
    let words = error.to_string();
    assert!(words.contains("not equally fast"), "{words}");
    // Without clocks it does not matter.
    job.is_timed = false;
    coordinator.work(&job, 20).expect("done");
    drop(slow);
}
