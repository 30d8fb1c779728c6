//! Compares attack tables with rays walked square by square.

mod common;

use chess::attacks::{
    antidiagonal, attacks, between, bishop_attacks, diagonal, king_attacks, knight_attacks,
    knight_attacks_of_all, line, pawn_attacks, pawn_attacks_of_all, queen_attacks, rook_attacks,
    slider_attacks_of_all,
};
use chess::{Bitboard, Board, Color, File, PieceKind, Rank, Square};
use common::{Random, sample_boards, scaled};

type Step = (i8, i8);

const STRAIGHT: [Step; 4] = [(0, 1), (1, 0), (0, -1), (-1, 0)];
const SLANTED: [Step; 4] = [(1, 1), (1, -1), (-1, -1), (-1, 1)];

/// The squares from `from` in one direction up to the first occupied one.
fn walk_ray(from: Square, (files, ranks): Step, occupied: Bitboard) -> Bitboard {
    let mut seen = Bitboard::EMPTY;
    let mut at = from.offset(files, ranks);
    while let Some(square) = at {
        seen |= square.into();
        if occupied.contains(square) {
            break;
        }
        at = square.offset(files, ranks);
    }
    seen
}

fn walk_rays(from: Square, steps: &[Step], occupied: Bitboard) -> Bitboard {
    steps
        .iter()
        .map(|&step| walk_ray(from, step, occupied))
        .fold(Bitboard::EMPTY, |all, ray| all | ray)
}

/// The squares on the rays that can stop a slider: all but the last of each ray.
fn stoppers(from: Square, steps: &[Step]) -> Bitboard {
    steps
        .iter()
        .map(|&(files, ranks)| {
            walk_ray(from, (files, ranks), Bitboard::EMPTY)
                .into_iter()
                .filter(|square| square.offset(files, ranks).is_some())
                .collect()
        })
        .fold(Bitboard::EMPTY, |all, ray: Bitboard| all | ray)
}

/// Checks every set of stoppers, with and without men on squares that do not matter.
fn check_slider(from: Square, steps: &[Step], table: fn(Square, Bitboard) -> Bitboard) -> usize {
    let mut random = Random::new(from.index() as u64);
    let mask = stoppers(from, steps);
    let mut subset = 0u64;
    let mut count = 0;
    loop {
        let expected = walk_rays(from, steps, Bitboard(subset));
        assert_eq!(table(from, Bitboard(subset)), expected, "{from}");
        let edges = walk_rays(from, steps, Bitboard::EMPTY).without(mask);
        let others = Bitboard(random.next()).without(mask | edges);
        let crowded = Bitboard(subset) | others | edges;
        assert_eq!(table(from, crowded), expected, "{from}");
        count += 1;
        subset = subset.wrapping_sub(mask.0) & mask.0;
        if subset == 0 {
            return count;
        }
    }
}

#[test]
fn slider_tables_are_exact_for_every_occupation() {
    let mut entries = [0; 2];
    for square in Square::all() {
        entries[0] += check_slider(square, &STRAIGHT, rook_attacks);
        entries[1] += check_slider(square, &SLANTED, bishop_attacks);
    }
    assert_eq!(entries, [102_400, 5_248]);
}

#[test]
fn queens_and_any_kind_join_the_tables() {
    let mut random = Random::new(31);
    for _ in 0..20_000 {
        let occupied = Bitboard(random.next() & random.next());
        let from = Square::from_index(random.next() as u8);
        let (straight, slanted) = (
            walk_rays(from, &STRAIGHT, occupied),
            walk_rays(from, &SLANTED, occupied),
        );
        assert_eq!(queen_attacks(from, occupied), straight | slanted);
        for color in Color::ALL {
            let of = |kind| attacks(kind, color, from, occupied);
            assert_eq!(of(PieceKind::Rook), straight);
            assert_eq!(of(PieceKind::Bishop), slanted);
            assert_eq!(of(PieceKind::Queen), straight | slanted);
            assert_eq!(of(PieceKind::Knight), knight_attacks(from));
            assert_eq!(of(PieceKind::King), king_attacks(from));
            assert_eq!(of(PieceKind::Pawn), pawn_attacks(color, from));
        }
    }
}

#[test]
fn leapers_reach_by_distance() {
    for from in Square::all() {
        let reach = |wanted: fn(i8, i8) -> bool| -> Bitboard {
            Square::all()
                .filter(|to| {
                    let files = to.file() as i8 - from.file() as i8;
                    let ranks = to.rank() as i8 - from.rank() as i8;
                    wanted(files, ranks)
                })
                .collect()
        };
        assert_eq!(
            knight_attacks(from),
            reach(|files, ranks| files.abs() * ranks.abs() == 2)
        );
        assert_eq!(
            king_attacks(from),
            reach(|files, ranks| files.abs().max(ranks.abs()) == 1)
        );
        assert_eq!(
            pawn_attacks(Color::White, from),
            reach(|files, ranks| files.abs() == 1 && ranks == 1)
        );
        assert_eq!(
            pawn_attacks(Color::Black, from),
            reach(|files, ranks| files.abs() == 1 && ranks == -1)
        );
        assert_eq!(
            diagonal(from),
            reach(|files, ranks| files == ranks),
            "{from}"
        );
        assert_eq!(antidiagonal(from), reach(|files, ranks| files == -ranks));
    }
}

#[test]
fn lines_and_what_lies_between() {
    for from in Square::all() {
        let mut aligned = Bitboard::EMPTY;
        for (files, ranks) in STRAIGHT.into_iter().chain(SLANTED) {
            let ray = walk_ray(from, (files, ranks), Bitboard::EMPTY);
            let back = walk_ray(from, (-files, -ranks), Bitboard::EMPTY);
            for to in ray {
                let reached = walk_ray(from, (files, ranks), to.into());
                assert_eq!(between(from, to), reached ^ to.into(), "{from} {to}");
                assert_eq!(line(from, to), ray | back | from.into(), "{from} {to}");
            }
            aligned |= ray;
        }
        for to in !aligned {
            assert_eq!(between(from, to), Bitboard::EMPTY, "{from} {to}");
            assert_eq!(line(from, to), Bitboard::EMPTY, "{from} {to}");
        }
    }
}

#[test]
fn attacks_of_many_are_those_of_each() {
    let mut random = Random::new(32);
    for _ in 0..scaled(20_000, 400_000) {
        let few = |random: &mut Random| random.next() & random.next() & random.next();
        let (straight, slanted) = (Bitboard(few(&mut random)), Bitboard(few(&mut random)));
        // Occupations may also lack some of the sliders, as a caller's may.
        let occupied = Bitboard(random.next() & random.next());
        let all = |set: Bitboard, steps: &[Step]| {
            set.into_iter()
                .map(|from| walk_rays(from, steps, occupied))
                .fold(Bitboard::EMPTY, |all, rays| all | rays)
        };
        assert_eq!(
            slider_attacks_of_all(straight, slanted, occupied),
            all(straight, &STRAIGHT) | all(slanted, &SLANTED),
        );
        let of_each = |attack: &dyn Fn(Square) -> Bitboard| {
            straight
                .into_iter()
                .map(attack)
                .fold(Bitboard::EMPTY, |all, one| all | one)
        };
        assert_eq!(knight_attacks_of_all(straight), of_each(&knight_attacks));
        for color in Color::ALL {
            assert_eq!(
                pawn_attacks_of_all(straight, color),
                of_each(&|square| pawn_attacks(color, square))
            );
        }
    }
}

/// The men that attack a square, found man by man with walked rays.
fn attackers_by_hand(board: &Board, target: Square, occupied: Bitboard) -> Bitboard {
    board
        .occupied()
        .into_iter()
        .filter(|&from| {
            let piece = board.piece_at(from).expect("an occupied square");
            let reach = match piece.kind {
                PieceKind::Rook => walk_rays(from, &STRAIGHT, occupied),
                PieceKind::Bishop => walk_rays(from, &SLANTED, occupied),
                PieceKind::Queen => {
                    walk_rays(from, &STRAIGHT, occupied) | walk_rays(from, &SLANTED, occupied)
                }
                kind => attacks(kind, piece.color, from, occupied),
            };
            reach.contains(target)
        })
        .collect()
}

#[test]
fn boards_know_attackers_checkers_and_pins() {
    for board in sample_boards(33, scaled(1_000, 20_000)) {
        let (us, occupied) = (board.side_to_move(), board.occupied());
        for target in Square::all() {
            let expected = attackers_by_hand(&board, target, occupied);
            assert_eq!(board.attackers_to(target, occupied), expected, "{board:?}");
            for color in Color::ALL {
                assert_eq!(
                    board.attacked_by(color, occupied).contains(target),
                    expected.meets(board.color(color)),
                    "{target} by {color} in {board:?}"
                );
            }
        }
        let king = board.king(us);
        let enemies = board.color(!us);
        let checkers = attackers_by_hand(&board, king, occupied) & enemies;
        assert_eq!(board.checkers(), checkers, "{board:?}");
        // A man is pinned if removing it lets another enemy attack the king.
        let pinned: Bitboard = board
            .color(us)
            .into_iter()
            .filter(|&man| {
                let opened = attackers_by_hand(&board, king, occupied ^ man.into()) & enemies;
                man != king && opened != checkers
            })
            .collect();
        assert_eq!(board.pinned(), pinned, "{board:?}");
    }
}

#[test]
fn bitboards_count_shift_and_list() {
    let mut random = Random::new(34);
    for _ in 0..2_000 {
        let set = Bitboard(random.next() & random.next());
        let squares: Vec<Square> = Square::all().filter(|&s| set.contains(s)).collect();
        assert_eq!(set.into_iter().collect::<Vec<_>>(), squares);
        assert_eq!(set.count() as usize, squares.len());
        assert_eq!(set.several(), squares.len() > 1);
        assert_eq!(set.any(), !set.is_empty());
        assert_eq!(squares.first().copied(), set.any().then(|| set.first()));
        assert_eq!(squares.last().copied(), set.any().then(|| set.last()));
        let moved = |files, ranks| -> Bitboard {
            let moved = squares.iter().filter_map(|s| s.offset(files, ranks));
            moved.collect()
        };
        assert_eq!(set.west(), moved(-1, 0));
        assert_eq!(set.east(), moved(1, 0));
        assert_eq!(set.forward(Color::White), moved(0, 1));
        assert_eq!(set.forward(Color::Black), moved(0, -1));
        let flipped = squares.iter().map(|s| s.relative_to(Color::Black));
        assert_eq!(set.flip_ranks(), flipped.collect());
        let light: Bitboard = squares.iter().copied().filter(|s| s.is_light()).collect();
        assert_eq!(set & Bitboard::LIGHT, light);
        assert_eq!(set.without(Bitboard::DARK), light);
    }
    assert_eq!(Bitboard::EMPTY.first(), Square::new(File::A, Rank::First));
    assert_eq!(Bitboard::EMPTY.last(), Square::new(File::H, Rank::Eighth));
    assert!(Square::new(File::H, Rank::First).is_light());
}
