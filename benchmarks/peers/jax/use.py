import jax
import jax.numpy as jnp
from mod import prelu as _prelu

jax.config.update("jax_enable_x64", True)


def prelu(x, w):
    return _prelu(x, w).block_until_ready()


def make(values, dtype="float32"):
    return jnp.array(values, dtype)
