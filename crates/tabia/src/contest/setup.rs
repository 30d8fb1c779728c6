//! Combines options and file into a plan that can be played.

use super::book::Book;
use super::document::{self, CONCURRENCY, Document};
use super::kind::Kind;
use super::options::ContestOptions;
use crate::exit::WrongInput;
use crate::group::ClusterOptions;
use anyhow::Context;
use arena::affinity::Affinity;
use arena::game::Rules;
use arena::plan::Plan;
use data::journal::{Author, Build};
use engines::recipe::{PlayerSpec, resolve};
use std::path::PathBuf;

/// The default for how many failures of a player end the contest.
const MOST_FAILURES: u64 = 10;

/// Everything needed to play a contest.
pub(crate) struct Contest {
    pub(crate) plan: Plan,
    /// A text that is unique to the plan.
    pub(super) fingerprint: String,
    pub(super) book: Book,
    pub(super) rules: Rules,
    pub(super) concurrency: usize,
    pub(super) cluster: ClusterOptions,
    pub(super) most_failures: u64,
    pub(super) affinity: Option<Affinity>,
    pub(crate) folder: PathBuf,
    pub(super) event: &'static str,
    pub(super) author: Author,
    pub(crate) is_dry_run: bool,
}

impl Contest {
    /// Evaluates all options; nothing is started or written.
    pub(crate) fn new(options: &ContestOptions, kind: &Kind) -> anyhow::Result<Contest> {
        let wishes = document::read(options.file.as_deref())?.with(options);
        kind.refuse_foreign_tables(&wishes)?;
        let book = Book::open(&wishes.openings)?;
        let plan = plan(&wishes, kind, &book)?;
        let rules = Rules::open(wishes.endings).map_err(wrong)?;
        let author = options.build.author();
        let fingerprint = plan.fingerprint()?;
        let threads = plan
            .players
            .iter()
            .map(|player| player.recipe.threads())
            .max();
        let threads = threads.unwrap_or(1);
        let concurrency = match wishes.concurrency {
            Some(number) => match CONCURRENCY.problem(f64::from(number)) {
                Some(problem) => return Err(wrong(format!("concurrency: {problem}")).into()),
                None => number as usize,
            },
            None => usual_concurrency(threads)?,
        };
        let affinity = wishes
            .affinity
            .then(|| Affinity::new(concurrency, threads))
            .transpose()
            .map_err(wrong)?;
        Ok(Contest {
            folder: wishes
                .out
                .unwrap_or_else(|| usual_folder(&plan, &fingerprint, &author.build)),
            author,
            fingerprint,
            plan,
            book,
            rules,
            concurrency,
            cluster: options.cluster.clone(),
            most_failures: wishes.max_failures.unwrap_or(MOST_FAILURES),
            affinity,
            event: kind.name(),
            is_dry_run: options.dry_run,
        })
    }
}

fn plan(wishes: &Document, kind: &Kind, book: &Book) -> anyhow::Result<Plan> {
    let players = resolve(wishes.players.clone(), &wishes.each).map_err(wrong)?;
    kind.check_players(players.len())?;
    let is_repeatable = players.iter().all(PlayerSpec::is_repeatable);
    let openings = is_repeatable.then(|| book.count());
    let plan = Plan::new(
        players,
        kind.format(wishes),
        kind.games(wishes, openings),
        book.plan(),
        wishes.endings.clone(),
    );
    let mut plan = plan;
    plan.sprt = kind.sprt(wishes)?;
    let rounds = plan.schedule().map_err(wrong)?.rounds();
    match openings {
        Some(openings) if rounds > openings => Err(wrong(format!(
            "{openings} openings are only enough for {} games of two players: more would repeat \
             games move by move; give more with --openings, or fewer --games",
            2 * openings
        ))
        .into()),
        _ => Ok(plan),
    }
}

/// The default number of parallel games: as many as CPUs, divided by the threads per player.
pub(crate) fn usual_concurrency(threads: usize) -> anyhow::Result<usize> {
    let processors = std::thread::available_parallelism().context("cannot count the CPUs")?;
    Ok((processors.get() / threads).max(1))
}

/// A folder name that is unique to the plan and, if this program plays, to its build.
fn usual_folder(plan: &Plan, fingerprint: &str, build: &Build) -> PathBuf {
    const MOST_NAMES: usize = 3;
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "._".contains(letter);
    let mut words: Vec<String> = plan
        .players
        .iter()
        .take(MOST_NAMES)
        .map(|player| player.name.replace(|letter| !is_plain(letter), "_"))
        .collect();
    words.push(fingerprint[..8].to_owned());
    if plan.depends_on_build() {
        words.push(build.signature.to_string());
    }
    PathBuf::from("matches").join(words.join("-"))
}

fn wrong(words: impl ToString) -> WrongInput {
    WrongInput::new(words.to_string())
}
