//! A report as headings, paragraphs, tables and pictures, written as Markdown or as
//! one page of HTML. It must not know what is reported.

use super::chart::escaped;

/// A part of a report. Texts may have `code` between backticks.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Block {
    Title(String),
    Heading(String),
    Paragraph(String),
    /// The most important result.
    Verdict(String),
    List(Vec<String>),
    Code(String),
    Table {
        header: Vec<&'static str>,
        rows: Vec<Vec<String>>,
    },
    /// A picture, with its file relative to the folder of the report.
    Picture {
        file: String,
        title: String,
        svg: String,
    },
}

/// The report as Markdown, with pictures as separate files.
pub(crate) fn markdown(blocks: &[Block]) -> String {
    let mut text = String::new();
    for block in blocks {
        text += &match block {
            Block::Title(words) => format!("# {words}\n"),
            Block::Heading(words) => format!("## {words}\n"),
            Block::Paragraph(words) => format!("{words}\n"),
            Block::Verdict(words) => format!("**{words}**\n"),
            Block::List(items) => items.iter().map(|item| format!("- {item}\n")).collect(),
            Block::Code(lines) => format!("```sh\n{lines}\n```\n"),
            Block::Table { header, rows } => markdown_table(header, rows),
            Block::Picture { file, title, .. } => format!("![{title}]({file})\n"),
        };
        text.push('\n');
    }
    text.truncate(text.trim_end().len());
    text.push('\n');
    text
}

fn markdown_table(header: &[&str], rows: &[Vec<String>]) -> String {
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let header: Vec<String> = header.iter().map(|cell| (*cell).to_owned()).collect();
    let mut text = line(&header);
    text += &format!("|{}\n", "---|".repeat(header.len()));
    for row in rows {
        let cells: Vec<String> = row.iter().map(|cell| cell.replace('|', "\\|")).collect();
        text += &line(&cells);
    }
    text
}

/// Tables with more columns are shown row by row on a phone.
const NARROW: usize = 3;

const STYLE: &str = "\
:root { color-scheme: light dark; --ground: #fff; --ink: #1f2428; --line: #dfe4e9;
  --panel: #f3f5f7; --accent: #0b63a5; }
@media (prefers-color-scheme: dark) {
  :root { --ground: #16191c; --ink: #e4e7ea; --line: #30373e; --panel: #20252a;
    --accent: #6cb4f2; } }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--ground);
  max-width: 68rem; margin: 2rem auto; padding: 0 1rem; overflow-wrap: anywhere; }
h1 { font-size: 1.7rem; } h2 { font-size: 1.25rem; margin-top: 2.2rem; }
.verdict { border-left: 4px solid var(--accent); background: var(--panel); padding: .8rem 1rem;
  font-size: 1.1rem; }
table { border-collapse: collapse; margin: 1rem 0; font-size: .85rem; }
th, td { padding: .25rem .5rem; text-align: right; border-bottom: 1px solid var(--line);
  font-variant-numeric: tabular-nums; overflow-wrap: normal; }
th:first-child, td:first-child { text-align: left; }
.wide th, .wide td { padding: .25rem .35rem; font-size: .8rem; }
th { background: var(--panel); vertical-align: bottom; }
pre { background: var(--panel); padding: .7rem 1rem; overflow-x: auto; overflow-wrap: normal; }
code { background: var(--panel); }
figure { margin: 1rem 0; } svg { max-width: 100%; height: auto; }
@media (max-width: 40rem) {
  .wide, .wide tbody, .wide tr, .wide td { display: block; }
  .wide tr:first-child { display: none; }
  .wide tr { border-bottom: 2px solid var(--line); padding: .4rem 0; }
  .wide td, .wide td:first-child { display: flex; justify-content: space-between; gap: 1rem;
    border: 0; padding: .1rem 0; text-align: right; font-size: .85rem; }
  .wide td::before { content: attr(data-label); text-align: left; opacity: .75; }
}
";

/// The report as one page that needs no other file.
pub(crate) fn html(title: &str, blocks: &[Block]) -> String {
    let mut text = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n",
        escaped(title)
    );
    for block in blocks {
        text += &match block {
            Block::Title(words) => format!("<h1>{}</h1>\n", inline(words)),
            Block::Heading(words) => format!("<h2>{}</h2>\n", inline(words)),
            Block::Paragraph(words) => format!("<p>{}</p>\n", inline(words)),
            Block::Verdict(words) => format!("<p class=\"verdict\">{}</p>\n", inline(words)),
            Block::List(items) => {
                let items = items
                    .iter()
                    .map(|item| format!("<li>{}</li>\n", inline(item)));
                format!("<ul>\n{}</ul>\n", items.collect::<String>())
            }
            Block::Code(lines) => format!("<pre>{}</pre>\n", escaped(lines)),
            Block::Table { header, rows } => html_table(header, rows),
            Block::Picture { svg, .. } => format!("<figure>\n{svg}</figure>\n"),
        };
    }
    text + "</body>\n</html>\n"
}

fn html_table(header: &[&str], rows: &[Vec<String>]) -> String {
    let is_wide = header.len() > NARROW;
    let mut text = String::from(if is_wide {
        "<table class=\"wide\">\n"
    } else {
        "<table>\n"
    });
    let heads: String = header
        .iter()
        .map(|cell| format!("<th>{}</th>", inline(cell)))
        .collect();
    text += &format!("<tr>{heads}</tr>\n");
    for row in rows {
        // A cell that is shown on its own gets the name of its column.
        let label = |column: usize| match header.get(column).filter(|_| is_wide) {
            Some(name) => format!(" data-label=\"{}\"", escaped(name)),
            None => String::new(),
        };
        let cells: String = row
            .iter()
            .enumerate()
            .map(|(column, cell)| format!("<td{}>{}</td>", label(column), inline(cell)))
            .collect();
        text += &format!("<tr>{cells}</tr>\n");
    }
    text + "</table>\n"
}

/// A text with code between backticks.
fn inline(text: &str) -> String {
    let parts = escaped(text);
    let mut html = String::new();
    for (index, part) in parts.split('`').enumerate() {
        html += &match index % 2 {
            0 => part.to_owned(),
            _ => format!("<code>{part}</code>"),
        };
    }
    html
}

#[cfg(test)]
mod tests {
    use super::*;

    fn blocks() -> Vec<Block> {
        vec![
            Block::Title("A & B".to_owned()),
            Block::Paragraph("Type `a < b`.".to_owned()),
            Block::Table {
                header: vec!["one", "two"],
                rows: vec![vec!["1|2".to_owned(), "3".to_owned()]],
            },
            Block::Picture {
                file: "plots/x.svg".to_owned(),
                title: "x".to_owned(),
                svg: "<svg/>\n".to_owned(),
            },
        ]
    }

    #[test]
    fn markdown_is_plain() {
        assert_eq!(
            markdown(&blocks()),
            "# A & B\n\nType `a < b`.\n\n| one | two |\n|---|---|\n| 1\\|2 | 3 |\n\n\
             ![x](plots/x.svg)\n"
        );
    }

    #[test]
    fn cells_of_wide_tables_know_their_columns() {
        let row = ["1", "2", "3", "4"].map(str::to_owned).to_vec();
        let table = html_table(&["a", "b \"c\"", "d", "e"], &[row]);
        assert!(table.starts_with("<table class=\"wide\">"), "{table}");
        let cell = "<td data-label=\"b &quot;c&quot;\">2</td>";
        assert!(table.contains(cell), "{table}");
    }

    #[test]
    fn html_is_escaped_and_whole() {
        let page = html("A & B", &blocks());
        assert!(page.contains("<title>A &amp; B</title>"));
        assert!(page.contains("<p>Type <code>a &lt; b</code>.</p>"));
        assert!(page.contains("<tr><td>1|2</td><td>3</td></tr>"));
        assert!(page.contains("<figure>\n<svg/>\n</figure>"));
        assert!(page.ends_with("</html>\n"));
    }
}
