//! Text from elsewhere within our own lines.

/// The beginning of a text from elsewhere, fit to stand within a line: short, and without
/// characters that would break the line.
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
