"""onnxruntime's side of the bench of ResNets: reads lines "play FILE 128 f32 0.7", answers with
positions per CPU second of one thread."""
import sys
import time

import numpy
import onnxruntime


def prepared(path, batch):
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
    (planes,) = session.get_inputs()
    planes = numpy.random.default_rng(1).random((batch, *planes.shape[1:]), numpy.float32)

    def play():
        session.run(None, {"planes": planes})

    return play


print(onnxruntime.__version__, flush=True)
kept = {}
for line in sys.stdin:
    _, path, batch, _, seconds = line.split()
    key = (path, batch)
    if key not in kept:
        kept = {key: prepared(path, int(batch))}
        kept[key]()
    start, done = time.process_time(), 0
    while True:
        kept[key]()
        done += int(batch)
        spent = time.process_time() - start
        if spent >= float(seconds):
            break
    print(done / spent, flush=True)
