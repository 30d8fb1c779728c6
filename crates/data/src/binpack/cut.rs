//! Cuts a game short: its chains up to a number of positions.

use super::{ChainProblem, EncodeError, Encoder, Positions};

/// Why chains cannot be cut.
#[derive(Debug, thiserror::Error)]
pub enum CutError {
    /// They are damaged.
    #[error(transparent)]
    Chain(#[from] ChainProblem),
    /// A position cannot be written again.
    #[error(transparent)]
    Position(#[from] EncodeError),
    /// They have too few positions.
    #[error("there are only {0} training positions")]
    TooFew(u64),
}

/// The chains of the first `positions` training positions, with the marked positions
/// between them.
///
/// # Errors
/// If there are fewer, or the chains are damaged.
pub fn first_positions(chains: &[u8], positions: u64) -> Result<Vec<u8>, CutError> {
    let mut encoder = Encoder::new();
    let mut decoder = Positions::new(chains);
    let mut taken = 0;
    while taken < positions {
        let Some(position) = decoder.next()? else {
            return Err(CutError::TooFew(taken));
        };
        taken += u64::from(!position.is_marked());
        encoder.push(position)?;
    }
    Ok(encoder.finish().bytes().to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::{Outcome, Position};
    use crate::score;
    use chess::Board;

    #[test]
    fn marked_positions_are_kept_and_not_counted() {
        let mut encoder = Encoder::new();
        let mut board = Board::start();
        let mut all = Vec::new();
        for (ply, mv) in ["e2e4", "e7e5", "g1f3", "b8c6"].into_iter().enumerate() {
            let mv = board.parse_uci(mv).expect("a legal move");
            let position = Position {
                board,
                mv: Some(mv),
                score: [score::MARK, 10, score::MARK, 30][ply],
                result: Outcome::Draw,
                ply: ply as u16,
            };
            encoder.push(&position).expect("an ordinary position");
            all.push(position);
            board.make(mv);
        }
        let chains = encoder.finish().bytes().to_vec();
        for (wanted, kept) in [(0, 0), (1, 2), (2, 4)] {
            let cut = first_positions(&chains, wanted).expect("enough positions");
            let mut positions = Positions::new(&cut);
            for position in &all[..kept] {
                assert_eq!(positions.next().expect("whole"), Some(position));
            }
            assert_eq!(positions.next().expect("whole"), None);
        }
        let error = first_positions(&chains, 3).expect_err("too few");
        assert_eq!(error.to_string(), "there are only 2 training positions");
        assert!(first_positions(&chains[..5], 1).is_err());
    }
}
