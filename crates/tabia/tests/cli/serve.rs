//! `tabia serve`: starts, answers, ends by Ctrl-C; wrong folders and ports are told.

use crate::program::run;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};

/// A server of a folder, and where it listens.
fn serve(folder: &std::path::Path) -> (Child, String) {
    let mut server = Command::new(env!("CARGO_BIN_EXE_tabia"))
        .args(["serve", "--port", "0"])
        .arg(folder)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program");
    let mut line = String::new();
    let output = server.stdout.as_mut().expect("its output");
    BufReader::new(output).read_line(&mut line).expect("a line");
    let address = line.trim().strip_prefix("http://").expect("an address");
    (server, address.trim_end_matches('/').to_owned())
}

fn ask(address: &str, path: &str) -> String {
    let mut connection = TcpStream::connect(address).expect("a connection");
    let request = format!("GET {path} HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n");
    connection
        .write_all(request.as_bytes())
        .expect("a question");
    let mut answer = String::new();
    connection.read_to_string(&mut answer).expect("an answer");
    answer
}

#[test]
fn a_server_answers_and_ends_in_good_order() {
    let folder = tempfile::tempdir().expect("a folder");
    let (mut server, address) = serve(folder.path());
    assert!(address.starts_with("127.0.0.1:"), "{address}");
    let works = ask(&address, "/api/works");
    assert!(
        works.starts_with("HTTP/1.1 200 OK") && works.ends_with("[]"),
        "{works}"
    );
    assert!(ask(&address, "/").contains("<title>Tabia</title>"));
    // A reader of the stream must not keep the server from ending.
    let mut reader = TcpStream::connect(&address).expect("a connection");
    let request = format!("GET /api/stream HTTP/1.1\r\nHost: {address}\r\n\r\n");
    reader.write_all(request.as_bytes()).expect("a question");
    #[cfg(unix)]
    {
        let pid = rustix::process::Pid::from_child(&server);
        rustix::process::kill_process(pid, rustix::process::Signal::INT).expect("a signal");
    }
    #[cfg(not(unix))]
    server.kill().expect("an end");
    let status = server.wait().expect("an end");
    assert!(status.success() || cfg!(not(unix)), "{status}");
}

#[test]
fn a_folder_or_port_that_cannot_be_used_is_told() {
    let transcript = run(&["serve", "no/such/folder"]);
    assert_eq!(
        transcript,
        "exit 2\n--- stderr\nerror: no/such/folder is not a folder; give an existing one\n"
    );
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = taken.local_addr().expect("an address").port().to_string();
    let transcript = run(&["serve", "--port", &port]);
    assert!(
        transcript.starts_with("exit 2\n--- stderr\nerror: cannot listen on 127.0.0.1:")
            && transcript.ends_with("choose another with --port\n"),
        "{transcript}"
    );
    let transcript = run(&["serve", "--port", "0", "--eco", "no/such/table.tsv"]);
    assert!(
        transcript.starts_with("exit 2\n--- stderr\nerror: no/such/table.tsv: "),
        "{transcript}"
    );
}
