//! Wraps lines to the width of a terminal. It must not know their meaning.

/// The width if that of the terminal is unknown.
const COLUMNS: usize = 80;

/// Lines no wider than the terminal, wrapped between parts; those after the first are indented.
pub(crate) fn wrapped(parts: &[String]) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for part in parts {
        match lines.last_mut() {
            Some(line) if columns(line) + 3 + columns(part) <= COLUMNS => {
                line.push_str("   ");
                line.push_str(part);
            }
            Some(_) => lines.push(format!("  {part}")),
            None => lines.push(part.clone()),
        }
    }
    lines
}

fn columns(text: &str) -> usize {
    text.chars().count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_broken_between_parts_and_fit() {
        let parts = [
            "curriculum  seed 12  generation 10/30",
            "1000000 positions in 12345 games",
            "81.2 plies per game",
            "decisive 45 %",
            "loss 0.06319",
            "1234 s",
            "against previous +123 [+99, +147]",
            "against generation 0 +523 [+499, +547]",
            "promoted",
        ];
        let lines = wrapped(&parts.map(str::to_owned));
        let expected = [
            "curriculum  seed 12  generation 10/30   1000000 positions in 12345 games",
            "  81.2 plies per game   decisive 45 %   loss 0.06319   1234 s",
            "  against previous +123 [+99, +147]   against generation 0 +523 [+499, +547]",
            "  promoted",
        ];
        assert_eq!(lines, expected);
        assert!(lines.iter().all(|line| columns(line) <= COLUMNS));
    }
}
