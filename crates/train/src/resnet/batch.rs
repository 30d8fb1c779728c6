//! The positions of a step as numbers: planes, rows of legal moves, targets.

/// The training positions of one step.
#[derive(Clone, Debug, Default)]
pub(crate) struct Batch {
    /// `[board][square][plane]`.
    pub(crate) planes: Vec<f32>,
    /// The rows of the legal moves of all positions.
    pub(crate) rows: Vec<u32>,
    /// Offsets that are added to their logits.
    pub(crate) offsets: Vec<f32>,
    /// The target probability of each of these moves.
    pub(crate) shares: Vec<f32>,
    /// Where the moves of each position end.
    pub(crate) ends: Vec<usize>,
    /// The target win, draw and loss probabilities of each position.
    pub(crate) chances: Vec<[f32; 3]>,
    /// The weights of each position's policy and value.
    pub(crate) weights: Vec<[f32; 2]>,
}

impl Batch {
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(crate) fn clear(&mut self) {
        self.planes.clear();
        self.rows.clear();
        self.offsets.clear();
        self.shares.clear();
        self.ends.clear();
        self.chances.clear();
        self.weights.clear();
    }

    /// The range of a position's moves in the lists.
    pub(crate) fn span(&self, number: usize) -> std::ops::Range<usize> {
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        start..self.ends[number]
    }

    /// The sums of the weights of policies and of values.
    pub(crate) fn totals(&self) -> [f64; 2] {
        let weights = self.weights.iter();
        weights.fold([0.0; 2], |[moves, values], &[a, b]| {
            [moves + f64::from(a), values + f64::from(b)]
        })
    }
}
