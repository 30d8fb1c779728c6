//! Relabelling for workers in other processes: serialises player and task, and checks whether
//! returned chains can be those of the unit.

use super::{Found, Relabelling, Task, encoded};
use data::binpack::Positions;
use data::relabel::Unit;
use engines::recipe::{PortableRecipe, blob_name, blob_of_model, repeatable};
use serde::{Deserialize, Serialize};
use work::{Blobs, Care, Description, Kind, Piece, Portable};

/// Relabelling of positions.
pub(crate) const KIND: Kind = Kind {
    name: "relabel",
    make: |settings, blobs| Ok(Box::new(made(settings, blobs)?)),
};

/// What all units have in common, in serialised form.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    player: PortableRecipe,
    nodes: Option<u64>,
    depth: Option<u32>,
    task: Task,
}

fn made(settings: &str, blobs: &Blobs) -> Result<Relabelling, String> {
    let written: Written = serde_json::from_str(settings).map_err(|error| error.to_string())?;
    Ok(Relabelling {
        player: (written.player).recipe(|name| blobs.get(name).map(Vec::as_slice))?,
        nodes: written.nodes,
        depth: written.depth,
        task: written.task,
    })
}

impl Portable for Relabelling {
    fn description(&self) -> Result<Description, String> {
        let written = Written {
            player: self.player.to_portable()?,
            nodes: self.nodes,
            depth: self.depth,
            task: self.task,
        };
        let model = self.player.model();
        Ok(Description {
            kind: KIND.name,
            settings: serde_json::to_string(&written).map_err(|error| error.to_string())?,
            blobs: model.and_then(blob_name).into_iter().collect(),
            repeatable: repeatable([&self.player].into_iter()),
            is_timed: false,
        })
    }

    fn blob(&self, name: &str) -> Result<Vec<u8>, String> {
        blob_of_model(self.player.model().into_iter(), name)
    }

    /// Everything except the results of searches is known here; with these filled in, the chains
    /// must be identical.
    fn check(&self, piece: &Piece, result: &[u8], _: Care) -> Result<(), String> {
        let unit = Unit::from_bytes(&piece.payload).ok_or("its positions cannot be read")?;
        let mut given = Positions::new(result);
        let mut expected = Vec::new();
        for (number, (position, _)) in unit.positions.iter().enumerate() {
            if !self.is_kept(number) {
                continue;
            }
            let next = given.next().map_err(|error| error.to_string())?;
            let next = *next.ok_or("positions are missing")?;
            let best = next.mv.filter(|&mv| position.board.is_legal(mv));
            let found = self.is_searched(position, number).then_some(Found {
                best,
                score: next.score,
            });
            expected.extend(self.labelled(position, number, found));
        }
        match encoded(&expected)? == result {
            true => Ok(()),
            false => Err("its positions are not those of the unit".to_owned()),
        }
    }
}

impl Relabelling {
    /// Whether the position with this number in its unit is in the result.
    fn is_kept(&self, number: usize) -> bool {
        number.is_multiple_of(self.task.every() as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::{Board, Game};
    use data::position::{Outcome, Position};
    use engines::StopSignal;
    use engines::recipe::PlayerSettings;
    use std::collections::BTreeMap;
    use work::Job;

    fn unit() -> Unit {
        let mut game = Game::new(Board::start());
        let mut positions = Vec::new();
        for (ply, name) in ["e2e4", "e7e5", "g1f3", "b8c6", "f1b5"].iter().enumerate() {
            let board = *game.board();
            let mv = board.parse_uci(name).expect("legal");
            let position = Position {
                board,
                mv: Some(mv),
                score: if ply == 3 { data::score::MARK } else { 25 },
                result: Outcome::Draw,
                ply: ply as u16,
            };
            positions.push((position, ply == 0));
            game.play(mv).expect("legal");
        }
        Unit { positions }
    }

    fn relabelling(task: Task) -> Relabelling {
        let settings = PlayerSettings::from_words("model=classical hash=1").expect("words");
        Relabelling {
            player: settings.recipe().expect("a recipe"),
            nodes: Some(200),
            depth: None,
            task,
        }
    }

    fn result(job: &dyn Job, piece: &Piece) -> Vec<u8> {
        match job.worker(0).work(piece, &StopSignal::new()) {
            work::Outcome::Done(result) => result,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn another_process_finds_the_same() {
        for task in [
            Task::Scores { only_marked: false },
            Task::Scores { only_marked: true },
            Task::Moves { every: 2 },
            Task::PlayedMoves { every: 3 },
        ] {
            let own = relabelling(task);
            let description = own.description().expect("portable");
            let blobs: BTreeMap<String, Vec<u8>> = (description.blobs.iter())
                .map(|name| (name.clone(), own.blob(name).expect("a blob")))
                .collect();
            let other = (KIND.make)(&description.settings, &blobs).expect("a job");
            let piece = Piece {
                number: 7,
                payload: unit().to_bytes(),
            };
            let theirs = result(other.as_ref(), &piece);
            assert_eq!(theirs, result(&own, &piece), "{task:?}");
            assert_eq!(own.check(&piece, &theirs, Care::Usual), Ok(()), "{task:?}");
        }
    }

    #[test]
    fn what_cannot_be_the_unit_is_refused() {
        let own = relabelling(Task::Scores { only_marked: true });
        let piece = Piece {
            number: 7,
            payload: unit().to_bytes(),
        };
        let good = result(&own, &piece);
        let refusal = |bytes: &[u8]| own.check(&piece, bytes, Care::Usual).expect_err("wrong");
        refusal(&[]);
        refusal(b"garbage");
        refusal(&good[..good.len() - 1]);
        refusal(&[&good[..], &good[..]].concat());
        // Another position, and a changed score where none was searched.
        let mut other = unit();
        other.positions[0].0.score = 26;
        let piece_of_other = Piece {
            number: 7,
            payload: other.to_bytes(),
        };
        refusal(&result(&own, &piece_of_other));
    }
}
