//! Writes weights as the source file `values.rs`, exactly as it is committed.

use super::Weights;
use crate::classical::terms;
use std::fmt::Write;

const HEADER: &str = "\
//! The weights of the features: for each term its name and a pair of opening
//! and endgame centipawns for each of its features. Written by
//! `cargo run -p tabia-nets --example render_weights`.

/// Name and values of each term, in the order of the features.
pub(super) const VALUES: &[(&str, &[(i32, i32)])] = &[
";

/// How many pairs a line has: a rank of the folded board has four squares.
const PAIRS_IN_LINE: usize = 4;

impl Weights {
    /// The text of `values.rs` with these weights.
    pub fn render(&self) -> String {
        let mut text = HEADER.to_owned();
        for (name, start, count) in terms::rows() {
            let pairs: Vec<_> = (start..start + count)
                .map(|index| {
                    let (opening, endgame) = self.get(index);
                    format!("({opening}, {endgame})")
                })
                .collect();
            let lines: Vec<_> = pairs
                .chunks(PAIRS_IN_LINE)
                .map(|line| line.join(", "))
                .collect();
            if let [line] = &lines[..] {
                // Writing to a string cannot fail.
                let _ = writeln!(text, "    (\"{name}\", &[{line}]),");
            } else {
                let _ = writeln!(text, "    (\"{name}\", &[");
                for line in lines {
                    let _ = writeln!(text, "        {line},");
                }
                text.push_str("    ]),\n");
            }
        }
        text.push_str("];\n");
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn committed_values_are_rendered_unchanged() {
        assert_eq!(Weights::default().render(), include_str!("values.rs"));
    }
}
