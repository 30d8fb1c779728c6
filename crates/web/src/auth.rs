//! Authentication: checks of host, origin and token, and the security headers of responses.
//!
//! A page that listens on this machine alone must still not trust every browser on it:
//! other sites may make a browser send requests here, or have a name of theirs point here.
//! It must not know the content of requests.

use crate::answer::Problem;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use axum::http::{Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::net::SocketAddr;
use std::sync::Arc;

/// No longer request makes sense.
const LONGEST_URI: usize = 16 << 10;
/// The cookie that carries the token.
const COOKIE: &str = "tabia-token";

/// Scripts, styles and data come from here alone; pieces are pictures within the styles.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
    img-src 'self' data:; connect-src 'self'; font-src 'self'; manifest-src 'self'; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// The access rules of a server.
#[derive(Clone, Debug)]
pub(crate) struct Auth {
    address: SocketAddr,
    /// The hash of the token that others must know; none on this machine alone.
    token: Option<blake3::Hash>,
}

impl Auth {
    /// A server that listens here, with its token if it is not for this machine alone.
    pub(crate) fn new(address: SocketAddr, token: Option<&str>) -> Auth {
        Auth {
            address,
            token: token.map(|token| blake3::hash(token.as_bytes())),
        }
    }

    /// Whether a `Host` names this server, so that no foreign name can.
    fn is_own_host(&self, host: &str) -> bool {
        let port = self.address.port();
        let own = |name: &str| host == format!("{name}:{port}") || port == 80 && host == name;
        match self.address.ip().is_loopback() {
            true => ["127.0.0.1", "localhost", "[::1]"].into_iter().any(own),
            // The token says who may ask; names of machines are many.
            false => !host.is_empty(),
        }
    }

    /// Whether a token is the one.
    fn accepts_token(&self, token: &str) -> bool {
        // Hashes are compared in constant time.
        let said = blake3::hash(token.as_bytes());
        self.token.is_none_or(|own| own == said)
    }

    /// Refuses what must not be answered.
    fn check(&self, request: &Request) -> Result<(), Problem> {
        let refuse = |words: &str| Err(Problem::new(StatusCode::FORBIDDEN, words));
        if request.uri().to_string().len() > LONGEST_URI {
            return Err(Problem::new(
                StatusCode::URI_TOO_LONG,
                "the address is too long",
            ));
        }
        let host = text(request.headers(), &header::HOST).unwrap_or_default();
        if !self.is_own_host(host) {
            return refuse("unknown host name; use the address that the server printed");
        }
        let is_reading = matches!(*request.method(), Method::GET | Method::HEAD);
        if !is_reading {
            let origin = text(request.headers(), &header::ORIGIN);
            let is_own = |origin: &str| {
                // A proxy in front of a server for others may add encryption.
                let encrypted = origin.strip_prefix("https://");
                let encrypted = encrypted.filter(|_| self.token.is_some());
                origin.strip_prefix("http://").or(encrypted) == Some(host)
            };
            if !origin.is_none_or(is_own) {
                return refuse("cross-site requests are not allowed");
            }
            let site = text(
                request.headers(),
                &HeaderName::from_static("sec-fetch-site"),
            );
            if site.is_some_and(|site| site != "same-origin" && site != "none") {
                return refuse("cross-site requests are not allowed");
            }
        }
        match self.token.is_none()
            || tokens(request.headers()).any(|token| self.accepts_token(token))
        {
            true => Ok(()),
            false => Err(Problem::new(
                StatusCode::UNAUTHORIZED,
                "a token is required; open the address that the server printed",
            )),
        }
    }

    /// The first visit brings the token in the address; it is kept as a cookie and leaves
    /// the address, which others may see.
    fn log_in(&self, request: &Request) -> Option<Response> {
        let query = request.uri().query()?;
        let mut pairs = query.split('&').filter_map(|pair| pair.split_once('='));
        let (_, token) = pairs.find(|(key, _)| *key == "token")?;
        if request.uri().path() != "/" || self.token.is_none() || !self.accepts_token(token) {
            return None;
        }
        let cookie = format!("{COOKIE}={token}; HttpOnly; SameSite=Strict; Path=/");
        let headers = [
            (header::LOCATION, "/".to_owned()),
            (header::SET_COOKIE, cookie),
        ];
        Some((StatusCode::SEE_OTHER, headers).into_response())
    }
}

fn text<'a>(headers: &'a HeaderMap, name: &HeaderName) -> Option<&'a str> {
    headers.get(name).map(|value| value.to_str().unwrap_or("?"))
}

/// The tokens of a request.
fn tokens(headers: &HeaderMap) -> impl Iterator<Item = &str> {
    let bearer =
        text(headers, &header::AUTHORIZATION).and_then(|value| value.strip_prefix("Bearer "));
    let cookies = text(headers, &header::COOKIE).unwrap_or_default();
    let cookies = cookies.split(';').filter_map(|cookie| {
        let (name, value) = cookie.trim().split_once('=')?;
        (name == COOKIE).then_some(value)
    });
    bearer.into_iter().chain(cookies)
}

/// Middleware that passes or refuses a request, and adds the headers of its response.
pub(crate) async fn authorize(
    State(auth): State<Arc<Auth>>,
    request: Request<Body>,
    next: Next,
) -> Response {
    let mut response = match auth.log_in(&request) {
        Some(response) => response,
        None => match auth.check(&request) {
            Ok(()) => next.run(request).await,
            Err(problem) => problem.into_response(),
        },
    };
    let headers = response.headers_mut();
    let fixed = [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::REFERRER_POLICY, "no-referrer"),
        (
            HeaderName::from_static("cross-origin-resource-policy"),
            "same-origin",
        ),
        (
            HeaderName::from_static("cross-origin-opener-policy"),
            "same-origin",
        ),
    ];
    for (name, value) in fixed {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers
        .entry(header::CACHE_CONTROL)
        .or_insert(HeaderValue::from_static("no-store"));
    response
}
