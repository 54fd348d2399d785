import torch
from torch.utils.cpp_extension import load
load(name="peer", sources=["prelu.cpp"], extra_cflags=["-O3", "-march=native"], is_python_module=False)
def prelu(x, w):
    return torch.ops.peer.prelu(*torch.broadcast_tensors(x, w))
