//! Tables and journals of any content: refused in clear words, or used.

use crate::told::{GAME, conditions, games_of, survey};
use analysis::{AnalysisError, EcoTable, Work};
use engines::StopSignal;
use engines::recipe::{AlphaBetaRecipe, Recipe};
use proptest::prelude::*;
use std::fs;
use work::Threads;

fn any_table() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "eco",
        "name",
        "pgn",
        "\t",
        "\n",
        "\r\n",
        "A00",
        "1. e4",
        " e5",
        "2. Ke2",
        "--",
        "{",
        "}",
        "(",
        ")",
        "*",
        "1-0",
        "[FEN \"x\"]",
        "\u{feff}",
        "ö",
        "eco\tname\tpgn\n",
        "x\ty\t1. d4\n",
    ]);
    prop::collection::vec(piece, 0..30).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..Default::default() })]

    #[test]
    fn tables_are_read_or_refused(text in any_table()) {
        let mut table = EcoTable::default();
        match table.read(&text) {
            Ok(()) => prop_assert!(table.len() < text.lines().count()),
            Err((line, problem)) => {
                prop_assert!(line <= text.lines().count().max(1));
                prop_assert!(!problem.is_empty() && !problem.contains(char::is_control));
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..Default::default() })]

    #[test]
    fn damaged_journals_are_refused(place in 0.0..1.0_f64, byte in any::<u8>()) {
        let folder = tempfile::tempdir().expect("a folder");
        let journal = folder.path().join("journal");
        let games = games_of(GAME, StopSignal::new());
        let survey = survey(&games);
        let mut conditions = conditions(GAME);
        conditions.limit = analysis::Limit::Nodes(50);
        let player = Recipe::AlphaBeta(AlphaBetaRecipe::new(nets::Model::classical(), 1));
        let work = Work {
            games: &games,
            survey: &survey,
            player: &player,
            conditions: &conditions,
            journal: &journal,
            author: None,
            dispatcher: &Threads::new(1),
        };
        let run = || work.run(&mut |_| {});
        drop(run().expect("analysed").expect("all of them"));
        let mut bytes = fs::read(&journal).expect("a journal");
        let place = (place * bytes.len() as f64) as usize;
        bytes[place] = byte;
        fs::write(&journal, bytes).expect("damaged");
        match run() {
            // Only numbers that nothing is proved by can have changed.
            Ok(found) => prop_assert!(found.is_some()),
            Err(error) => prop_assert!(matches!(error, AnalysisError::Journal(_)), "{}", error),
        }
    }
}
