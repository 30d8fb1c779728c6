//! Answers: good ones, and those that are no moves.

use crate::games::play_until_failure;
use crate::program::{choose, first_move, options, start};
use chess::{Board, Game};
use engines::external::{NodeLimit, obeys_node_limit};
use engines::score::Score;
use engines::{Failure, Limits, Player, StopSignal};

/// A number below a bound; the same ones every time.
fn random(state: &mut u64, bound: usize) -> usize {
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    (*state >> 33) as usize % bound
}

/// The engine follows each game by the text alone, so an answer can only be
/// right if every move was told rightly.
#[test]
fn whole_games_are_understood_by_the_other_side() {
    let mut player = start(options("correct"));
    let mut state = 0x9e37_79b9_7f4a_7c15;
    let mut castlings = 0;
    for fen in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 5 9",
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 5 9",
        "1r1k2r1/ppp3pp/8/8/8/8/PPP3PP/1R1K2R1 w GBgb - 0 1",
        "1r1k2r1/ppp3pp/8/8/8/8/PPP3PP/1R1K2R1 b GBgb - 0 1",
        "8/PPPPPPPP/8/k7/7K/8/pppppppp/8 w - - 0 1",
    ] {
        player.new_game(0).expect("it is ready");
        let mut game = Game::new(Board::from_fen(fen).expect(fen));
        while game.termination().is_none() && game.moves().len() < 100 {
            let moves = game.board().legal_moves();
            let castling = moves.iter().copied().find(|mv| mv.is_castling());
            let mv = castling.unwrap_or_else(|| moves[random(&mut state, moves.len())]);
            let limits = Limits {
                search_moves: vec![mv],
                ..Limits::nodes(7)
            };
            let answer = choose(&mut player, &game, &limits).expect("it answers");
            assert_eq!(answer.best, Some(mv), "{fen}");
            castlings += usize::from(mv.is_castling());
            game.play(mv).expect("a legal move");
        }
    }
    assert!(castlings >= 4, "{castlings}");
}

#[test]
fn the_last_score_is_reported_once() {
    let mut player = start(options("flood-lines 5000"));
    let mut reports = Vec::new();
    let game = Game::new(Board::start());
    let answer = player
        .choose(
            &game,
            &Limits::nodes(7),
            &StopSignal::new(),
            &mut |report| {
                reports.push(report.clone());
            },
        )
        .expect("it answers");
    assert_eq!(reports.len(), 1);
    assert_eq!(reports[0].score, Score::Centipawns(13));
    assert_eq!(reports[0].line.first().copied(), answer.best);
    assert_eq!((answer.depth, answer.nodes), (1, 7));
    assert_eq!(answer.score, Score::Centipawns(13));
}

#[test]
fn the_moves_to_choose_from_are_told() {
    let mut player = start(options("correct"));
    let wanted = Board::start().parse_uci("g1f3").expect("legal");
    let limits = Limits {
        search_moves: vec![wanted],
        ..Limits::depth(1)
    };
    let answer = first_move(&mut player, &limits).expect("it answers");
    assert_eq!(answer.best, Some(wanted));
}

/// `sloppy` does not know Chess960, so it would not understand its castling.
#[test]
fn castling_is_told_as_the_program_expects_it() {
    for mode in ["correct", "sloppy"] {
        let mut options = options(mode);
        options.settings = vec![("UCI_Chess960".to_owned(), "TRUE".to_owned())];
        let mut player = start(options);
        assert_eq!(player.warnings().is_empty(), player.plays_chess960());
        let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        let mut game = Game::new(Board::from_fen(fen).expect(fen));
        let castling = game.board().parse_uci("e1g1").expect("legal");
        game.play(castling).expect("legal");
        assert!(choose(&mut player, &game, &Limits::nodes(1)).is_ok());
    }
}

#[test]
fn an_illegal_move_is_named() {
    let mut player = start(options("illegal 3"));
    let illegal = Failure::IllegalMove("a1h7".to_owned());
    assert_eq!(play_until_failure(&mut player), (3, illegal));
}

#[test]
fn an_answer_without_a_move_is_named() {
    let mut player = start(options("no-move"));
    let no_move = Failure::NoMove("bestmove (none)".to_owned());
    assert_eq!(play_until_failure(&mut player), (1, no_move));
}

#[test]
fn garbage_is_shown_harmlessly() {
    let mut player = start(options("garbage"));
    let garbage = Failure::IllegalMove(r"\u{1b}[2J!".to_owned());
    assert_eq!(play_until_failure(&mut player), (1, garbage));
}

#[test]
fn the_second_answer_to_one_question_is_not_the_first_to_the_next() {
    let mut player = start(options("twice"));
    let mut game = Game::new(Board::start());
    while game.termination().is_none() {
        let expected = game.board().legal_moves().first().copied();
        let answer = choose(&mut player, &game, &Limits::nodes(1)).expect("it answers");
        assert_eq!(answer.best, expected);
        game.play(expected.expect("a move")).expect("a legal move");
    }
}

#[test]
fn limits_of_nodes_are_tried() {
    let mut player = start(options("correct"));
    assert_eq!(
        obeys_node_limit(&mut player, 100),
        Ok(NodeLimit::Obeyed { used: 100 })
    );
    let mut player = start(options("exceeds-nodes 5"));
    assert_eq!(
        obeys_node_limit(&mut player, 100),
        Ok(NodeLimit::Exceeded { used: 500 })
    );
    let mut player = start(options("ignores-nodes"));
    assert_eq!(obeys_node_limit(&mut player, 100), Ok(NodeLimit::Ignored));
    // It can still play.
    assert!(first_move(&mut player, &Limits::depth(1)).is_ok());
}
