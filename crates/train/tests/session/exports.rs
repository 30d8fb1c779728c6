//! Nets of integers against the floats that they were made of.

use crate::made::{BUCKETED, SMALL, STOCKFISH_SHAPED, folder_with_data, settings, trained};
use nets::nnue::Net;
use nets::nnue::sfnn::Sfnn;
use nets::nnue::simple::Simple;
use std::sync::Arc;
use train::nnue::{Exported, Session};

pub(crate) fn net(exported: Exported) -> Net {
    match exported {
        Exported::Simple(weights) => {
            Net::Simple(Arc::new(Simple::new(*weights).expect("within bounds")))
        }
        Exported::Sfnn(weights) => Net::Sfnn(Arc::new(Sfnn::new(*weights).expect("within bounds"))),
    }
}

/// A net as it should be, and one whose last layer is not.
fn whole_and_damaged(session: &mut Session) -> [Net; 2] {
    let whole = net(session.export().expect("a net"));
    let mut damaged = session.export().expect("a net");
    match &mut damaged {
        Exported::Simple(weights) => {
            let part = (weights.shape().unit() / 4) as i32;
            weights
                .output_biases
                .iter_mut()
                .for_each(|bias| *bias += part);
        }
        Exported::Sfnn(weights) => {
            for stack in &mut weights.stacks {
                stack.layers[2].biases[0] += 9_600 / 4;
            }
        }
    }
    [whole, net(damaged)]
}

#[test]
fn integers_say_what_floats_said() {
    let (_folder, data) = folder_with_data();
    // The mean and the largest difference, in centipawns. Output weights
    // of simple nets have steps of 1/64, and there are few of them.
    for (shape, [mean, largest]) in [
        (SMALL, [6.0, 15.0]),
        (BUCKETED, [5.0, 15.0]),
        (STOCKFISH_SHAPED, [3.0, 12.0]),
    ] {
        let mut session = trained(settings(data.clone(), shape));
        let [whole, damaged] = whole_and_damaged(&mut session);
        let check = session.check_export(&whole);
        assert!(check.positions > 100, "{check:?}");
        assert!(check.mean < mean && check.largest < largest, "{check:?}");
        assert!(
            check.mean <= check.percentile_95 && check.percentile_95 <= check.largest,
            "{check:?}"
        );
        let check = session.check_export(&damaged);
        assert!(check.mean > 40.0, "{check:?}");
    }
}
