//! The options that `tabia run`, `select`, `study` and `ladder` share: settings, folder, and
//! whether to begin, to resume or only to estimate the cost.

use super::file::{self, Kind};
use super::{Collection, explained};
use crate::contest::usual_concurrency;
use crate::exit::{Exit, WrongInput};
use crate::group::{ClusterOptions, WorkDispatcher};
use crate::output::Output;
use crate::settings::SetOptions;
use crate::version::BuildOptions;
use clap::Args;
use lab::LabError;
use std::path::{Path, PathBuf};

/// The work to be done.
#[derive(Args)]
pub(crate) struct WorkOptions {
    /// A preset, or a TOML file
    #[arg(value_name = "PRESET|FILE", required_unless_present_any = ["resume", "show"])]
    #[arg(conflicts_with_all = ["resume", "show"])]
    what: Option<String>,
    #[command(flatten)]
    set: SetOptions,
    /// Output folder [default: named after the file, with a number if it exists]
    #[arg(short, long, value_name = "DIR", conflicts_with = "resume")]
    out: Option<PathBuf>,
    /// Resume unfinished work, by its name or folder
    #[arg(long, value_name = "NAME|DIR", conflicts_with = "dry_run")]
    resume: Option<PathBuf>,
    /// Measure for some seconds, and estimate time and disk space
    #[arg(long)]
    dry_run: bool,
    /// Print the TOML file of a preset
    #[arg(long, value_name = "PRESET")]
    show: Option<String>,
    #[command(flatten)]
    pub(crate) build: BuildOptions,
    /// Number of games played in parallel [default: one per CPU]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    #[arg(conflicts_with = "cluster")]
    concurrency: Option<u16>,
    #[command(flatten)]
    cluster: ClusterOptions,
}

/// Resumes the work of a folder with additional settings in TOML.
type Extend<'a, W> = &'a dyn Fn(&Path, &str) -> Result<W, LabError>;

/// How one kind of work is begun and resumed.
pub(crate) struct Undertaking<'a, S, W> {
    pub(crate) kind: Kind<S>,
    pub(crate) collection: Collection,
    pub(crate) begin: &'a dyn Fn(&Path, &str) -> Result<W, LabError>,
    pub(crate) resume: &'a dyn Fn(&Path) -> Result<W, LabError>,
    /// Resumes it with additional settings, where that is possible.
    pub(crate) extend: Option<Extend<'a, W>>,
    pub(crate) is_unfinished: &'a dyn Fn(&Path) -> bool,
    pub(crate) forecast: &'a dyn Fn(&S) -> anyhow::Result<Exit>,
}

/// The result of evaluating the options.
pub(crate) enum Opened<W> {
    /// Work to be done in a folder.
    Work(W, PathBuf),
    /// Nothing is left to be done.
    Done(Exit),
}

impl WorkOptions {
    /// The dispatcher that distributes games, and decides how many are played at once.
    pub(crate) fn dispatcher(&self, output: &Output) -> anyhow::Result<WorkDispatcher> {
        let concurrency = match self.concurrency {
            Some(games) => usize::from(games),
            None => usual_concurrency(1)?,
        };
        self.cluster.dispatcher(concurrency, output)
    }

    /// Begins or resumes the work, or shows its settings or its cost.
    pub(crate) fn open<S, W>(
        &self,
        undertaking: &Undertaking<'_, S, W>,
        output: &Output,
    ) -> anyhow::Result<Opened<W>> {
        let Undertaking {
            kind, collection, ..
        } = undertaking;
        if let Some(name) = &self.show {
            output.data(file::preset(name, kind.presets)?)?;
            return Ok(Opened::Done(Exit::Good));
        }
        if let Some(name) = &self.resume {
            let folder = collection.existing(name)?;
            let work = self.continued(undertaking, &folder)?;
            return Ok(Opened::Work(work, folder));
        }
        let what = self.what.as_deref().unwrap_or_default();
        let wanted = file::read(what, &self.set, kind)?;
        if self.dry_run {
            return Ok(Opened::Done((undertaking.forecast)(&wanted.settings)?));
        }
        let out = self.out.as_deref();
        let folder =
            collection.free_folder(out, &wanted.name, undertaking.is_unfinished, output)?;
        let work = (undertaking.begin)(&folder, &wanted.text).map_err(explained)?;
        Ok(Opened::Work(work, folder))
    }

    fn continued<S, W>(
        &self,
        undertaking: &Undertaking<'_, S, W>,
        folder: &Path,
    ) -> anyhow::Result<W> {
        let work = match (self.set.list(), undertaking.extend) {
            ([], _) => (undertaking.resume)(folder),
            (_, Some(extend)) => extend(folder, &self.set.text()?),
            (_, None) => {
                let text = "--set cannot change work that has already started: give --resume alone";
                return Err(WrongInput::new(text.to_owned()).into());
            }
        };
        work.map_err(explained)
    }
}
