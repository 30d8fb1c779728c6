//! Trainings that begin with the weights of a net.

use crate::exports::net;
use crate::made::{BUCKETED, SMALL, STOCKFISH_SHAPED, folder_with_data, settings, trained};
use nets::nnue::NetFile;
use nets::nnue::sfnn::Compression;
use std::path::Path;
use train::nnue::{Exported, Session};
use train::{Schedule, Training};

fn bytes(exported: Exported) -> Vec<u8> {
    let mut bytes = Vec::new();
    match exported {
        Exported::Simple(weights) => weights.write(&mut bytes),
        Exported::Sfnn(weights) => weights.write(Compression::Raw, &mut bytes),
    }
    .expect("within bounds");
    bytes
}

/// Trains a net and writes it down.
fn parent(path: &Path, data: &Path, shape: &str) -> Session {
    let mut session = trained(settings(data.to_owned(), shape));
    std::fs::write(path, bytes(session.export().expect("a net"))).expect("written");
    session
}

#[test]
fn a_training_begins_where_its_parent_ended() {
    let (folder, data) = folder_with_data();
    let path = folder.path().join("parent");
    let checkpoint = folder.path().join("checkpoint");
    for shape in [SMALL, BUCKETED, STOCKFISH_SHAPED] {
        let mut first = parent(&path, &data, shape);
        let mut own = settings(data.clone(), shape);
        own.start = Some(path.clone());
        own.course.seed = 77;
        let mut second = Session::begin(own.clone(), 1).expect("a session");
        let written = std::fs::read(&path).expect("the net");
        assert!(bytes(second.export().expect("a net")) == written);
        // Its floats are about as far from the integers as those of the parent.
        let integers = net(first.export().expect("a net"));
        let [own_check, parents] = [&mut second, &mut first].map(|it| it.check_export(&integers));
        assert!(
            own_check.mean < 2.0 * parents.mean + 1.0,
            "{own_check:?} {parents:?}"
        );
        let name = NetFile::from_bytes(&written).expect("a net").usual_name();
        assert_eq!(second.parent(), Some(&name[..]));
        // It goes on without the file, and still knows where it comes from.
        second.step().expect("a step");
        second.save(&checkpoint).expect("saved");
        std::fs::remove_file(&path).expect("removed");
        let resumed = Session::resume(own, 1, &checkpoint).expect("resumed");
        assert_eq!(resumed.parent(), Some(&name[..]));
    }
}

#[test]
fn steps_too_small_for_an_integer_are_not_lost() {
    let (folder, data) = folder_with_data();
    let path = folder.path().join("parent");
    let mut first = parent(&path, &data, SMALL);
    let mut own = settings(data, SMALL);
    own.start = Some(path);
    // Eight steps of at most 0.018 integers each.
    own.learning_rate = Schedule::Constant(1e-4);
    let mut second = Session::begin(own, 1).expect("a session");
    for _ in 0..8 {
        second.step().expect("a step");
    }
    let [before, after] = [&mut first, &mut second].map(|it| bytes(it.export().expect("a net")));
    let changed = before.iter().zip(&after).filter(|(a, b)| a != b).count();
    // Of some 24,000 weights; if all began at integers, only an output's bias would change.
    assert!(changed > 200, "{changed}");
}

#[test]
fn other_shapes_and_no_nets_are_refused() {
    let (folder, data) = folder_with_data();
    let path = folder.path().join("parent");
    let session = &mut parent(&path, &data, SMALL);
    let refused = |shape: &str| {
        let mut settings = settings(data.clone(), shape);
        settings.start = Some(path.clone());
        let refused = Session::begin(settings, 1).err().expect("refused");
        refused
            .to_string()
            .replace(&path.display().to_string(), "FILE")
    };
    let found = net(session.export().expect("a net")).to_string();
    assert_eq!(found, "768, 2 x 32 crelu, 1 bucket");
    assert_eq!(
        refused("[net]\nhidden = 64\n"),
        format!(
            "FILE has another shape: it is {found}, but the settings have 768, 2 x 64 screlu, 1 bucket"
        )
    );
    let other = refused("[net]\nshape = \"sfnn\"\nhidden = 128\n");
    assert!(other.ends_with("have HalfKAv2_hm, 2 x 128, 16-32-1, 8 buckets"));
    std::fs::write(&path, "no net").expect("written");
    assert!(refused(SMALL).starts_with("cannot start from FILE: "));
    std::fs::remove_file(&path).expect("removed");
    assert!(refused(SMALL).starts_with("cannot start from FILE: "));
}
