//! The types of all answers and requests for TypeScript, made from those of Rust.

use ts_rs::{Config, TS};

/// The generated file.
const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/page/src/types.ts");
/// Writes the file instead of comparing it.
const UPDATE: &str = "TABIA_UPDATE_TYPES";

/// Declarations, each once, with the type's own name made unique by its module.
fn declarations() -> String {
    let config = Config::default().with_large_int("number");
    let mut text = "// Made from the Rust types by `cargo test -p tabia-web types`; see \
                    crates/web/src/types.rs.\n"
        .to_owned();
    macro_rules! declare {
        ($($module:ident { $($name:ident),* $(,)? })*) => {
            $($(
                let declared = <crate::$module::$name as TS>::decl(&config);
                text += &format!("export {declared}\n");
            )*)*
        };
    }
    declare! {
        summaries { Interval, Standing, WorkSummary, Progress }
        run_index { About }
        event_stream { ServerEvent }
        search_results { Value, TriedMove, Variation, SearchUpdate }
        searches { Reply, MoveRequest, AnalysisRequest, Job }
        rules { Moves, Legal, End, Position }
        models { ModelName, PlayerName, Choice, StrengthRange }
        curves { Metric, Line, Curve }
        games { ListedGame, GameList, ShownGame, Ply, MatchCourse }
        runs { Detail, Generation, Rated, Meeting, Effect, Candidate, Claim, ClaimMatch, Files, HeldFile }
        cluster_status { ClusterStatus, ClusterWorker }
        inspection { AboutModel, Layer, Neurons, Sheet, Drawn, Belief, Man, Term, Share }
        shards { Bins, Counts, ShownPosition }
        control { Preset, Start, Chosen, Log }
    }
    text
}

#[test]
fn types_for_typescript_are_those_of_rust() {
    let made = declarations();
    if std::env::var_os(UPDATE).is_some() {
        std::fs::write(FILE, &made).expect("room for the types");
    }
    let kept = std::fs::read_to_string(FILE).unwrap_or_default();
    assert!(
        kept == made,
        "{FILE} is out of date: run {UPDATE}=1 cargo test -p tabia-web types"
    );
}

#[test]
fn no_two_types_have_one_name() {
    let made = declarations();
    let mut names: Vec<&str> = made
        .lines()
        .filter_map(|line| line.strip_prefix("export type ")?.split([' ', '<']).next())
        .collect();
    let all = names.len();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), all);
}
