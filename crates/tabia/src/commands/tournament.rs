//! `tabia tournament`: many players, with a crosstable and a rating list.

use crate::contest::{self, Contest, ContestOptions, DryRun, Kind, Showing, Summary};
use crate::evidence::RatingReport;
use crate::exit::Exit;
use crate::output::Output;
use crate::progress::Standing;
use arena::ledger::Ledger;
use arena::ratings::{Crosstable, RatedPlayer, Results, rate};
use clap::Args;
use serde::Serialize;
use std::fmt;

const EXAMPLES: &str = "\
Examples:
  tabia tournament tournament.toml
  tabia tournament --player \"name=a nodes=1000\" --player \"name=b nodes=2000\" \\
      --player \"name=c nodes=4000\" --games 20
  tabia tournament nets.toml --seeds 1      a gauntlet of the first player

In each round all pairs play the same opening. Players are described as for
`tabia match`.";

/// Play a round robin or a gauntlet
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Options {
    /// Number of games of each pair of players, even [default: 10]
    #[arg(short, long, value_name = "N")]
    games: Option<u64>,
    /// Play a gauntlet: the first N players play all others, but not each other
    #[arg(long, value_name = "N")]
    seeds: Option<usize>,
    #[command(flatten)]
    contest: ContestOptions,
}

pub(crate) fn run(options: &Options, output: &Output) -> anyhow::Result<Exit> {
    let kind = Kind::Tournament {
        games: options.games,
        seeds: options.seeds,
    };
    let contest = Contest::new(&options.contest, &kind)?;
    if contest.is_dry_run {
        output.report(&DryRun::new(&contest)?)?;
        return Ok(Exit::Good);
    }
    let verdict = contest::play(&contest, &Field::new(&contest), output)?;
    Ok(contest::exit_of(verdict))
}

/// Shows the standing of all players.
struct Field {
    names: Vec<String>,
}

impl Field {
    fn new(contest: &Contest) -> Field {
        let players = contest.plan.players.iter();
        Field {
            names: players.map(|player| player.name.clone()).collect(),
        }
    }

    fn results(&self, ledger: &Ledger) -> Results {
        let mut results = Results::new();
        for (white, black, games) in ledger.pairings() {
            if games.games() > 0 {
                results.add(&self.names[white], &self.names[black], games);
            }
        }
        results
    }
}

impl Showing for Field {
    type Report = Report;

    fn standing(&self, ledger: &Ledger) -> Standing {
        // Before the first finished pair there is nothing to rate.
        let list = rate(&self.results(ledger), &[]);
        let players = list.map_or_else(|_| Vec::new(), |list| list.players);
        let words: Vec<String> = players.iter().map(in_words).collect();
        Standing {
            line: words.join(", "),
            lines: words.join("\n"),
        }
    }

    fn report(&self, summary: Summary, ledger: &Ledger) -> Report {
        let results = self.results(ledger);
        let ratings = rate(&results, &[]).ok().map(|list| {
            let caveat = list.caveat();
            let names = list.players.iter().map(|player| player.name.as_str());
            let crosstable = Crosstable::new(&results, names);
            (RatingReport::new(list, Some(crosstable)), caveat)
        });
        let (ratings, caveat) = ratings.unzip();
        Report {
            ratings,
            caveat: caveat.flatten(),
            summary,
        }
    }
}

fn in_words(player: &RatedPlayer) -> String {
    let rating = player.rating;
    format!(
        "{} {:+.1} ±{:.1}",
        player.name,
        rating.value,
        rating.margin()
    )
}

/// The result of a tournament.
#[derive(Serialize)]
struct Report {
    /// `None` if no pair was finished.
    #[serde(flatten)]
    ratings: Option<RatingReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    caveat: Option<String>,
    #[serde(flatten)]
    summary: Summary,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(ratings) = &self.ratings {
            writeln!(f, "{ratings}")?;
        }
        if let Some(caveat) = &self.caveat {
            writeln!(f, "{caveat}\n")?;
        }
        write!(f, "{}", self.summary)
    }
}
