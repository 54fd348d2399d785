import numpy
from mod import prelu


def make(values):
    return numpy.array(values, "float32")
