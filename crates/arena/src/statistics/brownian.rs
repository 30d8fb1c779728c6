//! A Brownian motion with drift that starts at 0 and ends at the first of two bounds: an
//! approximation of the log-likelihood ratio during a long test.

use super::normal::ln_probability_below;

/// Mirror images farther away than this many standard deviations are neglected.
const FAR: f64 = 10.0;
/// If the standard deviation exceeds this many times the distance of the bounds, a motion without
/// drift is still between them with a probability below e^-40.
const LONG: f64 = 3.0;
/// If the rate times the distance of the bounds is below this, the drift is neglected.
const NO_DRIFT: f64 = 1e-6;

/// The motion, its bounds and its drift.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Brownian {
    /// The lower bound, below 0.
    pub(super) lower: f64,
    /// The upper bound, above 0.
    pub(super) upper: f64,
    /// The mean change per unit of time.
    pub(super) drift: f64,
    /// The variance of the change per unit of time.
    pub(super) variance: f64,
}

impl Brownian {
    fn width(&self) -> f64 {
        self.upper - self.lower
    }

    /// The rate for which e^(-rate * position) is a martingale.
    fn rate(&self) -> f64 {
        2.0 * self.drift / self.variance
    }

    /// The probability of ending at the upper bound.
    pub(super) fn upper_probability(&self) -> f64 {
        let (rate, start, width) = (self.rate(), -self.lower, self.width());
        if (rate * width).abs() < NO_DRIFT {
            start / width
        } else if rate > 0.0 {
            (-rate * start).exp_m1() / (-rate * width).exp_m1()
        } else {
            // The same, rewritten so that no exponential overflows.
            (rate * self.upper).exp() * (rate * start).exp_m1() / (rate * width).exp_m1()
        }
    }

    /// The mean time until the end.
    pub(super) fn mean_time(&self) -> f64 {
        if (self.rate() * self.width()).abs() < NO_DRIFT {
            return -self.lower * self.upper / self.variance;
        }
        let upper = self.upper_probability();
        (upper * self.upper + (1.0 - upper) * self.lower) / self.drift
    }

    /// The probability of an outcome worse than being at `position` at this time: having ended at
    /// the lower bound before, or being below the position then. The position may be a bound: worse
    /// than the upper one is to reach it later.
    pub(super) fn worse_probability(&self, time: f64, position: f64) -> f64 {
        let images = Images {
            start: -self.lower,
            width: self.width(),
            drift: self.drift * time,
            deviation: (self.variance * time).sqrt(),
            odds: self.drift / self.variance,
        };
        if images.are_over() {
            return 1.0 - self.upper_probability();
        }
        let below = images.ended_below() + images.alive_below(position - self.lower);
        below.clamp(0.0, 1.0)
    }
}

/// The motion measured from its lower bound, and reflected at both bounds: the sum of all images,
/// half of them negative, vanishes at the bounds, as it must.
struct Images {
    start: f64,
    width: f64,
    /// The total drift.
    drift: f64,
    /// The standard deviation at the end.
    deviation: f64,
    /// The change of the logarithm of an image's weight per unit of distance.
    odds: f64,
}

impl Images {
    /// Whether the motion has ended, to numerical precision.
    fn are_over(&self) -> bool {
        self.deviation > LONG * self.width || self.drift.abs() > self.width + FAR * self.deviation
    }

    /// The shifts of the images that are not negligible.
    fn shifts(&self) -> impl Iterator<Item = f64> + use<> {
        let reach = (FAR * self.deviation + self.drift.abs()) / (2.0 * self.width);
        let most = reach.ceil() as i32 + 1;
        let step = 2.0 * self.width;
        (-most..=most).map(move |image| f64::from(image) * step)
    }

    /// The probability of having ended at the lower bound.
    fn ended_below(&self) -> f64 {
        self.shifts()
            .map(|shift| {
                let distance = self.start + shift;
                let way = distance.abs();
                let passed = |drift: f64, odds: f64| {
                    let weight = odds * way - self.odds * self.start;
                    self.weighted(weight, drift - way)
                };
                let both = passed(self.drift, -self.odds) + passed(-self.drift, self.odds);
                both * distance.signum()
            })
            .sum()
    }

    /// The probability of not having ended and of being below `height`.
    fn alive_below(&self, height: f64) -> f64 {
        // Uses the smaller of the two tails: a large weight would magnify the rounding error of a
        // tail near 1.
        let between = |weight: f64, center: f64| {
            if center < 0.0 {
                self.weighted(weight, center) - self.weighted(weight, center - height)
            } else {
                self.weighted(weight, height - center) - self.weighted(weight, -center)
            }
        };
        self.shifts()
            .map(|shift| {
                let own = between(self.odds * shift, self.start + shift + self.drift);
                let turned = self.odds * (shift - 2.0 * self.start);
                own - between(turned, shift - self.start + self.drift)
            })
            .sum()
    }

    /// The probability of a change below `change`, times e^weight.
    fn weighted(&self, weight: f64, change: f64) -> f64 {
        (weight + ln_probability_below(change / self.deviation)).exp()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::PI;

    const MOTIONS: [Brownian; 4] = [
        motion(0.0, 1.0),
        motion(0.7, 1.3),
        motion(-0.4, 0.5),
        motion(3.0, 0.9),
    ];

    const fn motion(drift: f64, variance: f64) -> Brownian {
        Brownian {
            lower: -2.0,
            upper: 3.0,
            drift,
            variance,
        }
    }

    /// The probability that the motion has not ended, by the other series, of sines instead of
    /// images, which converges for long times.
    fn alive_by_sines(motion: &Brownian, time: f64, height: f64) -> f64 {
        let (start, width) = (-motion.lower, motion.width());
        let odds = motion.drift / motion.variance;
        (1..200)
            .map(|wave| {
                let k = f64::from(wave) * PI / width;
                let decay = 0.5 * time * (motion.variance * k * k + motion.drift * odds);
                // The integral of e^(odds y) sin(k y) up to the height.
                let (sin, cos) = (k * height).sin_cos();
                let rising = (odds * height).exp() * (odds * sin - k * cos) + k;
                let integral = rising / (odds * odds + k * k);
                2.0 / width * (k * start).sin() * (-decay - odds * start).exp() * integral
            })
            .sum()
    }

    #[test]
    fn both_series_agree() {
        for motion in MOTIONS {
            for time in [0.3, 1.0, 4.0, 20.0] {
                for height in [1.0, 2.5, 5.0] {
                    let images = Images {
                        start: -motion.lower,
                        width: motion.width(),
                        drift: motion.drift * time,
                        deviation: (motion.variance * time).sqrt(),
                        odds: motion.drift / motion.variance,
                    };
                    let found = images.alive_below(height);
                    let expected = alive_by_sines(&motion, time, height);
                    assert!(
                        (found - expected).abs() < 1e-12,
                        "{motion:?} {time} {height}"
                    );
                }
            }
        }
    }

    #[test]
    fn every_motion_ends_somewhere() {
        for motion in MOTIONS {
            for time in [0.01, 0.3, 1.0, 4.0, 20.0, 1000.0] {
                let mirrored = Brownian {
                    lower: -motion.upper,
                    upper: -motion.lower,
                    drift: -motion.drift,
                    ..motion
                };
                for position in [motion.lower, -1.0, 0.0, 1.7, motion.upper] {
                    let below = motion.worse_probability(time, position);
                    let above = mirrored.worse_probability(time, -position);
                    assert!((below + above - 1.0).abs() < 1e-12, "{motion:?} {time}");
                }
            }
        }
    }

    #[test]
    fn after_a_long_time_only_the_bound_matters() {
        for motion in MOTIONS {
            let failed = motion.worse_probability(1e4, 0.0);
            assert!(
                (failed - (1.0 - motion.upper_probability())).abs() < 1e-9,
                "{motion:?}"
            );
        }
        // The rate and the bounds give the odds e^-2 and e^3 of a test.
        let fair = motion(0.0, 1.0);
        assert!((fair.upper_probability() - 0.4).abs() < 1e-12);
        let strong = motion(0.5, 1.0);
        let expected = (1.0 - (-2f64).exp()) / (1.0 - (-5f64).exp());
        assert!((strong.upper_probability() - expected).abs() < 1e-12);
        let weak = motion(-0.5, 1.0);
        let expected = (2f64.exp() - 1.0) / (5f64.exp() - 1.0);
        assert!((weak.upper_probability() - expected).abs() < 1e-12);
        assert_eq!(motion(-1e6, 1.0).upper_probability(), 0.0);
        assert_eq!(motion(1e6, 1.0).upper_probability(), 1.0);
    }

    #[test]
    fn mean_times() {
        assert!((motion(0.0, 0.5).mean_time() - 12.0).abs() < 1e-12);
        // A very small drift gives nearly the same, on both sides of the threshold.
        for drift in [1e-5, 1e-7, -1e-7, -1e-5] {
            assert!(
                (motion(drift, 0.5).mean_time() - 12.0).abs() < 1e-3,
                "{drift}"
            );
        }
        // With hardly any variance, time is distance divided by speed.
        assert!((motion(2.0, 1e-3).mean_time() - 1.5).abs() < 1e-9);
        assert!((motion(-2.0, 1e-3).mean_time() - 1.0).abs() < 1e-9);
    }

    #[test]
    fn far_motions_stay_numbers() {
        for drift in [-1e3, -30.0, 30.0, 1e3] {
            for time in [1e-6, 1.0, 1e6] {
                let found = motion(drift, 1.0).worse_probability(time, 1.0);
                assert!((0.0..=1.0).contains(&found), "{drift} {time}: {found}");
            }
        }
        assert!(motion(30.0, 1.0).worse_probability(5.0, 3.0) < 1e-9);
        assert!(motion(-30.0, 1.0).worse_probability(5.0, -2.0) > 1.0 - 1e-9);
    }
}
