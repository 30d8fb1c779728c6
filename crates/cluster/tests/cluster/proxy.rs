//! A connection that can be made to stall: nothing goes through, and nobody is told.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

pub(crate) struct Proxy {
    pub(crate) port: u16,
    is_stalled: Arc<AtomicBool>,
}

impl Proxy {
    /// Stands before a port of this machine.
    pub(crate) fn before(target: u16) -> Proxy {
        let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a port");
        let port = listener.local_addr().expect("an address").port();
        let is_stalled: Arc<AtomicBool> = Arc::default();
        let stalled = is_stalled.clone();
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let Ok(server) = TcpStream::connect(("127.0.0.1", target)) else {
                    continue;
                };
                let copies = client
                    .try_clone()
                    .and_then(|client| Ok((client, server.try_clone()?)));
                let Ok((client_copy, server_copy)) = copies else {
                    continue;
                };
                let (one, other) = (stalled.clone(), stalled.clone());
                thread::spawn(move || forward(client, server_copy, &one));
                thread::spawn(move || forward(server, client_copy, &other));
            }
        });
        Proxy { port, is_stalled }
    }

    pub(crate) fn stall(&self, is_stalled: bool) {
        self.is_stalled.store(is_stalled, Ordering::Relaxed);
    }
}

fn forward(mut from: TcpStream, mut to: TcpStream, is_stalled: &AtomicBool) {
    let mut bytes = [0; 1 << 14];
    while let Ok(count @ 1..) = from.read(&mut bytes) {
        while is_stalled.load(Ordering::Relaxed) {
            thread::sleep(Duration::from_millis(10));
        }
        if to.write_all(&bytes[..count]).is_err() {
            break;
        }
    }
    let _ = to.shutdown(std::net::Shutdown::Both);
}
