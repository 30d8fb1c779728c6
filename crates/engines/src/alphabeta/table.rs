//! The transposition table: what is known about positions seen before.
//!
//! An entry is two words: the data, and the key mixed with the data. Threads write them without
//! locks; an entry torn by two writers does not match its key and is not found. The move of an
//! entry may still come from another position with the same key, so it must be checked to be legal
//! before use.

use crate::memory;
use crate::score::{self, WIN_BOUND};
use chess::Move;
use std::sync::atomic::{AtomicU64, Ordering};

/// What a stored value means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(crate) enum Bound {
    None = 0,
    Upper = 1,
    Lower = 2,
    Exact = 3,
}

impl Bound {
    fn from_bits(bits: u64) -> Bound {
        match bits & 3 {
            1 => Bound::Upper,
            2 => Bound::Lower,
            3 => Bound::Exact,
            _ => Bound::None,
        }
    }

    /// Whether a value with this bound is a lower bound of the true value.
    pub(crate) fn is_lower(self) -> bool {
        self as u8 & Bound::Lower as u8 != 0
    }

    /// Whether a value with this bound is an upper bound of the true value.
    pub(crate) fn is_upper(self) -> bool {
        self as u8 & Bound::Upper as u8 != 0
    }
}

/// What the table knows about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Known {
    pub(crate) best: Option<Move>,
    /// The value, or [`score::NONE`].
    pub(crate) value: i32,
    /// The evaluation without search and correction, or [`score::NONE`].
    pub(crate) evaluation: i32,
    pub(crate) depth: i32,
    pub(crate) bound: Bound,
    /// Whether the position ever was on a principal variation.
    pub(crate) was_principal: bool,
}

/// Ages wrap around at this many searches: an age has the bits of a byte that bound and flag leave
/// free.
const AGES: u8 = 32;
/// Four entries of 16 bytes fill one cache line.
const CLUSTER: usize = 4;
/// Depths are stored with this offset, so that those below 0 fit.
const DEPTH_OFFSET: i32 = 8;

#[derive(Default)]
struct Entry {
    key: AtomicU64,
    data: AtomicU64,
}

#[derive(Default)]
#[repr(align(64))]
struct Cluster([Entry; CLUSTER]);

const CLUSTERS_A_MEBIBYTE: usize = (1 << 20) / size_of::<Cluster>();

/// The size of the table used when there is not enough memory for the one asked for.
const SMALL_MEBIBYTES: usize = 16;

/// Empty clusters of this size in mebibytes, if there is enough memory.
fn allocate(mebibytes: usize) -> Option<Vec<Cluster>> {
    let bytes = mebibytes.max(1).checked_mul(1 << 20)?;
    if !memory::has_room_for(bytes) {
        return None;
    }
    let count = bytes / size_of::<Cluster>();
    let mut clusters = Vec::new();
    clusters.try_reserve_exact(count).ok()?;
    memory::prefer_large_pages(clusters.spare_capacity_mut());
    clusters.resize_with(count, Cluster::default);
    Some(clusters)
}

/// The transposition table. Nearly all methods take `&self`, so that threads can share it; only
/// resizing and clearing need exclusive access.
pub(crate) struct Table {
    clusters: Vec<Cluster>,
    age: u8,
}

impl Table {
    /// An empty table of this size in mebibytes, or a small one if there is not enough memory.
    pub(crate) fn new(mebibytes: usize) -> Table {
        let clusters = [mebibytes, SMALL_MEBIBYTES]
            .into_iter()
            .find_map(allocate)
            .unwrap_or_else(|| vec![Cluster::default()]);
        Table { clusters, age: 0 }
    }

    /// The size in mebibytes.
    pub(crate) fn mebibytes(&self) -> usize {
        self.clusters.len() / CLUSTERS_A_MEBIBYTE
    }

    /// Clears all entries.
    pub(crate) fn clear(&mut self) {
        self.age = 0;
        for entry in self.clusters.iter_mut().flat_map(|cluster| &mut cluster.0) {
            *entry = Entry::default();
        }
    }

    /// Begins a new search: older entries are now replaced first.
    pub(crate) fn advance_age(&mut self) {
        self.age = (self.age + 1) % AGES;
    }

    /// How full the table is with entries of this search, in thousandths.
    pub(crate) fn fill(&self) -> u32 {
        let sample = &self.clusters[..self.clusters.len().min(250)];
        let used = sample
            .iter()
            .flat_map(|cluster| &cluster.0)
            .map(|entry| entry.data.load(Ordering::Relaxed))
            .filter(|&data| data != 0 && age_of(data) == self.age)
            .count();
        (used * 1000 / (sample.len() * CLUSTER)) as u32
    }

    /// Prefetches the entries of a key that will be needed soon.
    #[inline(always)]
    pub(crate) fn prefetch(&self, key: u64) {
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let cluster: *const Cluster = &self.clusters[self.index(key)];
            // SAFETY: a prefetch reads nothing; the pointer comes from a reference.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(cluster.cast()) };
        }
    }

    /// What is known about a position; mates are counted from `ply`.
    #[inline]
    pub(crate) fn probe(&self, key: u64, ply: usize) -> Option<Known> {
        self.clusters[self.index(key)].0.iter().find_map(|entry| {
            let data = entry.data.load(Ordering::Relaxed);
            let mixed = entry.key.load(Ordering::Relaxed);
            (data != 0 && mixed ^ data == key).then(|| unpack(data, ply))
        })
    }

    /// Stores what is known about a position; mates are counted from `ply`.
    #[inline]
    pub(crate) fn store(&self, key: u64, ply: usize, mut known: Known) {
        let cluster = &self.clusters[self.index(key)];
        let (slot, old) = self.choose_slot(cluster, key);
        if let Some(old) = old {
            let old = unpack(old, ply);
            // If the new search found no move, the old one is kept.
            known.best = known.best.or(old.best);
            // A shallow bound does not replace a much deeper one.
            let is_deeper = known.depth + 4 + 2 * i32::from(known.was_principal) > old.depth;
            if known.bound != Bound::Exact && !is_deeper && age_of(load(slot)) == self.age {
                return;
            }
        }
        let data = pack(known, ply, self.age);
        slot.data.store(data, Ordering::Relaxed);
        slot.key.store(key ^ data, Ordering::Relaxed);
    }

    /// The entry of the key, or else the least valuable one: shallow and old.
    #[inline]
    fn choose_slot<'a>(&self, cluster: &'a Cluster, key: u64) -> (&'a Entry, Option<u64>) {
        let mut worst = &cluster.0[0];
        let mut least = i32::MAX;
        for entry in &cluster.0 {
            let data = load(entry);
            if data == 0 {
                return (entry, None);
            }
            if entry.key.load(Ordering::Relaxed) ^ data == key {
                return (entry, Some(data));
            }
            let years = (AGES + self.age - age_of(data)) % AGES;
            let worth = depth_of(data) - 4 * i32::from(years);
            if worth < least {
                least = worth;
                worst = entry;
            }
        }
        (worst, None)
    }

    #[inline(always)]
    fn index(&self, key: u64) -> usize {
        ((u128::from(key) * self.clusters.len() as u128) >> 64) as usize
    }
}

#[inline(always)]
fn load(entry: &Entry) -> u64 {
    entry.data.load(Ordering::Relaxed)
}

/// Bits 0 to 15 move, 16 to 31 value, 32 to 47 evaluation, 48 to 55 depth,
/// 56 and 57 bound, 58 principal, 59 to 63 age.
#[inline(always)]
fn pack(known: Known, ply: usize, age: u8) -> u64 {
    let value = value_to_table(known.value, ply) as i16 as u16;
    let depth = (known.depth + DEPTH_OFFSET).clamp(1, 255) as u64;
    u64::from(known.best.map_or(0, Move::to_bits))
        | u64::from(value) << 16
        | u64::from(known.evaluation as i16 as u16) << 32
        | depth << 48
        | (known.bound as u64) << 56
        | u64::from(known.was_principal) << 58
        | u64::from(age) << 59
}

#[inline(always)]
fn unpack(data: u64, ply: usize) -> Known {
    let bits = data as u16;
    Known {
        best: (bits != 0).then(|| Move::from_bits(bits)),
        value: value_from_table(i32::from((data >> 16) as i16), ply),
        evaluation: i32::from((data >> 32) as i16),
        depth: depth_of(data),
        bound: Bound::from_bits(data >> 56),
        was_principal: data >> 58 & 1 == 1,
    }
}

#[inline(always)]
fn depth_of(data: u64) -> i32 {
    (data >> 48 & 255) as i32 - DEPTH_OFFSET
}

#[inline(always)]
fn age_of(data: u64) -> u8 {
    (data >> 59) as u8
}

/// Mates and tablebase results are stored with their distance from the position, not from the root.
#[inline(always)]
fn value_to_table(value: i32, ply: usize) -> i32 {
    let ply = ply as i32;
    match value {
        score::NONE => value,
        _ if value >= WIN_BOUND => value + ply,
        _ if value <= -WIN_BOUND => value - ply,
        _ => value,
    }
}

#[inline(always)]
fn value_from_table(value: i32, ply: usize) -> i32 {
    let ply = ply as i32;
    match value {
        score::NONE => value,
        _ if value >= WIN_BOUND => value - ply,
        _ if value <= -WIN_BOUND => value + ply,
        _ => value,
    }
}
