//! How a program introduces itself, and why one cannot play.

use crate::program::{first_move, options, start};
use engines::Limits;
use engines::external::{External, OptionKind, ProgramOptions, StartError};
use std::path::Path;
use std::time::Duration;

fn refusal(options: ProgramOptions) -> String {
    match External::start(options) {
        Ok(_) => panic!("it starts"),
        Err(error) => error.to_string(),
    }
}

fn with_settings(settings: &[(&str, &str)]) -> ProgramOptions {
    let mut options = options("fragile");
    let owned = settings
        .iter()
        .map(|&(name, value)| (name.to_owned(), value.to_owned()));
    options.settings = owned.collect();
    options
}

#[test]
fn a_program_tells_who_it_is_and_what_can_be_set() {
    let player = start(options("correct"));
    assert_eq!(player.name(), "Bad Engine 1.0");
    assert_eq!(player.author(), Some("the Tabia developers"));
    let names: Vec<_> = player.options().iter().map(|option| &option.name).collect();
    assert_eq!(
        names,
        [
            "Hash",
            "Ponder",
            "Style",
            "Book",
            "Clear Hash",
            "UCI_Chess960"
        ]
    );
    assert_eq!(
        player.options()[0].kind,
        OptionKind::Spin {
            default: 16,
            least: 1,
            most: 1024
        }
    );
    assert!(player.plays_chess960());
    assert!(player.warnings().is_empty());
}

#[test]
fn a_slow_start_is_awaited() {
    let player = start(options("slow-start 300"));
    assert_eq!(player.name(), "Bad Engine 1.0");
}

#[test]
fn settings_reach_the_program() {
    let mut player = start(with_settings(&[("hash", "64"), ("Style", "very wild")]));
    assert!(player.warnings().is_empty());
    assert!(first_move(&mut player, &Limits::nodes(1)).is_ok());
}

#[test]
fn an_unknown_option_is_a_warning() {
    let player = start(with_settings(&[("Threads", "2"), ("Hash", "8")]));
    let program = env!("CARGO_BIN_EXE_badengine");
    assert_eq!(
        player.warnings(),
        [format!(
            "{program} has no option 'Threads': the setting is ignored"
        )]
    );
}

#[test]
fn declarations_that_cannot_be_understood_are_warnings() {
    let player = start(options("sloppy"));
    assert_eq!(player.name(), "Sloppy");
    assert_eq!(player.author(), None);
    assert!(player.options().is_empty());
    assert_eq!(player.warnings().len(), 2, "{:?}", player.warnings());
}

#[test]
fn a_value_out_of_range_is_refused_before_the_first_game() {
    let program = env!("CARGO_BIN_EXE_badengine");
    assert_eq!(
        refusal(with_settings(&[("Hash", "1025")])),
        format!(
            "{program}: the option Hash expects a number from 1 to 1024, but the value is '1025'"
        )
    );
}

#[test]
fn a_program_that_is_not_there_is_named() {
    assert_eq!(
        refusal(ProgramOptions::new("./no/engine")),
        "cannot start ./no/engine: there is no such program; give its path, or a name on the PATH"
    );
    let text = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
    assert_eq!(
        refusal(ProgramOptions::new(text)),
        format!(
            "cannot start {text}: it is not executable; check that it is a program and has \
             execute permission (chmod +x)"
        )
    );
    let mut homeless = options("correct");
    homeless.directory = Some("/no/folder".into());
    let program = env!("CARGO_BIN_EXE_badengine");
    assert_eq!(
        refusal(homeless),
        format!("cannot start {program}: there is no folder /no/folder for it to run in")
    );
}

#[test]
fn programs_that_are_no_engines_are_named() {
    assert_eq!(
        refusal(ProgramOptions::new("true")),
        "true ended before it answered 'uci': exit status: 0"
    );
    let mut shell = ProgramOptions::new("sh");
    shell.arguments = vec!["-c".to_owned(), "echo no library >&2; exit 127".to_owned()];
    assert_eq!(
        refusal(shell),
        "sh ended before it answered 'uci': exit status: 127; its last output: no library"
    );
    let program = env!("CARGO_BIN_EXE_badengine");
    for (mode, command) in [("hang-uci", "uci"), ("hang-isready", "isready")] {
        let mut hanging = options(mode);
        hanging.patience = Duration::from_millis(200);
        let refusal = refusal(hanging);
        assert_eq!(
            refusal,
            format!(
                "{program} did not answer '{command}' within 200.0ms: check that it is a UCI \
                engine"
            )
        );
    }
}

#[test]
fn a_relative_path_is_meant_from_here() {
    let here = std::env::current_dir().expect("a folder");
    let program = Path::new(env!("CARGO_BIN_EXE_badengine"));
    let climb = "../".repeat(here.components().count() - 1);
    let mut options = options("correct");
    options.program = Path::new(&climb).join(program.strip_prefix("/").expect("absolute"));
    options.directory = Some("/".into());
    assert_eq!(start(options).name(), "Bad Engine 1.0");
}

#[test]
fn a_program_may_be_bound_to_processors() {
    let mut bound = options("correct");
    bound.processors = Some(vec![0]);
    let mut player = start(bound.clone());
    assert!(first_move(&mut player, &Limits::nodes(1)).is_ok());
    let free = std::thread::available_parallelism().expect("a number");
    drop(player);
    assert_eq!(
        std::thread::available_parallelism().expect("a number"),
        free,
        "we are not bound"
    );
    for processors in [vec![], vec![1023], vec![1 << 20]] {
        bound.processors = Some(processors.clone());
        let Err(StartError::Processors { .. }) = External::start(bound.clone()) else {
            panic!("it runs on {processors:?}");
        };
    }
}

#[test]
fn patience_may_be_endless() {
    let mut options = options("correct");
    options.patience = Duration::MAX;
    options.search_patience = Duration::MAX;
    let mut player = start(options);
    assert!(first_move(&mut player, &Limits::nodes(1)).is_ok());
}
