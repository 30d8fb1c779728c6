use super::*;

const ONE: Fingerprint = [1; 32];
const OTHER: Fingerprint = [2; 32];

/// Notes the first result of a piece as the course of a job does.
fn note(verification: &mut Verification, units: &[u64], number: u64, worker: &str) {
    if let Some(unit) = verification.wants(units, worker) {
        verification.note(unit, Arc::new(Piece::numbered(number)), worker, ONE);
    }
}

fn wanted(verification: &Verification) -> Vec<(u64, Vec<u64>)> {
    let numbers = |pieces: &[Arc<Piece>]| pieces.iter().map(|piece| piece.number).collect();
    let wanted = verification.wanted();
    let wanted = wanted.iter();
    wanted
        .map(|wanted| (wanted.copy, numbers(&wanted.pieces)))
        .collect()
}

/// Two pieces that anna has done, and that bob is asked to do again.
fn asked() -> Verification {
    let mut verification = Verification::new("s1".to_owned(), Some(1));
    note(&mut verification, &[7], 0, "anna");
    verification.collect(&|unit| unit == 7);
    assert!(
        verification.wanted().is_empty(),
        "more of the unit is to come"
    );
    assert!(!verification.is_settled());
    note(&mut verification, &[7], 1, "anna");
    verification.collect(&|_| false);
    assert_eq!(wanted(&verification), [(0, vec![0, 1])]);
    assert_eq!(verification.wanted()[0].not_by, ["anna"]);
    verification.ask(0, "bob", Instant::now());
    assert!(verification.wanted().is_empty() && !verification.is_settled());
    verification
}

#[test]
fn equal_results_confirm() {
    let mut verification = asked();
    assert_eq!(verification.compare(0, 0, "carl", ONE), Compared::Unasked);
    assert_eq!(verification.compare(0, 5, "bob", ONE), Compared::Unasked);
    assert_eq!(verification.compare(0, 0, "bob", ONE), Compared::Equal);
    assert_eq!(
        verification.compare(0, 0, "bob", ONE),
        Compared::Equal,
        "once more"
    );
    let confirmed = Compared::Confirmed(vec!["anna".to_owned()]);
    assert_eq!(verification.compare(0, 1, "bob", ONE), confirmed);
    assert!(verification.is_settled());
    assert_eq!(verification.compare(0, 1, "bob", ONE), Compared::Unasked);
}

#[test]
fn different_results_are_told() {
    let mut verification = asked();
    let Compared::Different(dispute) = verification.compare(0, 1, "bob", OTHER) else {
        panic!("a difference");
    };
    assert_eq!(dispute.piece.number, 1);
    assert_eq!(dispute.sides[0], ("anna".to_owned(), ONE));
    assert_eq!(dispute.sides[1], ("bob".to_owned(), OTHER));
    // One dispute is enough to find out who is wrong.
    assert_eq!(verification.compare(0, 0, "bob", OTHER), Compared::Unasked);
    verification.decline(0, "bob");
    assert!(verification.wanted().is_empty() && !verification.is_settled());
    // If it was bob, somebody else compares what anna did.
    verification.forget("bob");
    assert_eq!(wanted(&verification), [(0, vec![0, 1])]);
    verification.forget("anna");
    assert!(verification.is_settled());
}

#[test]
fn a_dispute_with_one_of_several_leaves_the_others_to_be_compared() {
    let mut verification = Verification::new("s1".to_owned(), Some(1));
    note(&mut verification, &[7], 0, "anna");
    note(&mut verification, &[7], 1, "carl");
    verification.collect(&|_| false);
    verification.ask(0, "bob", Instant::now());
    let compared = verification.compare(0, 0, "bob", OTHER);
    assert!(matches!(compared, Compared::Different(_)));
    verification.forget("anna");
    assert_eq!(wanted(&verification), [(0, vec![1])]);
}

#[test]
fn somebody_else_is_asked_but_not_forever() {
    let mut verification = asked();
    let now = Instant::now();
    let patience = Duration::from_secs(10);
    verification.ask_others(&|_| true, patience, now + 5 * patience);
    assert!(verification.wanted().is_empty(), "bob works on it");
    verification.ask_others(&|_| false, patience, now + 7 * patience);
    assert_eq!(verification.wanted().len(), 1);
    verification.ask(0, "carl", now);
    verification.decline(0, "bob");
    assert!(verification.wanted().is_empty(), "carl was asked, not bob");
    verification.decline(0, "carl");
    assert_eq!(verification.wanted().len(), 1);
    verification.ask(0, "dora", now);
    verification.decline(0, "dora");
    assert!(
        verification.wanted().is_empty() && verification.is_settled(),
        "given up"
    );
    let mut verification = asked();
    verification.decline(0, "bob");
    verification.give_up_wanted();
    assert!(verification.is_settled());
}

#[test]
fn one_unit_in_so_many_is_chosen() {
    let verification = Verification::new("s1".to_owned(), Some(64));
    let is_chosen = |of: &Verification, unit| of.wants(&[unit], "anna").is_some();
    let chosen = (0..6400).filter(|&unit| is_chosen(&verification, unit));
    let chosen = chosen.count();
    assert!((60..=140).contains(&chosen), "{chosen}");
    let other = Verification::new("s2".to_owned(), Some(64));
    let both = (0..6400).filter(|&unit| is_chosen(&verification, unit) && is_chosen(&other, unit));
    assert!(both.count() < chosen / 2, "another lot");
    let never = Verification::new("s1".to_owned(), None);
    assert!(!is_chosen(&never, 0));
}

#[test]
fn a_piece_that_was_given_out_twice_is_compared_if_either_unit_was_chosen() {
    let mut verification = Verification::new("s1".to_owned(), Some(64));
    let chosen = |unit: &u64| verification.wants(&[*unit], "anna").is_some();
    let yes = (0..1000).find(chosen).expect("one of them");
    let no = (0..1000).find(|unit| !chosen(unit)).expect("most of them");
    for units in [[yes, no], [no, yes]] {
        assert_eq!(verification.wants(&units, "anna"), Some(yes));
    }
    assert_eq!(verification.wants(&[no], "anna"), None);
    // A suspect has no choice either.
    verification.suspects.insert("eve".to_owned(), 1);
    assert_eq!(verification.wants(&[no], "eve"), Some(no));
}

#[test]
fn what_is_left_out_does_not_prevent_the_comparison_of_the_rest() {
    let mut verification = Verification::new("s1".to_owned(), Some(1));
    note(&mut verification, &[7], 0, "anna");
    verification.collect(&|_| false);
    assert_eq!(wanted(&verification), [(0, vec![0])]);
    // The rest comes late, or from somebody else with another unit.
    note(&mut verification, &[7], 1, "anna");
    note(&mut verification, &[7, 9], 2, "carl");
    verification.collect(&|unit| unit == 9);
    assert_eq!(wanted(&verification), [(0, vec![0]), (1, vec![1, 2])]);
}

#[test]
fn a_suspect_is_looked_at_more_closely() {
    let mut verification = Verification::new("s1".to_owned(), Some(1 << 40));
    let mut found = None;
    for game in 0..2000_usize {
        for worker in ["anna", "bob", "carl"] {
            assert_eq!(
                verification.classify(worker, game % 3),
                None,
                "{worker}, game {game}"
            );
        }
        // Always the same class.
        found = found.or(verification.classify("eve", 0));
    }
    assert!(found.is_some_and(|deviation| deviation > SUSPICIOUS));
    note(&mut verification, &[1], 0, "anna");
    note(&mut verification, &[2], 1, "eve");
    verification.collect(&|_| false);
    assert_eq!(wanted(&verification), [(0, vec![1])]);
    verification.forget("eve");
    assert!(verification.is_settled());
    assert_eq!(
        verification.wants(&[3], "eve"),
        None,
        "nobody is suspect any more"
    );
}

#[test]
fn a_suspect_is_suspected_for_some_units() {
    let mut verification = Verification::new("s1".to_owned(), Some(1 << 40));
    verification
        .suspects
        .insert("eve".to_owned(), SUSPECTED_UNITS);
    for unit in 0..=SUSPECTED_UNITS.into() {
        note(&mut verification, &[unit], unit, "eve");
        verification.collect(&|_| false);
    }
    assert_eq!(wanted(&verification).len(), SUSPECTED_UNITS as usize);
}

#[test]
fn a_liar_is_forgotten_as_first_and_as_second() {
    let mut verification = asked();
    verification.forget("bob");
    assert_eq!(verification.wanted().len(), 1);
    verification.forget("anna");
    assert!(verification.wanted().is_empty() && verification.is_settled());
}
