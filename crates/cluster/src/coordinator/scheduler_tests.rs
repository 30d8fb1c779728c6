use super::*;
use crate::message::Heartbeat;
use std::time::Duration;
use work::{Description, Repeatable};

#[path = "trust_tests.rs"]
mod trust;

/// Pieces whose result is their number, twice; the second half of a result is a time.
struct Twice;

impl Portable for Twice {
    fn description(&self) -> Result<Description, String> {
        Ok(Description {
            kind: "twice",
            settings: String::new(),
            blobs: Vec::new(),
            repeatable: Repeatable::Everywhere,
            is_timed: false,
        })
    }

    fn blob(&self, name: &str) -> Result<Vec<u8>, String> {
        Err(name.to_owned())
    }

    fn check(&self, piece: &Piece, result: &[u8], _: Care) -> Result<(), String> {
        match result.first() == Some(&(piece.number as u8)) {
            true => Ok(()),
            false => Err("it is another number".to_owned()),
        }
    }

    fn essence(&self, result: &[u8]) -> Vec<u8> {
        result[..2.min(result.len())].to_vec()
    }
}

fn right(number: u64) -> Vec<u8> {
    vec![number as u8, 7, 99]
}

/// What passes the check and is wrong.
fn wrong(number: u64) -> Vec<u8> {
    vec![number as u8, 8, 99]
}

fn name(unit: u64, is_copy: bool) -> UnitName {
    UnitName {
        session: "s".to_owned(),
        job: 1,
        unit,
        is_copy,
    }
}

/// A course and what is around it.
struct Scene {
    scheduler: Scheduler<'static>,
    registry: WorkerRegistry,
    now: Instant,
    /// Units in the queue.
    queue: BTreeMap<u64, Vec<u64>>,
    /// Who was asked to do what again.
    asked: Vec<(String, u64)>,
    judged: Vec<u64>,
    event: Vec<CoordinatorEvent>,
}

impl Scene {
    fn new(order: Order, one_in: Option<u64>) -> Scene {
        static SETTINGS: std::sync::LazyLock<Settings> =
            std::sync::LazyLock::new(Settings::default);
        Scene::with(order, one_in, &SETTINGS)
    }

    fn with(order: Order, one_in: Option<u64>, settings: &'static Settings) -> Scene {
        static IDENTITY: std::sync::LazyLock<Identity> =
            std::sync::LazyLock::new(Identity::default);
        let now = Instant::now();
        let scheduler = Scheduler::new(Plan {
            name: name(0, false),
            portable: &Twice,
            piece_name: "number",
            order,
            settings,
            identity: &IDENTITY,
            wants_arithmetic: false,
            secret: 3,
            verification: Verification::new("salt".to_owned(), one_in),
            now,
        });
        let mut scene = Scene {
            scheduler,
            registry: WorkerRegistry::default(),
            now,
            queue: BTreeMap::new(),
            asked: Vec::new(),
            judged: Vec::new(),
            event: Vec::new(),
        };
        for worker in ["anna", "bob", "carl"] {
            scene.beat(worker, &[]);
        }
        scene
    }

    fn beat(&mut self, worker: &str, units: &[UnitName]) {
        let heartbeat = Heartbeat {
            instance: worker.len() as u64,
            identity: Identity::default(),
            threads: 1,
            units: units.to_vec(),
            pieces: 0,
            is_leaving: false,
        };
        self.registry.hear(worker, heartbeat, None, self.now);
    }

    fn obey(&mut self, commands: Vec<Command>) {
        for command in commands {
            match command {
                Command::Publish(unit, pieces) => {
                    let numbers = pieces.iter().map(|piece| piece.number).collect();
                    self.queue.insert(unit, numbers);
                }
                Command::Ask(worker, unit, _) => self.asked.push((worker, unit)),
                Command::Judge(piece) => self.judged.push(piece.number),
                Command::Tell(event) => self.event.push(event),
            }
        }
    }

    fn feed(&mut self, pieces: &mut dyn Iterator<Item = Piece>) {
        let commands = self
            .scheduler
            .feed(pieces, self.registry.threads(), self.now);
        self.obey(commands);
    }

    fn say(
        &mut self,
        worker: &str,
        unit: u64,
        is_copy: bool,
        reports: Vec<(u64, Report)>,
    ) -> Result<(), DispatchError> {
        let result = UnitResult {
            name: name(unit, is_copy),
            identity: Identity::default(),
            seconds: 0.5 * reports.len() as f64,
            remark: Remark::Last,
            reports,
        };
        let commands = self.scheduler.hear(worker, result, &mut self.registry)?;
        self.obey(commands);
        Ok(())
    }

    /// A worker does a unit of the queue.
    fn do_unit(
        &mut self,
        worker: &str,
        unit: u64,
        result: fn(u64) -> Vec<u8>,
    ) -> Result<(), DispatchError> {
        let numbers = self.queue.remove(&unit).expect("a unit");
        let reports = numbers.into_iter();
        let reports = reports.map(|number| (number, Report::Done(result(number))));
        self.say(worker, unit, false, reports.collect())
    }

    fn first(&self) -> u64 {
        *self.queue.first_key_value().expect("a unit").0
    }

    fn done(&mut self) -> Vec<u64> {
        std::iter::from_fn(|| self.scheduler.next_done())
            .map(|done| done.number)
            .collect()
    }

    fn look(&mut self, seconds: u64, is_queue_empty: bool) {
        self.now += Duration::from_secs(seconds);
        let commands = self
            .scheduler
            .look_around(&self.registry, is_queue_empty, self.now);
        self.obey(commands);
    }
}

fn pieces(count: u64) -> impl Iterator<Item = Piece> {
    (0..count).map(Piece::numbered)
}

#[test]
fn everything_is_done_once_whatever_comes_back_how_often() {
    let mut scene = Scene::new(Order::AsFinished, None);
    let mut pieces = pieces(50);
    let mut done = Vec::new();
    let mut turn = 0;
    while !scene.scheduler.is_over() {
        scene.feed(&mut pieces);
        let most = AHEAD * scene.registry.threads() + FIRST_UNITS;
        assert!(scene.queue.len() <= most, "only so much is given out");
        let Some((&unit, numbers)) = scene.queue.last_key_value() else {
            continue;
        };
        let numbers = numbers.clone();
        turn += 1;
        let worker = ["anna", "bob", "carl"][turn % 3];
        match turn % 4 {
            // Half of it comes back undone.
            1 => {
                scene.queue.remove(&unit);
                let report = |(place, &number): (usize, &u64)| match place % 2 {
                    0 => (number, Report::Done(right(number))),
                    _ => (number, Report::Returned),
                };
                let reports = numbers.iter().enumerate().map(report).collect();
                scene.say(worker, unit, false, reports).expect("fine");
            }
            // It comes twice, the second time from somebody else.
            2 => {
                scene.do_unit(worker, unit, right).expect("fine");
                scene.queue.insert(unit, numbers);
                scene.do_unit("dora", unit, wrong).expect("ignored");
            }
            // It comes once more when the unit is forgotten.
            3 => {
                scene.do_unit(worker, unit, right).expect("fine");
                scene.queue.insert(unit, numbers);
                scene.do_unit(worker, unit, right).expect("ignored");
            }
            _ => scene.do_unit(worker, unit, right).expect("fine"),
        }
        done.extend(scene.done());
    }
    done.sort();
    assert_eq!(done, (0..50).collect::<Vec<_>>());
    assert!(scene.scheduler.duplicates > 0);
    assert!(scene.event.is_empty() && scene.judged.is_empty());
}

#[test]
fn results_come_in_order_if_that_is_wanted() {
    let mut scene = Scene::new(Order::AsGiven, None);
    let mut pieces = pieces(6);
    scene.feed(&mut pieces);
    let units: Vec<u64> = scene.queue.keys().copied().collect();
    assert_eq!(
        units.len(),
        6,
        "one each before anything is known of their time"
    );
    for &unit in units[1..].iter().rev() {
        scene.do_unit("anna", unit, right).expect("fine");
        assert!(scene.done().is_empty());
    }
    assert!(scene.scheduler.has_waiting());
    scene.do_unit("bob", units[0], right).expect("fine");
    assert_eq!(scene.done(), [0, 1, 2, 3, 4, 5]);
    assert!(scene.scheduler.is_over());
}

#[test]
fn what_cannot_be_a_result_shuts_its_sender_out() {
    let mut scene = Scene::new(Order::AsFinished, None);
    let mut pieces = pieces(3);
    scene.feed(&mut pieces);
    let unit = scene.first();
    scene
        .do_unit("bob", unit, |_| vec![200])
        .expect("nothing to withdraw");
    assert!(scene.registry.is_shut_out("bob"));
    assert!(
        matches!(&scene.event[..], [CoordinatorEvent::ShutOut { worker, reason }]
        if worker == "bob" && reason == "number 0: it is another number")
    );
    // It is given out again, and nothing of bob's counts.
    scene
        .say("bob", unit, false, vec![(0, Report::Done(right(0)))])
        .expect("ignored");
    assert!(scene.done().is_empty());
    scene.feed(&mut pieces);
    while !scene.queue.is_empty() {
        let unit = scene.first();
        scene.do_unit("anna", unit, right).expect("fine");
    }
    let mut done = scene.done();
    done.sort();
    assert_eq!(done, [0, 1, 2]);
}

#[test]
fn a_program_of_another_build_is_refused() {
    let mut scene = Scene::new(Order::AsFinished, None);
    let mut pieces = pieces(1);
    scene.feed(&mut pieces);
    let result = UnitResult {
        name: name(0, false),
        identity: Identity {
            build: "other".to_owned(),
            ..Identity::default()
        },
        seconds: 1.0,
        remark: Remark::Last,
        reports: vec![(0, Report::Done(right(0)))],
    };
    let heard = scene.scheduler.hear("anna", result, &mut scene.registry);
    let commands = heard.expect("refused");
    assert!(matches!(
        &commands[..],
        [Command::Tell(CoordinatorEvent::Unfit { .. })]
    ));
    assert!(scene.done().is_empty());
    scene.queue.clear();
    scene.feed(&mut pieces);
    assert_eq!(scene.queue.len(), 1, "given out again");
}

#[test]
fn three_failures_end_the_work_if_they_are_true() {
    for is_true in [true, false] {
        let mut scene = Scene::new(Order::AsFinished, None);
        let mut pieces = pieces(1);
        for worker in ["anna", "bob", "carl"] {
            assert!(scene.judged.is_empty());
            scene.feed(&mut pieces);
            let (unit, _) = scene.queue.pop_first().expect("given out again");
            let failed = vec![(0, Report::Failed(b"no".to_vec()))];
            scene.say(worker, unit, false, failed).expect("tried again");
        }
        assert_eq!(scene.judged, [0]);
        let judged = match is_true {
            true => Err(b"it cannot be".to_vec()),
            false => Ok(right(0)),
        };
        match scene.scheduler.judge(0, judged, &mut scene.registry) {
            Err(error) => {
                assert_eq!(error.to_string(), "number 0: it cannot be");
                assert!(is_true);
            }
            Ok(commands) => {
                scene.obey(commands);
                assert!(!is_true);
                assert_eq!(scene.done(), [0]);
                assert_eq!(scene.event.len(), 3);
                assert!(!scene.registry.is_shut_out("anna"), "once is not always");
            }
        }
    }
}

#[test]
fn a_unit_that_kills_workers_ends_the_work() {
    let mut scene = Scene::new(Order::AsFinished, None);
    let mut pieces = pieces(1);
    scene.feed(&mut pieces);
    let unit = [name(scene.first(), false)];
    // One alone cannot end it, whatever he pretends.
    for _ in 0..5 {
        scene
            .scheduler
            .lose("anna", &unit, &scene.registry)
            .expect("not alone");
    }
    let other = [name(77, false), name(0, true)];
    scene
        .scheduler
        .lose("bob", &other, &scene.registry)
        .expect("other units");
    let error = scene.scheduler.lose("bob", &unit, &scene.registry);
    let words = error.expect_err("enough").to_string();
    assert_eq!(
        words,
        "number 0: 6 workers were lost while they worked on it"
    );
}

#[test]
fn lost_units_are_given_out_again() {
    let mut scene = Scene::new(Order::AsFinished, None);
    let mut pieces = pieces(1);
    scene.feed(&mut pieces);
    let (unit, _) = scene.queue.pop_first().expect("a unit");
    // It waits in the queue, or somebody works on it.
    scene.look(1000, false);
    scene.beat("anna", &[name(unit, false)]);
    scene.look(60, true);
    assert!(scene.scheduler.is_held(&scene.registry));
    scene.beat("anna", &[]);
    scene.look(60, true);
    assert!(scene.event.is_empty());
    scene.look(60, true);
    assert!(matches!(
        scene.event[..],
        [CoordinatorEvent::GivenAgain { units: 1 }]
    ));
    scene.feed(&mut pieces);
    let (again, numbers) = scene.queue.pop_first().expect("given out again");
    assert!(again > unit && numbers == [0]);
    // The lost one was not lost: it counts, and the other does not.
    scene
        .say("anna", unit, false, vec![(0, Report::Done(right(0)))])
        .expect("fine");
    scene
        .say("bob", again, false, vec![(0, Report::Done(right(0)))])
        .expect("fine");
    assert_eq!(scene.done(), [0]);
    assert_eq!(scene.scheduler.duplicates, 1);
}

#[test]
fn who_never_ends_is_not_waited_for() {
    let mut scene = Scene::new(Order::AsFinished, None);
    let mut pieces = pieces(2);
    scene.feed(&mut pieces);
    let units: Vec<u64> = scene.queue.keys().copied().collect();
    scene
        .do_unit("bob", units[0], right)
        .expect("half a second");
    scene.queue.clear();
    for _ in 0..20 {
        scene.beat("anna", &[name(units[1], false)]);
        scene.look(10, scene.queue.is_empty());
        scene.feed(&mut pieces);
    }
    assert_eq!(scene.queue.values().collect::<Vec<_>>(), [&[1]]);
}

/// Workers that do the newest units as soon as they are there, so that the queue is never
/// known to be empty.
fn go_on(scene: &mut Scene, pieces: &mut dyn Iterator<Item = Piece>, seconds: u64) {
    for _ in 0..seconds {
        scene.feed(pieces);
        let units: Vec<u64> = scene.queue.keys().copied().collect();
        for unit in units {
            scene.do_unit("bob", unit, right).expect("done");
        }
        scene.look(1, false);
    }
}

#[test]
fn a_lost_unit_is_noticed_in_a_job_without_end() {
    let mut scene = Scene::new(Order::AsGiven, None);
    let mut pieces = pieces(u64::MAX);
    scene.feed(&mut pieces);
    let (_, lost) = scene.queue.pop_first().expect("a unit");
    go_on(&mut scene, &mut pieces, 70);
    assert!(scene.done().is_empty() && scene.event.is_empty());
    go_on(&mut scene, &mut pieces, 10);
    assert!(matches!(
        scene.event[..],
        [CoordinatorEvent::GivenAgain { units: 1 }]
    ));
    assert_eq!(scene.done()[0], lost[0]);
}

#[test]
fn results_that_wait_for_an_earlier_one_are_bounded() {
    static SMALL: std::sync::LazyLock<Settings> = std::sync::LazyLock::new(|| Settings {
        result_bytes: 4 * 100 * right(0).len() as u64,
        ..Settings::default()
    });
    let mut scene = Scene::with(Order::AsGiven, None, &SMALL);
    let mut pieces = pieces(u64::MAX);
    scene.feed(&mut pieces);
    let first = scene.first();
    let numbers = scene.queue.remove(&first).expect("a unit");
    go_on(&mut scene, &mut pieces, 40);
    assert!(scene.queue.is_empty(), "nobody gets anything");
    let reports = numbers.into_iter();
    let reports = reports.map(|number| (number, Report::Done(right(number))));
    scene
        .say("anna", first, false, reports.collect())
        .expect("slow, but right");
    let done = scene.done();
    assert!((100..200).contains(&done.len()), "{}", done.len());
    scene.feed(&mut pieces);
    assert!(!scene.queue.is_empty(), "it goes on");
}
