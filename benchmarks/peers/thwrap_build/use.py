import thwrap
from peer import prelu

thwrap.set_num_threads(1)


def make(values):
    return thwrap.tensor(values, dtype=thwrap.float32)
