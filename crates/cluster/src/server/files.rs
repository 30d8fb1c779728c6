//! The files of a group: settings of nats-server, certificates, and credentials with
//! the rights of each member.

use super::version::ServerVersion;
use crate::credentials::{COORDINATOR, Credentials};
use crate::error::ClusterError;
use crate::names::{self, is_worker_name};
use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, DnType, IsCa, KeyPair, KeyUsagePurpose,
};
use std::fs::{self, OpenOptions};
use std::io::Write;
use std::net::IpAddr;
use std::path::{Path, PathBuf};

/// The settings of nats-server.
pub(super) const CONFIG_FILE: &str = "nats-server.conf";
const CERTIFICATE_FILE: &str = "server-certificate.pem";
const KEY_FILE: &str = "server-key.pem";
/// Where the server keeps its streams.
pub(super) const STORE_FOLDER: &str = "jetstream";
/// Where credentials are.
const CREDENTIALS_FOLDER: &str = "credentials";

/// A new group.
#[derive(Clone, Debug)]
pub struct ServerFiles {
    /// The folder of all files; it must not hold a group already.
    pub folder: PathBuf,
    /// The names and addresses by which members reach the server.
    pub hosts: Vec<String>,
    /// Its port.
    pub port: u16,
    /// The names of the workers.
    pub workers: Vec<String>,
    /// The most bytes that the server keeps on its disk.
    pub store_bytes: u64,
    /// The version of the nats-server that will read the settings.
    pub version: ServerVersion,
}

impl ServerFiles {
    /// Writes all files. Nothing that is there is overwritten.
    ///
    /// # Errors
    /// If a name cannot be used, or a file cannot be written.
    pub fn write(&self) -> Result<(), ClusterError> {
        for (number, name) in self.workers.iter().enumerate() {
            if !is_worker_name(name) || name == COORDINATOR {
                return Err(ClusterError::Server(format!(
                    "'{name}' is not a valid worker name: use letters, digits, - and _"
                )));
            }
            if self.workers[..number].contains(name) {
                return Err(ClusterError::Server(format!(
                    "two workers are named '{name}': give each its own name"
                )));
            }
        }
        let credentials = self.folder.join(CREDENTIALS_FOLDER);
        fs::create_dir_all(&credentials)
            .map_err(|error| ClusterError::file(&credentials, error))?;
        let Certificates { ca, chain, key } = certificates(&self.hosts).map_err(|problem| {
            ClusterError::Server(format!("cannot make certificates: {problem}"))
        })?;
        let mut members = vec![Credentials::new(COORDINATOR, &ca)?];
        for name in &self.workers {
            members.push(Credentials::new(name, &ca)?);
        }
        // The settings come last: a folder that has them is whole.
        for member in &members {
            let path = self.credentials_of(&member.name);
            write_new(&path, &member.to_text(), Secrecy::Secret)?;
        }
        write_new(&self.folder.join(CERTIFICATE_FILE), &chain, Secrecy::Open)?;
        write_new(&self.folder.join(KEY_FILE), &key, Secrecy::Secret)?;
        let path = self.folder.join(CONFIG_FILE);
        write_new(&path, &self.settings(&members)?, Secrecy::Open)
    }

    /// The file of the coordinator's credentials.
    pub fn coordinator(&self) -> PathBuf {
        self.credentials_of(COORDINATOR)
    }

    /// The file of a worker's credentials.
    pub fn credentials_of(&self, name: &str) -> PathBuf {
        let folder = self.folder.join(CREDENTIALS_FOLDER);
        folder.join(format!("{name}.toml"))
    }

    /// The address that members use.
    pub fn url(&self) -> String {
        let host = self.hosts.first().map_or("localhost", String::as_str);
        match host.parse() {
            Ok(IpAddr::V6(address)) => format!("tls://[{address}]:{}", self.port),
            _ => format!("tls://{host}:{}", self.port),
        }
    }

    fn settings(&self, members: &[Credentials]) -> Result<String, ClusterError> {
        let sync = match self.version.can_sync_always() {
            true => {
                "    # Nothing is acknowledged before it is on disk.\n    sync_interval: always\n"
            }
            false => {
                "    # Add this line once nats-server is 2.10 or newer:\n    # sync_interval: always\n"
            }
        };
        let mut users = String::new();
        for member in members {
            let key = member.public_key().map_err(ClusterError::Server)?;
            let name = &member.name;
            users.push_str(&match name == COORDINATOR {
                true => format!("    # {name}: everything of this group\n    {{ nkey: {key} }}\n"),
                false => format!(
                    "    # {name}\n    {{ nkey: {key}, permissions: {{\n{}    }} }}\n",
                    rights(name)
                ),
            });
        }
        Ok(format!(
            "# The server of a tabia cluster: nats-server -c {CONFIG_FILE}, in this folder.\n\
             # To remove a worker, delete its user below and reload the server:\n\
             # nats-server --signal reload\n\
             \n\
             server_name: tabia\n\
             port: {port}\n\
             # Units and results are at most this large; blobs come in chunks.\n\
             max_payload: 8MB\n\
             max_connections: 65536\n\
             # Connections that are silent for this long are closed.\n\
             ping_interval: \"20s\"\n\
             ping_max: 3\n\
             write_deadline: \"10s\"\n\
             \n\
             jetstream {{\n\
             \x20   store_dir: \"{STORE_FOLDER}\"\n\
             \x20   max_memory_store: 64MB\n\
             \x20   max_file_store: {store}\n\
             {sync}\
             }}\n\
             \n\
             tls {{\n\
             \x20   cert_file: \"{CERTIFICATE_FILE}\"\n\
             \x20   key_file: \"{KEY_FILE}\"\n\
             }}\n\
             \n\
             authorization {{\n\
             \x20   timeout: 5\n\
             \x20   users: [\n\
             {users}\
             \x20   ]\n\
             }}\n",
            port = self.port,
            store = self.store_bytes,
        ))
    }
}

/// What a worker may do: take units, keep and give back leases, hand in results under
/// its own name, read blobs, and hear what is meant for it. Nothing else, and above all
/// nothing that makes, changes or reads streams or consumers.
fn rights(name: &str) -> String {
    let publish = [
        names::result(name, ">"),
        names::worker(name),
        format!("$JS.API.CONSUMER.MSG.NEXT.{}.*", names::WORK_STREAM),
        format!("$JS.ACK.{}.>", names::WORK_STREAM),
        // The same in the form of servers with domains.
        format!("$JS.ACK.*.*.{}.>", names::WORK_STREAM),
        format!("$JS.API.DIRECT.GET.{}", names::BUCKET_STREAM),
        format!("$JS.API.DIRECT.GET.{}.>", names::BUCKET_STREAM),
    ];
    let subscribe = [
        format!("{}.>", names::inbox(name)),
        names::ALL_SESSIONS.to_owned(),
        names::ask(name),
        names::PING.to_owned(),
    ];
    let list = |subjects: &[String]| {
        let quoted = subjects.iter().map(|subject| format!("\"{subject}\""));
        quoted.collect::<Vec<_>>().join(", ")
    };
    format!(
        "        publish: [{}]\n        subscribe: [{}]\n",
        list(&publish),
        list(&subscribe)
    )
}

struct Certificates {
    /// The certificate that signs, which members get.
    ca: String,
    /// The server's own, and the one above it.
    chain: String,
    key: String,
}

/// A certificate that signs, and one for the server that it has signed: a certificate
/// that signs itself is not accepted as a server's.
fn certificates(hosts: &[String]) -> Result<Certificates, rcgen::Error> {
    let mut ca = CertificateParams::new(Vec::new())?;
    ca.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
    ca.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
    ca.distinguished_name
        .push(DnType::CommonName, "tabia cluster");
    let ca = CertifiedIssuer::self_signed(ca, KeyPair::generate()?)?;
    let mut server = CertificateParams::new(hosts.to_vec())?;
    server
        .distinguished_name
        .push(DnType::CommonName, "nats-server of a tabia cluster");
    server.use_authority_key_identifier_extension = true;
    let key = KeyPair::generate()?;
    let signed = server.signed_by(&key, &ca)?;
    Ok(Certificates {
        chain: format!("{}{}", signed.pem(), ca.pem()),
        ca: ca.pem(),
        key: key.serialize_pem(),
    })
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Secrecy {
    Open,
    /// Only the owner may read it.
    Secret,
}

fn write_new(path: &Path, text: &str, secrecy: Secrecy) -> Result<(), ClusterError> {
    let wrong = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::AlreadyExists => {
            ClusterError::file(path, "it already exists; give another folder")
        }
        _ => ClusterError::file(path, error),
    };
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    if secrecy == Secrecy::Secret {
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    }
    #[cfg(not(unix))]
    let _ = secrecy;
    let mut file = options.open(path).map_err(wrong)?;
    file.write_all(text.as_bytes())
        .and_then(|()| file.sync_all())
        .map_err(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(folder: &Path) -> ServerFiles {
        ServerFiles {
            folder: folder.to_owned(),
            hosts: vec!["localhost".to_owned(), "127.0.0.1".to_owned()],
            port: 4222,
            workers: vec!["anna".to_owned(), "bob".to_owned()],
            store_bytes: 1 << 30,
            version: ServerVersion::read("2.12.0"),
        }
    }

    #[test]
    fn a_group_is_written_once() {
        let folder = tempfile::tempdir().expect("a folder");
        let files = files(folder.path());
        files.write().expect("written");
        let settings = fs::read_to_string(folder.path().join(CONFIG_FILE)).expect("settings");
        assert!(settings.contains("sync_interval: always"));
        let anna = Credentials::read(&files.credentials_of("anna")).expect("credentials");
        let key = anna.public_key().expect("a key");
        assert!(settings.contains(&format!("# anna\n    {{ nkey: {key}, permissions")));
        assert!(!settings.contains(&anna.seed), "a secret left its file");
        assert!(settings.contains("\"tabia.result.anna.>\""));
        assert_eq!(files.url(), "tls://localhost:4222");
        let again = files.write().expect_err("there already").to_string();
        assert!(again.contains("give another folder"), "{again}");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let metadata = fs::metadata(files.credentials_of("anna")).expect("a file");
            assert_eq!(metadata.permissions().mode() & 0o077, 0);
        }
    }

    #[test]
    fn names_of_workers_are_checked() {
        let folder = tempfile::tempdir().expect("a folder");
        for workers in [&["a.b"][..], &["coordinator"], &["a", "a"]] {
            let mut files = files(&folder.path().join("x"));
            files.workers = workers.iter().map(|name| (*name).to_owned()).collect();
            assert!(files.write().is_err(), "{workers:?}");
            assert!(!files.folder.exists(), "nothing is written");
        }
    }

    #[test]
    fn an_old_server_gets_no_setting_that_it_does_not_know() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut files = files(folder.path());
        files.version = ServerVersion::read("2.9.10");
        let settings = files.settings(&[]).expect("settings");
        assert!(settings.contains("# sync_interval: always"));
    }
}
