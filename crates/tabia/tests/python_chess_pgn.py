"""Compares how python-chess reads games before and after `tabia pgn convert`.

    python3 python_chess_pgn.py PROGRAM

Random games with comments, annotations, variations and odd starts are written
by python-chess and converted. Every game must come back with the same tags and
the same tree of moves; the comments may be broken into other lines. Prints
`no complaints` if all is well.
"""

import pathlib
import random
import subprocess
import sys
import tempfile

import chess
import chess.pgn

GAMES = 100

COMMENTS = [
    "a note",
    "many words that take more than one line, " * 6,
    "[%clk 0:01:00] [%eval 0.3,12] and text",
    'say "this" ; (really) [x] 1-0 $3 1. e4',
    "Björn ♔ 50 %odd",
]


def grow(chance, node, depth, length):
    """Adds a line of random moves with everything that may stand in it."""
    for _ in range(length):
        moves = list(node.board().legal_moves)
        if not moves:
            return
        chance.shuffle(moves)
        child = node.add_variation(moves[0])
        if chance.random() < 0.2:
            child.comment = chance.choice(COMMENTS)
        if chance.random() < 0.2:
            child.nags.add(chance.choice([1, 2, 3, 4, 5, 6, 10, 14, 146]))
        if depth and len(moves) > 1 and chance.random() < 0.15:
            other = node.add_variation(moves[1])
            if chance.random() < 0.5:
                other.starting_comment = "instead of this"
            grow(chance, other, depth - 1, chance.randrange(6))
        node = child


def random_start(chance, index):
    """The usual start, one of Chess960, or a position from a random game."""
    if index % 3 == 1:
        return chess.Board.from_chess960_pos(chance.randrange(960))
    board = chess.Board()
    for _ in range(chance.randrange(80) if index % 3 == 2 else 0):
        moves = list(board.legal_moves)
        if not moves:
            break
        board.push(chance.choice(moves))
    return board


def random_game(chance, index):
    game = chess.pgn.Game()
    game.setup(random_start(chance, index))
    game.headers["White"] = "Øystein, Å"
    game.headers["Result"] = chance.choice(["1-0", "0-1", "1/2-1/2", "*"])
    game.headers["Extra"] = f"number {index}"
    if chance.random() < 0.3:
        game.comment = "opening words"
    grow(chance, game, 3, chance.randrange(100))
    return game


def words(comment):
    """A comment, whatever its line ends."""
    return " ".join(comment).split() if isinstance(comment, list) else comment.split()


def tree(node):
    """All that can be said of a game behind a node."""
    return [
        (
            child.uci(),
            sorted(child.nags),
            words(child.comment),
            words(child.starting_comment),
            tree(child),
        )
        for child in node.variations
    ]


def everything(game):
    return dict(game.headers), words(game.comment), tree(game)


def read(path):
    games = []
    with open(path, encoding="utf-8") as file:
        while (game := chess.pgn.read_game(file)) is not None:
            assert not game.errors, game.errors
            games.append(everything(game))
    return games


def main():
    chance = random.Random(1)
    with tempfile.TemporaryDirectory() as folder:
        before = pathlib.Path(folder, "before.pgn")
        after = pathlib.Path(folder, "after.pgn")
        with open(before, "w", encoding="utf-8") as file:
            for index in range(GAMES):
                print(random_game(chance, index), file=file, end="\n\n")
        command = [sys.argv[1], "pgn", "convert", before, "-o", after, "--keep-duplicates"]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        lines = after.read_text(encoding="utf-8").splitlines()
        assert all(len(line) < 80 for line in lines), "a line is too long"
        old, new = read(before), read(after)
    assert len(old) == len(new) == GAMES, (len(old), len(new))
    for index, (one, other) in enumerate(zip(old, new)):
        assert one == other, f"game {index} was {one} and became {other}"
    print("no complaints")


main()
