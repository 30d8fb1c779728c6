//! The settings of other trainers, as far as this one has them.

/// Names, and texts in TOML that say why; all but the data.
pub const PRESETS: [(&str, &str); 2] = [
    ("bullet", include_str!("../../presets/bullet.toml")),
    (
        "nnue-pytorch",
        include_str!("../../presets/nnue-pytorch.toml"),
    ),
];
