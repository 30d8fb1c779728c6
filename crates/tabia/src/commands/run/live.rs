//! What is seen of a run while it goes on: a bar for the step at hand, and two lines
//! for each generation that is complete.

use crate::output::Output;
use crate::progress::{Progress, Standing};
use arena::selfplay::{Amount, Totals};
use arena::statistics::{Pentanomial, Strength};
use lab::settings::Experiment;
use lab::{News, Place, Row, Step};
use std::time::{Duration, Instant};

/// How often the live line changes.
const REFRESH: Duration = Duration::from_millis(200);

pub(super) struct Live<'a> {
    output: &'a Output,
    generations: u32,
    seeds: usize,
    width: usize,
    is_alone: bool,
    /// The step at hand.
    head: String,
    bar: Option<Bar>,
    /// Its seconds, if time is its limit.
    seconds: Option<u64>,
}

/// The bar of a step.
struct Bar {
    progress: Progress,
    done: u64,
    /// What was counted when this began.
    first: Option<u64>,
    begin: Instant,
    shown: Option<Instant>,
}

impl<'a> Live<'a> {
    pub(super) fn new(experiment: &Experiment, output: &'a Output) -> Live<'a> {
        let names = experiment.arms.keys().map(String::len);
        Live {
            output,
            generations: experiment.generations,
            seeds: experiment.seeds.len(),
            width: names.max().unwrap_or_default(),
            is_alone: experiment.arms.len() == 1,
            head: String::new(),
            bar: None,
            seconds: None,
        }
    }

    pub(super) fn hear(&mut self, news: &News<'_>) {
        match news {
            News::Warning(words) => self.output.warn(words),
            News::Resumed(steps) => {
                self.output
                    .note(format_args!("{steps} steps were finished before"));
            }
            News::Begun(place) => self.begin(place),
            News::SelfPlay(totals, amount, horizon) => self.selfplay(totals, *amount, *horizon),
            News::Training {
                step,
                steps,
                batch,
                loss,
            } => self.training(*step, *steps, *batch, *loss),
            News::Match { counts, games, of } => self.games(counts, *games, *of),
            News::Quiet => self.pass(),
            News::Ended(place, seconds) => {
                self.bar = None;
                let head = self.head_of(place);
                self.output.detail(format_args!("{head}: {seconds:.1} s"));
            }
            News::Generation(row) => self.generation(row),
            News::Seed(conclusion) => {
                for effect in conclusion.difference.iter().chain(&conclusion.effects) {
                    let seeds = effect.by_seed.len();
                    let mean = match seeds {
                        1 => format!("{:+.0}", effect.mean.value),
                        _ => format!("{:.0}", effect.mean),
                    };
                    self.output.note(format_args!(
                        "{}: {mean} after {seeds} of {} seeds",
                        effect.contrast, self.seeds
                    ));
                }
            }
        }
    }

    fn lane(&self, arm: &str, seed: u64) -> String {
        let width = self.width;
        match self.is_alone {
            true => format!("seed {seed}"),
            false => format!("{arm:width$}  seed {seed}"),
        }
    }

    fn head_of(&self, place: &Place) -> String {
        let lane = self.lane(&place.arm, place.seed);
        match (place.step, &place.other) {
            (Step::Final, _) => format!("{lane}  final net against generation 0"),
            (Step::HeadToHead, Some(other)) => format!("{lane}  final net against {other}"),
            (step, _) => format!(
                "{lane}  generation {}/{}  {step}",
                place.generation, self.generations
            ),
        }
    }

    fn begin(&mut self, place: &Place) {
        self.bar = None;
        self.seconds = None;
        self.head = self.head_of(place);
    }

    /// The bar, at this point; the rate is what was done in this session.
    fn bar(&mut self, total: u64, done: u64, unit: &'static str) -> &mut Bar {
        let output = self.output;
        let bar = self.bar.get_or_insert_with(|| {
            let progress = Progress::new(output, total, unit);
            progress.advance(done);
            Bar {
                progress,
                done,
                first: None,
                begin: Instant::now(),
                shown: None,
            }
        });
        bar.progress.advance(done.saturating_sub(bar.done));
        bar.done = done;
        bar
    }

    fn stand(&mut self, words: impl FnOnce(f64) -> String) {
        let done = self.bar.as_ref().map_or(0, |bar| bar.done);
        self.stand_with(done, words);
    }

    /// Says how the step stands, of which so much is counted for its rate.
    fn stand_with(&mut self, counted: u64, words: impl FnOnce(f64) -> String) {
        let head = &self.head;
        let Some(bar) = &mut self.bar else { return };
        if bar.shown.is_some_and(|shown| shown.elapsed() < REFRESH) {
            return;
        }
        bar.shown = Some(Instant::now());
        let seconds = bar.begin.elapsed().as_secs_f64().max(1e-3);
        let first = *bar.first.get_or_insert(counted);
        let rate = counted.saturating_sub(first) as f64 / seconds;
        let line = format!("{head}   {}", words(rate));
        bar.progress.stand(&Standing {
            lines: line.clone(),
            line,
        });
    }

    fn selfplay(&mut self, totals: &Totals, amount: Amount, horizon: Option<u32>) {
        match amount {
            Amount::Games(games) => self.bar(games, totals.games, "games"),
            Amount::Positions(positions) => {
                self.bar(positions, totals.positions.min(positions), "positions")
            }
            Amount::Seconds(seconds) => {
                let seconds = seconds.ceil() as u64;
                self.seconds = Some(seconds);
                self.bar(seconds, 0, "seconds")
            }
        };
        let limit = horizon.map_or_else(String::new, |plies| format!("horizon {plies} plies   "));
        let positions = totals.positions;
        self.stand_with(positions, |rate| {
            format!(
                "{rate:.0} positions/s   {limit}{:.1} plies a game   decisive {:.0} %",
                totals.average_plies(),
                100.0 * totals.decisive_share()
            )
        });
    }

    fn training(&mut self, step: u64, steps: u64, batch: usize, loss: f64) {
        self.bar(steps, step, "steps");
        self.stand(|rate| format!("{:.0} positions/s   loss {loss:.5}", rate * batch as f64));
    }

    fn games(&mut self, counts: &Pentanomial, games: u64, of: u64) {
        self.bar(of, games, "games");
        let elo = Strength::of(counts).elo;
        self.stand(|rate| format!("{rate:.1} games/s   {elo:.0}"));
    }

    /// Time goes on where it is the limit.
    fn pass(&mut self) {
        if let (Some(bar), Some(seconds)) = (&self.bar, self.seconds) {
            let gone = bar.begin.elapsed().as_secs().min(seconds);
            self.bar(seconds, gone, "seconds");
        }
    }

    fn generation(&mut self, row: &Row) {
        self.bar = None;
        let lane = self.lane(&row.arm, row.seed);
        let Row {
            generation,
            games,
            plies,
            positions,
            decisive,
            validation_loss,
            ..
        } = row;
        let generations = self.generations;
        let seconds = row.selfplay_seconds + row.training_seconds;
        self.output.note(format_args!(
            "{lane}  generation {generation}/{generations}   {positions} positions in {games} \
             games   {plies:.1} plies a game   loss {validation_loss:.5}   {seconds:.0} s"
        ));
        let horizon = row
            .horizon
            .map_or_else(String::new, |plies| format!("horizon {plies} plies   "));
        let baseline = row.baseline.as_ref().map_or_else(String::new, |bench| {
            format!("against generation 0 {:.0}   ", bench.estimate())
        });
        let end = if row.promoted { "promoted" } else { "rejected" };
        self.output.note(format_args!(
            "  {horizon}decisive {:.0} %   against previous {:.0}   {baseline}{end}",
            100.0 * decisive,
            row.previous.estimate()
        ));
    }
}
