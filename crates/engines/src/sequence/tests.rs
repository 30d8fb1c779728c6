//! Tests of every mode with models whose priors and values are made by hand.

use super::*;
use crate::recipe::PlayerSettings;
use crate::score::Score;
use crate::{Answer, Clock, Engine, Limits, Player, StopSignal};
use chess::{Board, Color, Game, Line, Move, PieceKind};
use nets::policy::{PolicyValue, Wanted};
use nets::sequence::{SequenceShape, SequenceWeights, Thinking};
use nets::{Chances, Model};
use std::time::Duration;

/// The output of a hand-made model: priors of these moves, and the value for the side to move.
type Says = fn(&Board, &[Move]) -> (Vec<f32>, f32);

/// A hand-made model that counts its evaluations.
struct Scripted {
    says: Says,
    answers: Vec<(Vec<f32>, f32)>,
    is_done: bool,
    asked: usize,
    largest: usize,
}

impl Scripted {
    fn new(says: Says) -> Scripted {
        Scripted {
            says,
            answers: Vec::new(),
            is_done: false,
            asked: 0,
            largest: 0,
        }
    }
}

impl PolicyValue for Scripted {
    fn capacity(&self) -> usize {
        16
    }

    fn is_joint(&self) -> bool {
        true
    }

    fn put(&mut self, line: &Line, wanted: Wanted<'_>) {
        if std::mem::take(&mut self.is_done) {
            self.answers.clear();
        }
        let Wanted::Both(moves) = wanted else {
            panic!("both are wanted of it");
        };
        assert!(line.board().has_legal_move(), "an end is not evaluated");
        self.answers.push((self.says)(line.board(), moves));
        self.asked += 1;
        self.largest = self.largest.max(self.answers.len());
        assert!(self.largest <= self.capacity());
    }

    fn run(&mut self) {
        self.is_done = true;
    }

    fn chances(&self, number: usize) -> Chances {
        let value = self.answers[number].1;
        Chances {
            win: (1.0 + value) / 2.0,
            draw: 0.0,
            loss: (1.0 - value) / 2.0,
        }
    }

    fn logits(&self, number: usize) -> &[f32] {
        &self.answers[number].0
    }
}

fn game(fen: &str) -> Game {
    Game::new(fen.parse::<chess::Fen>().expect(fen).board)
}

fn name(mv: Option<Move>) -> String {
    let text = mv.map(|mv| format!("{}{}", mv.from(), mv.to()));
    text.unwrap_or_default()
}

fn options(mode: Mode) -> Options {
    Options {
        mode,
        ..Options::default()
    }
}

/// The answer to a position, and how many positions were evaluated.
fn choose(fen: &str, says: Says, options: &Options, evaluations: u64) -> (Answer, usize) {
    let game = game(fen);
    let mut model = Scripted::new(says);
    let moves = game.board().legal_moves().to_vec();
    let mut search = Search::new(&game, moves, options.clone(), evaluations, 1);
    run_together(std::slice::from_mut(&mut search), &mut model);
    assert!(search.is_done());
    (search.answer(), model.asked)
}

/// The material of a side in pawns.
fn material(board: &Board, color: Color) -> f32 {
    let worth = [
        (PieceKind::Pawn, 1.0),
        (PieceKind::Knight, 3.0),
        (PieceKind::Bishop, 3.0),
        (PieceKind::Rook, 5.0),
        (PieceKind::Queen, 9.0),
    ];
    let count = |kind| board.pieces(color, kind).count() as f32;
    worth.map(|(kind, pawns)| pawns * count(kind)).iter().sum()
}

/// Counts material, and gives queen moves the highest priors.
fn greedy_for_queens(board: &Board, moves: &[Move]) -> (Vec<f32>, f32) {
    let side = board.side_to_move();
    let is_queen = |mv: &Move| {
        let man = board.piece_at(mv.from());
        man.is_some_and(|man| man.kind == PieceKind::Queen)
    };
    let priors = moves.iter().map(|mv| if is_queen(mv) { 1.0 } else { 0.0 });
    let ahead = material(board, side) - material(board, !side);
    (priors.collect(), (ahead / 20.0).clamp(-0.99, 0.99))
}

/// The white queen can capture a pawn on h7 that the rook guards; the pawn on b4 can capture on c5
/// for nothing.
const GUARDED_PAWN: &str = "4k2r/7p/8/2n5/1P6/8/7Q/4K3 w - - 0 1";

#[test]
fn the_likeliest_move_is_played_without_a_look_ahead() {
    let (answer, asked) = choose(GUARDED_PAWN, greedy_for_queens, &options(Mode::Greedy), 0);
    assert_eq!(asked, 1);
    let best = answer.best.expect("a move");
    assert_eq!(best.from().to_string(), "h2");
    let sum: f32 = answer.moves.iter().map(|of| of.prior).sum();
    assert!((sum - 1.0).abs() < 1e-5, "{sum}");
}

#[test]
fn sampled_moves_follow_the_seed_and_the_policy() {
    let game = game(GUARDED_PAWN);
    let moves = game.board().legal_moves().to_vec();
    let drawn = |seed: u64, temperature: f32| {
        let options = Options {
            temperature,
            ..options(Mode::Sampled)
        };
        let mut search = Search::new(&game, moves.clone(), options, 0, seed);
        let mut model = Scripted::new(greedy_for_queens);
        run_together(std::slice::from_mut(&mut search), &mut model);
        search.answer().best
    };
    let first: Vec<_> = (0..40).map(|seed| drawn(seed, 1.0)).collect();
    let again: Vec<_> = (0..40).map(|seed| drawn(seed, 1.0)).collect();
    assert_eq!(first, again);
    assert!(first.iter().any(|mv| *mv != first[0]));
    let cold: Vec<_> = (0..40).map(|seed| drawn(seed, 0.0)).collect();
    assert!(cold.iter().all(|mv| *mv == cold[0]));
}

#[test]
fn re_ranking_scores_by_the_published_formula() {
    let options = Options {
        candidates: 256,
        ..options(Mode::Rerank)
    };
    let (answer, asked) = choose(GUARDED_PAWN, greedy_for_queens, &options, 0);
    let board = game(GUARDED_PAWN);
    let board = board.board();
    let moves = board.legal_moves();
    let (logits, _) = greedy_for_queens(board, &moves);
    let whole: f32 = logits.iter().map(|logit| logit.exp()).sum();
    let score = |number: usize| {
        let next = board.after(moves[number]);
        let (_, value) = greedy_for_queens(&next, &next.legal_moves());
        logits[number] - whole.ln() - 0.35 * value
    };
    let mut best = 0;
    for number in 1..moves.len() {
        if score(number) > score(best) + 1e-6 {
            best = number;
        }
    }
    assert_eq!(answer.best, Some(moves[best]));
    assert_eq!(asked, 1 + moves.len());
    // By its value the capture that cannot be punished is as good as the other one.
    let by_value = Options {
        scoring: Scoring::Value,
        ..options
    };
    let (answer, _) = choose(GUARDED_PAWN, greedy_for_queens, &by_value, 0);
    assert_eq!(name(answer.best), "b4c5");
}

#[test]
fn re_ranking_looks_at_no_more_than_its_candidates() {
    for candidates in [1, 3, 8] {
        let options = Options {
            candidates,
            ..options(Mode::Rerank)
        };
        let (_, asked) = choose(GUARDED_PAWN, greedy_for_queens, &options, 0);
        assert_eq!(asked, 1 + candidates);
    }
}

#[test]
fn depth_two_sees_the_reply() {
    // Both captures win something at once; only the reply tells them apart.
    const POISONED: &str = "4k2r/7p/8/8/8/1n6/P6Q/4K3 w - - 0 1";
    let greedy = Options {
        candidates: 256,
        prior_weight: 1.0,
        scoring: Scoring::Value,
        ..options(Mode::Rerank)
    };
    let (answer, _) = choose(POISONED, greedy_for_queens, &greedy, 0);
    assert_eq!(name(answer.best), "h2h7");
    let deep = Options {
        candidates: 256,
        replies: 256,
        prior_weight: 0.0,
        ..options(Mode::DepthTwo)
    };
    let (answer, asked) = choose(POISONED, greedy_for_queens, &deep, 0);
    assert_eq!(name(answer.best), "a2b3");
    let board = game(POISONED);
    let board = board.board();
    let moves = board.legal_moves();
    let replies = moves.iter().map(|&mv| board.after(mv));
    let replies: usize = replies.map(|next| next.legal_moves().len()).sum();
    assert_eq!(asked, 1 + moves.len() + replies);
    // The worst reply decides, whatever value the model gives the position before it.
    let value = answer.moves.iter().find(|of| name(Some(of.mv)) == "h2h7");
    assert!(value.is_some_and(|of| of.value < 0.0), "{value:?}");
}

#[test]
fn halving_finds_a_refutation_that_the_policy_does_not() {
    // The model prefers queen moves. Only the rook's recapture matters, and the model gives it a
    // low prior.
    for mode in [Mode::Halving, Mode::Beam] {
        let (answer, asked) = choose(GUARDED_PAWN, greedy_for_queens, &options(mode), 200);
        assert_eq!(name(answer.best), "b4c5", "{mode:?}");
        assert!(asked <= 201, "{asked}");
        assert!(asked > 150, "{asked}");
    }
}

#[test]
fn evaluations_are_never_more_than_allowed() {
    for evaluations in [1, 2, 7, 16, 33, 64, 257, 1_000] {
        for mode in [Mode::Halving, Mode::Beam] {
            let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
            let (answer, asked) = choose(start, greedy_for_queens, &options(mode), evaluations);
            assert!(answer.best.is_some());
            assert!(asked as u64 <= evaluations + 1, "{evaluations}: {asked}");
            assert_eq!(answer.nodes, asked as u64);
        }
    }
}

#[test]
fn halving_spends_most_on_what_looks_good() {
    let (answer, _) = choose(
        GUARDED_PAWN,
        greedy_for_queens,
        &options(Mode::Halving),
        400,
    );
    let visits: Vec<u32> = answer.moves.iter().map(|of| of.visits).collect();
    let (best, worst) = (visits[0], *visits.last().expect("moves"));
    assert!(best > 4 * worst, "{visits:?}");
    let (beam, _) = choose(GUARDED_PAWN, greedy_for_queens, &options(Mode::Beam), 400);
    let most = beam.moves.iter().map(|of| of.visits).max();
    assert!(most < Some(best), "{:?}", beam.moves);
}

#[test]
fn the_policy_that_a_search_teaches_prefers_what_it_found() {
    let (answer, _) = choose(
        GUARDED_PAWN,
        greedy_for_queens,
        &options(Mode::Halving),
        400,
    );
    let sum: f32 = answer.moves.iter().map(|of| of.policy).sum();
    assert!((sum - 1.0).abs() < 1e-4, "{sum}");
    let best = &answer.moves[0];
    assert_eq!(Some(best.mv), answer.best);
    assert!(best.policy > best.prior, "{best:?}");
    let poisoned = answer.moves.iter().find(|of| name(Some(of.mv)) == "h2h7");
    let poisoned = poisoned.expect("it is legal");
    assert!(poisoned.policy < poisoned.prior, "{poisoned:?}");
}

/// A uniform policy, and the value 0.
fn knows_nothing(_: &Board, moves: &[Move]) -> (Vec<f32>, f32) {
    (vec![0.0; moves.len()], 0.0)
}

#[test]
fn ends_are_exact() {
    // Qg7 mates, Qf7 is stalemate; a search recognises both without the model.
    let mate = "7k/8/5K2/6Q1/8/8/8/8 w - - 0 1";
    for mode in [Mode::Rerank, Mode::DepthTwo, Mode::Beam, Mode::Halving] {
        let options = Options {
            candidates: 256,
            ..options(mode)
        };
        let (answer, _) = choose(mate, knows_nothing, &options, 64);
        assert_eq!(answer.score, Score::Mate(1), "{mode:?} {answer:?}");
        let next = game(mate).board().after(answer.best.expect("a move"));
        assert!(next.in_check() && !next.has_legal_move());
    }
    // The losing side takes the stalemate.
    fn lost(board: &Board, moves: &[Move]) -> (Vec<f32>, f32) {
        let sign = if board.side_to_move() == Color::White {
            -1.0
        } else {
            1.0
        };
        (vec![0.0; moves.len()], 0.9 * sign)
    }
    let escape = "8/8/8/8/8/5k2/5q2/7K b - - 0 1";
    let (answer, _) = choose(escape, lost, &options(Mode::Halving), 64);
    let next = game(escape).board().after(answer.best.expect("a move"));
    assert!(next.has_legal_move() || next.in_check(), "{answer:?}");
}

#[test]
fn longer_mates_are_found_and_counted() {
    let two = "8/8/8/8/8/5K2/R7/7k w - - 0 1";
    let wide = Options {
        own_moves: 256,
        ..options(Mode::Halving)
    };
    let (answer, _) = choose(two, knows_nothing, &wide, 4_000);
    assert_eq!(answer.score, Score::Mate(2));
    assert_eq!(
        (name(answer.best), name(answer.ponder)),
        ("f3g3".to_owned(), "h1g1".to_owned())
    );
}

#[test]
fn games_together_choose_what_each_chooses_alone() {
    let fens = [
        GUARDED_PAWN,
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/8/8/8/8/5K2/R7/7k w - - 0 1",
    ];
    for mode in [
        Mode::Greedy,
        Mode::Sampled,
        Mode::Rerank,
        Mode::DepthTwo,
        Mode::Beam,
        Mode::Halving,
    ] {
        let alone: Vec<Answer> = fens
            .iter()
            .map(|fen| choose(fen, greedy_for_queens, &options(mode), 64).0)
            .collect();
        let games: Vec<Game> = fens.iter().map(|fen| game(fen)).collect();
        let mut searches: Vec<Search> = games
            .iter()
            .map(|game| {
                let moves = game.board().legal_moves().to_vec();
                Search::new(game, moves, options(mode), 64, 1)
            })
            .collect();
        let mut model = Scripted::new(greedy_for_queens);
        run_together(&mut searches, &mut model);
        let together: Vec<Answer> = searches.iter_mut().map(Search::answer).collect();
        assert_eq!(together, alone, "{mode:?}");
        assert!(model.largest > 1, "they share batches");
    }
}

fn engine() -> SequenceEngine {
    SequenceEngine::new(Model::Heuristic, 1)
}

fn set(engine: &mut SequenceEngine, name: &str, value: &str) -> Vec<String> {
    let declarations = SequenceEngine::declarations();
    let declaration = crate::options::find(&declarations, name).expect(name);
    let (value, _) = declaration.read(Some(value)).expect("a value");
    let mut lines = Vec::new();
    engine.set_option(declaration.name, &value, &mut |line| lines.push(line));
    lines
}

#[test]
fn an_engine_plays_every_mode_with_any_model() {
    let mut engine = engine();
    let game = game(GUARDED_PAWN);
    let answer = |engine: &mut SequenceEngine, limits: &Limits| {
        engine.new_game(7).expect("a game");
        let mut reports = Vec::new();
        let answer = engine.choose(&game, limits, &StopSignal::new(), &mut |report| {
            reports.push(report.clone());
        });
        let answer = answer.expect("an answer");
        assert!(game.board().is_legal(answer.best.expect("a move")));
        assert!(!reports.is_empty());
        answer
    };
    for mode in [
        "greedy", "sampled", "rerank", "depth2", "beam", "halving", "auto",
    ] {
        assert!(set(&mut engine, "Mode", mode).is_empty());
        let first = answer(&mut engine, &Limits::nodes(100));
        assert!(first.nodes <= 100, "{mode}: {}", first.nodes);
        assert_eq!(first, answer(&mut engine, &Limits::nodes(100)), "{mode}");
    }
    let timed = Limits::move_time(std::time::Duration::from_millis(20));
    answer(&mut engine, &timed);
    set(&mut engine, "UCI_LimitStrength", "true");
    assert_eq!(answer(&mut engine, &Limits::nodes(100)).nodes, 1);
}

#[test]
fn a_mate_in_one_is_played_at_once() {
    let game = game("7k/8/5K2/6Q1/8/8/8/8 w - - 0 1");
    let mut engine = engine();
    for mode in ["greedy", "rerank", "depth2", "beam", "halving"] {
        set(&mut engine, "Mode", mode);
        let answer = engine.choose(&game, &Limits::nodes(100), &StopSignal::new(), &mut |_| {});
        let answer = answer.expect("an answer");
        assert_eq!((answer.score, answer.nodes), (Score::Mate(1), 0));
    }
}

#[test]
fn wanted_moves_are_chosen_from() {
    let game = game(GUARDED_PAWN);
    let wanted: Vec<Move> = game.board().legal_moves()[..2].to_vec();
    let limits = Limits {
        search_moves: wanted.clone(),
        ..Limits::nodes(50)
    };
    let mut engine = engine();
    for mode in ["greedy", "sampled", "rerank", "depth2", "halving"] {
        set(&mut engine, "Mode", mode);
        let answer = engine.choose(&game, &limits, &StopSignal::new(), &mut |_| {});
        let best = answer.expect("an answer").best.expect("a move");
        assert!(wanted.contains(&best), "{mode}");
    }
}

#[test]
fn defaults_are_those_of_the_search_and_a_model_that_cannot_be_used_changes_nothing() {
    let mut engine = engine();
    let lines = set(&mut engine, "WeightsFile", "no such file");
    assert!(lines[0].ends_with("; heuristic is kept"), "{lines:?}");
    assert_eq!(engine.model(), &Model::Heuristic);
    let lines = set(&mut engine, "WeightsFile", "classical");
    assert_eq!(lines, ["model is classical: the hand-written evaluation"]);
}

/// A sequence model without knowledge, except for how long people think.
fn sequence_model() -> Model {
    let shape = SequenceShape {
        width: 16,
        layers: 1,
        heads: 1,
        ..SequenceShape::named("tiny").expect("a name")
    };
    let mut weights = SequenceWeights::zeros(shape).expect("a shape");
    weights.thinking = Thinking::of((0..1_000).map(|_| (1_500, 30, 0.1)));
    Model::from_bytes(&weights.to_bytes().expect("a file")).expect("a model")
}

#[test]
fn moves_take_as_long_as_people_take_only_where_clocks_were_learned() {
    let limits = Limits {
        clock: Some(Clock {
            remaining: Duration::from_millis(10_010),
            increment: Duration::ZERO,
            moves_to_go: None,
        }),
        ..Limits::default()
    };
    let game = game(GUARDED_PAWN);
    let mut people = SequenceEngine::new(sequence_model(), 1);
    assert_eq!(people.human_time(&game, &limits), None);
    set(&mut people, "HumanTime", "true");
    let second = Some(Duration::from_secs(1));
    assert_eq!(people.human_time(&game, &limits), second);
    assert_eq!(people.human_time(&game, &Limits::nodes(10)), None);
    // After the stop signal there is no waiting.
    let stop = StopSignal::new();
    stop.stop();
    let answer = people.choose(&game, &limits, &stop, &mut |_| {});
    assert!(answer.expect("an answer").best.is_some());
    let mut other = engine();
    set(&mut other, "HumanTime", "true");
    assert_eq!(other.human_time(&game, &limits), None);
}

#[test]
fn a_tree_search_plays_with_a_sequence_model() {
    let words = "kind=mcts nodes=64 hash=1";
    let settings = PlayerSettings::from_words(words).expect("words");
    let recipe = settings.recipe_with(sequence_model()).expect("a player");
    let mut player = recipe.player(Duration::ZERO).expect("a player");
    let game = game("7k/8/5K2/6Q1/8/8/8/8 w - - 0 1");
    let answers: Vec<Answer> = (0..2)
        .map(|_| {
            player.new_game(1).expect("a game");
            let answer = player.choose(&game, &Limits::nodes(64), &StopSignal::new(), &mut |_| {});
            answer.expect("an answer")
        })
        .collect();
    assert_eq!(name(answers[0].best), "g5g7", "mate");
    assert_eq!(answers[0].best, answers[1].best);
}
