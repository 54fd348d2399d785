import thwrap
import wrapgen

thwrap.set_num_threads(1)
prelu = wrapgen.load("ops.yaml").prelu


def make(values, dtype="float32"):
    return thwrap.tensor(values, dtype=getattr(thwrap, dtype))
