//! Compares updates with hand-computed ones, and averages with explicit sums.

use super::average::Averaged;
use super::constraint::Constraint;
use super::settings::Material;
use super::update::Rule;
use crate::network::{Change, Layout, Playing, Row, Sums, Trained};
use crate::search::{Compared, Leaf};
use chess::{Board, Color};
use nets::classical::{FEATURES, Group, Groups, feature_name};
use nets::ntuple::{NTupleWeights, Tuple};
use std::collections::BTreeMap;

const TRAINED: Trained = Trained {
    groups: Groups::NONE.with(Group::PieceSquares),
    tuples: true,
};

/// The published material and nothing else, in a scale in which gamma is 1, with tables for the own
/// king and any enemy rook.
struct Fixture {
    layout: Layout,
    playing: Playing,
    row: Row,
}

impl Fixture {
    fn new() -> Fixture {
        let tuple: Tuple = "Kr".parse().expect("a tuple");
        let mut network = NTupleWeights::zeros(vec![tuple]).expect("tables");
        network.groups = TRAINED.groups;
        network.endgame_functions = false;
        let layout = Layout::new(&network);
        let mut row = vec![[0.0; 2]; layout.length()];
        Material::default().put(&mut row);
        // 2 x 2600 + 4 x 1300 + 4 x 850 + 4 x 800.
        let constraint = Constraint::new(Some(17_000.0), &network.linear, TRAINED);
        assert_eq!(constraint.gamma(&row), 1.0);
        let mut playing = Playing::new(network).expect("a network");
        playing
            .follow(&layout, TRAINED, (&row, 1.0), None)
            .expect("followed");
        Fixture {
            layout,
            playing,
            row,
        }
    }

    fn changes(&self, side: Color, desired: &str, better: &[&str]) -> BTreeMap<String, [f64; 2]> {
        let leaf = |fen: &&str| Leaf {
            value: 0,
            board: Board::from_fen(fen).expect("a position"),
        };
        let found = Compared {
            desired: leaf(&desired),
            better: better.iter().map(leaf).collect(),
            equal: 0,
        };
        let rule = Rule {
            layout: &self.layout,
            network: self.playing.network(),
            trained: TRAINED,
        };
        let mut sums = Sums::new(self.layout.length());
        let changes = rule.changes(side, &found, &mut sums);
        // The sums were reset: the next position starts from zero.
        assert_eq!(rule.changes(side, &found, &mut sums), changes);
        let named = changes.iter().map(|change| (self.name(change), change.by));
        named.collect()
    }

    fn name(&self, change: &Change) -> String {
        let index = change.index as usize;
        feature_name(index).unwrap_or_else(|| {
            let (table, place) = self.layout.place(index);
            self.playing.network().weights().tables()[table].place_name(place)
        })
    }
}

fn assert_changes(found: &BTreeMap<String, [f64; 2]>, expected: &[(&str, f64, f64)]) {
    let names: Vec<_> = found.keys().map(String::as_str).collect();
    let mut wanted: Vec<_> = expected.iter().map(|change| change.0).collect();
    wanted.sort_unstable();
    assert_eq!(names, wanted);
    for (name, opening, endgame) in expected {
        let by = found[*name];
        assert!((by[0] - opening).abs() < 1e-6, "{name}: {by:?}");
        assert!((by[1] - endgame).abs() < 1e-6, "{name}: {by:?}");
    }
}

/// The desired move is Ke2, but White prefers to take the knight. Both leaves are endgames, so only
/// endgame weights change, each by 1.
#[test]
fn one_better_move_in_the_endgame() {
    let found = Fixture::new().changes(
        Color::White,
        "4k3/8/8/8/n7/8/4K3/R7 b - - 0 1",
        &["4k3/8/8/8/R7/8/8/4K3 b - - 0 1"],
    );
    assert_changes(
        &found,
        &[
            ("piece-squares.material.knight", 0.0, -1.0),
            ("piece-squares.square.knight.a5", 0.0, -1.0),
            ("piece-squares.square.rook.a1", 0.0, 1.0),
            ("piece-squares.square.rook.a4", 0.0, -1.0),
            // Ke2 against Ke8, mirrored to the d-file: only White's king has moved.
            ("piece-squares.square.king.d2", 0.0, 1.0),
            ("piece-squares.square.king.d1", 0.0, -1.0),
            // Black's king on its original square and a white rook, from Black's point of view and
            // mirrored: a1 is h8, a4 is h5; Black's features count negative.
            ("Kr.d1.h8", 0.0, -1.0),
            ("Kr.d1.h5", 0.0, 1.0),
        ],
    );
}

/// Black is to move and prefers two other moves. Each leaf has its own stage. The bounds are 17,000
/// x 15,258 / 16,488 = 15,731 and 17,000 x 3,915 / 16,488 = 4,036; with two queens the material is
/// 5,200, which gives (5,200 - 4,036) x 256 / 11,695 = 25 of 256. With two more rooks it is 7,800,
/// and 82 of 256. Without the queens it is 2,600, an endgame.
#[test]
fn two_better_moves_of_black_in_three_stages() {
    let found = Fixture::new().changes(
        Color::Black,
        "q3k3/8/8/8/8/8/8/Q3K3 w - - 0 1",
        &[
            "qr2k3/8/8/8/8/8/8/QR2K3 w - - 0 1",
            "1r2k3/8/8/8/8/8/8/1R2K2n w - - 0 1",
        ],
    );
    let shares = |alpha: f64| {
        let length = alpha * alpha + (1.0 - alpha) * (1.0 - alpha);
        [alpha / length, (1.0 - alpha) / length]
    };
    // Both sides have the same features, except for the knight, which White lacks, and the king's
    // pairs with rooks, which both perspectives share.
    let last = shares((2_600.0 + 800.0 - 4_036.0_f64).max(0.0));
    assert_eq!(last, [0.0, 1.0]);
    let half = 0.5;
    assert_changes(
        &found,
        &[
            // Black's feature, so negative for White, and Black is to move: its leaf counts less.
            (
                "piece-squares.material.knight",
                -half * last[0],
                -half * last[1],
            ),
            (
                "piece-squares.square.knight.a8",
                -half * last[0],
                -half * last[1],
            ),
        ],
    );
    // With the rooks of one side only, both stages change, and both leaves have the factor one
    // half.
    let found = Fixture::new().changes(
        Color::Black,
        "q3k3/8/8/8/8/8/8/Q3K3 w - - 0 1",
        &[
            "q3k3/8/8/8/8/8/8/QRR1K3 w - - 0 1",
            "4k3/8/8/8/8/8/8/1R2K3 w - - 0 1",
        ],
    );
    let [opening, endgame] = shares(82.0 / 256.0);
    assert_changes(
        &found,
        &[
            // White's features, so positive for White. The leaves that Black prefers have them:
            // minus, and for Black once more minus, is plus.
            ("piece-squares.material.rook", opening, endgame + half),
            (
                "piece-squares.square.rook.b1",
                half * opening,
                half * endgame + half,
            ),
            (
                "piece-squares.square.rook.c1",
                half * opening,
                half * endgame,
            ),
            ("Kr.d1.g8", -half * opening, -half * endgame - half),
            ("Kr.d1.f8", -half * opening, -half * endgame),
        ],
    );
}

/// A mate is not valued by features, so only the other leaf has any.
#[test]
fn a_mate_has_no_features() {
    let found = Fixture::new().changes(
        Color::White,
        "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1",
        &["6k1/5ppp/8/8/8/8/8/R5K1 b - - 0 1"],
    );
    assert_eq!(found["piece-squares.material.rook"], [0.0, -1.0]);
    assert_eq!(found["piece-squares.material.pawn"], [0.0, 3.0]);
    assert_eq!(found["Kr.b1.h8"], [0.0, 1.0]);
}

/// If no move is preferred to the desired one, nothing is learned.
#[test]
fn without_better_moves_nothing_changes() {
    let fen = "4k3/8/8/8/n7/8/4K3/R7 b - - 0 1";
    assert!(Fixture::new().changes(Color::White, fen, &[]).is_empty());
}

/// Gamma preserves the sum of the pieces, and a search uses rounded integers.
#[test]
fn the_material_constraint_holds() {
    let mut fixture = Fixture::new();
    let network = fixture.playing.network().weights().clone();
    let constraint = Constraint::new(Some(6_964.0), &network.linear, TRAINED);
    for index in 0..5 {
        fixture.row[index] = [fixture.row[index][0] * 3.0, fixture.row[index][1]];
    }
    let gamma = constraint.gamma(&fixture.row);
    assert!((gamma - 6_964.0 / 51_000.0).abs() < 1e-12);
    fixture.row[FEATURES] = [100.0, -1e9];
    fixture
        .playing
        .follow(&fixture.layout, TRAINED, (&fixture.row, gamma), None)
        .expect("followed");
    let weights = fixture.playing.network().weights();
    // 7,800 x 6,964 / 51,000 = 1,065.08, and a third of that in the endgame.
    assert_eq!(weights.linear.get(4), (1_065, 355));
    assert_eq!(weights.tables()[0].weights()[0], [14, -511]);
    // Weights that are not trained are not scaled.
    let bishops =
        (0..FEATURES).find(|&index| feature_name(index).as_deref() == Some("pieces.bishop-pair"));
    let bishops = bishops.expect("a feature");
    assert_eq!(weights.linear.get(bishops), network.linear.get(bishops));
    // If material is not trained, gamma is that of the published scale.
    let tuples = Trained {
        groups: Groups::NONE,
        tuples: true,
    };
    let constraint = Constraint::new(None, &network.linear, tuples);
    let pieces = 2.0 * 2_600.0 + 4.0 * (1_300.0 + 850.0 + 800.0);
    assert_eq!(constraint.gamma(&fixture.row), pieces / 16_488.0);
    assert_eq!(constraint.published(pieces), 16_488.0);
}

#[test]
fn averages_are_those_of_all_weights_that_were() {
    let start: Row = (0..7).map(|index| [f64::from(index), -0.5]).collect();
    let mut averaged = Averaged::new(start.clone());
    let mut all = vec![start];
    for time in 0..200_u32 {
        let changes: Vec<_> = (0..time % 4)
            .map(|number| Change {
                index: (time * 5 + number * 3) % 7,
                by: [f64::from(time % 11) - 5.0, 1.0 / f64::from(number + 3)],
            })
            .collect();
        let mut row = all[all.len() - 1].clone();
        for change in &changes {
            for (weight, by) in row[change.index as usize].iter_mut().zip(change.by) {
                *weight += by;
            }
        }
        all.push(row);
        averaged.update(&changes);
    }
    assert_eq!(averaged.present, all[200]);
    for (index, mean) in averaged.mean().iter().enumerate() {
        for (stage, mean) in mean.iter().enumerate() {
            let sum: f64 = all.iter().map(|row| row[index][stage]).sum();
            assert!((mean - sum / 201.0).abs() < 1e-9, "{index}");
        }
    }
}

/// A network that is updated from a row equals one newly made from it.
#[test]
fn a_network_that_follows_is_the_same_as_a_new_one() {
    let mut fixture = Fixture::new();
    for time in 1..40_u32 {
        let index = FEATURES + (time * 977) as usize % (fixture.layout.length() - FEATURES);
        fixture.row[index] = [f64::from(time) * 3.3, -7.0 * f64::from(time)];
        let named = [index as u32];
        fixture
            .playing
            .follow(&fixture.layout, TRAINED, (&fixture.row, 1.0), Some(&named))
            .expect("followed");
    }
    let network = fixture.playing.network();
    let fresh = Playing::new(network.weights().clone()).expect("a network");
    let mut board = Board::start();
    for _ in 0..60 {
        assert_eq!(network.sum(&board), fresh.network().sum(&board));
        assert_eq!(network.sum(&board), network.weights().sum(&board));
        let moves = board.legal_moves();
        board.make(moves[(board.key() % moves.len() as u64) as usize]);
    }
}
