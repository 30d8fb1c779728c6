//! Settings that change what a run does.

use crate::miniature::{FILE, Place, files, made, work};
use lab::{Ending, Event};
use std::collections::BTreeMap;

/// One arm, so that a variant takes half the time.
fn alone(more: &str) -> String {
    let (base, _) = FILE.split_once("[arms.").expect("arms");
    let (base, _) = base.split_once("[verdict]").expect("a verdict");
    format!("{base}{more}\n[verdict]\ngames = 0\n")
}

fn changed(from: &str, to: &str) -> String {
    let file = alone("");
    assert!(file.contains(from), "{from}");
    file.replace(from, to)
}

fn nets(run: &Place) -> BTreeMap<String, Vec<u8>> {
    let files = files(&run.path).into_iter();
    files
        .filter_map(|(name, bytes)| {
            Some((name.strip_prefix("main/seed-3/nets/")?.to_owned(), bytes))
        })
        .map(|(name, bytes)| (name.trim_end_matches(".tabianet").to_owned(), bytes))
        .collect()
}

#[test]
fn rejected_candidates_are_kept_and_the_old_net_plays_on() {
    let rejecting = changed("[-10_000]", "[10_000]");
    let restored = made(&rejecting);
    let own = nets(&restored);
    for generation in [1, 2] {
        assert_eq!(own[&format!("version-{generation}")], own["version-0"]);
        assert_ne!(own[&format!("candidate-{generation}")], own["version-0"]);
    }
    let metrics = restored.text("metrics.jsonl");
    assert_eq!(
        metrics.matches("\"promoted\":false").count(),
        2,
        "{metrics}"
    );
    assert!(metrics.contains("is not above 10000"), "{metrics}");
    // What learns on is the old net, or the rejected one.
    let going_on = rejecting.replace("[gate]", "[gate]\nafter_rejection = 'continue'");
    let other = nets(&made(&going_on));
    assert_eq!(own["candidate-1"], other["candidate-1"]);
    assert_ne!(own["candidate-2"], other["candidate-2"]);
}

#[test]
fn labels_memory_and_balance_change_what_is_learned() {
    // Some games are won, others are not.
    let mixed = |file: String| {
        let short = "[selfplay]\nhorizon = 14\nat_horizon = 'material'";
        nets(&made(&file.replace("[selfplay]", short)))
    };
    let usual = mixed(alone(""));
    for (from, to, same) in [
        ("[train]", "[train]\nwhite_labels = true", 0),
        // The optimiser has nothing to forget before the second generation.
        ("[train]", "[train]\nfresh_optimiser = true", 1),
        ("positions = 400", "positions = 400\ndecisive = 0.95", 0),
        ("positions = 400", "positions = 250", 1),
    ] {
        let other = mixed(changed(from, to));
        assert_eq!(other["version-0"], usual["version-0"], "{to}");
        let is_same = |generation: u32| {
            let name = format!("candidate-{generation}");
            other[&name] == usual[&name]
        };
        assert_eq!(is_same(1), same >= 1, "{to}: generation 1");
        assert!(!is_same(2), "{to}: generation 2");
    }
}

#[test]
fn a_first_net_may_have_learned_a_little() {
    let first = "[generation_0]\ngames = 2\ndepth = 2\npositions = 64\nbatch = 16\n";
    let run = made(&alone(first));
    let own = nets(&run);
    let usual = nets(&made(&alone("")));
    assert_ne!(own["version-0"], usual["version-0"]);
    assert!(
        run.file("main/seed-3/shards/generation-0.binpack")
            .is_file()
    );
    assert_eq!(own, nets(&made(&alone(first))), "and always the same");
}

#[test]
fn the_hand_written_evaluation_plays_until_a_net_is_better() {
    let first = "[generation_0]\nmodel = 'classical'\n";
    let rejecting = alone(first).replace("[-10_000]", "[10_000]");
    let [promoted, rejected] = [alone(first), rejecting].map(|file| made(&file));
    let shard = |run: &Place, generation: u32| {
        let name = format!("main/seed-3/shards/generation-{generation}.binpack");
        files(&run.path).remove(&name).expect("a shard")
    };
    let weights = |generation: u32| format!("main/seed-3/nets/version-{generation}.weights");
    for generation in 0..=2 {
        let file = rejected.text(&weights(generation));
        assert_eq!(file, nets::classical::Weights::default().write());
    }
    assert!(promoted.file(&weights(0)).is_file() && !promoted.file(&weights(1)).exists());
    assert!(nets(&promoted).contains_key("version-2"));
    assert_eq!(shard(&promoted, 1), shard(&rejected, 1));
    assert_ne!(shard(&promoted, 2), shard(&rejected, 2));
    let usual = made(&alone(""));
    assert_ne!(shard(&promoted, 1), shard(&usual, 1));
    let candidate = "candidate-1";
    assert_ne!(nets(&promoted)[candidate], nets(&usual)[candidate]);
}

#[test]
fn a_run_may_go_on_with_a_net() {
    let parent = made(&alone(""));
    let net = parent.file("main/seed-3/nets/version-2.tabianet");
    let first = format!("[generation_0]\nmodel = '{}'\n", net.display());
    let run = made(&alone(&first));
    let own = nets(&run);
    assert_eq!(own["version-0"], nets(&parent)["version-2"]);
    // It learns from where the net was: the last net of the parent is nearer to it than
    // random weights are.
    let usual = nets(&parent);
    let changed = |one: &[u8], other: &[u8]| {
        let pairs = one.iter().rev().zip(other.iter().rev());
        pairs.filter(|(one, other)| one != other).count()
    };
    let moved = changed(&own["candidate-1"], &own["version-0"]);
    let apart = changed(&own["candidate-1"], &usual["version-0"]);
    assert!(moved < apart, "{moved} {apart}");
    assert_eq!(own, nets(&made(&alone(&first))), "and always the same");
    let wide = alone(&first).replace("hidden = 32", "hidden = 64");
    let refused = work(&Place::new().path, &wide, 2, &mut |_| false);
    let refused = refused.expect_err("another shape").to_string();
    assert!(
        refused.contains("has another shape: it is 768, 2 x 32"),
        "{refused}"
    );
    // Unless it only plays, and wider nets begin with random weights.
    let teacher = format!("{first}random_weights = true\n");
    let wide = nets(&made(&wide.replace(&first, &teacher)));
    assert_eq!(wide["version-0"], own["version-0"]);
    assert!(wide["candidate-1"].len() > own["candidate-1"].len());
}

#[test]
fn nets_of_epochs_are_kept_where_a_selection_finds_them() {
    let epochs = |more: &str| {
        changed("positions = 1_280", "epochs = 3").replace("[gate]", &format!("{more}[gate]"))
    };
    let file = epochs("[keep]\nepochs = true\n");
    let run = made(&file);
    assert_eq!(
        nets(&run),
        nets(&made(&epochs(""))),
        "nets of generations are the same"
    );
    for generation in [1, 2] {
        let lane = |name: &str| run.file(&format!("main/seed-3/{name}"));
        let folder = format!("trainings/generation-{generation}");
        let net = |epoch: u32| {
            let path = lane(&format!("{folder}/epoch-{epoch:03}.tabianet"));
            std::fs::read(path).expect("a net")
        };
        assert_eq!(net(3), nets(&run)[&format!("candidate-{generation}")]);
        assert_ne!(net(1), net(2));
        let metrics = std::fs::read_to_string(lane(&format!("{folder}/metrics.jsonl")));
        let metrics = metrics.expect("losses");
        let rows: Vec<serde_json::Value> = metrics
            .lines()
            .map(|line| serde_json::from_str(line).expect("a row"))
            .collect();
        for (number, row) in rows.iter().enumerate() {
            assert_eq!(row["epoch"], number + 1);
            assert_eq!(row["net"], format!("epoch-{:03}.tabianet", number + 1));
            assert!(
                row["validation_loss"]
                    .as_f64()
                    .is_some_and(|loss| loss > 0.0)
            );
        }
        assert_eq!(rows.len(), 3);
    }
    // Whoever is stopped again and again leaves the same nets and losses.
    let disturbed = Place::new();
    let mut steps = 0;
    while let Ending::Stopped = work(&disturbed.path, &file, 2, &mut |news| {
        steps += u32::from(matches!(news, Event::Training { .. }));
        matches!(news, Event::Training { .. }) && steps.is_multiple_of(7)
    })
    .expect("no failure")
    {}
    assert!(steps > 14, "{steps} steps");
    assert_eq!(files(&disturbed.path), files(&run.path));
    let losses = "main/seed-3/trainings/generation-2/metrics.jsonl";
    assert_eq!(disturbed.text(losses), run.text(losses));
}

#[test]
fn what_is_not_to_be_kept_is_gone() {
    let keep = "[keep]\ncheckpoints = false\ngames = false\ntraining_data = true\n";
    let run = made(&alone(keep));
    assert_eq!(nets(&run), nets(&made(&alone(""))));
    let lane = |name: &str| run.file(&format!("main/seed-3/{name}"));
    assert!(!lane("matches/generation-1-against-previous").exists());
    assert!(!lane("trainings/generation-1/checkpoint").exists());
    // The last one can still be resumed.
    assert!(lane("trainings/generation-2/checkpoint").exists());
    assert!(lane("trainings/generation-2/training.binpack").exists());
    assert!(lane("trainings/generation-2/validation.binpack").exists());
}

#[test]
fn a_test_can_be_the_gate() {
    let tested = changed("elo_above = [-10_000]", "sprt = { elo0 = -20, elo1 = 20 }");
    let run = made(&tested);
    let metrics = run.text("metrics.jsonl");
    assert!(
        metrics.contains("of the test of -20 against 20"),
        "{metrics}"
    );
    assert_eq!(
        metrics.matches("\"promoted\":false").count(),
        2,
        "{metrics}"
    );
}

#[test]
fn time_can_limit_a_generation_and_is_marked() {
    let timed = changed("positions = 250", "minutes = 0.005");
    let run = made(&timed);
    let manifest = run.text("manifest.json");
    assert!(manifest.contains("\"is_timed\": true"), "{manifest}");
    let table = run.text("main/seed-3/training_log.csv");
    let row = table.lines().nth(1).expect("a row");
    assert!(row.contains(",1,0,3,"), "{row}");
}

#[test]
fn generations_may_differ_in_effort_amount_and_memory() {
    let file = changed("positions = 250", "positions = [300, 150]")
        .replace("nodes = 30\n", "soft_nodes = [1, 1000]\n")
        .replace("positions = 400", "positions = [400, 200]");
    let run = made(&file);
    let metrics = run.text("metrics.jsonl");
    let rows: Vec<serde_json::Value> = metrics
        .lines()
        .map(|line| serde_json::from_str(line).expect("a row"))
        .collect();
    let column = |key: &str| -> Vec<u64> {
        let number = |row: &serde_json::Value| row[key].as_u64().expect(key);
        rows.iter().map(number).collect()
    };
    assert_eq!(column("positions"), [300, 150]);
    // Whole games are forgotten, down to what is remembered or less.
    let remembered = column("buffer_positions");
    assert_eq!(remembered[0], 300);
    assert!((150..=200).contains(&remembered[1]), "{remembered:?}");
    // More nodes see further, enough of them even with a net that knows next to nothing:
    // the second shard differs in more than its length.
    let again = nets(&made(&file.replace("[1, 1000]", "[1, 1]")));
    let own = nets(&run);
    assert_eq!(own["candidate-1"], again["candidate-1"]);
    assert_ne!(own["candidate-2"], again["candidate-2"]);
}
