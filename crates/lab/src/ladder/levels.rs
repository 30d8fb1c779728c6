//! The nodes for a level of Stockfish.
//!
//! With `UCI_Elo`, Stockfish searches four lines and picks its move once it has reached a depth
//! that the level determines, whatever the limit is. So any limit that certainly reaches that depth
//! gives the same strength, and a limit of nodes does not depend on the load of the machine.

/// The nodes for depth 0; each further ply doubles them. Stockfish 15.1 with four lines took at
/// most a third of the resulting number, in any of 60 positions from games and at any depth up to
/// 13.
const NODES: u64 = 600;
/// The depth of the strongest level.
const DEEPEST: u32 = 20;

/// Enough nodes to complete the depth of a level with certainty.
pub(super) fn nodes(elo: u16) -> u64 {
    NODES << depth(elo)
}

/// The depth at which a level picks its move: the larger of those in versions 15 and 16.
fn depth(elo: u16) -> u32 {
    let elo = f64::from(elo);
    let way = (elo - 1_320.0) / 1_870.0;
    let newer = ((37.2473 * way - 40.8525) * way + 22.2943) * way - 0.311_438;
    let older = libm::pow(((elo - 1_346.6) / 143.4).max(0.0), 1.0 / 0.806);
    1 + (newer.max(older).max(0.0) as u32).min(DEEPEST - 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn depths_are_those_of_the_formulas() {
        // For these levels version 16 has 1, 1, 3, 4, 5, 6, and version 15 has 1, 1, 3, 5, 7, 10.
        let depths = [1_320, 1_400, 1_600, 1_800, 2_000, 2_200].map(depth);
        assert_eq!(depths, [1, 1, 3, 5, 7, 10]);
        assert_eq!([0, 3_190, u16::MAX].map(depth), [1, DEEPEST, DEEPEST]);
        assert_eq!(nodes(1_600), 4_800);
    }
}
