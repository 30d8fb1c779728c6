//! The hashes that identify the shape of a net in a `.nnue` file.

use crate::nnue::shape::SfnnShape;

/// The hash of the inputs HalfKAv2_hm.
const HALF_KA: u32 = 0x7F23_4CB8;
/// The initial value for the hash of the layers.
const LAYERS: u32 = 0xEC42_E90D;
const AFFINE: u32 = 0xCC03_DAE4;
const CLIPPED: u32 = 0x538D_24C7;

/// The hash of the feature transformer.
pub(super) fn transformer(shape: SfnnShape) -> u32 {
    HALF_KA ^ (2 * shape.l1() as u32)
}

/// The hash of each stack of layers.
pub(super) fn stack(shape: SfnnShape) -> u32 {
    let start = LAYERS ^ (2 * shape.l1() as u32);
    let layers = shape.stack();
    let last = layers.len() - 1;
    layers
        .iter()
        .enumerate()
        .fold(start, |hash, (index, layer)| {
            let affine = AFFINE.wrapping_add(layer.outputs as u32) ^ hash.rotate_right(1);
            // No clipped ReLU follows the last layer.
            if index == last {
                affine
            } else {
                affine.wrapping_add(CLIPPED)
            }
        })
}

/// The hash at the beginning of the file.
pub(super) fn network(shape: SfnnShape) -> u32 {
    transformer(shape) ^ stack(shape)
}

/// The shape with this network hash.
pub(super) fn shape_of(hash: u32) -> Option<SfnnShape> {
    SfnnShape::WIDTHS
        .into_iter()
        .filter_map(SfnnShape::new)
        .find(|&shape| network(shape) == hash)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_are_those_of_the_releases() {
        for (l1, hashes) in [
            (1024, [0x1C10_2EF2, 0x7F23_44B8, 0x6333_6A4A]),
            (1536, [0x1C10_2B72, 0x7F23_40B8, 0x6333_6BCA]),
            (2560, [0x1C10_3072, 0x7F23_58B8, 0x6333_68CA]),
            (3072, [0x1C10_20F2, 0x7F23_54B8, 0x6333_744A]),
            (128, [0x1C10_3C92, 0x7F23_4DB8, 0x6333_712A]),
        ] {
            let shape = SfnnShape::new(l1).expect("it exists");
            assert_eq!([network(shape), transformer(shape), stack(shape)], hashes);
            assert_eq!(shape_of(hashes[0]), Some(shape));
        }
        assert_eq!(shape_of(0x3C10_3E72), None);
    }
}
