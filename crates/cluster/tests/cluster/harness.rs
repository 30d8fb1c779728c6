//! A nats-server of a test, workers on threads, and a coordinator.

use crate::toy::{self, Toy};
use cluster::{
    Access, Coordinator, CoordinatorEvent, Identity, Settings, Worker, WorkerEvent, WorkerOptions,
};
use std::collections::BTreeMap;
use std::fs;
use std::net::TcpListener;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};
use work::{Assignment, DispatchError, Dispatcher, Order, Piece, StopSignal, Stopping};

/// No test waits longer for anything.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

pub(crate) fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.local_addr().expect("an address").port()
}

/// Waits until something is so.
pub(crate) fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let begin = Instant::now();
    while !is_so() {
        assert!(begin.elapsed() < PATIENCE, "waited in vain: {what}");
        thread::sleep(Duration::from_millis(20));
    }
}

/// A nats-server that can be killed and started again.
pub(crate) struct TestServer {
    pub(crate) folder: tempfile::TempDir,
    pub(crate) port: u16,
    config: PathBuf,
    child: Option<Child>,
}

impl TestServer {
    /// A server without credentials.
    pub(crate) fn start() -> TestServer {
        TestServer::with("")
    }

    /// The same with more settings.
    pub(crate) fn with(settings: &str) -> TestServer {
        let folder = tempfile::tempdir().expect("a folder");
        let port = free_port();
        let store = folder.path().join("store");
        let text = format!(
            "port: {port}\nhost: 127.0.0.1\nmax_payload: 8MB\n\
             jetstream {{ store_dir: \"{}\", max_file_store: 12GB }}\n{settings}\n",
            store.display()
        );
        let config = folder.path().join("test.conf");
        fs::write(&config, text).expect("settings");
        TestServer::run(folder, config, port)
    }

    /// A server with settings of its own.
    pub(crate) fn run(folder: tempfile::TempDir, config: PathBuf, port: u16) -> TestServer {
        let mut server = TestServer {
            folder,
            port,
            config,
            child: None,
        };
        server.restart();
        server
    }

    /// Starts it again.
    pub(crate) fn restart(&mut self) {
        assert!(self.child.is_none());
        let log = fs::File::create(self.folder.path().join("log")).expect("a log");
        let child = Command::new("nats-server")
            .arg("-c")
            .arg(&self.config)
            .current_dir(self.config.parent().expect("a folder"))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log)
            .spawn()
            .expect("nats-server starts");
        self.child = Some(child);
        let port = self.port;
        wait_until("the server listens", || {
            std::net::TcpStream::connect(("127.0.0.1", port)).is_ok()
        });
    }

    /// Kills it without warning.
    pub(crate) fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            child.kill().expect("killed");
            child.wait().expect("ended");
        }
    }

    pub(crate) fn access(&self) -> Access {
        Access {
            url: format!("nats://127.0.0.1:{}", self.port),
            credentials: None,
        }
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        self.kill();
    }
}

pub(crate) fn identity() -> Identity {
    Identity {
        version: "test".to_owned(),
        build: "7".to_owned(),
        arithmetic: "plain".to_owned(),
        speed: 1000,
    }
}

/// Quick enough for tests.
pub(crate) fn settings() -> Settings {
    Settings {
        lease: Duration::from_secs(2),
        least_unit: Duration::from_millis(50),
        most_unit: Duration::from_millis(300),
        checked_one_in: 4,
        heartbeat: Duration::from_millis(200),
        result_bytes: 64 << 20,
        blob_bytes: 64 << 20,
    }
}

/// A worker on a thread of this process.
pub(crate) struct TestWorker {
    stop: StopSignal,
    pub(crate) event: Arc<Mutex<Vec<WorkerEvent>>>,
    thread: Option<JoinHandle<Result<u64, String>>>,
    _cache: tempfile::TempDir,
}

impl TestWorker {
    pub(crate) fn start(access: Access) -> TestWorker {
        TestWorker::with(access, identity(), 1, vec![toy::KIND])
    }

    pub(crate) fn with(
        access: Access,
        identity: Identity,
        threads: usize,
        kinds: Vec<work::Kind>,
    ) -> TestWorker {
        let cache = tempfile::tempdir().expect("a folder");
        let stop = StopSignal::new();
        let event: Arc<Mutex<Vec<WorkerEvent>>> = Arc::default();
        let options = WorkerOptions {
            access,
            identity,
            kinds,
            threads,
            cache: cache.path().join("blobs"),
            cache_bytes: 1 << 20,
        };
        let (signal, heard) = (stop.clone(), event.clone());
        let thread = thread::spawn(move || {
            let listen = move |event| heard.lock().expect("no panic").push(event);
            Worker::run(options, &signal, listen).map_err(|error| error.to_string())
        });
        TestWorker {
            stop,
            event,
            thread: Some(thread),
            _cache: cache,
        }
    }

    /// Ends it in good order; how many pieces it has done, or why it ended itself.
    pub(crate) fn stop(mut self) -> Result<u64, String> {
        self.stop.stop();
        let thread = self.thread.take().expect("not stopped before");
        thread.join().expect("no panic")
    }

    pub(crate) fn words(&self) -> Vec<String> {
        let event = self.event.lock().expect("no panic");
        event.iter().map(ToString::to_string).collect()
    }
}

impl Drop for TestWorker {
    fn drop(&mut self) {
        self.stop.stop();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// A coordinator that remembers what it was told.
pub(crate) struct TestCoordinator {
    pub(crate) coordinator: Coordinator,
    pub(crate) event: Arc<Mutex<Vec<CoordinatorEvent>>>,
}

impl TestCoordinator {
    pub(crate) fn connect(access: &Access) -> TestCoordinator {
        TestCoordinator::with(access, settings())
    }

    pub(crate) fn with(access: &Access, settings: Settings) -> TestCoordinator {
        let event: Arc<Mutex<Vec<CoordinatorEvent>>> = Arc::default();
        let heard = event.clone();
        let listen = move |event| heard.lock().expect("no panic").push(event);
        let coordinator = Coordinator::connect(access, identity(), settings, listen);
        TestCoordinator {
            coordinator: coordinator.expect("connected"),
            event,
        }
    }

    pub(crate) fn has_news(&self, is_it: impl Fn(&CoordinatorEvent) -> bool) -> bool {
        self.event.lock().expect("no panic").iter().any(is_it)
    }

    /// Does so many pieces of a job; all results by number.
    pub(crate) fn work(
        &self,
        job: &Toy,
        pieces: u64,
    ) -> Result<BTreeMap<u64, Vec<u8>>, DispatchError> {
        let mut all = BTreeMap::new();
        self.work_with(job, 0..pieces, &StopSignal::new(), &mut |number, result| {
            let twice = all.insert(number, result);
            assert_eq!(twice, None, "piece {number} was received twice");
            ControlFlow::Continue(())
        })?;
        Ok(all)
    }

    /// The same as somebody would who keeps results and strikes out what is withdrawn.
    pub(crate) fn work_out(&self, job: &Toy, pieces: u64) -> BTreeMap<u64, Vec<u8>> {
        let mut all = BTreeMap::new();
        loop {
            let missing: Vec<u64> = (0..pieces).filter(|each| !all.contains_key(each)).collect();
            let done = self.work_on(job, missing, &StopSignal::new(), &mut |number, result| {
                let twice = all.insert(number, result);
                assert_eq!(twice, None, "piece {number} was received twice");
                ControlFlow::Continue(())
            });
            match done {
                Ok(()) => return all,
                Err(DispatchError::Withdrawn { numbers, .. }) => {
                    for number in numbers {
                        assert!(all.remove(&number).is_some(), "{number} was not received");
                    }
                }
                Err(error) => panic!("{error}"),
            }
        }
    }

    /// The same until `receive` has enough or `stop` is given.
    pub(crate) fn work_with(
        &self,
        job: &Toy,
        pieces: std::ops::Range<u64>,
        stop: &StopSignal,
        receive: &mut dyn FnMut(u64, Vec<u8>) -> ControlFlow<()>,
    ) -> Result<(), DispatchError> {
        self.work_on(job, pieces, stop, receive)
    }

    fn work_on(
        &self,
        job: &Toy,
        pieces: impl IntoIterator<Item = u64, IntoIter: Send>,
        stop: &StopSignal,
        receive: &mut dyn FnMut(u64, Vec<u8>) -> ControlFlow<()>,
    ) -> Result<(), DispatchError> {
        let assignment = Assignment {
            job,
            pieces: &mut pieces.into_iter().map(|number| Piece {
                number,
                payload: toy::payload(number),
            }),
            order: Order::AsFinished,
            stopping: Stopping::Finish,
            stop,
        };
        self.coordinator
            .dispatch(assignment, &mut |done| match done {
                Some(done) => receive(done.number, done.result),
                None => ControlFlow::Continue(()),
            })
    }
}

/// The results that a job has, by number.
pub(crate) fn expected(job: &Toy, pieces: u64) -> BTreeMap<u64, Vec<u8>> {
    (0..pieces)
        .map(|number| (number, job.essence_of(number)))
        .collect()
}

/// Without their times.
pub(crate) fn essences(results: BTreeMap<u64, Vec<u8>>) -> BTreeMap<u64, Vec<u8>> {
    let essences = results.into_iter();
    essences
        .map(|(number, result)| (number, toy::essence(&result)))
        .collect()
}
