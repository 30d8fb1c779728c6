//! Models and books, by their SHA-256: in the object store of the server, and on the
//! disk of each worker.
//!
//! Workers read the store message by message. The client's own reader would need the
//! right to make consumers, with which a worker could do much more than read.

use crate::connection::Connection;
use crate::error::ClusterError;
use crate::names::{BUCKET, BUCKET_STREAM};
use async_nats::jetstream::object_store::{ObjectInfo, ObjectMetadata, ObjectStore};
use async_nats::jetstream::stream::DirectGetErrorKind;
use base64::Engine;
use base64::prelude::BASE64_URL_SAFE as URL_SAFE;
use futures_util::StreamExt;
use sha2::{Digest, Sha256};
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// Bytes of a message of a blob: small enough for servers with the usual limit of a
/// mebibyte, and large enough that few are needed.
const CHUNK: usize = 512 << 10;
/// No blob is larger.
const MOST_BYTES: usize = 1 << 30;
/// The server's code for a lack of room, and the size below which nothing is of use.
const NO_ROOM: &str = "10047";
const LEAST_BYTES: i64 = 16 << 20;
/// A blob that is older, and that nobody needs, is removed.
const UNUSED: Duration = Duration::from_secs(600);

/// The SHA-256 of bytes, in hexadecimal digits.
pub(crate) fn hash(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn is_hash(name: &str) -> bool {
    name.len() == 64 && name.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Whether something smaller may have room on a server that has refused `bytes`, which
/// are then made fewer.
pub(crate) fn try_smaller(error: &ClusterError, bytes: &mut i64) -> bool {
    let may_fit = error.to_string().contains(NO_ROOM) && *bytes > LEAST_BYTES;
    *bytes /= 4;
    may_fit
}

/// The store, as the coordinator uses it.
#[derive(Clone)]
pub(crate) struct Store(ObjectStore);

impl Store {
    /// Opens the store, or makes it.
    pub(crate) async fn open(
        connection: &Connection,
        most_bytes: u64,
    ) -> Result<Store, ClusterError> {
        let jetstream = &connection.jetstream;
        if let Ok(store) = jetstream.get_object_store(BUCKET).await {
            return Ok(Store(store));
        }
        let mut bytes = most_bytes as i64;
        loop {
            let config = async_nats::jetstream::object_store::Config {
                bucket: BUCKET.to_owned(),
                description: Some("models and books of tabia, by SHA-256".to_owned()),
                max_bytes: bytes,
                num_replicas: 1,
                ..Default::default()
            };
            let made = jetstream.create_object_store(config).await;
            let error = match made {
                Ok(store) => return Ok(Store(store)),
                Err(error) => ClusterError::refused("make the store of models", error),
            };
            if !try_smaller(&error, &mut bytes) {
                return Err(error);
            }
        }
    }

    /// Puts a blob into the store, unless it is there; gives its hash.
    pub(crate) async fn put(&self, bytes: &[u8]) -> Result<String, ClusterError> {
        let name = hash(bytes);
        let known = self.0.info(&name).await;
        if known.is_ok_and(|info| !info.deleted && info.size == bytes.len()) {
            return Ok(name);
        }
        let metadata = ObjectMetadata {
            name: name.clone(),
            chunk_size: Some(CHUNK),
            ..ObjectMetadata::default()
        };
        let mut reader = bytes;
        match self.0.put(metadata, &mut reader).await {
            Ok(_) => Ok(name),
            Err(error) => Err(ClusterError::refused("keep a model or book", error)),
        }
    }

    /// Removes old blobs that none of those who say so needs.
    pub(crate) async fn sweep(&self, needed: &(dyn Fn(&str) -> bool + Sync), age: Duration) {
        let Ok(mut list) = self.0.list().await else {
            return;
        };
        let mut unused = Vec::new();
        while let Some(Ok(info)) = list.next().await {
            let is_old = info.modified.is_none_or(|modified| {
                let modified = SystemTime::from(modified);
                modified.elapsed().unwrap_or_default() >= age
            });
            if is_old && !needed(&info.name) {
                unused.push(info.name);
            }
        }
        for name in unused {
            // Whoever comes next tries again.
            let _ = self.0.delete(&name).await;
        }
    }

    /// Removes blobs that have been unused for a while.
    pub(crate) async fn sweep_old(&self, needed: &(dyn Fn(&str) -> bool + Sync)) {
        self.sweep(needed, UNUSED).await;
    }
}

/// Why a worker has no blob.
#[derive(Debug, thiserror::Error)]
pub(crate) enum BlobError {
    #[error("the blob {0} is not in the store")]
    Missing(String),
    #[error("the blob {0} is damaged in the store")]
    Damaged(String),
    #[error("the server does not respond: {0}")]
    Server(String),
    #[error("{}: {cause}", path.display())]
    Disk { path: PathBuf, cause: io::Error },
}

/// The blobs that a worker keeps on its disk.
#[derive(Clone, Debug)]
pub(crate) struct Cache {
    folder: PathBuf,
    most_bytes: u64,
}

impl Cache {
    /// Opens the folder, which is made if it is not there.
    pub(crate) fn open(folder: &Path, most_bytes: u64) -> Result<Cache, ClusterError> {
        fs::create_dir_all(folder).map_err(|error| ClusterError::file(folder, error))?;
        Ok(Cache {
            folder: folder.to_owned(),
            most_bytes,
        })
    }

    /// A blob from the disk or, if it is not there, from the server. Either way it has
    /// the hash that it should have.
    pub(crate) async fn get(
        &self,
        connection: &Connection,
        name: &str,
    ) -> Result<Vec<u8>, BlobError> {
        if !is_hash(name) {
            return Err(BlobError::Missing(name.chars().take(64).collect()));
        }
        if let Some(bytes) = self.read(name) {
            return Ok(bytes);
        }
        let bytes = fetch(connection, name).await?;
        self.write(name, &bytes).map_err(|cause| BlobError::Disk {
            path: self.folder.clone(),
            cause,
        })?;
        Ok(bytes)
    }

    fn read(&self, name: &str) -> Option<Vec<u8>> {
        let path = self.folder.join(name);
        let bytes = fs::read(&path).ok()?;
        if hash(&bytes) != name {
            // A damaged file would be found damaged again and again.
            let _ = fs::remove_file(&path);
            return None;
        }
        // The youngest are kept longest.
        let file = File::options().append(true).open(&path);
        let _ = file.and_then(|file| file.set_modified(SystemTime::now()));
        Some(bytes)
    }

    fn write(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let mut file = tempfile::NamedTempFile::new_in(&self.folder)?;
        file.write_all(bytes)?;
        file.as_file().sync_all()?;
        file.persist(self.folder.join(name))
            .map_err(|error| error.error)?;
        self.sweep()
    }

    /// Removes the files that were not used for longest, until the rest has room.
    fn sweep(&self) -> io::Result<()> {
        let mut files = Vec::new();
        for entry in fs::read_dir(&self.folder)? {
            let entry = entry?;
            let metadata = entry.metadata()?;
            if is_hash(&entry.file_name().to_string_lossy()) {
                files.push((metadata.modified()?, metadata.len(), entry.path()));
            }
        }
        files.sort_by(|one, other| other.cmp(one));
        let mut sum = 0;
        for (number, (_, size, path)) in files.iter().enumerate() {
            sum += size;
            if sum > self.most_bytes && number > 0 {
                fs::remove_file(path)?;
            }
        }
        Ok(())
    }
}

/// Reads a blob from the store.
async fn fetch(connection: &Connection, name: &str) -> Result<Vec<u8>, BlobError> {
    let stream = connection
        .jetstream
        .get_stream_no_info(BUCKET_STREAM)
        .await
        .map_err(|error| BlobError::Server(error.to_string()))?;
    let subject = format!("$O.{BUCKET}.M.{}", URL_SAFE.encode(name));
    let meta = stream
        .direct_get_last_for_subject(subject)
        .await
        .map_err(|error| match error.kind() {
            DirectGetErrorKind::NotFound => BlobError::Missing(name.to_owned()),
            _ => BlobError::Server(error.to_string()),
        })?;
    let damaged = || BlobError::Damaged(name.to_owned());
    let info: ObjectInfo = serde_json::from_slice(&meta.payload).map_err(|_| damaged())?;
    if info.deleted {
        return Err(BlobError::Missing(name.to_owned()));
    }
    if info.size > MOST_BYTES {
        return Err(damaged());
    }
    let chunks = format!("$O.{BUCKET}.C.{}", info.nuid);
    let mut bytes = Vec::with_capacity(info.size);
    let mut next = 1;
    while bytes.len() < info.size {
        let message = stream
            .direct_get_next_for_subject(chunks.as_str(), Some(next))
            .await
            .map_err(|error| match error.kind() {
                DirectGetErrorKind::NotFound => BlobError::Missing(name.to_owned()),
                _ => BlobError::Server(error.to_string()),
            })?;
        next = message.sequence + 1;
        bytes.extend_from_slice(&message.payload);
    }
    match hash(&bytes) == name {
        true => Ok(bytes),
        false => Err(damaged()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_names() {
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(hash(b"abc"), abc);
        assert!(is_hash(abc) && !is_hash("../../etc/passwd"));
    }

    #[test]
    fn the_cache_is_bounded_and_checks_what_it_reads() {
        let folder = tempfile::tempdir().expect("a folder");
        let cache = Cache::open(&folder.path().join("blobs"), 25).expect("a cache");
        let blobs: Vec<Vec<u8>> = (0..4).map(|number| vec![number; 10]).collect();
        for (number, blob) in blobs.iter().enumerate() {
            let name = hash(blob);
            cache.write(&name, blob).expect("written");
            assert_eq!(cache.read(&name).as_ref(), Some(blob));
            // Whole seconds tell the ages apart on every file system.
            let file = File::options().append(true).open(cache.folder.join(&name));
            let age = Duration::from_secs(100 - 10 * number as u64);
            let long_ago = SystemTime::now() - age;
            file.and_then(|file| file.set_modified(long_ago))
                .expect("set");
        }
        cache.sweep().expect("swept");
        let kept = blobs.iter().map(|blob| cache.read(&hash(blob)).is_some());
        assert_eq!(kept.collect::<Vec<_>>(), [false, false, true, true]);
        let path = cache.folder.join(hash(&blobs[3]));
        fs::write(&path, b"damaged").expect("written");
        assert_eq!(cache.read(&hash(&blobs[3])), None);
        assert!(!path.exists());
    }
}
