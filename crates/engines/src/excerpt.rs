//! Foreign text within our own lines.

/// The beginning of a foreign text, fit to stand within a line: short and
/// without anything that would break the line.
pub(crate) fn excerpt(text: &str) -> String {
    const LONGEST: usize = 80;
    let beginning: String = text.chars().take(LONGEST).collect();
    let rest = if beginning.len() < text.len() {
        "..."
    } else {
        ""
    };
    format!("{}{rest}", beginning.escape_debug())
}
