//! A real engine as a player.

use chess::{Board, Game};
use engines::external::{External, NodeLimit, ProgramOptions, obeys_node_limit};
use engines::{Limits, Player, StopSignal};
use std::path::PathBuf;

/// Debian keeps chess engines in a folder that is not on root's PATH.
fn find() -> PathBuf {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path)
        .chain([PathBuf::from("/usr/games")])
        .map(|folder| folder.join("stockfish"))
        .find(|program| program.is_file())
        .expect("Stockfish is installed (Debian package stockfish)")
}

/// Ordinary chess and Chess960 in turn, so that the program must be told of each
/// change.
#[test]
#[ignore = "wants the Debian package stockfish; `make test` runs it"]
fn stockfish_plays_whole_games() {
    let mut options = ProgramOptions::new(find());
    options.settings = vec![("Hash".to_owned(), "1".to_owned())];
    let mut player = External::start(options).expect("it starts");
    assert!(player.name().starts_with("Stockfish"));
    assert!(player.warnings().is_empty(), "{:?}", player.warnings());
    for number in [518, 0, 959, 518, 700, 33] {
        player.new_game(0).expect("it is ready");
        let mut game = Game::new(Board::chess960(number).expect("a number below 960"));
        while game.termination().is_none() && game.moves().len() < 300 {
            let mut line = Vec::new();
            let answer = player
                .choose(
                    &game,
                    &Limits::nodes(50),
                    &StopSignal::new(),
                    &mut |report| {
                        line.clone_from(&report.line);
                    },
                )
                .expect("it answers");
            assert_eq!(line.first().copied(), answer.best);
            game.play(answer.best.expect("a move"))
                .expect("a legal move");
        }
    }
    let verdict = obeys_node_limit(&mut player, 10_000).expect("it answers");
    assert!(matches!(verdict, NodeLimit::Obeyed { .. }), "{verdict:?}");
}
