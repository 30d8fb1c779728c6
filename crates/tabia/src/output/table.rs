//! Text tables with columns as wide as their cells. It must not know what the cells mean.

use super::fit::width;
use console::{Term, measure_text_width};
use std::fmt::{self, Display};

/// The alignment of a column.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Flush {
    Left,
    Right,
}

/// A table. If it is wider than the terminal, it is split into several, each with the columns that
/// name the rows.
pub(crate) struct Table {
    header: Vec<(String, Flush)>,
    /// The number of columns that name a row.
    names: usize,
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table with these columns, the first `names` of which name the rows.
    pub(crate) fn new(names: usize, header: &[(&str, Flush)]) -> Table {
        let header = header.iter();
        Table {
            header: header
                .map(|&(name, flush)| (name.to_owned(), flush))
                .collect(),
            names,
            rows: Vec::new(),
        }
    }

    /// Adds a row with a cell for each column.
    pub(crate) fn push(&mut self, row: Vec<String>) {
        self.rows.push(row);
    }

    fn widths(&self) -> Vec<usize> {
        let cells = |column: usize| self.rows.iter().map(move |row| row[column].as_str());
        let width = |column: usize| {
            let all = cells(column).chain([self.header[column].0.as_str()]);
            all.map(measure_text_width).max().unwrap_or_default()
        };
        (0..self.header.len()).map(width).collect()
    }

    /// The columns of each part of the table, so that no part is wider than `most`.
    fn parts(&self, widths: &[usize], most: usize) -> Vec<Vec<usize>> {
        let names: Vec<usize> = (0..self.names).collect();
        let mut parts = vec![names.clone()];
        for column in self.names..widths.len() {
            let part = parts.last().map_or(&[][..], Vec::as_slice);
            let used: usize = part.iter().map(|&column| widths[column] + GAP).sum();
            if part.len() > names.len() && used + widths[column] > most {
                parts.push(names.clone());
            }
            if let Some(part) = parts.last_mut() {
                part.push(column);
            }
        }
        parts
    }

    /// The table as text, split for a terminal of this width; `None` does not split it.
    fn text(&self, most: Option<usize>) -> String {
        let widths = self.widths();
        let parts = self.parts(&widths, most.unwrap_or(usize::MAX));
        let header: Vec<String> = self.header.iter().map(|(name, _)| name.clone()).collect();
        let mut texts = Vec::new();
        for (number, part) in parts.iter().enumerate() {
            // Further parts omit rows that would only have their names.
            let says = |row: &&Vec<String>| {
                let told = &part[self.names..];
                number == 0 || told.iter().any(|&column| !row[column].is_empty())
            };
            let mut text = String::new();
            for row in std::iter::once(&header).chain(self.rows.iter().filter(says)) {
                let cells = part.iter().map(|&column| {
                    let cell = &row[column];
                    let blanks = " ".repeat(widths[column] - measure_text_width(cell));
                    match self.header[column].1 {
                        Flush::Left => format!("{cell}{blanks}"),
                        Flush::Right => format!("{blanks}{cell}"),
                    }
                });
                let line = cells.collect::<Vec<_>>().join(&" ".repeat(GAP));
                text += line.trim_end();
                text.push('\n');
            }
            texts.push(text);
        }
        texts.join("\n")
    }
}

/// The number of spaces between two columns.
const GAP: usize = 2;

impl Display for Table {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(width(&Term::stdout())))
    }
}

#[cfg(test)]
mod tests {
    use super::{Flush, Table};

    #[test]
    fn wide_tables_are_parted_and_their_rows_named_in_each_part() {
        let mut table = Table::new(
            1,
            &[
                ("arm", Flush::Left),
                ("games", Flush::Right),
                ("end", Flush::Left),
            ],
        );
        table.push(["control", "7", "promoted"].map(str::to_owned).into());
        table.push(["short", "100", ""].map(str::to_owned).into());
        assert_eq!(
            table.text(None),
            "arm      games  end\ncontrol      7  promoted\nshort      100\n"
        );
        assert_eq!(
            table.text(Some(20)),
            "arm      games\ncontrol      7\nshort      100\n\narm      end\ncontrol  promoted\n"
        );
    }
}
