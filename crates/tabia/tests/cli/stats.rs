//! `tabia stats`: golden reports, degenerate counts and wrong usage.

use crate::program::{run, with_short_numbers};
use insta::assert_snapshot;

#[test]
fn pairs_with_a_test() {
    let arguments = "stats --pentanomial 39,2226,31451,2412,40 --elo0 0 --elo1 2";
    let words: Vec<_> = arguments.split(' ').collect();
    assert_snapshot!(run(&words), @r"
    exit 0
    --- stdout
    games             72336
    pairs             36168
    Ptnml             39 2226 31451 2412 40
    score             50.13 %
    Elo               +0.90 [+0.24, +1.57]
    normalized Elo    +3.45 [+0.92, +5.98]
    LOS               99.62 %
    pairs drawn       86.96 %
    pairs won/lost    1.08

    SPRT              normalized [0, 2], alpha 0.05, beta 0.05
    LLR               2.9369 between -2.9444 and 2.9444
    decision          none yet
    Elo after SPRT    +0.82 [+0.13, +1.50], LOS 98.94 %
    ");
}

#[test]
fn six_counts_tell_the_games_too() {
    assert_snapshot!(run(&["stats", "-p", "[3, 10, 30, 10, 25, 6]"]), @r"
    exit 0
    --- stdout
    games             168
    lost, drawn, won  26 95 47
    pairs             84
    Ptnml             3 10 40 25 6
    score             56.25 %
    Elo               +43.66 [+10.57, +77.56]
    normalized Elo    +69.42 [+16.88, +121.96]
    LOS               99.52 %
    games drawn       56.55 %
    pairs drawn       47.62 %
    pairs won/lost    2.38
    WL/DD             0.33
    ");
}

#[test]
fn games_with_a_test_that_passed() {
    let arguments = "stats -t 1908,4385,2065 --elo0 0 --elo1 5 --model logistic --beta 0.1";
    let words: Vec<_> = arguments.split(' ').collect();
    assert_snapshot!(run(&words));
}

#[test]
fn infinite_numbers_are_null_in_json() {
    let only_wins = run(&["stats", "-p", "0,0,0,0,20", "--json"]);
    assert_snapshot!(with_short_numbers(&only_wins));
    assert_snapshot!(run(&["stats", "-t", "0,0,0", "--json"]));
}

#[test]
fn only_wins_prove_as_much_as_they_can() {
    let arguments = "stats -p 0,0,0,0,20 --elo0 0 --elo1 100";
    let words: Vec<_> = arguments.split(' ').collect();
    assert_snapshot!(run(&words));
}

#[test]
fn plans() {
    let arguments = "stats plan --elo 10 --draw-rate 0.4 --margin 5 --games 1000 --elo0 0 --elo1 5";
    let words: Vec<_> = arguments.split(' ').collect();
    assert_snapshot!(run(&words));
    let arguments = "stats --json plan --elo -3 --draw-rate 0.6";
    let words: Vec<_> = arguments.split(' ').collect();
    assert_snapshot!(with_short_numbers(&run(&words)));
}

#[test]
fn wrong_wishes_are_wrong_usage() {
    for (arguments, complaint) in [
        ("stats -p 1,2,3", "expected five or six counts, got 3"),
        ("stats -t 1,2,x", "'x' is not a count from 0 to"),
        ("stats -t 1,2,3 -p 1,2,3,4,5", "cannot be used with"),
        ("stats --elo0 0 --elo1 5", "required"),
        ("stats -t 1,2,3 --elo0 0", "--elo1 <ELO>"),
        (
            "stats -t 1,2,3 --elo0 5 --elo1 0",
            "elo1 must be the greater",
        ),
        ("stats -t 1,2,3 --elo0 0 --elo1 5 --alpha 0", "alpha is 0,"),
        (
            "stats -t 1,2,3 --elo0 nan --elo1 5",
            "a hypothesis of NaN Elo",
        ),
        (
            "stats -t 1,2,3 plan --elo 1 --draw-rate 0",
            "or the subcommand `plan`",
        ),
        (
            "stats plan --elo 400 --draw-rate 0.5",
            "is impossible for 400 Elo",
        ),
        (
            "stats plan --elo 4 --draw-rate 0.5 --margin 0",
            "--margin is 0,",
        ),
        (
            "stats plan --elo 4 --draw-rate 0.5 --power 1",
            "--power is 1,",
        ),
    ] {
        let words: Vec<_> = arguments.split(' ').collect();
        let said = run(&words);
        assert!(said.starts_with("exit 2\n--- stderr\nerror: "), "{said}");
        assert!(said.contains(complaint), "{said}");
    }
}
