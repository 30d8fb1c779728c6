//! The encoding of scores in 16 bits: the only place where scores are converted for
//! files and back.
//!
//! - A score is in centipawns for the side to move, from -31,754 to 31,754; larger
//!   ones are clamped, so that they are never taken for a proof.
//! - From [`DECISIVE`] on it is a proof: a mate in n plies is [`MATE`] minus n, or
//!   [`DECISIVE`] if it is too long for that. Being mated is the negative.
//! - [`MARK`] says that the position only keeps a chain of moves together and is not
//!   for training.
//!
//! A number in a file that fits in 16 bits is kept as it is; any other is clamped to
//! [`MATE`] with its sign.

/// Mate on the board.
pub const MATE: i16 = 32_000;
/// The smallest score that is a proof of a win.
pub const DECISIVE: i16 = 31_755;
/// Marks a position that is not for training.
pub const MARK: i16 = 32_002;

/// The stored score of a value in centipawns.
pub fn from_centipawns(value: i32) -> i16 {
    let most = i32::from(DECISIVE) - 1;
    // This is within 16 bits.
    value.clamp(-most, most) as i16
}

/// The stored score of a mate in this many moves; 0 and below mean being mated.
pub fn from_mate(moves: i32) -> i16 {
    let plies = if moves > 0 {
        i64::from(moves) * 2 - 1
    } else {
        i64::from(moves) * -2
    };
    let room = i64::from(MATE - DECISIVE);
    let score = MATE - plies.min(room) as i16;
    if moves > 0 { score } else { -score }
}

/// The stored score of a number in a file.
pub fn from_file(number: i64) -> i16 {
    i16::try_from(number).unwrap_or(if number < 0 { -MATE } else { MATE })
}

/// Whether a stored score is a proof of a win or of a loss.
pub const fn is_decisive(score: i16) -> bool {
    score != MARK && score.unsigned_abs() >= DECISIVE as u16
}

/// A stored score in words: `+0.31`, `+M3`, `-M2`, `-`.
pub fn in_words(score: i16) -> String {
    if score == MARK {
        return "-".to_owned();
    }
    let sign = if score < 0 { '-' } else { '+' };
    if !is_decisive(score) {
        return format!("{sign}{:.2}", f64::from(score.unsigned_abs()) / 100.0);
    }
    let plies = (MATE as u16).saturating_sub(score.unsigned_abs());
    format!("{sign}M{}", plies.div_ceil(2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn centipawns_are_never_taken_for_proofs() {
        assert_eq!(from_centipawns(-31), -31);
        assert_eq!(from_centipawns(40_000), 31_754);
        assert_eq!(from_centipawns(i32::MIN), -31_754);
        assert!(!is_decisive(from_centipawns(i32::MAX)));
        assert!(is_decisive(31_755) && is_decisive(-31_755) && is_decisive(i16::MIN));
        assert!(!is_decisive(MARK));
    }

    #[test]
    fn mates_count_plies() {
        assert_eq!(from_mate(1), 31_999);
        assert_eq!(from_mate(3), 31_995);
        assert_eq!(from_mate(0), -32_000);
        assert_eq!(from_mate(-1), -31_998);
        assert_eq!(from_mate(1000), DECISIVE);
        assert_eq!(from_mate(i32::MIN), -DECISIVE);
    }

    #[test]
    fn numbers_of_files_are_kept_if_they_fit() {
        for kept in [0, -10_000, 32_000, 32_002, 32_767, -32_768] {
            assert_eq!(i64::from(from_file(kept)), kept);
        }
        assert_eq!(from_file(100_000), 32_000);
        assert_eq!(from_file(i64::MIN), -32_000);
    }

    #[test]
    fn words_for_people() {
        let words = [31, -1205, 31_999, -31_998, 31_755, -32_000, MARK, i16::MIN].map(in_words);
        let expected = ["+0.31", "-12.05", "+M1", "-M1", "+M123", "-M0", "-", "-M0"];
        assert_eq!(words, expected);
    }
}
