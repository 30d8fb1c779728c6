//! Tests of players as users write them.

use super::*;
use nets::Model;
use std::time::Duration;

fn player(line: &str) -> Result<PlayerSpec, String> {
    let settings = PlayerSettings::from_words(line).map_err(|error| error.to_string())?;
    let specs = resolve(vec![settings], &PlayerSettings::default());
    specs
        .map(|mut specs| specs.remove(0))
        .map_err(|error| error.to_string())
}

fn json(spec: &PlayerSpec) -> String {
    serde_json::to_string(spec).expect("a spec can be written")
}

#[test]
fn a_player_inside_has_good_defaults() {
    let spec = player("name=new nodes=5000").expect("a player");
    let usual = Model::default().to_string();
    let expected = r#"{"name":"new","kind":"alphabeta","model":"USUAL","hash":8,"threads":1,"nodes":5000,"margin":"0.1"}"#;
    assert_eq!(json(&spec), expected.replace("USUAL", &usual));
    assert!(spec.is_repeatable());
    assert!(!player("nodes=5000 threads=2").unwrap().is_repeatable());
    assert!(!player("tc=10+0.1").unwrap().is_repeatable());
}

#[test]
fn the_table_fits_the_pace() {
    let hash = |line: &str| match player(line).expect("a player").recipe {
        Recipe::AlphaBeta(recipe) => recipe.hash,
        Recipe::Mcts(recipe) => recipe.hash,
        Recipe::Sequence(recipe) => recipe.hash,
        Recipe::Program(program) => panic!("{program:?} is not inside"),
    };
    assert_eq!(hash("mcts nodes=800"), 1);
    assert_eq!(hash("mcts nodes=10000"), 16);
    assert_eq!(hash("mcts tc=10+0.1"), 64);
    assert_eq!(hash("nodes=1"), 1);
    assert_eq!(hash("nodes=1500"), 2);
    assert_eq!(hash("nodes=1000000000000"), 16);
    assert_eq!(hash("depth=6"), 16);
    assert_eq!(hash("nodes=1 hash=64"), 64);
}

#[test]
fn constants_of_the_search_can_be_set() {
    let spec = player("nodes=1 param.razor_base=30000 param.bonus_base=-5").expect("a player");
    assert!(json(&spec).contains(r#""param":{"bonus_base":-5,"razor_base":30000}"#));
}

#[test]
fn the_tree_search_has_options() {
    let spec =
        player("kind=mcts model=heuristic nodes=800 option.cpuct=2.5 option.TreeReuse=false");
    let spec = spec.expect("a player");
    let expected = concat!(
        r#"{"name":"heuristic","kind":"mcts","model":"heuristic","hash":1,"threads":1,"#,
        r#""option":{"CPuct":"2.5","TreeReuse":"false"},"nodes":800,"margin":"0.1"}"#
    );
    assert_eq!(json(&spec), expected);
    assert_eq!(
        spec.recipe.to_string(),
        "kind=mcts model=heuristic hash=1 threads=1 option.CPuct=2.5 option.TreeReuse=false"
    );
    assert!(spec.is_repeatable());
    assert!(matches!(
        player("model=heuristic nodes=1").unwrap().recipe,
        Recipe::Mcts(_)
    ));
    let classical = player("mcts model=classical nodes=1").expect("any model has a value");
    assert_eq!(classical.recipe.model(), Some(&Model::classical()));
    for (line, words) in [
        (
            "mcts nodes=1 param.razor_base=1",
            "param is only for alpha-beta players",
        ),
        (
            "mcts nodes=1 cmd=x",
            "cmd and kind=mcts are mutually exclusive",
        ),
        (
            "mcts nodes=1 option.CPuct=much",
            "CPuct expects a number from 0 to 100",
        ),
        (
            "mcts nodes=1 option.StabilityRule=guarded",
            "there is no option 'StabilityRule'",
        ),
        (
            "mcts nodes=1 option.WeightsFile=a",
            "use model=a instead of option.WeightsFile",
        ),
        (
            "mcts nodes=1 option.FpuValue=1000",
            "FpuValue expects a number from -100 to 100",
        ),
    ] {
        let error = player(line).expect_err(line);
        assert!(error.contains(words), "{error}");
    }
}

#[test]
fn a_program_takes_arguments_and_options() {
    let spec = player(
        "name='my engine' cmd=/opt/engine arg=-u arg='two words' hash=16 \
         'option.Move Overhead=30' option.UCI_LimitStrength=true tc=40/1:00+0.1 margin=50ms",
    )
    .expect("a player");
    assert_eq!(
        json(&spec),
        concat!(
            r#"{"name":"my engine","kind":"program","cmd":"/opt/engine","arg":["-u","two words"],"#,
            r#""option":{"Hash":"16","Move Overhead":"30","UCI_LimitStrength":"true"},"#,
            r#""patience":"60","tc":"40/60+0.1","margin":"0.05"}"#
        )
    );
    assert_eq!(player("cmd=/opt/engine st=1").unwrap().name, "engine");
}

#[test]
fn a_file_says_the_same_as_a_line() {
    #[derive(serde::Deserialize)]
    struct Document {
        player: Vec<PlayerSettings>,
    }
    let text = "
        [[player]]
        name = 7
        cmd = 'engine'
        arg = '-u'
        nodes = 5_000
        st = 0.5
        threads = 1
        [player.option]
        Hash = 16
        UCI_LimitStrength = true
        Style = 0.5";
    let document: Document = toml::from_str(text).expect("a document");
    let line = "name=7 cmd=engine arg=-u nodes=5000 st=0.5 threads=1 \
                option.Hash=16 option.UCI_LimitStrength=true option.Style=0.5";
    let from_line = PlayerSettings::from_words(line).expect("a line");
    assert_eq!(document.player, [from_line]);
}

#[test]
fn what_is_said_of_each_fills_the_gaps() {
    let each = PlayerSettings::from_words("nodes=5000 depth=9 hash=4 margin=0.2").unwrap();
    let players = ["name=a", "name=b tc=1+0.1", "name=c cmd=x option.Hash=2"]
        .map(|line| PlayerSettings::from_words(line).expect(line));
    let error = resolve(players.to_vec(), &each).expect_err("two sizes of a table");
    assert_eq!(
        error.to_string(),
        "player 'c': hash and the option of this name are mutually exclusive"
    );
    let specs = resolve(players[..2].to_vec(), &each).expect("players");
    assert_eq!(specs[0].pace.to_string(), "nodes=5000 depth=9");
    assert_eq!(specs[1].pace.to_string(), "tc=1+0.1");
    assert_eq!(specs[1].pace.margin.0, Duration::from_millis(200));
    assert!(json(&specs[1]).contains(r#""hash":4"#));
}

#[test]
fn mistakes_are_named() {
    for (line, words) in [
        ("name=a", "player 'a' has no limit"),
        (
            "name=a nodes=0",
            "nodes=0: '0' is not a whole number from 1",
        ),
        (
            "nodes=5000 node=1",
            "node=1: there is no key `node`; did you mean `nodes`?",
        ),
        (
            "alphbeta nodes=1",
            "alphbeta: there is no kind of player 'alphbeta'; did you mean 'alphabeta'?",
        ),
        ("nodes=1 nodes=2", "'nodes' is given twice"),
        (
            "cmd=x st=1 option.A=1 option.A=2",
            "'option.A' is given twice",
        ),
        ("cmd=x st=1 option=2", "option=2: invalid type: string"),
        (
            "nodes",
            "nodes: 'nodes' is neither a kind of player (alphabeta, mcts, sequence, program) nor of the form key=value",
        ),
        (
            "nodes=1 eval=classical",
            "eval=classical: `eval` is now named `model`",
        ),
        (
            "program nodes=1 name=a",
            "player 'a': a program needs cmd=PROGRAM",
        ),
        (
            "alphabeta cmd=x st=1",
            "player 'x': cmd and kind=alphabeta are mutually exclusive",
        ),
        ("name='a", "unclosed quote"),
        ("tc=1 st=1", "tc and st are mutually exclusive"),
        (
            "cmd=x model=classical st=1",
            "cmd and model are mutually exclusive",
        ),
        (
            "model=other st=1",
            "model=other: 'other' is not the file of a model: No such file",
        ),
        (
            "model=classical nodes=1 option.Hash=2",
            "player 'classical': use hash=2 instead of option.Hash",
        ),
        (
            "model=classical nodes=1 option.Contempt=2",
            "player 'classical': there is no option 'Contempt'",
        ),
        (
            "model=classical nodes=1 option.MutliPV=2",
            "player 'classical': there is no option 'MutliPV'; did you mean 'MultiPV'?",
        ),
        (
            "model=classical nodes=1 option.MultiPV=0",
            "player 'classical': MultiPV expects a number from 1 to 256, but the value is '0'",
        ),
        (
            "model=classical nodes=1 arg=x",
            "player 'classical': arg is only for external programs",
        ),
        (
            "model=classical nodes=1 param.joy=1",
            "player 'classical': there is no search constant \"joy\"",
        ),
        (
            "nodes=1 param.x=1.5",
            "param.x=1.5: '1.5' is not a whole number",
        ),
        (
            "cmd=x st=1 param.razor_base=1",
            "player 'x': param is only for built-in players",
        ),
        ("name=' ' nodes=1", "a player's name must not be empty"),
        ("tc=soon", "tc=soon: 'soon' is not a time control"),
        ("tc.x=1", "tc.x=1: invalid type: map"),
    ] {
        let error = player(line).expect_err(line);
        assert!(error.contains(words), "{line}: {error}");
    }
    let twins = ["name=a nodes=1"; 2].map(|line| PlayerSettings::from_words(line).unwrap());
    let error = resolve(twins.to_vec(), &PlayerSettings::default()).expect_err("one name");
    assert_eq!(error, PlayerError::SameName("a".to_owned()));
}

#[test]
fn settings_hold_for_any_model() {
    let each = PlayerSettings::from_words("nodes=5000 hash=2").expect("settings");
    let spec = each
        .player("epoch-001", Model::default())
        .expect("a player");
    assert_eq!(
        (spec.name.as_str(), spec.pace.to_string().as_str()),
        ("epoch-001", "nodes=5000")
    );
    let program = PlayerSettings::from_words("cmd=x nodes=5").expect("settings");
    let error = program
        .player("a", Model::default())
        .expect_err("a program");
    assert_eq!(
        error.to_string(),
        "player 'a': cmd and model are mutually exclusive"
    );
}

#[test]
fn options_reach_a_player_inside() {
    let spec = player("nodes=1 option.stabilitytermination=false").expect("a player");
    assert!(json(&spec).contains(r#""option":{"StabilityTermination":"false"}"#));
    assert!(spec.recipe.engine().is_some());
    let words = spec.recipe.to_string();
    assert!(
        words.ends_with(" option.StabilityTermination=false"),
        "{words}"
    );
}

#[test]
fn a_bare_word_is_a_kind_with_its_default_model() {
    let spec = player("alphabeta nodes=1").expect("a player");
    assert_eq!(spec.recipe.model(), Some(&Model::default()));
    assert_eq!(spec.name, Model::default().to_string());
}
