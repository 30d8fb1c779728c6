//! Proof search for short mates, run when a limit asks for a mate.
//!
//! The main search prunes by evaluation, so it may long overlook the quiet key of a problem in a
//! position where everything wins. The proof uses no evaluation. It tries every move of the
//! attacker and every answer, one move deeper each time, until it finds the shortest mate for
//! either side or has used up its nodes.

use super::worker::Worker;
use crate::Limits;
use crate::score;
use arrayvec::ArrayVec;
use chess::{Board, MAX_MOVES, Move, MoveFilter};
use nets::Evaluator;
use std::cmp::Reverse;

/// The most nodes that a proof may use before it leaves the rest to the search.
const MOST_NODES: u64 = 4_000_000;

/// The share of a node limit that the proof may use.
const NODE_SHARE: (u64, u64) = (4, 5);

/// Longer mates are not tried.
const LONGEST: u32 = 40;

/// The number of entries of the proof table.
const PLACES: usize = 1 << 18;

/// What is known about a position; mates are counted in moves of the attacker.
#[derive(Clone, Copy, Default)]
struct Proof {
    /// The position's key, mixed with which side attacks.
    key: u64,
    /// There is a mate in this many moves; 0 if none is known.
    mate: u8,
    /// There is no mate in this many moves.
    none: u8,
    /// The move that last proved something.
    best: Option<Move>,
}

/// The proof table; a new entry always replaces the old one.
pub(super) struct Proofs {
    places: Vec<Proof>,
    /// How often a move, by ply, origin and target, led to mate: a threat that works against one
    /// answer often works against the next.
    successes: Vec<[u32; 64 * 64]>,
    /// The proof ends at this node count.
    last_node: u64,
}

impl Proofs {
    fn new(last_node: u64, longest: u8) -> Proofs {
        Proofs {
            places: vec![Proof::default(); PLACES],
            successes: vec![[0; 64 * 64]; 2 * usize::from(longest) + 1],
            last_node,
        }
    }

    fn success(&mut self, ply: usize, mv: Move) -> &mut u32 {
        &mut self.successes[ply][mv.from().index() * 64 + mv.to().index()]
    }

    /// `attacks` says whether the side to move is the attacker.
    fn probe(&self, board: &Board, attacks: bool) -> Proof {
        let key = if attacks { board.key() } else { !board.key() };
        let place = self.places[key as usize % PLACES];
        if place.key == key {
            place
        } else {
            Proof {
                key,
                ..Proof::default()
            }
        }
    }

    fn store(&mut self, proof: Proof) {
        self.places[proof.key as usize % PLACES] = proof;
    }
}

/// A mate that was proved.
pub(super) struct ProvedMate {
    pub(super) value: i32,
    pub(super) line: Vec<Move>,
}

impl<E: Evaluator> Worker<'_, E> {
    /// The shortest mate of either side within the number of moves that was asked for.
    pub(super) fn prove_mate(&mut self, limits: &Limits) -> Option<ProvedMate> {
        let longest = limits.mate?.min(LONGEST) as u8;
        let share = limits
            .nodes
            .map_or(MOST_NODES, |nodes| nodes / NODE_SHARE.1 * NODE_SHARE.0);
        let mut proofs = Proofs::new(self.nodes + share.min(MOST_NODES), longest);
        for moves in 1..=longest {
            let plies = 2 * usize::from(moves);
            if self.attack(&mut proofs, 0, moves) {
                return Some(ProvedMate {
                    value: score::mate_in(plies - 1),
                    line: self.proved_line(&mut proofs, moves, true),
                });
            }
            if self.defend(&mut proofs, 0, moves) {
                return Some(ProvedMate {
                    value: score::mated_in(plies),
                    line: self.proved_line(&mut proofs, moves, false),
                });
            }
            if self.is_spent(&proofs) {
                break;
            }
        }
        None
    }

    fn is_spent(&self, proofs: &Proofs) -> bool {
        self.stopped || self.nodes >= proofs.last_node
    }

    /// Whether the side to move mates in this many moves.
    fn attack(&mut self, proofs: &mut Proofs, ply: usize, moves: u8) -> bool {
        let board = *self.line.board();
        if self.is_spent(proofs) || !self.enter_node(ply) || ply > 0 && self.is_draw(&board) {
            return false;
        }
        let mut proof = proofs.probe(&board, true);
        if proof.none >= moves || proof.mate > 0 && proof.mate <= moves {
            return proof.none < moves;
        }
        // A shorter mate is much cheaper to find.
        if moves > 1 && proof.none < moves - 1 && self.attack(proofs, ply, moves - 1) {
            return true;
        }
        for mv in self.attacking_moves(proofs, moves, ply, proof.best) {
            self.line.push(mv);
            let mates = self.defend(proofs, ply + 1, moves - 1);
            self.line.pop();
            if mates {
                proof.mate = moves;
                proof.best = Some(mv);
                proofs.store(proof);
                *proofs.success(ply, mv) += 1;
                return true;
            }
        }
        if !self.is_spent(proofs) {
            proof.none = moves;
            proofs.store(proof);
        }
        false
    }

    /// Whether the side to move is mated in this many further moves, whatever it answers.
    fn defend(&mut self, proofs: &mut Proofs, ply: usize, moves: u8) -> bool {
        let board = *self.line.board();
        if moves == 0 {
            return board.in_check() && !board.has_legal_move();
        }
        if self.is_spent(proofs) || !self.enter_node(ply) || ply > 0 && self.is_draw(&board) {
            return false;
        }
        let mut proof = proofs.probe(&board, false);
        if proof.none >= moves || proof.mate > 0 && proof.mate <= moves {
            return proof.none < moves;
        }
        let mut answers = board.legal_moves();
        if answers.is_empty() {
            return board.in_check();
        }
        if let Some(place) = answers.iter().position(|&mv| Some(mv) == proof.best) {
            answers.swap(0, place);
        }
        for &mv in &*answers {
            if ply == 0 && !self.is_root_move(mv) {
                continue;
            }
            self.line.push(mv);
            let mated = self.attack(proofs, ply + 1, moves);
            self.line.pop();
            if !mated {
                if !self.is_spent(proofs) {
                    proof.none = moves;
                    proof.best = Some(mv);
                    proofs.store(proof);
                }
                return false;
            }
        }
        proof.mate = moves;
        proofs.store(proof);
        true
    }

    /// The moves that may mate in this many moves; for a mate in one only checks. Moves that mated
    /// before come first, then checks, then moves that leave few answers.
    fn attacking_moves(
        &self,
        proofs: &mut Proofs,
        moves: u8,
        ply: usize,
        known: Option<Move>,
    ) -> ArrayVec<Move, MAX_MOVES> {
        let board = self.line.board();
        let checks = board.check_map();
        let mut rated = ArrayVec::<(Reverse<u32>, u32, Move), MAX_MOVES>::new();
        board.for_each_move(MoveFilter::All, |mv| {
            let gives_check = checks.gives_check(board, mv);
            if moves == 1 && !gives_check || ply == 0 && !self.is_root_move(mv) {
                return;
            }
            let answers = if moves == 1 {
                0
            } else {
                board.after(mv).count_legal_moves()
            };
            let quiet = u32::from(!gives_check) * MAX_MOVES as u32;
            let success = match known {
                Some(known) if known == mv => u32::MAX,
                _ => *proofs.success(ply, mv),
            };
            rated.push((Reverse(success), quiet + answers, mv));
        });
        rated.sort_unstable();
        rated.into_iter().map(|(_, _, mv)| mv).collect()
    }

    /// The mate from the root: the shortest attack, the longest defence.
    fn proved_line(&mut self, proofs: &mut Proofs, moves: u8, attacks: bool) -> Vec<Move> {
        // From here the search only repeats what is proved, so it may use some more nodes.
        proofs.last_node = u64::MAX;
        let mut line = Vec::new();
        let mut moves = moves;
        let mut attacks = attacks;
        loop {
            let next = if attacks {
                self.shortest_attack(proofs, line.len(), moves)
            } else {
                self.longest_defence(proofs, line.len(), moves)
            };
            let Some(mv) = next else {
                break;
            };
            self.line.push(mv);
            line.push(mv);
            if attacks {
                moves -= 1;
            }
            attacks = !attacks;
        }
        for _ in &line {
            self.line.pop();
        }
        line
    }

    fn shortest_attack(&mut self, proofs: &mut Proofs, ply: usize, moves: u8) -> Option<Move> {
        let known = proofs.probe(self.line.board(), true).best;
        for mv in self.attacking_moves(proofs, moves, ply, known) {
            self.line.push(mv);
            let mates = self.defend(proofs, ply + 1, moves - 1);
            self.line.pop();
            if mates {
                return Some(mv);
            }
        }
        None
    }

    fn longest_defence(&mut self, proofs: &mut Proofs, ply: usize, moves: u8) -> Option<Move> {
        let answers = self.line.board().legal_moves();
        let mut kept = None;
        for &mv in &*answers {
            if ply == 0 && !self.is_root_move(mv) {
                continue;
            }
            kept = kept.or(Some(mv));
            self.line.push(mv);
            let sooner = self.attack(proofs, ply + 1, moves.saturating_sub(1));
            self.line.pop();
            if !sooner {
                return Some(mv);
            }
        }
        kept
    }
}
