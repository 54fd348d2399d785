import thwrap
import wrapgen

thwrap.set_num_threads(1)
prelu = wrapgen.load("ops.yaml").prelu


def make(values):
    return thwrap.tensor(values, dtype=thwrap.float32)
