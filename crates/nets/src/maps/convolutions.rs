//! Pictures of ResNets: the kernels of the first convolution, and the weights of the heads
//! on the squares.

use super::{Sheet, WeightBoard, board_of, sheet, size};
use crate::policy::resnet::ResNetFile;

const CHANNELS: &str = "channels";
const PLANES: &str = "planes";
const HEADS: &str = "heads";
/// How many weights a kernel has.
const KERNEL: usize = 9;

pub(super) fn sheets(file: &ResNetFile) -> Vec<Sheet> {
    let planes = file.plane_names().len();
    let channels = file.stem().len() / (KERNEL * planes);
    vec![
        sheet(
            CHANNELS,
            "the kernel of one channel of the first convolution, for each input plane",
            "channel",
            channels,
        ),
        sheet(
            PLANES,
            "the kernels of all channels of the first convolution, for one input plane",
            "plane",
            planes,
        ),
        sheet(
            HEADS,
            "the magnitude of the weights of the heads, for each square of the trunk's output",
            "model",
            1,
        ),
    ]
}

pub(super) fn boards(file: &ResNetFile, sheet: &str, set: usize) -> Option<Vec<WeightBoard>> {
    Some(match sheet {
        CHANNELS => {
            let (stem, names) = (file.stem(), file.plane_names());
            let planes = names.len();
            let kernel = |(plane, name)| kernel(name, &stem, set * planes + plane);
            names.into_iter().enumerate().map(kernel).collect()
        }
        PLANES => {
            let (stem, names) = (file.stem(), file.plane_names());
            let planes = names.len();
            let kernel = |channel: usize| {
                let title = format!("{}, channel {}", names[set], channel + 1);
                kernel(title, &stem, channel * planes + set)
            };
            (0..stem.len() / (KERNEL * planes)).map(kernel).collect()
        }
        HEADS => {
            let heads = file.heads().into_iter();
            heads.map(|(name, weights)| head(name, weights)).collect()
        }
        _ => return None,
    })
}

fn kernel(title: String, stem: &[f32], number: usize) -> WeightBoard {
    let weights = &stem[number * KERNEL..][..KERNEL];
    WeightBoard {
        title,
        columns: 3,
        numbers: weights.iter().map(|&it| Some(f64::from(it))).collect(),
    }
}

/// The board of a head whose rows of weights have all squares of one channel after the other.
fn head(name: &str, weights: &[f32]) -> WeightBoard {
    board_of(name.to_owned(), |square| {
        let of_square = weights.iter().skip(square.index()).step_by(64);
        Some(size(of_square.copied()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Model;
    use crate::policy::resnet::{ResNetShape, ResNetWeights};

    fn model(change: impl FnOnce(&mut ResNetWeights)) -> Model {
        let shape = ResNetShape {
            channels: 4,
            blocks: 1,
            head_channels: 2,
            value_hidden: 3,
            ..ResNetShape::default()
        };
        let mut weights = ResNetWeights::initialised(shape, 1);
        change(&mut weights);
        let bytes = weights.to_bytes().expect("a file");
        Model::ResNet(ResNetFile::from_bytes(&bytes).expect("a net"))
    }

    #[test]
    fn a_kernel_is_found_by_its_channel_and_by_its_plane() {
        // Channel 3, plane 5: the own king; the place above the middle.
        let model = model(|weights| weights.tensors_mut()[0][(2 * 21 + 5) * 9 + 7] = 64.0);
        let names: Vec<&str> = model.sheets().iter().map(|sheet| sheet.name).collect();
        assert_eq!(names, ["worth", CHANNELS, PLANES, HEADS]);
        let sets: Vec<usize> = model.sheets().iter().map(|sheet| sheet.sets).collect();
        assert_eq!(sets, [1, 4, 21, 1]);
        let by_channel = model.boards(CHANNELS, 2).expect("boards");
        assert_eq!(by_channel.len(), 21);
        let king = &by_channel[5];
        assert_eq!((king.title.as_str(), king.columns), ("own king", 3));
        let weight = king.numbers[7].expect("a number");
        // The normalisation divides by a little more than 1.
        assert!((63.9..=64.0).contains(&weight), "{weight}");
        let by_plane = model.boards(PLANES, 5).expect("boards");
        assert_eq!(by_plane[2].title, "own king, channel 3");
        assert_eq!(by_plane[2].numbers, king.numbers);
        assert_eq!(model.boards(CHANNELS, 4), None);
        assert_eq!(model.boards("neurons", 0), None);
    }

    #[test]
    fn heads_are_read_square_by_square() {
        let model = model(|weights| {
            let shapes = weights.shape().tensors();
            let hidden = shapes
                .iter()
                .position(|it| it.name == "value.hidden.weight");
            let tensor = &mut weights.tensors_mut()[hidden.expect("a tensor")];
            tensor.fill(0.0);
            // The third neuron, the second channel, h8.
            tensor[2 * 128 + 64 + 63] = 6.0;
        });
        let boards = model.boards(HEADS, 0).expect("boards");
        let titles: Vec<&str> = boards.iter().map(|board| board.title.as_str()).collect();
        assert_eq!(titles, ["value", "policy"]);
        let corner = boards[0].numbers[63].expect("a number");
        assert!((corner - 6.0 / 6_f64.sqrt()).abs() < 1e-6, "{corner}");
        assert_eq!(boards[0].numbers[62], Some(0.0));
    }
}
