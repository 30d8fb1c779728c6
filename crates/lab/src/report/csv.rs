//! The table of one arm and seed, with the columns of the published study first.

use crate::metrics::{Bench, Row};
use crate::settings::GateSettings;

/// The published columns in their order, then ours. `iter_energy_uj` is always empty, there as
/// here.
const COLUMNS: [&str; 36] = [
    "iteration",
    "games_played",
    "avg_game_length_plies",
    "positions_added",
    "iter_energy_uj",
    "training_duration_sec",
    "exported_net_path",
    "bench_prev_w",
    "bench_prev_l",
    "bench_prev_d",
    "bench_prev_elo",
    "bench_base_w",
    "bench_base_l",
    "bench_base_d",
    "bench_base_elo",
    "timed_out",
    "deterministic",
    "master_seed",
    "iteration_seed",
    "bench_prev_elo_low",
    "bench_prev_elo_high",
    "bench_prev_elo_clamped",
    "bench_base_elo_low",
    "bench_base_elo_high",
    "bench_base_elo_clamped",
    "promoted",
    "version_net_path",
    "horizon_plies",
    "decisive_share",
    "replay_positions",
    "training_positions",
    "training_loss",
    "validation_loss",
    "rating_elo",
    "rating_elo_low",
    "rating_elo_high",
];

/// The table of some generations of one arm and seed.
pub(crate) fn table(rows: &[&Row]) -> String {
    let mut text = COLUMNS.join(",") + "\n";
    for row in rows {
        text += &cells(row).join(",");
        text.push('\n');
    }
    text
}

/// The columns of the table of matches.
const ARENA_COLUMNS: [&str; 16] = [
    "generation",
    "opponent",
    "games",
    "wins",
    "draws",
    "losses",
    "score",
    "elo",
    "elo_low",
    "elo_high",
    "los",
    "llr",
    "llr_lower",
    "llr_upper",
    "promoted",
    "reason",
];

/// The matches of some generations of one arm and seed, one per line.
pub(crate) fn arena(rows: &[&Row], gate: &GateSettings) -> String {
    let mut text = ARENA_COLUMNS.join(",") + "\n";
    for row in rows {
        let matches = [
            ("previous", &row.previous),
            ("generation 0", &row.baseline),
            ("for the record", &row.eval),
        ];
        for (opponent, bench) in matches {
            if let Some(bench) = bench {
                text += &arena_cells(row, opponent, bench, gate).join(",");
                text.push('\n');
            }
        }
    }
    text
}

fn arena_cells(row: &Row, opponent: &str, bench: &Bench, gate: &GateSettings) -> Vec<String> {
    let games = bench.counts.games();
    let elo = gate.interval.estimate(&bench.counts);
    let test = match (opponent, gate.sprt) {
        ("previous", Some(sprt)) => {
            let judgement = sprt.judge(&bench.counts);
            [judgement.llr, judgement.lower, judgement.upper].map(|number| number.to_string())
        }
        _ => Default::default(),
    };
    let mut cells = vec![row.generation.to_string(), opponent.to_owned()];
    let counts = [games.games(), games.wins, games.draws, games.losses];
    cells.extend(counts.map(|count| count.to_string()));
    let score = games.score().unwrap_or(0.5);
    let numbers = [score, elo.value, elo.lower, elo.upper, bench.los];
    cells.extend(numbers.map(|number| number.to_string()));
    cells.extend(test);
    cells.push(u8::from(row.promoted).to_string());
    cells.push(quoted(&row.reason));
    cells
}

fn cells(row: &Row) -> Vec<String> {
    let number = |number: f64| number.to_string();
    let whole = |number: u64| number.to_string();
    let flag = |is_so: bool| u8::from(is_so).to_string();
    let bench = |bench: Option<&Bench>, value: &dyn Fn(&Bench) -> String| {
        bench.map_or_else(String::new, value)
    };
    let (previous, baseline) = (row.previous.as_ref(), row.baseline.as_ref());
    let mut cells = vec![
        whole(u64::from(row.generation)),
        whole(row.games),
        number(row.plies),
        whole(row.positions),
        String::new(),
        format!("{:.3}", row.training_seconds),
        quoted(&row.candidate),
    ];
    for opponent in [previous, baseline] {
        cells.push(bench(opponent, &|bench| whole(bench.wins)));
        cells.push(bench(opponent, &|bench| whole(bench.losses)));
        cells.push(bench(opponent, &|bench| whole(bench.draws)));
        cells.push(bench(opponent, &|bench| number(bench.elo)));
    }
    cells.extend([
        flag(row.is_timed),
        flag(!row.is_timed),
        whole(row.seed),
        whole(row.selfplay_seed),
    ]);
    for opponent in [previous, baseline] {
        cells.push(bench(opponent, &|bench| number(bench.elo_low)));
        cells.push(bench(opponent, &|bench| number(bench.elo_high)));
        cells.push(bench(opponent, &|bench| number(bench.elo_clamped)));
    }
    cells.extend([
        flag(row.promoted),
        quoted(&row.version),
        row.horizon
            .map_or_else(String::new, |plies| plies.to_string()),
        number(row.decisive),
        whole(row.buffer_positions),
        whole(row.lesson_positions),
        number(row.loss),
        number(row.validation_loss),
    ]);
    let rating = row
        .rating
        .map(|rating| [rating.value, rating.lower, rating.upper]);
    cells.extend(match rating {
        Some(numbers) => numbers.map(number),
        None => Default::default(),
    });
    cells
}

/// A text as a CSV cell.
pub(crate) fn quoted(text: &str) -> String {
    match text.contains([',', '"', '\n']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text.to_owned(),
    }
}
