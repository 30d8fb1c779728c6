//! Selection files, valid and invalid.

use super::*;
use crate::project;

fn problem(text: &str) -> String {
    let error = read(text).expect_err(text);
    format!("{}: {error}", error.line(text))
}

#[test]
fn a_file_without_settings_is_the_published_one() {
    let settings = read("").expect("settings");
    assert_eq!((settings.gauntlet.games, settings.gauntlet.keep), (100, 8));
    assert_eq!(settings.round_robin.games, 1_750);
    assert_eq!((settings.peak.games, settings.peak.size), (6_000, 4));
    assert_eq!(settings.last.sprt.hypotheses(), [-3.0, 3.0]);
    assert_eq!(settings.last.player.pace.to_string(), "nodes=10000");
    assert_eq!(settings.baseline, "last");
    assert!(!settings.is_timed());
    assert_eq!(settings.most_meetings(), 100 + 252 + 2_002 + 20_000);
}

#[test]
fn a_stage_may_have_a_limit_of_its_own() {
    let text = "[player]\nnodes = 500\nhash = 2\n[final.player]\ntc = '10+0.1'\n\
                [peak]\nplayer.depth = 6\nallocation = { kind = 'open', rounds = 4 }\n";
    let settings = read(text).expect("settings");
    let pace = |player: &PlayerSpec| player.pace.to_string();
    assert_eq!(pace(&settings.gauntlet.player), "nodes=500");
    assert_eq!(pace(&settings.peak.player), "depth=6");
    assert_eq!(pace(&settings.last.player), "tc=10+0.1");
    assert!(settings.is_timed());
    let Allocation::Open { rounds, sure, .. } = settings.peak.allocation else {
        panic!("{:?}", settings.peak.allocation);
    };
    assert_eq!((rounds, sure), (4, 0.99));
    let fingerprint = |settings: &Settings| project::fingerprint(settings).expect("a fingerprint");
    let usual = read("").expect("settings");
    assert_ne!(fingerprint(&settings), fingerprint(&usual));
}

#[test]
fn mistakes_are_named_with_their_lines() {
    for (text, words) in [
        ("seed = 1\nsed = 2", "2: unknown field `sed`"),
        ("[gauntlet]\ngames = 3", "2: gauntlet.games: every opening"),
        (
            "[gauntlet]\nkeep = 1",
            "2: gauntlet.keep: it is 1, but must be from 2",
        ),
        (
            "\n[peak]\nsize = 1",
            "3: peak.size: it is 1, but must be from 2",
        ),
        (
            "[peak]\nleast_chance = 0.5",
            "2: peak.least_chance: it is 0.5, but must be at least 0",
        ),
        (
            "[peak]\nallocation = { kind = 'open', rounds = 1 }",
            "2: peak.allocation.rounds: it is 1, but must be from 2",
        ),
        ("[final]\nsprt = { elo0 = 2, elo1 = 1 }", "2: "),
        (
            "[player]\ncmd = 'x'\nnodes = 5",
            "cmd and model are mutually exclusive",
        ),
        (
            "[candidates]\nevery = 0",
            "2: candidates.every: it is 0, but must be from 1",
        ),
    ] {
        let found = problem(text);
        assert!(found.contains(words), "{text}: {found}");
    }
}
