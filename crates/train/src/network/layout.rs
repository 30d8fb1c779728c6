//! The index of each weight, and which weights a board uses.

use super::Row;
use crate::WrongSetting;
use crate::error::wrong;
use chess::{Bitboard, Board, Color};
use nets::classical::{FEATURE_GROUPS, FEATURES, Group, Groups, Trace, feature_group};
use nets::ntuple::{NTupleWeights, Places};
use std::sync::OnceLock;

/// The name for all tables where groups of terms are listed.
const TUPLES: &str = "tuples";

/// Which weights are trained.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Trained {
    /// The groups of terms that are trained.
    pub(crate) groups: Groups,
    /// Whether tables are trained.
    pub(crate) tuples: bool,
}

impl Trained {
    /// Every weight.
    pub(crate) const EVERYTHING: Trained = Trained {
        groups: FEATURE_GROUPS,
        tuples: true,
    };

    /// Parses names of groups, and `tuples`.
    pub(crate) fn read(key: &'static str, names: &[String]) -> Result<Trained, WrongSetting> {
        let mut trained = Trained {
            groups: Groups::NONE,
            tuples: false,
        };
        for name in names {
            if name == TUPLES {
                trained.tuples = true;
                continue;
            }
            let group: Group = name
                .parse()
                .map_err(|error| wrong(key, format!("{error}, and {TUPLES}")))?;
            if !FEATURE_GROUPS.contains(group) {
                let problem = format!("the terms of '{group}' are not linear in their weights");
                return Err(wrong(key, problem));
            }
            trained.groups = trained.groups.with(group);
        }
        match names.is_empty() {
            true => Err(wrong(key, "give at least one")),
            false => Ok(trained),
        }
    }

    /// Whether the weight with this index is trained.
    pub(crate) fn contains(self, index: usize) -> bool {
        match term_groups().get(index) {
            Some(&group) => self.groups.contains(group),
            None => self.tuples,
        }
    }
}

/// The group of each term, computed once because every leaf needs it.
fn term_groups() -> &'static [Group] {
    static GROUPS: OnceLock<Vec<Group>> = OnceLock::new();
    GROUPS.get_or_init(|| (0..FEATURES).filter_map(feature_group).collect())
}

/// The indices at which the tables of a network begin.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    places: Places,
    tables: Vec<usize>,
    length: usize,
}

impl Layout {
    pub(crate) fn new(weights: &NTupleWeights) -> Layout {
        let mut length = FEATURES;
        let mut place = |places: usize| {
            length += places;
            length - places
        };
        let tables = weights.tables().iter();
        Layout {
            places: Places::new(weights),
            tables: tables.map(|table| place(table.weights().len())).collect(),
            length,
        }
    }

    /// The number of weights.
    pub(crate) fn length(&self) -> usize {
        self.length
    }

    /// Where a table begins.
    pub(crate) fn table(&self, number: usize) -> usize {
        self.tables[number]
    }

    /// The table and the entry of an index beyond the terms.
    pub(crate) fn place(&self, index: usize) -> (usize, usize) {
        let table = self.tables.partition_point(|&begin| begin <= index) - 1;
        (table, index - self.tables[table])
    }

    /// The weights of a network.
    pub(crate) fn row(&self, weights: &NTupleWeights) -> Row {
        let terms = (0..FEATURES).map(|index| {
            let (opening, endgame) = weights.linear.get(index);
            [opening, endgame].map(f64::from)
        });
        let places = weights.tables().iter().flat_map(|table| table.weights());
        terms
            .chain(places.map(|weight| weight.map(f64::from)))
            .collect()
    }

    /// A weight of a network.
    pub(crate) fn weight(&self, weights: &NTupleWeights, index: usize) -> [f64; 2] {
        match index < FEATURES {
            true => {
                let (opening, endgame) = weights.linear.get(index);
                [opening, endgame].map(f64::from)
            }
            false => {
                let (table, place) = self.place(index);
                weights.tables()[table].weights()[place].map(f64::from)
            }
        }
    }

    /// Visits every trained weight that a board uses, with its count: White's occurrences less
    /// Black's. The trace must be that of the board.
    #[inline]
    pub(crate) fn for_each(
        &self,
        trained: Trained,
        (board, trace): (&Board, &Trace),
        mut visit: impl FnMut(usize, f64),
    ) {
        for_each_term(trained, trace, &mut visit);
        if trained.tuples {
            self.for_each_place(board, board.occupied(), &mut visit);
        }
    }

    /// Visits the table entries that a board uses, with at least one of the men on these squares.
    #[inline]
    pub(crate) fn for_each_place(
        &self,
        board: &Board,
        among: Bitboard,
        visit: &mut impl FnMut(usize, f64),
    ) {
        self.places.for_each(board, among, |place, own| {
            let sign = match own {
                Color::White => 1.0,
                Color::Black => -1.0,
            };
            visit(FEATURES + place, sign);
        });
    }
}

/// Visits every trained term that a board uses, with its count.
#[inline]
pub(crate) fn for_each_term(trained: Trained, trace: &Trace, visit: &mut impl FnMut(usize, f64)) {
    for feature in &trace.features {
        let index = usize::from(feature.index);
        if trained.contains(index) {
            visit(index, f64::from(feature.coefficient));
        }
    }
}
