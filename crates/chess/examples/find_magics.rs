//! Finds the multipliers of `src/attacks/sliders/magics.rs` and prints that file.
//!
//! A multiplier is good when no two sets of blockers with different attacks get
//! the same index. Sparse random numbers are tried until one is good; the seed is
//! fixed, so that the file is reproducible: `cargo run --release --example find_magics`.

use chess::{Bitboard, Square, attacks};

type Attacks = fn(Square, Bitboard) -> Bitboard;

fn main() {
    let mut state = 0x7ab1_a000_0000_0001;
    println!(
        "//! Multipliers that map blockers to table indices; made by `examples/find_magics.rs`.\n"
    );
    for (name, slide) in [
        ("ROOK", attacks::rook_attacks as Attacks),
        ("BISHOP", attacks::bishop_attacks as Attacks),
    ] {
        println!("pub(super) static {name}: [u64; 64] = [");
        for square in Square::all() {
            println!("    {:#018x},", find(square, slide, &mut state));
        }
        println!("];\n");
    }
}

fn find(square: Square, slide: Attacks, state: &mut u64) -> u64 {
    let mask = relevant_squares(square, slide).0;
    let bits = mask.count_ones();
    let mut wanted = Vec::new();
    let mut subset = 0u64;
    loop {
        wanted.push((subset, slide(square, Bitboard(subset)).0));
        subset = subset.wrapping_sub(mask) & mask;
        if subset == 0 {
            break;
        }
    }
    loop {
        let magic = next(state) & next(state) & next(state);
        let mut seen = vec![0u64; 1 << bits];
        let good = wanted.iter().all(|&(blockers, attacks)| {
            let slot = &mut seen[(blockers.wrapping_mul(magic) >> (64 - bits)) as usize];
            let free = *slot == 0 || *slot == attacks;
            *slot = attacks;
            free
        });
        if good {
            return magic;
        }
    }
}

/// A square matters when a blocker on it hides another square.
fn relevant_squares(square: Square, slide: Attacks) -> Bitboard {
    let open = slide(square, Bitboard::EMPTY);
    open.into_iter()
        .filter(|&blocker| slide(square, blocker.into()) != open)
        .collect()
}

/// SplitMix64.
fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
