//! How one player did in all games, with either colour.

use crate::chance::Judgement;
use crate::review::{JudgedMove, Review, Side};
use crate::sums::SideSums;
use chess::{Board, Color, PieceKind};
use data::pgn::Salvaged;
use serde::Serialize;

/// Moves up to this number are the opening.
const LAST_OPENING_MOVE: u16 = 12;
/// Positions with at most this many knights, bishops, rooks and queens are endgames.
const ENDGAME_PIECES: u32 = 6;
/// The phases of a game in their order.
const PHASES: [&str; 3] = ["opening", "middlegame", "endgame"];

/// How one player did in all games.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Personal {
    /// The name as the user gave it.
    pub name: String,
    /// Games of this player.
    pub games: usize,
    /// Games won.
    pub wins: usize,
    /// Games drawn.
    pub draws: usize,
    /// Games lost.
    pub losses: usize,
    /// How the player did overall.
    pub all: Side,
    /// The same by phase of the game.
    pub phases: Vec<Phase>,
}

/// How a player did in a phase of all games.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Phase {
    /// What it is called.
    pub name: &'static str,
    /// How the player did in it; the accuracy is the mean over moves.
    #[serde(flatten)]
    pub side: Side,
}

/// The sums over a player's games so far.
pub(crate) struct PersonalSums {
    name: String,
    games: usize,
    wins: usize,
    draws: usize,
    losses: usize,
    all: SideSums,
    phases: [PhaseSums; 3],
}

#[derive(Clone, Copy, Default)]
struct PhaseSums {
    counts: Side,
    accuracy: f64,
    loss: f64,
}

impl PersonalSums {
    pub(crate) fn new(name: &str) -> PersonalSums {
        PersonalSums {
            name: name.to_owned(),
            games: 0,
            wins: 0,
            draws: 0,
            losses: 0,
            all: SideSums::default(),
            phases: [PhaseSums::default(); 3],
        }
    }

    pub(crate) fn add(&mut self, salvaged: &Salvaged, review: &Review) {
        let tags = salvaged.game.tags();
        let is_own = |tag: &str| {
            let name = tags.get(tag).unwrap_or_default();
            name.to_lowercase() == self.name.to_lowercase()
        };
        let (color, side) = match (is_own("White"), is_own("Black")) {
            (true, _) => (Color::White, &review.white),
            (_, true) => (Color::Black, &review.black),
            _ => return,
        };
        self.games += 1;
        match (salvaged.game.result.as_str(), color) {
            ("1-0", Color::White) | ("0-1", Color::Black) => self.wins += 1,
            ("0-1", Color::White) | ("1-0", Color::Black) => self.losses += 1,
            ("1/2-1/2", _) => self.draws += 1,
            _ => {}
        }
        self.all.add(side);
        for judged in review.moves.iter().filter(|one| one.color() == color) {
            self.phases[phase(&judged.before)].add(judged);
        }
    }

    pub(crate) fn personal(&self) -> Personal {
        Personal {
            name: self.name.clone(),
            games: self.games,
            wins: self.wins,
            draws: self.draws,
            losses: self.losses,
            all: self.all.side(),
            phases: PHASES
                .iter()
                .zip(&self.phases)
                .map(|(name, sums)| Phase {
                    name,
                    side: sums.side(),
                })
                .collect(),
        }
    }
}

impl PhaseSums {
    fn add(&mut self, judged: &JudgedMove) {
        self.counts.moves += 1;
        self.accuracy += judged.accuracy;
        self.loss += f64::from(judged.centipawn_loss);
        match judged.judgement {
            Some(Judgement::Inaccuracy) => self.counts.inaccuracies += 1,
            Some(Judgement::Mistake) => self.counts.mistakes += 1,
            Some(Judgement::Blunder) => self.counts.blunders += 1,
            None => {}
        }
    }

    fn side(&self) -> Side {
        let moves = f64::from(self.counts.moves);
        let has_moves = self.counts.moves > 0;
        Side {
            accuracy: has_moves.then(|| self.accuracy / moves),
            average_centipawn_loss: has_moves.then(|| self.loss / moves),
            ..self.counts
        }
    }
}

/// The index of a position's phase in [`PHASES`].
fn phase(board: &Board) -> usize {
    let kinds = [
        PieceKind::Knight,
        PieceKind::Bishop,
        PieceKind::Rook,
        PieceKind::Queen,
    ];
    let pieces: u32 = kinds.iter().map(|&kind| board.kind(kind).count()).sum();
    match pieces {
        0..=ENDGAME_PIECES => 2,
        _ if board.fullmove_number() <= LAST_OPENING_MOVE => 0,
        _ => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phases_go_by_moves_and_men() {
        let at = |fen: &str| PHASES[phase(&Board::from_fen(fen).expect("a position"))];
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0";
        assert_eq!(at(&format!("{start} 1")), "opening");
        assert_eq!(at(&format!("{start} 12")), "opening");
        assert_eq!(at(&format!("{start} 13")), "middlegame");
        assert_eq!(at("4k3/8/8/8/8/8/4P3/R3K2R w KQ - 0 3"), "endgame");
    }
}
