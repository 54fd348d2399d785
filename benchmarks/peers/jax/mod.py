import jax
import jax.numpy as jnp
@jax.jit
def prelu(x, w):
    return jnp.where(x > 0.0, x, w * x)
