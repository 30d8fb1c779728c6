//! Whoever gives out the work of a command, here or elsewhere.

use super::program::identity;
use crate::exit::WrongInput;
use crate::output::Output;
use crate::progress;
use cluster::{Access, ClusterError, Coordinator, News, Settings};
use work::{Assignment, DispatchError, Dispatcher, Receive, Threads};

/// Gives out work. When it is dropped, it says what a cluster has done.
pub(crate) enum Foreman {
    /// To threads of this process.
    Here(Threads),
    /// To the workers of a cluster.
    Elsewhere(Box<Coordinator>, Output),
}

impl Foreman {
    /// Connects to a cluster. What happens there is told from then on.
    pub(super) fn connect(
        access: &Access,
        settings: Settings,
        output: &Output,
    ) -> anyhow::Result<Foreman> {
        let (own, told) = (output.clone(), output.clone());
        let connected = Coordinator::connect(access, identity(0), settings, move |news| {
            progress::aside(|| tell(&told, &news));
        });
        let coordinator = connected.map_err(refused)?;
        if let Some(warning) = coordinator.server_warning() {
            own.warn(warning);
        }
        Ok(Foreman::Elsewhere(Box::new(coordinator), own))
    }
}

fn tell(output: &Output, news: &News) {
    match news.is_warning() {
        true => output.warn(news),
        false => output.note(news),
    }
}

/// A server that cannot be reached is a wrong address, or one that was not started.
pub(crate) fn refused(error: ClusterError) -> anyhow::Error {
    match error {
        ClusterError::Connect { .. } | ClusterError::File { .. } => {
            WrongInput::new(error.to_string()).into()
        }
        error => error.into(),
    }
}

impl Dispatcher for Foreman {
    fn at_once(&self) -> usize {
        match self {
            Foreman::Here(threads) => threads.at_once(),
            Foreman::Elsewhere(coordinator, _) => coordinator.at_once(),
        }
    }

    fn dispatch(
        &self,
        assignment: Assignment<'_>,
        receive: &mut Receive<'_>,
    ) -> Result<(), DispatchError> {
        match self {
            Foreman::Here(threads) => threads.dispatch(assignment, receive),
            Foreman::Elsewhere(coordinator, _) => coordinator.dispatch(assignment, receive),
        }
    }

    fn take_remarks(&self) -> Vec<String> {
        match self {
            Foreman::Here(threads) => threads.take_remarks(),
            Foreman::Elsewhere(coordinator, _) => coordinator.take_remarks(),
        }
    }
}

impl Drop for Foreman {
    fn drop(&mut self) {
        if let Foreman::Elsewhere(coordinator, output) = self {
            let summary = coordinator.summary();
            if summary.pieces > 0 {
                output.note(summary);
            }
        }
    }
}
