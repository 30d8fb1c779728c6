use super::*;
use crate::score;
use chess::Board;

fn position(fen: &str, mv: &str) -> Position {
    let board = Board::from_fen(fen).expect("a position");
    Position {
        board,
        mv: board.parse_uci(mv).ok(),
        score: 30,
        result: Outcome::Draw,
        ply: 40,
    }
}

fn quiet() -> Position {
    position("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e2e4")
}

/// The name of the filter in a list that removes a position.
fn removed(filters: &[&str], position: &Position) -> Option<&'static str> {
    let filters: Filters = filters
        .iter()
        .map(|word| word.parse::<Filter>().expect("a filter"))
        .collect();
    let mut run = filters.run(random::generator(1, 1));
    let is_kept = run.keeps(position);
    let counts = *run.counts();
    assert_eq!(counts.seen(), 1);
    assert_eq!(counts.kept == 1, is_kept);
    FilterKind::ALL
        .into_iter()
        .find(|&kind| counts.removed(kind) == 1)
        .map(FilterKind::name)
}

#[test]
fn each_filter_removes_what_it_says() {
    let capture = position("4k3/8/8/8/8/5p2/4P3/4K3 w - - 0 1", "e2f3");
    let in_passing = position("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6");
    let promotion = position("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q");
    let check = position("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", "e1e2");
    let at = |ply| Position { ply, ..quiet() };
    let worth = |score| Position { score, ..quiet() };
    for (filter, position, expected) in [
        ("captures", capture, true),
        ("captures", in_passing, true),
        ("captures", quiet(), false),
        (
            "captures",
            Position {
                mv: None,
                ..capture
            },
            false,
        ),
        ("promotions", promotion, true),
        ("promotions", capture, false),
        ("in-check", check, true),
        ("in-check", capture, false),
        ("early=40", at(40), true),
        ("early=40", at(41), false),
        ("ply=10..20", at(9), true),
        ("ply=10..20", at(10), false),
        ("ply=10..20", at(20), false),
        ("ply=10..20", at(21), true),
        ("score=..3000", worth(-3001), true),
        ("score=..3000", worth(3000), false),
        ("score=100..", worth(99), true),
        ("score=..3000", worth(i16::MIN), true),
        ("random=0", quiet(), false),
    ] {
        let name = filter.split('=').next();
        let removed = removed(&[filter], &position);
        assert_eq!(removed, name.filter(|_| expected), "{filter}");
    }
    assert_eq!(removed(&[], &worth(score::MARK)), Some("marked"));
}

#[test]
fn the_first_to_remove_counts_it() {
    let both = position("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1", "e1e2");
    assert_eq!(removed(&["in-check", "captures"], &both), Some("captures"));
    assert_eq!(
        removed(&["in-check", "early=99", "captures"], &both),
        Some("early")
    );
    // The last of a kind counts.
    assert_eq!(removed(&["early=99", "early=1"], &both), None);
}

fn kept_of_10_000(filter: &str, position: &Position) -> u64 {
    let filters: Filters = [filter.parse::<Filter>().expect("a filter")]
        .into_iter()
        .collect();
    let mut run = filters.run(random::generator(3, 1));
    for _ in 0..10_000 {
        run.keeps(position);
    }
    run.counts().kept
}

#[test]
fn chance_keeps_its_share() {
    // One is kept for three that are skipped, within four standard deviations.
    assert!(kept_of_10_000("random=3", &quiet()).abs_diff(2500) < 174);
    assert_eq!(kept_of_10_000("random=0", &quiet()), 10_000);
    let labelled = |score, result| Position {
        score,
        result,
        ..quiet()
    };
    assert!(kept_of_10_000("result", &labelled(270, Outcome::Win)).abs_diff(5000) < 200);
    assert!(kept_of_10_000("result", &labelled(-270, Outcome::Loss)).abs_diff(5000) < 200);
    assert!(kept_of_10_000("result", &labelled(3000, Outcome::Loss)) < 10);
    assert!(kept_of_10_000("result", &labelled(3000, Outcome::Win)) > 9_990);
    // 1 - 2 / (1 + exp(270 / 340))
    assert!(kept_of_10_000("result", &labelled(0, Outcome::Draw)).abs_diff(3776) < 194);
}

#[test]
fn the_same_generator_removes_the_same() {
    let filters: Filters = ["random=3".parse::<Filter>().expect("a filter")]
        .into_iter()
        .collect();
    let kept = |number| {
        let mut run = filters.run(random::generator(9, number));
        (0..100).map(|_| run.keeps(&quiet())).collect::<Vec<_>>()
    };
    assert_eq!(kept(1), kept(1));
    assert_ne!(kept(1), kept(2));
}

#[test]
fn numbers_of_men_are_thinned_out() {
    let filters: Filters = ["pieces=1,1,1".parse::<Filter>().expect("a filter")]
        .into_iter()
        .collect();
    let weights = filters.piece_weights().expect("weights");
    let mut counts = [0; 33];
    (counts[3], counts[20]) = (400, 100);
    let mut run = filters.run(random::generator(9, 1));
    run.thin(weights, &counts);
    let kept = (0..10_000).filter(|_| run.keeps(&quiet())).count();
    assert!(kept.abs_diff(2500) < 174, "{kept}");
}

#[test]
fn zeros_that_stand_for_no_score_are_found() {
    let filters: Filters = ["placeholders".parse::<Filter>().expect("a filter")]
        .into_iter()
        .collect();
    let kept = |scores: &[i16], result: Outcome| {
        let mut run = filters.run(random::generator(1, 1));
        let positions = scores.iter().zip(40..).map(|(&score, ply)| Position {
            score,
            ply,
            result,
            ..quiet()
        });
        positions
            .map(|position| run.keeps(&position))
            .collect::<Vec<_>>()
    };
    let scores = [0, 150, 0, 0, -90, 0];
    let expected = [true, true, false, false, true, true];
    assert_eq!(kept(&scores, Outcome::Win), expected);
    assert_eq!(kept(&scores, Outcome::Draw), [true; 6]);
}
