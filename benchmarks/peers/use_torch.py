import torch
from mod import prelu

torch.set_num_threads(1)


def make(values):
    return torch.as_tensor(values, dtype=torch.float32)
