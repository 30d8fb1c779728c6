//! Ladders of players of this program: the order of meetings, their results, and that kills change
//! nothing.

use super::settings::read;
use super::standing::{Moment, Stage};
use super::work::next;
use super::*;
use crate::experiment::Ending;
use crate::manifest::Program;
use ::work::Threads;
use data::journal::{Author, Build};
use engines::StopSignal;
use std::path::Path;

const TEXT: &str = r#"
seed = 3
players = ["name=better depth=2 model=classical", "name=worse depth=1 model=heuristic kind=sequence nodes=1"]
anchors = ["name=low depth=1 model=classical", "name=high nodes=300 model=classical"]
find_games = 4
decide_games = 6
deciding = 1
climb_above = 0.3

[games]
horizon = 40
random_plies = 2
"#;

fn program() -> Program {
    Program {
        version: "test".to_owned(),
        author: Author {
            build: Build {
                signature: 1,
                arithmetic: "test".to_owned(),
                format: 1,
            },
            accepts_others: false,
        },
    }
}

/// Plays a ladder until it has received this many events about games.
fn play(folder: &Path, most_news: usize) -> Option<Standing> {
    let stop = StopSignal::new();
    let mut heard = 0;
    let ladder = match folder.join("ladder.toml").exists() {
        true => Ladder::resume(folder, program()),
        false => Ladder::begin(folder, TEXT, program()),
    };
    let ending = ladder
        .expect("a ladder")
        .run(&Threads::new(2), &stop, &mut |news| {
            if matches!(news, News::Games { .. }) {
                heard += 1;
                if heard >= most_news {
                    stop.stop();
                }
            }
        });
    match ending.expect("games") {
        Ending::Finished(standing) => Some(*standing),
        Ending::Stopped => None,
    }
}

/// The standing without what depends on the machine.
fn without_times(mut standing: Standing) -> Standing {
    for row in &mut standing.players {
        row.milliseconds = 0.0;
    }
    standing
}

#[test]
fn a_ladder_is_climbed_decided_and_resumed() {
    let folder = tempfile::tempdir().expect("a folder");
    let whole = without_times(play(&folder.path().join("whole"), usize::MAX).expect("an end"));
    assert!(whole.finished);
    let decided: Vec<bool> = whole.meetings.iter().map(|it| it.decided).collect();
    assert_eq!(decided.iter().filter(|it| **it).count(), 2, "{decided:?}");
    for meeting in &whole.meetings {
        let games = if meeting.decided { 10 } else { 4 };
        assert_eq!(meeting.games.games(), games);
        let colors = meeting.colors.map(|games| games.games());
        assert_eq!(colors, [games / 2; 2]);
    }
    let row = &whole.players[0];
    assert!(row.legal == 1.0 && row.nodes > 1.0 && row.rating.is_some());
    assert!(folder.path().join("whole/report.html").exists());
    // Stopped again and again, it gives the same results.
    let path = folder.path().join("stopped");
    let standing = (0..100).find_map(|_| play(&path, 3)).expect("an end");
    assert_eq!(without_times(standing), whole);
    assert_eq!(without_times(look(&path).expect("a ladder")), whole);
}

#[test]
fn who_is_beaten_does_not_climb() {
    let settings = read(TEXT).expect("a ladder");
    let moment = next(&settings, &[]).expect("a meeting");
    assert_eq!(
        moment,
        Moment {
            stage: Stage::Find,
            player: "better".to_owned(),
            rung: "low".to_owned(),
        }
    );
    // At least one rung is tried and one decided for each player.
    assert_eq!(settings.all_games(), [2 * (4 + 6), 2 * (8 + 6)]);
}

#[test]
fn what_makes_no_sense_is_named() {
    for (text, problem) in [
        ("", "players: give at least one"),
        ("players = [\"depth=1\"]", "anchors: there are no rungs"),
        (
            "players = [\"name=a depth=1\"]\nanchors = [\"name=a depth=2\"]",
            "two players are named 'a'",
        ),
        (
            "players = [\"depth=1\"]\nanchors = [\"name=a depth=2\"]\nfind_games = 3",
            "find_games: every opening is played twice",
        ),
        ("players = [\"speed=1\"]", "speed"),
    ] {
        let error = read(text).expect_err(text).to_string();
        assert!(error.contains(problem), "{error}");
    }
}
