//! One rating list for many players, from all their games at once.
//!
//! The model is Davidson's: if x is the difference of strength from White's point of view, White's
//! advantage included, then a win, a draw and a loss have the odds e^(x/2) : v : e^(-x/2). It was
//! chosen because the fit depends on exactly what it should: the points of each player, White's
//! points and the number of draws. A draw counts as exactly half a win and half a loss, and at the
//! maximum every player's expected points are those that were scored. Its log-likelihood is
//! concave, so Newton's method finds the only maximum.
//!
//! Draws stretch the model's scale: between equals the score rises 2 / (2 + v) times as fast as
//! without draws. Ratings are given in Elo, scaled down by that factor, so that near equality a
//! difference means the score that Elo predicts.
//!
//! - `results` holds the results of all pairings, and `reading` fills it from game files;
//! - `davidson` is the model, `fit` finds its maximum, using `matrix`;
//! - `obstacles` finds out why there may be no maximum;
//! - `list` is the rating list, `crosstable` shows the results behind it.
//!
//! Nothing here knows engines or how games were played.

mod crosstable;
mod davidson;
mod fit;
mod list;
mod matrix;
mod obstacles;
mod reading;
mod results;

pub use crosstable::Crosstable;
pub use list::{
    Anchor, JointRatings, RatedPlayer, RatingError, RatingList, Reference, rate, rate_jointly,
};
pub use obstacles::Obstacle;
pub use reading::{Read, ReadingError, read};
pub use results::Results;
