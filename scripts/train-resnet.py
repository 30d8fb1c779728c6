#!/usr/bin/env python3
"""Trains Tabia's ResNet in PyTorch, on a GPU if there is one, and writes a net that Tabia can play.

    tabia data convert selfplay.binpack --out selfplay.npz
    scripts/train-resnet.py selfplay.npz -o net.safetensors --channels 64 --blocks 6
    tabia net convert net.safetensors --out net.tabianet
    tabia uci --player "mcts model=net.tabianet"

With --judge FILE.safetensors it trains nothing, but prints the losses of such a net on the
shards in inference mode.

The shards hold X [N, 18, 8, 8], PF [N, 64], PD [N, 64, 64] and Z [N], as published, and L
[N, 64, 8], the bits of legal moves. The policy target is the joint probability PF(i) PD(j | i) of
each move, with a softmax over legal moves (over all moves if there is no L); the value predicts Z
through a tanh. The losses are those of `tabia train` with kind = "resnet",
planes = { view = "white", counters = false }, value = "tanh", value_loss = "mse", smoothing = 0,
except for under-promotions, which the arrays cannot represent.
Needs torch and numpy."""
import argparse
import json
import struct

import numpy
import torch
import torch.nn.functional as functional

PLANES, MOVES, HEAD, HIDDEN = 18, 4096, 16, 128


class Layer(torch.nn.Module):
    """A convolution and its batch norm."""

    def __init__(self, inputs, outputs, size):
        super().__init__()
        self.convolution = torch.nn.Conv2d(inputs, outputs, size, padding=size // 2, bias=False)
        self.norm = torch.nn.BatchNorm2d(outputs)
        torch.nn.init.kaiming_normal_(self.convolution.weight, nonlinearity="relu")

    def forward(self, planes):
        return self.norm(self.convolution(planes))


class Block(torch.nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.first = Layer(channels, channels, 3)
        self.second = Layer(channels, channels, 3)

    def forward(self, planes):
        return functional.relu(planes + self.second(functional.relu(self.first(planes))))


def linear(inputs, outputs):
    layer = torch.nn.Linear(inputs, outputs)
    torch.nn.init.kaiming_uniform_(layer.weight, nonlinearity="relu")
    torch.nn.init.zeros_(layer.bias)
    return layer


class Policy(Layer):
    def __init__(self, channels):
        super().__init__(channels, HEAD, 1)
        self.moves = linear(64 * HEAD, MOVES)

    def forward(self, trunk):
        return self.moves(functional.relu(super().forward(trunk)).flatten(1))


class Value(Layer):
    def __init__(self, channels):
        super().__init__(channels, HEAD, 1)
        self.hidden = linear(64 * HEAD, HIDDEN)
        self.output = linear(HIDDEN, 1)

    def forward(self, trunk):
        features = functional.relu(super().forward(trunk)).flatten(1)
        return torch.tanh(self.output(functional.relu(self.hidden(features))))[:, 0]


class Net(torch.nn.Module):
    def __init__(self, channels, blocks):
        super().__init__()
        self.stem = Layer(PLANES, channels, 3)
        self.blocks = torch.nn.ModuleList(Block(channels) for _ in range(blocks))
        self.policy = Policy(channels)
        self.value = Value(channels)

    def forward(self, planes):
        trunk = functional.relu(self.stem(planes))
        for block in self.blocks:
            trunk = block(trunk)
        return self.policy(trunk), self.value(trunk)


def load(paths):
    arrays = [numpy.load(path) for path in paths]
    x, pf, pd, z = (numpy.concatenate([a[name] for a in arrays]) for name in ("X", "PF", "PD", "Z"))
    if all("L" in a for a in arrays):
        bits = numpy.concatenate([a["L"] for a in arrays])
        legal = numpy.unpackbits(bits, axis=2, bitorder="little").reshape(len(x), MOVES)
    else:
        legal = numpy.ones((len(x), MOVES), numpy.uint8)
    return x, (pf[:, :, None] * pd).reshape(len(x), MOVES), z, legal


def losses(net, planes, shares, values, legal):
    """Cross-entropy over legal moves, and the squared error of the value."""
    logits, found = net(planes)
    logits = logits.masked_fill(legal == 0, float("-inf"))
    logs = functional.log_softmax(logits, 1).masked_fill(legal == 0, 0)
    return -(shares * logs).sum(1).mean(), functional.mse_loss(found, values)


def save(net, channels, blocks, path):
    """Writes safetensors with the shape in its metadata, by which Tabia recognises the net."""
    shape = {"planes": {"view": "white", "counters": False, "history": 0}, "channels": channels,
             "blocks": blocks, "moves": "64x64", "policy": "flat", "value": "tanh",
             "head_channels": HEAD, "value_hidden": HIDDEN}
    about = {"shape": shape, "description": "trained with PyTorch on npz shards"}
    header, data = {"__metadata__": {"tabia": json.dumps(about)}}, b""
    for name, tensor in net.state_dict().items():
        if name.endswith("num_batches_tracked"):
            continue
        values = tensor.detach().cpu().float().contiguous().numpy().tobytes()
        header[name] = {"dtype": "F32", "shape": list(tensor.shape),
                        "data_offsets": [len(data), len(data) + len(values)]}
        data += values
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + data)


def read(path):
    """The net of such a file."""
    with open(path, "rb") as file:
        size, = struct.unpack("<Q", file.read(8))
        header, data = json.loads(file.read(size)), file.read()
    shape = json.loads(header.pop("__metadata__")["tabia"])["shape"]
    net = Net(shape["channels"], shape["blocks"])
    state = net.state_dict()
    for name, tensor in header.items():
        start, end = tensor["data_offsets"]
        values = numpy.frombuffer(data[start:end], "<f4").reshape(tensor["shape"])
        state[name] = torch.from_numpy(values.copy())
    net.load_state_dict(state)
    return net.eval()


def judge(path, arrays):
    """Prints the losses of a net on all positions."""
    arrays = [torch.from_numpy(a.astype(numpy.float32)) for a in arrays]
    with torch.no_grad():
        policy, value = losses(read(path), *arrays)
    print(f"policy loss {policy.item():.6f}, value loss {value.item():.6f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("shards", nargs="+")
    task = parser.add_mutually_exclusive_group(required=True)
    task.add_argument("-o", "--out")
    task.add_argument("--judge", metavar="FILE")
    parser.add_argument("--channels", type=int, default=64)
    parser.add_argument("--blocks", type=int, default=6)
    parser.add_argument("--batch", type=int, default=256)
    parser.add_argument("--epochs", type=int, default=1)
    parser.add_argument("--learning-rate", type=float, default=2e-3)
    parser.add_argument("--value-weight", type=float, default=1.0)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    torch.manual_seed(options.seed)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    planes, shares, values, legal = load(options.shards)
    if options.judge:
        judge(options.judge, (planes, shares, values, legal))
        return
    net = Net(options.channels, options.blocks).to(device)
    optimiser = torch.optim.AdamW(net.parameters(), options.learning_rate, weight_decay=0.01)
    steps = options.epochs * -(-len(planes) // options.batch)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimiser, options.learning_rate, total_steps=max(steps, 2), pct_start=0.05)
    order = numpy.random.default_rng(options.seed)
    for epoch in range(options.epochs):
        sums, count = numpy.zeros(2), 0
        for rows in numpy.array_split(order.permutation(len(planes)), steps // options.epochs):
            batch = [torch.from_numpy(a[rows].astype(numpy.float32)).to(device)
                     for a in (planes, shares, values, legal)]
            policy, value = losses(net, *batch)
            optimiser.zero_grad()
            (policy + options.value_weight * value).backward()
            torch.nn.utils.clip_grad_norm_(net.parameters(), 5.0)
            optimiser.step()
            schedule.step()
            sums += len(rows) * numpy.array([policy.item(), value.item()])
            count += len(rows)
        print(f"epoch {epoch + 1}: policy loss {sums[0] / count:.4f}, value loss {sums[1] / count:.4f}")
    save(net, options.channels, options.blocks, options.out)
    print(f"wrote {options.out}")


if __name__ == "__main__":
    main()
