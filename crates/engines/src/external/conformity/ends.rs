//! Checks of how the program ends.

use super::examiner::{Examiner, Problem};
use super::searches::START;
use std::time::Duration;

/// How many steps this module has.
pub(super) const COUNT: usize = 3;

/// How long the program may take to end.
const PATIENCE: Duration = Duration::from_secs(2);
const EXPECTED: &str = "it ends within two seconds, with exit status 0";

pub(super) fn check(examiner: &mut Examiner<'_>) {
    examiner.step("quit", EXPECTED, quit);
    examiner.step("quit during a search", EXPECTED, |examiner| {
        examiner.say(&format!("{START}\ngo infinite"))?;
        quit(examiner)
    });
    examiner.step("end of the input", EXPECTED, |examiner| {
        examiner.hang_up();
        examiner.await_end(PATIENCE)
    });
}

fn quit(examiner: &mut Examiner<'_>) -> Result<(), Problem> {
    examiner.say("quit")?;
    examiner.await_end(PATIENCE)
}
