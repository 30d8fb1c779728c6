"""Reads with NumPy the arrays that `tabia data convert` writes.

    python3 numpy_reads.py PROGRAM

Prints `no complaints` if shapes, types and numbers are as published.
"""

import pathlib
import subprocess
import sys
import tempfile

import numpy

# 1.e4 c5: White's move that was played, then Black's, then White's with nothing to come.
GAME = """\
fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
move e2e4
score 20
ply 0
result 1
e
fen rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1
move c7c5
score -20
ply 1
result -1
e
fen rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2
move g1f3
score 20
ply 2
result 1
e
"""


def square(name):
    return "abcdefgh".index(name[0]) + 8 * (int(name[1]) - 1)


def check_planes(planes):
    assert planes.shape == (3, 18, 8, 8) and planes.dtype == numpy.uint8, planes.dtype
    start = planes[0]
    # White's pawns, knights and king, Black's pawns; rank by rank from White's side.
    assert (start[0, 1] == 1).all() and start[0].sum() == 8
    assert start[1].nonzero()[1].tolist() == [1, 6]
    assert start[5, 0, 4] == 1 and start[5].sum() == 1
    assert (start[6, 6] == 1).all() and start[6].sum() == 8
    assert start[:12].sum() == 32
    # White, Black, White to move; everybody may castle; the file of a double step.
    assert planes[:, 12].sum(axis=(1, 2)).tolist() == [64, 0, 64]
    assert (planes[:, 13:17] == 1).all()
    assert start[17].sum() == 0
    assert (planes[1, 17, :, 4] == 1).all() and planes[1, 17].sum() == 8
    assert (planes[2, 17, :, 2] == 1).all() and planes[2, 17].sum() == 8


def check_moves(origins, targets):
    assert origins.shape == (3, 64) and origins.dtype == numpy.float32
    assert targets.shape == (3, 64, 64) and targets.dtype == numpy.float32
    for number, (origin, target) in enumerate([("e2", "e4"), ("c7", "c5"), ("g1", "f3")]):
        origin, target = square(origin), square(target)
        assert origins[number, origin] == 1 and origins[number].sum() == 1
        assert targets[number, origin, target] == 1
        assert numpy.allclose(targets[number].sum(axis=1), 1)


def main():
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "a.plain").write_text(GAME)
        command = [sys.argv[1], "data", "convert", "a.plain", "-o", "a.npz"]
        subprocess.run(command, cwd=folder, check=True, capture_output=True)
        with numpy.load(folder / "a.npz") as arrays:
            assert set(arrays.files) == {"X", "PF", "PD", "Z", "L"}, arrays.files
            check_planes(arrays["X"])
            check_moves(arrays["PF"], arrays["PD"])
            assert arrays["Z"].dtype == numpy.float32
            assert arrays["Z"].tolist() == [1, -1, 1]
            # A bit for each legal move: the knight of g1 can go to f3 and h3.
            legal = numpy.unpackbits(arrays["L"], axis=2, bitorder="little")
            assert legal.shape == (3, 64, 64) and legal[0].sum() == 20
            targets = {square("f3"), square("h3")}
            assert set(legal[0, square("g1")].nonzero()[0].tolist()) == targets
    print("no complaints")


main()
