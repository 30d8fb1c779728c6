//! Reads streams that may block forever, so that an interruption is noticed.
//!
//! It must not know what is read.

use crate::interruption;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::thread;
use std::time::Duration;

/// The size of a block.
const BLOCK: usize = 1 << 16;

/// How many blocks are buffered.
const WAITING_BLOCKS: usize = 4;

/// The interval at which interruptions are checked.
const ATTENTION: Duration = Duration::from_millis(50);

/// Whether opening or reading a path may block, or it can be read only once: standard input (`-`),
/// a pipe or a device.
pub(crate) fn is_stream(path: &Path) -> bool {
    let is_one = |kind: std::fs::Metadata| !kind.is_file() && !kind.is_dir();
    path == Path::new("-") || path.metadata().is_ok_and(is_one)
}

/// A stream that is opened and read by its own thread. The thread ends with the stream or with the
/// program, because a blocking system call cannot be cancelled.
pub(crate) struct Stream {
    blocks: Receiver<io::Result<Vec<u8>>>,
    block: io::Cursor<Vec<u8>>,
}

impl Stream {
    /// Opens a stream; `-` is standard input.
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
                // If the receiver is gone, the error does not matter.
                Err(error) => drop(sender.send(Err(error))),
            }
        });
        Stream {
            blocks,
            block: io::Cursor::default(),
        }
    }
}

/// Sends the blocks of a stream, until it ends, fails, or the receiver is gone.
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
