//! `tabia sprt`: plays two players until a sequential test decides.

use crate::contest::{self, Contest, ContestOptions, DryRun, Duel, Kind};
use crate::evidence::TestOptions;
use crate::exit::Exit;
use crate::output::Output;
use arena::verdict::Verdict;
use clap::Args;

const EXAMPLES: &str = "\
Examples:
  tabia sprt --player \"name=new param.razor_base=250\" --player name=old \\
      --each nodes=5000 --elo0 0 --elo1 5
  tabia sprt --player \"name=new cmd=./new\" --player \"name=old cmd=./old\" \\
      --each \"tc=8+0.08 hash=16\" --elo0 -3 --elo1 1 --model logistic

The first player is the candidate. The test is evaluated after every pair of
games, in the order in which pairs start, so that its verdict does not depend
on the concurrency. Games in progress at the verdict are abandoned, and later
pairs that finished early do not count. Players are described as for
`tabia match`.

Exit codes:
    0  elo1 is accepted: the candidate passed
    1  error, or a player failed too often
    2  wrong usage or input
    3  elo0 is accepted: the candidate failed
    4  no decision within the maximum number of games
  130  interrupted";

/// Play a match between two players until a sequential test (SPRT) decides
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Options {
    /// Maximum number of games, even [default: 100000, or as many as the openings allow]
    #[arg(short, long, value_name = "N")]
    games: Option<u64>,
    #[command(flatten)]
    contest: ContestOptions,
    #[command(flatten)]
    test: TestOptions,
}

pub(crate) fn run(options: &Options, output: &Output) -> anyhow::Result<Exit> {
    let kind = Kind::Test {
        games: options.games,
        sprt: options.test.sprt()?,
    };
    let contest = Contest::new(&options.contest, &kind)?;
    if contest.is_dry_run {
        output.report(&DryRun::new(&contest)?)?;
        return Ok(Exit::Good);
    }
    let verdict = contest::play(&contest, &Duel::new(&contest), output)?;
    Ok(match verdict {
        Some(Verdict::Accepted) => Exit::Good,
        Some(Verdict::Rejected) => Exit::Rejected,
        Some(Verdict::AllPlayed) => Exit::Undecided,
        other => contest::exit_of(other),
    })
}
