//! The dispatcher of a command: threads of this process, or the workers of a cluster.

use super::program::identity;
use crate::exit::WrongInput;
use crate::output::Output;
use crate::progress;
use cluster::{Access, ClusterError, Coordinator, CoordinatorEvent, Settings};
use work::{Assignment, DispatchError, Dispatcher, Receive, Threads};

/// Gives out work. When it is dropped, it says what a cluster has done.
pub(crate) enum WorkDispatcher {
    /// To threads of this process.
    Here(Threads),
    /// To the workers of a cluster.
    Elsewhere(Box<Coordinator>, Output),
}

impl WorkDispatcher {
    /// Connects to a cluster. What happens there is told from then on.
    pub(super) fn connect(
        access: &Access,
        settings: Settings,
        output: &Output,
    ) -> anyhow::Result<WorkDispatcher> {
        let (own, told) = (output.clone(), output.clone());
        let connected = Coordinator::connect(access, identity(0), settings, move |event| {
            progress::aside(|| tell(&told, &event));
        });
        let coordinator = connected.map_err(refused)?;
        if let Some(warning) = coordinator.server_warning() {
            own.warn(warning);
        }
        Ok(WorkDispatcher::Elsewhere(Box::new(coordinator), own))
    }
}

fn tell(output: &Output, event: &CoordinatorEvent) {
    match event.is_warning() {
        true => output.warn(event),
        false => output.note(event),
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

impl Dispatcher for WorkDispatcher {
    fn at_once(&self) -> usize {
        match self {
            WorkDispatcher::Here(threads) => threads.at_once(),
            WorkDispatcher::Elsewhere(coordinator, _) => coordinator.at_once(),
        }
    }

    fn dispatch(
        &self,
        assignment: Assignment<'_>,
        receive: &mut Receive<'_>,
    ) -> Result<(), DispatchError> {
        match self {
            WorkDispatcher::Here(threads) => threads.dispatch(assignment, receive),
            WorkDispatcher::Elsewhere(coordinator, _) => coordinator.dispatch(assignment, receive),
        }
    }

    fn take_remarks(&self) -> Vec<String> {
        match self {
            WorkDispatcher::Here(threads) => threads.take_remarks(),
            WorkDispatcher::Elsewhere(coordinator, _) => coordinator.take_remarks(),
        }
    }
}

impl Drop for WorkDispatcher {
    fn drop(&mut self) {
        if let WorkDispatcher::Elsewhere(coordinator, output) = self {
            let summary = coordinator.summary();
            if summary.pieces > 0 {
                output.note(summary);
            }
        }
    }
}
