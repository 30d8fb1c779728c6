//! Tests with a small net that is made here, and with Maia's if it is at hand.

use super::*;
use crate::Model;
use crate::policy::Explanation;
use crate::policy::message::Message;
use crate::policy::resnet::ResNetFile;
use chess::{Board, Color, Line, Move};

/// Adds a layer of values that are encoded as 16-bit steps between two values.
fn layer(message: Message, field: u64, values: &[u16], least: f32, most: f32) -> Message {
    let bytes: Vec<u8> = values
        .iter()
        .flat_map(|value| value.to_le_bytes())
        .collect();
    let layer = Message::default()
        .fixed(1, least.to_bits())
        .fixed(2, most.to_bits())
        .bytes(3, &bytes);
    message.message(field, &layer)
}

/// Pseudo-random steps.
fn steps(count: usize, seed: u64) -> Vec<u16> {
    let mut random = crate::nnue::Random::new(seed);
    (0..count).map(|_| random.number() as u16).collect()
}

fn convolution(outputs: usize, inputs: usize, size: usize, seed: u64) -> Message {
    let width = (0.5 / (inputs * size) as f32).sqrt();
    let weights = steps(outputs * inputs * size, seed);
    let message = layer(Message::default(), 1, &weights, -width, width);
    layer(message, 2, &steps(outputs, seed + 1), -0.1, 0.1)
}

/// Adds layers of random steps; each is given by its number, count and size.
fn layers(message: Message, list: &[(u64, usize, f32)]) -> Message {
    list.iter().fold(message, |message, &(field, count, size)| {
        layer(message, field, &steps(count, 10 + field), -size, size)
    })
}

const CHANNELS: usize = 4;

/// A small net with every part that Maia's nets have.
fn small_net() -> Vec<u8> {
    let squeeze = layers(
        Message::default(),
        &[
            (1, 2 * CHANNELS, 1.0),
            (2, 2, 0.1),
            (3, 4 * CHANNELS, 1.0),
            (4, 2 * CHANNELS, 0.1),
        ],
    );
    let block = Message::default()
        .message(1, &convolution(CHANNELS, CHANNELS, 9, 20))
        .message(2, &convolution(CHANNELS, CHANNELS, 9, 30))
        .message(3, &squeeze);
    // A batch norm: mean 1, variance 3, gain 2, offset -0.5.
    let stem = [(3, 1.0), (4, 3.0), (5, 2.0), (6, -0.5)].into_iter().fold(
        convolution(CHANNELS, Lc0Coding::PLANES, 9, 40),
        |stem, (field, value)| layer(stem, field, &[0; CHANNELS], value, value),
    );
    let weights = Message::default()
        .message(1, &stem)
        .message(2, &block)
        .message(11, &convolution(CHANNELS, CHANNELS, 9, 50))
        .message(3, &convolution(80, CHANNELS, 9, 60))
        .message(6, &convolution(2, CHANNELS, 1, 70));
    let weights = layers(
        weights,
        &[(7, 128 * 5, 0.2), (8, 5, 0.2), (9, 15, 1.0), (10, 3, 0.2)],
    );
    let network = [(1, 1), (2, 2), (3, 4), (4, 2), (5, 2)]
        .into_iter()
        .fold(Message::default(), |it, (field, value)| {
            it.number(field, value)
        });
    let format = Message::default().number(1, 1).message(2, &network);
    Message::default()
        .fixed(1, 0x1c0)
        .message(4, &format)
        .message(10, &weights)
        .into_bytes()
}

#[test]
fn a_net_of_this_kind_is_read_packed_or_not() {
    use std::io::Write;
    let plain = small_net();
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    packer.write_all(&plain).expect("packed");
    let packed = packer.finish().expect("packed");
    let line = Line::new(Board::start());
    let explained = [&plain, &packed].map(|bytes| {
        let model = Model::from_bytes(bytes).expect("a net");
        assert_eq!(model.kind().to_string(), "resnet");
        let Model::ResNet(file) = model else {
            panic!("a ResNet")
        };
        assert_eq!(
            file.to_string(),
            "lc0 ResNet 4x1 with squeeze-excitation, 112 planes, policy planes, win-draw-loss"
        );
        file.explain(line.board())
    });
    assert_eq!(explained[0].priors, explained[1].priors);
    assert_eq!(explained[0].priors.len(), 20);
    let sum: f32 = explained[0].priors.iter().map(|(_, prior)| prior).sum();
    assert!((sum - 1.0).abs() < 1e-5);
}

#[test]
fn broken_nets_are_refused_in_one_line() {
    let whole = small_net();
    let complaint = |bytes: &[u8]| {
        let error = Lc0Weights::read(bytes).expect_err("broken");
        error.to_string()
    };
    for length in (0..whole.len()).step_by(97).chain([whole.len() - 1]) {
        let words = complaint(&whole[..length]);
        assert!(words.contains("lc0") && !words.contains('\n'), "{words}");
    }
    assert!(complaint(&[0x1f, 0x8b, 8, 0]).starts_with("the gzip file cannot be decompressed"));
    let attention = Message::default().number(3, 4).number(4, 3).number(5, 2);
    let format = Message::default().message(2, &attention);
    let other = Message::default().fixed(1, 0x1c0).message(4, &format);
    let other = other.into_bytes();
    assert!(complaint(&other).starts_with(
        "the lc0 net has policy format 3; only nets of Maia's \
        kind"
    ));
}

#[test]
fn moves_have_the_numbers_of_lc0() {
    let number = |fen: &str, text: &str| {
        let board = Board::from_fen(fen).expect("a position");
        let mv: Move = board.parse_uci(text).expect("a move");
        Lc0Coding.index(mv, board.side_to_move())
    };
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    assert_eq!(number(start, "e2e4"), 64 + 12);
    assert_eq!(number(start, "g1f3"), 63 * 64 + 6);
    let black = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1";
    assert_eq!(number(black, "e7e5"), 64 + 12);
    let castling = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    // King takes rook: three to the east, four to the west.
    assert_eq!(number(castling, "e1g1"), (2 * 7 + 2) * 64 + 4);
    assert_eq!(number(castling, "e1c1"), (6 * 7 + 3) * 64 + 4);
    let promotion = "4k3/1P6/8/8/8/8/8/4K3 w - - 0 1";
    assert_eq!(number(promotion, "b7b8n"), 49);
    assert_eq!(number(promotion, "b7b8q"), (64 + 3 + 2) * 64 + 49);
    assert_eq!(number(promotion, "b7b8r"), (64 + 3) * 64 + 49);
}

#[test]
fn positions_have_the_planes_of_lc0() {
    let mut line = Line::new(Board::start());
    for text in ["g1f3", "b8c6", "f3g1", "c6b8", "e2e4"] {
        let mv = line.board().parse_uci(text).expect("a move");
        line.push(mv);
    }
    assert_eq!(line.board().side_to_move(), Color::Black);
    let mut values = vec![7.0; 64 * Lc0Coding::PLANES];
    Lc0Coding.write_squares(&line, &mut values);
    let at = |plane: usize, square: usize| values[square * Lc0Coding::PLANES + plane];
    // Black's view: its own pawns on the second row, White's pawn on e4 on the fifth.
    assert_eq!((at(0, 8), at(6, 36), at(6, 52)), (1.0, 1.0, 0.0));
    // One position back the start stood there again, seen from Black.
    assert_eq!((at(13 + 6, 52), at(13 + 12, 0), at(12, 0)), (1.0, 1.0, 0.0));
    // Before the start there was nothing.
    assert!((0..64).all(|square| (6 * 13..8 * 13).all(|plane| at(plane, square) == 0.0)));
    assert_eq!(
        [104, 107, 108, 109, 110, 111].map(|plane| at(plane, 9)),
        [1.0, 1.0, 1.0, 0.0, 0.0, 1.0]
    );
    // A position without history is repeated eight times.
    let line = Line::new(Board::from_fen("4k3/8/8/8/8/8/4P3/4K3 w - - 7 9").expect("a position"));
    Lc0Coding.write_squares(&line, &mut values);
    let at = |plane: usize, square: usize| values[square * Lc0Coding::PLANES + plane];
    assert!((0..8).all(|place| at(place * 13, 12) == 1.0 && at(place * 13 + 12, 0) == 0.0));
    assert_eq!(at(109, 30), 7.0);
}

/// Maia for players of 1500, if `TABIA_DATA` names a folder that has it.
fn maia() -> Option<ResNetFile> {
    let folder = std::env::var_os("TABIA_DATA")?;
    let path = std::path::Path::new(&folder).join("nnue/maia-1500.pb.gz");
    let bytes = std::fs::read(path).ok()?;
    Some(ResNetFile::from_bytes(&bytes).expect("Maia's net"))
}

/// Values of an independent evaluation of the same file in NumPy.
#[test]
fn maia_says_what_an_independent_reader_says() {
    let Some(file) = maia() else { return };
    let close = |explained: &Explanation, expected: &[(&str, f32)]| {
        for (place, &(name, percent)) in expected.iter().enumerate() {
            let (found, prior) = &explained.priors[place];
            assert_eq!(found, name);
            assert!(
                (100.0 * prior / percent - 1.0).abs() < 1e-3,
                "{name} {prior}"
            );
        }
    };
    let start = file.explain(&Board::start());
    let expected = [
        ("e2e4", 65.15),
        ("d2d4", 22.95),
        ("c2c4", 2.80),
        ("g1f3", 2.35),
    ];
    // The expected values have only two decimals.
    for (place, (name, percent)) in expected.into_iter().enumerate() {
        let (found, prior) = &start.priors[place];
        assert_eq!(found, name);
        assert!((100.0 * prior - percent).abs() < 0.006, "{name} {prior}");
    }
    let fen = "r1bqkbnr/pppp1ppp/2n5/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 3 3";
    let mate = file.explain(&Board::from_fen(fen).expect("a position"));
    close(
        &mate,
        &[
            ("g7g6", 46.52),
            ("d8f6", 28.22),
            ("d8e7", 13.37),
            ("g8f6", 6.14),
        ],
    );
    let chances = mate.chances;
    for (found, expected) in [
        (chances.win, 0.4725),
        (chances.draw, 0.0349),
        (chances.loss, 0.4925),
    ] {
        assert!((found - expected).abs() < 6e-5, "{found} {expected}");
    }
}
