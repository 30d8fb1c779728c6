//! From games to training data.
