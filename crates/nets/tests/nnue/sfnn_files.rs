//! Files in Stockfish's format: written and read back unchanged, refused if invalid.

use nets::nnue::sfnn::{Compression, SfnnWeights};
use nets::nnue::{BoundError, NetError, NetFile, SfnnRanges, SfnnShape};

fn random(l1: usize, ranges: SfnnRanges) -> SfnnWeights {
    let mut weights = SfnnWeights::zeros(SfnnShape::new(l1).expect("a width")).expect("memory");
    weights.fill_randomly(l1 as u64, ranges);
    weights.description = b"a net of the tests".to_vec();
    weights
}

fn written(weights: &SfnnWeights, compression: Compression) -> Vec<u8> {
    let mut bytes = Vec::new();
    weights
        .write(compression, &mut bytes)
        .expect("within bounds");
    bytes
}

fn word(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"))
}

#[test]
fn every_width_reads_back_byte_for_byte() {
    for l1 in [128, 256] {
        let weights = random(l1, SfnnRanges::EXTREME);
        for compression in [Compression::Raw, Compression::Leb128] {
            let bytes = written(&weights, compression);
            let (again, found) = SfnnWeights::read(&bytes).expect("what was written");
            assert_eq!(found, compression);
            assert_eq!(written(&again, compression), bytes);
            assert_eq!(
                &again.transformer.weights[..],
                &weights.transformer.weights[..]
            );
            assert_eq!(again.stacks, weights.stacks);
            assert_eq!(again.description, weights.description);
        }
    }
}

/// With the width of Stockfish 16.1, sizes and hashes are those of its files.
#[test]
fn width_2560_is_compressed_as_stockfish_16_1_reads_it() {
    let weights = random(2560, SfnnRanges::USUAL);
    let bytes = written(&weights, Compression::Leb128);
    assert_eq!(word(&bytes, 0), 0x7AF3_2F20);
    assert_eq!(word(&bytes, 4), 0x1C10_3072);
    let length = weights.description.len();
    assert_eq!(word(&bytes, 8) as usize, length);
    assert_eq!(word(&bytes, 12 + length), 0x7F23_58B8);
    let magics: Vec<usize> = bytes
        .windows(17)
        .enumerate()
        .filter(|(_, window)| *window == b"COMPRESSED_LEB128")
        .map(|(at, _)| at)
        .collect();
    assert_eq!(magics.len(), 3);
    assert_eq!(magics[0], 16 + length);
    // Each array has its length, and the next one begins at its end.
    let end = |magic: usize| magic + 21 + word(&bytes, magic + 17) as usize;
    assert_eq!([end(magics[0]), end(magics[1])], [magics[1], magics[2]]);
    let stack = 4 + 16 * 4 + 16 * 2560 + 32 * 4 + 32 * 32 + 4 + 32;
    assert_eq!(end(magics[2]) + 8 * stack, bytes.len());
    for number in 0..8 {
        assert_eq!(word(&bytes, end(magics[2]) + number * stack), 0x6333_68CA);
    }
    let (again, _) = SfnnWeights::read(&bytes).expect("what was written");
    assert_eq!(&again.transformer.psqt[..], &weights.transformer.psqt[..]);
    assert_eq!(written(&again, Compression::Leb128), bytes);
}

fn refusal(bytes: &[u8]) -> String {
    match NetFile::from_bytes(bytes) {
        Ok(_) => panic!("it was accepted"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn wrong_files_are_refused_with_the_place() {
    let weights = random(128, SfnnRanges::USUAL);
    let good = written(&weights, Compression::Raw);
    let description = weights.description.len();
    let with = |at: usize, byte: u8| {
        let mut bytes = good.clone();
        bytes[at] ^= byte;
        bytes
    };
    assert!(refusal(&[]).contains("it is not a net"));
    assert!(refusal(b"PK\x03\x04").contains("it is not a net"));
    assert!(refusal(&with(4, 1)).contains("belongs to no known shape"));
    assert_eq!(
        refusal(&with(12 + description, 1)),
        "the hash of the feature transformer at byte 30 is 0x7F234DB9, but should be 0x7F234DB8"
    );
    let stacks = 16 + description + 2 * 128 * 22_529 + 32 * 22_528;
    let stack = 1256 + 16 * 128 + 4 - 4;
    for number in [0, 7] {
        let error = refusal(&with(stacks + number * stack + 3, 0x80));
        assert!(
            error.starts_with(&format!("the hash of stack {number} at byte")),
            "{error}"
        );
    }
    let mut longer = good.clone();
    longer.push(0);
    assert!(refusal(&longer).contains("but the file has 1 more"));
    for length in [3, 4, 11, 20, 34, 4_000, stacks + 2, good.len() - 1] {
        let error = refusal(&good[..length]);
        assert!(
            error.contains("the file ends within") || error.contains("is not a net"),
            "{length}: {error}"
        );
    }
}

#[test]
fn newer_and_older_files_are_refused_by_name() {
    let newer = [0xFA, 0x8A, 0x44, 0x6A, 0x05, 0x22, 0x5B, 0xA8, 0, 0, 0, 0];
    let error = refusal(&newer);
    assert!(
        error.contains("0x6A448AFA") && error.contains("Stockfish 19"),
        "{error}"
    );
    let older = [0x20, 0x2F, 0xF3, 0x7A, 0x72, 0x3E, 0x10, 0x3C, 0, 0, 0, 0];
    assert!(refusal(&older).contains("before 15"));
    let threats = [0x20, 0x2F, 0xF3, 0x7A, 1, 2, 3, 4, 0, 0, 0, 0];
    assert!(refusal(&threats).contains("Stockfish 18"));
}

/// A length that exceeds the file is refused before it is used.
#[test]
fn lengths_are_checked_first() {
    let mut bytes = written(&random(128, SfnnRanges::USUAL), Compression::Leb128);
    let magic = 16 + 18;
    bytes[8..12].copy_from_slice(&u32::MAX.to_le_bytes());
    assert!(refusal(&bytes).contains("within the description"));
    bytes[8..12].copy_from_slice(&18u32.to_le_bytes());
    let length = word(&bytes, magic + 17);
    for (wrong, words) in [
        (u32::MAX, "the file ends within the transformer's biases"),
        (length - 1, "transformer's biases: the compressed number"),
        (length + 1, "transformer's biases: the compressed number"),
    ] {
        bytes[magic + 17..magic + 21].copy_from_slice(&wrong.to_le_bytes());
        let error = refusal(&bytes);
        assert!(error.contains(words), "{wrong}: {error}");
    }
}

#[test]
fn weights_that_let_sums_overflow_are_named() {
    let mut weights = random(128, SfnnRanges::USUAL);
    weights.transformer.biases[17] = 32_700;
    // A knight of the own side on any square of king bucket 3.
    for square in 0..64 {
        weights.transformer.weights[(3 * 704 + 128 + square) * 128 + 17] = 100;
    }
    let feature = 3 * 704 + 128 + 5;
    weights.transformer.weights[feature * 128 + 17] = 101;
    match weights.check_bounds() {
        Err(BoundError::Accumulator {
            column: 17, reach, ..
        }) => assert!(reach > 32_767),
        other => panic!("{other:?}"),
    }
    let error = weights.write(Compression::Raw, &mut Vec::new());
    assert!(matches!(error, Err(NetError::Bound(_))));

    let mut weights = random(128, SfnnRanges::USUAL);
    weights.stacks[2].layers[1].biases[9] = i32::MAX / 2;
    let error = weights.check_bounds().expect_err("too large").to_string();
    assert!(
        error.starts_with("output 9 of fc1, stack 2, can reach"),
        "{error}"
    );

    let mut weights = random(128, SfnnRanges::USUAL);
    weights.transformer.psqt[8 * 704 + 6] = i32::MAX / 2;
    let error = weights.check_bounds().expect_err("too large").to_string();
    assert!(error.starts_with("material bucket 6 can reach"), "{error}");
    assert!(error.ends_with("of input 704"), "{error}");

    let mut weights = random(128, SfnnRanges::USUAL);
    assert_eq!(weights.check_skip(), Ok(()));
    weights.stacks[4].layers[0].biases[15] = 223_000;
    assert_eq!(weights.check_bounds(), Ok(()));
    let error = weights.check_skip().expect_err("too large").to_string();
    assert!(
        error.starts_with("output 15 of fc0, stack 4, can reach"),
        "{error}"
    );
}

/// The bound assumes exactly a king and at most 15 other men for each side.
#[test]
fn the_bound_of_accumulators_is_as_tight_as_it_says() {
    let shape = SfnnShape::new(128).expect("a width");
    let mut weights = SfnnWeights::zeros(shape).expect("memory");
    // Own pawns and enemy queens everywhere; both kings on their plane.
    for square in 0..64 {
        for plane in [0, 9] {
            weights.transformer.weights[(plane * 64 + square) * 128] = 1_000;
        }
    }
    weights.transformer.biases[0] = (32_767 - 30 * 1_000) as i16;
    assert_eq!(weights.check_bounds(), Ok(()));
    weights.transformer.biases[0] += 1;
    assert!(weights.check_bounds().is_err());
}
