"""Reads with python-chess what `tabia analyze` writes.

    python3 python_chess_analyze.py PROGRAM

Random games with comments, marks, variations and odd starts are analysed. The
annotated games must be read without an error, with every old comment, mark and
variation still there, and with the evaluations that the JSON has. Prints
`no complaints` if all is well.
"""

import json
import pathlib
import random
import subprocess
import sys
import tempfile

import chess
import chess.pgn

GAMES = 30
COMMENTS = ["a note", "[%clk 0:01:00] [%eval 9.87,3] words", "Björn (really) 1-0 $3"]


def random_game(chance, index):
    game = chess.pgn.Game()
    board = chess.Board()
    for _ in range(chance.randrange(60) if index % 3 == 0 else 0):
        moves = list(board.legal_moves)
        if moves:
            board.push(chance.choice(moves))
    game.setup(board)
    game.headers["White"] = f"Player {index}"
    game.comment = chance.choice(["", "before all"])
    node = game
    for _ in range(chance.randrange(50)):
        moves = list(node.board().legal_moves)
        if not moves:
            break
        chance.shuffle(moves)
        child = node.add_variation(moves[0])
        if chance.random() < 0.3:
            child.comment = chance.choice(COMMENTS)
        if chance.random() < 0.2:
            child.nags.add(chance.choice([1, 2, 6, 10, 14]))
        if len(moves) > 1 and chance.random() < 0.2:
            other = node.add_variation(moves[1])
            other.comment = "instead"
        node = child
    return game


def written(comment):
    return " ".join(comment if isinstance(comment, list) else [comment]).split()


def contains(all_words, words):
    places = range(len(all_words) - len(words) + 1)
    return any(all_words[at : at + len(words)] == words for at in places)


def compare_score(node, told):
    score = node.eval()
    if "mated" in told:
        assert score is None and node.board().is_checkmate(), node
        return
    white = score.white()
    if "mate" in told:
        assert white.mate() == told["mate"], (white, told)
    else:
        assert white.score() == told["cp"], (white, told)


def walk(node):
    """Every node behind one, to see that all of it is there."""
    for child in node.variations:
        assert child.move in node.board().legal_moves
        walk(child)


def compare(old, new, report):
    assert not new.errors, new.errors
    assert old.headers.items() <= new.headers.items()
    assert contains(written(new.comment), written(old.comment))
    walk(new)
    compare_score(new, report["start"]["evaluation"])
    before, after = list(old.mainline()), list(new.mainline())
    assert len(before) == len(after) == len(report["moves"])
    for one, other, told in zip(before, after, report["moves"]):
        assert one.move == other.move and other.board().fen() == told["fen"]
        assert other.san() == told["san"] and one.nags <= other.nags
        assert contains(written(other.comment), written(one.comment)), other.comment
        siblings = [child.move for child in other.parent.variations]
        assert all(child.move in siblings for child in one.parent.variations)
        compare_score(other, told["evaluation"])
        if "judgement" in told:
            best = other.parent.board().parse_san(told["choices"][0]["line"][0])
            assert best in siblings, (best, siblings)
            assert other.nags & {1, 2, 4, 6}, other.nags


def read(path):
    with open(path, encoding="utf-8") as file:
        games = iter(lambda: chess.pgn.read_game(file), None)
        return list(games)


def main():
    chance = random.Random(1)
    games = [random_game(chance, index) for index in range(GAMES)]
    with tempfile.TemporaryDirectory() as folder:
        source, annotated, data = (
            pathlib.Path(folder, name) for name in ["games.pgn", "annotated.pgn", "data.json"]
        )
        source.write_text("".join(f"{game}\n\n" for game in games), encoding="utf-8")
        options = ["--nodes", "300", "--multipv", "2", "-o", annotated, "--json", data]
        command = [sys.argv[1], "analyze", source, *options]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        report = json.loads(data.read_text(encoding="utf-8"))
        old, new = read(source), read(annotated)
    assert len(old) == len(new) == len(report["games"]) == GAMES
    for one, other, told in zip(old, new, report["games"]):
        compare(one, other, told)
    print("no complaints")


main()
