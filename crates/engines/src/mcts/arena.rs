//! The memory of a tree: one block of slots of 16 bytes, allocated once.
//!
//! A node is a header slot followed by its edges, one for each legal move, sorted by prior. An edge
//! holds the number of its visits, the mean of their values for the side that makes the move, and
//! the index of the node to which it leads: at each step a simulation touches one run of memory.
//! Threads share the slots without locks. This module must not know chess beyond the bits of a
//! move, nor how an edge is selected.

use crate::memory;
use chess::Move;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

/// The edge that leads to the root; its values are from the point of view of the opponent of the
/// side to move.
pub(super) const ROOT: u32 = 1;
/// The first slot of the first node.
pub(super) const FIRST: u32 = 2;
/// The prior 1 as an integer.
pub(super) const PRIOR_UNIT: f32 = 65_535.0;
/// A link has an index in its lower bits, and a proof in its upper two.
const PLACE_BITS: u32 = 30;
const PLACE_MASK: u32 = (1 << PLACE_BITS) - 1;
/// The most mebibytes that an index can address.
pub(super) const MOST_MEBIBYTES: usize = (1 << PLACE_BITS) / SLOTS_A_MEBIBYTE;
const SLOTS_A_MEBIBYTE: usize = (1 << 20) / size_of::<Slot>();

/// What is proved about an edge, for the side that makes the move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Proof {
    Open = 0,
    Win = 1,
    Loss = 2,
    Draw = 3,
}

impl Proof {
    fn of_bits(bits: u32) -> Proof {
        match bits {
            0 => Proof::Open,
            1 => Proof::Win,
            2 => Proof::Loss,
            _ => Proof::Draw,
        }
    }

    /// The value of the result for the side that makes the move.
    pub(super) fn value(self) -> f32 {
        match self {
            Proof::Win => 1.0,
            Proof::Loss => -1.0,
            Proof::Open | Proof::Draw => 0.0,
        }
    }

    /// The same result for the other side.
    pub(super) fn turned(self) -> Proof {
        match self {
            Proof::Win => Proof::Loss,
            Proof::Loss => Proof::Win,
            other => other,
        }
    }
}

/// How a proved position ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct End {
    /// Plies to the end of the game, or to the position that a tablebase knows.
    pub(super) plies: u16,
    /// Whether the result comes from a tablebase.
    pub(super) by_tablebase: bool,
    /// Whether the result holds regardless of what was played before the root: no repetition is
    /// part of it.
    pub(super) is_lasting: bool,
}

impl End {
    fn bits(self) -> u64 {
        u64::from(self.plies)
            | u64::from(self.by_tablebase) << 16
            | u64::from(self.is_lasting) << 17
    }

    fn of_bits(bits: u64) -> End {
        End {
            plies: bits as u16,
            by_tablebase: bits >> 16 & 1 == 1,
            is_lasting: bits >> 17 & 1 == 1,
        }
    }
}

/// Where an edge leads, and what is proved about it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Link(u32);

impl Link {
    pub(super) fn new(proof: Proof, place: u32) -> Link {
        Link((proof as u32) << PLACE_BITS | place)
    }

    #[inline(always)]
    pub(super) fn is_open(self) -> bool {
        self.0 <= PLACE_MASK
    }

    #[inline(always)]
    pub(super) fn is_lost(self) -> bool {
        self.0 >> PLACE_BITS == Proof::Loss as u32
    }

    #[inline(always)]
    pub(super) fn proof(self) -> Proof {
        Proof::of_bits(self.0 >> PLACE_BITS)
    }

    /// The index of the node's header; 0 if there is no node.
    #[inline(always)]
    pub(super) fn place(self) -> u32 {
        self.0 & PLACE_MASK
    }
}

/// The number of visits, and the mean of their values.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Stats {
    pub(super) visits: u32,
    pub(super) value: f32,
}

impl Stats {
    #[inline(always)]
    fn of_bits(bits: u64) -> Stats {
        Stats {
            visits: bits as u32,
            value: f32::from_bits((bits >> 32) as u32),
        }
    }

    #[inline(always)]
    fn bits(self) -> u64 {
        u64::from(self.visits) | u64::from(self.value.to_bits()) << 32
    }

    #[inline(always)]
    fn with(self, value: f32) -> Stats {
        let visits = self.visits.saturating_add(1);
        Stats {
            visits,
            value: self.value + (value - self.value) / visits as f32,
        }
    }

    /// Replaces the virtual loss of a visit by its value.
    #[inline(always)]
    fn settled(self, value: f32) -> Stats {
        let value = self.value + (value + 1.0) / self.visits.max(1) as f32;
        // The edge may have been proved in the meantime, which sets its value.
        Stats {
            value: value.clamp(-1.0, 1.0),
            ..self
        }
    }
}

/// An edge, or the header of a node.
#[derive(Default)]
#[repr(C, align(16))]
pub(super) struct Slot {
    /// Visits and mean value of an edge; in a header, how a proved node ends.
    stats: AtomicU64,
    link: AtomicU32,
    /// Move and prior of an edge; in a header, the number of edges.
    label: AtomicU32,
}

impl Slot {
    #[inline(always)]
    pub(super) fn stats(&self) -> Stats {
        Stats::of_bits(self.stats.load(Ordering::Relaxed))
    }

    pub(super) fn set_stats(&self, stats: Stats) {
        self.stats.store(stats.bits(), Ordering::Relaxed);
    }

    #[inline(always)]
    pub(super) fn link(&self) -> Link {
        Link(self.link.load(Ordering::Acquire))
    }

    pub(super) fn set_link(&self, link: Link) {
        self.link.store(link.0, Ordering::Release);
    }

    /// Links an edge to its new node, unless another thread was faster.
    pub(super) fn adopt(&self, place: u32) {
        let (none, link) = (Link::new(Proof::Open, 0), Link::new(Proof::Open, place));
        let _ = self
            .link
            .compare_exchange(none.0, link.0, Ordering::Release, Ordering::Relaxed);
    }

    #[inline(always)]
    pub(super) fn mv(&self) -> Move {
        Move::from_bits(self.label.load(Ordering::Relaxed) as u16)
    }

    /// The prior in units of 1 / [`PRIOR_UNIT`].
    #[inline(always)]
    pub(super) fn prior(&self) -> u32 {
        self.label.load(Ordering::Relaxed) >> 16
    }

    pub(super) fn set_label(&self, mv: Move, prior: u16) {
        let label = u32::from(mv.to_bits()) | u32::from(prior) << 16;
        self.label.store(label, Ordering::Relaxed);
    }

    /// Adds a visit with its value.
    #[inline(always)]
    pub(super) fn add(&self, value: f32, is_shared: bool) {
        self.change(is_shared, |stats| stats.with(value));
    }

    /// Adds a visit that has only begun, as a loss.
    #[inline(always)]
    pub(super) fn add_virtual_loss(&self, is_shared: bool) {
        self.change(is_shared, |stats| stats.with(-1.0));
    }

    /// Sets the value of a visit that was added as a virtual loss.
    #[inline(always)]
    pub(super) fn settle(&self, value: f32, is_shared: bool) {
        self.change(is_shared, |stats| stats.settled(value));
    }

    #[inline(always)]
    fn change(&self, is_shared: bool, change: impl Fn(Stats) -> Stats) {
        let new = |bits| change(Stats::of_bits(bits)).bits();
        if is_shared {
            let change = |bits| Some(new(bits));
            let _ = self
                .stats
                .fetch_update(Ordering::Relaxed, Ordering::Relaxed, change);
        } else {
            let bits = self.stats.load(Ordering::Relaxed);
            self.stats.store(new(bits), Ordering::Relaxed);
        }
    }

    fn reset(&mut self, stats: u64, link: u32, label: u32) {
        *self.stats.get_mut() = stats;
        *self.link.get_mut() = link;
        *self.label.get_mut() = label;
    }

    /// In a header: the number of edges that follow.
    #[inline(always)]
    pub(super) fn count(&self) -> u32 {
        self.label.load(Ordering::Relaxed)
    }

    /// In a header: how the position ends, if that is proved.
    pub(super) fn end(&self) -> End {
        End::of_bits(self.stats.load(Ordering::Relaxed))
    }

    pub(super) fn set_end(&self, end: End) {
        self.stats.store(end.bits(), Ordering::Relaxed);
    }

    /// In a header: sets an index that compaction needs.
    pub(super) fn mark(&mut self, place: u32) {
        *self.link.get_mut() = place;
    }

    pub(super) fn marked(&self) -> u32 {
        self.link.load(Ordering::Relaxed)
    }
}

/// The memory of a tree.
pub(super) struct Arena {
    slots: Vec<Slot>,
    used: AtomicU32,
}

/// The size used when there is not enough memory for the one asked for.
const SMALL_MEBIBYTES: usize = 1;

fn allocate(mebibytes: usize) -> Option<Vec<Slot>> {
    let mebibytes = mebibytes.clamp(1, MOST_MEBIBYTES);
    if !memory::has_room_for(mebibytes << 20) {
        return None;
    }
    let count = mebibytes * SLOTS_A_MEBIBYTE;
    let mut slots = Vec::new();
    slots.try_reserve_exact(count).ok()?;
    memory::prefer_large_pages(slots.spare_capacity_mut());
    slots.resize_with(count, Slot::default);
    Some(slots)
}

impl Arena {
    /// An empty tree of this size in mebibytes, or a small one if there is not enough memory.
    pub(super) fn new(mebibytes: usize) -> Arena {
        let slots = [mebibytes, SMALL_MEBIBYTES].into_iter().find_map(allocate);
        let small = || {
            let mut slots = Vec::new();
            slots.resize_with(SMALL_MEBIBYTES * SLOTS_A_MEBIBYTE, Slot::default);
            slots
        };
        Arena {
            slots: slots.unwrap_or_else(small),
            used: AtomicU32::new(FIRST),
        }
    }

    pub(super) fn mebibytes(&self) -> usize {
        self.slots.len() / SLOTS_A_MEBIBYTE
    }

    /// Clears the tree.
    pub(super) fn clear(&mut self) {
        *self.used.get_mut() = FIRST;
        self.slots[ROOT as usize].reset(0, 0, 0);
    }

    pub(super) fn used(&self) -> u32 {
        self.used.load(Ordering::Relaxed)
    }

    pub(super) fn set_used(&mut self, used: u32) {
        *self.used.get_mut() = used;
    }

    pub(super) fn capacity(&self) -> u32 {
        self.slots.len() as u32
    }

    /// Whether this many slots are free.
    #[inline(always)]
    pub(super) fn has_room_for(&self, slots: u32) -> bool {
        self.used().saturating_add(slots) <= self.capacity()
    }

    #[inline(always)]
    pub(super) fn slot(&self, index: u32) -> &Slot {
        &self.slots[index as usize]
    }

    pub(super) fn slot_mut(&mut self, index: u32) -> &mut Slot {
        &mut self.slots[index as usize]
    }

    /// The edges of the node with this header.
    #[inline(always)]
    pub(super) fn edges(&self, header: u32) -> &[Slot] {
        let begin = header as usize + 1;
        let count = self.slots[header as usize].count() as usize;
        &self.slots[begin..begin + count]
    }

    /// A node with this many edges, whose labels are yet to be set; `None` if there is no room.
    pub(super) fn node(&self, count: u32) -> Option<u32> {
        let size = count + 1;
        // Reserved only if it fits: slots that are reserved and given back could overlap with those
        // that another thread reserves in the meantime.
        let taken =
            |used: u32| Some(used.saturating_add(size)).filter(|&end| end <= self.capacity());
        let header = self
            .used
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, taken)
            .ok()?;
        let slot = self.slot(header);
        slot.stats.store(0, Ordering::Relaxed);
        slot.link.store(0, Ordering::Relaxed);
        slot.label.store(count, Ordering::Relaxed);
        for edge in self.edges(header) {
            edge.stats.store(0, Ordering::Relaxed);
            edge.link.store(0, Ordering::Relaxed);
        }
        Some(header)
    }

    /// Copies a slot.
    pub(super) fn copy(&mut self, from: u32, to: u32) {
        let slot = self.slot_mut(from);
        let (stats, link, label) = (
            *slot.stats.get_mut(),
            *slot.link.get_mut(),
            *slot.label.get_mut(),
        );
        self.slot_mut(to).reset(stats, link, label);
    }

    /// How full the arena is, in thousandths.
    pub(super) fn fill(&self) -> u32 {
        (u64::from(self.used()) * 1000 / u64::from(self.capacity())) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edge_takes_sixteen_bytes() {
        assert_eq!(size_of::<Slot>(), 16);
    }

    #[test]
    fn the_mean_follows_the_values() {
        for is_shared in [false, true] {
            let slot = Slot::default();
            for (count, value) in [1.0, 0.0, -1.0, 1.0].into_iter().enumerate() {
                if count % 2 == 0 {
                    slot.add(value, is_shared);
                } else {
                    slot.add_virtual_loss(is_shared);
                    slot.settle(value, is_shared);
                }
            }
            let stats = slot.stats();
            assert_eq!(stats.visits, 4);
            assert!((stats.value - 0.25).abs() < 1e-6, "{stats:?}");
        }
    }

    #[test]
    fn links_keep_place_and_proof() {
        for proof in [Proof::Open, Proof::Win, Proof::Loss, Proof::Draw] {
            let link = Link::new(proof, PLACE_MASK);
            assert_eq!((link.proof(), link.place()), (proof, PLACE_MASK));
            assert_eq!(link.is_open(), proof == Proof::Open);
            assert_eq!(proof.value(), -proof.turned().value());
        }
        let end = End {
            plies: 300,
            by_tablebase: true,
            is_lasting: true,
        };
        assert_eq!(End::of_bits(end.bits()), end);
    }

    #[test]
    fn a_full_arena_refuses_nodes_and_stays_whole() {
        let arena = Arena::new(1);
        let mut nodes = 0;
        while arena.node(40).is_some() {
            nodes += 1;
        }
        assert_eq!(nodes, (SLOTS_A_MEBIBYTE - 2) / 41);
        let used = arena.used();
        assert!(arena.node(400).is_none() && arena.used() == used);
        assert!(arena.node(0).is_some());
    }

    #[test]
    fn threads_that_fill_an_arena_get_nodes_of_their_own() {
        let mut arena = Arena::new(1);
        let capacity = arena.capacity();
        for _ in 0..500 {
            arena.set_used(capacity - 600);
            let fill = |sizes: [u32; 2]| {
                let mut nodes = Vec::new();
                for count in sizes.into_iter().cycle().take(60) {
                    nodes.extend(arena.node(count).map(|header| (header, count)));
                }
                nodes
            };
            let mut nodes = std::thread::scope(|scope| {
                let sizes = [[200, 3], [90, 1], [40, 0]];
                let threads = sizes.map(|sizes| scope.spawn(move || fill(sizes)));
                let results = threads.map(|thread| thread.join().expect("it does not panic"));
                results.concat()
            });
            nodes.sort_unstable();
            let mut free = capacity - 600;
            for (header, count) in nodes {
                assert_eq!(header, free);
                free += count + 1;
            }
            assert_eq!(arena.used(), free);
        }
    }
}
