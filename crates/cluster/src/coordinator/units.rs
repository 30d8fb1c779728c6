//! The pieces of one job that were taken and are not done, and the units in which they
//! were given out.
//!
//! A result counts whichever of its units it came with, and only the first counts. Which
//! units those are is known here alone: what a worker says of that is only compared with
//! it. It must not know workers, queues or clocks but the time it is told.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::Arc;
use std::time::Instant;
use work::Piece;

/// The open pieces of a job.
#[derive(Debug, Default)]
pub(super) struct Units {
    /// Pieces without an accepted result, with their places in the order.
    open: HashMap<u64, Given>,
    /// Units that have open pieces.
    units: BTreeMap<u64, Issued>,
    /// Pieces that came back undone.
    returned: VecDeque<u64>,
    next_unit: u64,
    /// The latest unit that is known to have left the queue.
    front: u64,
    /// How many pieces were taken.
    taken: u64,
}

/// A piece that was taken.
#[derive(Debug)]
pub(super) struct Given {
    pub(super) piece: Arc<Piece>,
    /// Its place in the order.
    pub(super) place: u64,
    /// The units with which it was given out.
    units: Vec<u64>,
}

/// What a report that names a unit and a piece can be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Origin {
    /// The piece is open and was given out with this unit.
    Known,
    /// The piece is closed, and nothing contradicts that this unit had it.
    Late,
    /// The piece was never given out with this unit.
    Invented,
}

/// A unit that was given out.
#[derive(Clone, Debug)]
pub(super) struct Issued {
    pub(super) numbers: Vec<u64>,
    /// How many of them are open.
    open: usize,
    pub(super) since: Instant,
    /// When it was last known to be in somebody's hands, or given out.
    pub(super) seen: Instant,
}

impl Units {
    /// Takes a new piece.
    pub(super) fn take(&mut self, piece: Piece) -> Arc<Piece> {
        let piece = Arc::new(piece);
        let place = self.taken;
        self.taken += 1;
        let given = Given {
            piece: piece.clone(),
            place,
            units: Vec::new(),
        };
        self.open.insert(piece.number, given);
        piece
    }

    /// Takes a piece again whose accepted result turned out to be void. Others may still
    /// work on it, so its units remain known.
    pub(super) fn reopen(&mut self, given: Given) {
        let number = given.piece.number;
        for unit in &given.units {
            if let Some(issued) = self.units.get_mut(unit) {
                issued.open += 1;
            }
        }
        self.open.insert(number, given);
        self.returned.push_back(number);
    }

    /// A piece that came back and is still open.
    pub(super) fn take_returned(&mut self) -> Option<Arc<Piece>> {
        while let Some(number) = self.returned.pop_front() {
            if let Some(open) = self.open.get(&number) {
                return Some(open.piece.clone());
            }
        }
        None
    }

    /// Gives out pieces as a unit; its number.
    pub(super) fn issue(&mut self, pieces: &[Arc<Piece>], now: Instant) -> u64 {
        let unit = self.next_unit;
        self.next_unit += 1;
        let numbers: Vec<u64> = pieces.iter().map(|piece| piece.number).collect();
        let mut open = 0;
        for number in &numbers {
            if let Some(piece) = self.open.get_mut(number) {
                piece.units.push(unit);
                open += 1;
            }
        }
        let issued = Issued {
            numbers,
            open,
            since: now,
            seen: now,
        };
        self.units.insert(unit, issued);
        unit
    }

    /// An open piece.
    pub(super) fn piece(&self, number: u64) -> Option<&Arc<Piece>> {
        self.open.get(&number).map(|open| &open.piece)
    }

    /// The units with which an open piece was given out.
    pub(super) fn units_of(&self, number: u64) -> &[u64] {
        self.open.get(&number).map_or(&[], |given| &given.units)
    }

    /// Whether more can come of a unit.
    pub(super) fn is_open(&self, unit: u64) -> bool {
        self.units.contains_key(&unit)
    }

    /// Whether such a unit was ever given out.
    pub(super) fn was_issued(&self, unit: u64) -> bool {
        unit < self.next_unit
    }

    /// What a report that names this unit and this piece can be. What is known of a unit is
    /// forgotten with its last open piece, so a late report cannot be contradicted.
    pub(super) fn origin(&self, unit: u64, number: u64) -> Origin {
        let (is_known, is_open) = match (self.open.get(&number), self.units.get(&unit)) {
            (Some(given), _) => (given.units.contains(&unit), true),
            (None, Some(issued)) => (issued.numbers.contains(&number), false),
            (None, None) => (self.was_issued(unit), false),
        };
        match (is_known, is_open) {
            (false, _) => Origin::Invented,
            (true, true) => Origin::Known,
            (true, false) => Origin::Late,
        }
    }

    /// Closes a piece. A unit whose last open piece it was is forgotten.
    pub(super) fn close(&mut self, number: u64) -> Option<Given> {
        let given = self.open.remove(&number)?;
        for &unit in &given.units {
            if let Entry::Occupied(mut issued) = self.units.entry(unit) {
                issued.get_mut().open -= 1;
                if issued.get().open == 0 {
                    issued.remove();
                }
            }
        }
        Some(given)
    }

    /// A piece came back undone.
    pub(super) fn give_back(&mut self, number: u64) {
        if self.open.contains_key(&number) && !self.returned.contains(&number) {
            self.returned.push_back(number);
        }
    }

    /// Nothing more will come of a unit: what is open of it came back undone.
    pub(super) fn end(&mut self, unit: u64) {
        let Some(issued) = self.units.remove(&unit) else {
            return;
        };
        for number in issued.numbers {
            self.give_back(number);
        }
    }

    /// A unit was in somebody's hands.
    pub(super) fn leave_queue(&mut self, unit: u64) {
        // Whoever names a unit that never was must not move the front.
        if self.was_issued(unit) {
            self.front = self.front.max(unit);
        }
    }

    /// The oldest unit that can still be in the queue, which gives out the oldest first.
    /// Units that are published at the same time may overtake one another, but no more of
    /// them than are open.
    pub(super) fn oldest_queued(&self) -> u64 {
        self.front.saturating_sub(self.units.len() as u64)
    }

    /// The units that have open pieces.
    pub(super) fn issued_mut(&mut self) -> impl Iterator<Item = (u64, &mut Issued)> {
        self.units.iter_mut().map(|(&unit, issued)| (unit, issued))
    }

    /// The first open piece of a unit, and how many it has.
    pub(super) fn open_of(&self, unit: u64) -> Option<(u64, usize)> {
        let numbers = &self.units.get(&unit)?.numbers;
        let is_open = |number: &&u64| self.open.contains_key(*number);
        let first = numbers.iter().find(is_open)?;
        Some((*first, numbers.iter().filter(is_open).count()))
    }

    /// How many units have open pieces.
    pub(super) fn count(&self) -> usize {
        self.units.len()
    }

    /// Whether every piece that was taken is done.
    pub(super) fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    /// Whether pieces wait that came back.
    pub(super) fn has_returned(&self) -> bool {
        !self.returned.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(units: &mut Units, numbers: std::ops::Range<u64>) -> Vec<Arc<Piece>> {
        numbers
            .map(|number| units.take(Piece::numbered(number)))
            .collect()
    }

    #[test]
    fn a_piece_counts_once() {
        let mut units = Units::default();
        let now = Instant::now();
        let pieces = taken(&mut units, 10..14);
        assert_eq!(units.issue(&pieces[..2], now), 0);
        assert_eq!(units.issue(&pieces[2..], now), 1);
        assert_eq!(units.close(11).map(|given| given.place), Some(1));
        assert!(units.close(11).is_none(), "a duplicate");
        assert!(units.close(99).is_none(), "never given out");
        units.close(10);
        assert_eq!(units.count(), 1);
        assert!(!units.is_empty());
        units.close(12);
        units.close(13);
        assert!(units.is_empty());
    }

    #[test]
    fn what_comes_back_is_given_out_again() {
        let mut units = Units::default();
        let now = Instant::now();
        let pieces = taken(&mut units, 0..4);
        let unit = units.issue(&pieces, now);
        units.close(1);
        units.give_back(2);
        units.give_back(2);
        units.end(unit);
        units.end(unit);
        let again: Vec<u64> = std::iter::from_fn(|| units.take_returned())
            .map(|piece| piece.number)
            .collect();
        assert_eq!(again, [2, 0, 3]);
        // A late result of the first unit still counts, and what came back is done.
        units.give_back(3);
        units.close(3);
        assert!(units.has_returned());
        assert!(units.take_returned().is_none());
    }

    #[test]
    fn a_void_result_opens_its_piece_again() {
        let mut units = Units::default();
        let pieces = taken(&mut units, 5..6);
        let first = units.issue(&pieces, Instant::now());
        let given = units.close(5).expect("open");
        assert!(units.is_empty() && !units.is_open(first));
        units.reopen(given);
        assert!(!units.is_empty());
        let again = [units.take_returned().expect("returned")];
        assert_eq!(again[0].number, 5);
        let second = units.issue(&again, Instant::now());
        // Somebody may have had the first unit at the same time.
        assert_eq!(units.units_of(5), [first, second]);
        assert_eq!(units.origin(first, 5), Origin::Known);
        assert_eq!(units.close(5).map(|given| given.place), Some(0));
        assert!(!units.is_open(second));
    }

    #[test]
    fn a_unit_lasts_until_its_void_results_are_there_again() {
        let mut units = Units::default();
        let pieces = taken(&mut units, 0..2);
        let unit = units.issue(&pieces, Instant::now());
        let void = units.close(0).expect("open");
        units.reopen(void);
        units.close(1);
        assert!(units.is_open(unit));
        units.close(0);
        assert!(!units.is_open(unit));
    }

    #[test]
    fn what_was_never_given_out_is_known_as_such() {
        let mut units = Units::default();
        let pieces = taken(&mut units, 0..5);
        let old = units.issue(&pieces[..2], Instant::now());
        let unit = units.issue(&pieces[2..], Instant::now());
        (0..=2).for_each(|number| drop(units.close(number)));
        assert_eq!(units.origin(unit, 3), Origin::Known);
        assert_eq!(units.origin(unit, 2), Origin::Late);
        assert_eq!(units.origin(old, 0), Origin::Late);
        let never = 1_000_000_000_000;
        for (unit, number) in [(unit, 0), (unit, 77), (old, 3), (never, 0), (never, 3)] {
            assert_eq!(
                units.origin(unit, number),
                Origin::Invented,
                "{unit} {number}"
            );
        }
        // A unit that ended is known as long as its pieces are open.
        units.end(unit);
        assert_eq!(units.origin(unit, 3), Origin::Known);
    }
}
