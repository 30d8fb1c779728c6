use super::*;
use arena::game::AtHorizon;
use arena::selfplay::Amount;
use train::learners;

const FILE: &str = "\
generations = 3
seeds = [1, 2]

[selfplay]
depth = 5
positions = 1000

[train]
learning_rate = { kind = 'linear', from = 1, to = 0 }
batch = 32

[arms.control.selfplay]
horizon = 250

[arms.other.selfplay]
games = 7
horizon = { start = 20, step = 10 }
at_horizon = 'material'

[arms.other.train]
learning_rate = { kind = 'cosine', from = 0.3, to = 0.2 }
";

fn read(text: &str) -> Result<Experiment, SettingsError> {
    super::read(text, &learners())
}

fn complaint(text: &str) -> String {
    let error = read(text).expect_err(text);
    format!("{}: {error}", error.line(text))
}

#[test]
fn arms_say_only_what_differs() {
    let experiment = read(FILE).expect("a run file");
    assert_eq!((experiment.generations, experiment.seeds.len()), (3, 2));
    let [control, other] = ["control", "other"].map(|name| &experiment.arms[name]);
    assert_eq!(control.selfplay.depth, Some(5));
    assert_eq!(other.selfplay.depth, Some(5));
    assert_eq!(control.amount.amount(1), Amount::Positions(1000));
    // Another amount replaces the one for all arms.
    assert_eq!(other.amount.amount(1), Amount::Games(7));
    assert_eq!(other.selfplay.at_horizon, AtHorizon::Material);
    let horizon = other.selfplay.horizon.as_ref().expect("a horizon");
    assert_eq!([1, 2, 3].map(|number| horizon.plies(number)), [20, 30, 40]);
    let train = |arm: &Arm| arm.learner.settings().expect("a table")["train"].clone();
    assert_eq!(train(control)["batch"], 32);
    assert_eq!(train(other)["batch"], 32);
    // A schedule replaces the other as a whole.
    let cosine = serde_json::json!({"kind": "cosine", "from": 0.3, "to": 0.2});
    assert_eq!(train(other)["learning_rate"], cosine);
    assert_eq!(experiment.pairs(), 1);
}

#[test]
fn everything_has_a_default() {
    let experiment = read("").expect("a run file");
    assert_eq!(experiment.arms.keys().collect::<Vec<_>>(), [ONLY_ARM]);
    let arm = &experiment.arms[ONLY_ARM];
    assert_eq!(arm.amount.amount(1), Amount::Positions(50_000));
    assert_eq!(arm.selfplay.pace(1).to_string(), "depth=8");
    assert_eq!(arm.buffer.positions.of(1), 8_000_000);
    assert_eq!(arm.gate.games(), 200);
    // Matches are as deep as self-play unless they have their own limit.
    assert_eq!(experiment.finals.pace.to_string(), "depth=8");
    let other = read("[gate]\nnodes = 9\n[verdict]\nhorizon = 0").expect("a run file");
    assert_eq!(other.finals.pace.to_string(), "nodes=9");
    assert_eq!(other.finals.endings.horizon, None);
    assert_eq!(
        arm.gate.conditions(&arm.selfplay, 1).endings.horizon,
        Some(250)
    );
    assert_ne!(experiment.fingerprint, other.fingerprint);
}

#[test]
fn mistakes_are_told_with_key_and_line() {
    for (text, words) in [
        (
            "seed = 3",
            "1: unknown field `seed`, expected one of `title`, `question`, `generations`, `hours`, `seeds`",
        ),
        (
            "[selfplay]\nnode = 3",
            "2: unknown field `node`, expected one of `depth`, `nodes`",
        ),
        (
            "[arms.a.selfplay]\n\nhorizont = 3",
            "3: unknown field `horizont`",
        ),
        (
            "[arms.a]\nseeds = [1]",
            "2: unknown field `seeds`, expected one of `player`",
        ),
        (
            "[train]\nbatch = 'x'",
            "2: invalid type: string \"x\", expected usize",
        ),
        (
            "generations = 0",
            "1: generations: it is 0, but must be from 1 to 10000",
        ),
        (
            "seeds = [1, 2, 1]",
            "1: seeds: a repeated seed would repeat the same run",
        ),
        ("arms = 3", "1: arms must be tables"),
        ("[arms.'a b']", "1: arms: 'a b' names a folder"),
        ("[arms.plots]", "1: arms: 'plots' is the name of a folder"),
        (
            "[selfplay]\npositions = 5\nminutes = 1",
            "1: selfplay: give one of positions, games and minutes",
        ),
        (
            "[selfplay]\nhorizon = [20, 0]",
            "2: selfplay.horizon: must be at least 1 for every generation",
        ),
        (
            "[arms.a.selfplay]\nhash = 0",
            "2: `hash` is now named `player.hash`",
        ),
        ("[net]\nhidden = 40", "1: net: 40 hidden values"),
        (
            "[generation_0]\nplayer = 'classical'",
            "2: `player` is now named `model`",
        ),
        (
            "[generation_0]\nnet = 'x.tabianet'",
            "2: `net` is now named `model`",
        ),
        (
            "[generation_0]\nmodel = 'classical'\ndata = 'x.binpack'",
            "3: generation_0.data: the model of generation_0.model is used as it is: give either \
             data or model",
        ),
        (
            "[generation_0]\nmodel = 'classical'\nrandom_weights = true",
            "3: generation_0.random_weights: weights are random anyway",
        ),
        (
            "[train]\nkind = 'other'",
            "2: train.kind must be one of nnue",
        ),
        ("[train]\nkind = 3", "2: kind must be a text"),
        (
            "[player]\ncmd = 'x'",
            "1: player: player 'x': cmd and model are mutually exclusive",
        ),
        (
            "[train]\nbatch = 0",
            "2: train.batch: it is 0, but must be from 1",
        ),
        (
            "[train]\npositions = 0",
            "2: train.positions: must be at least 1",
        ),
        (
            "[train]\npositions = 5\nepochs = 1",
            "3: train.epochs: give either positions or epochs, not both",
        ),
        ("[train]\nfilters = ['capture']", "2: train.filters: "),
        (
            "[buffer]\ndecisive = 1",
            "2: buffer.decisive: it is 1, but must be at least 0 and below 1",
        ),
        (
            "[gate]\ngames = 3",
            "2: gate.games: every opening is played twice",
        ),
        (
            "[gate]\nelo_above = [1]\nsprt = { elo0 = 0, elo1 = 5 }",
            "3: gate.sprt: give either elo_above or sprt",
        ),
        (
            "[gate]\nsprt = { elo0 = 5, elo1 = 0 }",
            "2: elo0 is 5 and elo1 is 0",
        ),
        (
            "[gate]\nagainst = 'nobody'",
            "2: unknown variant `nobody`, expected",
        ),
        (
            "[verdict]\nreproduced_if = 'all is well'",
            "2: verdict.reproduced_if: 'all is well' is not a condition",
        ),
        (
            "[verdict]\nrefuted_if = 'interval below 3'",
            "1: verdict.difference: set the difference",
        ),
    ] {
        let told = complaint(text);
        assert!(told.starts_with(words), "{text}\n{told}\n{words}");
    }
}
