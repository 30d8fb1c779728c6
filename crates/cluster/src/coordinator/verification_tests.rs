use super::*;

const ONE: Fingerprint = [1; 32];
const OTHER: Fingerprint = [2; 32];

fn pieces(numbers: std::ops::Range<u64>) -> Vec<Arc<Piece>> {
    numbers
        .map(|number| Arc::new(Piece::numbered(number)))
        .collect()
}

/// A unit of two pieces that anna has done, and that bob is asked to do again.
fn asked() -> Verification {
    let mut verification = Verification::new("s1".to_owned(), Some(1));
    verification.issue(7, &pieces(0..2));
    verification.note(7, 0, "anna", ONE);
    assert!(verification.is_settled() && verification.wanted().is_empty());
    verification.note(7, 1, "anna", ONE);
    let wanted = verification.wanted();
    assert_eq!(
        (wanted[0].unit, &wanted[0].not_by[..]),
        (7, &["anna".to_owned()][..])
    );
    verification.ask(7, "bob", Instant::now());
    assert!(verification.wanted().is_empty() && !verification.is_settled());
    verification
}

#[test]
fn equal_results_confirm() {
    let mut verification = asked();
    assert_eq!(verification.compare(7, 0, "carl", ONE), Compared::Unasked);
    assert_eq!(verification.compare(7, 5, "bob", ONE), Compared::Unasked);
    assert_eq!(verification.compare(7, 0, "bob", ONE), Compared::Equal);
    assert_eq!(
        verification.compare(7, 0, "bob", ONE),
        Compared::Equal,
        "once more"
    );
    let confirmed = Compared::Confirmed(vec!["anna".to_owned()]);
    assert_eq!(verification.compare(7, 1, "bob", ONE), confirmed);
    assert!(verification.is_settled());
    assert_eq!(verification.compare(7, 1, "bob", ONE), Compared::Unasked);
}

#[test]
fn different_results_are_told() {
    let mut verification = asked();
    let Compared::Different(dispute) = verification.compare(7, 1, "bob", OTHER) else {
        panic!("a difference");
    };
    assert_eq!(dispute.piece.number, 1);
    assert_eq!(dispute.sides[0], ("anna".to_owned(), ONE));
    assert_eq!(dispute.sides[1], ("bob".to_owned(), OTHER));
    assert!(verification.is_settled());
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
    verification.ask(7, "carl", now);
    verification.decline(7, "bob");
    assert!(verification.wanted().is_empty(), "carl was asked, not bob");
    verification.decline(7, "carl");
    assert_eq!(verification.wanted().len(), 1);
    verification.ask(7, "dora", now);
    verification.decline(7, "dora");
    assert!(
        verification.wanted().is_empty() && verification.is_settled(),
        "given up"
    );
    let mut verification = asked();
    verification.decline(7, "bob");
    verification.give_up_wanted();
    assert!(verification.is_settled());
}

#[test]
fn one_unit_in_so_many_is_chosen() {
    let mut verification = Verification::new("s1".to_owned(), Some(64));
    for unit in 0..6400 {
        verification.issue(unit, &pieces(0..1));
    }
    let chosen = (0..6400).filter(|&unit| verification.wants(unit)).count();
    assert!((60..=140).contains(&chosen), "{chosen}");
    let mut other = Verification::new("s2".to_owned(), Some(64));
    (0..6400).for_each(|unit| other.issue(unit, &pieces(0..1)));
    let both = (0..6400).filter(|&unit| verification.wants(unit) && other.wants(unit));
    assert!(both.count() < chosen / 2, "another lot");
    let mut never = Verification::new("s1".to_owned(), None);
    never.issue(0, &pieces(0..1));
    assert!(!never.wants(0));
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
    verification.issue(1, &pieces(0..1));
    verification.issue(2, &pieces(1..2));
    verification.note(1, 0, "anna", ONE);
    verification.note(2, 1, "eve", ONE);
    let wanted: Vec<u64> = verification
        .wanted()
        .iter()
        .map(|wanted| wanted.unit)
        .collect();
    assert_eq!(wanted, [2]);
    verification.forget("eve");
    assert!(verification.is_settled());
    verification.issue(3, &pieces(0..1));
    assert!(!verification.wants(3), "nobody is suspect any more");
}

#[test]
fn a_liar_is_forgotten_as_first_and_as_second() {
    let mut verification = asked();
    verification.forget("bob");
    assert_eq!(verification.wanted().len(), 1);
    verification.forget("anna");
    assert!(verification.wanted().is_empty() && verification.is_settled());
}
