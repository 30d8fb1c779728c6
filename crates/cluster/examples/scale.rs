//! Many simulated workers against a real nats-server and a real coordinator, all on this
//! machine: what both of them cost, and whether anybody waits or anything is lost.
//!
//! `scripts/cluster-scale` runs it. Workers are real but for their work: a piece sleeps
//! and then gives bytes that its number decides. They run in processes of their own, so
//! that what the coordinator takes can be told apart.

use cluster::{Access, Coordinator, Identity, Settings, Worker, WorkerOptions};
use std::collections::HashSet;
use std::error::Error;
use std::fs;
use std::io::Read;
use std::net::{TcpListener, TcpStream};
use std::ops::ControlFlow;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};
use work::{
    Assignment, Blobs, BoxedJob, Care, Description, Dispatcher, Job, Kind, Order, Outcome, Piece,
    Portable, Repeatable, StopSignal, Stopping,
};

/// Simulated workers of one process.
const IN_PROCESS: usize = 500;
/// How long workers may take to come.
const PATIENCE: Duration = Duration::from_secs(300);
/// How often a sleeping piece looks whether it is still wanted.
const NAP: Duration = Duration::from_millis(500);
/// How often it is looked how many units wait.
const LOOK_EVERY: Duration = Duration::from_secs(10);

const KIND: Kind = Kind {
    name: "sleep",
    make: |settings, _: &Blobs| Ok(Box::new(Sleep::read(settings)?) as BoxedJob),
};

/// A piece takes so long and gives so many bytes.
#[derive(Clone, Copy)]
struct Sleep {
    milliseconds: u64,
    bytes: usize,
}

impl Sleep {
    fn read(settings: &str) -> Result<Sleep, String> {
        let numbers = settings.split_once(' ').ok_or("two numbers are missing")?;
        let number = |text: &str| text.parse::<u64>().map_err(|error| error.to_string());
        Ok(Sleep {
            milliseconds: number(numbers.0)?,
            bytes: number(numbers.1)? as usize,
        })
    }

    /// Bytes that cannot be compressed much.
    fn result(self, number: u64) -> Vec<u8> {
        let mut state = number.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let bytes = (0..self.bytes).map(|_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            state as u8
        });
        bytes.collect()
    }
}

impl Job for Sleep {
    fn piece_name(&self) -> &'static str {
        "piece"
    }

    fn stack_bytes(&self) -> usize {
        128 << 10
    }

    fn worker(&self, _: usize) -> Box<dyn work::Worker + '_> {
        Box::new(Sleeper(*self))
    }

    fn portable(&self) -> Option<&dyn Portable> {
        Some(self)
    }
}

struct Sleeper(Sleep);

impl work::Worker for Sleeper {
    fn work(&mut self, piece: &Piece, halt: &StopSignal) -> Outcome {
        let end = Instant::now() + Duration::from_millis(self.0.milliseconds);
        while let Some(left) = end.checked_duration_since(Instant::now()) {
            if halt.is_stopped() {
                return Outcome::GivenUp;
            }
            thread::sleep(left.min(NAP));
        }
        Outcome::Done(self.0.result(piece.number))
    }
}

impl Portable for Sleep {
    fn description(&self) -> Result<Description, String> {
        Ok(Description {
            kind: KIND.name,
            settings: format!("{} {}", self.milliseconds, self.bytes),
            blobs: Vec::new(),
            repeatable: Repeatable::Everywhere,
            is_timed: false,
        })
    }

    fn blob(&self, name: &str) -> Result<Vec<u8>, String> {
        Err(format!("there is no blob {name}"))
    }

    fn check(&self, piece: &Piece, result: &[u8], _: Care) -> Result<(), String> {
        match result == self.result(piece.number) {
            true => Ok(()),
            false => Err("it is another piece's".to_owned()),
        }
    }
}

fn identity() -> Identity {
    Identity {
        version: "simulated".to_owned(),
        ..Identity::default()
    }
}

/// Works with so many simulated workers until standard input is closed.
fn work(url: &str, count: usize) -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let stop = StopSignal::new();
    let mut workers = Vec::new();
    for _ in 0..count {
        let options = WorkerOptions {
            access: access(url),
            identity: identity(),
            kinds: vec![KIND],
            threads: 1,
            cache: folder.path().to_owned(),
            cache_bytes: 1 << 20,
        };
        let stop = stop.clone();
        let worker = thread::Builder::new().stack_size(256 << 10);
        workers.push(worker.spawn(move || Worker::run(options, &stop, |_| {}).map(drop))?);
        // Not all at once: this is no test of how many connect in a second.
        thread::sleep(Duration::from_millis(5));
    }
    std::io::stdin().read_to_end(&mut Vec::new())?;
    stop.stop();
    for worker in workers {
        worker.join().map_err(|_| "a worker panicked")??;
    }
    Ok(())
}

fn access(url: &str) -> Access {
    Access {
        url: url.to_owned(),
        credentials: None,
    }
}

/// Ends a process when it is dropped.
struct Mortal(Child);

impl Drop for Mortal {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Starts a nats-server in a folder.
fn serve(folder: &Path, port: u16) -> Result<Mortal, Box<dyn Error>> {
    let sync = match cluster::Server::installed()?.can_sync_always() {
        true => "sync_interval: always",
        false => "",
    };
    let store = folder.join("store");
    let settings = format!(
        "port: {port}\nhost: 127.0.0.1\nmax_payload: 8MB\nmax_connections: 65536\n\
         jetstream {{ store_dir: \"{}\"\n max_file_store: 12GB\n {sync} }}\n",
        store.display()
    );
    let config = folder.join("scale.conf");
    fs::write(&config, settings)?;
    let child = Command::new("nats-server")
        .arg("-c")
        .arg(&config)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    let server = Mortal(child);
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        thread::sleep(Duration::from_millis(50));
    }
    Ok(server)
}

/// What a process has taken so far.
#[derive(Clone, Copy)]
struct Taken {
    cpu_seconds: f64,
    most_megabytes: f64,
}

fn taken(process: &str) -> Result<Taken, Box<dyn Error>> {
    // The 14th and 15th field are hundredths of seconds; the name before may have blanks.
    let text = fs::read_to_string(format!("/proc/{process}/stat"))?;
    let (_, fields) = text.rsplit_once(')').ok_or("no fields")?;
    let fields: Vec<&str> = fields.split_whitespace().collect();
    let ticks: u64 = fields[11].parse::<u64>()? + fields[12].parse::<u64>()?;
    let text = fs::read_to_string(format!("/proc/{process}/status"))?;
    let most = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let most = most.and_then(|words| words.split_whitespace().next());
    Ok(Taken {
        cpu_seconds: ticks as f64 / 100.0,
        most_megabytes: most.ok_or("no memory")?.parse::<f64>()? / 1024.0,
    })
}

/// How many units wait for a worker, looked at every ten seconds.
fn watch(access: &Access, is_over: &AtomicBool) -> Vec<u64> {
    let mut waiting = Vec::new();
    let mut looked = Instant::now();
    while !is_over.load(Ordering::Relaxed) {
        thread::sleep(Duration::from_millis(100));
        if looked.elapsed() > LOOK_EVERY {
            looked = Instant::now();
            let status = cluster::status(access, Duration::from_secs(1));
            let sessions = status.map(|status| status.sessions).unwrap_or_default();
            waiting.extend(sessions.first().map(|session| session.queued));
        }
    }
    waiting
}

/// The whole measurement.
fn measure(workers: usize, seconds: u64, job: Sleep) -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
    let url = format!("nats://127.0.0.1:{port}");
    let server = serve(folder.path(), port)?;
    let server_process = server.0.id().to_string();
    let coordinator =
        Coordinator::connect(&access(&url), identity(), Settings::default(), |event| {
            if event.is_warning() {
                eprintln!("{event}");
            }
        })?;
    let mut crews = Vec::new();
    let mut left = workers;
    while left > 0 {
        let count = left.min(IN_PROCESS);
        left -= count;
        let crew = Command::new(std::env::current_exe()?)
            .args(["work", &url, &count.to_string()])
            .stdin(Stdio::piped())
            .spawn()?;
        crews.push(Mortal(crew));
    }
    let begin = Instant::now();
    while coordinator.at_once() < workers {
        if begin.elapsed() > PATIENCE {
            return Err(format!("only {} workers have come", coordinator.at_once()).into());
        }
        thread::sleep(Duration::from_millis(200));
    }
    eprintln!(
        "{workers} workers after {:.0} s",
        begin.elapsed().as_secs_f64()
    );

    let pieces = workers as u64 * seconds * 1000 / job.milliseconds;
    let before = [taken("self")?, taken(&server_process)?];
    let begin = Instant::now();
    let mut received = HashSet::new();
    let mut wrong = 0;
    let assignment = Assignment {
        job: &job,
        pieces: &mut (0..pieces).map(Piece::numbered),
        order: Order::AsFinished,
        stopping: Stopping::GiveUp,
        stop: &StopSignal::new(),
    };
    let is_over = AtomicBool::new(false);
    let waiting = thread::scope(|scope| {
        let watcher = scope.spawn(|| watch(&access(&url), &is_over));
        let dispatched = coordinator.dispatch(assignment, &mut |done| {
            if let Some(done) = done {
                let is_new = received.insert(done.number);
                wrong += u64::from(!is_new || done.result != job.result(done.number));
            }
            ControlFlow::Continue(())
        });
        is_over.store(true, Ordering::Relaxed);
        let waiting = watcher.join().unwrap_or_default();
        dispatched.map(|()| waiting)
    })?;
    let elapsed = begin.elapsed().as_secs_f64();
    let after = [taken("self")?, taken(&server_process)?];
    let summary = coordinator.summary();
    println!("workers        {workers}, {} at work", summary.workers);
    println!(
        "pieces         {pieces} of {} ms and {} bytes",
        job.milliseconds, job.bytes
    );
    println!(
        "received once  {} right, {wrong} wrong",
        received.len() as u64 - wrong
    );
    println!(
        "time           {elapsed:.1} s, {:.0} pieces/s",
        pieces as f64 / elapsed
    );
    println!(
        "busy           {:.1} % of the workers' time",
        100.0 * summary.seconds / (elapsed * workers as f64)
    );
    println!("queue          units that waited for a worker, every 10 s: {waiting:?}");
    println!(
        "on the way     {} units verified, {} duplicate results, {} units lost",
        summary.confirmed, summary.duplicates, summary.lost
    );
    for (name, (before, after)) in ["coordinator", "server"]
        .into_iter()
        .zip(before.into_iter().zip(after))
    {
        let cpu = after.cpu_seconds - before.cpu_seconds;
        println!(
            "{name:14} {:.2} of a core, {:.0} microseconds a piece, at most {:.0} MB",
            cpu / elapsed,
            1e6 * cpu / pieces as f64,
            after.most_megabytes
        );
    }
    drop(coordinator);
    // Whoever closes the pipe ends the workers in good order.
    for crew in &mut crews {
        drop(crew.0.stdin.take());
    }
    let is_exact = wrong == 0 && received.len() as u64 == pieces;
    is_exact
        .then_some(())
        .ok_or_else(|| "totals are wrong".into())
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words[..] {
        ["work", url, count] => work(url, count.parse()?),
        [workers, seconds, milliseconds, bytes] => {
            let job = Sleep {
                milliseconds: milliseconds.parse()?,
                bytes: bytes.parse()?,
            };
            measure(workers.parse()?, seconds.parse()?, job)
        }
        _ => Err("give WORKERS SECONDS MILLISECONDS-OF-A-PIECE BYTES-OF-A-RESULT".into()),
    }
}
