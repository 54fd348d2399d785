import torch

torch.ops.load_library("./mod.so")
torch.set_num_threads(1)
prelu = torch.ops.peer.prelu


def make(values):
    return torch.as_tensor(values, dtype=torch.float32)
