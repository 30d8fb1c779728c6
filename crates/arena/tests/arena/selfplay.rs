//! Self-play: what it makes depends on nothing but settings and seed.

use arena::selfplay::{Amount, News, SelfPlay, Settings, Totals};
use data::binpack::Positions;
use data::position::{Outcome, Position};
use engines::StopSignal;
use engines::recipe::{AlphaBetaRecipe, Recipe};
use nets::Model;
use std::fs;
use std::path::{Path, PathBuf};
use work::Threads;

fn settings(text: &str) -> Settings {
    toml::from_str(text).expect("settings")
}

/// Short games of a quick player.
fn quick() -> Settings {
    settings("nodes = 60\nrandom_plies = 2\nhorizon = 24\nat_horizon = 'material'")
}

struct Made {
    totals: Option<Totals>,
    shard: PathBuf,
}

fn make(
    folder: &Path,
    settings: &Settings,
    amount: Amount,
    threads: usize,
    stop_after: u64,
) -> Result<Made, String> {
    let shard = folder.join("shard.binpack");
    let stop = StopSignal::new();
    let selfplay = SelfPlay {
        settings,
        explore: None,
        generation: 1,
        player: &Recipe::AlphaBeta(AlphaBetaRecipe::new(Model::classical(), 1)),
        seed: 7,
        amount,
        shard: &shard,
        author: None,
        dispatcher: &Threads::new(threads),
    };
    let totals = selfplay.play(&stop, &mut |news| {
        if let News::Finished(totals) = news
            && totals.games >= stop_after
        {
            stop.stop();
        }
    });
    totals
        .map(|totals| Made { totals, shard })
        .map_err(|error| error.to_string())
}

fn made(settings: &Settings, amount: Amount, threads: usize) -> (Totals, Vec<u8>) {
    let folder = tempfile::tempdir().expect("a folder");
    let made = make(folder.path(), settings, amount, threads, u64::MAX).expect("a shard");
    let bytes = fs::read(made.shard).expect("a shard");
    (made.totals.expect("all games"), bytes)
}

/// The positions of a small shard, which is one chunk.
fn positions(shard: &[u8]) -> Vec<Position> {
    assert_eq!(&shard[..4], b"BINP");
    let mut decoder = Positions::new(&shard[8..]);
    let mut positions = Vec::new();
    while let Some(position) = decoder.next().expect("whole chains") {
        positions.push(*position);
    }
    positions
}

/// Without what the clock says.
fn timeless(totals: &Totals) -> Totals {
    Totals {
        seconds: 0.0,
        thinking_seconds: 0.0,
        ..totals.clone()
    }
}

#[test]
fn threads_do_not_matter() {
    for amount in [Amount::Games(9), Amount::Positions(150)] {
        let (totals, shard) = made(&quick(), amount, 1);
        for threads in [2, 4] {
            let (other_totals, other) = made(&quick(), amount, threads);
            assert_eq!(timeless(&other_totals), timeless(&totals), "{amount:?}");
            assert!(other == shard, "{amount:?}, {threads} threads");
        }
    }
}

#[test]
fn positions_are_cut_exactly_and_by_number() {
    let (all, shard) = made(&quick(), Amount::Games(9), 2);
    let all_positions = positions(&shard);
    assert_eq!(all.positions as usize, all_positions.len());
    assert_eq!(all.games, 9);
    for wanted in [1, 30, 31, 100] {
        let (totals, shard) = made(&quick(), Amount::Positions(wanted), 2);
        assert_eq!(totals.positions, wanted);
        assert_eq!(positions(&shard), all_positions[..wanted as usize]);
    }
}

#[test]
fn stopped_and_torn_work_goes_on_to_the_same_shard() {
    // Far more than two threads can finish before a slow listener has stopped them.
    let amount = Amount::Games(40);
    let (totals, undisturbed) = made(&quick(), amount, 2);
    let folder = tempfile::tempdir().expect("a folder");
    let record = folder.path().join("shard.binpack.games");
    for stop_after in [2, 5] {
        let made = make(folder.path(), &quick(), amount, 2, stop_after).expect("no failure");
        assert!(made.totals.is_none() && !made.shard.exists());
        // As a kill in the middle of a line leaves it.
        let mut lines = fs::read(&record).expect("a record");
        lines.truncate(lines.len() - 10);
        fs::write(&record, lines).expect("room");
    }
    let other = Settings {
        random_plies: 3,
        ..quick()
    };
    let error = make(folder.path(), &other, amount, 2, u64::MAX).err();
    let error = error.expect("other games");
    assert!(
        error.ends_with("to another self-play: its settings differ; delete it to start over"),
        "{error}"
    );
    let made = make(folder.path(), &quick(), amount, 2, u64::MAX).expect("a shard");
    assert_eq!(made.totals.as_ref().map(timeless), Some(timeless(&totals)));
    assert!(fs::read(&made.shard).expect("a shard") == undisturbed);
    // Nothing is played again as long as the record is there.
    fs::remove_file(&made.shard).expect("a shard");
    let again = make(folder.path(), &quick(), amount, 2, 0).expect("a shard");
    assert_eq!(again.totals, made.totals);
    assert!(fs::read(&again.shard).expect("a shard") == undisturbed);
}

#[test]
fn games_are_whole_and_seen_by_the_side_to_move() {
    let (totals, shard) = made(&quick(), Amount::Games(9), 2);
    let all = positions(&shard);
    let mut games = 0;
    let mut wins = 0;
    for (index, position) in all.iter().enumerate() {
        let goes_on = index > 0 && all[index - 1].is_followed_by(position);
        if !goes_on {
            games += 1;
            // The openings of the book have eight plies, and two are by lot.
            assert_eq!(position.ply, 10);
            let is_won = position.result != Outcome::Draw;
            wins += u64::from(is_won);
        }
    }
    assert_eq!(games, totals.games);
    assert_eq!(wins, totals.white_wins + totals.black_wins);
    assert_eq!(totals.plies, totals.positions);
    assert!(totals.plies <= 24 * 9);
    assert!(totals.reasons["material"] > 0, "{totals:?}");
    assert!(totals.thinking_seconds > 0.0 && totals.thinking_seconds <= totals.seconds);
}

#[test]
fn random_moves_are_no_examples() {
    let wandering = settings("nodes = 60\nhorizon = 20\nrandom_moves = 5\nrandom_until = 8");
    let (totals, shard) = made(&wandering, Amount::Games(4), 2);
    assert_eq!(totals.plies, totals.positions + 4 * 5);
    let all = positions(&shard);
    for game in all.chunk_by(|one, other| one.is_followed_by(other)) {
        let marked = |part: &[Position]| part.iter().filter(|each| each.is_marked()).count();
        assert_eq!((marked(&game[..8]), marked(&game[8..])), (5, 0));
    }
    // A cut counts examples only.
    let (totals, shard) = made(&wandering, Amount::Positions(6), 1);
    assert_eq!(totals.positions, 6);
    let examples = positions(&shard)
        .into_iter()
        .filter(|each| !each.is_marked());
    assert_eq!(examples.count(), 6);
}

#[test]
fn time_can_be_the_limit() {
    let (totals, shard) = made(&quick(), Amount::Seconds(0.3), 2);
    assert!(totals.games > 0);
    assert_eq!(positions(&shard).len() as u64, totals.positions);
}

#[test]
fn what_cannot_be_used_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let fails = |settings: &Settings| {
        let made = make(folder.path(), settings, Amount::Games(1), 1, u64::MAX);
        made.err().expect("it cannot be used")
    };
    assert_eq!(
        fails(&settings("depth = 0")),
        "depth: it is 0, but must be from 1 to 200"
    );
    let error = fails(&settings("book = '/no/such.epd'"));
    assert!(error.contains("/no/such.epd"), "{error}");
    let book = folder.path().join("960.epd");
    let position = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf -\n";
    fs::write(&book, position).expect("room");
    let error = fails(&settings(&format!("book = '{}'", book.display())));
    assert!(error.contains("Chess960"), "{error}");
    let nowhere = Path::new("/no/such/folder");
    let error = make(nowhere, &quick(), Amount::Games(1), 1, u64::MAX).err();
    assert!(error.expect("no folder").contains("/no/such/folder"));
}

#[test]
fn a_record_with_absurd_numbers_is_used_or_refused() {
    let folder = tempfile::tempdir().expect("a folder");
    let record = folder.path().join("shard.binpack.games");
    let amount = Amount::Games(3);
    let expected = make(folder.path(), &quick(), amount, 1, u64::MAX).expect("a shard");
    let expected = fs::read(expected.shard).expect("a shard");
    let text = fs::read_to_string(&record).expect("a record");
    let lines: Vec<&str> = text.lines().collect();
    let with = |name: &str, value: &str| {
        let mut lines: Vec<String> = lines.iter().map(|line| (*line).to_owned()).collect();
        let begin = lines[2].find(&format!("\"{name}\":")).expect("a field") + name.len() + 3;
        let end = begin + lines[2][begin..].find(',').expect("another field");
        lines[2].replace_range(begin..end, value);
        fs::write(&record, lines.join("\n") + "\n").expect("written");
        make(folder.path(), &quick(), amount, 1, u64::MAX)
    };
    // Times decide nothing of these games.
    for (name, value) in [("at", "1e30"), ("at", "-1e300"), ("seconds", "1e308")] {
        let made = with(name, value).expect("a shard");
        assert!(fs::read(made.shard).expect("a shard") == expected, "{name}");
    }
    for (name, value, problem) in [
        ("game", "0", "occurs twice"),
        (
            "positions",
            "18446744073709551615",
            "has more positions than plies",
        ),
        ("at", "1e400", "not a valid game: "),
        ("plies", "-1", "not a valid game: "),
    ] {
        let refused = with(name, value).err().expect("refused");
        assert!(refused.contains(".games:3: "), "{refused}");
        assert!(refused.contains(problem), "{refused}");
    }
    // After so much time there is enough.
    let seconds = Amount::Seconds(1e9);
    let stopped = make(folder.path(), &quick(), seconds, 1, 0).err();
    assert!(
        stopped
            .expect("another amount")
            .contains("another self-play")
    );
    fs::remove_file(&record).expect("a record");
    make(folder.path(), &quick(), seconds, 1, 1).expect("stopped");
    let text = fs::read_to_string(&record).expect("a record");
    let (before, after) = text.split_once("\"at\":").expect("a time");
    let after = after.split_once(',').expect("another field").1;
    fs::write(&record, format!("{before}\"at\":1e30,{after}")).expect("written");
    let made = make(folder.path(), &quick(), seconds, 1, u64::MAX).expect("a shard");
    assert!(made.totals.is_some_and(|totals| totals.games >= 1));
}
