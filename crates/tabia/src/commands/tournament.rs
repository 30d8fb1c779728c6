//! `tabia tournament`: many players, a crosstable and one list of ratings.

use crate::contest::{self, Contest, ContestOptions, Duel, Kind, Rehearsal};
use crate::exit::Exit;
use crate::output::Output;
use clap::Args;

const EXAMPLES: &str = "\
Examples:
  tabia tournament tournament.toml
  tabia tournament --player \"name=a nodes=1000\" --player \"name=b nodes=2000\" \\
                   --player \"name=c nodes=4000\" --games 20
  tabia tournament nets.toml --seeds 1      a gauntlet of the first player

In a round all players meet with the same opening. Players are described as for
`tabia match`.";

/// Play a round robin or a gauntlet
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Options {
    /// How many games each two players who meet play, an even number [default:
    /// 10]
    #[arg(short, long, value_name = "N")]
    games: Option<u64>,
    /// Play a gauntlet: the first N players meet all others, but not one another
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
    if contest.is_rehearsal {
        output.report(&Rehearsal::new(&contest)?)?;
        return Ok(Exit::Good);
    }
    let verdict = contest::play(&contest, &Duel::new(&contest), output)?;
    Ok(contest::exit_of(verdict))
}
