//! Reads lines from a client, whatever bytes it sends.

use std::io::{self, BufRead};

/// Longer lines are cut: no command needs more, and a stream without line ends must not fill the
/// memory.
const LONGEST_LINE: usize = 1 << 20;

/// Reads a line without its line end; `None` at the end of the input.
pub(super) fn read_line(input: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    let mut is_end = true;
    loop {
        let available = match input.fill_buf() {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            available => available?,
        };
        if available.is_empty() {
            break;
        }
        is_end = false;
        let line_end = available.iter().position(|&byte| byte == b'\n');
        let part = &available[..line_end.unwrap_or(available.len())];
        let space = LONGEST_LINE - bytes.len();
        bytes.extend_from_slice(&part[..part.len().min(space)]);
        let used = line_end.map_or(available.len(), |end| end + 1);
        input.consume(used);
        if line_end.is_some() {
            break;
        }
    }
    Ok((!is_end).then(|| String::from_utf8_lossy(&bytes).into_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{BufReader, Read};

    fn lines(bytes: &[u8]) -> Vec<String> {
        // A small buffer, so that lines are assembled from several reads.
        let mut input = BufReader::with_capacity(3, bytes);
        std::iter::from_fn(|| read_line(&mut input).expect("memory can be read")).collect()
    }

    #[test]
    fn lines_end_in_any_way() {
        assert_eq!(
            lines(b"uci\r\n\nisready\nquit"),
            ["uci\r", "", "isready", "quit"]
        );
        assert_eq!(lines(b"quit\n"), ["quit"]);
        assert!(lines(b"").is_empty());
    }

    #[test]
    fn foreign_bytes_are_replaced() {
        assert_eq!(lines(b"go \xff\xfe\n"), ["go \u{fffd}\u{fffd}"]);
    }

    #[test]
    fn endless_lines_are_cut() {
        let endless = io::repeat(b'x').take(3 * LONGEST_LINE as u64);
        let mut input = BufReader::new(endless.chain(&b"\nquit\n"[..]));
        let line = read_line(&mut input).expect("it can be read");
        assert_eq!(line.map(|line| line.len()), Some(LONGEST_LINE));
        let line = read_line(&mut input).expect("it can be read");
        assert_eq!(line.as_deref(), Some("quit"));
    }
}
