//! The record of what was said in one step, shortened to what a person will read.

use crate::excerpt::excerpt;

/// How many lines are kept at the beginning, and how many at the end.
const KEPT: usize = 12;

/// The beginning and the end of a conversation.
#[derive(Default)]
pub(super) struct Log {
    lines: Vec<String>,
    /// How many lines were left out in the middle.
    left_out: usize,
}

impl Log {
    pub(super) fn sent(&mut self, line: &str) {
        self.add(format!("> {}", excerpt(line)));
    }

    pub(super) fn received(&mut self, line: &str) {
        self.add(format!("< {}", excerpt(line)));
    }

    fn add(&mut self, line: String) {
        if self.lines.len() == 2 * KEPT {
            self.lines.remove(KEPT);
            self.left_out += 1;
        }
        self.lines.push(line);
    }

    /// Takes the kept lines, leaving the log empty.
    pub(super) fn take(&mut self) -> Vec<String> {
        let mut lines = std::mem::take(&mut self.lines);
        let left_out = std::mem::take(&mut self.left_out);
        if left_out > 0 {
            lines.insert(KEPT, format!("({left_out} lines more)"));
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_talks_are_kept_whole() {
        let mut log = Log::default();
        log.sent("isready");
        log.received("readyok");
        assert_eq!(log.take(), ["> isready", "< readyok"]);
        assert!(log.take().is_empty());
    }

    #[test]
    fn of_long_talks_the_middle_is_left_out() {
        let mut log = Log::default();
        for number in 0..1000 {
            log.received(&number.to_string());
        }
        let lines = log.take();
        assert_eq!(lines.len(), 2 * KEPT + 1);
        assert_eq!(lines[KEPT - 1], "< 11");
        assert_eq!(lines[KEPT], "(976 lines more)");
        assert_eq!(lines[KEPT + 1], "< 988");
        assert_eq!(lines.last().map(String::as_str), Some("< 999"));
    }
}
