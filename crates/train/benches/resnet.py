"""PyTorch's side of the bench of ResNets: reads lines "play 64x6 128 f32 0.7", answers with
positions per CPU second of one thread. bf16 runs channels last, which is faster there."""
import sys
import time

import torch
import torch.nn.functional as functional

torch.set_num_threads(1)
PLANES = 18


class Layer(torch.nn.Module):
    def __init__(self, inputs, outputs, size, normed):
        super().__init__()
        self.convolution = torch.nn.Conv2d(inputs, outputs, size, padding=size // 2, bias=not normed)
        self.norm = torch.nn.BatchNorm2d(outputs) if normed else torch.nn.Identity()

    def forward(self, planes):
        return self.norm(self.convolution(planes))


class Net(torch.nn.Module):
    """In play the norms are folded into the convolutions."""

    def __init__(self, channels, blocks, normed):
        super().__init__()
        self.stem = Layer(PLANES, channels, 3, normed)
        self.first = torch.nn.ModuleList(Layer(channels, channels, 3, normed) for _ in range(blocks))
        self.second = torch.nn.ModuleList(Layer(channels, channels, 3, normed) for _ in range(blocks))
        self.policy, self.moves = Layer(channels, 16, 1, normed), torch.nn.Linear(1024, 4096)
        self.value = Layer(channels, 16, 1, normed)
        self.hidden, self.output = torch.nn.Linear(1024, 128), torch.nn.Linear(128, 1)

    def forward(self, planes):
        trunk = functional.relu(self.stem(planes))
        for first, second in zip(self.first, self.second):
            trunk = functional.relu(trunk + second(functional.relu(first(trunk))))
        moves = self.moves(functional.relu(self.policy(trunk)).flatten(1))
        hidden = functional.relu(self.hidden(functional.relu(self.value(trunk)).flatten(1)))
        return moves, torch.tanh(self.output(hidden))


def prepared(work, net, batch, precision):
    channels, blocks = map(int, net.split("x"))
    half = precision == "bf16"
    model = Net(channels, blocks, work == "train")
    planes = torch.rand(batch, PLANES, 8, 8)
    if half:
        model = model.to(memory_format=torch.channels_last)
        planes = planes.contiguous(memory_format=torch.channels_last)
    if work == "play":
        model.eval()
        if half:
            model, planes = model.bfloat16(), planes.bfloat16()

        def play():
            with torch.inference_mode():
                model(planes)

        return play
    optimiser = torch.optim.AdamW(model.parameters(), 1e-3, fused=True)
    best, wanted = torch.arange(batch) % 4096, torch.rand(batch, 1) * 2 - 1

    def train():
        with torch.autocast("cpu", torch.bfloat16, enabled=half):
            moves, values = model(planes)
        loss = functional.cross_entropy(moves.float(), best) + ((values.float() - wanted) ** 2).mean()
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        return loss.item()

    return train


print(torch.__version__, flush=True)
kept = {}
for line in sys.stdin:
    work, net, batch, precision, seconds = line.split()
    key = (work, net, batch, precision)
    if key not in kept:
        kept = {k: v for k, v in kept.items() if k[:3] == key[:3]}
        kept[key] = prepared(work, net, int(batch), precision)
        kept[key]()
    start, done = time.process_time(), 0
    while True:
        kept[key]()
        done += int(batch)
        spent = time.process_time() - start
        if spent >= float(seconds):
            break
    print(done / spent, flush=True)
