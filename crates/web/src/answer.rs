//! Responses as JSON, and errors. It must not know the content of requests.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use lab::LabError;
use serde::Serialize;

/// Why a request has no answer, in words for people.
#[derive(Debug)]
pub(crate) struct Problem {
    pub(crate) status: StatusCode,
    pub(crate) words: String,
}

/// What is sent.
#[derive(Serialize)]
struct Said<'a> {
    problem: &'a str,
}

impl Problem {
    /// The request cannot be understood, or asks for too much.
    pub(crate) fn wrong(words: impl Into<String>) -> Problem {
        Problem::new(StatusCode::BAD_REQUEST, words)
    }

    /// There is no such thing.
    pub(crate) fn missing(words: impl Into<String>) -> Problem {
        Problem::new(StatusCode::NOT_FOUND, words)
    }

    /// Not now.
    pub(crate) fn busy(words: impl Into<String>) -> Problem {
        Problem::new(StatusCode::TOO_MANY_REQUESTS, words)
    }

    /// It does not fit what is there.
    pub(crate) fn conflict(words: impl Into<String>) -> Problem {
        Problem::new(StatusCode::CONFLICT, words)
    }

    pub(crate) fn new(status: StatusCode, words: impl Into<String>) -> Problem {
        Problem {
            status,
            words: words.into(),
        }
    }
}

impl From<LabError> for Problem {
    fn from(error: LabError) -> Problem {
        Problem::new(StatusCode::UNPROCESSABLE_ENTITY, error.to_string())
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let said = Said {
            problem: &self.words,
        };
        (self.status, Json(said)).into_response()
    }
}

/// What a request is answered with.
pub(crate) type Answer<T> = Result<Json<T>, Problem>;

/// Answers a request that reads files or computes, away from the threads that listen.
pub(crate) async fn answer<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Problem> + Send + 'static,
) -> Answer<T> {
    match tokio::task::spawn_blocking(work).await {
        Ok(result) => result.map(Json),
        Err(_) => Err(Problem::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "this request failed unexpectedly; the server keeps running",
        )),
    }
}
