"""Writes arrays with NumPy that `tabia data convert` reads.

    python3 numpy_writes.py PROGRAM

The program turns them into a policy shard, and that into arrays again, which must be the
same. Prints `no complaints` if they are, however NumPy stores them.
"""

import pathlib
import subprocess
import sys
import tempfile

import numpy

BACK_RANK = [3, 1, 2, 4, 5, 2, 1, 3]


def planes_of_start():
    planes = numpy.zeros((18, 8, 8))
    for file, kind in enumerate(BACK_RANK):
        planes[kind, 0, file] = planes[6 + kind, 7, file] = 1
    planes[0, 1] = planes[6, 6] = 1
    planes[12:17] = 1
    return planes


def arrays():
    """The start, with three moves from two squares, and 1.e4 e5 seen by White."""
    planes = numpy.stack([planes_of_start(), planes_of_start()])
    for plane, origin, target in [(0, 1, 3), (6, 6, 4)]:
        planes[1, plane, origin, 4], planes[1, plane, target, 4] = 0, 1
    planes[1, 17, :, 4] = 1
    origins = numpy.zeros((2, 64))
    targets = numpy.full((2, 64, 64), 1 / 64)
    targets[0, 12] = targets[0, 6] = targets[1, 6] = 0
    origins[0, 12], origins[0, 6], origins[1, 6] = 0.75, 0.25, 1
    targets[0, 12, 28] = targets[0, 12, 20] = 0.5
    targets[0, 6, 21] = targets[1, 6, 21] = 1
    return {"X": planes, "PF": origins, "PD": targets, "Z": numpy.array([1.0, -1.0])}


def convert(folder, source, target):
    command = [sys.argv[1], "data", "convert", source, "-o", target]
    subprocess.run(command, cwd=folder, check=True, capture_output=True)


def main():
    wanted = arrays()
    singles = {name: array.astype(numpy.float32) for name, array in wanted.items()}
    stored = {
        "doubles": (numpy.savez, wanted),
        "singles": (numpy.savez, singles),
        "bytes": (numpy.savez, {**singles, "X": wanted["X"].astype(numpy.uint8)}),
        "truths": (numpy.savez, {**singles, "X": wanted["X"].astype(bool)}),
        "columns": (numpy.savez_compressed, {**singles, "Z": singles["Z"].reshape(2, 1)}),
    }
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for name, (save, given) in stored.items():
            save(folder / f"{name}.npz", **given)
            convert(folder, f"{name}.npz", f"{name}.policy")
            convert(folder, f"{name}.policy", f"{name}-back.npz")
            with numpy.load(folder / f"{name}-back.npz") as back:
                for key, array in wanted.items():
                    assert back[key].shape == array.shape, (name, key)
                    assert numpy.allclose(back[key], array, atol=1e-5), (name, key)
    print("no complaints")


main()
