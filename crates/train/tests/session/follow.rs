//! Trainings that begin where others ended.

use crate::made::{BUCKETED, SMALL, folder_with_data, settings, trained, write_data};
use train::Training;
use train::nnue::{Memory, Session, first_net};

fn to_the_end(mut session: Session) -> Session {
    while !session.is_over() {
        session.step().expect("a step");
    }
    session
}

/// The file of the net.
fn net(session: &mut Session) -> Vec<u8> {
    let net = session.export().expect("a net");
    net.into_bytes("", Default::default()).expect("bytes")
}

#[test]
fn a_training_can_follow_another() {
    let (folder, data) = folder_with_data();
    let other = folder.path().join("other.binpack");
    write_data(&other, 100, 8);
    for shape in [SMALL, BUCKETED] {
        let mut first = trained(settings(data.clone(), shape));
        let end = folder.path().join("end");
        first.save(&end).expect("saved");
        let next = settings(other.clone(), shape);
        let follow = |memory| Session::follow(next.clone(), 1, &end, memory).expect("a session");
        let mut kept = follow(Memory::Kept);
        assert_eq!(kept.steps(), 0);
        assert!(net(&mut kept) == net(&mut first), "it begins with the net");
        let kept = net(&mut to_the_end(kept));
        assert!(kept != net(&mut first));
        assert!(kept != net(&mut to_the_end(follow(Memory::Fresh))));
        // It goes on after a stop, too.
        let mut stopped = follow(Memory::Kept);
        for _ in 0..5 {
            stopped.step().expect("a step");
        }
        let path = folder.path().join("stopped");
        stopped.save(&path).expect("saved");
        let resumed = Session::resume(next.clone(), 1, &path).expect("resumed");
        assert!(net(&mut to_the_end(resumed)) == kept);
    }
    let wide = settings(other, "[net]\nhidden = 96\n");
    let refused = Session::follow(wide, 1, &folder.path().join("end"), Memory::Kept);
    let refused = refused.err().expect("another shape").to_string();
    assert!(
        refused.contains("has weights of another shape"),
        "{refused}"
    );
}

#[test]
fn a_net_that_has_learned_nothing_can_be_followed() {
    let (folder, data) = folder_with_data();
    let settings = settings(data, SMALL);
    let path = folder.path().join("untrained");
    let first = first_net(&settings, &path).expect("a net");
    let first = first.into_bytes("", Default::default()).expect("bytes");
    let mut begun = Session::begin(settings.clone(), 1).expect("a session");
    assert!(net(&mut begun) == first);
    // Whoever begins and whoever follows learn the same.
    let followed = Session::follow(settings, 1, &path, Memory::Kept).expect("a session");
    assert!(net(&mut to_the_end(followed)) == net(&mut to_the_end(begun)));
}
