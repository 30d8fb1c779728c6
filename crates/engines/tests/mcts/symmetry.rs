//! Positions with colours turned, and mirrored without castling, are searched alike.

use crate::support::{game, heuristic, search, small};
use chess::{Move, Rank, Square};

/// The same square seen from the other side.
fn turned(square: Square) -> Square {
    Square::new(
        square.file(),
        Rank::from_index(7 - square.rank().index() as u8),
    )
}

const PAIRS: [(&str, &str); 3] = [
    (
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "r3k2r/pppbbppp/2n2q1P/1P2p3/3pn3/BN2PNP1/P1PPQPB1/R3K2R b KQkq - 0 1",
    ),
    (
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "8/4p1p1/8/1r3P1K/kp5R/3P4/2P5/8 b - - 0 1",
    ),
    (
        "4k3/8/8/3q4/8/8/8/R3K2R w KQ - 0 1",
        "r3k2r/8/8/8/3Q4/8/8/4K3 b kq - 0 1",
    ),
];

#[test]
fn the_other_colour_gets_the_same_values_after_one_visit_each() {
    for (white, black) in PAIRS {
        let mut player = heuristic(small());
        let first = search(&mut player, &game(white), 1);
        player.forget();
        let second = search(&mut player, &game(black), 1);
        assert_eq!(first.chances, second.chances, "{white}");
        for found in &first.moves {
            let mv = found.mv;
            let is_same = |other: Move| {
                turned(mv.from()) == other.from()
                    && turned(mv.to()) == other.to()
                    && mv.promotes_to() == other.promotes_to()
            };
            let other = second.moves.iter().find(|other| is_same(other.mv));
            let other = other.expect("the same move");
            assert!((found.prior - other.prior).abs() < 2e-4, "{white} {mv:?}");
        }
    }
}

#[test]
fn the_other_colour_is_searched_to_the_same_result() {
    for (white, black) in PAIRS {
        let mut player = heuristic(small());
        let first = search(&mut player, &game(white), 4_000);
        player.forget();
        let second = search(&mut player, &game(black), 4_000);
        let (a, b) = (first.best.expect("a move"), second.best.expect("a move"));
        assert_eq!(
            (turned(a.from()), turned(a.to())),
            (b.from(), b.to()),
            "{white}"
        );
        let value = |answer: &engines::Answer| answer.chances.expect("chances").value();
        // The order of equal moves is the only difference.
        assert!((value(&first) - value(&second)).abs() < 0.05, "{white}");
    }
}
