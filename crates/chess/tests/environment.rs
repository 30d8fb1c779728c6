//! The game as an environment for learners: checked actions, rewards,
//! promotions, and a search within the game.

mod common;

use chess::{
    Action, ActionError, Board, Color, Game, Line, Move, PieceKind, Promotion, Termination, squares,
};
use common::{Random, Style, choose};

fn game(fen: &str) -> Game {
    Game::new(Board::from_fen(fen).unwrap_or_else(|error| panic!("{error} in {fen}")))
}

const PROMOTING: &str = "8/4P3/8/8/8/8/8/k3K3 w - - 0 1";
const MATE_IN_ONE: &str = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1";

#[test]
fn every_error_has_its_kind_and_words() {
    let cases: [(&str, [i32; 4], ActionError, &str); 8] = [
        (
            MATE_IN_ONE,
            [8, 0, 0, 0],
            ActionError::OutOfBounds { row: 8, column: 0 },
            "row 8, column 0 is not on the board: both go from 0 to 7",
        ),
        (
            MATE_IN_ONE,
            [0, 0, 0, -1],
            ActionError::OutOfBounds { row: 0, column: -1 },
            "row 0, column -1 is not on the board: both go from 0 to 7",
        ),
        (
            MATE_IN_ONE,
            [3, 3, 4, 3],
            ActionError::EmptySquare(squares::D4),
            "there is no piece on d4",
        ),
        (
            MATE_IN_ONE,
            [6, 5, 5, 5],
            ActionError::WrongTurn {
                square: squares::F7,
                to_move: Color::White,
            },
            "the piece on f7 is not White's, and White is to move",
        ),
        (
            MATE_IN_ONE,
            [0, 0, 1, 1],
            ActionError::Illegal {
                from: squares::A1,
                to: squares::B2,
            },
            "the rules forbid the move from a1 to b2",
        ),
        (
            PROMOTING,
            [6, 4, 7, 4],
            ActionError::MissingPromotion { to: squares::E8 },
            "the pawn that moves to e8 must be promoted: give the piece",
        ),
        // The pawn cannot go there, with any promotion.
        (
            PROMOTING,
            [6, 4, 7, 5],
            ActionError::Illegal {
                from: squares::E7,
                to: squares::F8,
            },
            "the rules forbid the move from e7 to f8",
        ),
        (
            "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1",
            [7, 6, 7, 5],
            ActionError::GameOver(Termination::Checkmate {
                winner: Color::White,
            }),
            "the game is over: White mates",
        ),
    ];
    for (fen, action, error, message) in cases {
        let mut game = game(fen);
        let before = *game.board();
        let found = game.step(action.into()).expect_err("refused");
        assert_eq!(found, error, "{action:?} in {fen}");
        assert_eq!(found.to_string(), message);
        assert_eq!(*game.board(), before);
        assert_eq!(game.moves(), []);
    }
}

#[test]
fn malformed_actions_are_named() {
    let mut game = game(PROMOTING);
    for text in ["", "e7", "e7e", "e7e8qq", "e7e8x", "i7e8", "e9e8q"] {
        let error = game.step_uci(text).expect_err("refused");
        assert!(
            matches!(error, ActionError::Malformed(_)),
            "{text}: {error:?}"
        );
        assert_eq!(
            error.to_string(),
            format!("'{text}' is not an action such as e2e4")
        );
    }
    for text in ["e7e8k", "e7e8p"] {
        let error = game.step_uci(text).expect_err("refused");
        assert_eq!(
            error,
            ActionError::Malformed("a pawn becomes a knight, bishop, rook or queen".to_owned())
        );
    }
    let named_in_vain = Action {
        promotion: Some(PieceKind::Queen),
        ..[0, 4, 1, 4].into()
    };
    assert!(matches!(
        game.step(named_in_vain),
        Err(ActionError::Illegal { .. })
    ));
}

#[test]
fn moves_are_checked_like_actions() {
    let mut game = game(MATE_IN_ONE);
    assert_eq!(
        game.play(Move::normal(squares::B1, squares::B2)),
        Err(ActionError::EmptySquare(squares::B1))
    );
    assert_eq!(
        game.play(Move::normal(squares::G8, squares::F8)),
        Err(ActionError::WrongTurn {
            square: squares::G8,
            to_move: Color::White
        })
    );
    assert_eq!(
        game.play(Move::castling(squares::G1, squares::A1)),
        Err(ActionError::Illegal {
            from: squares::G1,
            to: squares::A1
        })
    );
}

#[test]
fn rewards_go_to_the_side_that_mates() {
    let mut mating = game(MATE_IN_ONE);
    let step = mating.step_uci("a1a8").expect("legal");
    assert_eq!(step.reward, 1.0);
    assert!(step.is_done());
    assert_eq!(
        step.termination,
        Some(Termination::Checkmate {
            winner: Color::White
        })
    );
    let mut black = game("6k1/r7/8/8/8/8/5PPP/6K1 b - - 0 1");
    assert_eq!(black.step_uci("a7a1").expect("legal").reward, 1.0);
    let mut quiet = game(MATE_IN_ONE);
    let step = quiet.step_uci("a1a7").expect("legal");
    assert_eq!((step.reward, step.is_done()), (0.0, false));
    let mut stalemating = game("7k/8/6K1/8/8/8/8/5Q2 w - - 0 1");
    let step = stalemating.step_uci("f1f7").expect("legal");
    assert_eq!(step.reward, 0.0);
    assert_eq!(step.termination, Some(Termination::Stalemate));
}

#[test]
fn promotions_are_named_or_queens() {
    for (letter, kind) in [
        ("n", PieceKind::Knight),
        ("b", PieceKind::Bishop),
        ("r", PieceKind::Rook),
        ("q", PieceKind::Queen),
    ] {
        for promotion in [Promotion::Explicit, Promotion::AutoQueen] {
            let mut game = game(PROMOTING).with_promotion(promotion);
            game.step_uci(&format!("e7e8{letter}")).expect("legal");
            assert_eq!(game.board().kind_at(squares::E8), Some(kind));
        }
    }
    let mut auto = game(PROMOTING).with_promotion(Promotion::AutoQueen);
    auto.step([6, 4, 7, 4].into()).expect("a queen by itself");
    assert_eq!(auto.board().kind_at(squares::E8), Some(PieceKind::Queen));
    // The option affects only pawns on their last step.
    let mut auto = game("k7/4R3/8/8/8/8/4P3/4K3 w - - 0 1").with_promotion(Promotion::AutoQueen);
    auto.step([6, 4, 7, 4].into()).expect("a rook's move");
    assert_eq!(auto.board().kind_at(squares::E8), Some(PieceKind::Rook));
}

#[test]
fn castling_actions_in_both_styles() {
    for action in [[0, 4, 0, 6], [0, 4, 0, 7]] {
        let mut game = game("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
        game.step(action.into()).expect("castling");
        assert_eq!(game.board().fen(), "4k3/8/8/8/8/8/8/5RK1 b - - 1 1");
    }
}

/// The positions of a search neither count as repetitions nor end the game.
#[test]
fn a_search_leaves_the_game_as_it_was() {
    let mut random = Random::new(81);
    let mut game = Game::new(Board::start());
    let mut alone = Game::new(Board::start());
    for ply in 0..120 {
        let before = (*game.board(), game.moves().to_vec(), game.termination());
        let depth = random.below(12);
        let mut pushed = 0;
        for _ in 0..depth {
            let Some(mv) = choose(game.board(), Style::Shuffling, None, &mut random) else {
                break;
            };
            game.push(mv);
            pushed += 1;
        }
        // Every third search does not take its moves back; the game does it then.
        if ply % 3 != 0 {
            for _ in 0..pushed {
                assert!(game.pop());
            }
            assert!(!game.pop(), "a move of the game was taken back");
            let now = (*game.board(), game.moves().to_vec(), game.termination());
            assert_eq!(now, before);
        }
        let Some(mv) = choose(alone.board(), Style::Even, None, &mut random) else {
            break;
        };
        assert_eq!(game.play(mv), alone.play(mv));
        assert_eq!(game.line().boards(), alone.line().boards());
        if alone.termination().is_some() {
            break;
        }
    }
    assert!(game.moves().len() > 10);
    assert_eq!(game.moves(), alone.moves());
}

#[test]
fn repeating_in_a_search_does_not_count_for_the_game() {
    let cycle = ["g1f3", "g8f6", "f3g1", "f6g8"];
    let mut game = Game::new(Board::start());
    for text in cycle {
        game.step_uci(text).expect("legal");
    }
    for text in cycle {
        let mv = game.board().parse_uci(text).expect("legal");
        game.push(mv);
    }
    // In the search the start has now occurred three times.
    assert_eq!(game.line().earlier_occurrences(), 2);
    assert_eq!(game.termination(), None);
    let step = game.step_uci("g1f3").expect("the game goes on");
    assert_eq!(step.termination, None);
    assert_eq!(game.line().length(), 5);
}

#[test]
#[should_panic(expected = "no move to take back")]
fn a_line_does_not_pop_its_first_board() {
    Line::new(Board::start()).pop();
}
