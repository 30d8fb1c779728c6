//! Requests as browsers and others ask them, without sockets.

mod hostile;
mod run;
mod security;
mod starting;
mod trainings;

use crate::auth::Auth;
use crate::games::Openings;
use crate::run_index::RunIndex;
use crate::server::{Options, Site as Served};
use axum::Router;
use axum::body::Body;
use axum::http::header::HeaderMap;
use axum::http::{Method, Request, StatusCode};
use axum::response::Response;
use http_body_util::BodyExt;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::Arc;
use tempfile::TempDir;
use tower::ServiceExt;

/// A server without a socket.
pub(crate) struct Site {
    pub(crate) folder: TempDir,
    pub(crate) index: Arc<RunIndex>,
    router: Router,
}

/// What came back.
pub(crate) struct Came {
    pub(super) status: StatusCode,
    pub(super) headers: HeaderMap,
    pub(super) text: String,
}

impl Came {
    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.text).unwrap_or_else(|_| panic!("no JSON: {}", self.text))
    }
}

pub(super) const OWN: &str = "127.0.0.1:8470";

impl Site {
    /// A server of an empty folder that listens here, with a token if one is given.
    pub(super) fn new(address: &str, token: Option<&str>) -> Site {
        Site::starting(address, token, Path::new("/no/such/program"))
    }

    /// The same, with another program that works on runs.
    pub(super) fn starting(address: &str, token: Option<&str>, program: &Path) -> Site {
        let folder = tempfile::tempdir().expect("a folder");
        let address: SocketAddr = address.parse().expect("an address");
        let options = Options {
            root: folder.path().to_owned(),
            address,
            program: program.to_owned(),
            version: "test".to_owned(),
            look: |path: &Path| lab::runs::look(path, &train::learners()),
            // Every game whose first positions are known has the same name.
            openings: Openings::new(|boards| {
                (boards.len() > 3).then(|| ["B90".to_owned(), "Test <b>Opening</b>".to_owned()])
            }),
        };
        let served = Served::new(options, Auth::new(address, token));
        Site {
            router: served.router(),
            folder,
            index: served.index,
        }
    }

    pub(crate) fn own() -> Site {
        Site::new(OWN, None)
    }

    /// The beginning of an answer, the rest of which is not read yet.
    pub(super) async fn respond(&self, request: Request<Body>) -> Response {
        let answered = self.router.clone().oneshot(request).await;
        answered.expect("an answer")
    }

    pub(super) async fn send(&self, request: Request<Body>) -> Came {
        let response = self.respond(request).await;
        let (parts, body) = response.into_parts();
        let bytes = body.collect().await.expect("a body").to_bytes();
        Came {
            status: parts.status,
            headers: parts.headers,
            text: String::from_utf8_lossy(&bytes).into_owned(),
        }
    }

    pub(crate) async fn get(&self, path: &str) -> Came {
        let request = Request::get(path).header("host", OWN).body(Body::empty());
        self.send(request.expect("a request")).await
    }

    pub(super) async fn post(&self, path: &str, body: &str) -> Came {
        let request = asked(Method::POST, path).body(Body::from(body.to_owned()));
        self.send(request.expect("a request")).await
    }
}

/// A request as our own page asks it.
pub(super) fn asked(method: Method, path: &str) -> axum::http::request::Builder {
    Request::builder()
        .method(method)
        .uri(path)
        .header("host", OWN)
        .header("origin", format!("http://{OWN}"))
        .header("content-type", "application/json")
}
