//! Shards and arrays are written and read back; the errors of broken ones.

use super::*;
use crate::position::Outcome;
use chess::{Board, File, Move};
use std::path::Path;

fn random(state: &mut u64) -> u64 {
    *state = state
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    *state >> 33
}

/// Positions of random games, with visits of some moves.
fn records(count: usize) -> Vec<PolicyRecord> {
    let mut state = 17;
    let mut records = Vec::new();
    let mut board = Board::start();
    let mut double_step: Option<File> = None;
    while records.len() < count {
        let legal = board.legal_moves();
        if legal.is_empty() || board.halfmove_clock() > 60 {
            (board, double_step) = (Board::start(), None);
            continue;
        }
        let moves: Vec<(Move, u32)> = legal
            .iter()
            .filter(|mv| {
                mv.promotes_to()
                    .is_none_or(|kind| kind == chess::PieceKind::Queen)
            })
            .map(|&mv| (mv, (random(&mut state) % 50) as u32 + 1))
            .collect();
        let number = records.len();
        records.push(PolicyRecord {
            board,
            double_step,
            occurrences: (number % 3) as u8,
            moves,
            chances: [0.5, 0.25, 0.25],
            result: Outcome::ALL[number % 3],
            weight: 1.0,
            policy_weight: 0.5,
            final_balance: -3,
            ply: number as u16,
        });
        let mv = legal[random(&mut state) as usize % legal.len()];
        let is_pawn = board.kind_at(mv.from()) == Some(chess::PieceKind::Pawn);
        let is_double = mv.from().index().abs_diff(mv.to().index()) == 16;
        double_step = (is_pawn && is_double).then(|| mv.to().file());
        board = board.after(mv);
    }
    records
}

fn written(path: &Path, records: &[PolicyRecord]) {
    let mut writer = PolicyWriter::begin(path).expect("a file");
    for record in records {
        writer.push(record).expect("written");
    }
    assert_eq!(writer.records(), records.len() as u64);
    writer.finish().expect("written");
}

fn read_all(path: &Path) -> Result<Vec<PolicyRecord>, PolicyShardError> {
    let mut reader = PolicyReader::open(path)?;
    let mut all = Vec::new();
    while let Some(mut block) = reader.next_block()? {
        all.append(&mut block);
    }
    Ok(all)
}

#[test]
fn shards_hold_what_was_put_in() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.policy");
    // More than two blocks.
    let records = records(5_000);
    written(&path, &records);
    assert!(std::fs::metadata(&path).expect("a file").len() > 2 << 18);
    assert_eq!(read_all(&path).expect("readable"), records);
    written(&path, &[]);
    assert_eq!(read_all(&path).expect("readable"), []);
}

#[test]
fn broken_shards_are_named_with_their_place() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("a.policy");
    written(&path, &records(20));
    let whole = std::fs::read(&path).expect("a file");
    let complaint = |bytes: &[u8]| {
        std::fs::write(&path, bytes).expect("written");
        let words = read_all(&path).expect_err("broken").to_string();
        assert!(
            words.contains("a.policy") && !words.contains('\n'),
            "{words}"
        );
        words
    };
    for length in (0..whole.len()).step_by(37) {
        complaint(&whole[..length]);
    }
    for at in (0..whole.len()).step_by(41) {
        let mut bytes = whole.clone();
        bytes[at] ^= 4;
        complaint(&bytes);
    }
    let mut longer = whole.clone();
    longer.push(0);
    assert!(complaint(&longer).ends_with("the file continues after its end"));
    assert!(complaint(b"PK").ends_with("it does not begin with TABIAPVS"));
}

#[test]
fn arrays_hold_the_published_numbers() {
    let mut board = Board::start();
    board.make(board.parse_uci("e2e4").expect("a move"));
    board.make(board.parse_uci("c7c5").expect("a move"));
    let visits = |text: &str, count| (board.parse_uci(text).expect("a move"), count);
    let record = PolicyRecord {
        board,
        double_step: Some(File::C),
        occurrences: 0,
        moves: vec![visits("g1f3", 6), visits("g1e2", 2), visits("d2d4", 2)],
        chances: [0.75, 0.0, 0.25],
        result: Outcome::Loss,
        weight: 1.0,
        policy_weight: 1.0,
        final_balance: 0,
        ply: 2,
    };
    let bytes = write_npz(std::slice::from_ref(&record), 0.25).expect("a file");
    let array = |name: &str| {
        let files = zip::read(&bytes).expect("an archive");
        let (_, file) = files
            .into_iter()
            .find(|(it, _)| it == name)
            .expect("an array");
        npy::Array::read(&file).expect("readable")
    };
    assert_eq!(array("X.npy").lengths, [1, 18, 8, 8]);
    let planes = array("X.npy").floats();
    // The c-file is marked though nobody can capture there.
    assert_eq!((planes[17 * 64 + 2], planes[17 * 64 + 3]), (1.0, 0.0));
    assert_eq!(
        (planes[28], planes[12 * 64], planes[16 * 64 + 63]),
        (1.0, 1.0, 1.0)
    );
    let origins = array("PF.npy").floats();
    assert_eq!((origins[6], origins[11], origins[0]), (0.8, 0.2, 0.0));
    let targets = array("PD.npy").floats();
    assert_eq!((targets[6 * 64 + 21], targets[6 * 64 + 12]), (0.75, 0.25));
    assert_eq!(targets[11 * 64 + 27], 1.0);
    // The knight of g1 can go to e2, f3 and h3.
    let legal = array("L.npy").floats();
    assert_eq!(
        legal[6 * 8..7 * 8],
        [0.0, 16.0, 160.0, 0.0, 0.0, 0.0, 0.0, 0.0]
    );
    // A quarter of the search's value and three quarters of the result.
    assert_eq!(array("Z.npy").floats(), [0.25 * 0.5 - 0.75]);
    let back = read_npz(&bytes).expect("readable");
    assert_eq!(
        back[0].board.fen(),
        record.board.fen().replace("0 2", "0 1")
    );
    assert_eq!(back[0].double_step, Some(File::C));
    let counts: Vec<u32> = back[0].moves.iter().map(|&(_, it)| it / 1_000).collect();
    assert_eq!(counts, [200, 600, 200]);
}

#[test]
fn arrays_keep_positions_and_shares() {
    let records = records(300);
    let bytes = write_npz(&records, 1.0).expect("a file");
    let back = read_npz(&bytes).expect("readable");
    assert_eq!(back.len(), records.len());
    for (record, back) in records.iter().zip(&back) {
        assert_eq!(back.double_step, record.double_step);
        assert!(
            back.board.same_position(&record.board),
            "{:?}",
            record.board
        );
        let all: u32 = record.moves.iter().map(|&(_, visits)| visits).sum();
        assert_eq!(back.moves.len(), record.moves.len());
        for (&(mv, visits), &(other, share)) in record.moves.iter().zip(&back.moves) {
            assert_eq!(mv, other);
            let expected = f64::from(visits) / f64::from(all);
            assert!((f64::from(share) / 1e6 - expected).abs() < 1e-5);
        }
    }
}

#[test]
fn broken_archives_are_refused_in_words() {
    let bytes = write_npz(&records(2), 1.0).expect("a file");
    for at in (0..bytes.len()).step_by(331) {
        let mut broken = bytes.clone();
        broken[at] ^= 0x40;
        if let Err(error) = read_npz(&broken) {
            assert!(!error.to_string().contains('\n'));
        }
        assert!(read_npz(&bytes[..at]).is_err());
    }
    let files = zip::read(&bytes).expect("an archive");
    let some: Vec<(&str, Vec<u8>)> = files[..3]
        .iter()
        .map(|(name, bytes)| (&name[..], bytes.clone()))
        .collect();
    let less = zip::write(&some).expect("an archive");
    assert_eq!(read_npz(&less), Err(NpzError::Missing("Z")));
}
