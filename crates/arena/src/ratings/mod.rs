//! One rating list for many players, from all their games at once.
//!
//! The model is Davidson's: with x the difference of strength from White's view,
//! White's advantage included, a win, a draw and a loss have the odds
//! e^(x/2) : v : e^(-x/2). It was chosen because it is the one model of draws
//! that forgets nothing it should know and uses nothing else: the points of each
//! player, White's points and the number of draws are all that the fit depends
//! on, a draw is exactly half a win and half a loss, and at the best fit every
//! player is expected to have the points that he has. The logarithm of its
//! likelihood is concave, so that Newton's method finds the one maximum.
//!
//! Draws stretch its scale: between equals a score rises by 2 / (2 + v) less than
//! without draws. Ratings are given in Elo, shrunk by that factor, so that near
//! equality a difference means the score that Elo says.
//!
//! - `results` has who met whom, and `reading` fills it from game files;
//! - `davidson` is the model, `fit` finds its maximum, with `matrix`;
//! - `obstacles` says why there may be none;
//! - `list` is the answer, `crosstable` shows the results behind it.
//!
//! Nothing here knows engines or how games came about.

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
