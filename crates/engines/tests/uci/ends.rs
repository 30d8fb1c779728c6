//! How sessions end: by word, by silence, by a client that is gone.

use crate::client::{Client, classical, identity};
use engines::uci;
use std::io::{self, Cursor, Write};
use std::sync::{Arc, Mutex};

/// Runs a whole script at once; its end is the end of the input.
fn run(script: &[u8]) -> String {
    #[derive(Clone, Default)]
    struct Sink(Arc<Mutex<Vec<u8>>>);
    impl Write for Sink {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().expect("no panic").write(bytes)
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let sink = Sink::default();
    let input = Cursor::new(script.to_vec());
    uci::run(&identity(), classical(), input, sink.clone()).expect("it ends well");
    let bytes = sink.0.lock().expect("no panic").clone();
    String::from_utf8(bytes).expect("the session writes text")
}

#[test]
fn quit_ends_a_search_and_answers_it() {
    let mut client = Client::start();
    client.send("go infinite");
    client.receive_until("info depth 1 ");
    let transcript = client.quit();
    assert!(transcript.contains("\nbestmove "), "{transcript}");
}

#[test]
fn the_end_of_the_input_ends_a_search_and_answers_it() {
    for line in ["go infinite", "go ponder", "go", "go depth 2"] {
        let mut client = Client::start();
        client.send(line);
        client.hang_up();
        let transcript = client.end();
        assert!(transcript.contains("\nbestmove "), "{transcript}");
    }
}

#[test]
fn a_last_line_without_an_end_is_obeyed() {
    let output = run(b"isready\nuci");
    assert!(output.starts_with("readyok\nid name ") && output.ends_with("uciok\n"));
    assert_eq!(run(b""), "");
}

#[test]
fn promises_are_kept_before_the_end() {
    let script = b"setoption name Hash value 64\nisready\nisready\nquit\n";
    assert_eq!(run(script), "readyok\nreadyok\n");
}

#[test]
fn nothing_is_obeyed_after_quit() {
    assert_eq!(run(b"quit\nuci\n"), "");
}

#[test]
fn bytes_that_are_no_text_are_told_back_once() {
    let output = run(b"\xff\xfe\x00go\n\x80\nposition fen \xc3\x28\nquit\n");
    assert_eq!(output.lines().count(), 3, "{output}");
    assert!(output.lines().all(|line| line.starts_with("info string ")));
}

/// A client that closes its end after some bytes.
struct Closing(usize);

impl Write for Closing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.0 < bytes.len() {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        self.0 -= bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_closed_output_is_a_quiet_end_even_if_the_client_says_nothing() {
    for bytes in [0, 10, 100, 1000] {
        let (input, mut client) = io::pipe().expect("a pipe");
        writeln!(client, "uci\ngo infinite").expect("the session listens");
        let input = io::BufReader::new(input);
        uci::run(&identity(), classical(), input, Closing(bytes))
            .expect("a closed output is no failure");
        drop(client);
    }
}

#[test]
fn an_output_that_fails_is_a_failure() {
    struct Full;
    impl Write for Full {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::StorageFull.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let input = Cursor::new(b"uci\n".to_vec());
    let error = uci::run(&identity(), classical(), input, Full).expect_err("it fails");
    assert_eq!(error.kind(), io::ErrorKind::StorageFull);
}
