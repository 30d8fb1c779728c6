//! How a net plays.
