//! Backs up the result of a simulation: values and proofs propagate to the root.
//!
//! One rule: a value is for the side to move, and changes its sign with each step. An edge stores
//! the value for the side that makes its move.

use super::arena::{Arena, End, Link, Proof, Stats};

/// Which other simulations may be in progress in the same tree.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Company {
    /// None.
    Alone,
    /// Others of this thread: visits count as losses while they are in progress.
    Batch,
    /// Others of other threads.
    Threads,
}

impl Company {
    /// Whether other threads may change edges during a simulation.
    pub(super) fn is_shared(self) -> bool {
        self == Company::Threads
    }

    pub(super) fn has_virtual_loss(self) -> bool {
        self != Company::Alone
    }
}

/// Adds a simulation to all edges of its path, from the root's to the leaf's; `value` is for the
/// side to move at the leaf.
#[inline(always)]
pub(super) fn add_values(arena: &Arena, path: &[u32], value: f32, company: Company) {
    let mut value = value;
    for &edge in path.iter().rev() {
        value = -value;
        let slot = arena.slot(edge);
        match company.has_virtual_loss() {
            true => slot.settle(value, company.is_shared()),
            false => slot.add(value, false),
        }
    }
}

/// Marks an edge as leading to a node without moves that ends in this way; `proof` is for the side
/// that makes the move. Does nothing if there is no room.
pub(super) fn prove_leaf(arena: &Arena, edge: u32, proof: Proof, end: End) {
    if let Some(header) = arena.node(0) {
        arena.slot(header).set_end(end);
        prove(arena, edge, proof, header);
    }
}

fn prove(arena: &Arena, edge: u32, proof: Proof, header: u32) {
    let slot = arena.slot(edge);
    slot.set_link(Link::new(proof, header));
    let Stats { visits, .. } = slot.stats();
    slot.set_stats(Stats {
        visits,
        value: proof.value(),
    });
}

/// Propagates a proof of the last edge of a path towards the root, as far as it decides the nodes.
pub(super) fn add_proofs(arena: &Arena, path: &[u32]) {
    for pair in path.windows(2).rev() {
        let [parent, _] = *pair else { return };
        let link = arena.slot(parent).link();
        let header = link.place();
        if header == 0 {
            return;
        }
        let Some((proof, end)) = judge(arena, header) else {
            return;
        };
        arena.slot(header).set_end(end);
        if link.proof() == proof.turned() {
            continue;
        }
        prove(arena, parent, proof.turned(), header);
    }
}

/// What the edges of a node prove for its side to move: one winning edge proves a win; a draw or a
/// loss needs all edges proved.
fn judge(arena: &Arena, header: u32) -> Option<(Proof, End)> {
    let mut all_proved = true;
    let mut best: Option<(Proof, End)> = None;
    let mut draws_last = true;
    for edge in arena.edges(header) {
        let link = edge.link();
        let proof = link.proof();
        if proof == Proof::Open {
            all_proved = false;
            continue;
        }
        let child = match link.place() {
            0 => End::default(),
            place => arena.slot(place).end(),
        };
        if proof == Proof::Draw {
            draws_last &= child.is_lasting;
        }
        if best.is_none_or(|(other, end)| is_better((proof, child), (other, end))) {
            best = Some((proof, child));
        }
    }
    let (proof, child) = best?;
    if proof != Proof::Win && !all_proved {
        return None;
    }
    let end = End {
        plies: child.plies.saturating_add(1),
        by_tablebase: child.by_tablebase,
        // A win or a loss never depends on a repetition, which would be a draw.
        is_lasting: proof != Proof::Draw || draws_last,
    };
    Some((proof, end))
}

/// Whether one result is better than another: wins before draws before losses, short wins and long
/// losses first, and mates before wins by tablebase.
fn is_better((proof, end): (Proof, End), (other, other_end): (Proof, End)) -> bool {
    let rank = |proof: Proof| match proof {
        Proof::Win => 2,
        Proof::Draw => 1,
        Proof::Open | Proof::Loss => 0,
    };
    if rank(proof) != rank(other) {
        return rank(proof) > rank(other);
    }
    match proof {
        Proof::Win => (end.by_tablebase, end.plies) < (other_end.by_tablebase, other_end.plies),
        Proof::Loss => (end.by_tablebase, end.plies) > (other_end.by_tablebase, other_end.plies),
        Proof::Open | Proof::Draw => end.plies < other_end.plies,
    }
}

#[cfg(test)]
mod tests {
    use super::super::arena::ROOT;
    use super::*;

    fn end(plies: u16) -> End {
        End {
            plies,
            by_tablebase: false,
            is_lasting: true,
        }
    }

    /// A root with this many edges, each leading to a node with two.
    fn tree(edges: u32) -> (Arena, u32) {
        let mut arena = Arena::new(1);
        arena.clear();
        let root = arena.node(edges).expect("room");
        arena.slot(ROOT).adopt(root);
        for edge in root + 1..=root + edges {
            let child = arena.node(2).expect("room");
            arena.slot(edge).adopt(child);
        }
        (arena, root)
    }

    fn value(arena: &Arena, edge: u32) -> (u32, f32) {
        let stats = arena.slot(edge).stats();
        (stats.visits, stats.value)
    }

    #[test]
    fn values_change_their_sign_with_each_step() {
        let (arena, root) = tree(1);
        let child = arena.slot(root + 1).link().place();
        let path = [ROOT, root + 1, child + 1];
        // Good for the side to move after two plies, which is the side to move at the root.
        add_values(&arena, &path, 0.5, Company::Alone);
        assert_eq!(value(&arena, child + 1), (1, -0.5));
        assert_eq!(value(&arena, root + 1), (1, 0.5));
        assert_eq!(value(&arena, ROOT), (1, -0.5));
        add_values(&arena, &path[..2], 1.0, Company::Alone);
        assert_eq!(value(&arena, root + 1), (2, -0.25));
        assert_eq!(value(&arena, ROOT), (2, 0.25));
    }

    #[test]
    fn one_winning_move_proves_a_node_and_the_shortest_counts() {
        let (arena, root) = tree(2);
        let child = arena.slot(root + 1).link().place();
        prove_leaf(&arena, child + 2, Proof::Win, end(4));
        add_proofs(&arena, &[ROOT, root + 1, child + 2]);
        assert_eq!(arena.slot(root + 1).link().proof(), Proof::Loss);
        assert_eq!(arena.slot(child).end(), end(5));
        assert_eq!(arena.slot(ROOT).link().proof(), Proof::Open);
        prove_leaf(&arena, child + 1, Proof::Win, end(0));
        add_proofs(&arena, &[ROOT, root + 1, child + 1]);
        assert_eq!(arena.slot(child).end(), end(1));
    }

    #[test]
    fn a_loss_needs_all_moves_and_lasts_as_long_as_possible() {
        let (arena, root) = tree(2);
        for (number, plies) in [(1, 0), (2, 6)] {
            let child = arena.slot(root + number).link().place();
            prove_leaf(&arena, child + 1, Proof::Win, end(plies));
            add_proofs(&arena, &[ROOT, root + number, child + 1]);
        }
        assert_eq!(arena.slot(ROOT).link().proof(), Proof::Win);
        assert_eq!(arena.slot(root).end(), end(8));
        assert_eq!(value(&arena, ROOT).1, 1.0);
    }

    #[test]
    fn a_draw_is_better_than_a_loss_and_lasts_if_it_needs_no_repetition() {
        for is_lasting in [false, true] {
            let (arena, root) = tree(2);
            let child = arena.slot(root + 1).link().place();
            prove_leaf(&arena, child + 1, Proof::Win, end(0));
            add_proofs(&arena, &[ROOT, root + 1, child + 1]);
            let draw = End {
                is_lasting,
                ..end(0)
            };
            prove_leaf(&arena, root + 2, Proof::Draw, draw);
            add_proofs(&arena, &[ROOT, root + 2]);
            assert_eq!(arena.slot(ROOT).link().proof(), Proof::Draw);
            assert_eq!(arena.slot(root).end().is_lasting, is_lasting);
        }
    }
}
