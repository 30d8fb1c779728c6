//! Listens, and hands each question to whoever answers it.

use crate::connections::{self, Limits};
use crate::desk::Desk;
use crate::games::Openings;
use crate::guard::Guard;
use crate::models::Models;
use crate::news::Channel;
use crate::shelf::Shelf;
use crate::{assets, control, curves, desk, export, games, guard, inside, models, news};
use crate::{rules, runs, shards, shelf, workforce};
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

/// How long questions in work may take after the server was told to stop.
const PATIENCE: Duration = Duration::from_secs(1);

/// What a server is told.
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
    /// How openings are called.
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
    #[error("this system has no random numbers for a token: {0}")]
    Random(String),
    /// Threads or sockets fail.
    #[error("the server cannot work: {0}")]
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
        let guard = Guard::new(address, token.as_deref());
        Ok(Server {
            site: Site::new(options, guard),
            listener,
            address,
            token,
        })
    }

    /// What to type into a browser, token included.
    pub fn url(&self) -> String {
        match &self.token {
            Some(token) => format!("http://{}/?token={token}", self.address),
            None => format!("http://{}/", self.address),
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
        let watcher = shelf::watch(Arc::clone(&site.shelf), Arc::clone(&site.channel));
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
        site.desk.close();
        watcher.end();
        runtime.shutdown_timeout(PATIENCE);
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
    pub(crate) shelf: Arc<Shelf>,
    channel: Arc<Channel>,
    desk: Arc<Desk>,
    guard: Arc<Guard>,
    options: Options,
}

impl Site {
    pub(crate) fn new(options: Options, guard: Guard) -> Site {
        let shelf = Arc::new(Shelf::new(&options.root, options.look));
        let channel = Arc::new(Channel::default());
        let models = Arc::new(Models::new(Arc::clone(&shelf)));
        Site {
            desk: Arc::new(Desk::new(models, Arc::clone(&channel))),
            guard: Arc::new(guard),
            shelf,
            channel,
            options,
        }
    }

    /// All questions.
    pub(crate) fn router(&self) -> Router {
        let shelf = || Arc::clone(&self.shelf);
        let models = || Arc::clone(self.desk.models());
        let questions = Router::new()
            .merge(shelf::questions(shelf(), self.options.version.clone()))
            .merge(runs::questions(shelf()))
            .merge(workforce::questions(shelf()))
            .merge(curves::questions(shelf()))
            .merge(games::questions(shelf(), self.options.openings.clone()))
            .merge(models::questions(models()))
            .merge(inside::questions(models()))
            .merge(shards::questions(shelf()))
            .merge(rules::questions())
            .merge(desk::questions(Arc::clone(&self.desk)))
            .merge(control::questions(shelf(), self.options.program.clone()))
            .merge(export::questions(shelf()))
            .merge(news::questions(Arc::clone(&self.channel)))
            .fallback(async || (StatusCode::NOT_FOUND, "there is no such question\n"));
        Router::new()
            .nest("/api", questions)
            .fallback(get(assets::file))
            .layer(middleware::from_fn_with_state(
                Limits::default().question,
                connections::take_body,
            ))
            .layer(middleware::from_fn_with_state(
                Arc::clone(&self.guard),
                guard::watch,
            ))
    }
}
