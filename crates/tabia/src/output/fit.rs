//! Wraps text to the width of a terminal. It must not know the meaning of the text.

use console::{Term, measure_text_width};

/// The width of a terminal that does not report its own.
const COLUMNS: usize = 80;
/// The words before a command that is to be typed.
const BEFORE_COMMAND: &str = "to resume: ";
/// The maximum indentation of continued lines.
const MOST_INDENT: usize = 32;

/// The width for text: that of the terminal, or else the variable COLUMNS. Without either, as for a
/// file or a pipe, lines are not wrapped, because programs may read them.
pub(crate) fn width(stream: &Term) -> Option<usize> {
    let told = || std::env::var("COLUMNS").ok()?.parse().ok();
    let measured = stream
        .size_checked()
        .map(|(_, columns)| usize::from(columns));
    let usual = || stream.is_term().then_some(COLUMNS);
    measured
        .filter(|&columns| columns > 0)
        .or_else(told)
        .or_else(usual)
}

/// The text with lines no wider than this, wrapped between words.
pub(crate) fn fitted(text: &str, width: Option<usize>) -> String {
    let Some(width) = width else {
        return text.to_owned();
    };
    let mut fitted = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let end = if line.ends_with('\n') { "\n" } else { "" };
        let line = line.strip_suffix('\n').unwrap_or(line);
        match measure_text_width(line) > width {
            true => break_line(&mut fitted, line, width),
            false => fitted.push_str(line),
        }
        fitted.push_str(end);
    }
    fitted
}

/// Wraps a line. A command stays in one line, so that it can be copied.
fn break_line(fitted: &mut String, line: &str, width: usize) {
    match line.split_once(BEFORE_COMMAND) {
        Some((before, command)) => {
            break_words(fitted, &format!("{before}{BEFORE_COMMAND}"), width);
            fitted.truncate(fitted.trim_end().len());
            fitted.push_str("\n  ");
            fitted.push_str(command);
        }
        None if line.trim_start().starts_with("tabia ") => fitted.push_str(line),
        None => break_words(fitted, line, width),
    }
}

fn break_words(fitted: &mut String, line: &str, width: usize) {
    let indent = indent(line).min(width / 2);
    let mut used = 0;
    for piece in line.split_inclusive(' ') {
        let columns = measure_text_width(piece.trim_end());
        if used > indent && used + columns > width {
            fitted.truncate(fitted.trim_end_matches(' ').len());
            fitted.push('\n');
            fitted.push_str(&" ".repeat(indent));
            used = indent;
        }
        fitted.push_str(piece);
        used += measure_text_width(piece);
    }
}

/// The indentation of continued lines: the second column if the line has one, or a little more than
/// the line's own.
fn indent(line: &str) -> usize {
    let begin = line.len() - line.trim_start().len();
    let text = &line[begin..];
    let second = text.find("  ").map(|gap| {
        let rest = &text[gap..];
        begin + measure_text_width(&text[..gap]) + rest.len() - rest.trim_start().len()
    });
    match second {
        Some(column) if column <= MOST_INDENT => column,
        _ => begin + 2,
    }
}

#[cfg(test)]
mod tests {
    use super::fitted;

    #[test]
    fn lines_are_broken_between_words() {
        let fit = |text| fitted(text, Some(20));
        assert_eq!(fit("short\n\n  short\n"), "short\n\n  short\n");
        assert_eq!(
            fit("a line of several words, too long"),
            "a line of several\n  words, too long"
        );
        assert_eq!(
            fit("name    one two three\n"),
            "name    one two\n        three\n"
        );
        assert_eq!(
            fit("/a/path/that/has/no/blank x"),
            "/a/path/that/has/no/blank\n  x"
        );
        assert_eq!(fitted("a b c", None), "a b c");
    }

    #[test]
    fn commands_stay_whole() {
        let fit = |text| fitted(text, Some(20));
        assert_eq!(
            fit("all is kept; to resume: tabia run --resume mine"),
            "all is kept; to\n  resume:\n  tabia run --resume mine"
        );
        let command = "  tabia run --resume mine --set seeds=[1,2]";
        assert_eq!(fit(command), command);
    }

    #[test]
    fn colors_take_no_room() {
        let text = "\u{1b}[1mwarning:\u{1b}[0m one two";
        assert_eq!(fitted(text, Some(16)), text);
    }
}
