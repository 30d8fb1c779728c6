//! A model of any kind, read from any of the file formats. The first bytes of a
//! file show its kind.
//!
//! This is the only place that lists the kinds of models. It must not know how a
//! model is searched or trained.

use crate::Provenance;
use crate::bytes::{self, hexadecimal};
use crate::classical::{Classical, Weights, WeightsError};
use crate::evaluator::Evaluator;
use crate::kernels::Kernels;
use crate::nnue::{self, Net, NetError, NetEvaluator, NetFile};
use crate::ntuple::{self, NTupleError, NTupleEvaluator, NTupleFile};
use crate::policy::resnet::{ResNetError, ResNetFile, ResNetSource};
use crate::policy::sparse::{self, PolicyFile};
use crate::policy::{self, Heuristic, PolicyEvaluator, PolicyValue, Valued};
use crate::sequence::{self, SequenceModelError, SequenceModelFile, SequencePolicy};
use chess::Board;
use sha2::{Digest, Sha256};
use std::fmt;
use std::path::Path;
use std::sync::{Arc, OnceLock};

/// How many bytes at the beginning of a file decide whether it is text.
const LOOKED_AT: usize = 512;
/// Digits of the hash in a model's name: enough to tell all nets of a laboratory
/// apart, and as many as in the names of Stockfish's nets.
const NAME_DIGITS: usize = 12;

/// The whole file of the hand-written policy and value.
const HEURISTIC_FILE: &[u8] = b"heuristic\n";

/// A model. Clones share the weights; two models are equal if their kinds and
/// hashes are, wherever their files are.
#[derive(Clone, Debug)]
pub enum Model {
    /// The hand-written evaluation, with its own weights or with tuned ones.
    Classical(WeightsFile),
    /// An NNUE: a net whose first layer is updated move by move.
    Nnue(NetFile),
    /// Look-up tables of men on their squares, added to the hand-written evaluation.
    NTuple(NTupleFile),
    /// A policy and the probabilities of win, draw and loss, for tree searches.
    Policy(PolicyFile),
    /// A convolutional net with a policy and a value, Tabia's own or lc0's.
    ResNet(ResNetFile),
    /// A sequence model, which predicts the next move of a game between people.
    Sequence(SequenceModelFile),
    /// The hand-written policy and value, which have no weights.
    Heuristic,
}

/// The kinds of models.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ModelKind {
    /// See [`Model::Classical`].
    Classical,
    /// See [`Model::Nnue`].
    Nnue,
    /// See [`Model::NTuple`].
    NTuple,
    /// See [`Model::Policy`].
    Policy,
    /// See [`Model::ResNet`].
    ResNet,
    /// See [`Model::Sequence`].
    Sequence,
    /// See [`Model::Heuristic`].
    Heuristic,
}

/// Weights of the hand-written evaluation, with the hash of their values. Clones
/// share the weights.
#[derive(Clone, Debug)]
pub struct WeightsFile {
    /// The weights.
    pub weights: Arc<Weights>,
    sha256: [u8; 32],
}

/// Why a file is not a model.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    /// It cannot be read, or is not a valid net.
    #[error(transparent)]
    Net(#[from] NetError),
    /// It begins as an n-tuple network, but is not valid.
    #[error(transparent)]
    NTuple(#[from] NTupleError),
    /// It begins as a ResNet, but is not valid.
    #[error(transparent)]
    ResNet(#[from] ResNetError),
    /// It begins as a sequence model, but is not valid.
    #[error(transparent)]
    Sequence(#[from] SequenceModelError),
    /// This program was built without a sequence model.
    #[error("this program has no built-in sequence model: give the file of one")]
    NoSequence,
    /// It is text, but not weights of the hand-written evaluation.
    #[error("not a valid text file of weights of the hand-written evaluation: {0}")]
    Weights(#[from] WeightsError),
}

/// The embedded net if there is one, else the hand-written evaluation.
impl Default for Model {
    fn default() -> Model {
        nnue::embedded().map_or_else(Model::classical, |net| Model::Nnue(net.clone()))
    }
}

impl Model {
    /// The name of the hand-written evaluation where other models are named by
    /// their files.
    pub const CLASSICAL: &str = "classical";

    /// The name of the hand-written policy and value.
    pub const HEURISTIC: &str = "heuristic";

    /// The name of the embedded sequence model.
    pub const SEQUENCE: &str = "sequence";

    /// The hand-written evaluation with its built-in weights.
    pub fn classical() -> Model {
        Model::Classical(WeightsFile::built_in().clone())
    }

    /// The model of this name: `classical`, `heuristic`, `sequence`, or a file.
    ///
    /// # Errors
    /// As [`Model::open`], or if there is no embedded sequence model.
    pub fn named(name: &Path) -> Result<Model, ModelError> {
        match name.to_str() {
            Some(Self::CLASSICAL) => Ok(Model::classical()),
            Some(Self::HEURISTIC) => Ok(Model::Heuristic),
            Some(Self::SEQUENCE) => sequence::embedded()
                .map(|model| Model::Sequence(model.clone()))
                .ok_or(ModelError::NoSequence),
            _ => Model::open(name),
        }
    }

    /// The default model of tree searches: the embedded policy net if there is one, else
    /// the hand-written policy and value.
    pub fn default_of_tree_search() -> Model {
        sparse::embedded().map_or(Model::Heuristic, |net| Model::Policy(net.clone()))
    }

    /// The default model of players by sequence models: the embedded sequence model if there
    /// is one, else the default of tree searches.
    pub fn default_of_sequences() -> Model {
        sequence::embedded().map_or_else(Model::default_of_tree_search, |model| {
            Model::Sequence(model.clone())
        })
    }

    /// Its policy and value for one thread of a tree search; a model without a policy
    /// gets the hand-written one.
    pub fn policy_value(&self) -> Box<dyn PolicyValue> {
        match self {
            Model::Heuristic => Box::new(Heuristic::default()),
            Model::Classical(file) => {
                Box::new(Valued::new(Classical::with_weights(file.weights.clone())))
            }
            Model::Nnue(file) => match &file.net {
                Net::Sfnn(net) => Box::new(Valued::new(NetEvaluator::new(net.clone()))),
                Net::Simple(net) => Box::new(Valued::new(NetEvaluator::new(net.clone()))),
            },
            Model::NTuple(file) => {
                Box::new(Valued::new(NTupleEvaluator::new(file.network.clone())))
            }
            Model::Policy(file) => Box::new(PolicyEvaluator::new(file.net.clone())),
            Model::ResNet(file) => Box::new(file.batch()),
            Model::Sequence(file) => Box::new(SequencePolicy::strong(file.net.clone())),
        }
    }

    /// Reads a model from a file.
    ///
    /// # Errors
    /// If the file cannot be read, or is not a valid model; the message does not
    /// repeat the path.
    pub fn open(path: &Path) -> Result<Model, ModelError> {
        Model::from_bytes(&bytes::read(path).map_err(NetError::from)?)
    }

    /// The model of a file's bytes.
    ///
    /// # Errors
    /// If they are not a valid model.
    pub fn from_bytes(bytes: &[u8]) -> Result<Model, ModelError> {
        if bytes == HEURISTIC_FILE {
            return Ok(Model::Heuristic);
        }
        if bytes.starts_with(ntuple::MAGIC) {
            return Ok(Model::NTuple(NTupleFile::from_bytes(bytes)?));
        }
        if bytes.starts_with(sparse::MAGIC) {
            return Ok(Model::Policy(PolicyFile::from_bytes(bytes)?));
        }
        if bytes.starts_with(sequence::MAGIC) {
            return Ok(Model::Sequence(SequenceModelFile::from_bytes(bytes)?));
        }
        if ResNetFile::looks_like_one(bytes) {
            return Ok(Model::ResNet(ResNetFile::from_bytes(bytes)?));
        }
        Ok(match text(bytes) {
            Some(text) => Model::Classical(WeightsFile::new(Weights::read(text)?)),
            None => Model::Nnue(NetFile::from_bytes(bytes)?),
        })
    }

    /// Bytes from which [`Model::from_bytes`] restores an equivalent model; for
    /// [`Model::Heuristic`], which has no weights, they are its name.
    ///
    /// # Errors
    /// If the model cannot be written.
    pub fn to_bytes(&self) -> Result<Vec<u8>, ModelError> {
        Ok(match self {
            Model::Classical(file) => file.weights.write().into_bytes(),
            Model::Nnue(file) => file.to_bytes()?,
            Model::NTuple(file) => file.network.weights().to_bytes()?,
            Model::Policy(file) => file.net.to_bytes()?,
            Model::ResNet(file) => file.to_bytes()?,
            Model::Sequence(file) => file.weights.to_bytes()?,
            Model::Heuristic => HEURISTIC_FILE.to_vec(),
        })
    }

    /// Its kind.
    pub fn kind(&self) -> ModelKind {
        match self {
            Model::Classical(_) => ModelKind::Classical,
            Model::Nnue(_) => ModelKind::Nnue,
            Model::NTuple(_) => ModelKind::NTuple,
            Model::Policy(_) => ModelKind::Policy,
            Model::ResNet(_) => ModelKind::ResNet,
            Model::Sequence(_) => ModelKind::Sequence,
            Model::Heuristic => ModelKind::Heuristic,
        }
    }

    /// The SHA-256 that identifies it, in hexadecimal digits: of a net's file, or of the
    /// values of the hand-written evaluation's weights.
    pub fn hash(&self) -> String {
        match self {
            Model::Classical(file) => file.hash(),
            Model::Nnue(file) => file.hash(),
            Model::NTuple(file) => file.hash(),
            Model::Policy(file) => file.hash(),
            Model::ResNet(file) => file.hash(),
            Model::Sequence(file) => file.hash(),
            Model::Heuristic => hexadecimal(&Sha256::digest(Model::HEURISTIC)),
        }
    }

    /// The name by its hash, such as `nn-0123456789ab.tabianet`; `classical` for the
    /// hand-written evaluation with its built-in weights.
    pub fn name(&self) -> String {
        match self {
            Model::Classical(file) => file.name(),
            Model::Nnue(file) => file.usual_name(),
            Model::NTuple(file) => {
                let (digits, ending) = (&file.hash()[..NAME_DIGITS], NTupleFile::EXTENSION);
                format!("nt-{digits}.{ending}")
            }
            Model::Policy(file) => {
                let (digits, ending) = (&file.hash()[..NAME_DIGITS], PolicyFile::EXTENSION);
                format!("pv-{digits}.{ending}")
            }
            Model::ResNet(file) => {
                format!("rn-{}.{}", &file.hash()[..NAME_DIGITS], file.extension())
            }
            Model::Sequence(file) => {
                let (digits, ending) = (&file.hash()[..NAME_DIGITS], SequenceModelFile::EXTENSION);
                format!("sq-{digits}.{ending}")
            }
            Model::Heuristic => Model::HEURISTIC.to_owned(),
        }
    }

    /// The extension of its file's name.
    pub fn extension(&self) -> &'static str {
        match self {
            Model::Classical(_) => "weights",
            Model::Nnue(file) => file.extension(),
            Model::NTuple(_) => NTupleFile::EXTENSION,
            Model::Policy(_) => PolicyFile::EXTENSION,
            Model::ResNet(file) => file.extension(),
            Model::Sequence(_) => SequenceModelFile::EXTENSION,
            Model::Heuristic => Model::HEURISTIC,
        }
    }

    /// The size of its file in bytes; 0 for a built-in model.
    pub fn size(&self) -> u64 {
        match self {
            Model::Classical(_) | Model::Heuristic => 0,
            Model::Nnue(file) => file.size,
            Model::NTuple(file) => file.size,
            Model::Policy(file) => file.size,
            Model::ResNet(file) => file.size,
            Model::Sequence(file) => file.size,
        }
    }

    /// Where it comes from, if its file format can say.
    pub fn provenance(&self) -> Option<&Provenance> {
        match self {
            Model::Nnue(NetFile {
                net: Net::Simple(net),
                ..
            }) => Some(&net.weights().provenance),
            Model::NTuple(file) => Some(&file.network.weights().provenance),
            Model::Policy(file) => Some(file.net.provenance()),
            Model::ResNet(file) => match file.source() {
                ResNetSource::Own(weights) => Some(&weights.provenance),
                ResNetSource::Lc0(_) => None,
            },
            Model::Sequence(file) => Some(&file.weights.provenance),
            Model::Classical(_) | Model::Nnue(_) | Model::Heuristic => None,
        }
    }

    /// How the value of a position comes about, in lines for people.
    pub fn explain(&self, board: &Board) -> String {
        match self {
            Model::Classical(file) => Classical::with_weights(file.weights.clone()).explain(board),
            Model::Nnue(file) => file.net.explain(board).to_string(),
            Model::NTuple(file) => file.network.explain(board).to_string(),
            Model::Policy(file) => file.net.explain(board).to_string(),
            Model::ResNet(file) => file.explain(board).to_string(),
            Model::Sequence(file) => {
                policy::explain(&mut SequencePolicy::new(file.net.clone()), board).to_string()
            }
            Model::Heuristic => policy::explain(&mut Heuristic::default(), board).to_string(),
        }
    }

    /// What it is, in a few words for people.
    pub fn description(&self) -> String {
        match self {
            Model::Classical(file) if file.is_built_in() => {
                "the hand-written evaluation".to_owned()
            }
            Model::Classical(_) => "the hand-written evaluation, other weights".to_owned(),
            Model::Nnue(file) => format!("{}, with {}", file.net, nnue::instruction_set()),
            Model::NTuple(file) => format!("n-tuple network, {}", file.network),
            Model::Policy(file) => format!("{}, with {}", file.net, nnue::instruction_set()),
            Model::ResNet(file) => format!("{file}, with {}", Kernels::best().name()),
            Model::Sequence(file) => format!("{file}, with {}", Kernels::best().name()),
            Model::Heuristic => "the hand-written policy and value".to_owned(),
        }
    }
}

impl PartialEq for Model {
    fn eq(&self, other: &Model) -> bool {
        self.kind() == other.kind() && self.hash() == other.hash()
    }
}

impl Eq for Model {}

/// Its [name](Model::name).
impl fmt::Display for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name())
    }
}

/// Its name, such as `nnue`.
impl fmt::Display for ModelKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ModelKind::Classical => "classical",
            ModelKind::Nnue => "nnue",
            ModelKind::NTuple => "ntuple",
            ModelKind::Policy => "policy",
            ModelKind::ResNet => "resnet",
            ModelKind::Sequence => "sequence",
            ModelKind::Heuristic => "heuristic",
        })
    }
}

impl WeightsFile {
    /// Weights with their hash.
    pub fn new(weights: Weights) -> WeightsFile {
        WeightsFile {
            sha256: Sha256::digest(weights.write()).into(),
            weights: Arc::new(weights),
        }
    }

    /// The built-in weights.
    fn built_in() -> &'static WeightsFile {
        static BUILT_IN: OnceLock<WeightsFile> = OnceLock::new();
        BUILT_IN.get_or_init(|| WeightsFile::new(Weights::default()))
    }

    fn is_built_in(&self) -> bool {
        self.sha256 == WeightsFile::built_in().sha256
    }

    /// The SHA-256 of the text of all weights, in hexadecimal digits: files with the same
    /// weights have the same hash, whatever their layout.
    pub fn hash(&self) -> String {
        hexadecimal(&self.sha256)
    }

    /// `classical`, with 12 digits of the hash if the weights are not the built-in
    /// ones.
    fn name(&self) -> String {
        match self.is_built_in() {
            true => Model::CLASSICAL.to_owned(),
            false => format!("{}-{}", Model::CLASSICAL, &self.hash()[..NAME_DIGITS]),
        }
    }
}

/// The bytes as text, if they are text. Every net has a control character near its
/// beginning, which text does not have.
fn text(bytes: &[u8]) -> Option<&str> {
    let is_control = |byte: &u8| byte.is_ascii_control() && !byte.is_ascii_whitespace();
    let head = &bytes[..bytes.len().min(LOOKED_AT)];
    if head.is_empty() || head.iter().any(is_control) {
        return None;
    }
    std::str::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_told_apart() {
        let complaint = |bytes: &[u8]| match Model::from_bytes(bytes) {
            Ok(_) => String::new(),
            Err(error) => error.to_string(),
        };
        assert_eq!(complaint(b"threats.hanging = [1, 2]\n"), "");
        for bytes in [&b""[..], b"\x01\x02\x03\x04\x05", b"\xff\xfe text"] {
            assert!(complaint(bytes).starts_with("it is not a net"), "{bytes:?}");
        }
        assert_eq!(
            complaint(b"a text\n"),
            "not a valid text file of weights of the hand-written evaluation: line 1: expected a \
             weight, as pieces.bishop-pair = [34, 44]"
        );
    }

    #[test]
    fn the_hash_is_that_of_the_values() {
        let model = |text: &str| Model::from_bytes(text.as_bytes()).expect("weights");
        let built_in = model(&Weights::default().write());
        assert_eq!(built_in.name(), "classical");
        assert_eq!(model("# nothing\n"), built_in);
        assert_eq!(built_in, Model::classical());
        let other = model("threats.hanging = [1, 2]");
        assert_ne!(other, built_in);
        assert!(other.name().starts_with("classical-") && other.name().len() == 22);
        assert_eq!(other.extension(), "weights");
    }

    #[test]
    fn bytes_make_the_same_model_again() {
        let mut models = vec![
            Model::Heuristic,
            Model::classical(),
            Model::from_bytes(b"threats.hanging = [1, 2]").expect("weights"),
        ];
        models.extend(nnue::embedded().map(|net| Model::Nnue(net.clone())));
        models.extend(sparse::embedded().map(|net| Model::Policy(net.clone())));
        for model in models {
            let bytes = model.to_bytes().expect("bytes");
            assert_eq!(Model::from_bytes(&bytes).expect("a model"), model);
        }
    }

    #[test]
    fn kinds_have_names() {
        assert_eq!(Model::classical().kind().to_string(), "classical");
        if let Some(net) = nnue::embedded() {
            let model = Model::default();
            assert_eq!(model.kind(), ModelKind::Nnue);
            assert_eq!(model.hash(), net.hash());
            assert!(model.name().ends_with(model.extension()));
            assert!(model.provenance().is_some());
        }
    }
}
