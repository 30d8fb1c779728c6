//! The nets that the bench trains.

use nets::nnue::{Activation, Inputs, SfnnShape, SimpleScales, SimpleShape};
use train::Loss;
use train::nnue::{Keeping, Learner, NetSettings, ShapeName, TraineeShape};

/// Positions per step (batch size).
pub(crate) const BATCH: usize = 16_384;

/// A net.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Shape {
    /// Its name in tables and arguments.
    pub(crate) name: &'static str,
    /// Whether it is of Stockfish's shape.
    is_sfnn: bool,
    hidden: usize,
    /// Whether it is timed beside the rival.
    pub(crate) has_rival: bool,
}

pub(crate) const SHAPES: [Shape; 3] = [
    Shape {
        name: "768-256",
        is_sfnn: false,
        hidden: 256,
        has_rival: true,
    },
    Shape {
        name: "sfnn-1024",
        is_sfnn: true,
        hidden: 1024,
        has_rival: true,
    },
    Shape {
        name: "sfnn-2560",
        is_sfnn: true,
        hidden: 2560,
        has_rival: false,
    },
];

impl Shape {
    /// The shape that an argument names.
    pub(crate) fn named(name: &str) -> Option<Shape> {
        SHAPES.into_iter().find(|shape| shape.name == name)
    }

    /// As a file of settings would have it.
    pub(crate) fn settings(&self) -> NetSettings {
        let shape = match self.is_sfnn {
            true => ShapeName::Sfnn,
            false => ShapeName::Simple,
        };
        NetSettings {
            shape,
            hidden: self.hidden,
            factored: self.is_sfnn,
            ..NetSettings::default()
        }
    }

    fn trainee(&self) -> TraineeShape {
        match self.is_sfnn {
            true => TraineeShape::Sfnn(SfnnShape::new(self.hidden).expect("a width")),
            false => TraineeShape::Simple(SimpleShape {
                inputs: self.inputs(),
                hidden: self.hidden,
                activation: Activation::Screlu,
                output_buckets: 1,
                scales: SimpleScales::default(),
            }),
        }
    }

    /// The input planes.
    pub(crate) fn inputs(&self) -> Inputs {
        match self.is_sfnn {
            true => Inputs::half_ka(),
            false => Inputs::piece_square([0; 64], false).expect("one bucket"),
        }
    }

    /// How its errors count.
    pub(crate) fn loss(&self) -> Loss {
        match self.is_sfnn {
            true => Loss::WIDE,
            false => Loss::PLAIN,
        }
    }

    /// With random weights; Stockfish's shape with the part that all king buckets
    /// share.
    pub(crate) fn learner(&self) -> Learner {
        let keeping = Keeping {
            factored: self.is_sfnn,
            shared: false,
            slow: false,
            ema: false,
            quantisation_aware: false,
            batch: BATCH,
        };
        Learner::new(&self.trainee(), keeping, 1).expect("memory")
    }
}
