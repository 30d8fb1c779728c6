//! Steps that evaluate the info lines of all searches.

use super::examiner::{Examiner, Problem, broken};

/// How many steps this module has.
pub(super) const COUNT: usize = 3;

pub(super) fn check(examiner: &mut Examiner<'_>) {
    examiner.step("info lines", "known words with whole numbers", |examiner| {
        first_of(&examiner.remarks.malformed)
    });
    examiner.step("scores", "a score before every bestmove", |examiner| {
        first_of(&examiner.remarks.without_score)
    });
    examiner.step(
        "variations",
        "legal moves to their ends, the first of the last one being the bestmove",
        |examiner| {
            let remarks = &examiner.remarks;
            if remarks.with_line == 0 {
                return broken("no 'pv' in any search");
            }
            first_of(&remarks.illegal)?;
            first_of(&remarks.contradicted)
        },
    );
}

fn first_of(faults: &[String]) -> Result<(), Problem> {
    faults.first().map_or(Ok(()), broken)
}
