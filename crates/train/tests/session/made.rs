//! Data and settings that tests make for themselves.

use chess::{Board, Move};
use data::position::{Outcome, Position};
use data::shard::{Format, ShardEncoder, ShardWriter};
use nets::nnue::Random;
use std::path::{Path, PathBuf};
use train::Training;
use train::nnue::{Session, Settings};

/// Random games whose scores count men: something that can be learned.
pub(crate) fn write_data(path: &Path, games: usize, seed: u64) {
    let mut random = Random::new(seed);
    let mut encoder = ShardEncoder::new(Format::Binpack);
    for _ in 0..games {
        let mut board = Board::start();
        for ply in 0..120 {
            let moves = board.legal_moves();
            if moves.is_empty() {
                break;
            }
            let mv = moves[(random.number() % moves.len() as u64) as usize];
            encoder
                .push(&position(&board, mv, ply))
                .expect("a position");
            board.make(mv);
        }
    }
    let mut writer = ShardWriter::begin(path, Format::Binpack).expect("a file");
    writer.add(&encoder.finish()).expect("written");
    writer.finish().expect("written");
}

/// One position 400 times, won in 300 of them, else lost.
pub(crate) fn write_contradictions(path: &Path) {
    let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    let board = Board::from_fen(fen).expect("a position");
    let mut encoder = ShardEncoder::new(Format::Binpack);
    for index in 0..400 {
        let mut position = position(&board, board.legal_moves()[0], 9);
        position.result = match index % 4 {
            0 => Outcome::Loss,
            _ => Outcome::Win,
        };
        encoder.push(&position).expect("a position");
    }
    let mut writer = ShardWriter::begin(path, Format::Binpack).expect("a file");
    writer.add(&encoder.finish()).expect("written");
    writer.finish().expect("written");
}

fn position(board: &Board, mv: Move, ply: u16) -> Position {
    let side = board.side_to_move();
    let surplus = board.color(side).count() as i16 - board.color(!side).count() as i16;
    Position {
        board: *board,
        mv: Some(mv),
        score: 80 * surplus,
        result: Outcome::Draw,
        ply,
    }
}

pub(crate) fn settings(data: PathBuf, more: &str) -> Settings {
    let text = format!(
        "data = [{data:?}]\nbatch = 512\nepochs = 3\nlambda = 1.0\nlearning_rate = 0.003\nseed = 5\n{more}"
    );
    train::settings::read(&text).expect("settings")
}

pub(crate) const SMALL: &str = "[net]\nhidden = 32\nactivation = \"crelu\"\n";
pub(crate) const BUCKETED: &str = "ema = 0.9\n[optimiser]\nrule = \"ranger\"\n\
    [net]\nhidden = 64\nactivation = \"pairwise\"\noutput_buckets = 4\nmirrored = true\nfactored = true\nshared = true\n";

pub(crate) fn folder_with_data() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().join("games.binpack");
    write_data(&data, 150, 3);
    (folder, data)
}

pub(crate) const STOCKFISH_SHAPED: &str =
    "[net]\nshape = \"sfnn\"\nhidden = 128\nfactored = true\nshared = true\n";

/// A training to its end.
pub(crate) fn trained(settings: Settings) -> Session {
    let mut session = Session::begin(settings, 1).expect("a session");
    while !session.is_over() {
        session.step().expect("a step");
    }
    session
}
