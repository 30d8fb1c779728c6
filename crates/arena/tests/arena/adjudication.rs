//! Every way to end a game but failures, each at the very ply.

use crate::scripted::{Scripted, answer, game, quiet, quiet_move, reader};
use arena::game::{AtHorizon, DrawRule, Endings, Outcome, Played, Reason, ResignRule, Rules};
use chess::Game;
use engines::score::Score;
use engines::tablebase::Verdict;
use std::sync::Arc;

/// Rooks and pawns that stand: hundreds of quiet moves without a repetition.
const QUIET: &str = "4k2r/p7/p7/8/8/P7/P7/4K2R w - - 0 20";

const fn cp(value: i32) -> Option<Score> {
    Some(Score::Centipawns(value))
}

fn rules(endings: Endings) -> Rules {
    Rules {
        endings,
        oracle: None,
    }
}

fn draw_rule(words: &str) -> Rules {
    rules(Endings {
        draw: Some(DrawRule::from_words(words).expect("a rule")),
        ..Endings::default()
    })
}

fn resign_rule(words: &str) -> Rules {
    rules(Endings {
        resign: Some(ResignRule::from_words(words).expect("a rule")),
        ..Endings::default()
    })
}

/// Result, reason and plies.
fn end(played: &Played) -> (&'static str, Reason, usize) {
    let plies = played.game.moves().len();
    assert_eq!(played.thoughts.len(), plies);
    (played.outcome.as_str(), played.reason, plies)
}

#[test]
fn level_scores_are_a_draw() {
    let rules = draw_rule("movenumber=0 movecount=3 score=20");
    let (mut white, mut black) = (quiet(|_| cp(20)), quiet(|_| cp(-20)));
    let played = game(QUIET, &mut white, &mut black, &rules);
    assert_eq!(end(&played), ("1/2-1/2", Reason::DrawByScore, 6));
}

#[test]
fn a_draw_waits_for_its_move_number() {
    let rules = draw_rule("movenumber=26 movecount=3 score=20");
    let (mut white, mut black) = (quiet(|_| cp(0)), quiet(|_| cp(0)));
    let played = game(QUIET, &mut white, &mut black, &rules);
    // After Black's 25th move the number is 26.
    assert_eq!(end(&played), ("1/2-1/2", Reason::DrawByScore, 12));
}

#[test]
fn one_larger_or_missing_score_begins_the_count_anew() {
    let rules = draw_rule("movenumber=0 movecount=3 score=20");
    for odd in [cp(21), cp(-21), Some(Score::Mate(3)), None] {
        let mut white = quiet(move |ply| if ply == 4 { odd } else { cp(5) });
        let mut black = quiet(|_| cp(-5));
        let played = game(QUIET, &mut white, &mut black, &rules);
        assert_eq!(
            end(&played),
            ("1/2-1/2", Reason::DrawByScore, 5 + 6),
            "{odd:?}"
        );
    }
}

#[test]
fn a_pawn_move_begins_the_count_of_level_scores_anew() {
    let rules = draw_rule("movenumber=0 movecount=3 score=20");
    let mut white = Scripted(|game: &Game| {
        let pawn = game.board().parse_uci("a3a4").ok();
        let best = match game.moves().len() {
            4 => pawn.expect("the pawn stands there"),
            _ => quiet_move(game),
        };
        Ok(answer(best, cp(0)))
    });
    let played = game(QUIET, &mut white, &mut quiet(|_| cp(0)), &rules);
    assert_eq!(end(&played), ("1/2-1/2", Reason::DrawByScore, 5 + 6));
}

#[test]
fn who_sees_itself_lost_has_lost() {
    let rules = resign_rule("movecount=3 score=600");
    let (mut white, mut black) = (quiet(|_| cp(0)), quiet(|_| cp(-600)));
    let played = game(QUIET, &mut white, &mut black, &rules);
    assert_eq!(end(&played), ("1-0", Reason::Resignation, 6));
    let (mut white, mut black) = (quiet(|_| Some(Score::Mate(-4))), quiet(|_| cp(0)));
    let played = game(QUIET, &mut white, &mut black, &rules);
    assert_eq!(end(&played), ("0-1", Reason::Resignation, 5));
}

#[test]
fn hope_begins_the_count_of_resigning_anew() {
    let rules = resign_rule("movecount=3 score=600");
    let mut black = quiet(|ply| if ply == 3 { cp(-599) } else { cp(-700) });
    let played = game(QUIET, &mut quiet(|_| cp(0)), &mut black, &rules);
    assert_eq!(end(&played), ("1-0", Reason::Resignation, 4 + 6));
}

#[test]
fn two_sided_resigning_wants_both_to_see_it() {
    let rules = Rules {
        endings: Endings {
            horizon: Some(30),
            ..resign_rule("movecount=3 score=600 twosided=true").endings
        },
        oracle: None,
    };
    let (mut white, mut black) = (quiet(|_| cp(100)), quiet(|_| cp(-900)));
    let played = game(QUIET, &mut white, &mut black, &rules);
    assert_eq!(end(&played), ("1/2-1/2", Reason::Horizon, 30));
    // Each sees itself winning: nobody agrees.
    let (mut white, mut black) = (quiet(|_| cp(900)), quiet(|_| cp(900)));
    let played = game(QUIET, &mut white, &mut black, &rules);
    assert_eq!(end(&played), ("1/2-1/2", Reason::Horizon, 30));
    let mut white = quiet(|ply| cp(if ply < 4 { 500 } else { 900 }));
    let mut black = quiet(|_| cp(-900));
    let played = game(QUIET, &mut white, &mut black, &rules);
    assert_eq!(end(&played), ("1-0", Reason::Resignation, 3 + 6));
}

#[test]
fn at_the_horizon_a_clear_last_score_wins() {
    let endings = Endings {
        horizon: Some(7),
        at_horizon: AtHorizon::Score,
        ..Endings::default()
    };
    // White makes the seventh ply; what Black says does not count.
    for (value, expected) in [
        (Some(100), "1-0"),
        (Some(99), "1/2-1/2"),
        (Some(-99), "1/2-1/2"),
        (Some(-100), "0-1"),
        (None, "1/2-1/2"),
    ] {
        let told = move |_| value.map(Score::Centipawns);
        let (mut white, mut black) = (quiet(told), quiet(|_| Some(Score::Centipawns(500))));
        let played = game(QUIET, &mut white, &mut black, &rules(endings.clone()));
        assert_eq!(end(&played), (expected, Reason::Score, 7), "{value:?}");
    }
}

#[test]
fn the_horizon_is_a_draw_or_weighs_the_material() {
    let horizon = |at_horizon| {
        rules(Endings {
            horizon: Some(7),
            at_horizon,
            ..Endings::default()
        })
    };
    let more_for_white = "4k2r/p7/p7/8/8/P7/P7/N3K2R w - - 0 1";
    let more_for_black = "4k2q/p7/p7/8/8/P7/P7/RN2K3 w - - 0 1";
    for (fen, at_horizon, expected) in [
        (
            more_for_white,
            AtHorizon::Draw,
            ("1/2-1/2", Reason::Horizon, 7),
        ),
        (
            more_for_white,
            AtHorizon::Material,
            ("1-0", Reason::Material, 7),
        ),
        (
            more_for_black,
            AtHorizon::Material,
            ("0-1", Reason::Material, 7),
        ),
        (QUIET, AtHorizon::Material, ("1/2-1/2", Reason::Material, 7)),
        // Queen and pawn are as much as two rooks.
        (
            "4k2q/p7/p7/p7/8/P7/P7/R3K2R w - - 0 1",
            AtHorizon::Material,
            ("1/2-1/2", Reason::Material, 7),
        ),
    ] {
        let (mut white, mut black) = (quiet(|_| None), quiet(|_| None));
        let played = game(fen, &mut white, &mut black, &horizon(at_horizon));
        assert_eq!(end(&played), expected, "{fen}");
    }
}

#[test]
fn tablebases_decide_for_the_side_to_move() {
    for (verdict, expected) in [
        (Verdict::Win, Outcome::BlackWins),
        (Verdict::Draw, Outcome::Draw),
        (Verdict::Loss, Outcome::WhiteWins),
    ] {
        // Known after White's second move, with Black to move.
        let rules = Rules {
            endings: Endings::default(),
            oracle: Some(Arc::new(move |board| {
                (board.halfmove_clock() == 3).then_some(verdict)
            })),
        };
        let (mut white, mut black) = (quiet(|_| None), quiet(|_| None));
        let played = game(QUIET, &mut white, &mut black, &rules);
        assert_eq!(end(&played), (expected.as_str(), Reason::Tablebase, 3));
    }
}

#[test]
fn real_tables_decide_after_a_capture() {
    let Some(data) = std::env::var_os("TABIA_DATA") else {
        eprintln!("TABIA_DATA is not set: no tables to ask");
        return;
    };
    let folder = std::path::PathBuf::from(data).join("syzygy");
    let endings = Endings {
        syzygy: Some(folder.to_string_lossy().into_owned()),
        ..Endings::default()
    };
    let rules = Rules::open(endings).expect("tables");
    let queen = "8/8/8/4k3/8/8/3p4/3QK3 w - - 0 1";
    let played = game(queen, &mut reader(&["d1d2"]), &mut reader(&[]), &rules);
    assert_eq!(end(&played), ("1-0", Reason::Tablebase, 1));
    let rook = "8/8/8/4k3/4r3/8/3p4/3RK3 w - - 0 1";
    let played = game(rook, &mut reader(&["e1d2"]), &mut reader(&[]), &rules);
    assert_eq!(end(&played), ("1/2-1/2", Reason::Tablebase, 1));
}

#[test]
fn a_folder_of_tables_that_is_not_there_is_named() {
    let endings = Endings {
        syzygy: Some("/no/such/folder".to_owned()),
        ..Endings::default()
    };
    let error = Rules::open(endings).expect_err("no folder");
    assert!(error.to_string().contains("/no/such/folder"), "{error}");
}

#[test]
fn the_rules_of_chess_come_first() {
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let (mut white, mut black) = (reader(&["f2f3", "g2g4"]), reader(&["e7e5", "d8h4"]));
    let at_once = rules(Endings {
        horizon: Some(4),
        ..Endings::default()
    });
    let played = game(start, &mut white, &mut black, &at_once);
    assert_eq!(end(&played), ("0-1", Reason::Checkmate, 4));

    let shuffle: &[&str] = &["g1f3", "f3g1", "g1f3", "f3g1"];
    let back: &[&str] = &["g8f6", "f6g8", "g8f6", "f6g8"];
    let played = game(
        start,
        &mut reader(shuffle),
        &mut reader(back),
        &Rules::default(),
    );
    assert_eq!(end(&played), ("1/2-1/2", Reason::Threefold, 8));

    let stalemate = "7k/8/6K1/8/8/8/8/5Q2 w - - 0 1";
    let (mut white, mut nobody) = (reader(&["f1f7"]), reader(&[]));
    let played = game(stalemate, &mut white, &mut nobody, &Rules::default());
    assert_eq!(end(&played), ("1/2-1/2", Reason::Stalemate, 1));

    let last_pawn = "8/8/8/8/8/4k3/4p3/4K3 w - - 0 1";
    let over = game(last_pawn, &mut nobody, &mut reader(&[]), &Rules::default());
    assert_eq!(end(&over), ("1/2-1/2", Reason::Stalemate, 0));
}

#[test]
fn fifty_quiet_moves_are_a_draw() {
    let (mut white, mut black) = (quiet(|_| None), quiet(|_| None));
    let played = game(QUIET, &mut white, &mut black, &Rules::default());
    assert_eq!(end(&played), ("1/2-1/2", Reason::FiftyMoves, 100));
}
