//! Rating lists: known solutions, simulated tournaments, and results that do
//! not bound the ratings.

use arena::ratings::{Anchor, Obstacle, RatedPlayer, RatingError, RatingList, Reference};
use arena::ratings::{Results, rate};
use arena::statistics::Trinomial;
use data::pgn::Source;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use std::io::Cursor;
use std::ops::ControlFlow;

const ELO_PER_UNIT: f64 = 400.0 / std::f64::consts::LN_10;

fn games(losses: u64, draws: u64, wins: u64) -> Trinomial {
    Trinomial {
        losses,
        draws,
        wins,
    }
}

fn anchor(name: &str, elo: f64) -> Anchor {
    let name = name.to_owned();
    Anchor { name, elo }
}

fn player<'a>(list: &'a RatingList, name: &str) -> &'a RatedPlayer {
    let found = list.players.iter().find(|player| player.name == name);
    found.expect("a player of the list")
}

#[track_caller]
fn assert_near(found: f64, expected: f64, tolerance: f64) {
    assert!(
        (found - expected).abs() <= tolerance,
        "{found}, expected {expected}"
    );
}

#[test]
fn two_players_without_draws() {
    let mut results = Results::new();
    results.add("a", "b", games(10, 0, 40));
    results.add("b", "a", games(20, 0, 30));
    let list = rate(&results, &[]).expect("a list");
    // Each colour alone is a logistic model with one number.
    let (as_white, as_black) = ((40.0f64 / 10.0).ln(), (20.0f64 / 30.0).ln());
    let difference = 0.5 * (as_white + as_black) * ELO_PER_UNIT;
    let advantage = 0.5 * (as_white - as_black) * ELO_PER_UNIT;
    assert_eq!(list.players[0].name, "a");
    assert_near(list.players[0].rating.value, 0.5 * difference, 1e-8);
    assert_near(list.players[1].rating.value, -0.5 * difference, 1e-8);
    assert_near(list.white_advantage.value, advantage, 1e-8);
    assert_eq!(list.draw_rate, 0.0);
    assert_eq!(list.obstacles, []);
    // The variance of a logit is the sum of the inverse counts.
    let variance = 1.0 / 40.0 + 1.0 / 10.0 + 1.0 / 20.0 + 1.0 / 30.0;
    let margin = 1.959_963_985 * 0.25 * f64::sqrt(variance) * ELO_PER_UNIT;
    assert_near(list.players[0].rating.margin(), margin, 1e-6);
    assert_near(list.white_advantage.margin(), 2.0 * margin, 1e-6);
}

#[test]
fn two_players_with_draws() {
    // In both pairings the draws are the geometric mean of wins and losses, so
    // that the model fits exactly, with odds of 1 for a draw.
    let mut results = Results::new();
    results.add("a", "b", games(10, 20, 40));
    results.add("b", "a", games(9, 12, 16));
    let list = rate(&results, &[anchor("b", 100.0)]).expect("a list");
    let (as_white, as_black) = ((40.0f64 / 10.0).ln(), (9.0f64 / 16.0).ln());
    // Draws stretch the scale by 3 to 2.
    let scale = ELO_PER_UNIT / 1.5;
    assert_near(
        player(&list, "a").rating.value,
        100.0 + 0.5 * (as_white + as_black) * scale,
        1e-8,
    );
    assert_near(
        list.white_advantage.value,
        0.5 * (as_white - as_black) * scale,
        1e-8,
    );
    assert_near(list.draw_rate, 1.0 / 3.0, 1e-10);
    assert_eq!(list.reference, Reference::Anchors);
    assert_eq!(player(&list, "b").rating.value, 100.0);
    assert_eq!(player(&list, "b").rating.margin(), 0.0);
}

/// The points that the list expects of a player are those that he has: this
/// is how the best fit of the model is known.
#[test]
fn expected_points_are_the_points() {
    let mut results = Results::new();
    results.add("a", "b", games(3, 7, 5));
    results.add("b", "c", games(2, 4, 9));
    results.add("c", "a", games(6, 1, 3));
    results.add("d", "a", games(1, 9, 0));
    results.add("c", "d", games(0, 5, 2));
    let list = rate(&results, &[]).expect("a list");
    let odds = 2.0 * list.draw_rate / (1.0 - list.draw_rate);
    let units = |elo: f64| elo / ELO_PER_UNIT * (1.0 + 0.5 * odds);
    let mut surplus = vec![0.0; 4];
    for (white, black, counts) in results.pairings() {
        let names = results.names();
        let rating = |index: usize| player(&list, &names[index]).rating.value;
        let x = units(rating(white) - rating(black) + list.white_advantage.value);
        let (win, loss) = ((0.5 * x).exp(), (-0.5 * x).exp());
        let score = (win + 0.5 * odds) / (win + loss + odds);
        let points = counts.wins as f64 + 0.5 * counts.draws as f64;
        surplus[white] += points - score * counts.games() as f64;
        surplus[black] -= points - score * counts.games() as f64;
    }
    for rest in surplus {
        assert_near(rest, 0.0, 1e-9);
    }
}

const TRUTH: [(&str, f64); 5] = [
    ("a", -90.0),
    ("b", -40.0),
    ("c", 0.0),
    ("d", 30.0),
    ("e", 100.0),
];
const WHITE_ADVANTAGE: f64 = 30.0;
const DRAW_ODDS: f64 = 1.2;

/// A tournament between players whose strength is known; not all pairings have
/// the same number of games.
fn simulated(seed: u64) -> Results {
    let mut generator = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut results = Results::new();
    for (i, (white, strength)) in TRUTH.iter().enumerate() {
        for (j, (black, other)) in TRUTH.iter().enumerate() {
            if i == j {
                continue;
            }
            let elo = strength - other + WHITE_ADVANTAGE;
            let x = elo / ELO_PER_UNIT * (1.0 + 0.5 * DRAW_ODDS);
            let (win, loss) = ((0.5 * x).exp(), (-0.5 * x).exp());
            let total = win + loss + DRAW_ODDS;
            for _ in 0..10 + 5 * (i + j) {
                let random = (generator.next_u64() >> 11) as f64 / (1u64 << 53) as f64;
                let game = if random * total < win {
                    games(0, 0, 1)
                } else if random * total < win + loss {
                    games(1, 0, 0)
                } else {
                    games(0, 1, 0)
                };
                results.add(white, black, game);
            }
        }
    }
    results
}

/// How many of 100 intervals hold the truth.
fn coverage(anchors: &[Anchor], shift: f64) -> f64 {
    let (mut held, mut all) = (0, 0);
    for seed in 0..300 {
        let list = rate(&simulated(seed), anchors).expect("a list");
        assert_eq!(list.obstacles, []);
        let mut check = |estimate: arena::statistics::Estimate, truth: f64| {
            held += u32::from(estimate.lower <= truth && truth <= estimate.upper);
            all += 1;
        };
        for (name, elo) in TRUTH {
            if anchors.iter().all(|anchor| anchor.name != name) {
                check(player(&list, name).rating, elo + shift);
            }
        }
        check(list.white_advantage, WHITE_ADVANTAGE);
    }
    100.0 * f64::from(held) / f64::from(all)
}

#[test]
fn intervals_hold_what_they_promise() {
    for (anchors, shift) in [
        (vec![], 0.0),
        (vec![anchor("c", 2000.0)], 2000.0),
        (vec![anchor("a", -90.0), anchor("e", 100.0)], 0.0),
    ] {
        let found = coverage(&anchors, shift);
        assert!((93.0..97.0).contains(&found), "{anchors:?}: {found} of 100");
    }
}

#[test]
fn several_anchors_stay_where_they_are() {
    let anchors = [anchor("a", 1000.0), anchor("e", 1200.0), anchor("b", 990.0)];
    let list = rate(&simulated(1), &anchors).expect("a list");
    for Anchor { name, elo } in &anchors {
        assert_near(player(&list, name).rating.value, *elo, 1e-9);
        assert_eq!(player(&list, name).rating.margin(), 0.0);
    }
    let free = rate(&simulated(1), &[]).expect("a list");
    let single = rate(&simulated(1), &anchors[..1]).expect("a list");
    let shift = 1000.0 - player(&free, "a").rating.value;
    for (name, _) in TRUTH {
        let moved = player(&free, name).rating.value + shift;
        assert_near(player(&single, name).rating.value, moved, 1e-7);
    }
}

#[test]
fn neighbours_are_compared_by_their_difference() {
    let list = rate(&simulated(2), &[]).expect("a list");
    let anchored = rate(&simulated(2), &[anchor("c", 0.0)]).expect("a list");
    for (one, other) in list.players.iter().zip(&anchored.players) {
        assert_eq!(one.name, other.name);
        match (one.los, other.los) {
            (Some(one), Some(other)) => {
                assert!(one >= 0.5);
                assert_near(one, other, 1e-9);
            }
            (one, other) => assert_eq!((one, other), (None, None)),
        }
    }
}

#[test]
fn joint_ratings_agree_with_the_list() {
    let results = simulated(4);
    let first = results.names()[0].clone();
    for anchors in [vec![anchor(&first, 50.0)], Vec::new()] {
        let (list, joint) = arena::ratings::rate_jointly(&results, &anchors).expect("a fit");
        let number = |name: &str| results.find(name).expect("a player");
        for rated in &list.players {
            let own = number(&rated.name);
            assert_near(joint.ratings[own], rated.rating.value, 1e-9);
            if !anchors.is_empty() {
                let margin = 1.959_963_984_540_054 * joint.covariance[own][own].sqrt();
                assert_near(rated.rating.margin(), margin, 1e-9);
            }
        }
        for pair in list.players.windows(2) {
            let [one, other] = [number(&pair[0].name), number(&pair[1].name)];
            let variance = joint.covariance[one][one] + joint.covariance[other][other]
                - 2.0 * joint.covariance[one][other];
            let lead = (joint.ratings[one] - joint.ratings[other]) / variance.sqrt();
            // Farther leads are likelier, and none is even.
            let los = pair[0].los.expect("there is a next");
            assert_eq!(lead > 1.0, los > 0.841_344_746, "{lead} {los}");
            assert_eq!(lead > 2.0, los > 0.977_249_868, "{lead} {los}");
        }
    }
}

#[test]
fn one_sided_results_stand_on_a_weak_prior() {
    let mut results = simulated(3);
    results.add("a", "patzer", games(0, 0, 8));
    results.add("god", "e", games(0, 0, 8));
    let list = rate(&results, &[]).expect("a list");
    let expected = [
        Obstacle::OnlyLosses("patzer".to_owned()),
        Obstacle::OnlyWins("god".to_owned()),
    ];
    assert_eq!(list.obstacles, expected);
    assert_eq!(list.players[0].name, "god");
    assert_eq!(list.players[6].name, "patzer");
    let god = list.players[0].rating;
    assert!(god.value > player(&list, "e").rating.value + 150.0);
    assert!(god.upper < 3000.0 && god.margin() > 200.0);
    // The others are hardly touched.
    let without = rate(&simulated(3), &[]).expect("a list");
    let gap = |list: &RatingList| player(list, "d").rating.value - player(list, "b").rating.value;
    assert_near(gap(&list), gap(&without), 1.0);
}

#[test]
fn groups_that_never_met_are_rated_with_wide_intervals() {
    let mut results = Results::new();
    results.add("a", "b", games(10, 20, 30));
    results.add("c", "d", games(10, 20, 30));
    results.add("b", "a", games(10, 0, 10));
    results.add("d", "c", games(10, 0, 10));
    let list = rate(&results, &[]).expect("a list");
    let names = vec!["a".to_owned(), "c".to_owned()];
    assert_eq!(list.obstacles, [Obstacle::Apart(names)]);
    assert_near(
        player(&list, "a").rating.value,
        player(&list, "c").rating.value,
        1e-6,
    );
    assert!(player(&list, "a").rating.margin() > 500.0);
    // Fixed ratings bridge the gap.
    let anchors = [anchor("a", 0.0), anchor("d", 0.0)];
    assert_eq!(rate(&results, &anchors).expect("a list").obstacles, []);
}

#[test]
fn a_white_who_always_wins_is_no_reason_to_fail() {
    let mut results = Results::new();
    results.add("a", "b", games(0, 0, 9));
    results.add("b", "a", games(0, 0, 9));
    let list = rate(&results, &[]).expect("a list");
    assert_eq!(list.obstacles, [Obstacle::Unbounded]);
    assert_near(list.players[0].rating.value, 0.0, 1e-6);
    assert!(list.white_advantage.value > 100.0);
    let mut drawn = Results::new();
    drawn.add("a", "b", games(0, 7, 0));
    drawn.add("b", "a", games(0, 7, 0));
    let list = rate(&drawn, &[]).expect("a list");
    assert_eq!(list.obstacles, [Obstacle::OnlyDraws]);
    assert_near(list.players[0].rating.value, 0.0, 1e-6);
    assert!(list.draw_rate > 0.8 && list.draw_rate < 1.0);
}

#[test]
fn nearly_one_sided_results_are_fitted_exactly() {
    let mut results = Results::new();
    results.add("a", "b", games(1, 0, 100_000));
    results.add("b", "a", games(100_000, 0, 1));
    let list = rate(&results, &[]).expect("a list");
    assert_eq!(list.obstacles, []);
    let difference = list.players[0].rating.value - list.players[1].rating.value;
    assert_near(difference, 2000.0, 1e-6);
}

#[test]
fn what_cannot_be_rated_is_told() {
    let refusal =
        |results: &Results, anchors: &[Anchor]| rate(results, anchors).expect_err("no list");
    assert_eq!(refusal(&Results::new(), &[]), RatingError::NoGames);
    let results = simulated(4);
    assert_eq!(
        refusal(&results, &[anchor("x", 0.0)]).to_string(),
        "x, whose rating is fixed, has no games"
    );
    let twice = [anchor("a", 0.0), anchor("a", 0.0)];
    assert_eq!(
        refusal(&results, &twice).to_string(),
        "the rating of a is fixed twice"
    );
    assert_eq!(
        refusal(&results, &[anchor("a", f64::INFINITY)]).to_string(),
        "the rating inf of a is out of range; it must be from -10000 to 10000"
    );
    let mut crowd = Results::new();
    for number in 0..1001 {
        crowd.add("a", &number.to_string(), games(1, 0, 1));
    }
    assert_eq!(
        refusal(&crowd, &[]),
        RatingError::TooManyPlayers { players: 1002 }
    );
}

#[test]
fn garbage_is_refused_or_read_but_never_a_panic() {
    let games = "[White \"a\"]\n[Black \"b\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n\n".repeat(3);
    let journal = "{\"white\":\"a\",\"black\":\"b\",\"result\":\"1-0\"}\n".repeat(3);
    let mut generator = Xoshiro256PlusPlus::seed_from_u64(1);
    let mut counted = 0;
    for text in [games, journal] {
        for _ in 0..500 {
            let mut bytes = text.as_bytes().to_vec();
            for _ in 0..generator.next_u64() % 4 {
                let place = generator.next_u64() as usize % bytes.len();
                bytes[place] = generator.next_u64() as u8;
            }
            let source = Source::from_reader("garbage", Cursor::new(bytes)).expect("a start");
            let mut results = Results::new();
            let mut follow = || ControlFlow::Continue(());
            if let Ok(read) = arena::ratings::read(source, &mut results, &mut follow) {
                assert!(read.counted <= 4, "{read:?}");
                counted += read.counted;
            }
            // A name may be anything, but a list there is if anything was counted.
            assert_eq!(rate(&results, &[]).is_ok(), !results.names().is_empty());
        }
    }
    assert!(counted > 1000, "{counted}");
}
