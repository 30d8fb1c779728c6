//! Several threads in one tree. Each walks with a model of its own, and walks in progress count as
//! losses, so that threads spread out. When the arena is full, all pause for its compaction. This
//! module must not know how a walk is done.

use super::Models;
use super::backup::Company;
use super::root::RootRule;
use super::search::{BURST, Search};
use super::steering::Steering;
use super::walker::{Ground, Tally, Walker};
use crate::STACK_BYTES;
use nets::policy::PolicyValue;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The threads besides the main one.
#[derive(Default)]
pub(super) struct Crew(Vec<(Walker, Box<dyn PolicyValue>)>);

/// What the threads of one round share.
pub(super) struct Shared<'a> {
    pub(super) ground: Ground<'a>,
    rule: &'a RootRule,
    /// The counts of the helpers.
    tally: Mutex<Tally>,
    threads: usize,
    batch: usize,
    budget: u64,
    /// Simulations begun.
    spent: AtomicU64,
    /// Simulations completed.
    done: AtomicU64,
    is_full: AtomicBool,
    has_ended: AtomicBool,
}

impl Crew {
    /// Sets the number of helpers.
    pub(super) fn fit(&mut self, count: usize, models: &Models) {
        self.0.resize_with(count, || (Walker::new(0), models()));
    }

    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// Continues a search whose root has been expanded, until it is done or must end.
    pub(super) fn run(
        &mut self,
        search: &mut Search,
        model: &mut dyn PolicyValue,
        steering: &Steering<'_>,
        hear: &mut dyn FnMut(&Shared<'_>, u64, &Tally),
    ) {
        for (walker, helper) in &mut self.0 {
            walker.follow(&search.walker);
            if helper.is_joint() {
                walker.set_cache(search.options.cache, search.options.flaws.blind_cache);
            }
        }
        while !search.is_done() && !steering.must_end(&search.arena, search.simulations) {
            let is_full = self.round(search, model, steering, hear);
            if is_full {
                search.arena.make_room();
            }
        }
    }

    /// Lets all threads walk until the search is done, must end, or the arena is full; returns
    /// whether it is full.
    fn round(
        &mut self,
        search: &mut Search,
        model: &mut dyn PolicyValue,
        steering: &Steering<'_>,
        hear: &mut dyn FnMut(&Shared<'_>, u64, &Tally),
    ) -> bool {
        let threads = self.0.len() + 1;
        let budget = search.budget();
        let begun = search.simulations;
        let batch = model.capacity().min(search.options.batch.max(1));
        let (ground, rule, walker) = search.parts(Company::Threads);
        let shared = Shared {
            ground,
            rule,
            tally: Mutex::default(),
            threads,
            batch,
            budget,
            spent: AtomicU64::new(begun),
            done: AtomicU64::new(begun),
            is_full: AtomicBool::new(false),
            has_ended: AtomicBool::new(false),
        };
        std::thread::scope(|scope| {
            for (walker, model) in &mut self.0 {
                let shared = &shared;
                // A helper thread that cannot be started is a loss, but not an error.
                let _ = std::thread::Builder::new()
                    .stack_size(STACK_BYTES)
                    .spawn_scoped(scope, move || {
                        let rule = &mut shared.rule.clone();
                        while shared.goes_on() && shared.work(walker, rule, model.as_mut()) {
                            walker.tally.move_to(&mut shared.helpers_tally());
                        }
                        walker.tally.move_to(&mut shared.helpers_tally());
                    });
            }
            let rule = &mut shared.rule.clone();
            while shared.goes_on() && shared.work(walker, rule, model) {
                let simulations = shared.done.load(Ordering::Relaxed);
                hear(&shared, simulations, &walker.tally);
                if steering.must_end(shared.ground.arena, simulations) {
                    shared.has_ended.store(true, Ordering::Relaxed);
                }
            }
            shared.has_ended.store(true, Ordering::Relaxed);
        });
        shared.helpers_tally().move_to(&mut walker.tally);
        let (done, is_full) = (shared.done.into_inner(), shared.is_full.into_inner());
        search.simulations = done;
        is_full
    }
}

impl Shared<'_> {
    fn goes_on(&self) -> bool {
        !self.has_ended.load(Ordering::Relaxed)
            && !self.is_full.load(Ordering::Relaxed)
            && self.ground.arena.slot(super::arena::ROOT).link().is_open()
    }

    fn helpers_tally(&self) -> MutexGuard<'_, Tally> {
        self.tally.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The counts of all threads; `own` are those of the main one.
    pub(super) fn tally_with(&self, own: &Tally) -> Tally {
        let mut all = own.clone();
        self.helpers_tally().clone().move_to(&mut all);
        all
    }

    /// Runs a few simulations; false if none is left.
    fn work(&self, walker: &mut Walker, rule: &mut RootRule, model: &mut dyn PolicyValue) -> bool {
        let is_joint = model.is_joint();
        let (walks, most) = match is_joint {
            true => (self.batch, self.batch as u64),
            false => (1, BURST / 4),
        };
        if !self.ground.has_room_for(self.threads * (walks + 1)) {
            self.is_full.store(true, Ordering::Relaxed);
            return false;
        }
        let begin = self.spent.fetch_add(most, Ordering::Relaxed);
        let count = self.budget.saturating_sub(begin).min(most);
        if is_joint {
            self.work_together(walker, rule, model, count as usize);
        } else {
            for _ in 0..count {
                if !self.goes_on() || !self.ground.has_room_for(self.threads * (walks + 1)) {
                    break;
                }
                walker.simulate(&self.ground, rule, model);
                self.done.fetch_add(1, Ordering::Relaxed);
            }
        }
        count > 0
    }

    fn work_together(
        &self,
        walker: &mut Walker,
        rule: &mut RootRule,
        model: &mut dyn PolicyValue,
        count: usize,
    ) {
        let begun = walker.gather(&self.ground, rule, model, self.batch, count);
        if walker.gathered() > 0 {
            model.run();
            walker.receive(&self.ground, model, 0);
        }
        self.done.fetch_add(begun as u64, Ordering::Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use crate::mcts::{Mcts, Options};
    use crate::{Limits, StopSignal};
    use chess::{Board, Game};
    use nets::policy::Heuristic;

    #[test]
    fn what_helpers_count_is_not_lost() {
        let options = Options {
            hash: 1,
            threads: 3,
            ..Options::default()
        };
        let mut player = Mcts::new(Box::new(|| Box::new(Heuristic::default())), options);
        // More than fits into the arena, so that there are several rounds.
        let limits = Limits::nodes(30_000);
        let mut nodes = 0;
        let hear = &mut |report: &crate::Report| nodes = report.nodes;
        player.think(
            &Game::new(Board::start()),
            &limits,
            &StopSignal::new(),
            hear,
        );
        let tally = &player.search.walker.tally;
        assert_eq!((tally.simulations, nodes), (30_000, 30_000));
        let visits: u32 = tally.draws.iter().map(|(visits, _)| visits).sum();
        assert_eq!(visits, 29_999);
    }
}
