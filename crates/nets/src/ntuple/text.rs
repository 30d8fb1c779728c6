//! An n-tuple network as text, to be read and compared by people.

use super::weights::NTupleWeights;
use std::fmt::Write;

impl NTupleWeights {
    /// All weights: a line `name = [opening, endgame]` for each term of the hand-written
    /// evaluation, then for each place of a table that is not 0.
    ///
    /// A place is named by its tuple and the squares of the men, such as `Nq.c3.d8`, as
    /// seen from the own side with the first man on the files a to d.
    pub fn to_text(&self) -> String {
        let mut text = self.linear.write();
        let switch = if self.endgame_functions { "on" } else { "off" };
        let groups: Vec<_> = self.groups.iter().map(|group| group.name()).collect();
        // Writing to a string cannot fail.
        let _ = writeln!(text, "# groups: {}", groups.join(", "));
        let _ = writeln!(text, "# endgame functions: {switch}");
        for table in self.tables() {
            let (tuple, places) = (table.tuple(), table.weights().len());
            let _ = writeln!(text, "# tuple {tuple}, {places} places");
            for (place, [opening, endgame]) in table.weights().iter().enumerate() {
                if (*opening, *endgame) != (0, 0) {
                    let name = table.place_name(place);
                    let _ = writeln!(text, "{name} = [{opening}, {endgame}]");
                }
            }
        }
        text
    }
}
