//! Sums over all games.

use crate::personal::{Personal, PersonalSums};
use crate::review::{Review, Side};
use crate::sums::SideSums;
use data::pgn::Salvaged;
use serde::Serialize;

/// Sums over all games. Accuracies are means over the games.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
pub struct Summary {
    /// How many games there are.
    pub games: usize,
    /// Games that could only be read in part.
    pub damaged: usize,
    /// Their moves, of both sides.
    pub moves: u32,
    /// How White played.
    pub white: Side,
    /// How Black played.
    pub black: Side,
    /// How one player did, if a name was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub player: Option<Personal>,
}

/// The sums over the games so far.
pub(crate) struct Sums {
    games: usize,
    damaged: usize,
    white: SideSums,
    black: SideSums,
    player: Option<PersonalSums>,
}

impl Sums {
    /// Empty sums; the games of one player may be summed up separately.
    pub(crate) fn new(player: Option<&str>) -> Sums {
        Sums {
            games: 0,
            damaged: 0,
            white: SideSums::default(),
            black: SideSums::default(),
            player: player.map(PersonalSums::new),
        }
    }

    pub(crate) fn add(&mut self, salvaged: &Salvaged, review: &Review) {
        self.games += 1;
        self.damaged += usize::from(salvaged.damage.is_some());
        self.white.add(&review.white);
        self.black.add(&review.black);
        if let Some(player) = &mut self.player {
            player.add(salvaged, review);
        }
    }

    pub(crate) fn summary(&self) -> Summary {
        let (white, black) = (self.white.side(), self.black.side());
        Summary {
            games: self.games,
            damaged: self.damaged,
            moves: white.moves + black.moves,
            white,
            black,
            player: self.player.as_ref().map(PersonalSums::personal),
        }
    }
}
