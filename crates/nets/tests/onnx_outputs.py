"""Computes ONNX files with onnxruntime and compares the results with ours.

    python3 onnx_outputs.py FOLDER

Beside each `.onnx` file lies a `.json` file with the planes of positions, the rows of their
legal moves, and what we say of these and of the value. Prints how many nets agree.
"""

import json
import pathlib
import sys

import numpy
import onnxruntime

TOLERANCE = 1e-4


def close(found, expected, words):
    difference = numpy.abs(found - numpy.array(expected)).max()
    assert difference < TOLERANCE, f"{words}: {difference}"


def compare(path):
    expected = json.loads(path.with_suffix(".json").read_text())
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    (planes,) = session.get_inputs()
    batch = numpy.array(expected["planes"], numpy.float32).reshape(-1, *planes.shape[1:])
    policy, value = session.run(["policy", expected["value"]], {"planes": batch})
    for number, position in enumerate(expected["positions"]):
        words = f"{path.name}, position {number}"
        close(policy[number, position["rows"]], position["logits"], f"{words}: policy")
        close(value[number], position["value"], f"{words}: value")


def main():
    paths = sorted(pathlib.Path(sys.argv[1]).glob("*.onnx"))
    for path in paths:
        compare(path)
    print(f"nets that agree: {len(paths)}")


main()
