//! Why a training cannot begin or continue.

use crate::checkpoint_file::CheckpointError;
use data::loader::LoaderError;
use nets::nnue::NetError;
use nets::ntuple::NTupleError;
use std::borrow::Cow;
use std::io;
use std::path::PathBuf;

/// Why a training cannot begin or continue.
#[derive(Debug, thiserror::Error)]
pub enum TrainError {
    /// A setting is invalid.
    #[error(transparent)]
    Setting(#[from] WrongSetting),
    /// The data cannot be read.
    #[error(transparent)]
    Data(#[from] LoaderError),
    /// A policy shard cannot be read.
    #[error(transparent)]
    Shard(#[from] data::policy::PolicyShardError),
    /// A file of sequences cannot be read.
    #[error(transparent)]
    Sequences(#[from] data::sequences::SequenceError),
    /// A checkpoint cannot be used.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// The checkpoint belongs to another training.
    #[error(
        "{} was made with other settings ({differences}): write to another folder, or restore the \
         old settings",
        path.display()
    )]
    OtherSettings {
        /// The checkpoint.
        path: PathBuf,
        /// The differing settings, old and new.
        differences: String,
    },
    /// The checkpoint was made with the arithmetic of another CPU.
    #[error(
        "the checkpoint was made with {0} arithmetic, which this CPU does not use; results would \
         differ"
    )]
    OtherArithmetic(String),
    /// The initial net cannot be read.
    #[error("cannot start from {}: {cause}", path.display())]
    Start {
        /// Its file.
        path: PathBuf,
        /// Why.
        cause: NetError,
    },
    /// The initial net has another shape.
    #[error(
        "{} has another shape: it is {found}, but the settings have {wanted}{}",
        path.display(),
        if found == wanted { " with other king buckets" } else { "" }
    )]
    StartShape {
        /// Its file.
        path: PathBuf,
        /// Its shape.
        found: String,
        /// The shape of the settings.
        wanted: String,
    },
    /// There is not enough memory.
    #[error("not enough memory for the net: {0}")]
    Memory(#[from] io::Error),
    /// A loss or a weight is infinite or not a number.
    #[error("weights are not finite after step {0}; try a lower learning_rate")]
    NotANumber(u64),
    /// The format of net files cannot hold the net.
    #[error(transparent)]
    Export(#[from] NetError),
    /// The format of ResNet files cannot hold it.
    #[error(transparent)]
    ResNet(nets::policy::resnet::ResNetError),
    /// An n-tuple network cannot be made or written.
    #[error(transparent)]
    NTuple(#[from] NTupleError),
    /// A net that was just written cannot be read.
    #[error("the new net cannot be read back: {0}")]
    ReadBack(NetError),
    /// The metrics cannot be read.
    #[error("cannot read {}: {cause}", path.display())]
    ReadMetrics {
        /// Their file.
        path: PathBuf,
        /// Why.
        cause: io::Error,
    },
    /// The metrics cannot be written.
    #[error("cannot write {}: {cause}", path.display())]
    WriteMetrics {
        /// Their file.
        path: PathBuf,
        /// Why.
        cause: io::Error,
    },
}

/// An invalid setting.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[error("{key}: {problem}")]
pub struct WrongSetting {
    /// The key.
    pub key: Cow<'static, str>,
    /// What is wrong, and which values are valid.
    pub problem: String,
}

pub(crate) fn wrong(key: &'static str, problem: impl Into<String>) -> WrongSetting {
    WrongSetting {
        key: key.into(),
        problem: problem.into(),
    }
}
