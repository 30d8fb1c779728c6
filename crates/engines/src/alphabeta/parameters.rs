//! Every constant of the search that a tuner may turn, with its range.
//!
//! The ranges are where a tuner should look. Values far outside of them switch
//! a step of the search off, which is how its worth is measured; the text of
//! each step's first constant says which.

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

/// There is no constant of this name.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("there is no search constant {0:?}; see `tabia tune --list`")]
pub struct UnknownParameter(pub String);

macro_rules! tunables {
    ($($(#[doc = $doc:literal])+ $name:ident = $value:literal in $low:literal..=$high:literal;)*) => {
        /// The constants of the search.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub struct Parameters {
            $($(#[doc = $doc])+ pub $name: i32,)*
        }

        impl Default for Parameters {
            fn default() -> Parameters {
                Parameters { $($name: $value),* }
            }
        }

        impl Parameters {
            /// Sets the constant of this name; a value need not lie in its range.
            pub fn set(&mut self, name: &str, value: i32) -> Result<(), UnknownParameter> {
                match name {
                    $(stringify!($name) => self.$name = value,)*
                    _ => return Err(UnknownParameter(name.to_owned())),
                }
                Ok(())
            }
        }

        /// All constants of the search, in the order of the file.
        pub const TUNABLES: &[Tunable] = &[
            $(Tunable { name: stringify!($name), value: $value, low: $low, high: $high }),*
        ];
    };
}

tunables! {
    /// Half the first aspiration window; 30000 switches it off.
    aspiration_window = 12 in 5..=40;
    /// Deeper nodes than this are cut by the table even if it says the opposite of what the
    /// parent expects.
    table_cut_depth = 5 in 2..=10;
    /// Below alpha by this, razoring looks only at captures; 30000 switches it off.
    razor_base = 320 in 100..=600;
    /// What the depth squared adds to that.
    razor_slope = 160 in 60..=400;
    /// A move that was reduced by so many plies, and after which both sides together stand
    /// worse than before, is searched a ply more.
    hindsight_deeper = 3 in 1..=5;
    /// The reduction from which a move can be searched less by hindsight.
    hindsight_shallower = 2 in 1..=5;
    /// A reduced move after which both sides together stand better than this is
    /// searched a ply less.
    hindsight_margin = 150 in 60..=300;
    /// Margin of reverse futility a ply.
    reverse_futility_slope = 55 in 30..=150;
    /// What an improving side takes from the margin.
    reverse_futility_improving = 35 in 0..=150;
    /// What an uncertain evaluation adds to the margin, in 1024ths of its correction.
    reverse_futility_correction = 512 in 0..=2048;
    /// What is above beta is divided by this in the value that is returned: it is a guess.
    reverse_futility_softening = 3 in 1..=8;
    /// The deepest node for reverse futility; 0 switches it off.
    reverse_futility_depth = 12 in 6..=16;
    /// The least depth for a null move; 255 switches it off.
    null_move_depth = 1 in 1..=5;
    /// The least reduction of a null-move search.
    null_move_base = 4 in 2..=7;
    /// Surplus over beta that reduces the null-move search by one more ply.
    null_move_surplus = 55 in 30..=150;
    /// The most plies that the surplus reduces it by.
    null_move_most_surplus = 7 in 2..=9;
    /// How far the evaluation must lie above beta for a null move, at depth 0.
    null_move_margin = 70 in 20..=150;
    /// What a ply takes from that.
    null_move_slope = 6 in 2..=20;
    /// Depth from which a null-move cut is verified.
    null_move_verify = 15 in 10..=20;
    /// The least depth at which a node without a known move is reduced; 255
    /// switches it off.
    internal_reduction_depth = 5 in 3..=8;
    /// The least depth for ProbCut: below, its verification is too shallow. 255
    /// switches it off.
    probcut_depth = 8 in 4..=12;
    /// By how much shallower ProbCut verifies a capture.
    probcut_reduction = 4 in 3..=6;
    /// How far above beta ProbCut wants a capture to come out.
    probcut_margin = 180 in 80..=350;
    /// What an improving side takes from that.
    probcut_improving = 50 in 0..=120;
    /// Late moves: tried before quiet ones are skipped, at depth 0; 30000 switches
    /// the skipping off.
    late_move_base = 6 in 2..=14;
    /// Futility of quiet moves: base; 30000 switches it off.
    futility_base = 45 in 20..=250;
    /// Futility of quiet moves: a ply of reduced depth.
    futility_slope = 120 in 40..=220;
    /// Futility of quiet moves: reduced depths from this on have none.
    futility_depth = 11 in 6..=16;
    /// Futility of quiet moves: plies that history adds, in 1024ths of a 1024th.
    futility_history = 150 in 50..=400;
    /// Futility of captures: base; 30000 switches it off.
    capture_futility_base = 230 in 60..=400;
    /// Futility of captures: a ply.
    capture_futility_slope = 200 in 60..=400;
    /// Futility of captures: reduced depths from this on have none.
    capture_futility_depth = 7 in 4..=12;
    /// Futility of captures: what history adds, in 1024ths.
    capture_futility_history = 64 in 10..=200;
    /// Quiet moves with less history than this a ply are skipped; 1000000
    /// switches it off.
    history_pruning = 6000 in 1000..=8000;
    /// Reduced depths from this on skip none.
    history_pruning_depth = 6 in 3..=10;
    /// Losing exchanges of captures beyond this a ply are skipped; 30000
    /// switches it off.
    capture_exchange_slope = 110 in 40..=250;
    /// What history adds to that, in 1024ths.
    capture_exchange_history = 26 in 5..=100;
    /// Losing exchanges of quiet moves beyond this a squared ply are skipped;
    /// 30000 switches it off.
    quiet_exchange_slope = 20 in 8..=60;
    /// Depth from which the table's move is tested for being singular; 255
    /// switches it off.
    singular_depth = 4 in 3..=8;
    /// How much shallower than the node the table's value may have been searched.
    singular_table_depth = 3 in 1..=6;
    /// Margin below the table's value a ply, in sixteenths.
    singular_slope = 15 in 6..=40;
    /// Below the singular bound by this, extend twice.
    double_extension = 8 in 0..=40;
    /// Below it by this, extend three times.
    triple_extension = 100 in 40..=250;
    /// Plies that a move loses which is not singular though its value is above beta.
    negative_extension_beta = 3 in 0..=4;
    /// Plies that it loses where a cut is expected.
    negative_extension_cut = 2 in 0..=4;
    /// The least depth at which checks are extended; 255 switches it off.
    check_extension_depth = 9 in 4..=14;
    /// The least depth at which late moves are reduced; 255 switches it off.
    reduction_depth = 2 in 2..=4;
    /// Late moves: the reduction grows with both logarithms, in 1024ths.
    reduction_slope = 525 in 250..=800;
    /// Late moves: the reduction's base, in 1024ths.
    reduction_base = 1050 in 0..=1500;
    /// Moves at the root are reduced less: each of them may be the one to play.
    reduction_root = 1024 in 0..=3000;
    /// Reduced less on or near principal variations.
    reduction_principal = 830 in 300..=2500;
    /// Reduced less, further, where the window is open.
    reduction_open = 300 in 0..=1000;
    /// Reduced more where a cut is expected.
    reduction_cut = 1100 in 300..=3000;
    /// Reduced more when the table's move captures.
    reduction_capture = 1350 in 0..=2000;
    /// Reduced more when the side does not improve.
    reduction_worsening = 750 in 0..=2000;
    /// So many refuting replies are usual.
    reduction_refutations = 2 in 1..=5;
    /// Reduced more when the replies keep refuting.
    reduction_refuted = 900 in 0..=2000;
    /// Reduced less by good history, more by bad, in 1024ths of it.
    reduction_history = 95 in 40..=250;
    /// Killer moves are reduced less.
    reduction_killer = 900 in 0..=2000;
    /// Checks are reduced less.
    reduction_check = 2048 in 0..=3000;
    /// Reduced less where the evaluation was off, for each centipawn of it.
    reduction_correction = 8 in 0..=24;
    /// Searched again a ply deeper if a reduced move beats the best by this.
    deeper_margin = 45 in 10..=120;
    /// What a ply adds to that.
    deeper_slope = 2 in 0..=8;
    /// Searched again a ply shallower if it beats the best by less than this.
    shallower_margin = 9 in 0..=30;
    /// After alpha was raised, the other moves lose a ply at depths above this ...
    raise_depth = 2 in 1..=6;
    /// ... and two above this ...
    raise_double_depth = 5 in 3..=10;
    /// ... but none from this on.
    raise_depth_end = 14 in 8..=20;
    /// Quiescence skips captures that leave the side this far below alpha;
    /// 30000 switches it off.
    quiescence_futility = 215 in 50..=400;
    /// History bonus: a ply.
    bonus_slope = 320 in 50..=400;
    /// History bonus: base.
    bonus_base = -70 in -300..=100;
    /// History bonus: the most.
    bonus_most = 1700 in 600..=4000;
    /// What a quiet move learns from each centipawn by which it changed the evaluation.
    evaluation_lesson = 40 in 0..=120;
    /// The most that it learns from that.
    evaluation_lesson_most = 1800 in 400..=4000;
    /// Weight of the pawns in the correction of the evaluation; 0 in all four
    /// switches it off.
    correction_pawns = 1750 in 0..=5000;
    /// Weight of the minor pieces in it.
    correction_minors = 1100 in 0..=5000;
    /// Weight of each side's pieces in it.
    correction_non_pawns = 1950 in 0..=5000;
    /// Weight of the last two moves in it.
    correction_continuation = 1300 in 0..=5000;
}

impl Parameters {
    /// How many moves a node of this depth tries before it skips quiet ones.
    #[inline(always)]
    pub(super) fn late_move_count(&self, depth: i32, improving: bool) -> usize {
        ((self.late_move_base + depth * depth) / (2 - i32::from(improving))) as usize
    }

    /// The depth for the other moves after one raised alpha: they need less to be proved
    /// worse.
    #[inline(always)]
    pub(super) fn depth_after_raise(&self, depth: i32) -> i32 {
        if depth <= self.raise_depth || depth >= self.raise_depth_end {
            return depth;
        }
        (depth - 1 - i32::from(depth > self.raise_double_depth)).max(2)
    }

    /// The size of a lesson from a search of this depth.
    #[inline(always)]
    pub(super) fn history_bonus(&self, depth: i32) -> i32 {
        (self.bonus_slope * depth + self.bonus_base).clamp(0, self.bonus_most)
    }
}

#[cfg(test)]
mod tests {
    use super::{Parameters, TUNABLES};

    #[test]
    fn values_lie_within_their_ranges() {
        for tunable in TUNABLES {
            assert!(
                (tunable.low..=tunable.high).contains(&tunable.value),
                "{tunable:?}"
            );
        }
    }

    #[test]
    fn constants_are_set_by_name() {
        let mut parameters = Parameters::default();
        for tunable in TUNABLES {
            assert_eq!(parameters.set(tunable.name, tunable.value), Ok(()));
        }
        assert_eq!(parameters, Parameters::default());
        assert_eq!(parameters.set("razor_base", 30_000), Ok(()));
        assert_eq!(parameters.razor_base, 30_000);
        assert!(parameters.set("RAZOR_BASE", 1).is_err());
    }
}
