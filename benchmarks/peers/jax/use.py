import jax.numpy as jnp
from mod import prelu as _prelu


def prelu(x, w):
    return _prelu(x, w).block_until_ready()


def make(values):
    return jnp.array(values, "float32")
