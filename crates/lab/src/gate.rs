//! Whether a candidate is promoted.

use crate::settings::{AtCap, GateSettings};
use arena::statistics::{Decision, Pentanomial};

/// The published study's Elo bounds by generation; the last one applies to all later generations.
const PUBLISHED: [f64; 6] = [-20.0, -20.0, -20.0, -20.0, -5.0, -5.0];

/// A decision with its reason.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Judged {
    pub(crate) promoted: bool,
    pub(crate) reason: String,
}

impl Judged {
    /// The decision without a gate.
    pub(crate) fn ungated() -> Judged {
        Judged {
            promoted: true,
            reason: "no gate: every net is promoted".to_owned(),
        }
    }
}

/// Decides by the gate's match. Generations are numbered from 1.
pub(crate) fn judge(settings: &GateSettings, generation: u32, counts: &Pentanomial) -> Judged {
    let elo = settings.interval.estimate(counts);
    if let Some(sprt) = &settings.sprt {
        let [elo0, elo1] = sprt.hypotheses();
        let judgement = sprt.judge(counts);
        let (promoted, words) = match (judgement.decision, settings.at_cap) {
            (Decision::AcceptElo1, _) => (true, "accepted by the test"),
            (Decision::AcceptElo0, _) => (false, "rejected by the test"),
            (Decision::Continue, AtCap::Reject) => {
                (false, "not accepted within the games of the test")
            }
            (Decision::Continue, AtCap::Likelier) if judgement.llr > 0.0 => (
                true,
                "undecided after all games of the test, but likelier better",
            ),
            (Decision::Continue, AtCap::Likelier) => (
                false,
                "undecided after all games of the test, and not likelier better",
            ),
        };
        let reason = format!("{words} of {elo0} against {elo1}: {elo:.0}");
        return Judged { promoted, reason };
    }
    let bound = bound(settings.elo_above.as_deref(), generation);
    let promoted = elo.value > bound;
    let words = if promoted { "above" } else { "not above" };
    Judged {
        promoted,
        reason: format!("{elo:.0} is {words} {bound}"),
    }
}

/// The Elo that a generation has to exceed.
pub(crate) fn bound(list: Option<&[f64]>, generation: u32) -> f64 {
    let list = list.unwrap_or(&PUBLISHED);
    let place = (generation.max(1) as usize - 1).min(list.len().saturating_sub(1));
    list.get(place).copied().unwrap_or(f64::NEG_INFINITY)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings(text: &str) -> GateSettings {
        toml::from_str(text).expect("settings")
    }

    /// Pairs won, lost, and balanced.
    fn pairs(won: u64, lost: u64, even: u64) -> Pentanomial {
        Pentanomial {
            win_win: won,
            loss_loss: lost,
            win_loss: even,
            ..Pentanomial::default()
        }
    }

    #[test]
    fn the_published_bounds_hold_unless_others_are_said() {
        let bounds = |list: Option<&[f64]>| [1, 4, 5, 6, 9].map(|number| bound(list, number));
        assert_eq!(bounds(None), [-20.0, -20.0, -5.0, -5.0, -5.0]);
        assert_eq!(bounds(Some(&[3.0, 4.0])), [3.0, 4.0, 4.0, 4.0, 4.0]);
    }

    #[test]
    fn a_candidate_must_do_better_than_the_bound() {
        let usual = GateSettings::default();
        // 46 of 100 points are -27.9 Elo, 48 points -13.9.
        let promoted =
            |generation, won, lost| judge(&usual, generation, &pairs(won, lost, 0)).promoted;
        assert!(!promoted(1, 23, 27));
        assert!(promoted(1, 24, 26));
        assert!(!promoted(5, 24, 26));
        assert!(promoted(5, 25, 25));
        let strict = settings("elo_above = [0]");
        let judged = judge(&strict, 1, &pairs(25, 25, 0));
        assert!(!judged.promoted);
        assert!(judged.reason.contains("+0 ["), "{}", judged.reason);
        assert!(
            judged.reason.ends_with("is not above 0"),
            "{}",
            judged.reason
        );
        // A perfect score is infinitely many Elo.
        assert!(judge(&strict, 1, &pairs(1, 0, 0)).promoted);
    }

    #[test]
    fn a_test_must_accept() {
        let gate = settings("sprt = { elo0 = 0, elo1 = 50 }\nat_cap = 'likelier'");
        assert!(judge(&gate, 1, &pairs(80, 20, 30)).promoted);
        let rejected = judge(&gate, 1, &pairs(20, 80, 30));
        assert!(!rejected.promoted);
        assert!(
            rejected
                .reason
                .starts_with("rejected by the test of 0 against 50")
        );
        let open = judge(&gate, 1, &pairs(1, 2, 3));
        assert!(
            !open.promoted
                && open.reason.starts_with(
                    "undecided after all games of the test, \
            and not likelier"
                )
        );
        let better = judge(&gate, 1, &pairs(4, 1, 3));
        assert!(
            better.promoted
                && better.reason.starts_with(
                    "undecided after all games of the \
            test, but likelier"
                )
        );
        let strict = settings("sprt = { elo0 = 0, elo1 = 50 }");
        let open = judge(&strict, 1, &pairs(4, 1, 3));
        assert!(!open.promoted && open.reason.starts_with("not accepted within"));
    }

    /// Within its number of games, the published test accepts only candidates that win 72 % of
    /// them.
    #[test]
    fn the_published_test_accepts_hardly_anything() {
        let gate = settings(
            "sprt = { elo0 = 0, elo1 = 34.86, model = 'binomial' }\n\
             interval = 'binomial'",
        );
        assert!(!judge(&gate, 1, &pairs(25, 12, 0)).promoted);
        assert!(judge(&gate, 1, &pairs(27, 10, 0)).promoted);
    }
}
