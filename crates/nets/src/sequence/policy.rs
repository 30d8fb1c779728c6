//! A sequence model as a model for tree searches: the probabilities of people's moves are the
//! policy, those of the game's results the value.
//!
//! Computed events are cached, so that a new position costs one event. When the memory is
//! full, the least recently used events are dropped.

use super::events::{Event, GameFacts};
use super::memory::{Memory, Node};
use super::net::SequenceNet;
use super::vocabulary;
use crate::policy::{Chances, PolicyValue, Wanted};
use chess::{Board, Line, Move};
use std::collections::HashMap;
use std::sync::Arc;

/// The largest batch; larger ones gain little.
const CAPACITY: usize = 64;
/// The rating of both players that a model gets as input to play as well as it can; with this
/// one it played best.
pub const STRONG_RATING: u16 = 2_700;
/// The default size of the cache of events in MiB: some 25,000 events of the size `small`.
const MEBIBYTES: usize = 256;

/// A model with its computed events: the state of one thread.
#[derive(Clone)]
pub struct SequencePolicy {
    net: Arc<SequenceNet>,
    /// The model's input about the game, such as how strong the players are.
    facts: GameFacts,
    memory: Memory,
    most_events: usize,
    /// Events by their parent and the key of their position.
    known: HashMap<(Option<Node>, u64), Node>,
    /// For each event, the number of the last batch that used it. Using an event uses all
    /// before it, so none was used later than its parent.
    used: Vec<u64>,
    batch: u64,
    /// The events that the next run computes.
    waiting: Vec<(Node, Event)>,
    asked: Vec<Asked>,
    is_done: bool,
}

/// A position of the batch.
#[derive(Clone)]
struct Asked {
    node: Node,
    moves: Vec<u32>,
    chances: Chances,
    logits: Vec<f32>,
}

impl SequencePolicy {
    /// A model that knows nothing of the players.
    pub fn new(net: Arc<SequenceNet>) -> SequencePolicy {
        SequencePolicy::with_facts(net, GameFacts::default())
    }

    /// A model whose input says that both players are strong.
    pub fn strong(net: Arc<SequenceNet>) -> SequencePolicy {
        let facts = GameFacts {
            ratings: [Some(STRONG_RATING); 2],
            ..GameFacts::default()
        };
        SequencePolicy::with_facts(net, facts)
    }

    /// A model with these facts about the game as input.
    pub fn with_facts(net: Arc<SequenceNet>, facts: GameFacts) -> SequencePolicy {
        let mut policy = SequencePolicy {
            memory: Memory::new(net.shape()),
            net,
            facts,
            most_events: 0,
            known: HashMap::new(),
            used: Vec::new(),
            batch: 0,
            waiting: Vec::new(),
            asked: Vec::new(),
            is_done: false,
        };
        policy.set_room(MEBIBYTES);
        policy
    }

    /// Sets how many MiB of events may be cached; the last batch is kept in any case.
    pub fn set_room(&mut self, mebibytes: usize) {
        self.most_events = (mebibytes << 20) / self.memory.event_bytes();
    }

    /// The event of a position after another event; the next run computes it if it is not
    /// cached.
    fn node(&mut self, parent: Option<Node>, key: u64, list: impl FnOnce(&mut Event)) -> Node {
        let node = match self.known.get(&(parent, key)) {
            Some(&node) => node,
            None => {
                let node = self.memory.add(parent);
                let mut event = Event::default();
                list(&mut event);
                self.waiting.push((node, event));
                self.known.insert((parent, key), node);
                self.used.push(0);
                node
            }
        };
        self.used[node.index()] = self.batch;
        node
    }

    /// The event of the last position of a line.
    fn last_node(&mut self, boards: &[Board]) -> Node {
        let (net, facts) = (self.net.clone(), self.facts);
        let encoder = net.encoder();
        let mut node = self.node(None, 0, |event| encoder.start(event));
        for (place, board) in boards.iter().enumerate() {
            let before = place.checked_sub(1).map(|before| &boards[before]);
            let key = match before {
                Some(_) => board.key(),
                None => first_key(board),
            };
            node = self.node(Some(node), key, |event| {
                let previous = before.and_then(|before| move_between(before, board));
                encoder.position(board, previous, &facts, None, event);
            });
        }
        node
    }

    /// Begins a new batch.
    fn begin(&mut self) {
        self.asked.clear();
        self.waiting.clear();
        if self.memory.len() > self.most_events {
            self.forget();
        }
        self.batch += 1;
    }

    /// Drops the older half of the events, except those of the last batch.
    fn forget(&mut self) {
        let mut stamps = self.used.clone();
        let place = stamps.len().saturating_sub(self.most_events / 2 + 1);
        let (_, &mut threshold, _) = stamps.select_nth_unstable(place);
        let oldest = threshold.min(self.batch.saturating_sub(1));
        let used = std::mem::take(&mut self.used);
        let moved = self.memory.retain(|node| used[node.index()] > oldest);
        let kept = used.into_iter().filter(|&stamp| stamp > oldest);
        self.used = kept.collect();
        let known = std::mem::take(&mut self.known).into_iter();
        let known = known.filter_map(|((parent, key), node)| {
            let parent = parent.map(|parent| moved[parent.index()]);
            // The parent of a kept event is always kept.
            Some(((parent.flatten(), key), moved[node.index()]?))
        });
        self.known = known.collect();
    }
}

/// The key of the first position of a line, which includes the move number and the fifty-move
/// counter; those of later positions follow from it.
fn first_key(board: &Board) -> u64 {
    let counters = u64::from(board.fullmove_number()) << 16 | u64::from(board.halfmove_clock());
    board.key() ^ counters.wrapping_mul(0x9E37_79B9_7F4A_7C15)
}

/// The move from one board to the next; `None` for a null move.
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
            self.begin();
        }
        let node = self.last_node(line.boards());
        let moves = match wanted {
            Wanted::Value => &[],
            Wanted::Policy(moves) | Wanted::Both(moves) => moves,
        };
        let (encoder, side) = (self.net.encoder(), line.board().side_to_move());
        // Castling that occurs only in Chess960 has no number; it gets the logit of move 0.
        let seen = |&mv: &Move| vocabulary::number(mv).map_or(0, |it| encoder.seen(it, side));
        self.asked.push(Asked {
            node,
            moves: moves.iter().map(|mv| u32::from(seen(mv))).collect(),
            chances: Chances::DRAW,
            logits: Vec::new(),
        });
    }

    fn run(&mut self) {
        let batch = self.waiting.iter().map(|(node, event)| (*node, event));
        let batch: Vec<(Node, &Event)> = batch.collect();
        self.net.compute(&mut self.memory, &batch);
        for asked in &mut self.asked {
            let state = self.memory.state(asked.node);
            asked.chances = self.net.chances(state);
            self.net.logits(state, &asked.moves, &mut asked.logits);
        }
        self.is_done = true;
    }

    fn chances(&self, number: usize) -> Chances {
        self.asked[number].chances
    }

    fn logits(&self, number: usize) -> &[f32] {
        &self.asked[number].logits
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::Precision;
    use crate::sequence::tests::{filled, small};

    /// Lines of pseudo-random moves that branch from each other.
    fn lines(count: usize) -> Vec<Line> {
        let mut lines = vec![Line::new(Board::start())];
        for number in 0..count {
            let mut line = lines[number / 2].clone();
            let moves = line.board().legal_moves();
            if !moves.is_empty() {
                line.push(moves[(7 * number) % moves.len()]);
            }
            lines.push(line);
        }
        lines
    }

    fn asked(policy: &mut SequencePolicy, lines: &[Line]) -> Vec<(Chances, Vec<f32>)> {
        let moves: Vec<_> = lines
            .iter()
            .map(|line| line.board().legal_moves())
            .collect();
        for (line, moves) in lines.iter().zip(&moves) {
            policy.put(line, Wanted::Both(moves));
        }
        policy.run();
        (0..lines.len())
            .map(|number| (policy.chances(number), policy.logits(number).to_vec()))
            .collect()
    }

    fn policy() -> SequencePolicy {
        let net = SequenceNet::new(&filled(small(), 8), Precision::Bf16);
        SequencePolicy::new(Arc::new(net))
    }

    #[test]
    fn what_was_asked_before_and_beside_changes_nothing() {
        let lines = lines(40);
        let mut alone = Vec::new();
        for line in &lines {
            alone.extend(asked(&mut policy(), std::slice::from_ref(line)));
        }
        let mut shared = policy();
        assert_eq!(asked(&mut shared, &lines), alone);
        // Everything is cached by now.
        assert_eq!(asked(&mut shared, &lines), alone);
        assert!(shared.waiting.is_empty());
        // Longer lines first: the positions of the shorter ones are computed in the same run.
        let turned: Vec<Line> = lines.iter().rev().cloned().collect();
        let mut found = asked(&mut policy(), &turned);
        found.reverse();
        assert_eq!(found, alone);
    }

    #[test]
    fn little_room_changes_nothing_but_what_is_computed_again() {
        let lines = lines(200);
        let mut roomy = policy();
        let mut narrow = policy();
        narrow.most_events = 30;
        for _ in 0..2 {
            for some in lines.chunks(10) {
                assert_eq!(asked(&mut narrow, some), asked(&mut roomy, some));
                assert_eq!(narrow.memory.len(), narrow.used.len());
                assert_eq!(narrow.memory.len(), narrow.known.len());
            }
        }
        assert!(narrow.memory.len() < 30 + 100, "{}", narrow.memory.len());
        assert!(roomy.memory.len() > 150, "{}", roomy.memory.len());
    }
}
