//! Streams that may never say anything, read so that a request to stop is heard.
//!
//! It must not know what is read.

use crate::interruption;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::thread;
use std::time::Duration;

/// How much is read at once.
const BLOCK: usize = 1 << 16;

/// How many blocks may wait to be taken.
const WAITING_BLOCKS: usize = 4;

/// How soon a request to stop is heard.
const ATTENTION: Duration = Duration::from_millis(50);

/// Whether a path names something that may block those who open or read it, or that can be
/// read only once: standard input (`-`), a pipe or a device.
pub(crate) fn is_stream(path: &Path) -> bool {
    let is_one = |kind: std::fs::Metadata| !kind.is_file() && !kind.is_dir();
    path == Path::new("-") || path.metadata().is_ok_and(is_one)
}

/// A stream that a thread of its own opens and reads. The thread ends with the stream, or
/// with the program: no system call can be called back.
pub(crate) struct Stream {
    blocks: Receiver<io::Result<Vec<u8>>>,
    block: io::Cursor<Vec<u8>>,
}

impl Stream {
    /// Begins to read; `-` is standard input.
    pub(crate) fn open(path: &Path) -> Stream {
        let (sender, blocks) = mpsc::sync_channel(WAITING_BLOCKS);
        let path = path.to_owned();
        thread::spawn(move || {
            let opened = match path == Path::new("-") {
                true => Ok(Box::new(io::stdin()) as Box<dyn Read>),
                false => File::open(&path).map(|file| Box::new(file) as Box<dyn Read>),
            };
            match opened {
                Ok(stream) => send(stream, &sender),
                // If nobody listens any more, nobody wants to know.
                Err(error) => drop(sender.send(Err(error))),
            }
        });
        Stream {
            blocks,
            block: io::Cursor::default(),
        }
    }
}

/// Sends what a stream says, until it ends, fails, or nobody listens.
fn send(mut stream: Box<dyn Read>, sender: &SyncSender<io::Result<Vec<u8>>>) {
    loop {
        let mut block = vec![0; BLOCK];
        let read = stream.read(&mut block).map(|count| {
            block.truncate(count);
            block
        });
        let goes_on = match &read {
            Ok(block) if block.is_empty() => return,
            Ok(_) => true,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => false,
        };
        if sender.send(read).is_err() || !goes_on {
            return;
        }
    }
}

impl Read for Stream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let count = self.block.read(buffer)?;
            if count > 0 || buffer.is_empty() {
                return Ok(count);
            }
            match self.blocks.recv_timeout(ATTENTION) {
                Ok(block) => self.block = io::Cursor::new(block?),
                Err(RecvTimeoutError::Disconnected) => return Ok(0),
                Err(RecvTimeoutError::Timeout) if interruption::requested() => {
                    return Err(io::Error::other("interrupted"));
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    }
}
