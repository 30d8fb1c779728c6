//! `tabia match`: plays a number of games between two players, and reports their statistics.

use crate::contest::{self, Contest, ContestOptions, DryRun, Duel, Kind};
use crate::exit::Exit;
use crate::output::Output;
use clap::Args;

const EXAMPLES: &str = "\
Examples:
  tabia match --player \"name=new nodes=5000\" \\
      --player \"name=old nodes=2500\" --games 200
  tabia match --player \"name=new model=classical\" \\
      --player \"cmd=stockfish option.Hash=16\" \\
      --each \"tc=10+0.1 hash=16\" --draw --resign --concurrency 2
  tabia match match.toml --dry-run

Keys of a player: name, kind, model, param.CONSTANT, cmd, arg, dir,
option.NAME, hash, threads, tc=MOVES/MINUTES:SECONDS+INCREMENT, st, nodes,
depth, margin, patience. A player without cmd is built in: kind=alphabeta,
kind=mcts (tree search; nodes are simulations) or kind=sequence (a policy with
little search; nodes are evaluations), with model=classical, model=heuristic
or model=FILE, the file of a net or of weights. Of tc, st, nodes and depth,
the first limit reached ends the search; st, margin and patience are in
seconds. A player with its own limit ignores those of --each.

Every opening is played twice with colours swapped. With a limit of nodes or
depth and one thread per player, games of built-in players are the same for
any concurrency. After an interruption, the same command resumes.";

/// Play a match between two players
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Options {
    /// Number of games, even [default: 100]
    #[arg(short, long, value_name = "N")]
    games: Option<u64>,
    #[command(flatten)]
    contest: ContestOptions,
}

pub(crate) fn run(options: &Options, output: &Output) -> anyhow::Result<Exit> {
    let kind = Kind::Match {
        games: options.games,
    };
    let contest = Contest::new(&options.contest, &kind)?;
    if contest.is_dry_run {
        output.report(&DryRun::new(&contest)?)?;
        return Ok(Exit::Good);
    }
    let verdict = contest::play(&contest, &Duel::new(&contest), output)?;
    Ok(contest::exit_of(verdict))
}
