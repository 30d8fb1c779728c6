//! Everything that a run leaves behind.

use crate::miniature::{FILE, STEPS, files, undisturbed};
use serde_json::Value;
use std::fs;

#[test]
fn a_run_leaves_everything_it_promises() {
    let run = undisturbed();
    assert_eq!(run.text("run.toml"), FILE);
    let state = run.text("state.jsonl");
    assert_eq!(state.lines().count(), 2 + STEPS, "{state}");
    for arm in ["control", "curriculum"] {
        for file in [
            "shards/generation-1.binpack",
            "shards/generation-2.binpack",
            "nets/version-0.tabianet",
            "nets/candidate-1.tabianet",
            "nets/version-1.tabianet",
            "nets/candidate-2.tabianet",
            "nets/version-2.tabianet",
            "trainings/generation-0/checkpoint",
            "trainings/generation-1/checkpoint",
            "trainings/generation-2/checkpoint",
            "matches/generation-2-against-previous/journal.jsonl",
            "matches/generation-2-against-previous/games.pgn",
            "matches/generation-1-against-generation-0/journal.jsonl",
            "training_log.csv",
        ] {
            let file = format!("{arm}/seed-3/{file}");
            assert!(run.file(&file).is_file(), "{file} is missing");
        }
        // What was learned from can be made again.
        let lesson = format!("{arm}/seed-3/trainings/generation-1/training.binpack");
        assert!(!run.file(&lesson).exists());
        let shard = format!("{arm}/seed-3/shards/generation-1.binpack.games");
        assert!(!run.file(&shard).exists());
    }
    for file in [
        "finals/seed-3-generation-2-control-against-curriculum/games.pgn",
        "finals/seed-3-generation-2-control-against-generation-0/journal.jsonl",
        "plots/elo.svg",
        "plots/elo-previous.svg",
        "plots/game-length.svg",
        "plots/decisive.svg",
        "plots/loss.svg",
        "plots/differences.svg",
        "report.md",
        "report.html",
    ] {
        assert!(run.file(file).is_file(), "{file} is missing");
    }
}

#[test]
fn arms_of_a_seed_share_what_they_should() {
    let run = undisturbed();
    let files = files(&run.path);
    let file = |name: &str| &files[name];
    assert_eq!(
        file("control/seed-3/nets/version-0.tabianet"),
        file("curriculum/seed-3/nets/version-0.tabianet")
    );
    for generation in [1, 2] {
        let net = |arm: &str| {
            file(&format!(
                "{arm}/seed-3/nets/candidate-{generation}.tabianet"
            ))
        };
        assert_ne!(net("control"), net("curriculum"));
        // All were promoted.
        for arm in ["control", "curriculum"] {
            let version = format!("{arm}/seed-3/nets/version-{generation}.tabianet");
            assert_eq!(file(&version), net(arm));
        }
    }
    // The matches of both arms begin with the same openings.
    let starts = |arm: &str| -> Vec<String> {
        let match_folder = "matches/generation-1-against-generation-0/games.pgn";
        let games = run.text(&format!("{arm}/seed-3/{match_folder}"));
        let lines = games.lines().filter(|line| line.starts_with("[FEN "));
        lines.map(str::to_owned).collect()
    };
    assert_eq!(starts("control").len(), 4);
    assert_eq!(starts("control"), starts("curriculum"));
}

#[test]
fn tables_have_the_published_columns() {
    let run = undisturbed();
    let table = run.text("curriculum/seed-3/training_log.csv");
    let mut lines = table.lines();
    let header = lines.next().expect("a header");
    assert!(
        header.starts_with(
            "iteration,games_played,avg_game_length_plies,positions_added,iter_energy_uj,\
             training_duration_sec,exported_net_path,bench_prev_w,bench_prev_l,bench_prev_d,\
             bench_prev_elo,bench_base_w,bench_base_l,bench_base_d,bench_base_elo,timed_out,\
             deterministic,master_seed,iteration_seed,bench_prev_elo_low"
        ),
        "{header}"
    );
    let columns = header.split(',').count();
    for (index, line) in lines.enumerate() {
        let cells: Vec<&str> = line.split(',').collect();
        assert_eq!(cells.len(), columns, "{line}");
        assert_eq!(cells[0], (index + 1).to_string());
        assert_eq!(cells[3], "250");
        // The curriculum: 12, then 18 plies.
        let plies: f64 = cells[2].parse().expect("a number");
        assert!(plies <= [12.0, 18.0][index] && plies > 5.0, "{plies}");
        let games: u64 = cells[7..10]
            .iter()
            .map(|cell| cell.parse::<u64>().expect("a number"))
            .sum();
        assert_eq!(games, 4);
        assert_eq!(cells[15..18], ["0", "1", "3"]);
    }
    assert_eq!(table.lines().count(), 3);
}

#[test]
fn metrics_and_manifest_say_what_happened() {
    let run = undisturbed();
    let metrics = run.text("metrics.jsonl");
    let rows: Vec<Value> = metrics
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(rows.len(), 4);
    for row in &rows {
        assert_eq!(row["positions"], 250);
        assert_eq!(row["steps"], 20);
        assert_eq!(row["promoted"], true);
        assert!(row["validation_loss"].as_f64().expect("a loss") > 0.0);
        assert!(row["buffer_positions"].as_u64().expect("positions") <= 400);
    }
    // The second generation remembers the first, as far as there is room.
    assert!(rows[1]["buffer_positions"].as_u64() > Some(250));
    assert_eq!(rows[2]["horizon"], 12);
    assert_eq!(rows[3]["horizon"], 18);
    let manifest: Value = serde_json::from_str(&run.text("manifest.json")).expect("JSON");
    assert_eq!(manifest["finished"], true);
    assert_eq!(manifest["is_timed"], false);
    assert_eq!(manifest["programs"], serde_json::json!(["test"]));
    assert_eq!(
        manifest["experiment"]["arms"]["control"]["train"]["batch"],
        64
    );
    let listed = manifest["files"].as_array().expect("a list");
    for (name, bytes) in files(&run.path) {
        let hash = blake3::hash(&bytes).to_hex().to_string();
        let file = listed.iter().find(|file| file["path"] == name.as_str());
        let file = file.unwrap_or_else(|| panic!("{name} is not listed"));
        assert_eq!(file["blake3"], hash.as_str(), "{name}");
    }
}

#[test]
fn the_report_can_be_read_without_the_code() {
    let run = undisturbed();
    let report = run.text("report.md");
    for words in [
        "# Miniature",
        "Does the loop go round?",
        "**Inconclusive: one seed says nothing about the spread between training runs.",
        "curriculum - control: ",
        "| control against curriculum | 3 | 4 |",
        "| selfplay.horizon | control | 40 |",
        "| selfplay.at_horizon | curriculum | material |",
        "reproduced if: interval above 0 and curriculum above generation 0",
        "![Ratings of candidates over all games; generation 0 is 0](plots/elo.svg)",
    ] {
        assert!(report.contains(words), "'{words}' is missing:\n{report}");
    }
    let page = run.text("report.html");
    assert!(
        page.contains("<svg") && !page.contains("<img"),
        "it needs no other file"
    );
    assert!(page.contains("<title>Miniature</title>"));
    for picture in fs::read_dir(run.file("plots")).expect("a folder") {
        let svg = fs::read_to_string(picture.expect("an entry").path()).expect("a text");
        assert!(!svg.contains("NaN") && !svg.contains("inf\""), "{svg}");
        assert!(page.contains(&svg), "every picture is on the page");
    }
}
