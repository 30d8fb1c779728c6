//! How many positions a second comparison training takes, for each depth.
//!
//! `cargo bench -p tabia-lab --bench comparison -- FILE.binpack` trains on the positions of a
//! file with moves, as `tabia data label` writes them; without one, on games of random moves.
//! Each depth is also measured with an open window for every move, which is what the windows
//! above the value of the desired move save. Both take the same positions, turn by turn.
//! The last column counts the time of the CPUs instead of the clock, for machines that do
//! something else, too.

use chess::{Board, Move};
use data::position::{Outcome, Position};
use data::shard::{Format, ShardEncoder, ShardWriter};
use engines::exact::Exact;
use nets::ntuple::{NTuple, NTupleEvaluator};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;
use train::Training;
use train::comparison::{Session, Settings};
use train::search::{Bounds, Compared, Leaf, Search, Searcher};

/// Positions of a turn, by depth from 1.
const POSITIONS: [usize; 4] = [4_096, 2_048, 512, 128];
const TURNS: usize = 5;

/// A search that looks for the exact value of every move.
struct Open;

struct Searching(Exact<NTupleEvaluator>);

impl Search for Open {
    fn searcher(&self, network: &Arc<NTuple>) -> Box<dyn Searcher> {
        Box::new(Searching(Exact::new(NTupleEvaluator::new(network.clone()))))
    }
}

impl Searcher for Searching {
    fn compare(&mut self, board: &Board, desired: Move, depth: u32) -> Compared {
        let lines: Vec<_> = (board.legal_moves().iter())
            .map(|&mv| self.0.value_of(board, mv, depth))
            .collect();
        let desired = lines.iter().find(|line| line.mv == desired);
        let desired = desired.expect("a legal move");
        let others = lines.iter().filter(|line| line.mv != desired.mv);
        let leaf = |line: &engines::exact::Variation| Leaf {
            value: line.value,
            board: line.leaf,
        };
        let better = others.clone().filter(|line| line.value > desired.value);
        Compared {
            better: better.map(leaf).collect(),
            equal: others.filter(|line| line.value == desired.value).count(),
            desired: leaf(desired),
        }
    }

    fn tree(&mut self, _: &Board, _: u32, _: &mut dyn FnMut(&Board, Bounds)) {}
}

fn main() {
    let file = std::env::args()
        .skip(1)
        .find(|word| word.ends_with(".binpack"));
    let folder = tempfile::tempdir().expect("a folder");
    let data = file.map_or_else(|| random_games(folder.path()), PathBuf::from);
    println!("{}, {} threads", data.display(), rayon_threads());
    println!("depth  positions/s  all windows open  ratio  positions a CPU second");
    for (depth, positions) in (1..).zip(POSITIONS) {
        let [[ours, busy], [open, _]] = measure(&data, depth, positions);
        let ratio = ours / open;
        println!("{depth:5}  {ours:11.0}  {open:16.0}  {ratio:5.2}  {busy:22.0}");
    }
}

/// The time that all threads of this process have had so far, in seconds, as Linux says it
/// in hundredths; nothing elsewhere.
fn busy_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = text.rsplit(") ").next().unwrap_or_default().split(' ');
    let ticks = fields.skip(11).take(2).flat_map(str::parse::<f64>);
    ticks.sum::<f64>() / 100.0
}

fn rayon_threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The medians of turns, interleaved: by the clock, and by the CPUs.
fn measure(data: &Path, depth: u32, positions: usize) -> [[f64; 2]; 2] {
    let session = |search: Arc<dyn Search>| {
        let text = format!(
            "kind = 'comparison'\ndata = [{data:?}]\nvalidation_positions = 1\ndepth = {depth}\n\
             batch = {positions}\nepoch_positions = 1_000_000_000\n"
        );
        let settings: Settings = train::settings::read(&text).expect("settings");
        Session::begin(settings, 1, search).expect("a session")
    };
    let mut sessions = [session(lab::training_search()), session(Arc::new(Open))];
    let mut speeds = [const { [Vec::new(), Vec::new()] }; 2];
    for _ in 0..TURNS {
        for (session, speeds) in sessions.iter_mut().zip(&mut speeds) {
            let (begin, busy) = (Instant::now(), busy_seconds());
            let positions = session.step().expect("a step").positions as f64;
            speeds[0].push(positions / begin.elapsed().as_secs_f64());
            speeds[1].push(positions / (busy_seconds() - busy).max(0.01));
        }
    }
    speeds.map(|both| {
        both.map(|mut speeds| {
            speeds.sort_by(f64::total_cmp);
            speeds[TURNS / 2]
        })
    })
}

/// Games of random moves, each of which is also the desired one.
fn random_games(folder: &Path) -> PathBuf {
    let path = folder.join("random.binpack");
    let mut random = nets::nnue::Random::new(1);
    let mut encoder = ShardEncoder::new(Format::Binpack);
    for _ in 0..400 {
        let mut board = Board::start();
        for ply in 0..80 {
            let moves = board.legal_moves();
            if moves.is_empty() {
                break;
            }
            let mv = moves[(random.number() % moves.len() as u64) as usize];
            let position = Position {
                board,
                mv: Some(mv),
                score: 0,
                result: Outcome::Draw,
                ply,
            };
            encoder.push(&position).expect("a position");
            board.make(mv);
        }
    }
    let mut writer = ShardWriter::begin(&path, Format::Binpack).expect("a file");
    writer.add(&encoder.finish()).expect("written");
    writer.finish().expect("written");
    path
}
