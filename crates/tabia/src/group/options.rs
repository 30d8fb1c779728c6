//! Where a cluster is and what to show there.

use super::dispatcher::WorkDispatcher;
use crate::exit::WrongInput;
use crate::output::Output;
use clap::Args;
use cluster::{Access, Credentials, Settings};
use std::path::PathBuf;
use std::time::Duration;
use work::Threads;

/// Who does the work: this machine, or the workers of a cluster.
#[derive(Args, Clone, Default)]
pub(crate) struct ClusterOptions {
    /// Let the workers of a cluster do the work: the URL of its server, as printed by `tabia
    /// cluster init`
    #[arg(long, value_name = "URL", value_parser = address)]
    cluster: Option<String>,
    /// The file of the coordinator's credentials for that server
    #[arg(long, value_name = "FILE", requires = "cluster")]
    creds: Option<PathBuf>,
    /// Lease timeout: after this many seconds of silence, the units of a worker go to another
    #[arg(long, value_name = "SECONDS", requires = "cluster", hide = true)]
    #[arg(value_parser = clap::value_parser!(u16).range(1..=3600))]
    cluster_lease: Option<u16>,
    /// Verify one of N units: it is computed twice and compared
    #[arg(long, value_name = "N", requires = "cluster", hide = true)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..=1000))]
    cluster_check: Option<u64>,
}

impl ClusterOptions {
    /// Whoever gives out the work: to a cluster if one is named, else to so many threads
    /// of this process.
    pub(crate) fn dispatcher(
        &self,
        threads: usize,
        output: &Output,
    ) -> anyhow::Result<WorkDispatcher> {
        let Some(url) = &self.cluster else {
            return Ok(WorkDispatcher::Here(Threads::new(threads)));
        };
        let access = access(url, self.creds.as_ref(), Role::Coordinator)?;
        WorkDispatcher::connect(&access, self.settings(), output)
    }

    /// What was typed of these options, to be typed again; nothing if nothing was.
    pub(crate) fn as_typed() -> String {
        typed(std::env::args())
    }

    /// All times of a cluster go with the lease.
    fn settings(&self) -> Settings {
        let usual = Settings::default();
        let lease = self.cluster_lease;
        let lease = lease.map_or(usual.lease, |seconds| Duration::from_secs(seconds.into()));
        let factor = lease.as_secs_f64() / usual.lease.as_secs_f64();
        Settings {
            lease,
            least_unit: usual.least_unit.mul_f64(factor),
            most_unit: usual.most_unit.mul_f64(factor),
            heartbeat: usual.heartbeat.mul_f64(factor.min(1.0)),
            checked_one_in: self.cluster_check.unwrap_or(usual.checked_one_in),
            ..usual
        }
    }
}

fn typed(words: impl Iterator<Item = String>) -> String {
    let mut typed = String::new();
    let mut value_follows = false;
    for word in words {
        let name = word.split_once('=').map_or(word.as_str(), |(name, _)| name);
        let is_ours = ["--cluster", "--creds"].contains(&name);
        if is_ours || value_follows {
            typed.push(' ');
            typed += &shlex::try_quote(&word).unwrap_or_default();
        }
        value_follows = is_ours && name == word;
    }
    typed
}

/// Which cluster is meant.
#[derive(Args)]
pub(crate) struct AccessOptions {
    /// The URL of the cluster's server, as printed by `tabia cluster init`
    #[arg(long, value_name = "URL", value_parser = address)]
    cluster: String,
    /// The credentials file for that server, written by `tabia cluster init`
    #[arg(long, value_name = "FILE")]
    creds: Option<PathBuf>,
}

impl AccessOptions {
    /// The address, and the credentials, which are read and must be of this role.
    pub(crate) fn access(&self, role: Role) -> Result<Access, WrongInput> {
        access(&self.cluster, self.creds.as_ref(), role)
    }
}

/// On which side of a cluster a command is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    Coordinator,
    Worker,
}

fn access(url: &str, creds: Option<&PathBuf>, role: Role) -> Result<Access, WrongInput> {
    let Some(path) = creds else {
        return Ok(Access {
            url: url.to_owned(),
            credentials: None,
        });
    };
    let credentials =
        Credentials::read(path).map_err(|error| WrongInput::new(error.to_string()))?;
    let problem = match (role, credentials.is_of_coordinator()) {
        (Role::Coordinator, false) => "a worker's credentials; use those of the coordinator",
        (Role::Worker, true) => "the coordinator's credentials; use those of a worker",
        _ => {
            return Ok(Access {
                url: url.to_owned(),
                credentials: Some(credentials),
            });
        }
    };
    Err(WrongInput::new(format!(
        "{}: these are {problem}",
        path.display()
    )))
}

/// An address with a scheme that a NATS server knows.
fn address(text: &str) -> Result<String, String> {
    let rest = ["tls://", "nats://", "ws://", "wss://"]
        .iter()
        .find_map(|scheme| text.strip_prefix(scheme));
    match rest {
        Some(rest) if !rest.is_empty() && !rest.contains(char::is_whitespace) => {
            Ok(text.to_owned())
        }
        _ => Err("give an address such as tls://lab.example.org:4222".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_have_a_scheme() {
        assert!(address("tls://localhost:4222").is_ok());
        assert!(address("nats://127.0.0.1").is_ok());
        for wrong in ["localhost:4222", "tls://", "http://x", "tls://a b"] {
            assert!(address(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn what_was_typed_can_be_typed_again() {
        let again = |line: &str| typed(line.split(' ').map(str::to_owned));
        assert_eq!(again("tabia run a.toml --threads 2"), "");
        assert_eq!(
            again("tabia run a.toml --cluster tls://a:1 --creds=b.toml --threads 2"),
            " --cluster tls://a:1 '--creds=b.toml'"
        );
    }

    #[test]
    fn a_short_lease_makes_everything_quicker() {
        let options = ClusterOptions {
            cluster_lease: Some(3),
            ..ClusterOptions::default()
        };
        let settings = options.settings();
        assert_eq!(settings.heartbeat, Duration::from_millis(300));
        assert_eq!(settings.least_unit, Duration::from_millis(500));
        assert_eq!(ClusterOptions::default().settings(), Settings::default());
    }
}
