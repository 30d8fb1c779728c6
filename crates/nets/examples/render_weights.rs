//! Makes the weights in a file the built-in ones of the program.
//!
//! `cargo run -p tabia-nets --example render_weights -- FILE` prints the source
//! `crates/nets/src/classical/weights/values.rs` with the weights of a file that
//! `tabia train` wrote.

use nets::classical::Weights;
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args()
        .nth(1)
        .ok_or("expected the file of weights")?;
    let text = std::fs::read_to_string(&path).map_err(|error| format!("{path}: {error}"))?;
    let weights = Weights::read(&text).map_err(|error| format!("{path}: {error}"))?;
    print!("{}", weights.render());
    Ok(())
}
