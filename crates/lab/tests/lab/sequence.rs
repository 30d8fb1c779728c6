//! A miniature of the preset `sequence-reinforcement`: three ways to go on with a model.

use crate::miniature::{Place, files, finish, results, temporary, work};
use chess::Board;
use data::random;
use data::sequences::{Outcome, Part, SequenceGame, SequenceWriter};
use lab::{Ending, Event};
use nets::sequence::{SequenceShape, SequenceWeights};
use std::fs;
use std::path::Path;

/// Writes a model that knows nothing, and some random games; gives the run file.
fn prepared(folder: &Path) -> String {
    let shape = SequenceShape {
        width: 16,
        layers: 1,
        heads: 1,
        ..SequenceShape::named("tiny").expect("a name")
    };
    let mut weights = SequenceWeights::zeros(shape).expect("a shape");
    let mut generator = random::generator(1, 0);
    for tensor in weights.tensors_mut() {
        for weight in tensor {
            *weight = (random::below(&mut generator, 201) as f32 - 100.0) * 1e-3;
        }
    }
    let bytes = weights.to_bytes().expect("a file");
    fs::write(folder.join("a.tabianet"), bytes).expect("room");
    let path = folder.join("games.sequences");
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
    writer.finish().expect("room");
    let text = lab::presets::find("sequence-reinforcement")
        .expect("a preset")
        .text;
    let folder = folder.display();
    let small = [
        ("seeds = [1, 2, 3]", "seeds = [3]".to_owned()),
        (
            "model = \"sequence\"",
            format!("model = \"{folder}/a.tabianet\""),
        ),
        (
            "data = [\"games-train.sequences\"]",
            format!("validation_share = 0.3\ndata = [\"{folder}/games.sequences\"]"),
        ),
        (
            "validation = [\"games-valid.sequences\"]",
            "validation = []".to_owned(),
        ),
        ("epochs = 5 ", "epochs = 2 ".to_owned()),
        ("checkpoint_steps = 5", "checkpoint_steps = 1".to_owned()),
        ("games = 128 ", "games = 8 ".to_owned()),
        ("group = 8 ", "group = 4 ".to_owned()),
        ("most_plies = 200", "most_plies = 16".to_owned()),
        ("steps = 40 ", "steps = 2 ".to_owned()),
        ("steps = 300", "steps = 2".to_owned()),
        ("steps = 4\n", "steps = 1\n".to_owned()),
        ("evaluations = 32", "evaluations = 4".to_owned()),
        ("batch = 2_048", "batch = 64".to_owned()),
        ("games = 400", "horizon = 20\ngames = 2".to_owned()),
    ];
    small.iter().fold(text.to_owned(), |text, (from, to)| {
        assert_eq!(text.matches(from).count(), 1, "{from}");
        text.replace(from, to)
    })
}

#[test]
fn models_learn_by_playing_and_kills_change_nothing() {
    let folder = temporary();
    let file = prepared(folder.path());
    let whole = Place::new();
    finish(&whole.path, &file, 2);
    let nets = files(&whole.path);
    let net = |name: &str| &nets[name];
    let first = fs::read(folder.path().join("a.tabianet")).expect("a file");
    for arm in ["policy-gradient", "continued", "search"] {
        assert_eq!(
            *net(&format!("{arm}/seed-3/nets/version-0.tabianet")),
            first
        );
        assert_ne!(
            *net(&format!("{arm}/seed-3/nets/version-1.tabianet")),
            first
        );
        let metrics = format!("{arm}/seed-3/trainings/generation-1/metrics.jsonl");
        let metrics = whole.text(&metrics);
        assert_eq!(metrics.lines().count(), 2, "{metrics}");
        assert!(metrics.contains("policy_loss_of_start"), "{metrics}");
        assert_eq!(metrics.contains("entropy"), arm != "continued");
    }
    assert!(whole.text("report.md").contains("policy-gradient"));
    let killed = Place::new();
    for session in 1.. {
        let mut events = 0;
        let ending = work(&killed.path, &file, 1, &mut |news| {
            events += u32::from(matches!(news, Event::Training { .. } | Event::Match { .. }));
            events >= 2
        });
        if let Ending::Finished(_) = ending.expect("no failure") {
            assert!(session > 3, "{session} sessions");
            break;
        }
        assert!(session < 100, "it never ends");
    }
    assert_eq!(files(&killed.path), nets);
    assert_eq!(results(&killed.path), results(&whole.path));
}
