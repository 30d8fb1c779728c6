//! Tests of models that learn by playing: ratios of 1 before the first step, correct gradients, the
//! same bytes after a kill.

use super::super::batch::Batch;
use super::super::heads::Teacher;
use super::super::initial::initial;
use super::super::net::{Net, Trainer};
use super::lesson::Lesson;
use super::rollout::{Rolled, Rollout};
use super::session::{Session, write_first};
use super::settings::{Method, PlaySettings, Settings, TrainSettings, Way};
use crate::search::{Search, Searcher};
use crate::{Schedule, Training};
use chess::{Board, Color};
use data::random;
use data::sequences::{Outcome, Part, SequenceGame, SequenceWriter};
use nets::kernels::Precision;
use nets::ntuple::NTuple;
use nets::sequence::{SequenceNet, SequenceShape, SequenceWeights};
use std::path::Path;
use std::sync::Arc;

/// A search that returns the policy's own probabilities.
struct NoSearch;

impl Search for NoSearch {
    fn searcher(&self, _: &Arc<NTuple>) -> Box<dyn Searcher> {
        panic!("nobody asks for it")
    }
}

fn weights() -> SequenceWeights {
    let shape = SequenceShape {
        width: 16,
        layers: 1,
        heads: 2,
        ..SequenceShape::named("tiny").expect("a name")
    };
    let mut weights = initial(shape, 3).expect("a shape");
    let mut generator = random::generator(4, 0);
    for tensor in weights.tensors_mut() {
        for weight in tensor {
            *weight += (random::below(&mut generator, 2_001) as f32 - 1_000.0) * 2e-4;
        }
    }
    weights.rounded()
}

fn play() -> PlaySettings {
    PlaySettings {
        games: 8,
        group: 4,
        opening_plies: 2,
        most_plies: 12,
        pool_steps: 2,
        pool: 2,
        ..PlaySettings::default()
    }
}

fn settings(way: Way, folder: &Path) -> Settings {
    Settings {
        train: TrainSettings {
            way,
            data: vec![games_of_people(folder)],
            validation_share: 0.3,
            validation_positions: 100,
            steps: 2,
            epochs: 2,
            batch: 64,
            learning_rate: Schedule::Constant(1e-2),
            play: play(),
            ..TrainSettings::default()
        },
        ..Settings::default()
    }
}

/// Writes some random games.
fn games_of_people(folder: &Path) -> std::path::PathBuf {
    let path = folder.join("games.sequences");
    if path.exists() {
        return path;
    }
    let mut writer = SequenceWriter::create(&path, Part::Train).expect("a file");
    for number in 0..12 {
        let mut generator = random::generator(7, number);
        let mut board = Board::start();
        let mut game = SequenceGame {
            outcome: Some(Outcome::Draw),
            ..SequenceGame::default()
        };
        for _ in 0..10 {
            let moves = board.legal_moves();
            let mv = moves[random::below(&mut generator, moves.len() as u64) as usize];
            board.make(mv);
            game.moves.push(mv);
        }
        assert!(writer.add(&game).expect("room"));
    }
    writer.finish().expect("a file")
}

fn rollout(play: &PlaySettings, opponent: bool) -> Vec<Rolled> {
    let net = Arc::new(SequenceNet::new(&weights(), Precision::Bf16));
    Rollout {
        how: play,
        model: &net,
        opponent: opponent.then_some(&net),
        search: None,
        seed: 5,
    }
    .play()
}

/// A net, the batch of some games, and their lesson.
fn lesson(train: &TrainSettings) -> (Net, Batch, Lesson, Vec<Rolled>) {
    let mut net = Net::new(weights(), Precision::F32, false);
    net.prepare();
    let mut rolled = rollout(&train.play, true);
    // All games this short are drawn.
    for (number, game) in rolled.iter_mut().enumerate() {
        game.result = [1.0, 0.0, -1.0][number % 3];
    }
    let people = Settings {
        train: train.clone(),
        ..Settings::default()
    };
    let people = people.of_people(1);
    let mut batch = Batch::default();
    for game in &rolled {
        assert!(batch.add(&game.game, true, net.encoder(), &people));
    }
    let mut trainer = Trainer::default();
    let logits = net.logits(&mut trainer, &batch);
    let values = net.values(&trainer);
    let lesson = Lesson::new(&rolled, &batch, [&logits, &logits], &values, train);
    (net, batch, lesson, rolled)
}

#[test]
fn before_the_first_step_ratios_are_1_and_nothing_is_clipped() {
    for temperature in [1.0, 0.7] {
        let train = TrainSettings {
            play: PlaySettings {
                temperature,
                ..play()
            },
            ..TrainSettings::default()
        };
        let (net, batch, lesson, _) = lesson(&train);
        // By the training pass itself, not by the model that played.
        let again = net.logits(&mut Trainer::default(), &batch);
        let said = lesson.statistics(&batch, &again);
        assert!(said.moves > 20, "{said:?}");
        assert_eq!((said.farthest, said.clipped), (0.0, 0.0));
        assert!(said.kl.abs() < 1e-6 && said.entropy > 1.0, "{said:?}");
        let other: Vec<f32> = again.iter().map(|logit| 3.0 * logit).collect();
        let said = lesson.statistics(&batch, &other);
        assert!(said.farthest > 0.1 && said.clipped > 0.0 && said.kl > 0.0);
    }
}

#[test]
fn slopes_of_a_lesson_are_those_of_its_loss() {
    let train = TrainSettings {
        kl: 0.3,
        shaping: 0.2,
        play: PlaySettings {
            temperature: 0.8,
            ..play()
        },
        ..TrainSettings::default()
    };
    for method in [Method::Grpo, Method::Ppo] {
        let train = TrainSettings {
            method,
            ..train.clone()
        };
        let (net, batch, mut lesson, _) = lesson(&train);
        lesson.scale = 1.0;
        let mut logits = net.logits(&mut Trainer::default(), &batch);
        // Changed so that ratios differ from 1 but stay within the clipping range.
        for (number, logit) in logits.iter_mut().enumerate() {
            *logit += 0.05 * ((number * 7 % 11) as f32 / 11.0 - 0.5);
        }
        let mut learned = 0;
        for event in (0..batch.events()).step_by(3) {
            let own = logits[batch.moves.span(event)].to_vec();
            let mut slopes = own.clone();
            lesson.measure(&batch, event, &mut slopes);
            learned += usize::from(slopes.iter().any(|slope| *slope != 0.0));
            for at in 0..own.len().min(4) {
                let loss = |change: f32| {
                    let mut moved = own.clone();
                    moved[at] += change;
                    lesson.measure(&batch, event, &mut moved)
                };
                let step = 1e-2;
                let slope = (loss(step) - loss(-step)) / (2.0 * f64::from(step));
                let error = (slope - f64::from(slopes[at])).abs();
                assert!(error < 2e-3, "{method:?}: {slope} and {}", slopes[at]);
            }
        }
        assert!(learned > 3, "{learned}");
    }
}

#[test]
fn only_moves_of_the_learner_behind_the_opening_are_learned_from() {
    let (_, batch, lesson, rolled) = lesson(&TrainSettings {
        play: play(),
        ..TrainSettings::default()
    });
    for (number, game) in rolled.iter().enumerate() {
        let own = [Color::White, Color::Black][number / 4 % 2];
        assert_eq!(game.own, Some(own));
        for (ply, event) in batch.game(number).skip(1).enumerate() {
            let is_own = ply >= 2 && ply % 2 == own.index();
            assert_eq!(lesson.advantages[event].is_some(), is_own);
        }
    }
    // The expected result is the mean of a group.
    let of_group = |group: usize| -> f32 {
        let games = 4 * group..4 * group + 4;
        let first = games.map(|game| {
            let mut events = batch.game(game).skip(1);
            let learned = events.find_map(|event| lesson.advantages[event]);
            learned.expect("a move")
        });
        first.sum()
    };
    assert!(of_group(0).abs() < 1e-4 && of_group(1).abs() < 1e-4);
}

#[test]
fn games_are_the_same_for_any_threads_and_groups_share_their_opening() {
    let play = PlaySettings {
        games: 40,
        ..play()
    };
    let with_threads = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        let pool = pool.build().expect("threads");
        pool.install(|| rollout(&play, true))
    };
    let games = with_threads(1);
    assert_eq!(games, with_threads(3));
    for group in games.chunks(4) {
        let openings: Vec<_> = group.iter().map(|game| &game.game.moves[..2]).collect();
        assert!(openings.iter().all(|opening| *opening == openings[0]));
        assert_ne!(group[0].game.moves, group[1].game.moves);
    }
    // In self-play a model learns from both sides.
    assert!(rollout(&play, false).iter().all(|game| game.own.is_none()));
}

#[test]
fn a_training_that_was_killed_comes_to_the_same_bytes() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    for way in [Way::PolicyGradient, Way::Search, Way::Supervised] {
        let settings = settings(way, folder.path());
        let search = || Arc::new(NoSearch);
        write_first(&settings, &weights(), &path("first")).expect("room");
        let follow = || {
            let session = Session::follow(settings.clone(), 9, search(), &path("first"));
            session.expect("a training")
        };
        let mut whole = follow();
        while !whole.is_over() {
            whole.step().expect("a step");
        }
        let judged = whole.validate();
        whole.save(&path("whole")).expect("room");
        let mut parts = follow();
        for _ in 0..3 {
            parts.step().expect("a step");
            parts.save(&path("part")).expect("room");
            let resumed = Session::resume(settings.clone(), 9, search(), &path("part"));
            parts = resumed.expect("a training");
        }
        parts.step().expect("a step");
        assert_eq!(parts.validate(), judged, "{way:?}");
        parts.save(&path("part")).expect("room");
        let bytes = |name: &str| std::fs::read(path(name)).expect("a file");
        assert_eq!(bytes("part"), bytes("whole"), "{way:?}");
        assert_ne!(bytes("part"), bytes("first"));
        let names: Vec<&str> = judged.numbers.iter().map(|(name, _)| *name).collect();
        let plays = way != Way::Supervised;
        assert_eq!(names.contains(&"entropy"), plays, "{names:?}");
        assert!(names.contains(&"policy_loss_of_start"));
        // Another generation continues from it.
        let next = Session::follow(settings.clone(), 10, search(), &path("whole"));
        assert_eq!(next.expect("a training").steps(), 0);
        let other = Session::resume(settings.clone(), 11, search(), &path("whole"));
        assert!(other.is_err(), "another seed");
    }
}

#[test]
fn settings_are_refused_with_their_key() {
    let folder = tempfile::tempdir().expect("a folder");
    let good = settings(Way::PolicyGradient, folder.path());
    assert_eq!(good.check(), Ok(()));
    let refused = |change: &dyn Fn(&mut TrainSettings)| {
        let mut settings = good.clone();
        change(&mut settings.train);
        settings.check().expect_err("a problem").key.to_string()
    };
    assert_eq!(refused(&|train| train.data.clear()), "train.data");
    assert_eq!(refused(&|train| train.play.group = 3), "train.play.group");
    assert_eq!(
        refused(&|train| train.play.temperature = 0.0),
        "train.play.temperature"
    );
    assert_eq!(refused(&|train| train.clip = f32::NAN), "train.clip");
    assert_eq!(refused(&|train| train.inner_steps = 0), "train.inner_steps");
}
