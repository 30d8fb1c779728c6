//! `tabia selfplay`: generates training positions by self-play.

use crate::contest::same_command;
use crate::exit::{Exit, Interrupted, WrongInput, undone, unfit};
use crate::group::ClusterOptions;
use crate::interruption;
use crate::output::Output;
use crate::player::PlayerOptions;
use crate::progress::{Progress, Standing};
use crate::version::BuildOptions;
use arena::game::{AtHorizon, DrawRule, ResignRule};
use arena::selfplay::explore::ExploreSettings;
use arena::selfplay::{
    Amount, Book, ByGeneration, Horizon, MANY_REPEATED, News, SelfPlay, SelfPlayError, Settings,
    Totals,
};
use clap::Args;
use data::journal::Build;
use engines::StopSignal;
use serde::Serialize;
use std::fmt;
use std::path::PathBuf;
use std::time::{Duration, Instant};

const EXAMPLES: &str = "\
Examples:
  tabia selfplay --positions 1000000 -o a.binpack
  tabia selfplay --games 500 --nodes 5000 --model a.tabianet -o b.binpack
  tabia selfplay --minutes 10 --horizon 40 --at-horizon material -o c.binpack
  tabia selfplay --player mcts --explore 'simulations = 64' \\
      --games 500 -o d.policy

One player plays both sides; each position is written with its score, its move
and the result of the game, from the point of view of the side to move. With
--explore a tree search plays many games in parallel on each thread, and
writes the visit counts of its moves: a policy shard, from which policies
learn. Games are counted in numerical order, so that the same command gives
the same bytes for any number of threads; only --minutes depends on the
machine. After an interruption, the same command resumes.";

/// The parser's own usage line would be too long for a terminal.
const USAGE: &str = "\
tabia selfplay -o <FILE> <--games N|--positions N|--minutes M> [OPTIONS]";

/// Generate training positions by self-play
#[derive(Args)]
#[command(after_help = EXAMPLES, override_usage = USAGE)]
#[command(group = clap::ArgGroup::new("amount").required(true))]
pub(crate) struct Options {
    /// Number of games to play
    #[arg(long, value_name = "N", group = "amount")]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    games: Option<u64>,
    /// Play until there are exactly this many positions
    #[arg(long, value_name = "N", group = "amount")]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    positions: Option<u64>,
    /// Play for this many minutes
    #[arg(long, value_name = "MINUTES", group = "amount", value_parser = minutes)]
    minutes: Option<f64>,
    /// The output file: binpack, or a policy shard (.policy) with --explore
    #[arg(short, long, value_name = "FILE")]
    out: PathBuf,
    #[command(flatten)]
    player: PlayerOptions,
    #[command(flatten)]
    build: BuildOptions,
    /// Depth of each search [default: 8 if there is no other limit]
    #[arg(long, value_name = "N")]
    depth: Option<u32>,
    /// Nodes per search
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Soft node limit: a search starts no new iteration after this many nodes
    #[arg(long, value_name = "N")]
    soft_nodes: Option<u64>,
    /// Opening book: built-in, start, or a file: EPD, PGN or a Polyglot book (.bin)
    #[arg(long, value_name = "BOOK", default_value_t = Book::BuiltIn)]
    book: Book,
    /// Number of random plies after the opening
    #[arg(long, value_name = "N", default_value_t = Settings::default().random_plies)]
    random_plies: u32,
    /// Number of further random plies, at random points of the game
    #[arg(long, value_name = "N", default_value_t = 0)]
    random_moves: u32,
    /// The further random plies are chosen up to this ply after the opening
    #[arg(long, value_name = "N", default_value_t = Settings::default().random_until)]
    random_until: u32,
    /// End games after this many plies
    #[arg(long, value_name = "PLIES")]
    horizon: Option<u32>,
    /// Result of a game at the horizon: draw; material: the side with more material wins; or
    /// score: the side clearly ahead by score wins
    #[arg(long, value_name = "END", default_value_t = AtHorizon::Draw)]
    at_horizon: AtHorizon,
    /// Adjudicate draws by score [default: movenumber=34 movecount=8 score=20]
    #[arg(long, value_name = "RULE", num_args = 0..=1, default_missing_value = "", value_parser = DrawRule::from_words)]
    draw: Option<DrawRule>,
    /// Adjudicate losses by score [default: movecount=3 score=600]
    #[arg(long, value_name = "RULE", num_args = 0..=1, default_missing_value = "", value_parser = ResignRule::from_words)]
    resign: Option<ResignRule>,
    /// Explore with a tree search, with settings such as 'simulations = 64, full_share = 0.5'
    #[arg(long, value_name = "SETTINGS", num_args = 0..=1, default_missing_value = "", value_parser = explore)]
    explore: Option<ExploreSettings>,
    /// Random seed
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Number of threads; each plays one game at a time, or many with --explore [default: one
    /// per CPU]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    #[arg(conflicts_with = "cluster")]
    threads: Option<u16>,
    #[command(flatten)]
    cluster: ClusterOptions,
}

/// A small hash table stays in the CPU's caches, and short searches do not fill it.
const PLAYER: &str = "hash=1";

/// Parses the keys of the table `explore` of a run file.
fn explore(text: &str) -> Result<ExploreSettings, String> {
    #[derive(serde::Deserialize)]
    struct Line {
        explore: ExploreSettings,
    }
    let line: Line = toml::from_str(&format!("explore = {{ {text} }}"))
        .map_err(|error| error.message().to_owned())?;
    line.explore.check().map_err(|error| error.to_string())?;
    Ok(line.explore)
}

fn minutes(text: &str) -> Result<f64, String> {
    let minutes: Option<f64> = text.parse().ok();
    minutes
        .filter(|minutes| *minutes > 0.0 && *minutes <= 1e6)
        .ok_or_else(|| "not a number above 0".to_owned())
}

pub(crate) fn run(options: &Options, output: &Output) -> anyhow::Result<Exit> {
    let settings = options.settings();
    let amount = options.amount();
    let player = options.player.inside(PLAYER)?;
    let threads = match options.threads {
        Some(threads) => usize::from(threads),
        None => std::thread::available_parallelism()?.get(),
    };
    let selfplay = SelfPlay {
        settings: &settings,
        explore: options.explore.as_ref(),
        generation: 1,
        player: &player,
        seed: options.seed,
        amount,
        shard: &options.out,
        author: Some(&options.build.author()),
        dispatcher: &options.cluster.dispatcher(threads, output)?,
    };
    if options.out.exists() && !selfplay.record_path().exists() {
        let file = options.out.display();
        let problem = format!("{file} already exists; delete it, or give another file");
        return Err(WrongInput::new(problem).into());
    }
    let Some(totals) = play(&selfplay, output)? else {
        output.note(format_args!("to resume: {}", same_command()));
        return Err(Interrupted.into());
    };
    selfplay.forget()?;
    if totals.repeated_share > MANY_REPEATED {
        output.warn(
            "many positions are duplicates: vary the openings more, with --random-plies or a \
             larger --book",
        );
    }
    if let Some(builds) = Build::mixed(&totals.builds) {
        output.warn(builds);
    }
    output.report(&Report {
        file: options.out.clone(),
        is_timed: matches!(amount, Amount::Seconds(_)),
        average_plies: totals.average_plies(),
        idle_share: totals.idle_share(),
        totals,
    })?;
    Ok(Exit::Good)
}

impl Options {
    fn settings(&self) -> Settings {
        Settings {
            depth: self.depth,
            nodes: self.nodes,
            soft_nodes: self.soft_nodes.map(ByGeneration::Same),
            book: self.book.clone(),
            random_plies: self.random_plies,
            random_moves: self.random_moves,
            random_until: self.random_until,
            horizon: self
                .horizon
                .map(|plies| Horizon::Said(ByGeneration::Same(plies))),
            at_horizon: self.at_horizon,
            draw: self.draw,
            resign: self.resign,
        }
    }

    /// The amount to play; the parser has made sure that one is given.
    fn amount(&self) -> Amount {
        match (self.games, self.positions) {
            (Some(games), _) => Amount::Games(games),
            (_, Some(positions)) => Amount::Positions(positions),
            _ => Amount::Seconds(60.0 * self.minutes.unwrap_or_default()),
        }
    }
}

fn play(selfplay: &SelfPlay<'_>, output: &Output) -> anyhow::Result<Option<Totals>> {
    let stop = StopSignal::new();
    interruption::listen_for(&stop)?;
    let mut shown = Shown::new(selfplay.amount, output);
    let played = selfplay.play(&stop, &mut |news| shown.hear(&news));
    played.map_err(|error| match error {
        SelfPlayError::Setting(_) | SelfPlayError::Openings(_) | SelfPlayError::Position { .. } => {
            WrongInput::new(error.to_string()).into()
        }
        SelfPlayError::Record(error) => unfit(error),
        SelfPlayError::Work(error) => undone(error),
        SelfPlayError::Player { .. } | SelfPlayError::Shard { .. } => {
            anyhow::Error::from(error).context("self-play ended")
        }
    })
}

/// The progress shown during the work.
struct Shown {
    amount: Amount,
    progress: Progress,
    begin: Instant,
    done: u64,
    /// The games of earlier sessions.
    before: Totals,
}

impl Shown {
    fn new(amount: Amount, output: &Output) -> Shown {
        let (total, unit) = match amount {
            Amount::Games(games) => (games, "games"),
            Amount::Positions(positions) => (positions, "positions"),
            Amount::Seconds(seconds) => (seconds.ceil() as u64, "seconds"),
        };
        Shown {
            amount,
            progress: Progress::new(output, total, unit),
            begin: Instant::now(),
            done: 0,
            before: Totals::default(),
        }
    }

    fn hear(&mut self, news: &News<'_>) {
        match news {
            News::Begun(totals) => {
                self.before = (*totals).clone();
                self.advance(Some(totals));
            }
            News::Finished(totals) => {
                self.advance(Some(totals));
                self.progress.stand(&self.standing(totals));
            }
            News::Quiet => self.advance(None),
        }
    }

    fn advance(&mut self, totals: Option<&Totals>) {
        let done = match (self.amount, totals) {
            (Amount::Games(_), Some(totals)) => totals.games,
            (Amount::Positions(_), Some(totals)) => totals.positions,
            (Amount::Seconds(_), _) => self.begin.elapsed().as_secs(),
            _ => self.done,
        };
        // Games that turned out to be wrong are played again.
        self.progress.take_back(self.done.saturating_sub(done));
        self.progress.advance(done.saturating_sub(self.done));
        self.done = done;
    }

    fn standing(&self, totals: &Totals) -> Standing {
        let seconds = self
            .begin
            .elapsed()
            .max(Duration::from_millis(1))
            .as_secs_f64();
        let line = format!(
            "{:.0} positions/s, {:.1} games/s; White {}, draws {}, Black {}; {:.1} plies per game",
            (totals.positions - self.before.positions) as f64 / seconds,
            (totals.games - self.before.games) as f64 / seconds,
            totals.white_wins,
            totals.draws,
            totals.black_wins,
            totals.average_plies(),
        );
        Standing {
            lines: line.clone(),
            line,
        }
    }
}

/// The result.
#[derive(Serialize)]
struct Report {
    file: PathBuf,
    #[serde(flatten)]
    totals: Totals,
    average_plies: f64,
    /// The share of the threads' time outside the search.
    idle_share: f64,
    /// Whether the amount depends on the speed of the machine.
    is_timed: bool,
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let totals = &self.totals;
        writeln!(f, "file              {}", self.file.display())?;
        writeln!(f, "positions         {}", totals.positions)?;
        writeln!(f, "games             {}", totals.games)?;
        writeln!(
            f,
            "White, draws, Black  {} {} {}",
            totals.white_wins, totals.draws, totals.black_wins
        )?;
        writeln!(f, "plies per game    {:.1}", self.average_plies)?;
        let repeated = 100.0 * totals.repeated_share;
        writeln!(f, "duplicates        {repeated:.1} % of the positions")?;
        let reasons = totals.reasons.iter();
        let reasons: Vec<String> = reasons
            .map(|(name, games)| format!("{name} {games}"))
            .collect();
        writeln!(f, "ends              {}", reasons.join(", "))?;
        writeln!(
            f,
            "time              {:.1} s over all threads, {:.1} % outside the search",
            totals.seconds,
            100.0 * self.idle_share
        )?;
        if self.is_timed {
            writeln!(
                f,
                "limited by time: on another machine the same command gives other games"
            )?;
        }
        Ok(())
    }
}
