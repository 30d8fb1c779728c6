//! Workers that lie: what they name, leave out and repeat is compared all the same.

use super::*;

/// Eve sends what looks right and is wrong, for pieces of a unit that she names as she
/// likes; what becomes of her.
fn eve_names(unit: impl Fn(u64, u64) -> u64, one_in: Option<u64>) -> Scene {
    let mut scene = Scene::new(Order::AsFinished, one_in);
    scene.feed(&mut pieces(10));
    let taken = scene.first();
    let numbers = scene.queue[&taken].clone();
    let last = *scene.queue.last_key_value().expect("a unit").0;
    let reports = numbers.into_iter();
    let reports = reports.map(|number| (number, Report::Done(wrong(number))));
    scene
        .say("eve", unit(taken, last), false, reports.collect())
        .expect("nothing was handed over");
    scene
}

#[test]
fn who_invents_units_is_banned() {
    let units: [fn(u64, u64) -> u64; 3] = [
        |_, _| 1_000_000_000_000,
        |_, last| last + 1,
        // One that somebody else has.
        |_, last| last,
    ];
    for unit in units {
        for one_in in [Some(1), Some(64), None] {
            let mut scene = eve_names(unit, one_in);
            assert!(scene.registry.is_shut_out("eve"));
            assert!(scene.done().is_empty());
            assert!(
                matches!(&scene.event[..], [CoordinatorEvent::ShutOut { reason, .. }]
                if reason.starts_with("it sends invalid messages"))
            );
        }
    }
}

#[test]
fn who_invents_a_unit_without_pieces_is_banned() {
    let mut scene = Scene::new(Order::AsFinished, None);
    scene.feed(&mut pieces(10));
    scene
        .say("eve", 1_000_000_000_000, false, Vec::new())
        .expect("nothing was handed over");
    assert!(scene.registry.is_shut_out("eve"));
}

/// Results of the oldest unit in the queue.
fn of_first_unit(scene: &Scene, result: fn(u64) -> Vec<u8>) -> (u64, Vec<(u64, Report)>) {
    let unit = scene.first();
    let numbers = scene.queue[&unit].iter();
    let reports = numbers.map(|&number| (number, Report::Done(result(number))));
    (unit, reports.collect())
}

#[test]
fn who_uses_the_unit_of_another_is_blamed_alone() {
    let mut scene = Scene::new(Order::AsGiven, Some(1));
    let mut pieces = pieces(10);
    scene.feed(&mut pieces);
    let (unit, lies) = of_first_unit(&scene, wrong);
    let (_, truths) = of_first_unit(&scene, right);
    // Anna holds it, and both hand it in.
    scene.beat("anna", &[name(unit, false)]);
    scene.say("eve", unit, false, lies).expect("it looks right");
    scene.say("anna", unit, false, truths).expect("too late");
    scene.look(1, false);
    let (second, copy) = scene.asked.pop().expect("it is compared");
    let again = vec![(0, Report::Done(right(0)))];
    scene.say(&second, copy, true, again).expect("a question");
    let judged = scene.scheduler.judge(0, Ok(right(0)), &mut scene.registry);
    scene.obey(judged.expect("nothing was handed over"));
    assert!(scene.registry.is_shut_out("eve"));
    assert!(!scene.registry.is_shut_out("anna") && !scene.registry.is_shut_out(&second));
}

#[test]
fn results_of_a_unit_count_after_another_worker_was_banned_for_them() {
    let mut scene = Scene::new(Order::AsGiven, Some(1));
    let mut pieces = pieces(10);
    scene.feed(&mut pieces);
    // The first piece is awaited, so that the second is not handed over.
    let (awaited, _) = scene.queue.pop_first().expect("a unit");
    let (unit, lies) = of_first_unit(&scene, wrong);
    let (_, truths) = of_first_unit(&scene, right);
    scene.say("eve", unit, false, lies).expect("it looks right");
    scene
        .say("eve", 1_000_000_000_000, false, Vec::new())
        .expect("nothing was handed over");
    assert!(scene.registry.is_shut_out("eve"));
    // Anna had the same unit, because eve was thought to be lost.
    scene
        .say("anna", unit, false, truths)
        .expect("an honest result");
    assert!(!scene.registry.is_shut_out("anna"));
    let first = vec![(0, Report::Done(right(0)))];
    scene.say("anna", awaited, false, first).expect("fine");
    assert_eq!(scene.done(), [0, 1]);
}

#[test]
fn a_message_of_an_old_unit_changes_nothing() {
    let mut scene = Scene::new(Order::AsFinished, Some(1));
    let mut pieces = pieces(10);
    scene.feed(&mut pieces);
    let (unit, truths) = of_first_unit(&scene, right);
    for _ in 0..3 {
        scene
            .say("anna", unit, false, truths.clone())
            .expect("late, but not false");
    }
    assert_eq!(scene.done(), [0]);
    assert!(scene.event.is_empty());
}

/// A job with units of several pieces, and the oldest of them.
fn with_long_units() -> (Scene, u64, Vec<u64>) {
    let mut scene = Scene::new(Order::AsFinished, Some(1));
    scene.scheduler.sizing.learn(100, 1.0);
    scene.feed(&mut pieces(30));
    let (unit, numbers) = scene.queue.pop_first().expect("a unit");
    assert!(numbers.len() > 2, "{numbers:?}");
    (scene, unit, numbers)
}

#[test]
fn who_leaves_a_piece_out_is_compared_all_the_same() {
    let left_out: [fn(u64) -> Option<Report>; 3] = [
        |_| None,
        |_| Some(Report::Returned),
        |_| Some(Report::Failed(b"no".to_vec())),
    ];
    for left_out in left_out {
        let (mut scene, unit, numbers) = with_long_units();
        let mut reports: Vec<(u64, Report)> = numbers[1..]
            .iter()
            .map(|&number| (number, Report::Done(wrong(number))))
            .collect();
        reports.extend(left_out(numbers[0]).map(|report| (numbers[0], report)));
        scene.say("eve", unit, false, reports).expect("a question");
        scene.look(1, false);
        assert_eq!(scene.asked.len(), 1, "what eve did is compared");
        let (second, copy) = scene.asked.pop().expect("somebody");
        let again = vec![(numbers[1], Report::Done(right(numbers[1])))];
        scene.say(&second, copy, true, again).expect("a question");
        assert_eq!(scene.judged, [numbers[1]]);
    }
}

#[test]
fn what_was_left_out_is_given_out_again_and_compared_as_well() {
    let (mut scene, unit, numbers) = with_long_units();
    let most = numbers[1..].iter();
    let most = most.map(|&number| (number, Report::Done(right(number))));
    scene.say("eve", unit, false, most.collect()).expect("fine");
    scene.look(1, false);
    assert_eq!(scene.asked.len(), 1);
    scene.queue.clear();
    scene.feed(&mut pieces(0));
    let again = scene.queue.values().flatten().next();
    assert_eq!(again, Some(&numbers[0]), "it is given out again");
    let (unit, lies) = of_first_unit(&scene, wrong);
    scene.say("eve", unit, false, lies).expect("a question");
    scene.look(1, false);
    assert_eq!(scene.asked.len(), 2, "both parts are compared");
}

#[test]
fn a_unit_that_never_ends_is_compared_before_the_work_ends() {
    let (mut scene, unit, numbers) = with_long_units();
    let result = UnitResult {
        name: name(unit, false),
        identity: Identity::default(),
        seconds: 1.0,
        remark: Remark::More,
        reports: vec![(numbers[0], Report::Done(wrong(numbers[0])))],
    };
    let heard = scene.scheduler.hear("eve", result, &mut scene.registry);
    scene.obey(heard.expect("it looks right"));
    scene.look(1, false);
    assert!(scene.asked.is_empty(), "more is to come");
    assert_eq!(scene.done(), [numbers[0]]);
    scene.scheduler.close();
    scene.look(1, false);
    assert_eq!(scene.asked.len(), 1);
    // What comes now is not handed over, and so need not be compared.
    let late = vec![(numbers[1], Report::Done(right(numbers[1])))];
    scene.say("eve", unit, false, late).expect("ignored");
    assert!(scene.done().is_empty());
}

/// Anna has done the first unit, and somebody was asked to do it again.
fn compared(result: fn(u64) -> Vec<u8>) -> (Scene, String, u64) {
    let mut scene = Scene::new(Order::AsFinished, Some(1));
    let mut pieces = pieces(3);
    scene.feed(&mut pieces);
    let unit = scene.first();
    scene.do_unit("anna", unit, result).expect("it looks right");
    assert_eq!(scene.done(), [0]);
    scene.look(1, false);
    let (second, copy) = scene.asked.pop().expect("somebody");
    assert_ne!(second, "anna");
    assert!(!scene.scheduler.is_settled());
    (scene, second, copy)
}

#[test]
fn equal_results_confirm_both() {
    let (mut scene, second, copy) = compared(right);
    // Times may differ.
    let again = vec![(0, Report::Done(vec![0, 7, 1]))];
    scene.say(&second, copy, true, again).expect("equal");
    assert!(scene.scheduler.is_settled());
    assert_eq!(scene.registry.member("anna").work.confirmed, 1);
    assert_eq!(scene.registry.member(&second).work.confirmed, 1);
}

#[test]
fn a_liar_is_found_and_its_results_are_withdrawn() {
    let (mut scene, second, copy) = compared(wrong);
    let again = vec![(0, Report::Done(right(0)))];
    scene.say(&second, copy, true, again).expect("a question");
    assert_eq!(scene.judged, [0]);
    let judged = scene.scheduler.judge(0, Ok(right(0)), &mut scene.registry);
    let Err(DispatchError::Withdrawn {
        worker, numbers, ..
    }) = judged
    else {
        panic!("{judged:?}");
    };
    assert_eq!((worker.as_str(), &numbers[..]), ("anna", &[0][..]));
    assert!(scene.registry.is_shut_out("anna") && !scene.registry.is_shut_out(&second));
}

#[test]
fn a_false_accuser_is_found_as_well() {
    let (mut scene, second, copy) = compared(right);
    let again = vec![(0, Report::Done(wrong(0)))];
    scene.say(&second, copy, true, again).expect("a question");
    let judged = scene.scheduler.judge(0, Ok(right(0)), &mut scene.registry);
    scene.obey(judged.expect("nothing to withdraw"));
    assert!(scene.registry.is_shut_out(&second) && !scene.registry.is_shut_out("anna"));
    // What anna did is still to be compared.
    scene.look(1, false);
    let (third, copy) = scene.asked.pop().expect("somebody else");
    assert_ne!(third, second);
    let again = vec![(0, Report::Done(right(0)))];
    scene.say(&third, copy, true, again).expect("equal");
    assert!(scene.scheduler.is_settled());
}

#[test]
fn a_dispute_that_cannot_be_decided_ends_the_work() {
    let (mut scene, second, copy) = compared(wrong);
    let again = vec![(0, Report::Done(right(0)))];
    scene.say(&second, copy, true, again).expect("a question");
    let fault = Err(b"no memory".to_vec());
    let judged = scene.scheduler.judge(0, fault, &mut scene.registry);
    let words = judged.expect_err("it is told").to_string();
    assert!(
        words.starts_with("number 0: the workers 'anna' and '"),
        "{words}"
    );
    assert!(words.ends_with("which one is right: no memory"), "{words}");
    assert!(!scene.registry.is_shut_out("anna") && !scene.registry.is_shut_out(&second));
}

#[test]
fn a_dispute_with_somebody_who_was_banned_meanwhile_need_not_be_decided() {
    let (mut scene, second, copy) = compared(right);
    let again = vec![(0, Report::Done(wrong(0)))];
    scene.say(&second, copy, true, again).expect("a question");
    let banned = scene
        .scheduler
        .hear_garbage(&second, "nonsense", &mut scene.registry);
    scene.obey(banned.expect("nothing to withdraw"));
    let fault = Err(b"no memory".to_vec());
    let judged = scene.scheduler.judge(0, fault, &mut scene.registry);
    assert_eq!(judged.expect("decided"), []);
    // What anna did is compared by somebody else.
    scene.look(1, false);
    assert_eq!(scene.asked.len(), 1);
    assert!(!scene.scheduler.is_settled());
}
