//! What a worker's credentials allow, and what they do not: with TLS, as `tabia cluster
//! init` sets it up.

use crate::harness::{
    TestCoordinator, TestServer, TestWorker, essences, expected, free_port, wait_until,
};
use crate::toy::Toy;
use cluster::{Access, Credentials, Server, ServerFiles, status};
use futures_util::StreamExt;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A group with three workers, and its running server.
struct Group {
    server: TestServer,
    files: ServerFiles,
}

impl Group {
    fn start() -> Group {
        let folder = tempfile::tempdir().expect("a folder");
        let files = ServerFiles {
            folder: folder.path().join("group"),
            hosts: vec!["localhost".to_owned(), "127.0.0.1".to_owned()],
            port: free_port(),
            workers: ["anna", "bob", "eve"].map(str::to_owned).to_vec(),
            store_bytes: 1 << 30,
            version: Server::installed().expect("nats-server"),
        };
        files.write().expect("written");
        let config = files.folder.join("nats-server.conf");
        let port = files.port;
        Group {
            server: TestServer::run(folder, config, port),
            files,
        }
    }

    fn access(&self, name: &str) -> Access {
        let path = self.files.credentials_of(name);
        Access {
            url: self.files.url(),
            credentials: Some(Credentials::read(&path).expect("credentials")),
        }
    }
}

#[test]
#[ignore = "wants nats-server"]
fn cluster_works_with_credentials_and_tls() {
    let group = Group::start();
    let coordinator = TestCoordinator::connect(&group.access("coordinator"));
    let workers = ["anna", "bob"].map(|name| TestWorker::start(group.access(name)));
    let mut job = Toy::new(3);
    job.key = vec![1; 700_000];
    let results = coordinator.work(&job, 200).expect("done");
    assert_eq!(essences(results), expected(&job, 200));
    let words: Vec<String> = workers.iter().flat_map(TestWorker::words).collect();
    assert!(
        !words.iter().any(|words| words.contains("refused")),
        "{words:?}"
    );
    let seen = status(&group.access("coordinator"), Duration::from_millis(500));
    let seen = seen.expect("a status");
    let names: Vec<&str> = seen.sessions[0]
        .workers
        .iter()
        .map(|worker| worker.name.as_str())
        .collect();
    assert_eq!(names, ["anna", "bob"]);
    for worker in workers {
        worker.stop().expect("a good end");
    }
}

#[test]
#[ignore = "wants nats-server"]
fn cluster_lets_nobody_in_without_credentials() {
    let group = Group::start();
    let refusal = |access: Access| {
        let refused = status(&access, Duration::from_millis(100));
        refused.expect_err("refused").to_string()
    };
    let mut access = group.access("anna");
    access.credentials = None;
    let words = refusal(access);
    assert!(words.contains("give --creds FILE"), "{words}");
    // Credentials of another group: neither its certificate nor its key is known here.
    let other = Group::start();
    let mut access = other.access("anna");
    access.url = group.files.url();
    let words = refusal(access.clone());
    assert!(words.contains("does not match the credentials"), "{words}");
    if let (Some(theirs), Some(ours)) = (&mut access.credentials, group.access("anna").credentials)
    {
        theirs.ca = ours.ca;
    }
    let words = refusal(access);
    assert!(
        words.contains("does not accept these credentials"),
        "{words}"
    );
    let mut access = group.access("anna");
    access.url = format!("tls://127.0.0.1:{}", free_port());
    let words = refusal(access);
    assert!(
        words.contains("check that nats-server is running there"),
        "{words}"
    );
    drop(group.server);
}

/// A client with a worker's credentials that does what it wants, and what the server
/// says to that.
struct Rogue {
    client: async_nats::Client,
    complaints: Arc<Mutex<Vec<String>>>,
}

impl Rogue {
    async fn connect(access: &Access) -> Rogue {
        let credentials = access.credentials.clone().expect("credentials");
        let folder = tempfile::tempdir().expect("a folder");
        let ca = folder.path().join("ca.pem");
        std::fs::write(&ca, credentials.ca.expect("a certificate")).expect("written");
        let complaints: Arc<Mutex<Vec<String>>> = Arc::default();
        let heard = complaints.clone();
        let client = async_nats::ConnectOptions::with_nkey(credentials.seed)
            .add_root_certificates(ca)
            .custom_inbox_prefix(format!("_INBOX_{}", credentials.name))
            .request_timeout(Some(Duration::from_millis(300)))
            .event_callback(move |event| {
                heard.lock().expect("no panic").push(event.to_string());
                async {}
            })
            .connect(&access.url)
            .await
            .expect("connected");
        Rogue { client, complaints }
    }

    fn is_refused(&self, subject: &str) -> bool {
        let complaints = self.complaints.lock().expect("no panic");
        let subject = subject.to_lowercase();
        complaints.iter().any(|words| {
            let words = words.to_lowercase();
            words.contains("permissions violation") && words.contains(&subject)
        })
    }
}

#[test]
#[ignore = "wants nats-server"]
fn cluster_workers_can_do_nothing_but_work() {
    let group = Group::start();
    let coordinator = TestCoordinator::connect(&group.access("coordinator"));
    let anna = TestWorker::start(group.access("anna"));
    wait_until("anna has come", || {
        work::Dispatcher::at_once(&coordinator.coordinator) == 1
            && anna
                .words()
                .iter()
                .any(|words| words.contains("connected as anna"))
    });
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let eve = runtime.block_on(Rogue::connect(&group.access("eve")));
    let published = [
        "tabia.result.anna.s",
        "tabia.worker.anna",
        "tabia.ask.anna",
        "tabia.work.s.1",
        "tabia.session.s",
        "$JS.API.STREAM.DELETE.TABIA_WORK",
        "$JS.API.STREAM.PURGE.TABIA_RESULTS",
        "$JS.API.STREAM.CREATE.MINE",
        "$JS.API.STREAM.NAMES",
        "$JS.API.STREAM.INFO.TABIA_RESULTS",
        "$JS.API.STREAM.MSG.GET.TABIA_RESULTS",
        "$JS.API.DIRECT.GET.TABIA_RESULTS",
        "$JS.API.CONSUMER.CREATE.TABIA_WORK",
        "$JS.API.CONSUMER.DURABLE.CREATE.OBJ_tabia.x",
        "$JS.API.CONSUMER.DELETE.TABIA_WORK.s",
        "$JS.API.CONSUMER.MSG.NEXT.TABIA_RESULTS.s",
        "$JS.ACK.TABIA_RESULTS.s.1.1.1.1.1",
        "$O.tabia.C.x",
        "$SYS.REQ.SERVER.PING",
        "_INBOX_anna.x",
    ];
    let subscribed = [
        "_INBOX_anna.>",
        "_INBOX_coordinator.>",
        "tabia.>",
        "tabia.work.>",
        "tabia.result.>",
        "tabia.worker.*",
        "tabia.ask.anna",
        "$JS.EVENT.>",
        ">",
    ];
    runtime.block_on(async {
        for subject in published {
            let _ = eve.client.publish(subject, "{}".into()).await;
        }
        for subject in subscribed {
            let mut heard = eve.client.subscribe(subject).await.expect("asked for");
            let nothing = tokio::time::timeout(Duration::from_millis(50), heard.next());
            assert!(nothing.await.is_err(), "eve hears {subject}");
        }
        eve.client.flush().await.expect("flushed");
    });
    wait_until("all is refused", || {
        let mut all = published.iter().chain(&subscribed);
        all.all(|subject| eve.is_refused(&format!("\"{subject}\"")))
    });
    // Everything still works.
    let job = Toy::new(3);
    let results = coordinator.work(&job, 50).expect("done");
    assert_eq!(essences(results), expected(&job, 50));
}

/// What eve can make the server send: it answers on whatever subject a request names.
async fn misdirect(eve: &Rogue, session: &str) {
    let pull = format!("$JS.API.CONSUMER.MSG.NEXT.TABIA_WORK.{session}");
    let quick = r#"{"batch":1,"expires":100000000,"idle_heartbeat":40000000}"#;
    let requests = [
        (&pull, r#"{"batch":1,"expires":1000000000}"#),
        (&pull, r#"{"batch":1,"no_wait":true}"#),
        (&pull, quick),
        (&pull, r#"{"batch":-7}"#),
        (&"$JS.API.DIRECT.GET.OBJ_tabia".to_owned(), r#"{"seq":1}"#),
        (&format!("tabia.result.eve.{session}x"), "it confirms this"),
        (&format!("$JS.ACK.TABIA_WORK.{session}.1.1.1.1.1"), "+ACK"),
    ];
    let places = [
        format!("tabia.result.anna.{session}"),
        "tabia.worker.anna".to_owned(),
        "tabia.ask.anna".to_owned(),
        format!("tabia.session.{session}"),
        format!("tabia.work.{session}.1"),
    ];
    for place in &places {
        for (subject, request) in requests {
            let request = request.to_owned().into();
            let sent = eve
                .client
                .publish_with_reply(subject.clone(), place.clone(), request);
            sent.await.expect("sent");
        }
    }
    eve.client.flush().await.expect("flushed");
}

#[test]
#[ignore = "wants nats-server"]
fn cluster_workers_cannot_blame_one_another() {
    let group = Group::start();
    let coordinator = TestCoordinator::connect(&group.access("coordinator"));
    let _honest = ["anna", "bob"].map(|name| TestWorker::start(group.access(name)));
    let runtime = tokio::runtime::Runtime::new().expect("a runtime");
    let eve = runtime.block_on(Rogue::connect(&group.access("eve")));
    let rogue = runtime.spawn(async move {
        let mut sessions = eve
            .client
            .subscribe("tabia.session.*")
            .await
            .expect("heard");
        let session = sessions.next().await.expect("a session").subject;
        let session = session.rsplit('.').next().expect("a name").to_owned();
        // Not without end: the units that she takes are lost for the time of a lease.
        for _ in 0..5 {
            misdirect(&eve, &session).await;
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    });
    let job = Toy::new(5);
    let results = coordinator.work_out(&job, 500);
    assert_eq!(essences(results), expected(&job, 500));
    runtime.block_on(rogue).expect("no panic");
    let summary = coordinator.coordinator.summary();
    assert!(summary.shut_out.is_empty(), "{summary}");
}
