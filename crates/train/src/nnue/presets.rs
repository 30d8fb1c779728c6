//! The settings of other trainers, as far as this one supports them.

/// The names of presets, and their text in TOML with comments; everything but the data.
pub const PRESETS: [(&str, &str); 2] = [
    ("bullet", include_str!("../../presets/bullet.toml")),
    (
        "nnue-pytorch",
        include_str!("../../presets/nnue-pytorch.toml"),
    ),
];
