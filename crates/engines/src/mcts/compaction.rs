//! Compaction of the arena: the part of the tree that is still needed is moved over what is not.
//!
//! It runs when a move was played, and when the arena is full; then the nodes with the fewest
//! visits are removed. An edge that loses its node keeps its visits and its value, and gets a new
//! node when it is visited again.

use super::arena::{Arena, FIRST, Link, Proof, ROOT};

/// Visits are classified by powers of two.
const CLASSES: usize = 33;

fn class(visits: u32) -> usize {
    (u32::BITS - visits.leading_zeros()) as usize
}

impl Arena {
    /// Makes the node of an edge the root and removes all other nodes. Draws that were proved only
    /// by repetitions since the old root are no longer proved.
    pub(super) fn advance_root(&mut self, edge: u32) {
        if edge != ROOT {
            self.copy(edge, ROOT);
        }
        self.keep(0, true);
    }

    /// Frees at least half of the arena.
    pub(super) fn make_room(&mut self) {
        let most = u64::from(self.capacity() / 2);
        let mut sizes = [0u64; CLASSES];
        self.for_each_node(|arena, edge, header| {
            let visits = arena.slot(edge).stats().visits;
            sizes[class(visits)] += u64::from(arena.slot(header).count()) + 1;
        });
        let mut kept = 0;
        let mut least = CLASSES;
        while least > 0 && kept + sizes[least - 1] <= most {
            least -= 1;
            kept += sizes[least];
        }
        // The root is kept whatever its size.
        let least = least.min(class(self.slot(ROOT).stats().visits));
        self.keep(least, false);
    }

    /// Calls `call` for each reachable node with the edge that leads to it.
    fn for_each_node(&self, mut call: impl FnMut(&Arena, u32, u32)) {
        let mut edges = vec![ROOT];
        while let Some(edge) = edges.pop() {
            let header = self.slot(edge).link().place();
            if header != 0 {
                call(self, edge, header);
                edges.extend(header + 1..=header + self.slot(header).count());
            }
        }
    }

    /// Keeps the nodes whose visits are of this class or a higher one.
    fn keep(&mut self, least: usize, reopens: bool) {
        self.mark_kept(least, reopens);
        self.place_marked();
        self.slide();
    }

    /// Marks the nodes to keep, and unlinks edges from the others.
    fn mark_kept(&mut self, least: usize, reopens: bool) {
        let mut edges = vec![ROOT];
        while let Some(edge) = edges.pop() {
            let slot = self.slot(edge);
            let link = slot.link();
            let header = link.place();
            if header == 0 {
                continue;
            }
            let mut proof = link.proof();
            let (end, count) = (self.slot(header).end(), self.slot(header).count());
            if reopens && proof == Proof::Draw && !end.is_lasting {
                proof = Proof::Open;
            }
            let is_empty = proof == Proof::Open && count == 0;
            if is_empty || class(slot.stats().visits) < least {
                self.slot_mut(edge).set_link(Link::new(Proof::Open, 0));
                continue;
            }
            self.slot_mut(edge).set_link(Link::new(proof, header));
            self.slot_mut(header).mark(header);
            edges.extend(header + 1..=header + count);
        }
    }

    /// Computes the new index of each marked node.
    fn place_marked(&mut self) {
        let (mut header, mut place) = (FIRST, FIRST);
        while header < self.used() {
            let size = self.slot(header).count() + 1;
            if self.slot(header).marked() != 0 {
                self.slot_mut(header).mark(place);
                place += size;
            }
            header += size;
        }
    }

    /// Moves the marked nodes to their new places. A node lies behind its parent, so its old
    /// header, which holds its new index, is still intact when the parent is moved.
    fn slide(&mut self) {
        self.relink(ROOT);
        let (mut header, mut end) = (FIRST, FIRST);
        while header < self.used() {
            let size = self.slot(header).count() + 1;
            let place = self.slot(header).marked();
            if place != 0 {
                (header + 1..header + size).for_each(|edge| self.relink(edge));
                self.slot_mut(header).mark(0);
                (0..size).for_each(|offset| self.copy(header + offset, place + offset));
                end = place + size;
            }
            header += size;
        }
        self.set_used(end);
    }

    fn relink(&mut self, edge: u32) {
        let link = self.slot(edge).link();
        if link.place() != 0 {
            let place = self.slot(link.place()).marked();
            self.slot_mut(edge).set_link(Link::new(link.proof(), place));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::arena::{End, Stats};
    use super::*;
    use chess::{Move, squares};

    /// Adds a node to an edge; its own edges have these visits.
    fn grow(arena: &Arena, edge: u32, visits: &[u32]) -> u32 {
        let header = arena.node(visits.len() as u32).expect("room");
        for (slot, &visits) in arena.edges(header).iter().zip(visits) {
            slot.set_label(Move::normal(squares::E2, squares::E4), 7);
            slot.set_stats(Stats { visits, value: 0.5 });
        }
        arena.slot(edge).adopt(header);
        header
    }

    fn tree() -> (Arena, u32) {
        let mut arena = Arena::new(1);
        arena.clear();
        arena.slot(ROOT).set_stats(Stats {
            visits: 100,
            value: 0.0,
        });
        let root = grow(&arena, ROOT, &[60, 30, 9]);
        let second = grow(&arena, root + 2, &[8]);
        let first = grow(&arena, root + 1, &[40, 19]);
        // Another thread was faster: this node remains unreachable.
        let lost = grow(&arena, root + 2, &[20, 9]);
        assert_eq!(arena.slot(root + 2).link().place(), second);
        assert!(lost > first);
        (arena, root)
    }

    fn shape(arena: &Arena) -> Vec<(u32, u32)> {
        let mut found = Vec::new();
        arena.for_each_node(|arena, edge, header| {
            found.push((arena.slot(edge).stats().visits, arena.slot(header).count()));
        });
        found.sort_unstable();
        found
    }

    #[test]
    fn all_that_can_be_reached_survives() {
        let (mut arena, _) = tree();
        let before = shape(&arena);
        let used = arena.used();
        arena.advance_root(ROOT);
        assert_eq!(shape(&arena), before);
        assert_eq!(arena.used(), used - 3, "the node that nobody knows is gone");
        assert_eq!(arena.slot(ROOT).stats().visits, 100);
    }

    #[test]
    fn the_root_moves_on() {
        let (mut arena, root) = tree();
        arena.advance_root(root + 1);
        assert_eq!(arena.slot(ROOT).stats().visits, 60);
        assert_eq!(shape(&arena), [(60, 2)]);
        assert_eq!(arena.used(), FIRST + 3);
        let edges = arena.edges(arena.slot(ROOT).link().place());
        assert_eq!(edges[1].stats().visits, 19);
        assert_eq!(edges[1].prior(), 7);
    }

    #[test]
    fn few_visits_go_first_when_there_is_no_room() {
        let mut arena = Arena::new(1);
        arena.clear();
        arena.slot(ROOT).set_stats(Stats {
            visits: 1 << 20,
            value: 0.0,
        });
        let root = grow(&arena, ROOT, &vec![1000; 400]);
        let mut edge = root + 1;
        while arena.has_room_for(101) {
            arena.slot(edge).set_stats(Stats {
                visits: 1 + 3 * (edge - root),
                value: 0.25,
            });
            grow(&arena, edge, &[1; 99]);
            edge += 1;
            if edge > root + 400 {
                grow(&arena, edge, &[1; 60_000 / 400]);
                break;
            }
        }
        while arena.node(50).is_some() {}
        arena.make_room();
        assert!(arena.used() <= arena.capacity() / 2 && arena.used() > 1000);
        let nodes = shape(&arena);
        assert!(nodes.last() == Some(&(1 << 20, 400)), "the root stays");
        assert!(nodes[0].0 >= 64, "the least visits: {}", nodes[0].0);
        let first = arena.slot(root + 1);
        assert_eq!(first.link().place(), 0);
        assert_eq!((first.stats().visits, first.stats().value), (4, 0.25));
    }

    #[test]
    fn only_what_lasts_stays_proved_when_the_root_moves() {
        let (mut arena, root) = tree();
        for (edge, is_lasting) in [(root + 1, false), (root + 2, true)] {
            let header = arena.slot(edge).link().place();
            arena.slot(header).set_end(End {
                plies: 3,
                by_tablebase: false,
                is_lasting,
            });
            arena.slot(edge).set_link(Link::new(Proof::Draw, header));
        }
        let repeated = arena.node(0).expect("room");
        arena
            .slot(root + 3)
            .set_link(Link::new(Proof::Draw, repeated));
        arena.make_room();
        let proofs = |arena: &Arena| -> Vec<Proof> {
            let edges = arena.edges(arena.slot(ROOT).link().place());
            edges.iter().map(|edge| edge.link().proof()).collect()
        };
        assert_eq!(proofs(&arena), [Proof::Draw; 3]);
        arena.advance_root(ROOT);
        assert_eq!(proofs(&arena), [Proof::Open, Proof::Draw, Proof::Open]);
        let root = arena.slot(ROOT).link().place();
        assert_eq!(arena.slot(root + 3).link().place(), 0);
        assert_ne!(arena.slot(root + 1).link().place(), 0);
    }
}
