"""PyTorch's side of the bench of sequence models: reads lines "train 192x6 2048 f32 0.7" or
"play 192x6 64 f32 0.7", answers with events per CPU second of one thread.

The model has the same shape as ours: an event is a sum of rows of one table, blocks of HSTU
with a bias for each distance, a policy over all moves, a result, the plies left. Tensors are
ready before the clock runs. Trainings have games of one length, so that nothing is padded; at
play each event has a prefix of 60 whose keys and values are kept."""
import sys
import time

import torch
import torch.nn.functional as functional

torch.set_num_threads(1)
ROWS = 3072 + 2200  # men with squares and attacks, and everything else
OF_EVENT = 42
MOVES = 1968
PLIES = 82
PREFIX = 60
FARTHEST = 256


class Block(torch.nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.width, self.heads = width, heads
        self.mix = torch.nn.Linear(width, 4 * width, bias=False)
        self.distance = torch.nn.Parameter(torch.zeros(heads, FARTHEST))
        self.out = torch.nn.Linear(width, width)

    def split(self, state):
        mixed = functional.silu(self.mix(functional.layer_norm(state, (self.width,))))
        gate, *rest = mixed.split(self.width, -1)
        heads = [part.unflatten(-1, (self.heads, -1)).transpose(-3, -2) for part in rest]
        return gate, *heads

    def close(self, state, gate, attended):
        attended = attended.transpose(-3, -2).flatten(-2)
        normal = functional.layer_norm(attended, (self.width,))
        return state + self.out(normal * gate)

    def forward(self, state, places):
        """Games, events, width; places are the distances and what must not be seen."""
        distances, mask = places
        gate, value, query, key = self.split(state)
        bias = self.distance[:, distances] + mask
        attended = functional.scaled_dot_product_attention(query, key, value, attn_mask=bias)
        return self.close(state, gate, attended)

    def step(self, state, keys, values):
        """One event for each game, behind what is kept."""
        gate, value, query, key = self.split(state)
        keys, values = torch.cat([keys, key], -2), torch.cat([values, value], -2)
        bias = self.distance[:, : keys.shape[-2]].flip(-1).unsqueeze(-2)
        attended = functional.scaled_dot_product_attention(query, keys, values, attn_mask=bias)
        return self.close(state, gate, attended)


class Model(torch.nn.Module):
    def __init__(self, width, layers):
        super().__init__()
        self.width = width
        self.events = torch.nn.EmbeddingBag(ROWS, width, mode="sum")
        self.blocks = torch.nn.ModuleList(Block(width, width // 32) for _ in range(layers))
        self.heads = torch.nn.Linear(width, MOVES + 3 + 1)

    def forward(self, rows, places):
        games, plies, _ = rows.shape
        state = self.events(rows.flatten(0, 1)).unflatten(0, (games, plies))
        for block in self.blocks:
            state = block(state, places)
        return self.heads(functional.layer_norm(state, (self.width,)))

    def step(self, rows, kept):
        state = self.events(rows).unsqueeze(1)
        for block, (keys, values) in zip(self.blocks, kept):
            state = block.step(state, keys, values)
        return self.heads(functional.layer_norm(state, (self.width,)))


def prepared(work, net, batch, precision):
    width, layers = map(int, net.split("x"))
    model = Model(width, layers)
    half = precision == "bf16"
    if work == "play":
        rows = torch.randint(ROWS, (batch, OF_EVENT))
        shape = (batch, width // 32, PREFIX, 32)
        kept = [(torch.rand(shape), torch.rand(shape)) for _ in range(layers)]
        if half:
            model = model.bfloat16()
            kept = [(keys.bfloat16(), values.bfloat16()) for keys, values in kept]

        def play():
            with torch.inference_mode():
                model.step(rows, kept)

        return play, batch
    games = max(1, round(batch / PLIES))
    rows = torch.randint(ROWS, (games, PLIES, OF_EVENT))
    moves = torch.randint(MOVES, (games * PLIES,))
    results = torch.randint(3, (games * PLIES,))
    left = torch.rand(games * PLIES)
    numbers = torch.arange(PLIES)
    distances = (numbers[:, None] - numbers[None]).clamp(0, FARTHEST - 1)
    mask = torch.full((PLIES, PLIES), float("-inf")).triu(1)
    optimiser = torch.optim.AdamW(model.parameters(), 1e-3, fused=True)

    def train():
        with torch.autocast("cpu", torch.bfloat16, enabled=half):
            said = model(rows, (distances, mask))
        said = said.float().flatten(0, 1)
        loss = functional.cross_entropy(said[:, :MOVES], moves)
        loss = loss + 0.25 * functional.cross_entropy(said[:, MOVES : MOVES + 3], results)
        loss = loss + 0.05 * functional.huber_loss(said[:, -1], left)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        return loss.item()

    return train, games * PLIES


print(torch.__version__, flush=True)
known = {}
for line in sys.stdin:
    work, net, batch, precision, seconds = line.split()
    wanted = (work, net, batch, precision)
    if wanted not in known:
        known[wanted] = prepared(work, net, int(batch), precision)
        known[wanted][0]()
    run, count = known[wanted]
    start, done = time.process_time(), 0
    while time.process_time() - start < float(seconds):
        run()
        done += count
    print(done / (time.process_time() - start), flush=True)
