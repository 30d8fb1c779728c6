//! The shapes of the pieces, drawn for this project on squares of 45 by 45 units.

use crate::PieceKind;

/// An outline that is filled and stroked, and lines that are only stroked.
pub(super) struct Shape {
    pub(super) outline: &'static str,
    pub(super) lines: &'static str,
}

/// The foot on which every piece but the pawn and the knight stands.
macro_rules! foot {
    () => {
        " M10 39 C10 36 12 35 14 35 L31 35 C33 35 35 36 35 39 Z"
    };
}

pub(super) const fn shape(kind: PieceKind) -> Shape {
    match kind {
        PieceKind::Pawn => Shape {
            outline: "M22.5 9 A5.5 5.5 0 0 1 26.2 18.6 C29 20 30 23 28.5 26 \
                      C33 29 35 33 35 39 L10 39 C10 33 12 29 16.5 26 C15 23 16 20 18.8 18.6 \
                      A5.5 5.5 0 0 1 22.5 9 Z",
            lines: "",
        },
        PieceKind::Knight => Shape {
            outline: "M14 39 C14 31 21 28 21 22 C18 24 15 26 12.5 28.5 C10.5 30 7.5 28 8.5 25 \
                      C10 21 12 17 14 13 C14.5 11 15 8 16 6 L19 9.5 L22 6.5 L23.5 10 \
                      C31 12 36 20 35.5 39 Z",
            lines: "M15.5 16 L17 15 M11 25.5 L12 24.5 M24 14 C29 18 31 25 31 34",
        },
        PieceKind::Bishop => Shape {
            outline: concat!(
                "M22.5 6 A2.5 2.5 0 0 1 24.5 10 C29 14 32 18 31 23 C30.5 25.5 29 27 28 28 \
                 L30 34 L15 34 L17 28 C16 27 14.5 25.5 14 23 C13 18 16 14 20.5 10 \
                 A2.5 2.5 0 0 1 22.5 6 Z",
                foot!()
            ),
            lines: "M22.5 15.5 L22.5 23.5 M18.5 19 L26.5 19 M17 28 L28 28",
        },
        PieceKind::Rook => Shape {
            outline: concat!(
                "M11 9 L15.5 9 L15.5 12 L20 12 L20 9 L25 9 L25 12 L29.5 12 L29.5 9 L34 9 \
                 L34 16 L30.5 19 L30.5 30 L33 34 L12 34 L14.5 30 L14.5 19 L11 16 Z",
                foot!()
            ),
            lines: "M14.5 19 L30.5 19 M14.5 30 L30.5 30",
        },
        PieceKind::Queen => Shape {
            outline: concat!(
                "M8 12 A2.3 2.3 0 1 1 9.5 13.6 L14.5 22 L15 9.5 A2.3 2.3 0 1 1 17 9.5 L20 21.5 \
                 L21.5 8 A2.3 2.3 0 1 1 23.5 8 L25 21.5 L28 9.5 A2.3 2.3 0 1 1 30 9.5 L30.5 22 \
                 L35.5 13.6 A2.3 2.3 0 1 1 37 12 L33 28 L31 34 L14 34 L12 28 Z",
                foot!()
            ),
            lines: "M12 28 C18 26.5 27 26.5 33 28",
        },
        PieceKind::King => Shape {
            outline: concat!(
                "M21 4 L24 4 L24 7 L27 7 L27 10 L24 10 L24 15 C30 11 38 15 36 22 \
                 C35 26 32 28 31.5 34 L13.5 34 C13 28 10 26 9 22 C7 15 15 11 21 15 L21 10 \
                 L18 10 L18 7 L21 7 Z",
                foot!()
            ),
            lines: "M22.5 18 L22.5 29 M13.5 30 C18 28 27 28 31.5 30",
        },
    }
}
