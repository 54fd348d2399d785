import thwrap
from peer import prelu

thwrap.set_num_threads(1)


def make(values, dtype="float32"):
    return thwrap.tensor(values, dtype=getattr(thwrap, dtype))
