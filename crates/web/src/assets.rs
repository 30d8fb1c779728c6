//! The page as it was built, embedded into the program. A program that was built without
//! Node has none, and says so.

use axum::http::header::{self, HeaderMap, HeaderValue};
use axum::http::{StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use rust_embed::RustEmbed;

#[derive(RustEmbed)]
#[folder = "page/dist"]
#[allow_missing = true]
struct Built;

const INDEX: &str = "index.html";

/// What is seen instead of the page if it was not built.
const PLAIN: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\">\
<title>Tabia</title><h1>Tabia</h1>\
<p>This program was built without its page. With Node 20 or newer, run <code>make web</code> \
in the repository and build again; a release has the page.</p>\
<p>All data are available as JSON: <a href=\"/api/works\">/api/works</a> lists the contents of the folder, <a href=\"/api\">/api</a> the available requests.</p></html>\n";

/// A file of the page; any path without a dot is the page itself, which reads the rest.
pub(crate) async fn file(uri: Uri, headers: HeaderMap) -> Response {
    let path = uri.path().trim_start_matches('/');
    let name = match path.contains('.') {
        true => path,
        false => INDEX,
    };
    let takes_gzip = headers
        .get(header::ACCEPT_ENCODING)
        .and_then(|value| value.to_str().ok())
        .is_some_and(|value| value.contains("gzip"));
    let packed = takes_gzip
        .then(|| Built::get(&format!("{name}.gz")))
        .flatten();
    let is_packed = packed.is_some();
    let Some(found) = packed.or_else(|| Built::get(name)) else {
        return match name {
            INDEX => (html(), PLAIN).into_response(),
            _ => (StatusCode::NOT_FOUND, "there is no such file\n").into_response(),
        };
    };
    let mut response = found.data.into_owned().into_response();
    let answered = response.headers_mut();
    answered.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind(name)));
    // Names do not change with what they hold: browsers ask again.
    answered.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    answered.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    if is_packed {
        answered.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    }
    response
}

fn html() -> [(header::HeaderName, &'static str); 1] {
    [(header::CONTENT_TYPE, kind(INDEX))]
}

fn kind(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("txt") => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

/// Whether the page was built.
pub(crate) fn is_built() -> bool {
    Built::get(INDEX).is_some()
}
