//! Batch normalisation for inference: folded into the layer before it, so that it costs
//! nothing.

/// A batch normalisation; each field has one value for every output of a layer.
#[derive(Clone, Copy, Debug)]
pub struct BatchNorm<'a> {
    /// The running means.
    pub mean: &'a [f32],
    /// The running variances.
    pub variance: &'a [f32],
    /// The factor of the normalised value.
    pub gain: &'a [f32],
    /// Added after that.
    pub offset: &'a [f32],
    /// Added to the variance before taking the root.
    pub epsilon: f32,
}

impl BatchNorm<'_> {
    /// Changes weights `[output][..]` and biases so that the layer alone computes what
    /// layer and normalisation computed.
    ///
    /// # Panics
    /// If the lengths do not fit each other.
    pub fn fold(&self, weights: &mut [f32], biases: &mut [f32]) {
        let outputs = biases.len();
        for values in [self.mean, self.variance, self.gain, self.offset] {
            assert_eq!(values.len(), outputs, "values of a batch normalisation");
        }
        if outputs == 0 {
            return;
        }
        assert!(weights.len().is_multiple_of(outputs), "weights of a layer");
        let fan_in = weights.len() / outputs;
        for (output, bias) in biases.iter_mut().enumerate() {
            let variance = f64::from(self.variance[output]) + f64::from(self.epsilon);
            let scale = f64::from(self.gain[output]) / variance.sqrt();
            for weight in &mut weights[output * fan_in..][..fan_in] {
                *weight = (f64::from(*weight) * scale) as f32;
            }
            let off_mean = f64::from(*bias) - f64::from(self.mean[output]);
            *bias = (f64::from(self.offset[output]) + scale * off_mean) as f32;
        }
    }
}
