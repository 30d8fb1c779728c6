//! The list of all games, and how everything was made.

use super::{escaped, graph, opening, rating};
use crate::error::AnalysisError;
use crate::judged::Judged;
use crate::personal::Personal;
use crate::review::{Review, Side};
use crate::summary::Summary;
use data::pgn::{Salvaged, Tags};
use std::fmt::Write;
use std::io;

/// Writes the sums over all games, and a row for each game.
pub(super) fn write_list(
    out: &mut dyn io::Write,
    judged: &Judged<'_>,
    summary: &Summary,
    file: &dyn Fn(usize) -> String,
) -> Result<(), AnalysisError> {
    out.write_all(overview(summary).as_bytes())?;
    out.write_all(
        b"<table class=\"games\">\n<thead><tr><th>#</th><th>players</th><th>result</th>\
        <th>accuracy</th><th>avg. loss</th><th>?!</th><th>?</th><th>??</th>\
        <th>opening</th><th>White's chance</th></tr></thead>\n<tbody>\n",
    )?;
    judged.each(&mut |game, review| {
        Ok(out.write_all(row(game, review, &file(review.number)).as_bytes())?)
    })?;
    Ok(out.write_all(b"</tbody></table>\n")?)
}

fn overview(summary: &Summary) -> String {
    let Summary {
        games,
        damaged,
        moves,
        white,
        black,
        player,
    } = summary;
    let plural = if *games == 1 { "" } else { "s" };
    let mut html = format!("<p>{games} game{plural}, {moves} moves.");
    if *damaged > 0 {
        let _ = write!(
            html,
            " {damaged} could only be read in part; they are marked."
        );
    }
    html += "</p>\n<table class=\"sides\">\n<tr><td></td><th>accuracy</th><th>avg. loss</th>\
             <th>?!</th><th>?</th><th>??</th></tr>\n";
    for (name, side) in [("White", white), ("Black", black)] {
        let man = format!("<i class=\"man {}\"></i>{name}", name.to_ascii_lowercase());
        html += &side_row(&man, side);
    }
    html += "</table>\n";
    html += &player.as_ref().map_or_else(String::new, personal);
    html + "<p class=\"help\">Accuracy measures how much of its winning chances a side kept with \
            its moves: 100 % means the engine's own moves. The average loss is in centipawns. A \
            move that loses 5 percentage points of winning chances is an inaccuracy (?!), 10 a \
            mistake (?), 15 a blunder (??).</p>\n"
}

fn side_row(head: &str, side: &Side) -> String {
    format!(
        "<tr><th scope=\"row\">{head}</th><td>{}</td><td>{}</td>\
         <td class=\"inaccuracy\">{}</td><td class=\"mistake\">{}</td><td class=\"blunder\">{}</td></tr>\n",
        percent(side.accuracy),
        whole(side.average_centipawn_loss),
        side.inaccuracies,
        side.mistakes,
        side.blunders
    )
}

/// How one player did, overall and by phase.
fn personal(player: &Personal) -> String {
    let Personal {
        name,
        games,
        wins,
        draws,
        losses,
        all,
        phases,
    } = player;
    let mut html = format!(
        "<h2>{}</h2>\n<p>{games} games: {wins} won, {draws} drawn, {losses} lost.</p>\n\
         <table class=\"sides\">\n<tr><td></td><th>accuracy</th><th>avg. loss</th>\
         <th>?!</th><th>?</th><th>??</th></tr>\n",
        escaped(name)
    );
    html += &side_row("all moves", all);
    for phase in phases {
        html += &side_row(phase.name, &phase.side);
    }
    html + "</table>\n"
}

fn row(salvaged: &Salvaged, review: &Review, file: &str) -> String {
    let game = &salvaged.game;
    let tags = game.tags();
    let damage = match salvaged.damage {
        Some(_) => " <span class=\"damage\" title=\"could only be read in part\">⚠</span>",
        None => "",
    };
    let Review {
        number,
        white,
        black,
        ..
    } = review;
    let both = |of: &dyn Fn(&Side) -> String| {
        format!(
            "<span class=\"pair\"><span>{}</span><span>{}</span></span>",
            of(white),
            of(black)
        )
    };
    format!(
        "<tr><td class=\"index\">{number}</td><td class=\"players\"><a href=\"{file}\">\
         <span class=\"pair\"><span>{}</span><span>{}</span></span></a></td>\
         <td data-name=\"result\">{}{damage}</td>\
         <td data-name=\"accuracy\">{}</td><td data-name=\"average loss\">{}</td>\
         <td class=\"inaccuracy\" data-name=\"?!\">{}</td><td class=\"mistake\" data-name=\"?\">{}</td>\
         <td class=\"blunder\" data-name=\"??\">{}</td><td class=\"opening\">{}</td>\
         <td class=\"chances\"><a href=\"{file}\">{}</a></td></tr>\n",
        player(tags, "White"),
        player(tags, "Black"),
        game.result,
        both(&|side| percent(side.accuracy)),
        both(&|side| whole(side.average_centipawn_loss)),
        both(&|side| side.inaccuracies.to_string()),
        both(&|side| side.mistakes.to_string()),
        both(&|side| side.blunders.to_string()),
        escaped(&opening(tags, review).unwrap_or_default()),
        graph::small_svg(review)
    )
}

fn player(tags: &Tags, name: &str) -> String {
    let rating = rating(tags, &format!("{name}Elo"));
    let rating = rating.map(|rating| format!(" <small>{}</small>", escaped(rating)));
    format!(
        "<i class=\"man {}\"></i>{}{}",
        name.to_ascii_lowercase(),
        escaped(tags.get(name).unwrap_or(name)),
        rating.unwrap_or_default()
    )
}

fn percent(number: Option<f64>) -> String {
    number.map_or_else(|| "–".to_owned(), |number| format!("{number:.1} %"))
}

fn whole(number: Option<f64>) -> String {
    number.map_or_else(|| "–".to_owned(), |number| format!("{number:.0}"))
}

/// How everything was made: labels and texts.
pub(super) fn made(made: &[(&str, String)]) -> String {
    let mut html = String::from("<section class=\"made\">\n<h2>How this was made</h2>\n<dl>\n");
    for (label, text) in made {
        let _ = writeln!(html, "<dt>{label}</dt><dd>{}</dd>", escaped(text));
    }
    html + "</dl>\n<p class=\"help\">Winning chances and accuracies follow the formulas published \
            by lichess.org. The engine analysed each game from its last position to its \
            first.</p>\n</section>\n"
}
