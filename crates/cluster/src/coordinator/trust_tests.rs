use super::*;

const ONE: Fingerprint = [1; 32];
const OTHER: Fingerprint = [2; 32];

fn pieces(numbers: std::ops::Range<u64>) -> Vec<Arc<Piece>> {
    numbers
        .map(|number| Arc::new(Piece::numbered(number)))
        .collect()
}

/// A unit of two pieces that anna has done, and that bob is asked to do again.
fn asked() -> Trust {
    let mut trust = Trust::new("s1".to_owned(), Some(1));
    trust.issue(7, &pieces(0..2));
    trust.note(7, 0, "anna", ONE);
    assert!(trust.is_settled() && trust.wanted().is_empty());
    trust.note(7, 1, "anna", ONE);
    let wanted = trust.wanted();
    assert_eq!(
        (wanted[0].unit, &wanted[0].not_by[..]),
        (7, &["anna".to_owned()][..])
    );
    trust.ask(7, "bob", Instant::now());
    assert!(trust.wanted().is_empty() && !trust.is_settled());
    trust
}

#[test]
fn equal_results_confirm() {
    let mut trust = asked();
    assert_eq!(trust.compare(7, 0, "carl", ONE), Compared::Unasked);
    assert_eq!(trust.compare(7, 5, "bob", ONE), Compared::Unasked);
    assert_eq!(trust.compare(7, 0, "bob", ONE), Compared::Equal);
    assert_eq!(
        trust.compare(7, 0, "bob", ONE),
        Compared::Equal,
        "once more"
    );
    let confirmed = Compared::Confirmed(vec!["anna".to_owned()]);
    assert_eq!(trust.compare(7, 1, "bob", ONE), confirmed);
    assert!(trust.is_settled());
    assert_eq!(trust.compare(7, 1, "bob", ONE), Compared::Unasked);
}

#[test]
fn different_results_are_told() {
    let mut trust = asked();
    let Compared::Different(dispute) = trust.compare(7, 1, "bob", OTHER) else {
        panic!("a difference");
    };
    assert_eq!(dispute.piece.number, 1);
    assert_eq!(dispute.sides[0], ("anna".to_owned(), ONE));
    assert_eq!(dispute.sides[1], ("bob".to_owned(), OTHER));
    assert!(trust.is_settled());
}

#[test]
fn somebody_else_is_asked_but_not_forever() {
    let mut trust = asked();
    let now = Instant::now();
    let patience = Duration::from_secs(10);
    trust.ask_others(&|_| true, patience, now + 5 * patience);
    assert!(trust.wanted().is_empty(), "bob works on it");
    trust.ask_others(&|_| false, patience, now + 7 * patience);
    assert_eq!(trust.wanted().len(), 1);
    trust.ask(7, "carl", now);
    trust.decline(7, "bob");
    assert!(trust.wanted().is_empty(), "carl was asked, not bob");
    trust.decline(7, "carl");
    assert_eq!(trust.wanted().len(), 1);
    trust.ask(7, "dora", now);
    trust.decline(7, "dora");
    assert!(trust.wanted().is_empty() && trust.is_settled(), "given up");
    let mut trust = asked();
    trust.decline(7, "bob");
    trust.give_up_wanted();
    assert!(trust.is_settled());
}

#[test]
fn one_unit_in_so_many_is_chosen() {
    let mut trust = Trust::new("s1".to_owned(), Some(64));
    for unit in 0..6400 {
        trust.issue(unit, &pieces(0..1));
    }
    let chosen = (0..6400).filter(|&unit| trust.wants(unit)).count();
    assert!((60..=140).contains(&chosen), "{chosen}");
    let mut other = Trust::new("s2".to_owned(), Some(64));
    (0..6400).for_each(|unit| other.issue(unit, &pieces(0..1)));
    let both = (0..6400).filter(|&unit| trust.wants(unit) && other.wants(unit));
    assert!(both.count() < chosen / 2, "another lot");
    let mut never = Trust::new("s1".to_owned(), None);
    never.issue(0, &pieces(0..1));
    assert!(!never.wants(0));
}

#[test]
fn a_suspect_is_looked_at_more_closely() {
    let mut trust = Trust::new("s1".to_owned(), Some(1 << 40));
    let mut found = None;
    for game in 0..2000_usize {
        for worker in ["anna", "bob", "carl"] {
            assert_eq!(
                trust.classify(worker, game % 3),
                None,
                "{worker}, game {game}"
            );
        }
        // Always the same class.
        found = found.or(trust.classify("eve", 0));
    }
    assert!(found.is_some_and(|deviation| deviation > SUSPICIOUS));
    trust.issue(1, &pieces(0..1));
    trust.issue(2, &pieces(1..2));
    trust.note(1, 0, "anna", ONE);
    trust.note(2, 1, "eve", ONE);
    let wanted: Vec<u64> = trust.wanted().iter().map(|wanted| wanted.unit).collect();
    assert_eq!(wanted, [2]);
    trust.forget("eve");
    assert!(trust.is_settled());
    trust.issue(3, &pieces(0..1));
    assert!(!trust.wants(3), "nobody is suspect any more");
}

#[test]
fn a_liar_is_forgotten_as_first_and_as_second() {
    let mut trust = asked();
    trust.forget("bob");
    assert_eq!(trust.wanted().len(), 1);
    trust.forget("anna");
    assert!(trust.wanted().is_empty() && trust.is_settled());
}
