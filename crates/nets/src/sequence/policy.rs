//! A sequence model behind the seam of the tree searches: the moves people make are its
//! policy, the result they reach its value.
//!
//! Events that were computed stay, so that a position costs one event more than the one
//! before it.

use super::events::{Event, GameFacts};
use super::net::{Computed, Memory, Node, SequenceNet};
use super::vocabulary;
use crate::policy::{Chances, PolicyValue, Wanted};
use chess::{Board, Line, Move};
use std::collections::HashMap;
use std::sync::Arc;

/// Beyond this, more company gains little.
const CAPACITY: usize = 64;
/// More events than this are forgotten before the next batch: some 500 MB of the size
/// `small`.
const MOST_EVENTS: usize = 50_000;

/// A model with what it has computed: the state of one thread.
#[derive(Clone)]
pub struct SequencePolicy {
    net: Arc<SequenceNet>,
    /// What the model is told of the game: how strong it plays.
    facts: GameFacts,
    memory: Memory,
    /// Events by the one before and the key of their position.
    known: HashMap<(Option<Node>, u64), Node>,
    /// The batch: what each event follows, and the event.
    waiting: Vec<(Option<Node>, u64, Event)>,
    moves: Vec<Vec<u32>>,
    computed: Computed,
    chances: Vec<Chances>,
    logits: Vec<Vec<f32>>,
    is_done: bool,
}

impl SequencePolicy {
    /// A model that knows nothing of the players.
    pub fn new(net: Arc<SequenceNet>) -> SequencePolicy {
        SequencePolicy::with_facts(net, GameFacts::default())
    }

    /// A model that is told this of the game.
    pub fn with_facts(net: Arc<SequenceNet>, facts: GameFacts) -> SequencePolicy {
        SequencePolicy {
            memory: Memory::new(net.shape()),
            net,
            facts,
            known: HashMap::new(),
            waiting: Vec::new(),
            moves: Vec::new(),
            computed: Computed::default(),
            chances: Vec::new(),
            logits: Vec::new(),
            is_done: false,
        }
    }

    /// The event before the last position of a line, computed if it was not known, and
    /// the move that led to that position.
    fn parent(&mut self, boards: &[Board]) -> (Option<Node>, Option<Move>) {
        let mut event = Event::default();
        self.net.encoder().start(&mut event);
        let mut node = self.compute(None, 0, &event);
        let mut previous = None;
        for (place, board) in boards.iter().enumerate() {
            if place + 1 == boards.len() {
                break;
            }
            node = match self.known.get(&(Some(node), board.key())) {
                Some(&node) => node,
                None => {
                    let encoder = self.net.encoder();
                    encoder.position(board, previous, &self.facts, None, &mut event);
                    self.compute(Some(node), board.key(), &event)
                }
            };
            previous = move_between(board, &boards[place + 1]);
        }
        (Some(node), previous)
    }

    fn compute(&mut self, parent: Option<Node>, key: u64, event: &Event) -> Node {
        if let Some(&node) = self.known.get(&(parent, key)) {
            return node;
        }
        let mut computed = Computed::default();
        self.net
            .compute(&mut self.memory, &[(parent, event)], &mut computed);
        self.known.insert((parent, key), computed.nodes[0]);
        computed.nodes[0]
    }
}

/// The move from one board to the next; none for a null move.
fn move_between(before: &Board, after: &Board) -> Option<Move> {
    let moves = before.legal_moves();
    moves
        .iter()
        .copied()
        .find(|&mv| before.after(mv).key() == after.key())
}

impl PolicyValue for SequencePolicy {
    fn capacity(&self) -> usize {
        CAPACITY
    }

    fn is_joint(&self) -> bool {
        true
    }

    fn put(&mut self, line: &Line, wanted: Wanted<'_>) {
        if std::mem::take(&mut self.is_done) {
            self.waiting.clear();
            self.moves.clear();
            if self.memory.len() > MOST_EVENTS {
                self.memory.truncate(0);
                self.known.clear();
            }
        }
        let (parent, previous) = self.parent(line.boards());
        let board = line.board();
        let mut event = Event::default();
        let encoder = self.net.encoder();
        encoder.position(board, previous, &self.facts, None, &mut event);
        let moves = match wanted {
            Wanted::Value => &[],
            Wanted::Policy(moves) | Wanted::Both(moves) => moves,
        };
        let side = board.side_to_move();
        // A castling of Chess960 that people do not know has the number of no move.
        let seen = |&mv: &Move| vocabulary::number(mv).map_or(0, |it| encoder.seen(it, side));
        self.moves
            .push(moves.iter().map(|mv| u32::from(seen(mv))).collect());
        self.waiting.push((parent, board.key(), event));
    }

    fn run(&mut self) {
        let batch: Vec<_> = self
            .waiting
            .iter()
            .map(|(parent, _, event)| (*parent, event))
            .collect();
        self.net
            .compute(&mut self.memory, &batch, &mut self.computed);
        self.chances.clear();
        self.logits.resize_with(self.waiting.len(), Vec::new);
        for (number, (parent, key, _)) in self.waiting.iter().enumerate() {
            let state = self.computed.state(number);
            self.known
                .insert((*parent, *key), self.computed.nodes[number]);
            self.chances.push(self.net.chances(state));
            self.net
                .logits(state, &self.moves[number], &mut self.logits[number]);
        }
        self.is_done = true;
    }

    fn chances(&self, number: usize) -> Chances {
        self.chances[number]
    }

    fn logits(&self, number: usize) -> &[f32] {
        &self.logits[number]
    }
}
