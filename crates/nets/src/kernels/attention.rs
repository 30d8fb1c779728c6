//! Attention of one event to others whose keys and values are scattered in memory, like
//! those of branching lines.

use super::activation::{load, softmax, store};
use super::vector::Vector;

/// The inputs of one event's attention.
#[derive(Clone, Copy, Debug)]
pub struct Attention<'a> {
    /// The memory with all values and keys.
    pub numbers: &'a [f32],
    /// The index at which the value of each attended event begins, the most distant first; its
    /// key follows.
    pub places: &'a [usize],
    /// The query of the event.
    pub query: &'a [f32],
    /// The number of attention heads.
    pub heads: usize,
    /// The bias of each head for each distance; larger distances have the last bias.
    pub distances: &'a [f32],
}

/// The weighted sum of values. The weights are the softmax of key times query, divided by
/// the root of a head's width, plus the bias of the distance.
///
/// # Safety
/// The CPU has the instructions of `V`; value and key at every place are as long as the
/// query and lie within the numbers; the heads divide the query and the distances; `shares`
/// has as many values as there are places, `target` as the query.
#[inline(always)]
pub(super) unsafe fn attend<V: Vector>(
    attention: &Attention<'_>,
    shares: &mut [f32],
    target: &mut [f32],
) {
    let Attention {
        numbers,
        places,
        query,
        heads,
        distances,
    } = *attention;
    let size = query.len() / heads;
    let scale = 1.0 / (size as f32).sqrt();
    let distances = distances.chunks_exact(distances.len() / heads);
    for (head, distances) in distances.enumerate() {
        let first = head * size;
        let farthest = distances.len() - 1;
        // SAFETY: a head's part of a key or value lies within its row.
        unsafe {
            let query = query.as_ptr().add(first);
            for (at, (&place, share)) in places.iter().zip(&mut *shares).enumerate() {
                let key = numbers.as_ptr().add(place + attention.query.len() + first);
                let distance = (places.len() - 1 - at).min(farthest);
                *share = dot::<V>(query, key, size) * scale + distances[distance];
            }
            softmax::<V>(shares);
            for at in (0..size).step_by(V::LANES) {
                let count = V::LANES.min(size - at);
                let mut sum = V::splat(0.0);
                for (&place, &share) in places.iter().zip(&*shares) {
                    let value = load::<V>(numbers.as_ptr().add(place + first + at), count);
                    sum = value.times_plus(V::splat(share), sum);
                }
                store(sum, target.as_mut_ptr().add(first + at), count);
            }
        }
    }
}

/// # Safety
/// The CPU has the instructions of `V`; `length` values can be read from both.
#[inline(always)]
unsafe fn dot<V: Vector>(left: *const f32, right: *const f32, length: usize) -> f32 {
    // SAFETY: as the caller's.
    unsafe {
        let mut sum = V::splat(0.0);
        for at in (0..length).step_by(V::LANES) {
            let count = V::LANES.min(length - at);
            let right = load::<V>(right.add(at), count);
            sum = load::<V>(left.add(at), count).times_plus(right, sum);
        }
        sum.sum()
    }
}
