//! Some work as one archive, which is made while it is sent.

use crate::answer::Problem;
use crate::run_index::RunIndex;
use axum::Router;
use axum::body::Body;
use axum::extract::{Query, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use flate2::Compression;
use flate2::write::GzEncoder;
use serde::Deserialize;
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::Arc;
use tokio::sync::{Semaphore, mpsc};
use tokio_stream::wrappers::ReceiverStream;

/// Archives at once: each holds a thread as long as it is read.
const MOST_AT_ONCE: usize = 4;
/// Pieces that wait for a slow reader.
const WAITING: usize = 8;
/// Bytes of a piece.
const PIECE: usize = 64 << 10;

/// Which work is asked for.
#[derive(Deserialize)]
struct Asked {
    id: String,
}

async fn archive(
    State(exports): State<Arc<Exports>>,
    Query(asked): Query<Asked>,
) -> Result<Response, Problem> {
    let work = exports.index.find(&asked.id)?;
    let place = Arc::clone(&exports.places).try_acquire_owned();
    let place = place.map_err(|_| Problem::busy("too many exports are running; try again soon"))?;
    let name: String = work
        .id
        .chars()
        .map(|letter| match letter {
            'a'..='z' | 'A'..='Z' | '0'..='9' | '-' | '_' | '.' => letter,
            _ => '-',
        })
        .collect();
    let (sender, receiver) = mpsc::channel(WAITING);
    let folder = name.clone();
    // The thread ends when the reader does: then nothing can be sent any more.
    tokio::task::spawn_blocking(move || {
        let _place = place;
        let failed = sender.clone();
        if let Err(error) = pack(
            &work.folder,
            &folder,
            Pieces {
                sender,
                piece: Vec::new(),
            },
        ) {
            let _ = failed.blocking_send(Err(error));
        }
    });
    let headers = [
        (header::CONTENT_TYPE, "application/gzip".to_owned()),
        (
            header::CONTENT_DISPOSITION,
            format!("attachment; filename=\"{name}.tar.gz\""),
        ),
    ];
    Ok((headers, Body::from_stream(ReceiverStream::new(receiver))).into_response())
}

fn pack(folder: &Path, name: &str, pieces: Pieces) -> io::Result<()> {
    let mut archive = tar::Builder::new(GzEncoder::new(pieces, Compression::fast()));
    append(&mut archive, folder, Path::new(name))?;
    archive.into_inner()?.finish()?.flush()
}

/// Appends what lies in a folder; links are left out.
fn append(archive: &mut tar::Builder<impl Write>, folder: &Path, name: &Path) -> io::Result<()> {
    let mut entries: Vec<_> = std::fs::read_dir(folder)?.collect::<Result<_, _>>()?;
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        let (path, name) = (entry.path(), name.join(entry.file_name()));
        let kind = entry.file_type()?;
        if kind.is_dir() {
            append(archive, &path, &name)?;
        } else if kind.is_file() && !data::file::is_part(&path) {
            append_file(archive, &path, &name)?;
        }
    }
    Ok(())
}

/// Appends a file as it is now: one that a run is writing may grow meanwhile.
fn append_file(archive: &mut tar::Builder<impl Write>, path: &Path, name: &Path) -> io::Result<()> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        Err(error) => return Err(error),
    };
    let metadata = file.metadata()?;
    let mut header = tar::Header::new_gnu();
    header.set_metadata(&metadata);
    let length = metadata.len();
    archive.append_data(
        &mut header,
        name,
        file.take(length).chain(io::repeat(0)).take(length),
    )
}

/// Sends what is written in pieces.
struct Pieces {
    sender: mpsc::Sender<io::Result<Vec<u8>>>,
    piece: Vec<u8>,
}

impl Write for Pieces {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.piece.extend_from_slice(bytes);
        if self.piece.len() >= PIECE {
            self.flush()?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let piece = std::mem::take(&mut self.piece);
        if piece.is_empty() {
            return Ok(());
        }
        let gone = |_| io::Error::from(io::ErrorKind::BrokenPipe);
        self.sender.blocking_send(Ok(piece)).map_err(gone)
    }
}

/// What makes archives.
struct Exports {
    index: Arc<RunIndex>,
    places: Arc<Semaphore>,
}

/// Archives.
pub(crate) fn routes(index: Arc<RunIndex>) -> Router {
    let places = Arc::new(Semaphore::new(MOST_AT_ONCE));
    Router::new()
        .route("/export", get(archive))
        .with_state(Arc::new(Exports { index, places }))
}
