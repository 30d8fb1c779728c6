//! The live display of a run: a progress bar for the current step, and a few lines for each
//! finished generation.

use crate::laboratory::{SessionLog, StepBar, wrapped};
use crate::output::{Output, counted};
use arena::selfplay::{Amount, Totals};
use arena::statistics::{Pentanomial, Strength};
use lab::settings::Experiment;
use lab::verdict::Effect;
use lab::{Bench, Event, LabError, Place, Row, Step};
use std::path::Path;

pub(super) struct Live<'a> {
    log: SessionLog<'a>,
    generations: u32,
    seeds: usize,
    width: usize,
    is_alone: bool,
    /// The bar of the current step.
    bar: StepBar<'a>,
    /// Its limit in seconds, if it is limited by time.
    seconds: Option<u64>,
}

impl<'a> Live<'a> {
    pub(super) fn new(experiment: &Experiment, folder: &Path, output: &'a Output) -> Live<'a> {
        let mut log = SessionLog::new(output, folder);
        log.note(format_args!("run {}", folder.display()));
        let names = experiment.arms.keys().map(String::len);
        Live {
            log,
            generations: experiment.generations,
            seeds: experiment.seeds.len(),
            width: names.max().unwrap_or_default(),
            is_alone: experiment.arms.len() == 1,
            bar: StepBar::new(output),
            seconds: None,
        }
    }

    /// Logs an error, so that the session's log file shows why work ended.
    pub(super) fn fail(&mut self, error: &LabError) {
        self.bar.end();
        self.log.keep(&format!("error: {error}"));
    }

    pub(super) fn hear(&mut self, event: &Event) {
        match event {
            Event::Warning { text } => self.log.warn(text),
            // The dispatcher has already reported it.
            Event::Remark { .. } => {}
            Event::Resumed { steps } => {
                self.log
                    .note(format_args!("{steps} steps were already finished"));
            }
            Event::Begun { place } => self.begin(place),
            Event::SelfPlay {
                totals,
                amount,
                horizon,
            } => self.selfplay(totals, *amount, *horizon),
            Event::Training {
                step,
                steps,
                batch,
                loss,
            } => self.training(*step, *steps, *batch, *loss),
            Event::Match { counts, games, of } => self.games(counts, *games, *of),
            Event::Quiet => self.pass(),
            Event::Ended { place, seconds } => {
                self.bar.end();
                let head = self.head_of(place);
                self.log.detail(format_args!("{head}: {seconds:.1} s"));
            }
            Event::Generation { row } => self.generation(row),
            Event::Seed { effects, .. } => self.seed(effects),
            Event::Stopped { .. } => self.bar.end(),
        }
    }

    /// Shows the differences between arms so far.
    fn seed(&mut self, effects: &[Effect]) {
        for effect in effects {
            let seeds = effect.by_seed.len();
            let mean = match seeds {
                1 => format!("{:+.0}", effect.mean.value),
                _ => format!("{:.0}", effect.mean),
            };
            self.log.note(format_args!(
                "{}: {mean} after {seeds} of {} seeds",
                effect.contrast, self.seeds
            ));
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
            (Step::Added, Some(name)) => format!(
                "{lane}  generation {}/{}  {name}",
                place.generation, self.generations
            ),
            (step, _) => format!(
                "{lane}  generation {}/{}  {step}",
                place.generation, self.generations
            ),
        }
    }

    fn begin(&mut self, place: &Place) {
        self.seconds = None;
        self.bar.begin(self.head_of(place));
    }

    fn selfplay(&mut self, totals: &Totals, amount: Amount, horizon: Option<u32>) {
        match amount {
            Amount::Games(games) => self.bar.advance_to(games, totals.games, "games"),
            Amount::Positions(positions) => {
                self.bar
                    .advance_to(positions, totals.positions.min(positions), "positions")
            }
            Amount::Seconds(seconds) => {
                self.seconds = Some(seconds.ceil() as u64);
                self.pass();
            }
        }
        let limit = horizon.map_or_else(String::new, |plies| format!("horizon {plies} plies   "));
        let positions = totals.positions;
        self.bar.stand_with(positions, |rate| {
            format!(
                "{rate:.0} positions/s   {limit}{:.1} plies per game   decisive {:.0} %",
                totals.average_plies(),
                100.0 * totals.decisive_share()
            )
        });
    }

    fn training(&mut self, step: u64, steps: u64, batch: usize, loss: f64) {
        self.bar.advance_to(steps, step, "steps");
        self.bar
            .stand(|rate| format!("{:.0} positions/s   loss {loss:.5}", rate * batch as f64));
    }

    fn games(&mut self, counts: &Pentanomial, games: u64, of: u64) {
        self.bar.advance_to(of, games, "games");
        let elo = Strength::of(counts).elo;
        self.bar
            .stand(|rate| format!("{rate:.1} games/s   {elo:.0}"));
    }

    /// Advances the bar of a step that is limited by time.
    fn pass(&mut self) {
        if let Some(seconds) = self.seconds {
            let gone = self.bar.elapsed().map_or(0, |elapsed| elapsed.as_secs());
            self.bar.advance_to(seconds, gone.min(seconds), "seconds");
        }
    }

    fn generation(&mut self, row: &Row) {
        self.bar.end();
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
        let against = |opponent: &str, bench: &Option<Bench>| {
            let estimate = bench.as_ref().map(Bench::estimate);
            estimate.map(|elo| format!("against {opponent} {elo:.0}"))
        };
        let mut parts = vec![
            format!("{lane}  generation {generation}/{generations}"),
            if row.promoted { "promoted" } else { "rejected" }.to_owned(),
            format!(
                "{} in {}",
                counted(*positions, "position"),
                counted(*games, "game")
            ),
            format!("{plies:.1} plies per game"),
        ];
        parts.extend(row.horizon.map(|plies| format!("horizon {plies} plies")));
        parts.push(format!("decisive {:.0} %", 100.0 * decisive));
        parts.push(format!("loss {validation_loss:.5}"));
        parts.push(format!("{seconds:.0} s"));
        parts.extend(against("previous", &row.previous));
        parts.extend(against("generation 0", &row.baseline));
        parts.extend(against("the evaluation opponent", &row.eval));
        for line in wrapped(&parts) {
            self.log.note(line);
        }
    }
}
