"""Drives the engine through python-chess, the strictest reader of UCI in use.

    python3 python_chess.py PROGRAM

Everything that python-chess would merely log as a warning is a failure here:
output that it does not expect, illegal moves in variations or answers, options
that do not keep their word. Prints one line for each thing that was done.
"""

import logging
import sys
import time

import chess
import chess.engine

# A machine under load may not get round to the engine for a while.
PATIENCE = 120.0

OPENINGS = ["e2e4 c7c5", "d2d4 g8f6", "c2c4 e7e5", "g1f3 d7d5"]


class Complaints(logging.Handler):
    """Collects what python-chess complains about."""

    def __init__(self):
        super().__init__(logging.WARNING)
        self.lines = []

    def emit(self, record):
        self.lines.append(record.getMessage())


def say(words):
    print(words, flush=True)


def clocked_game(engine, board, seconds, increment, ponder=False):
    """Plays the engine against itself; returns the plies played."""
    clocks = {chess.WHITE: seconds, chess.BLACK: seconds}
    game = object()
    start = board.ply()
    while not board.is_game_over(claim_draw=False) and board.ply() - start < 160:
        limit = chess.engine.Limit(
            white_clock=clocks[chess.WHITE],
            black_clock=clocks[chess.BLACK],
            white_inc=increment,
            black_inc=increment,
        )
        begin = time.monotonic()
        result = engine.play(
            board, limit, game=game, info=chess.engine.INFO_ALL, ponder=ponder
        )
        clocks[board.turn] += increment - (time.monotonic() - begin)
        assert result.move in board.legal_moves, f"{result.move} in {board.fen()}"
        assert "score" in result.info, f"no score in {board.fen()}"
        board.push(result.move)
    return board.ply() - start


def check_options(engine):
    wanted = [
        "Hash", "Threads", "MultiPV", "Ponder", "Move Overhead", "SyzygyPath",
        "SyzygyProbeLimit", "UCI_Chess960", "UCI_ShowWDL", "UCI_AnalyseMode",
        "Clear Hash", "EvalFile", "StabilityTermination", "StabilityThreshold",
        "StabilityMinDepth",
    ]
    for name in wanted:
        assert name in engine.options, f"no option {name}"
    engine.configure({
        "Hash": 4, "Threads": 2, "Move Overhead": 20, "UCI_ShowWDL": True,
        "StabilityTermination": False, "Clear Hash": None,
    })
    engine.configure({"Threads": 1})
    say(f"options: {len(engine.options)}")


def check_ends(engine):
    """Positions in which nothing can be played are answered, too."""
    for fen in ["R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"]:
        result = engine.play(chess.Board(fen), chess.engine.Limit(depth=3))
        assert result.move is None, fen
    info = engine.analyse(
        chess.Board("6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1"), chess.engine.Limit(depth=5)
    )
    assert info["score"].relative == chess.engine.Mate(1), info
    say("positions at the end of a game: 3")


def check_analysis(engine):
    board = chess.Board()
    lines = engine.analyse(board, chess.engine.Limit(depth=8), multipv=3)
    assert len(lines) == 3, lines
    assert len({line["pv"][0] for line in lines}) == 3, lines
    for line in lines:
        for word in ["depth", "seldepth", "score", "wdl", "nodes", "nps", "time",
                     "hashfull", "tbhits", "multipv"]:
            assert word in line, f"no {word} in {line}"
        assert sum(line["wdl"].relative) == 1000, line
    # Endless until it is told to stop.
    with engine.analysis(board) as analysis:
        for info in analysis:
            if info.get("depth", 0) >= 6:
                break
    engine.ping()
    root = [chess.Move.from_uci("a2a3"), chess.Move.from_uci("h2h3")]
    result = engine.play(board, chess.engine.Limit(nodes=3000), root_moves=root)
    assert result.move in root, result
    say("analyses: 3")


def check_repetition(engine):
    """A client may go on after a draw that nobody claimed."""
    board = chess.Board()
    for text in "g1f3 g8f6 f3g1 f6g8".split() * 4:
        board.push_uci(text)
    result = engine.play(board, chess.engine.Limit(nodes=2000))
    assert result.move in board.legal_moves
    say("positions after a draw: 1")


def check_games(engine):
    for opening in OPENINGS:
        board = chess.Board()
        for text in opening.split():
            board.push_uci(text)
        say(f"game after {opening}: {clocked_game(engine, board, 0.5, 0.01)} plies")
    plies = clocked_game(engine, chess.Board(), 0.5, 0.01, ponder=True)
    say(f"game with pondering: {plies} plies")
    for number in [0, 518, 959]:
        board = chess.Board.from_chess960_pos(number)
        board.chess960 = True
        say(f"Chess960 game {number}: {clocked_game(engine, board, 0.5, 0.01)} plies")


def main():
    complaints = Complaints()
    logging.getLogger("chess.engine").addHandler(complaints)
    with chess.engine.SimpleEngine.popen_uci(sys.argv[1], timeout=PATIENCE) as engine:
        say(f"engine: {engine.id['name']} by {engine.id['author']}")
        check_options(engine)
        check_ends(engine)
        check_analysis(engine)
        check_repetition(engine)
        check_games(engine)
    if complaints.lines:
        sys.exit("python-chess complains:\n" + "\n".join(complaints.lines))
    say("no complaints")


main()
