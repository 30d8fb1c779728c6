//! One connection to the server: who we are, how we know it, and what its version
//! means.

use crate::credentials::Credentials;
use crate::error::ClusterError;
use crate::names;
use crate::server::ServerVersion;
use async_nats::{Client, ConnectErrorKind, ConnectOptions, Event, jetstream};
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject;
use std::error::Error;
use std::sync::Arc;
use std::time::Duration;

/// How long the first connection may take.
const FIRST_TIMEOUT: Duration = Duration::from_secs(10);
/// How long the server may take to answer a request.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(10);
/// How soon a dead connection is noticed: after two of these without an answer.
const PING_INTERVAL: Duration = Duration::from_secs(10);
/// The longest time between two attempts to connect again.
const MOST_DELAY: Duration = Duration::from_secs(5);

/// Where a group's server is, and what to show there.
#[derive(Clone, Debug)]
pub struct Access {
    /// The address, such as `tls://lab.example.org:4222`.
    pub url: String,
    /// The credentials; none for a server that wants none.
    pub credentials: Option<Credentials>,
}

/// What a connection tells while it lives.
pub(crate) type Listen = dyn Fn(Signal) + Send + Sync;

/// What happens to a connection.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Signal {
    Connected,
    Disconnected,
    /// The server refused something, in its words.
    Refused(String),
}

/// A connection with what is known of its server.
#[derive(Clone)]
pub(crate) struct Connection {
    pub(crate) client: Client,
    pub(crate) jetstream: jetstream::Context,
    pub(crate) version: ServerVersion,
}

impl Access {
    /// The name of this member; one of its own if it has no credentials.
    pub(crate) fn name(&self, fallback: &str) -> String {
        match &self.credentials {
            Some(credentials) => credentials.name.clone(),
            None => fallback.to_owned(),
        }
    }

    /// Connects, and goes on to do so whenever the connection is lost.
    pub(crate) async fn connect(
        &self,
        name: &str,
        listen: Arc<Listen>,
    ) -> Result<Connection, ClusterError> {
        let options = self
            .options()?
            .name(format!("tabia {name}"))
            .custom_inbox_prefix(names::inbox(name))
            .connection_timeout(FIRST_TIMEOUT)
            .request_timeout(Some(REQUEST_TIMEOUT))
            .ping_interval(PING_INTERVAL)
            .reconnect_delay_callback(|attempts| {
                let delay = Duration::from_millis(100) * 2_u32.pow(attempts.min(6) as u32);
                delay.min(MOST_DELAY)
            })
            .event_callback(move |event| {
                let listen = listen.clone();
                async move {
                    match event {
                        Event::Connected => listen(Signal::Connected),
                        Event::Disconnected => listen(Signal::Disconnected),
                        Event::ServerError(error) => listen(Signal::Refused(error.to_string())),
                        _ => {}
                    }
                }
            });
        let client = options
            .connect(self.url.as_str())
            .await
            .map_err(|error| self.explained(&error))?;
        let version = ServerVersion::read(&client.server_info().version);
        let jetstream = jetstream::ContextBuilder::new()
            .timeout(REQUEST_TIMEOUT)
            .ack_timeout(REQUEST_TIMEOUT)
            .build(client.clone());
        Ok(Connection {
            client,
            jetstream,
            version,
        })
    }

    fn options(&self) -> Result<ConnectOptions, ClusterError> {
        let Some(credentials) = &self.credentials else {
            return Ok(ConnectOptions::new());
        };
        let options = ConnectOptions::with_nkey(credentials.seed.clone());
        let Some(ca) = &credentials.ca else {
            return Ok(options);
        };
        let wrong = |problem: String| ClusterError::Connect {
            url: self.url.clone(),
            problem: format!("the certificate in the credentials: {problem}"),
        };
        let mut roots = rustls::RootCertStore::empty();
        for certificate in CertificateDer::pem_slice_iter(ca.as_bytes()) {
            let certificate = certificate.map_err(|error| wrong(error.to_string()))?;
            roots
                .add(certificate)
                .map_err(|error| wrong(error.to_string()))?;
        }
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = rustls::ClientConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map_err(|error| wrong(error.to_string()))?
            .with_root_certificates(roots)
            .with_no_client_auth();
        Ok(options.tls_client_config(config).require_tls(true))
    }

    /// What went wrong, and what may help.
    fn explained(&self, error: &async_nats::ConnectError) -> ClusterError {
        let cause = error.source().map_or_else(String::new, |source| {
            let mut cause: &dyn Error = source;
            while let Some(deeper) = cause.source() {
                cause = deeper;
            }
            format!(": {cause}")
        });
        // The client calls a wrong certificate a failure of input and output.
        let kind = match cause.contains("certificate") {
            true => ConnectErrorKind::Tls,
            false => error.kind(),
        };
        let remedy = match (kind, &self.credentials) {
            (ConnectErrorKind::AuthorizationViolation | ConnectErrorKind::Authentication, None) => {
                "; the server requires credentials: give --creds FILE"
            }
            (ConnectErrorKind::AuthorizationViolation | ConnectErrorKind::Authentication, _) => {
                "; the server does not accept these credentials: ask for new ones"
            }
            (ConnectErrorKind::Tls, None) => {
                "; the certificate of the server is in the \
                credentials: give --creds FILE"
            }
            (ConnectErrorKind::Tls, _) => {
                "; the certificate of the server does not match the credentials or the host name \
                 in the address"
            }
            _ => {
                "; check that nats-server is running there (tabia cluster up starts one on this \
                machine)"
            }
        };
        ClusterError::Connect {
            url: self.url.clone(),
            problem: match cause.is_empty() {
                true => format!("{error}{remedy}"),
                false => format!("{kind}{cause}{remedy}"),
            },
        }
    }
}
