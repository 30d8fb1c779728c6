//! Limits of connections: how many are open, how long a request may take to arrive, and how
//! long a response may wait for the client to read it.
//!
//! Without limits, clients that are slow, asleep or gone would exhaust the server's resources.
//! It must not know the content of requests.

use crate::answer::Problem;
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::convert::Infallible;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::{Instant, Sleep, sleep, timeout};

/// The largest body of a request: a run file, or the moves of a long game.
pub(crate) const MAX_BODY_BYTES: usize = 256 << 10;
/// Bytes of a request line and headers.
const MAX_HEADER_BYTES: usize = 64 << 10;
/// How long to wait after a failed accept, for example without free file descriptors.
const ACCEPT_RETRY: Duration = Duration::from_secs(1);
/// The response to connections beyond the limit.
const REFUSAL: &[u8] = b"HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\n\
    content-type: text/plain; charset=utf-8\r\ncontent-length: 46\r\n\r\n\
    too many connections are open; try again soon\n";

/// The limits of the server.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Connections at once.
    pub(crate) max_connections: usize,
    /// How long the headers of a request may take, and then its body; also the timeout of
    /// idle connections.
    pub(crate) request_timeout: Duration,
    /// How long a write may be blocked by a client that does not read.
    pub(crate) write_timeout: Duration,
}

impl Default for Limits {
    /// A process may usually have 1,024 files open, and models and journals are files.
    fn default() -> Limits {
        Limits {
            max_connections: 768,
            request_timeout: Duration::from_secs(15),
            write_timeout: Duration::from_secs(30),
        }
    }
}

/// Answers on every connection that comes.
pub(crate) async fn serve(listener: TcpListener, router: Router, limits: Limits) -> Infallible {
    let places = Arc::new(Semaphore::new(limits.max_connections));
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            sleep(ACCEPT_RETRY).await;
            continue;
        };
        let Ok(place) = Arc::clone(&places).try_acquire_owned() else {
            // The refusal is sent without waiting for the client.
            let _ = stream.try_write(REFUSAL);
            continue;
        };
        let router = router.clone();
        tokio::spawn(async move {
            let _place = place;
            // A connection that breaks is nobody's fault here.
            let _ = answer_all(stream, router, limits).await;
        });
    }
}

async fn answer_all(stream: TcpStream, router: Router, limits: Limits) -> hyper::Result<()> {
    // Events are small, and wanted at once.
    let _ = stream.set_nodelay(true);
    let timed = TimedStream {
        stream,
        write_timeout: limits.write_timeout,
        waits: None,
    };
    http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.request_timeout)
        .max_buf_size(MAX_HEADER_BYTES)
        .serve_connection(TokioIo::new(timed), TowerToHyperService::new(router))
        .await
}

/// A connection whose writes time out if the client does not read.
struct TimedStream {
    stream: TcpStream,
    write_timeout: Duration,
    /// Since when a write waits.
    waits: Option<Pin<Box<Sleep>>>,
}

impl TimedStream {
    /// Passes on the result of a write, or fails if it has been pending for too long.
    fn judge<T>(
        &mut self,
        context: &mut Context<'_>,
        written: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.waits = None;
            return written;
        }
        let write_timeout = self.write_timeout;
        let waits = self.waits.get_or_insert_with(|| {
            Box::pin(tokio::time::sleep_until(Instant::now() + write_timeout))
        });
        ready!(waits.as_mut().poll(context));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for TimedStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for TimedStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.judge(context, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, slices);
        self.judge(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

/// Reads the body of a request, limited in size and time.
pub(crate) async fn take_body(
    State(limit): State<Duration>,
    request: Request,
    next: Next,
) -> Response {
    let (parts, body) = request.into_parts();
    match timeout(limit, to_bytes(body, MAX_BODY_BYTES)).await {
        Ok(Ok(bytes)) => {
            next.run(Request::from_parts(parts, Body::from(bytes)))
                .await
        }
        Ok(Err(_)) => {
            let words = "the request is too large or incomplete";
            Problem::new(StatusCode::PAYLOAD_TOO_LARGE, words).into_response()
        }
        Err(_) => {
            let words = "request timeout: the request took too long to arrive";
            Problem::new(StatusCode::REQUEST_TIMEOUT, words).into_response()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::middleware::from_fn_with_state;
    use axum::routing::get;
    use std::net::SocketAddr;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    /// A server that says a little, or very much.
    async fn server(limits: Limits) -> SocketAddr {
        let much = || async { "x".repeat(64 << 20) };
        let router = Router::new()
            .route("/", get(async || "here"))
            .route("/much", get(much).post(async |body: String| body))
            .layer(from_fn_with_state(limits.request_timeout, take_body));
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        tokio::spawn(serve(listener, router, limits));
        address
    }

    async fn ask(address: SocketAddr, text: &str) -> TcpStream {
        let mut stream = TcpStream::connect(address).await.expect("a connection");
        stream.write_all(text.as_bytes()).await.expect("room");
        stream
    }

    /// Everything until the server closes; what a closed connection lost does not matter.
    async fn rest(stream: &mut TcpStream) -> String {
        let mut bytes = Vec::new();
        let _ = stream.read_to_end(&mut bytes).await;
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// A connection that was answered and stays open.
    async fn hold(address: SocketAddr) -> TcpStream {
        loop {
            let mut stream = ask(address, "GET / HTTP/1.1\r\nhost: x\r\n\r\n").await;
            let mut buffer = [0; 1024];
            let mut told = Vec::new();
            while let Ok(count @ 1..) = stream.read(&mut buffer).await {
                told.extend_from_slice(&buffer[..count]);
                if told.ends_with(b"here") {
                    return stream;
                }
            }
        }
    }

    const QUESTION: &str = "GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n";

    #[tokio::test]
    async fn a_head_that_does_not_end_is_not_waited_for() {
        let address = server(Limits {
            request_timeout: Duration::from_millis(100),
            ..Limits::default()
        })
        .await;
        for begun in ["", "GET / HT", "GET / HTTP/1.1\r\nhost: x\r\nx-more: "] {
            let mut slow = ask(address, begun).await;
            // It would wait for ever if the server did not close.
            assert!(!rest(&mut slow).await.contains("here"), "{begun}");
        }
        assert!(
            rest(&mut ask(address, QUESTION).await)
                .await
                .contains("here")
        );
    }

    #[tokio::test]
    async fn a_body_that_does_not_end_is_not_waited_for() {
        let address = server(Limits {
            request_timeout: Duration::from_millis(100),
            ..Limits::default()
        })
        .await;
        let post = |body: &str| {
            format!(
                "POST /much HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\
                 content-length: 9\r\n\r\n{body}"
            )
        };
        for begun in ["", "half"] {
            let told = rest(&mut ask(address, &post(begun)).await).await;
            assert!(told.starts_with("HTTP/1.1 408 "), "{told}");
            assert!(told.contains("took too long to arrive"), "{told}");
        }
        let told = rest(&mut ask(address, &post("all of it")).await).await;
        assert!(told.ends_with("all of it"), "{told}");
    }

    #[tokio::test]
    async fn those_who_are_too_many_are_told_so() {
        let address = server(Limits {
            max_connections: 2,
            ..Limits::default()
        })
        .await;
        let held = [hold(address).await, hold(address).await];
        let mut refused = TcpStream::connect(address).await.expect("a connection");
        let told = rest(&mut refused).await;
        assert!(told.starts_with("HTTP/1.1 503") && told.ends_with("try again soon\n"));
        let length = told.split("\r\n\r\n").nth(1).map(str::len);
        assert_eq!(length, Some(46));
        drop(held);
        // Their places are free again as soon as the server sees that they are gone.
        hold(address).await;
    }

    #[tokio::test]
    async fn an_answer_that_nobody_takes_is_given_up() {
        let address = server(Limits {
            max_connections: 1,
            write_timeout: Duration::from_millis(100),
            ..Limits::default()
        })
        .await;
        let much = "GET /much HTTP/1.1\r\nhost: x\r\n\r\n";
        let _stalled = ask(address, much).await;
        // There is one place, and whoever holds it never reads.
        while !rest(&mut ask(address, QUESTION).await)
            .await
            .contains("here")
        {}
    }
}
