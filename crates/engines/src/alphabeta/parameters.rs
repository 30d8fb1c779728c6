//! Every constant of the search that a tuner may turn, with its range.

/// A constant, its value and the range in which a tuner may move it.
#[derive(Clone, Copy, Debug)]
pub struct Tunable {
    /// The name.
    pub name: &'static str,
    /// The value in use.
    pub value: i32,
    /// The least sensible value.
    pub low: i32,
    /// The greatest sensible value.
    pub high: i32,
}

macro_rules! tunables {
    ($($(#[doc = $doc:literal])+ $name:ident = $value:literal in $low:literal..=$high:literal;)*) => {
        $($(#[doc = $doc])+ pub(super) const $name: i32 = $value;)*

        /// All constants of the search, in the order of the file.
        pub const TUNABLES: &[Tunable] = &[
            $(Tunable { name: stringify!($name), value: $value, low: $low, high: $high }),*
        ];
    };
}

tunables! {
    /// Half the first aspiration window.
    ASPIRATION_WINDOW = 12 in 5..=40;
    /// Below alpha by this, razoring looks only at captures.
    RAZOR_BASE = 300 in 100..=600;
    /// What the depth squared adds to that.
    RAZOR_SLOPE = 160 in 60..=400;
    /// Margin of reverse futility a ply.
    REVERSE_FUTILITY_SLOPE = 75 in 30..=150;
    /// What an improving side takes from the margin.
    REVERSE_FUTILITY_IMPROVING = 60 in 0..=150;
    /// The deepest node for reverse futility.
    REVERSE_FUTILITY_DEPTH = 12 in 6..=16;
    /// The least reduction of a null-move search.
    NULL_MOVE_BASE = 4 in 2..=7;
    /// Surplus over beta that reduces the null-move search by one more ply.
    NULL_MOVE_SURPLUS = 180 in 80..=400;
    /// Depth from which a null-move cut is verified.
    NULL_MOVE_VERIFY = 15 in 10..=20;
    /// The least depth for ProbCut: below, its verification is too shallow.
    PROBCUT_DEPTH = 8 in 4..=12;
    /// How far above beta ProbCut wants a capture to come out.
    PROBCUT_MARGIN = 180 in 80..=350;
    /// What an improving side takes from that.
    PROBCUT_IMPROVING = 50 in 0..=120;
    /// Futility of quiet moves: base.
    FUTILITY_BASE = 90 in 20..=250;
    /// Futility of quiet moves: a ply of reduced depth.
    FUTILITY_SLOPE = 145 in 40..=220;
    /// Futility of captures: base.
    CAPTURE_FUTILITY_BASE = 200 in 60..=400;
    /// Futility of captures: a ply.
    CAPTURE_FUTILITY_SLOPE = 200 in 60..=400;
    /// Quiet moves with less history than this a ply are skipped.
    HISTORY_PRUNING = 3600 in 1000..=8000;
    /// Losing exchanges of captures beyond this a ply are skipped.
    CAPTURE_EXCHANGE_SLOPE = 110 in 40..=250;
    /// Losing exchanges of quiet moves beyond this a squared ply are skipped.
    QUIET_EXCHANGE_SLOPE = 24 in 8..=60;
    /// Depth from which the table's move is tested for being singular.
    SINGULAR_DEPTH = 6 in 4..=10;
    /// Margin below the table's value a ply, in sixteenths.
    SINGULAR_SLOPE = 16 in 6..=40;
    /// Below the singular bound by this, extend twice.
    DOUBLE_EXTENSION = 16 in 0..=60;
    /// Below it by this, extend three times.
    TRIPLE_EXTENSION = 100 in 40..=250;
    /// Late moves: the reduction grows with both logarithms, in 1024ths.
    REDUCTION_SLOPE = 470 in 250..=800;
    /// Late moves: the reduction's base, in 1024ths.
    REDUCTION_BASE = 520 in 0..=1500;
    /// Reduced less on or near principal variations.
    REDUCTION_PRINCIPAL = 1100 in 300..=2500;
    /// Reduced more where a cut is expected.
    REDUCTION_CUT = 1500 in 300..=3000;
    /// Reduced more when the table's move captures.
    REDUCTION_CAPTURE = 850 in 0..=2000;
    /// Reduced more when the side does not improve.
    REDUCTION_WORSENING = 800 in 0..=2000;
    /// Reduced more when the replies keep refuting.
    REDUCTION_REFUTED = 900 in 0..=2000;
    /// History that reduces by one ply less.
    REDUCTION_HISTORY = 8600 in 3000..=20000;
    /// Killer moves are reduced less.
    REDUCTION_KILLER = 900 in 0..=2000;
    /// Quiescence skips captures that leave the side this far below alpha.
    QUIESCENCE_FUTILITY = 190 in 50..=400;
    /// History bonus: a ply.
    BONUS_SLOPE = 150 in 50..=400;
    /// History bonus: base.
    BONUS_BASE = -70 in -300..=100;
    /// History bonus: the most.
    BONUS_MOST = 1700 in 600..=4000;
    /// Weight of the pawns in the correction of the evaluation.
    CORRECTION_PAWNS = 1600 in 0..=5000;
    /// Weight of the minor pieces in it.
    CORRECTION_MINORS = 1100 in 0..=5000;
    /// Weight of each side's pieces in it.
    CORRECTION_NON_PAWNS = 1300 in 0..=5000;
    /// Weight of the last two moves in it.
    CORRECTION_CONTINUATION = 1300 in 0..=5000;
}

#[cfg(test)]
mod tests {
    use super::TUNABLES;

    #[test]
    fn values_lie_within_their_ranges() {
        for tunable in TUNABLES {
            assert!(
                (tunable.low..=tunable.high).contains(&tunable.value),
                "{tunable:?}"
            );
        }
    }
}
