//! The names that both sides and the server's rights agree on: streams and subjects.
//!
//! The name of a worker is part of the subjects on which it speaks. A server with
//! credentials lets it speak on no others, so the name in a subject is proved.

/// The stream of units that wait for a worker.
pub(crate) const WORK_STREAM: &str = "TABIA_WORK";
/// The stream of results that wait for a coordinator.
pub(crate) const RESULT_STREAM: &str = "TABIA_RESULTS";
/// The object store of models and books, and its stream.
pub(crate) const BUCKET: &str = "tabia";
pub(crate) const BUCKET_STREAM: &str = "OBJ_tabia";

/// All subjects of the two streams.
pub(crate) const WORK_SUBJECTS: &str = "tabia.work.>";
pub(crate) const RESULT_SUBJECTS: &str = "tabia.result.>";

/// Who wants to know what there is sends anything here.
pub(crate) const PING: &str = "tabia.ping";

/// On all of these, sessions tell what they offer.
pub(crate) const ALL_SESSIONS: &str = "tabia.session.*";
/// On all of these, workers tell that they live.
pub(crate) const ALL_WORKERS: &str = "tabia.worker.*";
/// On all of these, sessions answer a ping.
pub(crate) const ALL_OVERVIEWS: &str = "tabia.overview.*";

/// The header of everything that a worker hands in. The server lets a worker publish on no
/// subject but its own, but it answers requests on any subject that they name: only a message
/// with this header, which no answer has, comes from the worker in its subject.
pub(crate) const BY_WORKER: &str = "Tabia-Worker";

/// The longest name of a worker.
const LONGEST_NAME: usize = 40;

/// Where the units of a job wait.
pub(crate) fn work(session: &str, job: u64) -> String {
    format!("tabia.work.{session}.{job}")
}

/// The units of all jobs of a session.
pub(crate) fn all_work(session: &str) -> String {
    format!("tabia.work.{session}.*")
}

/// Where a worker puts its results for a session.
pub(crate) fn result(worker: &str, session: &str) -> String {
    format!("tabia.result.{worker}.{session}")
}

/// The results of all workers for a session.
pub(crate) fn all_results(session: &str) -> String {
    format!("tabia.result.*.{session}")
}

/// Where a session tells what it offers.
pub(crate) fn session(session: &str) -> String {
    format!("tabia.session.{session}")
}

/// Where a session answers a ping.
pub(crate) fn overview(session: &str) -> String {
    format!("tabia.overview.{session}")
}

/// Where a worker tells that it lives.
pub(crate) fn worker(name: &str) -> String {
    format!("tabia.worker.{name}")
}

/// Where a worker is asked to do a certain unit.
pub(crate) fn ask(name: &str) -> String {
    format!("tabia.ask.{name}")
}

/// The part of a subject with this number, from 0.
pub(crate) fn part(subject: &str, number: usize) -> Option<&str> {
    subject.split('.').nth(number)
}

/// Where answers to one client come; nobody else may listen there.
pub(crate) fn inbox(name: &str) -> String {
    format!("_INBOX_{name}")
}

/// Whether a worker can have this name: letters, digits, `-` and `_`.
pub fn is_worker_name(name: &str) -> bool {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_".contains(letter);
    (1..=LONGEST_NAME).contains(&name.len()) && name.chars().all(is_plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_leave_their_place_in_a_subject() {
        for name in ["a", "anna-2", "lab_7", "X"] {
            assert!(is_worker_name(name), "{name}");
        }
        for name in ["", "a.b", "*", ">", "a b", "ä", &"x".repeat(41)] {
            assert!(!is_worker_name(name), "{name}");
        }
        assert_eq!(part(&result("anna", "s1"), 2), Some("anna"));
        assert_eq!(part(&session("s1"), 2), Some("s1"));
        assert_eq!(part("tabia", 2), None);
    }
}
