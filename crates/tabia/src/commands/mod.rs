//! The sub-commands, one file each: options, examples and implementation.
//!
//! A command must not know another command.

mod analyze;
mod bench;
mod cluster;
mod completions;
mod data;
mod doctor;
mod eval;
mod fen;
mod ladder;
mod man;
mod match_;
mod net;
mod openings;
mod perft;
mod pgn;
mod play;
mod ratings;
mod run;
mod runs;
mod select;
mod selfplay;
mod serve;
mod settings;
mod sprt;
mod stats;
mod study;
mod suite;
mod tournament;
mod train;
mod tune;
mod uci;
mod uci_check;
mod worker;

use crate::exit::Exit;
use crate::output::Output;
use clap::Subcommand;

/// Everything `tabia` can be asked to do.
#[derive(Subcommand)]
pub(crate) enum Command {
    Play(play::Options),
    Uci(uci::Options),
    Bench(bench::Options),
    Analyze(analyze::Options),
    Eval(eval::Options),
    Suite(suite::Options),
    UciCheck(uci_check::Options),
    Perft(perft::Options),
    Fen(fen::Options),
    Pgn(pgn::Options),
    Data(data::Options),
    Stats(stats::Options),
    Match(match_::Options),
    Sprt(sprt::Options),
    Tournament(tournament::Options),
    Tune(tune::Options),
    Run(run::Options),
    Runs(runs::Options),
    Select(select::Options),
    Study(study::Options),
    Serve(serve::Options),
    Ladder(ladder::Options),
    Selfplay(Box<selfplay::Options>),
    Train(train::Options),
    Ratings(ratings::Options),
    Openings(openings::Options),
    Net(net::Options),
    Cluster(cluster::Options),
    Worker(worker::Options),
    Settings(settings::Options),
    Doctor(doctor::Options),
    Completions(completions::Options),
    Man(man::Options),
}

/// Runs a sub-command of this command line.
pub(crate) fn run(
    command: Command,
    definition: clap::Command,
    output: &Output,
) -> anyhow::Result<Exit> {
    match command {
        Command::Play(options) => play::run(&options, output),
        Command::Uci(options) => uci::run(&options, output),
        Command::Bench(options) => bench::run(&options, output),
        Command::Analyze(options) => analyze::run(&options, output),
        Command::Eval(options) => eval::run(&options, output),
        Command::Suite(options) => suite::run(&options, output),
        Command::UciCheck(options) => uci_check::run(options, output),
        Command::Perft(options) => perft::run(&options, output),
        Command::Fen(options) => fen::run(&options, output),
        Command::Pgn(options) => pgn::run(options, output),
        Command::Data(options) => data::run(options, output),
        Command::Stats(options) => stats::run(&options, output),
        Command::Match(options) => match_::run(&options, output),
        Command::Sprt(options) => sprt::run(&options, output),
        Command::Tournament(options) => tournament::run(&options, output),
        Command::Tune(options) => tune::run(&options, output),
        Command::Run(options) => run::run(&options, output),
        Command::Runs(options) => runs::run(options, output),
        Command::Select(options) => select::run(&options, output),
        Command::Study(options) => study::run(&options, output),
        Command::Serve(options) => serve::run(&options, output),
        Command::Ladder(options) => ladder::run(&options, output),
        Command::Selfplay(options) => selfplay::run(&options, output),
        Command::Train(options) => train::run(&options, output),
        Command::Ratings(options) => ratings::run(&options, output),
        Command::Openings(options) => openings::run(options, output),
        Command::Net(options) => net::run(options, output),
        Command::Cluster(options) => cluster::run(options, output),
        Command::Worker(options) => worker::run(&options, output),
        Command::Settings(options) => settings::run(&options, tune::schema, output),
        Command::Doctor(options) => doctor::run(&options, output),
        Command::Completions(options) => completions::run(&options, definition, output),
        Command::Man(options) => man::run(&options, definition, output),
    }
}
