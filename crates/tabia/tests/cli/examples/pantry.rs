//! The inputs that examples name: small games, data, nets, and work that was begun.

use crate::program::tabia;
use std::fs;
use std::path::{Path, PathBuf};

/// Files that are larger are not copied but linked: commands replace files as a whole.
const LARGE: u64 = 100_000;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n";
/// A player that draws its moves, so that games differ.
const SAMPLED: &str = "kind=sequence model=heuristic nodes=1 option.Mode=sampled";
/// What all trainings have.
const COURSE: &str = "batch = 64\nepochs = 1\nepoch_positions = 64\nvalidation_share = 0.2\n";

/// Files as they are written down: a name and a text.
const FILES: [(&str, &str); 13] = [
    (
        "tactics.epd",
        "r1b2rk1/ppbn1ppp/4p3/1QP4q/3P4/N4N2/5PPP/R1B2RK1 w - - bm c6; id \"WAC.250\";\n",
    ),
    ("mates.epd", "6k1/5ppp/8/8/8/8/8/R3K3 w - - dm 1;\n"),
    ("FILE.epd", "4k3/8/8/8/8/8/8/4K2R w K - ;D1 15 ;D2 66\n"),
    ("openings.tsv", "eco\tname\tpgn\nA00\tPolish\t1. b4\n"),
    (
        "lichess_db_puzzle.csv",
        "PuzzleId,FEN,Moves,Rating,RatingDeviation,Popularity,NbPlays,Themes,GameUrl,OpeningTags\n\
         00008,6k1/5ppp/8/8/8/8/r4PPP/R5K1 b - - 0 1,a2b2 a1a8,900,80,90,100,mate,x,\n",
    ),
    ("match.toml", MATCH),
    ("tournament.toml", MATCH),
    ("nets.toml", MATCH),
    (
        "tune.toml",
        "constants = ['futility_base']\niterations = 2\npairs = 1\n\
         [player]\nnodes = 20\n[endings]\nhorizon = 10\n",
    ),
    (
        "run.toml",
        "generations = 1\n[net]\nhidden = 32\n\
         [selfplay]\nnodes = 10\npositions = 100\nrandom_plies = 2\nhorizon = 20\n\
         [train]\npositions = 128\nbatch = 64\n\
         [gate]\ngames = 2\nnodes = 10\nhorizon = 10\n[verdict]\ngames = 2\n",
    ),
    (
        "select.toml",
        "[candidates]\nnets = ['*.tabianet']\n[player]\nnodes = 10\n\
         [games]\nrandom_plies = 2\nhorizon = 10\n[gauntlet]\ngames = 2\nkeep = 2\n\
         [round_robin]\ngames = 2\n[peak]\ngames = 0\n[final]\ngames = 2\n",
    ),
    (
        "ladder.toml",
        "players = ['name=two model=classical depth=1']\n\
         anchors = ['name=low model=classical nodes=20']\n\
         find_games = 2\ndecide_games = 2\n[games]\nhorizon = 10\n",
    ),
    (
        "study.toml",
        "[data]\ntraining = ['train.binpack']\n[player]\nnodes = 10\n\
         [games]\nhorizon = 10\nrandom_plies = 2\n\
         [arms.a]\nmodel = 'classical'\n[arms.b]\ngroups = ['pieces']\n\
         [[claims]]\nname = 'c'\ntext = 'a is better'\ngames = 2\n\
         matches = [{ first = 'a', second = 'b' }]\n",
    ),
];
const MATCH: &str = "games = 2\n[each]\nnodes = 20\n[[player]]\nname = 'a'\n[[player]]\n\
                     name = 'b'\n[endings]\nhorizon = 20\n";

/// Trainings: the file, what it says, and its folder.
const TRAININGS: [(&str, &str, &str); 7] = [
    (
        "nnue.toml",
        "data = ['train.binpack']\n[net]\nhidden = 32\n",
        "trainings/mine",
    ),
    (
        "sfnn.toml",
        "data = ['train.binpack']\n[net]\nshape = 'sfnn'\nhidden = 128\n",
        "sfnn",
    ),
    (
        "docs/resnet.toml",
        "kind = 'resnet'\ndata = ['train.binpack']\n[net]\nchannels = 4\nblocks = 1\n",
        "resnet",
    ),
    (
        "pairs.toml",
        "kind = 'comparison'\ndata = ['train.binpack']\ndepth = 1\ntuples = ['K', 'NP']\n",
        "pairs",
    ),
    (
        "docs/sequence.toml",
        "kind = 'sequence'\ndata = ['games.sequences']\n[net]\nsize = 'tiny'\n",
        "sequence",
    ),
    (
        "fit.toml",
        "kind = 'classical'\ndata = ['train.binpack']\n",
        "",
    ),
    (
        "nets/policy.toml",
        "kind = 'policy'\ndata = ['train.binpack']\n\
         [policy]\nhidden = 128\n[value]\nhidden = 32\n",
        "",
    ),
];

/// Copies: a file, and the names that examples have for it.
const COPIES: [(&str, &[&str]); 10] = [
    ("games.pgn", &["a.pgn", "all.pgn", "club.pgn", "mine.pgn"]),
    (
        "train.binpack",
        &["b.binpack", "c.binpack", "valid.binpack", "torn.binpack"],
    ),
    ("match/journal.jsonl", &["matches/one/journal.jsonl"]),
    (
        "trainings/mine/epoch-001.tabianet",
        &["mine.tabianet", "my.tabianet", "nets/a.tabianet"],
    ),
    (
        "sfnn/epoch-001.nnue",
        &["net.nnue", "small.nnue", "b.nnue", "nn-ad9b42354671.nnue"],
    ),
    ("sfnn/epoch-001.nnue", &["epoch-009.nnue", "epoch-010.nnue"]),
    ("resnet/epoch-001.tabianet", &["resnet.tabianet"]),
    ("pairs/epoch-001.ntuple", &["pairs.ntuple"]),
    ("sequence/epoch-001.tabianet", &["model.tabianet"]),
    (
        "train.binpack",
        &["a.binpack", "selfplay.binpack", "all.binpack"],
    ),
];

/// Where work that was begun lies, by its commands: only they need it.
const COLLECTIONS: [&str; 4] = ["runs", "selections", "studies", "ladders"];
const BEGUN: &str = "begun";

/// A folder with everything.
pub(super) struct Pantry(PathBuf);

impl Pantry {
    pub(super) fn new(folder: &Path) -> Pantry {
        let pantry = Pantry(folder.to_owned());
        for (name, text) in FILES {
            pantry.write(name, text);
        }
        pantry.write("start.epd", &START.repeat(12));
        let [jane, other] =
            ["'Doe, Jane'", "baseline"].map(|name| format!("name={name} {SAMPLED}"));
        let words = "match --out match --openings start.epd --games 24 --horizon 40";
        let mut words: Vec<&str> = words.split(' ').collect();
        words.extend(["--player", &jane, "--player", &other]);
        pantry.tabia(&words);
        let games = fs::read_to_string(folder.join("match/games.pgn")).expect("games");
        let ratings = "[WhiteElo \"2600\"]\n[BlackElo \"2600\"]\n[Result ";
        pantry.write("games.pgn", &games.replace("[Result ", ratings));
        let make = "selfplay --games 24 --nodes 30 --horizon 40 --seed 3 -o train.binpack";
        pantry.line(make);
        pantry.line("pgn sequences match/games.pgn -o games.sequences");
        pantry.line("pgn sequences match/games.pgn -o games-test.sequences");
        for (file, text, folder) in TRAININGS {
            pantry.write(file, &format!("{COURSE}{text}"));
            if !folder.is_empty() {
                pantry.line(&format!("train {file} --out {folder}"));
            }
        }
        for (file, names) in COPIES {
            for name in names {
                let to = pantry.0.join(name);
                fs::create_dir_all(to.parent().expect("a folder")).expect("room");
                fs::copy(pantry.0.join(file), to).expect(file);
            }
        }
        for name in ["games.pgn.zst", "lichess.pgn.zst", "all.pgn.gz", "b.pgn.gz"] {
            pantry.line(&format!("pgn convert games.pgn -o {name}"));
        }
        pantry.line("data convert train.binpack -o selfplay.plain");
        pantry.line("data convert train.binpack -o published.plain");
        pantry.line("data convert train.binpack -o selfplay.policy");
        pantry.line("net convert resnet.tabianet -o a.safetensors");
        for (kind, collection) in ["run", "select", "study", "ladder"]
            .into_iter()
            .zip(COLLECTIONS)
        {
            pantry.line(&format!(
                "{kind} {kind}.toml --out {BEGUN}/{collection}/mine"
            ));
        }
        for name in ["quickstart", "quickstart-2", "alphazero-zero"] {
            pantry.line(&format!("run run.toml --out {BEGUN}/runs/{name}"));
        }
        for training in ["sfnn", "resnet", "pairs", "sequence"] {
            fs::remove_dir_all(folder.join(training)).expect("a folder");
        }
        pantry
    }

    /// A folder for one example, with the inputs that it does not write itself.
    pub(super) fn fill(&self, place: &Path, words: &[String]) {
        let command = words.first().map_or("", String::as_str);
        copy(&self.0, place);
        let is_of_lab = ["run", "runs", "select", "study", "ladder"].contains(&command);
        for collection in COLLECTIONS.iter().filter(|_| is_of_lab) {
            copy(
                &self.0.join(BEGUN).join(collection),
                &place.join(collection),
            );
        }
        let own = self.0.join(format!("{command}.toml"));
        if own.is_file() {
            fs::copy(own, place.join("mine.toml")).expect("room");
        }
        // The same name is that of another kind of net here.
        if words.get(1).is_some_and(|word| word == "convert") {
            fs::copy(place.join("resnet.tabianet"), place.join("a.tabianet")).expect("room");
        } else {
            fs::copy(place.join("mine.tabianet"), place.join("a.tabianet")).expect("room");
        }
        let writes = |pair: &[String]| ["-o", "--out"].contains(&pair[0].as_str());
        for pair in words.windows(2).filter(|pair| writes(pair)) {
            let path = place.join(&pair[1]);
            match path.is_dir() {
                true if path.ends_with("mine") => fs::remove_dir_all(path).expect("a folder"),
                true => {}
                false => drop(fs::remove_file(path)),
            }
        }
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("room");
        fs::write(path, text).expect("room");
    }

    fn line(&self, line: &str) {
        self.tabia(&line.split(' ').collect::<Vec<_>>());
    }

    fn tabia(&self, words: &[&str]) {
        let told = tabia(words).current_dir(&self.0).output().expect("a start");
        let said = String::from_utf8_lossy(&told.stderr);
        assert!(told.status.success(), "{}\n{said}", words.join(" "));
    }
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("room");
    for entry in fs::read_dir(from).expect("a folder") {
        let entry = entry.expect("an entry");
        if entry.file_name() == BEGUN {
            continue;
        }
        let (path, target) = (entry.path(), to.join(entry.file_name()));
        let about = entry.metadata().expect("a file");
        match (about.is_dir(), about.len() > LARGE) {
            (true, _) => copy(&path, &target),
            (false, true) => fs::hard_link(path, target).expect("a link"),
            (false, false) => drop(fs::copy(path, target).expect("room")),
        }
    }
}
