//! What was computed of events: keys, values and states, which lines that branch from the
//! same position share.
//!
//! It must not know what the numbers mean.

use super::shape::SequenceShape;

/// An event of a [`Memory`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Node(u32);

/// Keys, values and states of events, each of which follows another one or begins a game.
#[derive(Clone, Debug)]
pub struct Memory {
    /// Of each event, layer by layer a value and a key, then its state.
    numbers: Vec<f32>,
    parents: Vec<Option<Node>>,
    /// Numbers of an event, and of a key, value or state.
    stride: usize,
    width: usize,
}

impl Memory {
    /// An empty one for models of this shape.
    pub fn new(shape: &SequenceShape) -> Memory {
        Memory {
            numbers: Vec::new(),
            parents: Vec::new(),
            stride: (2 * shape.layers + 1) * shape.width,
            width: shape.width,
        }
    }

    /// The bytes that an event takes.
    pub fn event_bytes(&self) -> usize {
        self.stride * size_of::<f32>()
    }

    /// How many events there are.
    pub fn len(&self) -> usize {
        self.parents.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.parents.is_empty()
    }

    /// Makes room for an event behind another one, or at the beginning of a game. It is to
    /// be computed before anything is read of it.
    pub fn add(&mut self, parent: Option<Node>) -> Node {
        let node = Node(self.parents.len() as u32);
        self.parents.push(parent);
        self.numbers.resize(self.numbers.len() + self.stride, 0.0);
        node
    }

    /// Forgets all events but the first so many.
    pub fn truncate(&mut self, events: usize) {
        self.parents.truncate(events);
        self.numbers.truncate(events * self.stride);
    }

    /// Forgets events, and says which each of the others has become. Whatever lies before
    /// an event that is kept must be kept.
    pub fn retain(&mut self, mut keeps: impl FnMut(Node) -> bool) -> Vec<Option<Node>> {
        let mut moved: Vec<Option<Node>> = vec![None; self.len()];
        let mut kept = 0;
        for old in 0..self.len() {
            if !keeps(Node(old as u32)) {
                continue;
            }
            self.parents[kept] = self.parents[old].and_then(|parent| moved[parent.index()]);
            let start = old * self.stride;
            self.numbers
                .copy_within(start..start + self.stride, kept * self.stride);
            moved[old] = Some(Node(kept as u32));
            kept += 1;
        }
        self.truncate(kept);
        moved
    }

    /// The state of an event behind the last layer, normalised.
    pub fn state(&self, node: Node) -> &[f32] {
        let end = (node.index() + 1) * self.stride;
        &self.numbers[end - self.width..end]
    }

    /// The same, to be set.
    pub(super) fn state_mut(&mut self, node: Node) -> &mut [f32] {
        let end = (node.index() + 1) * self.stride;
        &mut self.numbers[end - self.width..end]
    }

    /// All numbers.
    pub(super) fn numbers(&self) -> &[f32] {
        &self.numbers
    }

    /// Where the value of an event in a layer begins; its key lies behind it.
    pub(super) fn place(&self, node: Node, layer: usize) -> usize {
        node.index() * self.stride + layer * 2 * self.width
    }

    /// Keeps value and key of an event in a layer.
    pub(super) fn keep(&mut self, node: Node, layer: usize, value: &[f32], key: &[f32]) {
        let start = self.place(node, layer);
        let (values, keys) = self.numbers[start..start + 2 * self.width].split_at_mut(self.width);
        values.copy_from_slice(value);
        keys.copy_from_slice(key);
    }

    /// Where the events from the beginning of the game to this one have their values in the
    /// first layer.
    pub(super) fn path(&self, node: Node, places: &mut Vec<usize>) {
        places.clear();
        let mut next = Some(node);
        while let Some(node) = next {
            places.push(self.place(node, 0));
            next = self.parents[node.index()];
        }
        places.reverse();
    }
}

impl Node {
    /// Its number in its memory, in the order in which events were added.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}
