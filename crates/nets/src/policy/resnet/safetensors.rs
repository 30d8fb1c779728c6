//! ResNets as safetensors, the file format for tensors of PyTorch programs: the length of a
//! JSON header in 8 bytes, the header, the values.
//!
//! Shape, description and provenance are in its metadata as one JSON text.

use super::error::ResNetError;
use super::shape::{ResNetShape, TensorShape};
use super::weights::ResNetWeights;
use crate::Provenance;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// The key of that text in the metadata.
const KEY: &str = "tabia";
const METADATA: &str = "__metadata__";
/// The tensor in which PyTorch counts the batches of every norm; it is ignored.
const COUNTER: &str = "num_batches_tracked";
/// The most bytes of a header.
const LONGEST_HEADER: usize = 1 << 20;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct About {
    shape: ResNetShape,
    #[serde(default)]
    description: String,
    #[serde(default)]
    provenance: Provenance,
}

impl ResNetWeights {
    /// The bytes of a safetensors file.
    ///
    /// # Errors
    /// If a weight is not finite.
    pub fn to_safetensors(&self) -> Result<Vec<u8>, ResNetError> {
        if let Some(name) = self.broken() {
            return Err(ResNetError::NotANumber(name));
        }
        let about = About {
            shape: self.shape().clone(),
            description: self.description.clone(),
            provenance: self.provenance.clone(),
        };
        let about = serde_json::to_string(&about)
            .map_err(|error| ResNetError::Tensors(error.to_string()))?;
        let mut header = Map::new();
        header.insert(METADATA.to_owned(), json!({ KEY: about }));
        let mut offset = 0;
        for tensor in self.shape().tensors() {
            let end = offset + 4 * tensor.count();
            let entry = json!({
                "dtype": "F32",
                "shape": tensor.lengths,
                "data_offsets": [offset, end],
            });
            header.insert(tensor.name, entry);
            offset = end;
        }
        let mut header = Value::Object(header).to_string();
        // The values begin at a multiple of 8.
        header.push_str(&" ".repeat(header.len().next_multiple_of(8) - header.len()));
        let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
        bytes.extend_from_slice(header.as_bytes());
        let values = self.tensors().iter().flatten();
        bytes.extend(values.flat_map(|value| value.to_le_bytes()));
        Ok(bytes)
    }

    /// Reads a safetensors file that has Tabia's metadata and all tensors of its shape.
    ///
    /// # Errors
    /// If one of these is missing, or a tensor has another shape, type or name.
    pub fn from_safetensors(bytes: &[u8]) -> Result<ResNetWeights, ResNetError> {
        let wrong = |problem: &str| ResNetError::Tensors(problem.to_owned());
        let (length, rest) = bytes
            .split_first_chunk::<8>()
            .ok_or_else(|| wrong("the file is too short"))?;
        let length = usize::try_from(u64::from_le_bytes(*length))
            .ok()
            .filter(|&length| length <= LONGEST_HEADER.min(rest.len()))
            .ok_or_else(|| wrong("it is not a safetensors file: its header is too long"))?;
        let (header, values) = rest.split_at(length);
        let header: Map<String, Value> = serde_json::from_slice(header)
            .map_err(|_| wrong("it is not a safetensors file: its header is not JSON"))?;
        let about = header.get(METADATA).and_then(|it| it.get(KEY));
        let about = about.and_then(Value::as_str).ok_or_else(|| {
            wrong("its metadata has no entry \"tabia\" with the shape of the net")
        })?;
        let about: About = serde_json::from_str(about)
            .map_err(|error| ResNetError::Tensors(format!("its entry \"tabia\": {error}")))?;
        about.shape.check().map_err(ResNetError::Tensors)?;
        let tensors = about.shape.tensors();
        let is_known = |name: &str| {
            let listed = tensors.iter().any(|tensor| tensor.name == name);
            listed || name == METADATA || name.ends_with(COUNTER)
        };
        if let Some(name) = header.keys().find(|name| !is_known(name)) {
            let name: String = name.escape_debug().take(100).collect();
            return Err(ResNetError::Tensors(format!(
                "{name} is not a tensor of this shape"
            )));
        }
        // Memory is allocated only if the file is long enough.
        let wanted: usize = tensors.iter().map(|tensor| 4 * tensor.count()).sum();
        if values.len() < wanted {
            let words = format!("it has {} bytes, but {wanted} are needed", values.len());
            return Err(ResNetError::Tensors(words));
        }
        let mut weights = ResNetWeights::new(about.shape);
        for (tensor, places) in tensors.iter().zip(weights.tensors_mut()) {
            read_tensor(tensor, &header, values, places)?;
        }
        weights.description = about.description;
        weights.provenance = about.provenance;
        match weights.broken() {
            Some(name) => Err(ResNetError::NotANumber(name)),
            None => Ok(weights),
        }
    }
}

fn read_tensor(
    tensor: &TensorShape,
    header: &Map<String, Value>,
    values: &[u8],
    places: &mut [f32],
) -> Result<(), ResNetError> {
    #[derive(Deserialize)]
    struct Entry {
        dtype: String,
        shape: Vec<usize>,
        data_offsets: [usize; 2],
    }
    let TensorShape { name, lengths, .. } = tensor;
    let wrong = |problem: String| ResNetError::Tensors(format!("{name} {problem}"));
    let entry = header
        .get(name)
        .ok_or_else(|| wrong("is missing".to_owned()))?;
    let entry: Entry = serde_json::from_value(entry.clone())
        .map_err(|_| wrong("has no dtype, shape and data_offsets".to_owned()))?;
    if entry.dtype != "F32" || entry.shape != *lengths {
        let Entry { dtype, shape, .. } = entry;
        let dtype: String = dtype.escape_debug().take(20).collect();
        return Err(wrong(format!(
            "is {dtype} of shape {shape:?}, but should be F32 of {lengths:?}"
        )));
    }
    let [start, end] = entry.data_offsets;
    let stored = values
        .get(start..end)
        .filter(|stored| stored.len() == 4 * places.len())
        .ok_or_else(|| wrong("has invalid data_offsets".to_owned()))?;
    let (stored, _) = stored.as_chunks::<4>();
    for (place, &stored) in places.iter_mut().zip(stored) {
        *place = f32::from_le_bytes(stored);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn weights() -> ResNetWeights {
        let shape = ResNetShape {
            channels: 3,
            blocks: 1,
            head_channels: 1,
            value_hidden: 2,
            ..ResNetShape::default()
        };
        let mut weights = ResNetWeights::initialised(shape, 7);
        weights.description = "a \"small\" one".to_owned();
        weights.provenance.seed = Some(7);
        weights
    }

    #[test]
    fn what_is_written_is_read() {
        let bytes = weights().to_safetensors().expect("a file");
        assert_eq!(bytes.len() % 4, 0);
        let read = ResNetWeights::from_safetensors(&bytes).expect("readable");
        assert_eq!(read, weights());
    }

    #[test]
    fn files_that_do_not_fit_are_refused_in_one_line() {
        let bytes = weights().to_safetensors().expect("a file");
        let complaint = |bytes: &[u8]| {
            let error = ResNetWeights::from_safetensors(bytes).expect_err("broken");
            let words = error.to_string();
            assert!(!words.contains('\n'), "{words}");
            words
        };
        for length in [0, 7, 8, 100, bytes.len() - 1] {
            assert!(complaint(&bytes[..length]).starts_with("the tensors: "));
        }
        let changed = |from: &str, to: &str| {
            assert_eq!(from.len(), to.len());
            let text = String::from_utf8_lossy(&bytes[8..]).into_owned();
            let at = 8 + text.find(from).expect("a place");
            let mut bytes = bytes.clone();
            bytes[at..at + to.len()].copy_from_slice(to.as_bytes());
            complaint(&bytes)
        };
        assert_eq!(
            changed("\"stem.norm.bias\"", "\"stem.norm.bios\""),
            "the tensors: stem.norm.bios is not a tensor of this shape"
        );
        assert!(changed("\"F32\"", "\"F16\"").contains("but should be F32 of"));
        assert!(changed("\"tabia\"", "\"tibia\"").contains("no entry \"tabia\""));
    }
}
