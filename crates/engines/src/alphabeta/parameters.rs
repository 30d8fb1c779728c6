//! All constants of the search that can be tuned, with their ranges.
//!
//! The ranges are where a tuner should look. Values far outside of them switch a step of the search
//! off, which is how its worth is measured; the comment at the first constant of each step says
//! which value does so.

/// A constant, its default and the range in which a tuner may move it.
#[derive(Clone, Copy, Debug)]
pub struct Tunable {
    /// The name.
    pub name: &'static str,
    /// The default value.
    pub value: i32,
    /// The lowest sensible value.
    pub low: i32,
    /// The highest sensible value.
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
    /// Above this depth the table may cut a node even if its value contradicts what the parent
    /// expects.
    table_cut_depth = 5 in 2..=10;
    /// How far below alpha razoring searches only captures, at depth 0; 30000 switches it off.
    razor_base = 320 in 100..=600;
    /// What each squared ply of depth adds to that.
    razor_slope = 160 in 60..=400;
    /// A reduction of at least this many plies is followed by one ply more if the reduced move
    /// improved the evaluation for the side that made it.
    hindsight_deeper = 3 in 1..=5;
    /// The least reduction after which hindsight may take off another ply.
    hindsight_shallower = 2 in 1..=5;
    /// A reduced move is searched one ply less if it worsened the evaluation for its side by more
    /// than this.
    hindsight_margin = 150 in 60..=300;
    /// Reverse futility: margin per ply.
    reverse_futility_slope = 55 in 30..=150;
    /// Reverse futility: how much smaller the margin is for an improving side.
    reverse_futility_improving = 35 in 0..=150;
    /// Reverse futility: what an uncertain evaluation adds to the margin, in 1024ths of its
    /// correction.
    reverse_futility_correction = 512 in 0..=2048;
    /// Reverse futility: the surplus over beta is divided by this in the returned value.
    reverse_futility_softening = 3 in 1..=8;
    /// Reverse futility: the greatest depth; 0 switches it off.
    reverse_futility_depth = 12 in 6..=16;
    /// Null move: the least depth; 255 switches it off.
    null_move_depth = 1 in 1..=5;
    /// Null move: the least reduction.
    null_move_base = 4 in 2..=7;
    /// Null move: the surplus over beta that adds a ply to the reduction.
    null_move_surplus = 55 in 30..=150;
    /// Null move: the most plies that the surplus adds.
    null_move_most_surplus = 7 in 2..=9;
    /// Null move: how far the evaluation must lie above beta, at depth 0.
    null_move_margin = 70 in 20..=150;
    /// Null move: how much less for each ply of depth.
    null_move_slope = 6 in 2..=20;
    /// Null move: the depth from which a cut-off is verified.
    null_move_verify = 15 in 10..=20;
    /// The least depth at which a node without a table move is reduced; 255 switches it off.
    internal_reduction_depth = 5 in 3..=8;
    /// ProbCut: the least depth; below it the verification would be too shallow. 255 switches it
    /// off.
    probcut_depth = 8 in 4..=12;
    /// ProbCut: by how many plies the verification is shallower.
    probcut_reduction = 4 in 3..=6;
    /// ProbCut: how far above beta the verified value must lie.
    probcut_margin = 180 in 80..=350;
    /// ProbCut: how much less for an improving side.
    probcut_improving = 50 in 0..=120;
    /// Late-move pruning: how many moves are tried at depth 0 before quiet ones are skipped; 30000
    /// switches it off.
    late_move_base = 6 in 2..=14;
    /// Futility of quiet moves: base; 30000 switches it off.
    futility_base = 45 in 20..=250;
    /// Futility of quiet moves: what each ply of reduced depth adds.
    futility_slope = 120 in 40..=220;
    /// Futility of quiet moves: not applied from this reduced depth on.
    futility_depth = 11 in 6..=16;
    /// Futility of quiet moves: what history adds to the reduced depth, in 1024ths of a 1024th ply.
    futility_history = 150 in 50..=400;
    /// Futility of captures: base; 30000 switches it off.
    capture_futility_base = 230 in 60..=400;
    /// Futility of captures: what each ply of reduced depth adds.
    capture_futility_slope = 200 in 60..=400;
    /// Futility of captures: not applied from this reduced depth on.
    capture_futility_depth = 7 in 4..=12;
    /// Futility of captures: what history adds, in 1024ths.
    capture_futility_history = 64 in 10..=200;
    /// History pruning: quiet moves are skipped whose history is lower than minus this per ply;
    /// 1000000 switches it off.
    history_pruning = 6000 in 1000..=8000;
    /// History pruning: not applied from this reduced depth on.
    history_pruning_depth = 6 in 3..=10;
    /// Exchange pruning of captures: those are skipped that lose more than this per ply; 30000
    /// switches it off.
    capture_exchange_slope = 110 in 40..=250;
    /// Exchange pruning of captures: what history adds to that, in 1024ths.
    capture_exchange_history = 26 in 5..=100;
    /// Exchange pruning of quiet moves: those are skipped that lose more than this per squared ply
    /// of reduced depth; 30000 switches it off.
    quiet_exchange_slope = 20 in 8..=60;
    /// Singular extension: the depth from which the table's move is tested; 255 switches it off.
    singular_depth = 4 in 3..=8;
    /// Singular extension: by how much shallower than the node the table's value may be.
    singular_table_depth = 3 in 1..=6;
    /// Singular extension: margin below the table's value per ply, in sixteenths.
    singular_slope = 15 in 6..=40;
    /// Singular extension: a value this far below the singular bound extends by two plies.
    double_extension = 8 in 0..=40;
    /// Singular extension: a value this far below it extends by three.
    triple_extension = 100 in 40..=250;
    /// Plies by which a move is reduced that is not singular although its table value is above
    /// beta.
    negative_extension_beta = 3 in 0..=4;
    /// Plies by which it is reduced if a cut-off is expected instead.
    negative_extension_cut = 2 in 0..=4;
    /// The least depth at which checks are extended; 255 switches it off.
    check_extension_depth = 9 in 4..=14;
    /// The least depth at which late moves are reduced; 255 switches it off.
    reduction_depth = 2 in 2..=4;
    /// Late-move reductions: factor of the product of the logarithms of depth and move count, in
    /// 1024ths.
    reduction_slope = 525 in 250..=800;
    /// Late-move reductions: base, in 1024ths of a ply.
    reduction_base = 1050 in 0..=1500;
    /// Reduced less at the root, in 1024ths of a ply like all that follow.
    reduction_root = 1024 in 0..=3000;
    /// Reduced less on or near principal variations.
    reduction_principal = 830 in 300..=2500;
    /// Reduced less still where the window is open.
    reduction_open = 300 in 0..=1000;
    /// Reduced more where a cut-off is expected.
    reduction_cut = 1100 in 300..=3000;
    /// Reduced more if the table's move is a capture or a promotion.
    reduction_capture = 1350 in 0..=2000;
    /// Reduced more if the side to move is not improving.
    reduction_worsening = 750 in 0..=2000;
    /// The number of refuting replies above which later moves of a node are reduced more.
    reduction_refutations = 2 in 1..=5;
    /// Reduced more above that number.
    reduction_refuted = 900 in 0..=2000;
    /// Reduced less with good history, more with bad, in 1024ths of it.
    reduction_history = 95 in 40..=250;
    /// Killer moves are reduced less.
    reduction_killer = 900 in 0..=2000;
    /// Checks are reduced less.
    reduction_check = 2048 in 0..=3000;
    /// Reduced less per centipawn by which the evaluation is corrected.
    reduction_correction = 8 in 0..=24;
    /// A reduced move that beats the best value by this is searched again one ply deeper.
    deeper_margin = 45 in 10..=120;
    /// What each ply adds to that.
    deeper_slope = 2 in 0..=8;
    /// A reduced move that beats the best value by less than this is searched again one ply
    /// shallower.
    shallower_margin = 9 in 0..=30;
    /// After alpha was raised the other moves lose one ply at depths above this ...
    raise_depth = 2 in 1..=6;
    /// ... two plies above this ...
    raise_double_depth = 5 in 3..=10;
    /// ... but none from this on.
    raise_depth_end = 14 in 8..=20;
    /// Quiescence skips captures that leave the side this far below alpha;
    /// 30000 switches it off.
    quiescence_futility = 215 in 50..=400;
    /// History bonus: what each ply adds.
    bonus_slope = 320 in 50..=400;
    /// History bonus: base.
    bonus_base = -70 in -300..=100;
    /// History bonus: the maximum.
    bonus_most = 1700 in 600..=4000;
    /// What each centipawn by which a quiet move changed the evaluation adds to its history.
    evaluation_lesson = 40 in 0..=120;
    /// The most that this adds.
    evaluation_lesson_most = 1800 in 400..=4000;
    /// Correction histories: weight of the pawns; 0 in all four weights switches the correction
    /// off.
    correction_pawns = 1750 in 0..=5000;
    /// Correction histories: weight of the minor pieces.
    correction_minors = 1100 in 0..=5000;
    /// Correction histories: weight of each side's pieces.
    correction_non_pawns = 1950 in 0..=5000;
    /// Correction histories: weight of the last two moves.
    correction_continuation = 1300 in 0..=5000;
}

impl Parameters {
    /// How many moves a node of this depth tries before it skips quiet ones.
    #[inline(always)]
    pub(super) fn late_move_count(&self, depth: i32, improving: bool) -> usize {
        ((self.late_move_base + depth * depth) / (2 - i32::from(improving))) as usize
    }

    /// The depth for the remaining moves after one raised alpha: they need less to be refuted.
    #[inline(always)]
    pub(super) fn depth_after_raise(&self, depth: i32) -> i32 {
        if depth <= self.raise_depth || depth >= self.raise_depth_end {
            return depth;
        }
        (depth - 1 - i32::from(depth > self.raise_double_depth)).max(2)
    }

    /// The history bonus for a search of this depth.
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
