//! Listens, and hands each question to whoever answers it.

use crate::page::{Options, Page};
use crate::{assets, control, curves, desk, export, games, guard, inside, players, rules, runs};
use crate::{shards, shelf, stream};
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::StatusCode;
use axum::middleware;
use axum::routing::{get, post};
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

/// The largest body of a question: a run file, or the moves of a long game.
const LARGEST_BODY: usize = 256 << 10;
/// How long questions in work may take after the server was told to stop.
const PATIENCE: Duration = Duration::from_secs(1);

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
    page: Arc<Page>,
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
        let guard = guard::Guard::new(address, token.as_deref());
        Ok(Server {
            page: Arc::new(Page::new(options, guard)),
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
        let page = Arc::clone(&self.page);
        let watcher = shelf::watch(Arc::clone(&page));
        let router = router(Arc::clone(&page));
        let served = runtime.block_on(async move {
            let listener = tokio::net::TcpListener::from_std(self.listener)?;
            let stopped = async move {
                while !is_stopped() {
                    tokio::time::sleep(Duration::from_millis(100)).await;
                }
            };
            tokio::select! {
                served = axum::serve(listener, router) => served,
                () = stopped => Ok(()),
            }
        });
        page.desk.close();
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

/// All questions.
pub(crate) fn router(page: Arc<Page>) -> Router {
    let guard = Arc::clone(&page.guard);
    let questions = Router::new()
        .route("/", get(shelf::about))
        .route("/works", get(shelf::list))
        .route("/work", get(runs::work))
        .route("/metrics", get(curves::metrics))
        .route("/curve", get(curves::curve))
        .route("/match", get(games::course))
        .route("/games", get(games::list))
        .route("/game", get(games::game))
        .route("/models", get(players::models))
        .route("/model", get(inside::model))
        .route("/boards", get(inside::boards))
        .route("/belief", post(inside::belief))
        .route("/shard", get(shards::shard))
        .route("/positions", get(shards::positions))
        .route("/position", post(rules::position))
        .route("/answer", post(desk::answer))
        .route("/analyse", post(desk::analyse))
        .route("/analyse/stop", post(desk::stop))
        .route("/presets", get(control::presets))
        .route("/run/start", post(control::start))
        .route("/run/stop", post(control::stop))
        .route("/run/resume", post(control::resume))
        .route("/run/delete", post(control::delete))
        .route("/run/tags", post(control::tags))
        .route("/log", get(control::log))
        .route("/export", get(export::archive))
        .route("/stream", get(stream::stream))
        .fallback(async || (StatusCode::NOT_FOUND, "there is no such question\n"));
    Router::new()
        .nest("/api", questions)
        .fallback(get(assets::file))
        .layer(DefaultBodyLimit::max(LARGEST_BODY))
        .layer(middleware::from_fn_with_state(guard, guard::watch))
        .with_state(page)
}
