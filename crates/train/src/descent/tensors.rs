//! All weights of a model in training, by name: saved in checkpoints, checked, averaged.

use super::Tensor;
use crate::checkpoint_file::CheckpointError;
use crate::lanes::Strip;
use std::path::Path;

/// The tensors of a model, with names that never change.
pub(crate) type Tensors<'a> = Vec<(&'static str, &'a mut Tensor)>;

/// The names and lengths in strips of all arrays, in their order.
pub(crate) fn lengths(tensors: Tensors<'_>) -> Vec<(String, usize)> {
    tensors
        .into_iter()
        .flat_map(|(name, tensor)| {
            tensor
                .fields()
                .into_iter()
                .map(|(field, strips)| (format!("{name}, {field}"), strips.len()))
                .collect::<Vec<_>>()
        })
        .collect()
}

/// The bytes of all arrays, in the same order.
pub(crate) fn numbers(tensors: Tensors<'_>) -> impl Iterator<Item = &[u8]> {
    tensors
        .into_iter()
        .flat_map(|(_, tensor)| tensor.fields())
        .map(|(_, strips)| bytemuck::cast_slice(&*strips))
}

/// Restores the arrays of a checkpoint whose tensors had these names and lengths.
pub(crate) fn restore(
    mut tensors: Tensors<'_>,
    found: &[(String, usize)],
    mut numbers: &[u8],
    path: &Path,
) -> Result<(), CheckpointError> {
    let again = tensors.iter_mut();
    let expected = lengths(again.map(|(name, tensor)| (*name, &mut **tensor)).collect());
    let strips: usize = expected.iter().map(|(_, strips)| strips).sum();
    if expected != found || numbers.len() != strips * size_of::<Strip>() {
        return Err(CheckpointError::Shape(path.to_owned()));
    }
    for (_, tensor) in tensors {
        for (_, strips) in tensor.fields() {
            let bytes: &mut [u8] = bytemuck::cast_slice_mut(strips);
            let (own, rest) = numbers.split_at(bytes.len());
            bytes.copy_from_slice(own);
            numbers = rest;
        }
    }
    Ok(())
}

/// Swaps the weights with their averages, if these are kept.
pub(crate) fn swap_averages(tensors: Tensors<'_>) {
    for (_, tensor) in tensors {
        if !tensor.averages.is_empty() {
            std::mem::swap(&mut tensor.values, &mut tensor.averages);
        }
    }
}

/// Whether all weights and the whole optimiser state are finite.
pub(crate) fn are_finite(tensors: Tensors<'_>) -> bool {
    tensors.into_iter().all(|(_, tensor)| {
        let mut fields = tensor.fields().into_iter();
        fields.all(|(_, strips)| {
            let numbers: &[f32] = bytemuck::cast_slice(strips);
            numbers.iter().all(|number| number.is_finite())
        })
    })
}

/// Resets the optimiser state; only the weights are kept.
pub(crate) fn forget(tensors: Tensors<'_>) {
    for (_, tensor) in tensors {
        tensor.forget();
    }
}
