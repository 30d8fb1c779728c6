//! A key-value cache: the keys, values and states of computed events. Lines of play that
//! branch from the same position share the events before it.
//!
//! It must not know what the numbers mean.

use super::shape::SequenceShape;

/// An event of a [`Memory`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Node(u32);

/// The keys, values and states of events, each of which follows another event or starts a
/// game.
#[derive(Clone, Debug)]
pub struct Memory {
    /// For each event, the value and the key in each layer, then its state.
    numbers: Vec<f32>,
    parents: Vec<Option<Node>>,
    /// How many numbers an event has, and how many a key, value or state.
    stride: usize,
    width: usize,
}

impl Memory {
    /// An empty memory for models of this shape.
    pub fn new(shape: &SequenceShape) -> Memory {
        Memory {
            numbers: Vec::new(),
            parents: Vec::new(),
            stride: (2 * shape.layers + 1) * shape.width,
            width: shape.width,
        }
    }

    /// How many bytes an event takes.
    pub fn event_bytes(&self) -> usize {
        self.stride * size_of::<f32>()
    }

    /// How many events there are.
    pub fn len(&self) -> usize {
        self.parents.len()
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.parents.is_empty()
    }

    /// Makes room for an event after another one, or at the start of a game. The event must be
    /// computed before it is read.
    pub fn add(&mut self, parent: Option<Node>) -> Node {
        let node = Node(self.parents.len() as u32);
        self.parents.push(parent);
        self.numbers.resize(self.numbers.len() + self.stride, 0.0);
        node
    }

    /// Keeps only the first `events` events.
    pub fn truncate(&mut self, events: usize) {
        self.parents.truncate(events);
        self.numbers.truncate(events * self.stride);
    }

    /// Keeps only some events, and returns the new node of each old one that was kept. The
    /// events before a kept event must be kept too.
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

    /// The normalised state of an event after the last layer.
    pub fn state(&self, node: Node) -> &[f32] {
        let end = (node.index() + 1) * self.stride;
        &self.numbers[end - self.width..end]
    }

    /// The same, mutable.
    pub(super) fn state_mut(&mut self, node: Node) -> &mut [f32] {
        let end = (node.index() + 1) * self.stride;
        &mut self.numbers[end - self.width..end]
    }

    /// All numbers.
    pub(super) fn numbers(&self) -> &[f32] {
        &self.numbers
    }

    /// The index at which the value of an event in a layer begins; its key follows.
    pub(super) fn place(&self, node: Node, layer: usize) -> usize {
        node.index() * self.stride + layer * 2 * self.width
    }

    /// Stores value and key of an event in a layer.
    pub(super) fn keep(&mut self, node: Node, layer: usize, value: &[f32], key: &[f32]) {
        let start = self.place(node, layer);
        let (values, keys) = self.numbers[start..start + 2 * self.width].split_at_mut(self.width);
        values.copy_from_slice(value);
        keys.copy_from_slice(key);
    }

    /// Lists where the values of the first layer begin for all events from the start of the
    /// game to this one.
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
    /// Its index in its memory, in the order in which events were added.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}
