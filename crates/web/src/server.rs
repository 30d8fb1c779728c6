//! The HTTP server: listens, and routes each request to its module.

use crate::auth::Auth;
use crate::connections::{self, Limits};
use crate::event_stream::EventStream;
use crate::games::Openings;
use crate::models::Models;
use crate::run_index::RunIndex;
use crate::searches::SearchPool;
use crate::{assets, auth, control, curves, event_stream, export, games, inspection, models};
use crate::{cluster_status, rules, run_index, runs, searches, shards};
use axum::Router;
use axum::http::StatusCode;
use axum::middleware;
use axum::routing::get;
use lab::LabError;
use lab::runs::Overview;
use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// How long running requests may take after the server was told to stop.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(1);

/// The configuration of a server.
#[derive(Clone, Debug)]
pub struct Options {
    /// The folder in which runs lie, or folders of them.
    pub root: PathBuf,
    /// Where it listens; port 0 is any that is free.
    pub address: SocketAddr,
    /// The program that works on runs: this one.
    pub program: PathBuf,
    /// Its version.
    pub version: String,
    /// How a run is read, by those who know all learners.
    pub look: fn(&Path) -> Result<Overview, LabError>,
    /// The names of openings.
    pub openings: Openings,
}

/// Why there is no page.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The address cannot be used.
    #[error("cannot listen on {address}: {cause}; choose another with --port")]
    Listen {
        /// Which one.
        address: SocketAddr,
        /// Why.
        cause: io::Error,
    },
    /// There is no chance for a token.
    #[error("cannot generate a random token: {0}")]
    Random(String),
    /// Threads or sockets fail.
    #[error("the server failed: {0}")]
    System(#[from] io::Error),
}

/// A server that listens.
pub struct Server {
    site: Site,
    listener: std::net::TcpListener,
    address: SocketAddr,
    token: Option<String>,
}

impl Server {
    /// Begins to listen. An address that others can reach gets a token.
    ///
    /// # Errors
    /// If the address cannot be used.
    pub fn bind(options: Options) -> Result<Server, ServeError> {
        let listen = |cause| ServeError::Listen {
            address: options.address,
            cause,
        };
        let listener = std::net::TcpListener::bind(options.address).map_err(listen)?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let token = match address.ip().is_loopback() {
            true => None,
            false => Some(random_token()?),
        };
        let auth = Auth::new(address, token.as_deref());
        Ok(Server {
            site: Site::new(options, auth),
            listener,
            address,
            token,
        })
    }

    /// What to type into a browser, token included.
    pub fn url(&self) -> String {
        match &self.token {
            Some(token) => format!("http://{}/?token={token}", self.reachable()),
            None => format!("http://{}/", self.address),
        }
    }

    /// What others call this address: one that stands for all of the machine's is no
    /// place to go to, so its name is used where the system tells it.
    fn reachable(&self) -> String {
        let name = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
        match self.address.ip().is_unspecified() && !name.trim().is_empty() {
            true => format!("{}:{}", name.trim(), self.address.port()),
            false => self.address.to_string(),
        }
    }

    /// Whether the page was built into this program.
    pub fn has_page() -> bool {
        assets::is_built()
    }

    /// Answers until `is_stopped` says so; it is asked several times a second.
    ///
    /// # Errors
    /// If threads or sockets fail.
    pub fn run(self, is_stopped: impl Fn() -> bool + Send + 'static) -> Result<(), ServeError> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .max_blocking_threads(16)
            .enable_all()
            .build()?;
        let site = self.site;
        let watcher = run_index::watch(Arc::clone(&site.index), Arc::clone(&site.events));
        let router = site.router();
        let served = runtime.block_on(async move {
            let listener = tokio::net::TcpListener::from_std(self.listener)?;
            let stopped = async move {
                while !is_stopped() {
                    tokio::time::sleep(Duration::from_millis(100)).await;
                }
            };
            tokio::select! {
                never = connections::serve(listener, router, Limits::default()) => match never {},
                () = stopped => Ok::<(), io::Error>(()),
            }
        });
        site.searches.close();
        watcher.end();
        runtime.shutdown_timeout(SHUTDOWN_TIMEOUT);
        Ok(served?)
    }
}

fn random_token() -> Result<String, ServeError> {
    let mut bytes = [0; 24];
    getrandom::fill(&mut bytes).map_err(|error| ServeError::Random(error.to_string()))?;
    Ok(blake3::hash(&bytes).to_hex()[..40].to_owned())
}

/// What a server is made of.
pub(crate) struct Site {
    pub(crate) index: Arc<RunIndex>,
    events: Arc<EventStream>,
    searches: Arc<SearchPool>,
    auth: Arc<Auth>,
    options: Options,
}

impl Site {
    pub(crate) fn new(options: Options, auth: Auth) -> Site {
        let index = Arc::new(RunIndex::new(&options.root, options.look));
        let events = Arc::new(EventStream::default());
        let models = Arc::new(Models::new(Arc::clone(&index)));
        Site {
            searches: Arc::new(SearchPool::new(models, Arc::clone(&events))),
            auth: Arc::new(auth),
            index,
            events,
            options,
        }
    }

    /// The routes of all requests.
    pub(crate) fn router(&self) -> Router {
        let index = || Arc::clone(&self.index);
        let models = || Arc::clone(self.searches.models());
        let routes = Router::new()
            .merge(run_index::routes(index(), self.options.version.clone()))
            .merge(runs::routes(index()))
            .merge(cluster_status::routes(index()))
            .merge(curves::routes(index()))
            .merge(games::routes(index(), self.options.openings.clone()))
            .merge(models::routes(models()))
            .merge(inspection::routes(models()))
            .merge(shards::routes(index()))
            .merge(rules::routes())
            .merge(searches::routes(Arc::clone(&self.searches)))
            .merge(control::routes(index(), self.options.program.clone()))
            .merge(export::routes(index()))
            .merge(event_stream::routes(Arc::clone(&self.events)))
            .fallback(async || (StatusCode::NOT_FOUND, "there is no such request\n"));
        Router::new()
            .nest("/api", routes)
            .fallback(get(assets::file))
            .layer(middleware::from_fn_with_state(
                Limits::default().request_timeout,
                connections::take_body,
            ))
            .layer(middleware::from_fn_with_state(
                Arc::clone(&self.auth),
                auth::authorize,
            ))
    }
}
