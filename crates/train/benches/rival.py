"""PyTorch as a rival of the trainer: the same nets and positions on the CPU.

rival.py SHAPE BATCHES FOLDER is started by the bench `trainer`, which wrote the
tensors of its batches to the folder. Each line of standard input, `WAY THREADS
SECONDS`, trains for at least so long and prints positions a second. The ways are
`dense`, where the gradient of the first layer is a whole matrix and one fused Adam
changes all weights, and `sparse`, where it has the rows that were used and SparseAdam
changes only those.

What helps PyTorch on a CPU is used: 32-bit indices, a call of the bag for each side,
which is faster than one for both, fused Adam, positions in the order of their stacks
so that each stack is one product of matrices, denormal numbers taken for 0.
"""

import sys
import time
from pathlib import Path

import torch
from torch import nn
from torch.nn import functional

STACKS = 8
PRODUCT = 127 / 128


def tensor(folder, name, number, kind):
    content = bytearray((folder / f"{name}-{number}").read_bytes())
    return torch.frombuffer(content, dtype=kind)


class Batch:
    """The inputs of the side to move and of the other, and what is to be learned."""

    def __init__(self, folder, number):
        own, other, self.starts, stacks = (
            tensor(folder, name, number, torch.int32) for name in ("own", "other", "starts", "stacks")
        )
        self.sides = [own, other]
        self.targets = tensor(folder, "targets", number, torch.float32)
        self.stacks = stacks.long()
        self.sizes = torch.bincount(self.stacks, minlength=STACKS).tolist()


class FirstLayer(nn.Module):
    def __init__(self, inputs, width, sparse):
        super().__init__()
        self.bag = nn.EmbeddingBag(inputs, width, mode="sum", sparse=sparse)
        nn.init.uniform_(self.bag.weight, -(inputs**-0.5), inputs**-0.5)
        self.bias = nn.Parameter(torch.zeros(width))

    def forward(self, batch):
        return [self.bag(inputs, batch.starts) + self.bias for inputs in batch.sides]


class Simple(nn.Module):
    """768 inputs, 256 values a side, squared where they lie from 0 to 1."""

    scale = 400.0 / 400.0
    power = 2.0

    def __init__(self, sparse):
        super().__init__()
        self.first = FirstLayer(768, 256, sparse)
        self.output = nn.Linear(512, 1)

    def forward(self, batch):
        values = torch.cat(self.first(batch), dim=1).clamp(0.0, 1.0)
        return self.output(values * values).squeeze(1)


class Stack(nn.Module):
    """A layer with weights for each stack; positions come stack by stack."""

    def __init__(self, inputs, outputs):
        super().__init__()
        bound = inputs**-0.5
        self.weights = nn.Parameter(torch.empty(STACKS, outputs, inputs).uniform_(-bound, bound))
        self.biases = nn.Parameter(torch.zeros(STACKS, outputs))

    def forward(self, values, sizes):
        parts = zip(values.split(sizes), self.weights, self.biases)
        return torch.cat([functional.linear(*part) for part in parts])


class Sfnn(nn.Module):
    """HalfKAv2_hm, 1024 values a side, products, 16, 32, 1; material beside it."""

    scale = 600.0 / 340.0
    power = 2.5
    width = 1024

    def __init__(self, sparse):
        super().__init__()
        self.first = FirstLayer(22_528, self.width + STACKS, sparse)
        self.layers = nn.ModuleList([Stack(self.width, 16), Stack(30, 32), Stack(32, 1)])

    def forward(self, batch):
        half = self.width // 2
        sides, material = [], []
        for values in self.first(batch):
            low, high, psqt = values.split([half, half, STACKS], dim=1)
            sides.append(low.clamp(0.0, 1.0) * high.clamp(0.0, 1.0))
            material.append(psqt)
        values = torch.cat(sides, dim=1) * PRODUCT
        values = self.layers[0](values, batch.sizes)
        values, skipped = values.split([15, 1], dim=1)
        values = torch.cat([values * values * PRODUCT, values], dim=1).clamp(0.0, 1.0)
        values = self.layers[1](values, batch.sizes).clamp(0.0, 1.0)
        values = self.layers[2](values, batch.sizes) + skipped
        difference = (material[0] - material[1]).gather(1, batch.stacks.unsqueeze(1))
        return (values + 0.5 * difference).squeeze(1)


class Pupil:
    def __init__(self, shape, way):
        sparse = way == "sparse"
        self.net = {"768-256": Simple, "sfnn-1024": Sfnn}[shape](sparse)
        rows = [self.net.first.bag.weight] if sparse else []
        others = [weight for weight in self.net.parameters() if all(weight is not row for row in rows)]
        self.optimisers = [torch.optim.Adam(others, lr=1e-3, fused=True)]
        if rows:
            self.optimisers.append(torch.optim.SparseAdam(rows, lr=1e-3))

    def step(self, batch):
        for optimiser in self.optimisers:
            optimiser.zero_grad(set_to_none=True)
        expected = torch.sigmoid(self.net(batch) * self.net.scale)
        errors = (expected - batch.targets).abs()
        errors = errors * errors if self.net.power == 2.0 else errors.pow(self.net.power)
        errors.mean().backward()
        for optimiser in self.optimisers:
            optimiser.step()

    def speed(self, batches, seconds):
        self.step(batches[0])
        begin = time.perf_counter()
        positions = 0
        while positions == 0 or time.perf_counter() - begin < seconds:
            batch = batches[positions // len(batches[0].targets) % len(batches)]
            self.step(batch)
            positions += len(batch.targets)
        return positions / (time.perf_counter() - begin)


def main():
    shape, count, folder = sys.argv[1:]
    torch.set_flush_denormal(True)
    batches = [Batch(Path(folder), number) for number in range(int(count))]
    pupil, last = None, None
    for line in sys.stdin:
        way, threads, seconds = line.split()
        torch.set_num_threads(int(threads))
        if way != last:
            pupil = None
            pupil, last = Pupil(shape, way), way
        print(pupil.speed(batches, float(seconds)), flush=True)


if __name__ == "__main__":
    main()
