//! A group on this machine: a folder of `tabia cluster init`, its server, and workers.

use crate::program::{folder, run_in, tabia};
use cluster::{Access, Credentials};
use std::fs::{self, File};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// No test waits longer for anything.
const PATIENCE: Duration = Duration::from_secs(240);

/// Times of a cluster are a tenth of the usual ones.
pub(super) const QUICK: [&str; 2] = ["--cluster-lease", "3"];

/// Waits until something is so.
pub(super) fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    let begin = Instant::now();
    while !is_so() {
        assert!(begin.elapsed() < PATIENCE, "waited in vain: {what}");
        thread::sleep(Duration::from_millis(20));
    }
}

pub(super) struct Group {
    pub(super) folder: PathBuf,
    pub(super) port: u16,
    server: Option<Child>,
}

impl Group {
    /// A new group with a running server.
    pub(super) fn start(name: &str) -> Group {
        let folder = folder(&format!("cluster/{name}"));
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let port = listener.local_addr().expect("an address").port();
        drop(listener);
        let command = format!("cluster init group --port {port} --workers 9");
        let said = run_in(&folder, &command);
        assert!(said.starts_with("exit 0\n"), "{said}");
        let mut group = Group {
            folder,
            port,
            server: None,
        };
        group.start_server();
        group
    }

    pub(super) fn start_server(&mut self) {
        let group = self.folder.join("group");
        let child = Command::new("nats-server")
            .args(["-c", "nats-server.conf", "-l", "nats-server.log"])
            .current_dir(group)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        self.server = Some(child.expect("nats-server starts"));
        let port = self.port;
        wait_until("the server listens", || {
            TcpStream::connect(("127.0.0.1", port)).is_ok()
        });
    }

    /// Without warning.
    pub(super) fn kill_server(&mut self) {
        if let Some(server) = self.server.take() {
            end(server);
        }
    }

    fn credentials(&self, name: &str) -> PathBuf {
        self.folder
            .join("group/credentials")
            .join(format!("{name}.toml"))
    }

    /// A member of this name, in the words of a command.
    pub(super) fn member(&self, name: &str) -> Vec<String> {
        self.member_at(name, self.port)
    }

    /// The same with another way to the server.
    fn member_at(&self, name: &str, port: u16) -> Vec<String> {
        let creds = self.credentials(name).display().to_string();
        let url = format!("tls://localhost:{port}");
        ["--cluster".to_owned(), url, "--creds".to_owned(), creds].to_vec()
    }

    /// The same for a worker inside this process.
    pub(super) fn access(&self, name: &str) -> Access {
        Access {
            url: format!("tls://localhost:{}", self.port),
            credentials: Some(Credentials::read(&self.credentials(name)).expect("credentials")),
        }
    }

    /// Begins a command whose work the group does.
    pub(super) fn begin(&self, arguments: &[&str]) -> Child {
        let member = self.member("coordinator");
        let member: Vec<&str> = member.iter().map(String::as_str).collect();
        let log = File::create(self.log("coordinator")).expect("a log");
        tabia(&[arguments, &member, &QUICK].concat())
            .current_dir(&self.folder)
            .stdout(Stdio::null())
            .stderr(log)
            .spawn()
            .expect("started")
    }

    /// Does a command's work to its end.
    pub(super) fn finish(&self, arguments: &[&str]) {
        let mut child = self.begin(arguments);
        wait_until("the work is done", || {
            child.try_wait().expect("a process").is_some()
        });
        let status = child.wait().expect("ended");
        assert!(status.success(), "{}", self.words("coordinator"));
    }

    /// Starts a worker with one thread; `port` is another way to the server.
    pub(super) fn worker(&self, name: &str, port: Option<u16>) -> Child {
        let member = self.member_at(name, port.unwrap_or(self.port));
        let member: Vec<&str> = member.iter().map(String::as_str).collect();
        let log = File::create(self.log(name)).expect("a log");
        let own = ["--threads", "1", "--cache", "cache"];
        tabia(&[&["worker"], &member[..], &own].concat())
            .current_dir(&self.folder)
            .stdout(Stdio::null())
            .stderr(log)
            .spawn()
            .expect("started")
    }

    fn log(&self, name: &str) -> PathBuf {
        self.folder.join(format!("{name}.log"))
    }

    /// What somebody has said.
    pub(super) fn words(&self, name: &str) -> String {
        fs::read_to_string(self.log(name)).unwrap_or_default()
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        self.kill_server();
    }
}

/// Ends a process without warning.
pub(super) fn end(mut child: Child) {
    let _ = child.kill();
    child.wait().expect("ended");
}

/// A process that ends with the test, whatever becomes of it.
pub(super) struct Mortal(pub(super) Option<Child>);

impl Mortal {
    pub(super) fn new(child: Child) -> Mortal {
        Mortal(Some(child))
    }

    pub(super) fn end(&mut self) {
        if let Some(child) = self.0.take() {
            end(child);
        }
    }
}

impl Drop for Mortal {
    fn drop(&mut self) {
        self.end();
    }
}

/// All files below a folder that end like this, by their path there.
pub(super) fn files(root: &Path, ends: &[&str]) -> Vec<(PathBuf, Vec<u8>)> {
    let mut found = Vec::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            let name = path.display().to_string();
            if path.is_dir() {
                folders.push(path);
            } else if ends.iter().any(|end| name.ends_with(end)) {
                let bytes = fs::read(&path).expect("a file");
                found.push((path.strip_prefix(root).expect("below").to_owned(), bytes));
            }
        }
    }
    found.sort();
    found
}
