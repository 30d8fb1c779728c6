//! Writes ResNets as ONNX, for other programs to run: batch norms are folded, and all
//! moves are computed. The input is `planes` of `[batch, planes, 8, 8]`; the outputs are
//! `policy`, the logits of all moves, and either `wdl`, probabilities, or `value`, from -1
//! to 1.

use super::network::Named;
use super::shape::ValueKind;
use super::weights::ResNetWeights;
use crate::policy::message::Message;

/// The versions of the format and of its operators, old enough for every runtime in use.
const IR_VERSION: u64 = 8;
const OPERATORS: u64 = 17;
/// The numbers of types in the format.
const FLOAT: u64 = 1;
const INT_ATTRIBUTE: u64 = 2;
const INTS_ATTRIBUTE: u64 = 7;

impl ResNetWeights {
    /// The bytes of an ONNX file.
    pub fn to_onnx(&self) -> Vec<u8> {
        let shape = self.shape();
        let mut graph = Graph::new(Named::new(self));
        let mut trunk = graph.layer("stem", "planes", None, 3);
        for block in 0..shape.blocks {
            let first = graph.layer(&format!("blocks.{block}.first"), &trunk, None, 3);
            let name = format!("blocks.{block}.second");
            trunk = graph.layer(&name, &first, Some(&trunk), 3);
        }
        let policy = graph.layer("policy", &trunk, None, 1);
        let policy = graph.node("Flatten", &[&policy], "policy.features", &[]);
        let (rows, bias) = graph.named.combined_rows();
        graph.linear("policy.moves", &policy, &rows, &bias, "policy");
        let value = graph.layer("value", &trunk, None, 1);
        let value = graph.node("Flatten", &[&value], "value.features", &[]);
        let hidden = graph.stored_linear("value.hidden", &value);
        let hidden = graph.node("Relu", &[&hidden], "value.hidden.activated", &[]);
        let output = graph.stored_linear("value.output", &hidden);
        let (operator, name, attributes): (_, _, &[Attribute<'_>]) = match shape.value {
            ValueKind::Wdl => ("Softmax", "wdl", &[Attribute::Int("axis", 1)]),
            ValueKind::Tanh => ("Tanh", "value", &[]),
        };
        graph.node(operator, &[&output], name, attributes);
        let planes = shape.planes.count() as u64;
        let inputs = tensor_type("planes", &[planes, 8, 8]);
        let outputs = [
            tensor_type("policy", &[shape.moves.count() as u64]),
            tensor_type(name, &[shape.value.outputs() as u64]),
        ];
        let graph = graph.finish(&inputs, &outputs);
        let operators = Message::default().text(1, "").number(2, OPERATORS);
        let model = Message::default()
            .number(1, IR_VERSION)
            .text(2, "Tabia")
            .message(7, &graph)
            .message(8, &operators);
        model.into_bytes()
    }
}

enum Attribute<'a> {
    Int(&'a str, u64),
    Ints(&'a str, &'a [u64]),
}

impl Attribute<'_> {
    fn message(&self) -> Message {
        match self {
            Attribute::Int(name, value) => Message::default()
                .text(1, name)
                .number(3, *value)
                .number(20, INT_ATTRIBUTE),
            Attribute::Ints(name, values) => {
                let start = Message::default().text(1, name);
                let all = values
                    .iter()
                    .fold(start, |all, &value| all.number(8, value));
                all.number(20, INTS_ATTRIBUTE)
            }
        }
    }
}

/// The nodes and weights so far.
struct Graph<'a> {
    named: Named<'a>,
    nodes: Vec<Message>,
    weights: Vec<Message>,
}

impl<'a> Graph<'a> {
    fn new(named: Named<'a>) -> Graph<'a> {
        Graph {
            named,
            nodes: Vec::new(),
            weights: Vec::new(),
        }
    }

    /// Adds an operator; returns the name of its output.
    fn node(
        &mut self,
        operator: &str,
        inputs: &[&str],
        output: &str,
        attributes: &[Attribute<'_>],
    ) -> String {
        let mut node = Message::default();
        for input in inputs {
            node = node.text(1, input);
        }
        node = node.text(2, output).text(3, output).text(4, operator);
        for attribute in attributes {
            node = node.message(5, &attribute.message());
        }
        self.nodes.push(node);
        output.to_owned()
    }

    fn tensor(&mut self, name: &str, lengths: &[usize], values: &[f32]) -> String {
        let bytes: Vec<u8> = values
            .iter()
            .flat_map(|value| value.to_le_bytes())
            .collect();
        let lengths = lengths.iter();
        let tensor = lengths.fold(Message::default(), |it, &length| {
            it.number(1, length as u64)
        });
        let tensor = tensor.number(2, FLOAT).text(8, name).bytes(9, &bytes);
        self.weights.push(tensor);
        name.to_owned()
    }

    /// Adds a convolution with its folded norm, the residual, if any, and the activation.
    fn layer(&mut self, name: &str, input: &str, residual: Option<&str>, size: usize) -> String {
        let (weights, bias) = self.named.folded(name);
        let inputs = weights.len() / (bias.len() * size * size);
        let lengths = [bias.len(), inputs, size, size];
        let weights = self.tensor(&format!("{name}.weight"), &lengths, &weights);
        let bias = self.tensor(&format!("{name}.bias"), &[bias.len()], &bias);
        let sides = [size as u64; 2];
        let border = [size as u64 / 2; 4];
        let attributes = [
            Attribute::Ints("kernel_shape", &sides),
            Attribute::Ints("pads", &border),
        ];
        let sums = format!("{name}.sums");
        let mut sums = self.node("Conv", &[input, &weights, &bias], &sums, &attributes);
        if let Some(residual) = residual {
            sums = self.node("Add", &[&sums, residual], &format!("{name}.added"), &[]);
        }
        self.node("Relu", &[&sums], &format!("{name}.activated"), &[])
    }

    fn linear(
        &mut self,
        name: &str,
        input: &str,
        weights: &[f32],
        bias: &[f32],
        output: &str,
    ) -> String {
        let inputs = weights.len() / bias.len();
        let lengths = [bias.len(), inputs];
        let weights = self.tensor(&format!("{name}.weight"), &lengths, weights);
        let bias = self.tensor(&format!("{name}.bias"), &[bias.len()], bias);
        let attributes = [Attribute::Int("transB", 1)];
        self.node("Gemm", &[input, &weights, &bias], output, &attributes)
    }

    fn stored_linear(&mut self, name: &str, input: &str) -> String {
        let [weights, bias] =
            ["weight", "bias"].map(|part| self.named.get(&format!("{name}.{part}")));
        self.linear(name, input, weights, bias, &format!("{name}.sums"))
    }

    fn finish(self, input: &Message, outputs: &[Message]) -> Message {
        let nodes = self.nodes.iter();
        let graph = nodes.fold(Message::default(), |graph, node| graph.message(1, node));
        let graph = graph.text(2, "tabia");
        let weights = self.weights.iter();
        let graph = weights.fold(graph, |graph, tensor| graph.message(5, tensor));
        let graph = graph.message(11, input);
        let outputs = outputs.iter();
        outputs.fold(graph, |graph, output| graph.message(12, output))
    }
}

/// The type of an input or output: a batch of floats with these lengths.
fn tensor_type(name: &str, lengths: &[u64]) -> Message {
    let batch = Message::default().text(2, "batch");
    let shape = lengths
        .iter()
        .fold(Message::default().message(1, &batch), |shape, &length| {
            shape.message(1, &Message::default().number(1, length))
        });
    let tensor = Message::default().number(1, FLOAT).message(2, &shape);
    let kind = Message::default().message(1, &tensor);
    Message::default().text(1, name).message(2, &kind)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::resnet::{PolicyKind, ResNetShape};

    /// How often a text occurs in the bytes.
    fn count(bytes: &[u8], text: &str) -> usize {
        let windows = bytes.windows(text.len());
        windows.filter(|it| *it == text.as_bytes()).count()
    }

    #[test]
    fn all_layers_are_there() {
        let shape = ResNetShape {
            channels: 3,
            blocks: 2,
            head_channels: 1,
            value_hidden: 2,
            policy: PolicyKind::Factored,
            ..ResNetShape::default()
        };
        let bytes = ResNetWeights::initialised(shape.clone(), 7).to_onnx();
        // The type of an operator: the field, its length, the name.
        let nodes =
            |name: &str| count(&bytes, &format!("\"{}{name}", char::from(name.len() as u8)));
        assert_eq!([nodes("Conv"), nodes("Add"), nodes("Relu")], [7, 2, 8]);
        assert_eq!(
            [nodes("Gemm"), nodes("Flatten"), nodes("Softmax")],
            [3, 2, 1]
        );
        // Origins are folded into the rows of moves, which saves 64 rows of 64 and their biases.
        let folded = shape.parameters() - 64 * 65 - (5 * 3 + 2);
        assert!(bytes.len() > 4 * folded && bytes.len() < 4 * folded + 4_000);
    }
}
