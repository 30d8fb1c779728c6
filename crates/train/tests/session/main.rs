//! Whole trainings on small data: they learn, they stop and go on, and their nets
//! say in integers what they said in floats.

mod exports;
mod follow;
mod made;
mod start;
mod stockfish;
mod training_loop;

use made::{BUCKETED, SMALL, STOCKFISH_SHAPED, folder_with_data, settings};
use std::path::Path;
use train::nnue::Session;
use train::{Schedule, Training};

#[test]
fn a_net_learns_to_count_men() {
    let (_folder, data) = folder_with_data();
    let mut session = Session::begin(settings(data, SMALL), 1).expect("a session");
    let before = session.validate();
    assert!(before.positions > 100);
    while !session.is_over() {
        session.step().expect("a step");
    }
    let after = session.validate();
    assert_eq!(session.epochs(), 3);
    assert!(after.loss < before.loss / 20.0, "{before:?} {after:?}");
}

/// The numbers that a checkpoint holds, without its header.
fn numbers(session: &mut Session, folder: &Path) -> Vec<u8> {
    let path = folder.join("numbers");
    session.save(&path).expect("saved");
    std::fs::read(path).expect("readable")
}

#[test]
fn a_training_that_was_stopped_ends_with_the_same_bytes() {
    let (folder, data) = folder_with_data();
    for shape in [SMALL, BUCKETED, STOCKFISH_SHAPED] {
        let settings = settings(data.clone(), shape);
        let mut whole = Session::begin(settings.clone(), 1).expect("a session");
        while !whole.is_over() {
            whole.step().expect("a step");
        }
        let path = folder.path().join("checkpoint");
        let end = whole.epoch_steps();
        let stops = match shape {
            STOCKFISH_SHAPED => vec![end + 7],
            _ => vec![1, end, end + 7],
        };
        for stop in stops {
            let mut first = Session::begin(settings.clone(), 2).expect("a session");
            for _ in 0..stop {
                first.step().expect("a step");
            }
            first.save(&path).expect("saved");
            drop(first);
            let mut second = Session::resume(settings.clone(), 1, &path).expect("resumed");
            assert_eq!(second.steps(), stop);
            while !second.is_over() {
                second.step().expect("a step");
            }
            let [a, b] = [&mut whole, &mut second].map(|s| numbers(s, folder.path()));
            assert!(a == b, "stopped after {stop} steps");
        }
    }
}

#[test]
fn foreign_and_damaged_checkpoints_are_refused() {
    let (folder, data) = folder_with_data();
    let own = settings(data.clone(), SMALL);
    let mut session = Session::begin(own.clone(), 1).expect("a session");
    session.step().expect("a step");
    let path = folder.path().join("checkpoint");
    session.save(&path).expect("saved");
    let mut other = own.clone();
    other.course.seed = 6;
    let refused = Session::resume(other, 1, &path).err().expect("refused");
    assert!(
        refused.to_string().contains("(seed was 5 and is 6)"),
        "{refused}"
    );
    let whole = std::fs::read(&path).expect("readable");
    for (damage, complaint) in [
        (whole[..whole.len() / 2].to_vec(), "its hash does not match"),
        (whole[..20].to_vec(), "it is too short"),
        (
            b"something else that is long enough to be a checkpoint".to_vec(),
            "it has another signature",
        ),
        (
            [&whole[..whole.len() - 40], &[1; 40]].concat(),
            "its hash does not match",
        ),
    ] {
        std::fs::write(&path, damage).expect("written");
        let refused = Session::resume(own.clone(), 1, &path)
            .err()
            .expect("refused");
        assert!(refused.to_string().contains(complaint), "{refused}");
    }
}

#[test]
fn wrong_settings_are_named() {
    let (_folder, data) = folder_with_data();
    for (more, complaint) in [
        ("[net]\nhidden = 40\n", "net: 40 hidden values"),
        (
            "[net]\nshape = \"sfnn\"\nhidden = 100\n",
            "net.hidden: 100 is not one of 128, 256",
        ),
        (
            "[net]\nking_buckets = [0, 1]\n",
            "net.king_buckets: 2 numbers instead of 64",
        ),
        ("filters = [\"capture\"]\n", "filters: "),
        (
            "ema = 1.5\n",
            "ema: it is 1.5, but must be at least 0 and below 1",
        ),
        ("validation_share = 0.7\n", "validation_share: "),
    ] {
        let refused = Session::begin(settings(data.clone(), more), 1);
        let refused = refused.err().expect("refused").to_string();
        assert!(refused.starts_with(complaint), "{refused}");
    }
    let missing = Session::begin(settings("nowhere.binpack".into(), ""), 1);
    let refused = missing.err().expect("refused").to_string();
    assert!(refused.contains("nowhere.binpack"), "{refused}");
}

/// One position that was won three times of four: the best that a net can say is
/// the mean result, and the loss that is left is the variance of results.
#[test]
fn contradictions_leave_their_variance() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("same.binpack");
    made::write_contradictions(&data);
    for shape in ["hidden = 32\n", "shape = \"sfnn\"\nhidden = 128\n"] {
        let more = format!(
            "validation = [{data:?}]\n[loss]\nin_scaling = 400\nout_scaling = 400\nexponent = 2\n\
             [net]\n{shape}"
        );
        let mut settings = settings(data.clone(), &more);
        settings.lambda = Schedule::Constant(0.0);
        settings.course.epochs = 120;
        let mut session = made::trained(settings);
        let judged = session.validate();
        assert_eq!(judged.positions, 400);
        assert!((judged.loss - 0.1875).abs() < 1e-5, "{shape}: {judged:?}");
    }
}
